"""The rules of a game as pure functions over arrays, for one game or a million at once.

A game that supports this returns its `ArrayRules` from `Game.array_rules(xp)`, where `xp` is NumPy,
JAX's NumPy or another library with the same names. An action is an index into `game.actions`.

A state is a named tuple. Each field is an array or a set, which is a tuple of arrays (see
`core.bitset`). All arrays have the same shape. Every state has a `mover`, the seat whose turn it
is, and a `winner`: 0 while the game goes on, then the seat that has won, or NOBODY.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from numduel.core.bitset import Array, Bitset, Bitsets, NumpyBitsets
from numduel.core.errors import TooLarge
from numduel.core.verdict import SCORES, Value, Verdict

if TYPE_CHECKING:
    from numduel.core.game import Encoding, Game, Outcome

MAX_WORDS = 32
"""Maximum number of 32-bit words in a set. The code of a step grows with each word."""

NOBODY = 3
"""The `winner` of a game that has ended without a winner."""

VALUES: tuple[Value, ...] = tuple(reversed(SCORES))
"""Arrays hold a value as its index here. A larger index is better for the player."""

LOSS, ENDLESS, DRAW, WIN = (VALUES.index(value) for value in ("loss", "endless", "draw", "win"))

UNKNOWN = -1
"""In an array of values: the action is not legal. In an array of distances: unknown or endless."""

NOT_LEGAL = -2
"""In an array of signs: the action is not legal."""


class Signs(NamedTuple):
    """The exact verdicts of positions, or of actions along an additional last axis."""

    signs: Array  # 1 win, -1 loss, NOT_LEGAL, or 0: a draw if the distance is known, else endless
    distances: Array  # moves to the end with best play; UNKNOWN if not known or if there is no end


class Truth(NamedTuple):
    """The exact verdict of each action in many games, for the player who takes the action."""

    values: Array  # indices into VALUES; UNKNOWN if the action is not legal
    distances: Array  # moves to the end with best play; UNKNOWN if not known or if there is no end

    def verdicts(self, row: int, actions: range) -> dict[int, Verdict]:
        """Return what `evaluate` returns for the game in this row. `actions` is `game.actions`.

        >>> import numpy, numduel
        >>> game = numduel.new("double-or-add", target=4)
        >>> rules = game.array_rules(numpy)
        >>> rules.truth(rules.begin(numpy.array([1]))).verdicts(0, game.actions)
        {1: Verdict(value='loss', distance=2), 2: Verdict(value='loss', distance=2)}
        """
        values, distances = self.values[row], self.distances[row]
        legal = (values != UNKNOWN).nonzero()[0]
        columns = (legal, values[legal], distances[legal])
        return {
            actions[action]: Verdict(VALUES[value], None if distance == UNKNOWN else distance)
            for action, value, distance in zip(*(one.tolist() for one in columns), strict=True)
        }


class ArrayRules(ABC):
    """The rules of one game at fixed settings, applied to every game in the arrays at once.

    `word_bits` is 32 for any library. XLA has no 64-bit words unless JAX is configured for them.
    64 is quicker but works with NumPy only.

    >>> import numpy, numduel
    >>> rules = numduel.new("multiplicity", size=6).array_rules(numpy)
    >>> state = rules.after(rules.begin(numpy.array([1, 2])), numpy.array([1, 5]))
    >>> state.mover.tolist(), rules.legal(state).astype(int).tolist()
    ([2, 1], [[0, 0, 0, 1, 0, 1], [0, 1, 1, 0, 0, 0]])
    """

    def __init__(self, game: Game[Any], xp: Any, word_bits: int = 32) -> None:
        """Raises TooLarge if the game's numbers do not fit the words or it has too many actions."""
        self.game, self.xp, self.word_bits = game, xp, word_bits
        self.count = len(game.actions)
        dtype = smallest_integer(game.encoding)
        if dtype is None or (dtype == "int64" and word_bits == 32):
            raise TooLarge(f"its numbers do not fit {word_bits} bits")
        if word_bits == 32 and self.count > 32 * MAX_WORDS:
            raise TooLarge(f"it has {self.count:,} actions, over {32 * MAX_WORDS:,}")
        self.encoded = getattr(xp, dtype)
        self.sets = (NumpyBitsets if word_bits == 64 else Bitsets)(xp, self.count)

    @abstractmethod
    def begin(self, first: Array) -> Any:
        """Return the states at the start, in which these seats make the first move."""

    @abstractmethod
    def moves(self, state: Any) -> Bitset:
        """Return the legal actions. The result means nothing for games that are over."""

    @abstractmethod
    def after(self, state: Any, action: Array) -> Any:
        """Return the states after these actions. The result means nothing for illegal actions.

        The new state may share arrays with the old one, but its own arrays are all different.
        """

    @abstractmethod
    def encode(self, state: Any) -> Array:
        """Return the vectors of `Game.encode` along an additional last axis, of type `encoded`."""

    @abstractmethod
    def position(self, state: Any) -> Any:
        """Return the position of a single game, as `game` represents it."""

    def legal(self, state: Any) -> Array:
        """Return whether each action is legal, along an additional last axis."""
        return self.sets.flags(self.sets.masked(self.moves(state), state.winner == 0))

    def winner_at_start(self, first: Array) -> Array:
        """Return the `winner` at the start, when the first mover may already be stuck."""
        outcome = self._outcome_at_start
        if outcome is None:
            return self.xp.zeros_like(first)
        return first if outcome.winner == 1 else 3 - first

    @cached_property
    def _outcome_at_start(self) -> Outcome | None:
        return self.game.outcome(self.game.begin(1))

    # What best play leads to.

    def prepare_verdicts(self) -> None:
        """Compute the tables that verdicts need. Raises TooLarge if arrays cannot give verdicts.

        With JAX, call this before compiling the first function that uses verdicts.
        """
        raise TooLarge("its verdicts follow no short rule: ask numduel.evaluate")

    def ongoing_verdict(self, state: Any) -> Signs:
        """Return the verdicts of positions in which the game goes on, for the player to move."""
        raise NotImplementedError

    def verdict(self, state: Any) -> Signs:
        """Return the verdicts of positions, for the player to move."""
        xp, select, winner = self.xp, self.sets.select, state.winner
        ongoing, goes_on = self.ongoing_verdict(state), winner == 0
        ended = select(winner == state.mover, 1, select(winner == NOBODY, 0, -1))
        signs = select(goes_on, ongoing.signs, ended).astype(xp.int8)
        return Signs(signs, select(goes_on, ongoing.distances, 0))

    def verdicts(self, state: Any) -> Signs:
        """Return the verdicts of all actions, for the player who takes them."""
        xp, select, legal = self.xp, self.sets.select, self.legal(state)
        action = xp.arange(self.count, dtype=xp.int32)
        axis = -1
        if self.word_bits == 64:  # NumPy is quicker if the games lie along the last axis
            axis, action = 0, action.reshape(-1, *(1 for _ in state.mover.shape))
        before = map_arrays(lambda array: xp.expand_dims(array, axis), state)
        after = self.after(before, action)
        sign, distance = self.verdict(after)
        sign = select(after.mover == before.mover, sign, -sign)
        sign, distance = (xp.moveaxis(one, axis, -1) for one in (sign, distance))
        return Signs(
            select(legal, sign, NOT_LEGAL).astype(xp.int8),
            select(legal, distance + (distance != UNKNOWN), UNKNOWN),
        )

    def truth(self, state: Any) -> Truth | None:
        """Return the verdicts of all actions as NumPy arrays; None if arrays cannot give them."""
        try:
            self.prepare_verdicts()
        except TooLarge:
            return None
        signs, distances = self.verdicts(state)
        values = self.xp.asarray([UNKNOWN, LOSS, ENDLESS, WIN], self.xp.int8).take(signs + 2)
        values[(signs == 0) & (distances != UNKNOWN)] = DRAW
        return Truth(values, distances)


def smallest_integer(encoding: Encoding) -> str | None:
    """Return the name of the smallest signed type that fits an encoding; None if 64 bits do not.

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
    """Apply a function to each array of a state, or of several states, and return the new state.

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
    """Return the state of one or more of the games: a copy, unless `rows` is a slice.

    >>> import numpy, numduel
    >>> rules = numduel.new("double-or-add").array_rules(numpy)
    >>> state = rules.begin(numpy.array([1, 2, 1]))
    >>> take_rows(state, [1, 2]).mover.tolist()
    [2, 1]
    """
    return map_arrays(lambda array: array[rows], state)


def put_rows(state: Any, rows: Any, source: Any) -> None:
    """Overwrite these rows of a state with another state. This works with NumPy only.

    >>> import numpy, numduel
    >>> rules = numduel.new("double-or-add").array_rules(numpy)
    >>> state = rules.begin(numpy.array([1, 2, 1]))
    >>> put_rows(state, [2], rules.begin(numpy.array([2])))
    >>> state.mover.tolist()
    [1, 2, 2]
    """

    def write(array: Array, new: Array) -> None:
        array[rows] = new

    map_arrays(write, state, source)
