"""Questions at a terminal, one at a time. Each answer is checked, and can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import join_or, parse_whole, quoted
from numduel.terminal.move_prompt import yes_or_no
from numduel.terminal.screen import Screen
from numduel.terminal.streams import command_word

Answers = dict[str, Any]
"""The answers so far, by the names of the questions, in the order in which they were asked."""


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


def ask_question(screen: Screen, question: MenuQuestion, rules: str) -> Any:
    """Ask until there is an answer, and return it. Raises BackRequested or LeaveRequested."""
    _show_choices(screen, question)
    default = f" [{question.default}]" if question.default else ""
    while True:
        typed = screen.ask(f"{question.prompt}{default}: ").strip() or question.default
        word = command_word(typed)
        if word == "quit":
            raise LeaveRequested
        if word == "back":
            raise BackRequested
        if word == "help":
            enter = f" (Enter: {question.default})" if question.default else ""
            screen.say([f"Type an answer{enter}, or back, rules, help or quit."])
            _show_choices(screen, question)
        elif word == "rules":
            screen.say([""])
            screen.say_prose(rules)
        else:
            try:
                return question.parse(typed)
            except NumduelError as error:
                screen.say([f"Try again: {error}."])


def _show_choices(screen: Screen, question: MenuQuestion) -> None:
    for line in question.choices:
        screen.say_entry(line, 3)


def ask_questions(
    screen: Screen,
    next_question: Callable[[Answers], MenuQuestion | None],
    answers: Answers,
    rules: Callable[[Answers], str],
) -> bool:
    """Ask one question after the other. Return False if the person goes back past the first."""
    given_before = len(answers)
    while (question := next_question(answers)) is not None:
        try:
            answers[question.name] = ask_question(screen, question, rules(answers))
        except BackRequested:
            if len(answers) == given_before:
                return False
            answers.popitem()
    return True


def parse_number(typed: str, high: int) -> int:
    """Return a number from 1 to `high`. Raises SettingsError for anything else."""
    number = parse_whole(typed)
    if number is None or not 1 <= number <= high:
        raise SettingsError(f"type a number from 1 to {high}, not {quoted(typed)}")
    return number


def parse_word(typed: str, words: Sequence[str]) -> str:
    """Return the word that was typed or only begun. Raises SettingsError for anything else."""
    matching = [word for word in words if typed and word.startswith(typed.lower())]
    if len(matching) != 1:
        raise SettingsError(f"type {join_or(words)}, not {quoted(typed)}")
    return matching[0]


def parse_yes_or_no(typed: str) -> bool:
    """Return True for yes and False for no. Raises SettingsError for anything else."""
    answer = yes_or_no(typed)
    if answer is None:
        raise SettingsError(f"type yes or no, not {quoted(typed)}")
    return answer
