"""Plain questions, one at a time: each checked as it is asked, each with a way back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import either, parse_whole, quoted
from numduel.terminal.asking import yes_or_no
from numduel.terminal.screen import Screen

Answers = dict[str, Any]
"""What was answered so far, by the name of the question, in the order of asking."""


class Leave(Exception):
    """The person has had enough."""


class Back(Exception):
    """The person wants the question before this one."""


class Question(NamedTuple):
    """One question."""

    name: str
    prompt: str
    parse: Callable[[str], Any]  # the answer that a text stands for; NumduelError
    default: str = ""  # what Enter means
    choices: tuple[str, ...] = ()  # the lines above it


def ask(screen: Screen, question: Question, rules: str) -> Any:
    """The answer, asked for until it is one; Back or Leave where the person wants that."""
    _list(screen, question)
    default = f" [{question.default}]" if question.default else ""
    while True:
        typed = screen.ask(f"{question.prompt}{default}: ").strip() or question.default
        word = typed.lower()
        if word in ("quit", "q", "exit"):
            raise Leave
        if word in ("back", "b"):
            raise Back
        if word in ("help", "h", "?"):
            enter = f" (Enter: {question.default})" if question.default else ""
            screen.say([f"Type an answer{enter}, or back, rules, help or quit."])
            _list(screen, question)
        elif word == "rules":
            screen.say([""])
            screen.prose(rules)
        else:
            try:
                return question.parse(typed)
            except NumduelError as error:
                screen.say([f"{error}."])


def _list(screen: Screen, question: Question) -> None:
    for line in question.choices:
        screen.entry(line, 3)


def ask_all(
    screen: Screen,
    following: Callable[[Answers], Question | None],
    answers: Answers,
    rules: Callable[[Answers], str],
) -> bool:
    """Ask until nothing follows what was answered; whether it was not left by going back."""
    kept = len(answers)
    while (question := following(answers)) is not None:
        try:
            answers[question.name] = ask(screen, question, rules(answers))
        except Back:
            if len(answers) == kept:
                return False
            answers.popitem()
    return True


def numbered(most: int) -> Callable[[str], int]:
    """A number from 1 up to this."""

    def parse(typed: str) -> int:
        number = parse_whole(typed)
        if number is None or not 1 <= number <= most:
            raise SettingsError(f"type a number from 1 to {most}, not {quoted(typed)}")
        return number

    return parse


def one_of(words: Sequence[str]) -> Callable[[str], str]:
    """One of these words, or as much of it as tells it apart."""

    def parse(typed: str) -> str:
        found = [word for word in words if typed and word.startswith(typed.lower())]
        if len(found) != 1:
            raise SettingsError(f"type {either(words)}, not {quoted(typed)}")
        return found[0]

    return parse


def yes(typed: str) -> bool:
    """Yes or no."""
    answer = yes_or_no(typed)
    if answer is None:
        raise SettingsError(f"type yes or no, not {quoted(typed)}")
    return answer
