"""The rules of a game over arrays: one game, or a million at once, by pure functions.

A game that can be played so gives its `ArrayRules` from `Game.array_rules(xp)`. `xp` is NumPy,
JAX's NumPy or another library with the same names. An action is a place in `game.actions`.

A state is a named tuple. Each field is an array, or a set as a tuple of arrays (`core.bitset`), and
all arrays have one shape. It has at least a `mover`, the seat whose turn it is, and a `winner`: 0
while the game goes on, then the seat that has won, or NOBODY.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from numduel.core.bitset import Array, Bitset, Bitsets, NumpyBitsets
from numduel.core.errors import TooLarge
from numduel.core.verdict import SCORES, Value, Verdict

if TYPE_CHECKING:
    from numduel.core.game import Encoding, Game, Outcome

MAX_WORDS = 32
"""Maximum number of 32-bit words of a set, for 1,024 actions: a step has code for each word."""

NOBODY = 3
"""The `winner` of a game that is over without one."""

VALUES: tuple[Value, ...] = tuple(reversed(SCORES))
"""A value in an array is its place here: the larger the better."""

LOSS, ENDLESS, DRAW, WIN = (VALUES.index(value) for value in ("loss", "endless", "draw", "win"))

UNKNOWN = -1
"""In an array of values: no legal move. In one of distances: not known, or no end."""


NOT_LEGAL = -2
"""In an array of signs: no legal move."""


class Signs(NamedTuple):
    """Exact verdicts as rules over arrays find them: of positions, or of actions along a last axis.

    An action that is not legal has the sign NOT_LEGAL.
    """

    signs: Array  # 1 a win, -1 a loss, 0 neither: a draw if its distance is known, else endless
    distances: Array  # moves to the end with best play; UNKNOWN where it is not known or has no end


class Truth(NamedTuple):
    """The exact verdict of each action of many games, for the player who takes it."""

    values: Array  # places in VALUES; UNKNOWN where the action is not legal
    distances: Array  # moves to the end with best play; UNKNOWN where it is not known or has no end

    def verdicts(self, row: int, actions: range) -> dict[int, Verdict]:
        """Return what `evaluate` gives for one of the games, whose `game.actions` are given.

        >>> import numpy, numduel
        >>> game = numduel.new("double-or-add", target=4)
        >>> rules = game.array_rules(numpy)
        >>> rules.truth(rules.begin(numpy.array([1]))).verdicts(0, game.actions)
        {1: Verdict(value='loss', distance=2), 2: Verdict(value='loss', distance=2)}
        """
        values, distances = self.values[row], self.distances[row]
        places = (values != UNKNOWN).nonzero()[0]
        found = zip(
            places.tolist(), values[places].tolist(), distances[places].tolist(), strict=True
        )
        return {
            actions[place]: Verdict(VALUES[value], None if distance == UNKNOWN else distance)
            for place, value, distance in found
        }


class ArrayRules(ABC):
    """The rules of one game at fixed settings, for as many games at once as the arrays have.

    With `word_bits` 32, sets suit XLA, which has no 64-bit words unless JAX is asked for them, and
    every other library. 64 is quicker, and for NumPy only.

    >>> import numpy, numduel
    >>> rules = numduel.new("multiplicity", size=6).array_rules(numpy)
    >>> state = rules.after(rules.begin(numpy.array([1, 2])), numpy.array([1, 5]))
    >>> state.mover.tolist(), rules.legal(state).astype(int).tolist()
    ([2, 1], [[0, 0, 0, 1, 0, 1], [0, 1, 1, 0, 0, 0]])
    """

    def __init__(self, game: Game[Any], xp: Any, word_bits: int = 32) -> None:
        """Raises TooLarge if the numbers of the game do not fit the words, or it has too many."""
        self.game, self.xp, self.word_bits = game, xp, word_bits
        self.count = len(game.actions)
        kind = smallest_integer(game.encoding)
        if kind is None or (kind == "int64" and word_bits == 32):
            raise TooLarge(f"its numbers do not fit {word_bits} bits")
        if word_bits == 32 and self.count > 32 * MAX_WORDS:
            raise TooLarge(f"it has {self.count:,} actions, over {32 * MAX_WORDS:,}")
        self.encoded = getattr(xp, kind)
        self.sets = (NumpyBitsets if word_bits == 64 else Bitsets)(xp, self.count)

    @abstractmethod
    def begin(self, first: Array) -> Any:
        """Return the states in which these seats make the first move."""

    @abstractmethod
    def moves(self, state: Any) -> Bitset:
        """Return the legal actions of games that go on; for others anything."""

    @abstractmethod
    def after(self, state: Any, action: Array) -> Any:
        """Return the states after these actions; for one that is not legal, anything.

        The new state may share arrays with the old one, but no two of its arrays are the same.
        """

    @abstractmethod
    def encode(self, state: Any) -> Array:
        """Return the vectors of `Game.encode`, along a last axis, in the type `encoded`."""

    @abstractmethod
    def position(self, state: Any) -> Any:
        """Return the position of a single game, as the rules of `game` have it."""

    def legal(self, state: Any) -> Array:
        """Return whether each action is legal, along a last axis; none is after the end."""
        return self.sets.flags(self.sets.masked(self.moves(state), state.winner == 0))

    def winner_at_start(self, first: Array) -> Array:
        """Return the `winner` with which the games begin: somebody may be stuck at once."""
        outcome = self._outcome_at_start
        if outcome is None:
            return self.xp.zeros_like(first)
        return first if outcome.winner == 1 else 3 - first

    @cached_property
    def _outcome_at_start(self) -> Outcome | None:
        return self.game.outcome(self.game.begin(1))

    # What best play leads to.

    def prepare_verdicts(self) -> None:
        """Make ready what the verdicts need. Raises TooLarge if arrays cannot give them.

        With JAX this comes before the first function that uses them is compiled.
        """
        raise TooLarge("no short rule tells its verdicts: ask numduel.evaluate")

    def open_verdict(self, state: Any) -> Signs:
        """Return the verdicts of positions in which the game goes on."""
        raise NotImplementedError

    def verdict(self, state: Any) -> Signs:
        """Return the verdicts of positions, for the player to move."""
        xp, select, winner = self.xp, self.sets.select, state.winner
        known, going = self.open_verdict(state), winner == 0
        ended = select(winner == state.mover, 1, select(winner == NOBODY, 0, -1))
        signs = select(going, known.signs, ended).astype(xp.int8)
        return Signs(signs, select(going, known.distances, 0))

    def verdicts(self, state: Any) -> Signs:
        """Return the verdicts of all actions, for the player who takes them."""
        xp, select, legal = self.xp, self.sets.select, self.legal(state)
        action = xp.arange(self.count, dtype=xp.int32)
        axis = -1
        if self.word_bits == 64:  # NumPy is quicker where the games lie along the last axis
            axis, action = 0, action.reshape(-1, *(1 for _ in state.mover.shape))
        each = map_arrays(lambda array: xp.expand_dims(array, axis), state)
        after = self.after(each, action)
        sign, distance = self.verdict(after)
        sign = select(after.mover == each.mover, sign, -sign)
        sign, distance = (xp.moveaxis(one, axis, -1) for one in (sign, distance))
        return Signs(
            select(legal, sign, NOT_LEGAL).astype(xp.int8),
            select(legal, distance + (distance != UNKNOWN), UNKNOWN),
        )

    def truth(self, state: Any) -> Truth | None:
        """Return the verdicts of all actions in NumPy; None if only the game's theory has them."""
        try:
            self.prepare_verdicts()
        except TooLarge:
            return None
        signs, distances = self.verdicts(state)
        values = self.xp.asarray([UNKNOWN, LOSS, ENDLESS, WIN], self.xp.int8).take(signs + 2)
        values[(signs == 0) & (distances != UNKNOWN)] = DRAW
        return Truth(values, distances)


