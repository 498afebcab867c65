"""A Scene: all that a front end needs to draw a position, as a plain value."""

from __future__ import annotations

from typing import Literal, NamedTuple

MARKS = {1: "X", 2: "O"}
"""What each seat's claims look like."""

LARGEST_BOARD = 400
"""A larger board is not given cell by cell: `offers` says what can be played."""

SHORT = 60
"""So many numbers of a line, steps or links can be seen at a glance."""


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
    by: int = 0  # the seat that used it up, or 0


class Choice(NamedTuple):
    """One line of a menu."""

    move: int
    label: str
    gives: str = ""  # what the number would become
    ends: str = ""  # how the move would end the game, to its player: "you win"


class Step(NamedTuple):
    """From one number to another: a step that was made, or one that can be."""

    start: int
    end: int
    seat: int  # who made it, or would
    sign: str = ""  # what it does to the number: "×2"
    move: int = 0


class Track(NamedTuple):
    """A stretch of the number line. Who goes past its end has gone too far."""

    low: int
    high: int
    at: int  # the number now
    goal: int
    steps: tuple[Step, ...] = ()  # those that led here, the latest of them
    choices: tuple[Step, ...] = ()

    def window(self, most: int) -> range:
        """As many of its numbers as can be shown, around the number now."""
        whole = range(self.low, self.high + 1)
        count = min(most, self.high + 1 - self.low)
        first = min(max(self.low, self.at - count // 2), self.high + 1 - count)
        return whole if count < most else range(first, first + count)


class Dial(NamedTuple):
    """The remainders of a division in a circle; steps lead from one to another."""

    size: int
    at: int  # the remainder now
    goal: int = 0
    steps: tuple[Step, ...] = ()  # those that led here, the latest of them
    choices: tuple[Step, ...] = ()


LinkKind = Literal["divides", "step", "threat", "pair"]
"""One number divides another; a step of a walk; what a move would join; two that answer another."""


class Link(NamedTuple):
    """Something between two cells."""

    start: int
    end: int
    kind: LinkKind
    seat: int = 0  # whose it is, or 0
    label: str = ""  # in words: "4 divides 12"
    decides: bool = False  # whether it decided the game


class Scene(NamedTuple):
    """What there is to see. A game has cells or choices or, where too many, neither.

    The picture (track, dial, links) comes on top, where a game has one.
    """

    sentence: str  # whose turn it is, or who won
    number: Fact | None = None  # the number that the game stands at, to be shown large
    facts: tuple[Fact, ...] = ()  # what else both players see
    cells: tuple[Cell, ...] = ()
    choices: tuple[Choice, ...] = ()
    offers: tuple[Fact, ...] = ()  # the legal moves by their kind, each list in short
    line: bool = False  # whether the cells lie in a line, rather than in rows
    aim: str = ""  # what to do, in a sentence or two: it says what the facts say
    track: Track | None = None
    dial: Dial | None = None
    links: tuple[Link, ...] = ()  # between cells
    last: int | None = None  # the last move
    needed: int = 0  # how many cells one must own to win, at least
