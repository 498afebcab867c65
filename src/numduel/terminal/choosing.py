"""What the menu asks: which game, who plays, and how; each question follows from the answers."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from typing import Any

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.settings import Flag, Setting, Word
from numduel.games import game_type, games
from numduel.play.arrange import COIN
from numduel.play.saved import Entry
from numduel.play.setup import MOST_ROUNDS, check_name
from numduel.players import HUMAN, check_who, kinds
from numduel.terminal.history import summary
from numduel.terminal.options import did_you_mean
from numduel.terminal.questions import Answers, Question, numbered, one_of, yes
from numduel.terminal.screen import rules_of

NAMELESS = "none"


def following(unfinished: Entry | None, answers: Answers) -> Question | None:
    """What is to be asked next; None where a game can begin, or go on."""
    if "game" not in answers:
        return _which_game(unfinished)
    kind = answers["game"]
    if isinstance(kind, Entry):
        return None
    asked = [_who_plays(), *_who_are_they(answers.get("players", ())), _usual(kind)]
    if answers.get("usual") is False:
        asked += [*_settings(kind, answers), *_match(answers["players"])]
    return next((question for question in asked if question.name not in answers), None)


def _which_game(unfinished: Entry | None) -> Question:
    known = [game_type(listed.key) for listed in games()]
    lines = [f"{count}. {kind.title}: {kind.summary}" for count, kind in enumerate(known, 1)]
    options: list[Any] = [*known]
    if unfinished is not None and unfinished.match is not None:
        going_on = f"Go on with game {unfinished.ident}: {summary(unfinished.match)}"
        lines.append(f"{len(lines) + 1}. {going_on}")
        options.append(unfinished)
    titles = {kind.title.lower(): kind for kind in known} | {kind.key: kind for kind in known}

    def parse(typed: str) -> Any:
        if typed.lower() in titles:
            return titles[typed.lower()]
        try:
            return options[numbered(len(options))(typed) - 1]
        except SettingsError as error:
            meant = did_you_mean(typed, titles)
            raise SettingsError(f"{meant} {error}" if meant else str(error)) from None

    return Question("game", f"Choose a game (1 to {len(options)})", parse, "", tuple(lines))


def _who_plays() -> Question:
    offered = [kind for kind in kinds() if not kind.parameter]
    lines = ["two people here", *(f"you against {kind.name}: {kind.help}" for kind in offered)]
    choices = tuple(f"{count}. {line}" for count, line in enumerate(lines, 1))

    def parse(typed: str) -> tuple[str, str]:
        with contextlib.suppress(SettingsError):
            return HUMAN, check_who(typed)
        chosen = numbered(len(lines))(typed)
        return HUMAN, HUMAN if chosen == 1 else offered[chosen - 2].name

    return Question("players", "Who plays", parse, "1", choices)


def _who_are_they(players: Sequence[str]) -> list[Question]:
    prompts = [f"Name of Player {seat}" for seat in (1, 2)]
    if HUMAN not in players[1:]:
        prompts = ["Your name"]
    return [
        Question(f"name{seat}", prompt, _name, NAMELESS) for seat, prompt in enumerate(prompts, 1)
    ]


def _name(typed: str) -> str | None:
    return None if typed == NAMELESS else check_name(typed)


def _usual(kind: type[Game[Any]]) -> Question:
    settings = [f"{s.name} {s.text(value)}" for s, value in kind().settings if value]
    usual = ", ".join([*settings, "one round", "no coach"])
    return Question("usual", f"The usual settings ({usual})?", yes, "yes")


def _settings(kind: type[Game[Any]], answers: Answers) -> list[Question]:
    declared = kind.settings_type.declared

    def parse(setting: Setting[Any], typed: str) -> Any:
        given = {s.name: answers[key(s)] for s in declared if key(s) in answers}
        value = yes(typed) if isinstance(setting, Flag) else setting.parse(typed)
        kind(**{**given, setting.name: value})  # where two contradict each other, it says so
        return value

    return [
        Question(key(setting), _asked(setting), partial(parse, setting), _default(setting))
        for setting in declared
    ]


def key(setting: Setting[Any]) -> str:
    """The name of the question about a setting."""
    return f"setting {setting.name}"


def _asked(setting: Setting[Any]) -> str:
    limited = isinstance(setting, Word | Flag)
    words = "yes or no" if isinstance(setting, Flag) else setting.allowed
    name = setting.name.replace("_", " ")
    return f"{name}, {setting.help}{f' ({words})' if limited else ''}"


def _default(setting: Setting[Any]) -> str:
    return "no" if isinstance(setting, Flag) else setting.text(setting.default)


def _match(players: tuple[str, str]) -> list[Question]:
    sides = ("Player 1", "Player 2") if players[1] == HUMAN else ("you", "it")
    firsts = dict(zip(map(str.lower, sides), "12", strict=True)) | {"coin": COIN}

    def first(typed: str) -> str:
        return typed if typed in ("1", "2") else firsts[one_of(list(firsts))(typed)]

    begins = f"Who begins ({sides[0]}, {sides[1]} or coin)"
    return [
        Question("first", begins, first, sides[0]),
        Question("rounds", "How many rounds (or, until it is decided: best of 3)", _rounds, "1"),
        Question("swap", "May the second player take over the first move?", yes, "no"),
        Question("coach", "Shall a coach comment on each move?", yes, "no"),
    ]


def _rounds(typed: str) -> tuple[int, bool]:
    """How many, and whether only until it is decided."""
    best = typed.lower().startswith("best")
    count = numbered(MOST_ROUNDS)(typed.split()[-1] if best else typed)
    if best and count % 2 == 0:
        raise SettingsError(f"the best of an odd number of rounds, not {quoted(typed)}")
    return count, best


def rules(answers: Answers) -> str:
    """The rules of the game that was chosen."""
    kind = answers.get("game")
    if isinstance(kind, type):
        return rules_of(kind())
    return "Each game has its rules: choose one first."
