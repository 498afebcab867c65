"""A Scene: all that a front end needs to draw a position, as a plain value."""

from __future__ import annotations

from typing import NamedTuple

MARKS = {1: "X", 2: "O"}
"""What each seat's claims look like."""

LARGEST_BOARD = 400
"""A larger board is not given cell by cell: `allowed` says what can be played."""


class Fact(NamedTuple):
    """Something that both players see, such as the target."""

    label: str
    value: str


class Cell(NamedTuple):
    """One number of a board."""

    number: int
    owner: int = 0  # the seat that claimed it, or 0
    legal: bool = False  # the mover may choose it now
    chosen: bool = False  # it is used up
    current: bool = False  # it is the number that the game stands at


class Choice(NamedTuple):
    """One line of a menu."""

    move: int
    label: str
    gives: str  # what the number would become


class Scene(NamedTuple):
    """What there is to see. A game has cells or choices or, where too many, neither."""

    sentence: str  # whose turn it is, or how the game ended
    facts: tuple[Fact, ...]
    cells: tuple[Cell, ...]
    choices: tuple[Choice, ...]
    allowed: str  # the legal moves in one short line; empty when the game is over
    line: bool = False  # whether the cells lie in a line, rather than in rows
