"""Multiplicity: step to an unused multiple or divisor until somebody is stuck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Self

from numduel.core.errors import SettingsError, TooLarge
from numduel.core.game import Encoding, Outcome, is_seat, other
from numduel.core.notation import (
    holds_numbers,
    read_number,
    read_numbers,
    split_mover,
    write_numbers,
)
from numduel.core.settings import Flag, Settings, Whole, Word
from numduel.core.theory import FirstMoves
from numduel.games.divisors import proper_divisors
from numduel.games.family import FamilyGame
from numduel.games.multiplicity.reachability import walk_exists

if TYPE_CHECKING:
    from random import Random

    from numduel.games.multiplicity.bulk import Bulk


MAX_POOL_SIZE = 10_000_000
"""Maximum size. Its verdict takes about a minute and 3 GB."""


class MultiplicitySettings(Settings):
    size = Whole(50, "how many numbers there are", high=MAX_POOL_SIZE).with_phrase("1 to {}")
    start = Whole(1, "the number to start from", high=MAX_POOL_SIZE).with_phrase("start at {}")
    opening = Word("any", "which numbers may be chosen first", options=("any", "even")).with_phrase(
        "first number: {}"
    )
    start_open = Flag("the start number can still be chosen, once", hidden=True).with_phrase(
        "the start stays free"
    )

    def agree(self) -> None:
        if self.start > self.size:
            raise SettingsError(
                f"start must be at most the size, {self.size:,}, not {self.start:,}", "start"
            )


class Walk(NamedTuple):
    """A position: the current number, all that were chosen, and who moves."""

    number: int
    chosen: frozenset[int]
    mover: int


class Multiplicity(FamilyGame[Walk]):
    family = "numduel.games.multiplicity"
    key = "multiplicity"
    title = "Multiplicity"
    summary = "Step to an unused multiple or divisor; whoever cannot move loses."
    rules = """\
The numbers run from 1 to the size. The current number, N, begins at the start number, which
counts as chosen. The players take turns. On your turn you must choose a number that nobody has
chosen yet and that is a proper multiple or a proper divisor of N; it becomes the new N. A player
who cannot move loses, even on the very first turn.

