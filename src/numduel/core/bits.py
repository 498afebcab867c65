"""A game's rules over arrays: one game or a million at once, and sets of moves as bits.

What is written here is pure, and the same for every library of arrays that has NumPy's names:
`xp` is `numpy`, `jax.numpy` or another. A set of moves is a tuple of words, each an array of 32
bits; bit i of all of them together stands for the i-th of `game.actions`. That suits
XLA, which JAX gives no 64-bit words unless asked; `numduel.core.arrays` has what suits NumPy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from numduel.core.arrays import NOBODY, kept_in
from numduel.core.errors import TooLarge

if TYPE_CHECKING:
    from numduel.core.game import Game

Array = Any
Words = tuple[Array, ...]

MOST_WORDS = 32
"""A set of more than so many words, 1,024 moves, is not carried: a step has code for each word."""

NOT_LEGAL = -2
"""What stands in `values` for a move that is not legal."""


class BitRules(ABC):
    """The rules of one game at fixed settings, over arrays.

    A state is a named tuple of arrays and of tuples of words, all of one shape. It has a `mover`,
    the seat whose turn it is, and a `winner`: 0 while the game goes on, then the seat or NOBODY.
    """

    def __init__(self, game: Game[Any], xp: Any, valued: bool = False) -> None:
        """`valued`: with what `value` and `values` need; TooLarge where they are out of reach."""
        self.game = game
        self.xp = xp
        kept = kept_in(game.encoding)
        if kept is None or kept == "int64":
            raise TooLarge("its numbers do not fit 32 bits")
        self.encoded = getattr(xp, kept)
        self.count = len(game.actions)
        if -(-self.count // 32) > MOST_WORDS:
            raise TooLarge(f"it has {self.count:,} actions, over {32 * MOST_WORDS:,}")
        if valued:
            self.prepare_values()

    @abstractmethod
    def begin(self, shape: tuple[int, ...] = ()) -> Any:
        """As many games as the shape says, with seat 1 to make the first move."""

    @abstractmethod
    def moves(self, state: Any) -> Words:
        """The legal moves; the game goes on."""

    @abstractmethod
    def after(self, state: Any, action: Array) -> Any:
        """The positions after legal moves, each the place of one in `game.actions`."""

    @abstractmethod
    def encode(self, state: Any) -> Array:
        """The vectors that `game.encode` gives, along a last axis."""

    @abstractmethod
    def position(self, state: Any) -> Any:
        """The position of a single game, as the rules of `game` have it."""

    # What best play leads to.

    def prepare_values(self) -> None:
        """Get ready what `value` looks up; TooLarge where a step cannot solve the game."""
        raise TooLarge("no short rule tells its verdicts: ask numduel.evaluate")

    def value(self, state: Any) -> Array:
        """What best play leads to for the mover: 1 a win, 0 neither, -1 a loss."""
        xp, winner = self.xp, state.winner
        ended = xp.where(winner == state.mover, 1, xp.where(winner == NOBODY, 0, -1))
        return xp.where(winner == 0, self.open_value(state), ended).astype(xp.int8)

    def open_value(self, state: Any) -> Array:
        """`value`, while the game goes on."""
        raise NotImplementedError

    def values(self, state: Any) -> Array:
        """`value` of each move for who makes it, along a last axis; or NOT_LEGAL."""
        xp = self.xp
        legal = spread(xp, self.moves(state), self.count) & (state.winner == 0)[..., None]
        each = type(state)._make(
            widened(field) if isinstance(field, tuple) else field[..., None] for field in state
        )
        after = self.after(each, xp.arange(self.count, dtype=xp.int32))
        value = self.value(after)
        value = xp.where(after.mover == each.mover, value, -value)
        return xp.where(legal, value, NOT_LEGAL).astype(xp.int8)


# Sets as words of bits.


def packed(places: Iterable[int], count: int) -> tuple[int, ...]:
    """The words of a set of places out of so many."""
    whole = sum(1 << place for place in places)
    return tuple(whole >> 32 * k & 0xFFFFFFFF for k in range(-(-count // 32)))


def unpacked(words: Iterable[Any]) -> list[int]:
    """The places that are in a single set, ascending."""
    return [32 * k + i for k, word in enumerate(words) for i in range(32) if int(word) >> i & 1]


def filled(xp: Any, words: Sequence[int], shape: tuple[int, ...]) -> Words:
    """The same set in each place of an array."""
    return tuple(xp.full(shape, word, xp.uint32) for word in words)


def table(xp: Any, sets: Sequence[tuple[int, ...]]) -> Words:
    """Sets to be looked up by number, with `look_up`."""
    return tuple(xp.asarray(words, xp.uint32) for words in zip(*sets, strict=True))


def look_up(xp: Any, sets: Words, number: Array) -> Words:
    """The set of each number."""
    return tuple(xp.take(words, number, mode="clip") for words in sets)


def single(xp: Any, place: Array, words: int) -> Words:
    """The sets of one place each."""
    bit = xp.asarray(1, xp.uint32) << xp.asarray(place & 31, xp.uint32)
    if words == 1:
        return (bit,)
    none = xp.asarray(0, xp.uint32)
    return tuple(xp.where(place >> 5 == k, bit, none) for k in range(words))


def union(one: Words, two: Words) -> Words:
    """What is in either."""
    return tuple(a | b for a, b in zip(one, two, strict=True))


def meet(one: Words, two: Words) -> Words:
    """What is in both."""
    return tuple(a & b for a, b in zip(one, two, strict=True))


def without(one: Words, two: Words) -> Words:
    """What is in the first alone."""
    return tuple(a & ~b for a, b in zip(one, two, strict=True))


def chosen(xp: Any, which: Array, one: Words, two: Words) -> Words:
    """The first set where `which` holds, else the second."""
    return tuple(xp.where(which, a, b) for a, b in zip(one, two, strict=True))


def some(words: Words) -> Array:
    """Whether anything is in the set."""
    whole = words[0]
    for word in words[1:]:
        whole = whole | word
    return whole != 0


def size(xp: Any, words: Words) -> Array:
    """How many are in the set."""
    return sum(xp.bitwise_count(word).astype(xp.uint32) for word in words)


def spread(xp: Any, words: Words, count: int, after: int = 0) -> Array:
    """Whether each of so many places is in the set, along a last axis, `after` so many that say no.

    Each place has its bit in one word and none in the others: what they have in common is told
    with no word chosen and none shifted.
    """
    rows = zip(*(packed([place], count) for place in range(count)), strict=True)
    found = xp.asarray(0, xp.uint32)
    for word, row in zip(words, rows, strict=True):
        found = found | word[..., None] & xp.asarray([0] * after + list(row), xp.uint32)
    return found != 0


def widened(words: Words) -> Words:
    """The same with a last axis, along which something else may go."""
    return tuple(word[..., None] for word in words)


def pick(xp: Any, words: Words, chance: Array) -> Array:
    """A place of each set, any as likely as any other, by 32 random bits: by rank and select."""
    counts = [xp.bitwise_count(word).astype(xp.uint32) for word in words]
    total = sum(counts)
    rank = ((chance >> 16) * total + ((chance & 0xFFFF) * total >> 16)) >> 16  # of 0 to total - 1
    word, held, place = words[0], counts[0], xp.zeros_like(rank)
    for k in range(1, len(words)):
        later = rank >= held
        rank = rank - xp.where(later, held, 0)
        word, held = xp.where(later, words[k], word), xp.where(later, counts[k], held)
        place = xp.where(later, 32 * k, place)
    for half in (16, 8, 4, 2, 1):
        held = xp.bitwise_count(word & ((1 << half) - 1)).astype(xp.uint32)
        later = rank >= held
        rank = rank - xp.where(later, held, 0)
        word = xp.where(later, word >> half, word)
        place = place + xp.where(later, half, 0)
    return place.astype(xp.int32)
