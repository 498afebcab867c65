"""A Scene as the templates draw it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from numduel.core.game import Game
from numduel.core.scene import MARKS, Cell, Fact, Scene
from numduel.core.verdict import Value, Verdict
from numduel.games import game_type

SIGNS: dict[Value, str] = {"win": "✓", "draw": "=", "endless": "∞", "loss": "✗"}
MEANINGS: dict[Value, str] = {
    "win": "wins",
    "draw": "draws",
    "endless": "neither side can force an end",
    "loss": "loses",
}

_SAMPLE_MOVES = 3  # played in the picture of a game


class Square(NamedTuple):
    """One number of a board."""

    number: int
    kind: str  # owned, current, legal, chosen or plain
    owner: int
    said: str  # for a screen reader
    mark: str
    verdict: Value | None = None


class Option(NamedTuple):
    """One line of a menu."""

    move: int
    label: str
    gives: str
    ends: str  # how it would end the game
    verdict: Value | None = None


class Board(NamedTuple):
    """What is drawn of a Scene."""

    number: Fact | None  # the number that the game stands at
    facts: tuple[Fact, ...]
    squares: list[Square]
    options: list[Option]
    offers: tuple[Fact, ...]  # the legal moves by their kind
    line: bool  # whether the squares lie in a line


def board(scene: Scene, verdicts: Mapping[int, Verdict] | None = None) -> Board:
    """A Scene for a template; with the verdict of each move, where they are shown."""
    known = {move: verdict.value for move, verdict in (verdicts or {}).items()}
    return Board(
        number=scene.number,
        facts=scene.facts,
        squares=[_square(cell, known.get(cell.number)) for cell in scene.cells],
        options=[Option(*choice, known.get(choice.move)) for choice in scene.choices],
        offers=scene.offers,
        line=scene.line,
    )


def _square(cell: Cell, verdict: Value | None) -> Square:
    kind, said = "plain", "not possible now"
    if cell.owner:
        kind, said = "owned", f"Player {cell.owner}'s"
    elif cell.current:
        kind, said = "current", "the current number"
    elif cell.legal:
        kind, said = "legal", "possible"
    elif cell.chosen:
        kind, said = "chosen", "used up"
    if verdict:
        said = MEANINGS[verdict]
    return Square(cell.number, kind, cell.owner, said, MARKS.get(cell.owner, ""), verdict)


def sample(key: str) -> Board:
    """The board of a game a few moves in, for its picture."""
    game: Game[Any] = game_type(key)()
    position, rng = game.start(), Random(key)
    for _ in range(_SAMPLE_MOVES):
        after = game.after(position, rng.choice(game.moves(position)))
        if game.outcome(after) is not None:
            break
        position = after
    return board(game.words.scene(position))