With an even opening the first move must go to an even number. With the start open, the start
number does not count as chosen, and can be chosen once, later."""
    alternates = True
    settings_type = MultiplicitySettings
    friendly = MappingProxyType({"size": 36, "opening": "even"})
    sketch = MappingProxyType({"size": 30})
    settings: MultiplicitySettings

    @classmethod
    def puzzle_settings(cls, rng: Random) -> Mapping[str, object]:
        return {"size": rng.randint(15, 40)}

    @cached_property
    def size(self) -> int:
        return self.settings.size

    @cached_property
    def _chosen_at_start(self) -> frozenset[int]:
        return frozenset() if self.settings.start_open else frozenset({self.settings.start})

    # The rules.

    def neighbours(self, number: int) -> tuple[int, ...]:
        """Return the proper divisors and proper multiples of a number, ascending."""
        return tuple(self._each_neighbour(number))

    def _each_neighbour(self, number: int) -> Iterator[int]:
        return chain(proper_divisors(number), range(2 * number, self.size + 1, number))

    def opens_even(self, position: Walk) -> bool:
        """Return whether only even numbers may be chosen now."""
        return position.chosen == self._chosen_at_start and self.settings.opening == "even"

    def begin(self, first: int) -> Walk:
        return Walk(self.settings.start, self._chosen_at_start, first)

    def moves(self, position: Walk) -> tuple[int, ...]:
        number, chosen, _ = position
        unused = [n for n in self._each_neighbour(number) if n not in chosen]
        if self.opens_even(position):
            return tuple(n for n in unused if n % 2 == 0)
        return tuple(unused)

    def largest_moves(self, position: Walk) -> Iterator[int]:
        """Yield the legal moves in descending order."""
        number, chosen, _ = position
        multiples = range(2 * number, self.size + 1, number)
        neighbours = chain(reversed(multiples), reversed(proper_divisors(number)))
        only_even = self.opens_even(position)
        return (n for n in neighbours if n not in chosen and not (only_even and n % 2))

    def allows(self, position: Walk, move: int) -> bool:
        number, chosen, _ = position
        return (
            type(move) is int
            and 1 <= move <= self.size
            and move != number
            and (move % number == 0 or number % move == 0)
            and move not in chosen
            and not (move % 2 and self.opens_even(position))
        )

    def after(self, position: Walk, move: int) -> Walk:
        return Walk(move, position.chosen | {move}, 3 - position.mover)

    def outcome(self, position: Walk) -> Outcome | None:
        number, chosen, mover = position
        for neighbour in self._each_neighbour(number):
            if neighbour not in chosen and not (neighbour % 2 and self.opens_even(position)):
                return None
        return Outcome(other(mover), "stuck")

    def mirrored(self, position: Walk) -> Walk:
        return position._replace(mover=other(position.mover))

    @classmethod
    def first_moves_each(cls, games: Sequence[Self]) -> Iterable[FirstMoves]:
        from numduel.games.multiplicity.bulk import first_moves_each

        return first_moves_each(games)

    # Positions as text, and as vectors.

    def can_reach(self, position: Walk) -> bool:
        known = self.quick_can_reach(position)
        return walk_exists(self, position) if known is None else known

    def can_reach_each(self, positions: Sequence[Walk]) -> Iterable[bool]:
        from numduel.games.multiplicity.bulk import bulk_for

        bulk = bulk_for(self, len(positions))
        return super().can_reach_each(positions) if bulk is None else bulk.can_reach(positions)

    @cached_property
    def bulk(self) -> Bulk | None:
        """The compiled solver of many positions at once, or None if numba is not installed."""
        from numduel.games.multiplicity.bulk import Bulk

        try:
            return Bulk(self)
        except TooLarge:
            return None

    def quick_can_reach(self, position: Walk) -> bool | None:
        """Return `can_reach` if that takes no search for a walk, else None."""
        if type(position) is not Walk or not is_seat(position.mover):
            return False
        number, chosen, _ = position
        if type(number) is not int or not holds_numbers(chosen, self.size):
            return False
        at_start = self._chosen_at_start
        if chosen == at_start:
            return number == self.settings.start
        return None if chosen > at_start and number in chosen - at_start else False

    def notation(self, position: Walk) -> str:
        """Return the current number, the chosen ones, and the mover: `14:1,7,14/1`."""
        return f"{position.number}:{write_numbers(position.chosen)}/{position.mover}"

    def essence(self, position: Walk) -> str:
        number, chosen, _ = position
        waiting = list(self.moves(position))
        within_reach = set(waiting)  # no walk can come to any other number
        while waiting:
            neighbours = self._each_neighbour(waiting.pop())
            new = {n for n in neighbours if n not in chosen} - within_reach
            within_reach |= new
            waiting += new
        has_odd = any(n % 2 for n in within_reach.intersection(self._each_neighbour(number)))
        even = " even" if has_odd and self.opens_even(position) else ""
        return f"walk {number}:{write_numbers(within_reach)}{even}"

    def parse(self, text: str) -> Walk | None:
        parts = split_mover(text)
        if parts is None:
            return None
        current, _, listed = parts[0].partition(":")
        number, chosen = read_number(current, self.size), read_numbers(listed, self.size)
        if number is None or chosen is None:
            return None
        return Walk(number, chosen, parts[1])

    @cached_property
    def actions(self) -> range:
        return range(1, self.size + 1)

    @cached_property
    def encoding(self) -> Encoding:
        return Encoding(self.size + 1, 0, 3)

    def encode(self, position: Walk) -> tuple[int, ...]:
        """Return the mover, and for each number 1 if it is chosen, plus 2 if it is current."""
        vector = [0] * (self.size + 1)
        for number in position.chosen:
            vector[number] = 1
        vector[0] = position.mover
        vector[position.number] += 2
        return tuple(vector)
