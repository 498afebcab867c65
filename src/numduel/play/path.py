"""The path on which a game is learned: its steps, how each begins, and what it earns.

Each of our games declares its path in a file beside its rules, and a test checks the steps with the
solver. The path of another package's game consists of all opponents and some puzzles.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from numduel.core.game import Game
from numduel.games import OUR_GAMES
from numduel.play.friendly_settings import friendly_game
from numduel.play.setup import Setup, arrange
from numduel.players import HUMAN, OUR_PLAYERS, character

CHARACTERS = tuple(name for name, kind in OUR_PLAYERS.items() if kind.character)
"""The opponents that people know by name, from weak to strong."""

MAX_STARS = 3
"""The stars for a step that is won without taking back a move and without a hint."""


class Tap(NamedTuple):
    """A move of the first game that a beginner is told to make."""

    move: int
    call: str  # what to do: "Tap 18."
    why: str  # and why, in a sentence
    rule: int  # the number of the rule that the move shows


class PathStep(NamedTuple):
    """A game to win, from its start or from a position; or a puzzle."""

    title: str = ""  # "Beat" and the name of the opponent if it is empty
    idea: str = ""  # what there is to find, in a sentence or two
    sign: str = ""  # a few characters that stand for it; the opponent's picture if it is empty
    opponent: str = "perfect"
    settings: Mapping[str, object] | None = None  # None: the friendly ones
    moves: tuple[int, ...] = ()  # the moves made before it begins
    taps: tuple[Tap, ...] = ()  # the moves that a beginner is told to make
    seed: int | None = None  # the seed with which the opponent answers the taps as planned
    puzzle: int = 0  # the grade of the puzzle, or 0 for a game


class Path(NamedTuple):
    """The way to learn a game."""

    short: str  # what to do at the friendly settings, in as few words as possible
    steps: tuple[PathStep, ...]
    rules: tuple[Mapping[str, Any], ...] = ()  # each a sentence and the parts of its picture
    emblem: str = ""  # a small drawing that stands for the game, as SVG


@cache
def path_of(kind: type[Game[Any]]) -> Path:
    """Return the path of a game."""
    if kind.key not in OUR_GAMES:
        return Path(kind.summary, tuple(_default_steps()))
    folder = resources.files(kind.__module__.rpartition(".")[0])
    declared = tomllib.loads((folder / f"{kind.key}.toml").read_text("utf-8"))
    steps = tuple(_read_step(**fields) for fields in declared["steps"])
    emblem = (folder / f"{kind.key}.svg").read_text("utf-8")
    return Path(declared["short"], steps, tuple(declared["rules"]), emblem)


def _read_step(**fields: Any) -> PathStep:
    step = PathStep(**fields)
    title = step.title or f"Beat {character(step.opponent)}"
    taps = tuple(Tap(*tap) for tap in step.taps)
    return step._replace(title=title, moves=tuple(step.moves), taps=taps)


def _default_steps() -> Iterator[PathStep]:
    """Yield the steps of a game that declares no path."""
    for grade, who in enumerate(CHARACTERS, 1):
        yield _read_step(opponent=who)
        yield PathStep(f"Puzzle {grade}", sign="?", puzzle=grade)


def step_game(kind: type[Game[Any]], step: PathStep) -> Game[Any]:
    """Return the game of a step."""
    return friendly_game(kind) if step.settings is None else kind(**step.settings)


def step_setup(kind: type[Game[Any]], step: PathStep) -> Setup:
    """Return the setup of a step's match, in which the player has seat 1 and can win."""
    return arrange(
        step_game(kind, step),
        players=(HUMAN, step.opponent),
        first="1" if step.moves or step.taps else None,
        seed=step.seed,
        moves=step.moves,
    )


def step_of(setup: Setup) -> int:
    """Return the number of the step that a match belongs to; 0 if it belongs to none.

    A match that begins at a later position of a step's game belongs to the same step.
    """
    kind = type(setup.game)
    fitting = [
        (len(step.moves), step.seed is not None, number)
        for number, step in enumerate(path_of(kind).steps, 1)
        if setup.players == (HUMAN, step.opponent)
        and not step.puzzle
        and step.seed in (None, setup.seed)
        and setup.moves[: len(step.moves)] == step.moves
        and setup.game == step_game(kind, step)
    ]
    return max(fitting, default=(0, False, 0))[-1]


def stars(setup: Setup, *, undone: bool, hinted: bool) -> int:
    """Return the number of stars for winning a step's match."""
    step = path_of(type(setup.game)).steps[step_of(setup) - 1]
    return MAX_STARS - undone - hinted if setup.moves == step.moves else 1


def earns_medal(setup: Setup) -> bool:
    """Return whether winning such a match earns a medal: if it begins at the friendly start.

    A lesson earns none, because it says which moves to make.
    """
    kind, number = type(setup.game), step_of(setup)
    is_lesson = number > 0 and bool(path_of(kind).steps[number - 1].taps)
    return not setup.moves and setup.game == friendly_game(kind) and not is_lesson
