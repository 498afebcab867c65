"""The menu: what somebody sees who types just `numduel`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, TypeVar

import click

from numduel.core.errors import NumduelError, SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.numerals import parse_whole, quoted
from numduel.core.verdict import Verdict
from numduel.games import game_type, games
from numduel.play.setup import MOST_ROUNDS
from numduel.players import COMPUTERS, HUMAN
from numduel.solver import theory_of
from numduel.terminal.play import begin, resumed_lines
from numduel.terminal.screen import Screen, screen
from numduel.terminal.session import Interrupted, Session
from numduel.terminal.shelf import shelf

T = TypeVar("T")


class Leave(Exception):
    """The person has had enough."""


def run_menu() -> None:
    """Choose, play, and again, until the person leaves."""
    shown = screen(plain=False)
    shown.say(["Numduel: number games for two. Type quit to leave.", ""])
    try:
        while True:
            _choose_and_play(shown)
    except Leave:
        shown.say(["Goodbye."])
    except EOFError:
        shown.say(["", "Goodbye."])
    except Interrupted:
        raise click.exceptions.Exit(130) from None


def _choose_and_play(shown: Screen) -> None:
    kinds = [game_type(listed.key) for listed in games()]
    lines = [f"{count}. {kind.title}: {kind.summary}" for count, kind in enumerate(kinds, 1)]
    unfinished = _unfinished()
    if unfinished:
        lines.append(f"{len(kinds) + 1}. Go on with the last unfinished game")
    shown.say(lines)
    count = len(lines)
    chosen = _ask(shown, f"Choose a game (1 to {count}): ", lambda typed: _number(typed, count))
    if chosen > len(kinds):
        _go_on(shown)
        return
    kind = kinds[chosen - 1]
    while True:
        players = _ask_players(shown)
        game = _ask_settings(shown, kind)
        rounds = _ask(
            shown, "How many rounds [1]: ", lambda typed: _number(typed, MOST_ROUNDS), default="1"
        )
        _warn_of_a_quick_end(shown, game)
        try:
            if not _play_again(shown, game, players, rounds):
                return
        except NumduelError as error:
            shown.say([f"{error}.", ""])


def _warn_of_a_quick_end(shown: Screen, game: Game[Any]) -> None:
    """Say so where whoever begins can win at once."""
    theory = theory_of(game)
    with contextlib.suppress(TooLarge):
        start = game.start()
        if theory.cost(start).solve < 1 and theory.solve(start) == Verdict("win", 1):
            line = "Whoever begins can win with the first move here; for fairer settings see"
            shown.say([f"{line}: numduel fair {game.key}"])


def _go_on(shown: Screen) -> None:
    try:
        saved = shelf().newest()
        shown.say(resumed_lines(saved))
        if not Session(saved, shown).run():
            raise Leave
    except NumduelError as error:  # it is being played in another window, or cannot be
        shown.say([f"{error}."])
    shown.say([""])


def _play_again(shown: Screen, game: Game[Any], players: tuple[str, str], rounds: int) -> bool:
    """Play until the person wants something else; whether they change this game's settings."""
    while True:
        shown.say([""])
        if not Session(begin(game, shown, players=players, rounds=rounds), shown).run():
            raise Leave
        shown.say([""])
        word = _ask(
            shown,
            "Enter plays again; change, menu or quit [again]: ",
            lambda typed: _word(typed, ("again", "change", "menu")),
            default="again",
        )
        if word != "again":
            return word == "change"


def _ask_players(shown: Screen) -> tuple[str, str]:
    sides = ["two people here", *(f"you against {who}" for who in COMPUTERS)]
    shown.say([f"{count}. {text}" for count, text in enumerate(sides, 1)])
    chosen = _ask(shown, "Who plays [1]: ", lambda typed: _number(typed, len(sides)), default="1")
    if chosen == 1:
        return HUMAN, HUMAN
    computer = COMPUTERS[chosen - 2]
    first = _ask(
        shown, "Who begins, you or it [you]: ", lambda typed: _word(typed, ("you", "it")), "you"
    )
    return (HUMAN, computer) if first == "you" else (computer, HUMAN)


def _ask_settings(shown: Screen, kind: type[Game[Any]]) -> Game[Any]:
    while True:
        values = {}
        for setting in kind.settings_type.declared:
            default = setting.text(setting.default)
            prompt = f"{setting.name}, {setting.help} [{default}]: "
            values[setting.name] = _ask(shown, prompt, setting.parse, default)
        try:
            return kind(**values)
        except SettingsError as error:
            shown.say([f"{error}."])


def _ask(shown: Screen, prompt: str, parse: Callable[[str], T], default: str = "") -> T:
    """What was typed, parsed; Enter means the default. Asked again until it is allowed."""
    while True:
        typed = shown.ask(prompt).strip() or default
        if typed.lower() in ("quit", "q", "exit"):
            raise Leave
        try:
            return parse(typed)
        except NumduelError as error:
            shown.say([f"{error}."])


def _number(typed: str, most: int) -> int:
    number = parse_whole(typed)
    if number is None or not 1 <= number <= most:
        raise SettingsError(f"type a number from 1 to {most}, not {quoted(typed)}")
    return number


def _word(typed: str, words: tuple[str, ...]) -> str:
    found = [word for word in words if typed and word.startswith(typed.lower())]
    if len(found) != 1:
        raise SettingsError(f"type {', '.join(words)} or quit, not {quoted(typed)}")
    return found[0]


def _unfinished() -> bool:
    return any(entry.match and not entry.match.over for entry in shelf().history())
