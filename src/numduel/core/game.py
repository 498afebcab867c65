"""What a game is: rules over positions that are values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeGuard, TypeVar

from numduel.core.arrays import ArrayRules
from numduel.core.errors import IllegalMove, PositionError, SettingsError, TooLarge
from numduel.core.explore import MOST_POSITIONS, reachable
from numduel.core.notation import LONGEST_NOTATION, field_notation
from numduel.core.numerals import quoted, written
from numduel.core.proof import Check
from numduel.core.settings import Settings
from numduel.core.telling import Telling
from numduel.core.theory import Theory
from numduel.core.words import Words

if TYPE_CHECKING:
    from random import Random

    from numduel.core.bits import BitRules


class Position(Protocol):
    """A moment of a game: immutable, hashable, compared by content."""

    @property
    def mover(self) -> int:
        """The seat whose turn it is, 1 or 2; after the end, whose turn it would be."""


P = TypeVar("P", bound=Position)


class Outcome(NamedTuple):
    """How a game ended."""

    winner: int | None  # the seat, 1 or 2; None where nobody won
    reason: str  # one of REASONS


RULED = ("divisible", "reached", "overshot", "relation", "stuck")
"""The reasons that rules give. A game from elsewhere may name its own."""

CALLED = ("resigned", "turn-limit")
"""The reasons that end a game from outside its rules."""

REASONS = (*RULED, *CALLED)


class Encoding(NamedTuple):
    """What the vector of a position looks like: so many whole numbers, each within bounds."""

    length: int
    low: int
    high: int


def other(seat: int) -> int:
    """The opposite seat."""
    return 3 - seat


def is_seat(value: object) -> TypeGuard[int]:
    """Whether a value, of whatever type, is a seat."""
    return type(value) is int and value in (1, 2)


class Game(ABC, Generic[P]):
    """One game at fixed settings.

    A subclass gives `key`, `title`, `summary`, `rules`, its `Settings`, and four methods:
    `begin`, `moves`, `after` and `outcome`. Everything else has a default: `words` and `theory`
    are there to be replaced, and so are `can_reach`, `notation` with `parse`, `actions`, and
    `encoding` with `encode`, whose defaults look at the whole game and so serve small ones only;
    `arrays` may give the rules of many games at once.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]  # one sentence
    rules: ClassVar[str]  # for players, a few short paragraphs
    settings_type: ClassVar[type[Settings]] = Settings
    friendly: ClassVar[Mapping[str, object]] = {}  # settings at which nobody wins in one move
    sketch: ClassVar[Mapping[str, object]] = {}  # settings for a small picture of it
    settings: Settings

    def __init__(self, /, **settings: object) -> None:
        self.settings = self.settings_type(**settings)

    # The rules.

    def start(self, first: int = 1) -> P:
        """The position in which seat `first` is to make the first move."""
        if first not in (1, 2):
            raise SettingsError(f"first must be 1 or 2, not {quoted(first)}")
        return self.begin(int(first))

    def play(self, position: P, move: int) -> P:
        """The position after a move; IllegalMove if the rules do not allow it."""
        if not self.allows(position, move):
            raise self._refusal(position, move)
        return self.after(position, move)

    @abstractmethod
    def begin(self, first: int) -> P:
        """`start`, with `first` known to be a seat."""

    @abstractmethod
    def moves(self, position: P) -> tuple[int, ...]:
        """The legal moves, ascending; none when the game is over."""

    @abstractmethod
    def after(self, position: P, move: int) -> P:
        """`play`, with the move known to be legal."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """None while the game goes on."""

    def allows(self, position: P, move: int) -> bool:
        """Whether a move is legal."""
        return type(move) is int and move in self.moves(position)

    def _refusal(self, position: P, move: object) -> IllegalMove:
        words = self.words
        if self.outcome(position) is not None:
            why = f"{quoted(move)} cannot be played: the game is over"
            return IllegalMove(move, position, why, f"{why} ({words.describe(position)})")
        if type(move) is int:
            why = words.why_not(position, move)
        else:
            why = f"{quoted(move)} is not a whole number"
        where = f"{words.describe(position)}; allowed: {words.allowed(position)}"
        return IllegalMove(move, position, why, f"{why} ({where})")

    # What else is known of it.

    @classmethod
    def puzzle_settings(cls, rng: Random) -> Mapping[str, object]:
        """Settings at which a puzzle is looked for; the more differ, the more puzzles there are."""
        return cls.friendly

    @cached_property
    def theory(self) -> Theory[P] | None:
        """The game's exact solution; None leaves it to the reference solver."""
        return None

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        """By its kind, how a proof is checked that only this game knows: by the rules alone."""
        return {}

    @cached_property
    def words(self) -> Words[P]:
        """What is said about the game."""
        return Words(self)

    def disguises(self, seed: int) -> tuple[Telling[P], ...]:
        """The same game under other words and labels, which the seed decides on; TooLarge."""
        return ()

    # Positions made by hand, and as text.

    def check(self, position: P) -> None:
        """Raise PositionError where play cannot reach the position, whatever it is made of."""
        if not self.can_reach(position):
            raise PositionError(self._cannot_reach(position))

    def check_each(self, positions: Sequence[P]) -> None:
        """Raise PositionError where play cannot reach one of them, saying which; the first is 0."""
        for place, reached in enumerate(self.can_reach_each(positions)):
            if not reached:
                raise PositionError(f"position {place}: {self._cannot_reach(positions[place])}")

    def _cannot_reach(self, position: P) -> str:
        return f"play cannot reach {written(position)} in {self.title}"

    def read(self, text: str) -> P:
        """The position whose notation the text is; PositionError where play reaches none such."""
        position = None
        if isinstance(text, str) and len(text) <= LONGEST_NOTATION:
            position = self.parse(text)
        if position is None or not self.can_reach(position) or self.notation(position) != text:
            raise PositionError(
                f"a position of {self.title} is written like {quoted(self._example)}, and play "
                f"must be able to reach it; not {quoted(text)}"
            )
        return position

    def can_reach(self, position: P) -> bool:
        """Whether play can reach a position, whatever it is made of; in case of doubt it can."""
        if self._explored is None:
            return True  # a game as large as that says itself what cannot be
        try:
            known = type(position) in self._kinds and position in self._explored
        except TypeError:  # not even hashable
            return False
        return known and self.notation(position) in self._by_notation  # 1.0 and True equal 1

    def can_reach_each(self, positions: Sequence[P]) -> Iterable[bool]:
        """`can_reach` of each of many positions, or sooner."""
        return map(self.can_reach, positions)

    def notation(self, position: P) -> str:
        """The position in its one short text form."""
        return field_notation(position)

    def essence(self, position: P) -> str:
        """What decides how it goes on: positions that differ in nothing else have the same.

        Which seat moves is no part of it and, where the game can tell, how the settings are put.
        """
        return f"{self.key} {self.settings.texts()} {self.notation(position)}"

    def parse(self, text: str) -> P | None:
        """`read`, which checks what this gives: None where the text has not even the form."""
        return self._by_notation.get(text)

    @property
    def reached(self) -> Mapping[P, int]:
        """Every position that play can reach, with a number for each; TooLarge."""
        if self._explored is None:
            raise TooLarge(f"{self.title} has more than {MOST_POSITIONS:,} positions")
        return self._explored

    @cached_property
    def _explored(self) -> dict[P, int] | None:
        try:
            found = reachable(self, (self.begin(1), self.begin(2)))
        except TooLarge:
            return None
        return {position: number for number, position in enumerate(found)}

    @cached_property
    def _kinds(self) -> set[type]:
        return {type(position) for position in self.reached}

    @cached_property
    def _by_notation(self) -> dict[str, P]:
        return {self.notation(position): position for position in self.reached}

    @cached_property
    def _example(self) -> str:
        position = self.begin(1)
        for _ in range(2):
            for move in self.moves(position)[:1]:
                position = self.after(position, move)
        return self.notation(position)

    # Moves and positions as programs that learn want them.

    @cached_property
    def actions(self) -> range:
        """Covers every move that can ever be legal at these settings."""
        moves = {move for position in self.reached for move in self.moves(position)}
        return range(min(moves, default=0), max(moves, default=-1) + 1)

    def mask(self, position: P) -> tuple[bool, ...]:
        """For each of `actions`, whether it is legal now."""
        legal = set(self.moves(position))
        return tuple(move in legal for move in self.actions)

    @cached_property
    def encoding(self) -> Encoding:
        """What `encode` gives."""
        return Encoding(1, 0, len(self.reached) - 1)

    def encode(self, position: P) -> tuple[int, ...]:
        """The position as a vector that no other position has."""
        return (self.reached[position],)

    def arrays(self, xp: Any) -> ArrayRules[P, Any] | None:
        """The rules for many games at once; `xp` is numpy. None where there are none."""
        return None

    def bits(self, xp: Any, valued: bool = False) -> BitRules | None:
        """The rules over the arrays of `xp`, NumPy or the like; None leaves it to tables.

        `valued`: with the values of positions and moves. TooLarge where either is out of reach.
        """
        return None

    # Games are compared, and pickled, by content.

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.settings == self.settings

    def __hash__(self) -> int:
        return hash((type(self), self.settings))

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self.settings.values), ()  # not what was worked out about it

    def __repr__(self) -> str:
        changed = ", ".join(f"{name}={value!r}" for name, value in self.settings.changed().items())
        return f"{type(self).__name__}({changed})"
