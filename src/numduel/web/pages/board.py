"""A Scene as the templates draw it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from numduel.core.game import Game
from numduel.core.scene import MARKS, Cell, Scene
from numduel.core.theory import Verdict
from numduel.games import game_type

SIGNS = {"win": "✓", "loss": "✗", "endless": "∞"}
MEANINGS = {"win": "wins", "loss": "loses", "endless": "neither side can force an end"}

_SAMPLE_MOVES = 3  # played in the picture of a game


class Square(NamedTuple):
    """One number of a board."""

    number: int
    kind: str  # owned, current, legal, chosen or plain
    owner: int
    said: str  # for a screen reader
    mark: str
    verdict: str = ""


class Option(NamedTuple):
    """One line of a menu."""

    move: int
    label: str
    gives: str
    verdict: str = ""


class Board(NamedTuple):
    """What is drawn of a Scene."""

    facts: list[tuple[str, str]]
    squares: list[Square]
    options: list[Option]
    allowed: str
    line: bool  # whether the squares lie in a line


def board(scene: Scene, verdicts: Mapping[int, Verdict] | None = None) -> Board:
    """A Scene for a template; with the verdict of each move, where they are shown."""
    known = {move: verdict.value for move, verdict in (verdicts or {}).items()}
    return Board(
        facts=[(fact.label, fact.value) for fact in scene.facts],
        squares=[_square(cell, known.get(cell.number, "")) for cell in scene.cells],
        options=[Option(*choice, known.get(choice.move, "")) for choice in scene.choices],
        allowed=scene.allowed,
        line=scene.line,
    )


def _square(cell: Cell, verdict: str) -> Square:
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
    return board(game.scene(position))
