"""The menu: what somebody sees who types just `numduel`."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import Any

import click

from numduel.core.errors import NumduelError, TooLarge
from numduel.core.game import Game
from numduel.core.verdict import Verdict
from numduel.play.saved import Entry
from numduel.solver import theory_of
from numduel.terminal.choosing import following, key, rules
from numduel.terminal.command import with_settings
from numduel.terminal.play import begin, resumed_lines
from numduel.terminal.questions import Answers, Back, Leave, Question, ask, ask_all, one_of
from numduel.terminal.screen import Screen, rules_of, screen
from numduel.terminal.session import Interrupted, Session
from numduel.terminal.shelf import shelf

AGAIN = Question(
    "again",
    "again (the other begins), change or menu",
    one_of(("again", "change", "menu")),
    "again",
)


def run_menu() -> None:
    """Choose, play, and again, until the person leaves."""
    shown = screen(plain=False)
    shown.say(["Numduel: number games for two. Type help at any question, quit to leave.", ""])
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
    """From the list of games until the person wants to see it again."""
    answers: Answers = {}
    unfinished = _newest_unfinished()
    while ask_all(shown, partial(following, unfinished), answers, rules):
        if isinstance(answers["game"], Entry):
            _go_on(shown, answers["game"].ident)
            return
        try:
            word = _play(shown, answers)
        except NumduelError as error:  # it is too large for this player
            shown.say([f"{error}.", ""])
            word = "players"
        if word == "menu":
            return
        kept = {"change": ("game", "players", "name1", "name2"), "players": ("game",)}[word]
        answers = {name: value for name, value in answers.items() if name in kept}
        if word == "change":
            answers["usual"] = False


def _play(shown: Screen, answers: Answers) -> str:
    """Play until the person wants something else; what they want."""
    kind, players = answers["game"], answers["players"]
    named = {s.name: answers[key(s)] for s in kind.settings_type.declared if key(s) in answers}
    game, first = kind(**named), answers.get("first", "1")
    rounds, best_of = answers.get("rounds", (1, False))
    names = answers["name1"], answers.get("name2")
    _warn_of_a_quick_end(shown, game)
    while True:
        shown.say([""])
        saved = begin(
            game,
            shown,
            players=players,
            names=names,
            first=first,
            rounds=rounds,
            best_of=best_of,
            swap=answers.get("swap", False),
        )
        if not Session(saved, shown, coach=answers.get("coach", False)).run():
            raise Leave
        shown.say([""])
        first = {"1": "2", "2": "1"}.get(first, first)
        try:
            word = str(ask(shown, AGAIN, rules_of(game)))
        except Back:
            word = "menu"
        if word != "again":
            return word


def _go_on(shown: Screen, ident: int) -> None:
    try:
        saved = shelf().open(ident)
        shown.say(resumed_lines(saved))
        if not Session(saved, shown).run():
            raise Leave
    except NumduelError as error:  # it is being played in another window, or cannot be
        shown.say([f"{error}."])
    shown.say([""])


def _warn_of_a_quick_end(shown: Screen, game: Game[Any]) -> None:
    """Say so where whoever begins can win at once."""
    theory = theory_of(game)
    with contextlib.suppress(TooLarge):
        start = game.start()
        if theory.cost(start).solve < 1 and theory.solve(start) == Verdict("win", 1):
            line = "Whoever begins can win with the first move here; for fairer settings see"
            shown.say([f"{line}: {with_settings('fair', game)}"])


def _newest_unfinished() -> Entry | None:
    entries = shelf().history()
    return next((one for one in entries if one.match and not one.match.over), None)
