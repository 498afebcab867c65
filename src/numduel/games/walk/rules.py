"""Multiplicity: step to an unused multiple or divisor until somebody is stuck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from numduel.core.arrays import ArrayRules
from numduel.core.errors import SettingsError
from numduel.core.game import Encoding, Game, Outcome, is_seat, other
from numduel.core.notation import (
    holds_numbers,
    read_mover,
    read_number,
    read_numbers,
    write_numbers,
)
from numduel.core.proof import Check
from numduel.core.settings import LARGEST_SIZE, Flag, Settings, Whole, Word
from numduel.core.telling import Telling
from numduel.core.theory import Theory
from numduel.core.words import Words
from numduel.games.divisors import proper_divisors
from numduel.games.walk.reach import walk_exists

if TYPE_CHECKING:
    from random import Random

    from numduel.core.bits import BitRules


class MultiplicitySettings(Settings):
    size = Whole(50, "how many numbers there are", high=LARGEST_SIZE)
    start = Whole(1, "the number to start from", high=LARGEST_SIZE)
    opening = Word("any", "even: the first number chosen must be even", options=("any", "even"))
    start_open = Flag("the start number is left to be chosen once")

    def agree(self) -> None:
        if self.start > self.size:
            raise SettingsError(
                f"start must be at most the size, {self.size:,}, not {self.start:,}", "start"
            )


class Walk(NamedTuple):
    """The current number, what is used up, and who moves."""

    number: int
    chosen: frozenset[int]
    mover: int


class Multiplicity(Game[Walk]):
    key = "multiplicity"
    title = "Multiplicity"
    summary = "Step to an unused multiple or divisor; whoever cannot move loses."
    rules = """\
The numbers run from 1 to the size. The current number, N, begins at the start number, which
counts as chosen. The players take turns. On your turn you must choose a number that nobody has
chosen yet and that is a proper multiple or a proper divisor of N; it becomes the new N. A player
who is to move and cannot has lost, the very first player included.

With `opening even` the first number chosen must be even. With `start_open` the start number does
not count as chosen, and can be chosen once, later."""
    settings_type = MultiplicitySettings
    friendly = MappingProxyType({"size": 40, "opening": "even"})
    sketch = MappingProxyType({"size": 30})
    settings: MultiplicitySettings

    @classmethod
    def puzzle_settings(cls, rng: Random) -> Mapping[str, object]:
        return {"size": rng.randint(15, 40)}

    @cached_property
    def _size(self) -> int:
        return self.settings.size

    @cached_property
    def _before_opening(self) -> frozenset[int]:
        return frozenset() if self.settings.start_open else frozenset({self.settings.start})

    @cached_property
    def _even_opening(self) -> bool:
        return self.settings.opening == "even"

    # The rules.

    def neighbours(self, number: int) -> tuple[int, ...]:
        """The proper divisors and proper multiples of a number, ascending."""
        return tuple(self._near(number))

    def _near(self, number: int) -> Iterator[int]:
        return chain(proper_divisors(number), range(2 * number, self._size + 1, number))

    def opens_even(self, position: Walk) -> bool:
        """Whether the opening rule restricts this choice."""
        return self._even_opening and position.chosen == self._before_opening

    def begin(self, first: int) -> Walk:
        return Walk(self.settings.start, self._before_opening, first)

    def moves(self, position: Walk) -> tuple[int, ...]:
        number, chosen, _ = position
        open_numbers = [n for n in self._near(number) if n not in chosen]
        if self.opens_even(position):
            return tuple(n for n in open_numbers if n % 2 == 0)
        return tuple(open_numbers)

    def largest_moves(self, position: Walk) -> Iterator[int]:
        """The moves, from the largest down, for who wants only a few of them."""
        number, chosen, _ = position
        multiples = range(2 * number, self._size + 1, number)
        near = chain(reversed(multiples), reversed(tuple(proper_divisors(number))))
        even = self.opens_even(position)
        return (n for n in near if n not in chosen and not (even and n % 2))

    def allows(self, position: Walk, move: int) -> bool:
        number, chosen, _ = position
        return (
            type(move) is int
            and 1 <= move <= self._size
            and move != number
            and (move % number == 0 or number % move == 0)
            and move not in chosen
            and not (move % 2 and self.opens_even(position))
        )

    def after(self, position: Walk, move: int) -> Walk:
        return Walk(move, position.chosen | {move}, 3 - position.mover)

    def outcome(self, position: Walk) -> Outcome | None:
        number, chosen, mover = position
        for neighbour in self._near(number):
            if neighbour not in chosen and not (neighbour % 2 and self.opens_even(position)):
                return None
        return Outcome(other(mover), "stuck")

    @cached_property
    def theory(self) -> Theory[Walk]:
        from numduel.games.walk.theory import MultiplicityTheory

        return MultiplicityTheory(self)

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        from numduel.games.walk.proof import check_matching

        return {"matching": partial(check_matching, self)}

    @cached_property
    def words(self) -> Words[Walk]:
        from numduel.games.walk.words import WalkWords

        return WalkWords(self)

    def disguises(self, seed: int) -> tuple[Telling[Walk], ...]:
        from numduel.games.walk.disguise import disguised

        return disguised(self, seed)

    def bits(self, xp: Any, valued: bool = False) -> BitRules:
        from numduel.games.walk.bits import WalkRules

        return WalkRules(self, xp, valued)

    # Positions as text, and as vectors.

    def can_reach(self, position: Walk) -> bool:
        known = self.plainly_reached(position)
        return walk_exists(self, position) if known is None else known

    def can_reach_each(self, positions: Sequence[Walk]) -> Iterable[bool]:
        from numduel.games.walk.bulk import bulk_for

        bulk = bulk_for(self, len(positions))
        return super().can_reach_each(positions) if bulk is None else bulk.can_reach(positions)

    def plainly_reached(self, position: Walk) -> bool | None:
        """`can_reach` where that is easily seen; None where it is whether there is a walk."""
        if type(position) is not Walk or not is_seat(position.mover):
            return False
        number, chosen, _ = position
        if type(number) is not int or not holds_numbers(chosen, self._size):
            return False
        before = self._before_opening
        if chosen == before:
            return number == self.settings.start
        return None if chosen > before and number in chosen - before else False

    def notation(self, position: Walk) -> str:
        """The current number, what is chosen, and the mover: `14:1,7,14/1`."""
        return f"{position.number}:{write_numbers(position.chosen)}/{position.mover}"

    def essence(self, position: Walk) -> str:
        first = " even" if self.opens_even(position) else ""
        return f"walk {self._size} {position.number}:{write_numbers(position.chosen)}{first}"

    def parse(self, text: str) -> Walk | None:
        parts = read_mover(text)
        if parts is None:
            return None
        at, _, held = parts[0].partition(":")
        number, chosen = read_number(at, self._size), read_numbers(held, self._size)
        if number is None or chosen is None:
            return None
        return Walk(number, chosen, parts[1])

    @cached_property
    def actions(self) -> range:
        return range(1, self._size + 1)

    @cached_property
    def encoding(self) -> Encoding:
        return Encoding(self._size + 1, 0, 3)

    def encode(self, position: Walk) -> tuple[int, ...]:
        """The mover, and of each number: 1 if it is chosen, 2 more if the game stands there."""
        number, chosen, mover = position
        vector = [0] * (self._size + 1)
        for one in chosen:
            vector[one] = 1
        vector[0] = mover
        vector[number] += 2
        return tuple(vector)

    def arrays(self, xp: Any) -> ArrayRules[Walk, Any]:
        from numduel.games.walk.arrays import WalkArrays

        return WalkArrays(self, xp)
