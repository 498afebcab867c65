"""Questions at a terminal, one at a time. Each answer is checked, and each has a way back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import join_or, parse_whole, quoted
from numduel.terminal.move_prompt import yes_or_no
from numduel.terminal.screen import Screen

Answers = dict[str, Any]
"""The answers so far by the name of the question, in the order of asking."""


class LeaveRequested(Exception):
    """The person leaves."""


class BackRequested(Exception):
    """The person goes back to the question before."""


class MenuQuestion(NamedTuple):
    """One question."""

    name: str
    prompt: str
    parse: Callable[[str], Any]  # returns the answer; raises NumduelError or BackRequested
    default: str = ""  # the answer if only Enter is pressed
    choices: tuple[str, ...] = ()  # the lines above the prompt


def ask(screen: Screen, question: MenuQuestion, rules: str) -> Any:
    """Ask until there is an answer, and return it. Raises BackRequested or LeaveRequested."""
    _list(screen, question)
    default = f" [{question.default}]" if question.default else ""
    while True:
        typed = screen.ask(f"{question.prompt}{default}: ").strip() or question.default
        word = typed.lower()
        if word in ("quit", "q", "exit"):
            raise LeaveRequested
        if word in ("back", "b"):
            raise BackRequested
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
                screen.say([f"Try again: {error}."])


def _list(screen: Screen, question: MenuQuestion) -> None:
    for line in question.choices:
        screen.entry(line, 3)


def ask_all(
    screen: Screen,
    following: Callable[[Answers], MenuQuestion | None],
    answers: Answers,
    rules: Callable[[Answers], str],
) -> bool:
    """Ask every question that follows. Return False if the person went back past the first."""
    kept = len(answers)
    while (question := following(answers)) is not None:
        try:
            answers[question.name] = ask(screen, question, rules(answers))
        except BackRequested:
            if len(answers) == kept:
                return False
            answers.popitem()
    return True


def number_up_to(most: int) -> Callable[[str], int]:
    """Return a parser of a number from 1 to `most`."""

    def parse(typed: str) -> int:
        number = parse_whole(typed)
        if number is None or not 1 <= number <= most:
            raise SettingsError(f"type a number from 1 to {most}, not {quoted(typed)}")
        return number

    return parse


def one_of(words: Sequence[str]) -> Callable[[str], str]:
    """Return a parser of one of these words, or of an unambiguous beginning of one."""

    def parse(typed: str) -> str:
        found = [word for word in words if typed and word.startswith(typed.lower())]
        if len(found) != 1:
            raise SettingsError(f"type {join_or(words)}, not {quoted(typed)}")
        return found[0]

    return parse


def yes(typed: str) -> bool:
    """Return True for yes and False for no. Raises SettingsError for anything else."""
    answer = yes_or_no(typed)
    if answer is None:
        raise SettingsError(f"type yes or no, not {quoted(typed)}")
    return answer
