"""A Scene: everything that a front end needs to draw a position, as a plain value.

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
"""Maximum number of cells in a Scene. For a larger board, `offers` lists the legal moves."""

MAX_DRAWN_ITEMS = 60
"""Maximum number of steps, of links, or of numbers in a line that are all drawn."""


class Fact(NamedTuple):
    """A piece of information that both players see, such as the target."""

    label: str
    value: str


Mark = Literal["", "turned", "better"]
"""The mistake that turned a lost game, or the better move that was possible."""


class Cell(NamedTuple):
    """One number of a board."""

    number: int
    owner: int = 0  # the seat that claimed it, or 0
    legal: bool = False  # whether the mover may choose it now
    chosen: bool = False  # whether it has been used
    current: bool = False  # whether it is the current number of the game
    by: int = 0  # the seat that used it, or 0
    mark: Mark = ""


class Choice(NamedTuple):
    """One line of a menu."""

    move: int
    label: str
    gives: str = ""  # the number after the move
    ends: str = ""  # how the move would end the game, for the player who makes it: "you win"


class Step(NamedTuple):
    """A step from one number to another that was made or is possible."""

    start: int
    end: int
    seat: int  # the seat that made it or would make it
    sign: str = ""  # how it changes the number: "×2"
    move: int = 0
    mark: Mark = ""


class Track(NamedTuple):
    """A part of the number line. A player who goes past its end loses."""

    low: int
    high: int
    at: int  # the current number
    goal: int
    steps: tuple[Step, ...] = ()  # the latest steps
    choices: tuple[Step, ...] = ()
    good: tuple[int, ...] = ()  # numbers that are good to land on, if the coach shows them

    def window(self, most: int, behind: int | None = None) -> range:
        """Return at most `most` consecutive numbers of the track, around the current number.

        `behind` of them, by default half, lie before the current number, unless the track ends.

        >>> Track(low=0, high=100, at=50, goal=100).window(10)
        range(45, 55)
        """
        count = min(most, self.high + 1 - self.low)
        start = self.at - (count // 2 if behind is None else behind)
        first = min(max(self.low, start), self.high + 1 - count)
        return range(first, first + count)


class Dial(NamedTuple):
    """The remainders of a division, drawn in a circle, with steps between them."""

    size: int
    at: int  # the current remainder; the goal is 0
    steps: tuple[Step, ...] = ()  # the latest steps
    choices: tuple[Step, ...] = ()
    good: tuple[int, ...] = ()  # remainders that are good to land on, if the coach shows them
    bad: tuple[int, ...] = ()


LinkKind = Literal["divides", "step", "threat", "pair", "fork", "turned", "better"]
"""What a link shows: `divides`, one number divides the other; `step`, a step that was made;
`threat`, what a move would join; `pair`, two numbers of a pair; `fork`, a move and a number that
it threatens; `turned`, the step that turned the game; `better`, a step that would have been better.
"""


class Link(NamedTuple):
    """A line between two cells."""

    start: int
    end: int
    kind: LinkKind
    seat: int = 0  # the seat that it belongs to, or 0
    label: str = ""  # in words: "4 divides 12"
    decides: bool = False  # whether it decided the game


class Scene(NamedTuple):
    """Everything that a front end shows of a position.

    A game has cells or choices, or neither if there are too many. `track`, `dial` and `links` are
    the picture, if the game has one.
    """

    sentence: str  # whose turn it is, or who won
    number: Fact | None = None  # the current number, to be shown large
    facts: tuple[Fact, ...] = ()  # everything else that both players see
    cells: tuple[Cell, ...] = ()
    choices: tuple[Choice, ...] = ()
    offers: tuple[Fact, ...] = ()  # the legal moves by kind; long lists are shortened
    line: bool = False  # whether the cells lie in a line, rather than in rows
    aim: str = ""  # what to do, in a sentence or two
    track: Track | None = None
    dial: Dial | None = None
    links: tuple[Link, ...] = ()
    last: int | None = None  # the last move
    needed: int = 0  # the minimum number of cells that a player must own to win
    alternates: bool = False  # whether the players are known to take turns always