def smallest_integer(encoding: Encoding) -> str | None:
    """Return the smallest signed type that an encoding fits; None if 64 bits are too few.

    >>> from numduel.core.game import Encoding
    >>> smallest_integer(Encoding(length=22, low=0, high=200))
    'int16'
    """
    for bits in (8, 16, 32, 64):
        if -(1 << bits - 1) <= encoding.low and encoding.high < 1 << bits - 1:
            return f"int{bits}"
    return None


# States.


def map_arrays(function: Callable[..., Any], *states: Any) -> Any:
    """Return the state that a function makes of each array of one state, or of several.

    >>> import numpy, numduel
    >>> rules = numduel.new("double-or-add").array_rules(numpy)
    >>> state = rules.begin(numpy.array([1, 2, 1]))
    >>> map_arrays(len, state)
    TallyState(number=3, mover=3, winner=3)
    """
    return type(states[0])._make(
        tuple(map(function, *fields)) if isinstance(fields[0], tuple) else function(*fields)
        for fields in zip(*states, strict=True)
    )


def take_rows(state: Any, rows: Any) -> Any:
    """Return the state of some of the games, or of one: a copy, unless `rows` is a slice.

    >>> import numpy, numduel
    >>> rules = numduel.new("double-or-add").array_rules(numpy)
    >>> state = rules.begin(numpy.array([1, 2, 1]))
    >>> take_rows(state, [1, 2]).mover.tolist()
    [2, 1]
    """
    return map_arrays(lambda array: array[rows], state)


def put_rows(state: Any, rows: Any, given: Any) -> None:
    """Write other states into these rows of one, in NumPy.

    >>> import numpy, numduel
    >>> rules = numduel.new("double-or-add").array_rules(numpy)
    >>> state = rules.begin(numpy.array([1, 2, 1]))
    >>> put_rows(state, [2], rules.begin(numpy.array([2])))
    >>> state.mover.tolist()
    [1, 2, 2]
    """
    for array, other in zip(_arrays(state), _arrays(given), strict=True):
        array[rows] = other


def _arrays(state: Any) -> Iterator[Array]:
    for field in state:
        yield from field if isinstance(field, tuple) else (field,)
