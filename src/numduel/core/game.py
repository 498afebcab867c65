"""What a game is: its rules, as functions of positions, which are values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    Protocol,
    Self,
    TypeGuard,
    TypeVar,
)

from numduel.core.errors import IllegalMove, PositionError, SettingsError, TooLarge
from numduel.core.explore import MAX_EXPLORED_POSITIONS, reachable
from numduel.core.game_text import GameText
from numduel.core.notation import MAX_NOTATION_LENGTH, field_notation
from numduel.core.numerals import quoted, short_repr
from numduel.core.proof_parts import Check, Parts
from numduel.core.settings import Settings
from numduel.core.theory import FirstMoves, Theory
from numduel.core.words import Words

if TYPE_CHECKING:
    from random import Random

    from numduel.core.array_rules import ArrayRules
    from numduel.core.rocq import Term
    from numduel.core.verdict import Verdict


class Position(Protocol):
    """A moment of a game: immutable, hashable and compared by content.

    Each game has its own class of positions; all have a `mover`.

    >>> import numduel
    >>> numduel.new("divisor-duel").start(first=2).mover
    2
    """

    @property
    def mover(self) -> int:
        """The seat to move, 1 or 2; after the end, the seat that would be to move."""


P = TypeVar("P", bound=Position)


class Outcome(NamedTuple):
    """How a game ended: who won, and why.

    The reason is `divisible`, `reached`, `overshot`, `relation` or `stuck`, a reason of its own in
    a game of another package, or one of OUTSIDE_REASONS.

    >>> Outcome(winner=2, reason="stuck")
    Outcome(winner=2, reason='stuck')
    """

    winner: int | None  # the seat, 1 or 2; None if nobody won
    reason: str


OUTSIDE_REASONS = ("resigned", "forfeited", "turn-limit")
"""The reasons why a game can end although its rules would let it go on."""


class Encoding(NamedTuple):
    """The shape of a position's vector: its length, and the bounds of each number in it.

    >>> import numduel
    >>> numduel.new("multiplicity", size=20).encoding
    Encoding(length=21, low=0, high=3)
    """

    length: int
    low: int
    high: int


def other(seat: int) -> int:
    """Return the opposite seat.

    >>> other(1)
    2
    """
    return 3 - seat


def is_seat(value: object) -> TypeGuard[int]:
    """Return whether a value of any type is a seat: the whole number 1 or 2.

    >>> is_seat(2), is_seat(3), is_seat(True)
    (True, False, False)
    """
    return type(value) is int and value in (1, 2)


class Game(ABC, Generic[P]):
    """One game at fixed settings.

    >>> import numduel
    >>> game = numduel.new("multiplicity", size=20)
    >>> position = game.play(game.start(), 7)
    >>> game.moves(position)
    (14,)

    To write a game, subclass this. A subclass must define `key`, `title`, `summary`, `rules`, its
    `settings_type`, and four methods: `begin`, `moves`, `after` and `outcome`. Everything else has
    a default. Override `words` for better sentences and `theory` for a quicker solution. Override
    `can_reach`, `notation` and `parse`, `actions`, `encoding` and `encode` if the game is large,
    because their defaults visit every position of the game. Override `array_rules` to play many
    games at once.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]  # one sentence
    rules: ClassVar[str]  # a few short paragraphs for players
    notes: ClassVar[str] = ""  # more about the game, for people who have read the rules
    settings_type: ClassVar[type[Settings]] = Settings
    alternates: ClassVar[bool] = False  # whether the players are known to take turns always
    friendly: ClassVar[Mapping[str, object]] = {}  # good settings for a first game
    puzzle_moves: ClassVar[int] = 60  # search for puzzles up to this many moves from their start
    sketch: ClassVar[Mapping[str, object]] = {}  # settings for a small picture of the game
    settings: Settings
    reference: Theory[P] | None = None  # the reference solver, created by `theory_of`

    def __init__(self, /, **settings: object) -> None:
        self.settings = self.settings_type(**settings)

    # The rules.

    def start(self, first: int = 1) -> P:
        """Return the position at the start, with seat `first` to move.

        Raises `SettingsError` if `first` is not 1 or 2.

        >>> import numduel
        >>> numduel.new("double-or-add").start(first=2)
        Tally(number=1, mover=2, ended='')
        """
        if first not in (1, 2):
            raise SettingsError(f"first must be 1 or 2, not {quoted(first)}")
        return self.begin(int(first))

    def play(self, position: P, move: int) -> P:
        """Return the position after a move. The given position does not change.

        Raises `IllegalMove`, with the reason, if the move is not legal.

        >>> import numduel
        >>> game = numduel.new("double-or-add")
        >>> game.play(game.start(), 2)
        Tally(number=2, mover=2, ended='')
        >>> game.play(game.start(), 3)
        Traceback (most recent call last):
            ...
        numduel.core.errors.IllegalMove: 3 is not in the menu (...)
        """
        if not self.allows(position, move):
            raise self._refusal(position, move)
        return self.after(position, move)

    @abstractmethod
    def begin(self, first: int) -> P:
        """Return the position at the start. `start` checks beforehand that `first` is a seat."""

    @abstractmethod
    def moves(self, position: P) -> tuple[int, ...]:
        """Return the legal moves in ascending order. There are none after the end of the game.

        >>> import numduel
        >>> game = numduel.new("multiplicity", size=6)
        >>> game.moves(game.read("2:1-2/2"))
        (4, 6)
        """

    @abstractmethod
    def after(self, position: P, move: int) -> P:
        """Return the position after a move. `play` checks beforehand that the move is legal."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """Return how the game ended, or None while it goes on.

        >>> import numduel
        >>> game = numduel.new("double-or-add", target=4)
        >>> game.outcome(game.start()), game.outcome(game.read("4!/1"))
        (None, Outcome(winner=2, reason='reached'))
        """

    def allows(self, position: P, move: int) -> bool:
        """Return whether a move is legal. It may be a value of any type.

        >>> import numduel
        >>> game = numduel.new("double-or-add")
        >>> [game.allows(game.start(), move) for move in (2, 3, "2")]
        [True, False, False]
        """
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

    # Theory, proofs and words.

    @classmethod
    def rules_and_notes(cls) -> str:
        """Return the rules followed by the notes."""
        return f"{cls.rules}\n\n{cls.notes}".rstrip()

    @classmethod
    def puzzle_settings(cls, rng: Random) -> Mapping[str, object]:
        """Return random settings for a puzzle. By default they are always `friendly`."""
        return cls.friendly

    def puzzle_start(self, rng: Random) -> P:
        """Return a random position to search for puzzles from. By default it is a start."""
        return self.begin(rng.choice((1, 2)))

    def mirrored(self, position: P) -> P:
        """Return the position with the seats exchanged. By default it is the same position."""
        return position

    @cached_property
    def theory(self) -> Theory[P] | None:
        """The exact solution of the game; None to use the reference solver."""
        return None

    @classmethod
    def first_moves_each(cls, games: Sequence[Self]) -> Iterable[FirstMoves] | None:
        """Return `first_moves` of many games if there is a quick way to compute them, else None."""
        return None

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        """A function for each kind of proof that only this game has, by kind.

        A check may use the rules, but no solver.
        """
        return {}

    def rocq_term(self, position: P, kind: str, parts: Parts, verdict: Verdict) -> Term | None:
        """Return a proof of this kind as a term of Rocq; None if proofs/ has no theorem for it."""
        return None

    @cached_property
    def words(self) -> Words[P]:
        """The sentences about the game, and the scenes that a front end draws."""
        return Words(self)

    def disguises(self, seed: int) -> tuple[GameText[P], ...]:
        """Return the game in other words, with the same information and the same arithmetic.

        The seed decides the choice of random words. By default there are no disguises.
        """
        return ()

    def bare_graph(self, seed: int) -> GameText[P] | None:
        """Return the game as a graph of named vertices without arithmetic, or None.

        The seed decides the names. Raises `TooLarge` if there are too many numbers to name.
        """
        return None

    # Untrusted positions, and positions as text.

    def check(self, position: P) -> None:
        """Raise `PositionError` if play cannot reach the position. It may be a value of any type.

        >>> import numduel
        >>> numduel.new("double-or-add").check("not a position")
        Traceback (most recent call last):
            ...
        numduel.core.errors.PositionError: play cannot reach 'not a position' in Double or Add
        """
        if not self.can_reach(position):
            raise PositionError(self._cannot_reach(position))

    def check_each(self, positions: Sequence[P]) -> None:
        """Raise `PositionError`, which names the index, if play cannot reach a position."""
        for index, can_reach in enumerate(self.can_reach_each(positions)):
            if not can_reach:
                raise PositionError(f"position {index}: {self._cannot_reach(positions[index])}")

    def _cannot_reach(self, position: P) -> str:
        return f"play cannot reach {short_repr(position)} in {self.title}"

    def read(self, text: str) -> P:
        """Return the position that has this notation. This is the inverse of `notation`.

        Raises `PositionError` if the text is not the notation of a position that play can reach.

        >>> import numduel
        >>> game = numduel.new("multiplicity", size=20)
        >>> game.moves(game.read("14:1,7,14/1"))
        (2,)
        """
        position = None
        if isinstance(text, str) and len(text) <= MAX_NOTATION_LENGTH:
            position = self.parse(text)
        if position is None or not self.can_reach(position) or self.notation(position) != text:
            raise PositionError(
                f"a position of {self.title} is written like {quoted(self._example_notation)}; "
                f"{quoted(text)} is not one that play can reach"
            )
        return position

    def can_reach(self, position: P) -> bool:
        """Return whether play can reach a position. It may be a value of any type.

        By default, this is True for any position of a game with too many positions to visit.

        >>> import numduel
        >>> game = numduel.new("double-or-add")
        >>> game.can_reach(game.start()), game.can_reach("not a position")
        (True, False)
        """
        if self._explored is None:
            return True  # a game of this size overrides the method
        try:
            known = type(position) in self._position_types and position in self._explored
        except TypeError:  # it is not hashable
            return False
        return known and self.notation(position) in self._by_notation  # 1.0 and True equal 1

    def can_reach_each(self, positions: Sequence[P]) -> Iterable[bool]:
        """Yield `can_reach` of each position. A game may override this with a quicker way."""
        return map(self.can_reach, positions)

    def notation(self, position: P) -> str:
        """Return the short text form of a position. No other position has the same text.

        >>> import numduel
        >>> game = numduel.new("multiplicity", size=20)
        >>> game.notation(game.play(game.start(), 7))
        '7:1,7/2'
        """
        return field_notation(position)

    def essence(self, position: P) -> str:
        """Return a text that is the same for positions in which the rest of the game is the same.

        The game may ignore which seat is to move, and settings that no longer have an effect.
        """
        return f"{self.key} {self.settings.texts()} {self.notation(position)}"

    def parse(self, text: str) -> P | None:
        """Return the position that a text describes, or None if the text describes none.

        `read` checks the position that this returns.
        """
        return self._by_notation.get(text)

    @property
    def position_numbers(self) -> Mapping[P, int]:
        """Every position that play can reach, with its number, counted from 0.

        Raises `TooLarge` if there are more than `MAX_EXPLORED_POSITIONS`.
        """
        if self._explored is None:
            raise TooLarge(f"{self.title} has more than {MAX_EXPLORED_POSITIONS:,} positions")
        return self._explored

    @cached_property
    def _explored(self) -> dict[P, int] | None:
        try:
            found = reachable(self, (self.begin(1), self.begin(2)))
        except TooLarge:
            return None
        return {position: number for number, position in enumerate(found)}

    @cached_property
    def _position_types(self) -> set[type]:
        return {type(position) for position in self.position_numbers}

    @cached_property
    def _by_notation(self) -> dict[str, P]:
        return {self.notation(position): position for position in self.position_numbers}

    @cached_property
    def _example_notation(self) -> str:
        position = self.begin(1)
        for _ in range(2):
            for move in self.moves(position)[:1]:
                position = self.after(position, move)
        return self.notation(position)

    # Moves and positions as numbers, for machine learning.

    @cached_property
    def actions(self) -> range:
        """A range that contains every move that can be legal at these settings.

        >>> import numduel
        >>> numduel.new("divisor-line", size=20).actions
        range(1, 21)
        """
        moves = {move for position in self.position_numbers for move in self.moves(position)}
        return range(min(moves, default=0), max(moves, default=-1) + 1)

    def mask(self, position: P) -> tuple[bool, ...]:
        """Return whether each of the `actions` is legal in this position.

        >>> import numduel
        >>> game = numduel.new("multiplicity", size=6)
        >>> game.mask(game.read("2:1-2/2"))
        (False, False, False, True, False, True)
        """
        legal = set(self.moves(position))
        return tuple(move in legal for move in self.actions)

    @cached_property
    def encoding(self) -> Encoding:
        """The length and the bounds of the vectors that `encode` returns."""
        return Encoding(1, 0, len(self.position_numbers) - 1)

    def encode(self, position: P) -> tuple[int, ...]:
        """Return the position as a vector of whole numbers. No other position has the same vector.

        >>> import numduel
        >>> game = numduel.new("double-or-add")
        >>> game.encode(game.start())
        (1, 1, 0)
        """
        return (self.position_numbers[position],)

    def array_rules(self, xp: Any, word_bits: int = 32) -> ArrayRules | None:
        """Return the rules over arrays of the library `xp`, such as NumPy; None if there are none.

        `word_bits` is 32, or 64 for NumPy only, where it is quicker. Raises `TooLarge` if the game
        does not fit.
        """
        return None

    # Games are compared and pickled by content.

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.settings == self.settings

    def __hash__(self) -> int:
        return hash((type(self), self.settings))

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self.settings.values), ()  # leaves out cached properties

    def __repr__(self) -> str:
        changed = ", ".join(f"{name}={value!r}" for name, value in self.settings.changed().items())
        return f"{type(self).__name__}({changed})"
