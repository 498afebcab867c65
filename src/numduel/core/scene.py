"""A Scene: all that a front end needs to draw a position, as a plain value."""

from __future__ import annotations

from typing import NamedTuple

MARKS = {1: "X", 2: "O"}
"""What each seat's claims look like."""

LARGEST_BOARD = 400
"""A larger board is not given cell by cell: `offers` says what can be played."""


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
    gives: str = ""  # what the number would become
    ends: str = ""  # how the move would end the game, to its player: "you win"


class Scene(NamedTuple):
    """What there is to see. A game has cells or choices or, where too many, neither."""

    sentence: str  # whose turn it is, or who won
    number: Fact | None = None  # the number that the game stands at, to be shown large
    facts: tuple[Fact, ...] = ()  # what else both players see
    cells: tuple[Cell, ...] = ()
    choices: tuple[Choice, ...] = ()
    offers: tuple[Fact, ...] = ()  # the legal moves by their kind, each list in short
    line: bool = False  # whether the cells lie in a line, rather than in rows
