"""A Scene: what a front end needs to draw a position, as a plain value.

>>> import numduel
>>> game = numduel.new("multiplicity", size=6)
>>> scene = game.words.scene(game.read("2:1-2/2"))
>>> scene.sentence, scene.number
("Player 2's turn", Fact(label='Current N', value='2'))
>>> [cell.number for cell in scene.cells if cell.legal]
[4, 6]
"""

from __future__ import annotations

from typing import Literal, NamedTuple

SEAT_MARKS = {1: "X", 2: "O"}
"""The mark of each seat."""

MAX_BOARD_CELLS = 400
"""Maximum number of cells in a Scene. For a larger board, `offers` says what can be played."""

MAX_DRAWN_ITEMS = 60
"""Maximum number of steps or links, or of numbers in a line, that are drawn in full."""


class Fact(NamedTuple):
    """Something that both players see, such as the target."""

    label: str
    value: str


Mark = Literal["", "turned", "better"]
"""Where a lost game turned: the mistake, and the move that was better."""


class Cell(NamedTuple):
    """One number of a board."""

    number: int
    owner: int = 0  # the seat that claimed it, or 0
    legal: bool = False  # the mover may choose it now
    chosen: bool = False  # it is used up
    current: bool = False  # it is the number that the game stands at
    by: int = 0  # the seat that used it up, or 0
    mark: Mark = ""


class Choice(NamedTuple):
    """One line of a menu."""

    move: int
    label: str
    gives: str = ""  # what the number would become
    ends: str = ""  # how the move would end the game, to its player: "you win"


class Step(NamedTuple):
    """A step from one number to another that was made, or that can be made."""

    start: int
    end: int
    seat: int  # the seat that made it, or would make it
    sign: str = ""  # what it does to the number: "×2"
    move: int = 0
    mark: Mark = ""


class Track(NamedTuple):
    """A part of the number line. To go past its end is to lose."""

    low: int
    high: int
    at: int  # the number now
    goal: int
    steps: tuple[Step, ...] = ()  # those that led here, the latest of them
    choices: tuple[Step, ...] = ()
    good: tuple[int, ...] = ()  # numbers that are good to land on, where the coach shows them

    def window(self, most: int, behind: int | None = None) -> range:
        """Return at most `most` of its numbers, with so many behind the number now, or half.

        >>> Track(low=0, high=100, at=50, goal=100).window(10)
        range(45, 55)
        """
        whole = range(self.low, self.high + 1)
        count = min(most, self.high + 1 - self.low)
        start = self.at - (count // 2 if behind is None else behind)
        first = min(max(self.low, start), self.high + 1 - count)
        return whole if count < most else range(first, first + count)


class Dial(NamedTuple):
    """The remainders of a division, drawn in a circle, with steps between them."""

    size: int
    at: int  # the remainder now; the goal is 0
    steps: tuple[Step, ...] = ()  # those that led here, the latest of them
    choices: tuple[Step, ...] = ()
    good: tuple[int, ...] = ()  # remainders that are good to leave, where the coach shows them
    bad: tuple[int, ...] = ()


LinkKind = Literal["divides", "step", "threat", "pair", "fork", "turned", "better"]
"""One number divides another; a step that was made; what a move would join; two that pair up; a
move, and what it would threaten; the step with which a game turned, and one that was better."""


class Link(NamedTuple):
    """A line between two cells."""

    start: int
    end: int
    kind: LinkKind
    seat: int = 0  # whose it is, or 0
    label: str = ""  # in words: "4 divides 12"
    decides: bool = False  # whether it decided the game


class Scene(NamedTuple):
    """What there is to see of a position.

    A game has cells or choices, or neither if there are too many. `track`, `dial` and `links` are
    the picture, if the game has one.
    """

    sentence: str  # whose turn it is, or who won
    number: Fact | None = None  # the number that the game stands at, to be shown large
    facts: tuple[Fact, ...] = ()  # what else both players see
    cells: tuple[Cell, ...] = ()
    choices: tuple[Choice, ...] = ()
    offers: tuple[Fact, ...] = ()  # the legal moves by kind, each list shortened
    line: bool = False  # whether the cells lie in a line, rather than in rows
    aim: str = ""  # what to do, in a sentence or two
    track: Track | None = None
    dial: Dial | None = None
    links: tuple[Link, ...] = ()  # between cells
    last: int | None = None  # the last move
    needed: int = 0  # how many cells one must own to win, at least
    alternates: bool = False  # whether it is known that players always take turns
