"""Divisor Line: claim numbers until three of yours hold a divisor relation."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property, reduce
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Encoding, Outcome, is_seat, other
from numduel.core.notation import holds_numbers, read_numbers, split_mover, write_numbers
from numduel.core.settings import MAX_SETTING_SIZE, Settings, Whole, Word
from numduel.games.divisors import divisors_among, multiples_among
from numduel.games.family import FamilyGame

if TYPE_CHECKING:
    from random import Random


MIN_DECISIVE_SIZES = {"pair": 6, "chain": 16}
"""Minimum size, for each goal, from which on a full line always has a winner."""


class LineSize(Whole):
    @property
    def allowed(self) -> str:
        return f"{super().allowed} (a shorter line can fill up with no winner)"


class DivisorLineSettings(Settings):
    size = LineSize(
        20, "how many numbers the line has", low=MIN_DECISIVE_SIZES["pair"], high=MAX_SETTING_SIZE
    ).with_phrase("1 to {}")
    goal = Word(
        "pair",
        "pair: three numbers, one of which divides another; "
        "chain: a, b, c with a dividing b and b dividing c",
        options=("pair", "chain"),
    ).with_phrase("a {} wins")

    def agree(self) -> None:
        smallest = MIN_DECISIVE_SIZES[self.goal]
        if self.size < smallest:
            raise SettingsError(
                f"size must be at least {smallest} with goal {self.goal}, not {self.size}: "
                "a shorter line can fill up with no winner",
                "size",
            )


class Line(NamedTuple):
    """A position: who holds which numbers, and who moves."""

    crosses: frozenset[int]  # seat 1's numbers
    noughts: frozenset[int]  # seat 2's numbers
    mover: int
    won: bool = False  # whether the last claim won

    def owned(self, seat: int) -> frozenset[int]:
        """Return the numbers that a seat holds."""
        return self.crosses if seat == 1 else self.noughts

    @property
    def sides(self) -> tuple[frozenset[int], frozenset[int]]:
        """The numbers of the mover, and those of the opponent."""
        return self.owned(self.mover), self.owned(other(self.mover))


def related(a: int, b: int) -> bool:
    """Return whether one of two different numbers divides the other."""
    return a % b == 0 or b % a == 0


def completes_pair(held: Collection[int], number: int, size: int = MAX_SETTING_SIZE) -> bool:
    """Return whether adding `number` makes three or more numbers with a relation among them."""
    if len(held) < 2:
        return False
    if divisors_among(number, held) or multiples_among(number, held, size):
        return True
    return len(held) == 2 and related(*held)


def completes_chain(held: Collection[int], number: int, size: int = MAX_SETTING_SIZE) -> bool:
    """Return whether adding `number` makes a, b, c with a dividing b and b dividing c."""
    below = divisors_among(number, held)
    above = multiples_among(number, held, size)
    if below and above:
        return True
    return any(related(a, b) for side in (below, above) for a, b in combinations(side, 2))


def pair_essence(held: Collection[int], free: Collection[int]) -> str:
    """Return how many numbers a side has, up to two, and which free numbers relate to them.

    `any` says that every free number wins.
    """
    if len(held) == 2 and related(*held):
        return "any"
    useful = (n for n in free if any(related(n, one) for one in held))
    return f"{min(len(held), 2)}:{write_numbers(useful)}"


class DivisorLine(FamilyGame[Line]):
    family = "numduel.games.divisor_line"
    key = "divisor-line"
    title = "Divisor Line"
    summary = "Claim numbers on a line; win with three numbers, one of which divides another."
    rules = """\
The numbers from 1 to the size stand in a line. The players take turns to claim a free one,
Player 1 with X and Player 2 with O. You win when you hold at least three numbers, one of
which divides another: with 4, 8 and 12, 4 divides 8, and that is enough.

With the goal chain you need three numbers a, b, c where a divides b and b divides c, such as
2, 4, 12."""
    notes = """\
With 6 numbers or more, somebody always wins. With chains it takes 16: one of the players gets
three of 1, 2, 4, 8 and 16. A shorter line could fill up with no winner, so it is not allowed."""
    alternates = True
    settings_type = DivisorLineSettings
    settings: DivisorLineSettings
    friendly = MappingProxyType(
        {"size": 24, "goal": "chain"}
    )  # with the goal pair every first move wins
    sketch = MappingProxyType({"size": 12})
    puzzle_moves = 1  # later moves are forced or lose at once

    @classmethod
    def puzzle_settings(cls, rng: Random) -> Mapping[str, object]:
        return {"size": rng.randint(16, 60), "goal": "chain"}

    def puzzle_start(self, rng: Random) -> Line:
        """Return a line on which 1 is claimed: a free 1 is nearly always the solution."""
        claimed = [1, *rng.sample(range(2, self.size + 1), rng.randint(1, 3))]
        rng.shuffle(claimed)
        return reduce(self.after, claimed, super().puzzle_start(rng))

    @cached_property
    def size(self) -> int:
        return self.settings.size

    @cached_property
    def _needs_pair(self) -> bool:
        return self.settings.goal == "pair"

    # The rules.

    def begin(self, first: int) -> Line:
        return Line(frozenset(), frozenset(), first)

    def moves(self, position: Line) -> tuple[int, ...]:
        if position.won:
            return ()
        taken = position.crosses | position.noughts
        return tuple([n for n in range(1, self.size + 1) if n not in taken])

    def allows(self, position: Line, move: int) -> bool:
        return (
            type(move) is int
            and 1 <= move <= self.size
            and not position.won
            and move not in position.crosses
            and move not in position.noughts
        )

    def after(self, position: Line, move: int) -> Line:
        crosses, noughts, mover, _ = position
        if mover == 1:
            won = self.completes(crosses, move)
            return Line(crosses | {move}, noughts, 2, won)
        won = self.completes(noughts, move)
        return Line(crosses, noughts | {move}, 1, won)

    def completes(self, held: frozenset[int], number: int) -> bool:
        """Return whether the holder of `held` wins by claiming `number`."""
        if self._needs_pair:
            return completes_pair(held, number, self.size)
        return completes_chain(held, number, self.size)

    def outcome(self, position: Line) -> Outcome | None:
        return Outcome(other(position.mover), "relation") if position.won else None

    def mirrored(self, position: Line) -> Line:
        crosses, noughts, mover, won = position
        return Line(noughts, crosses, other(mover), won)

    # Positions as text, and as vectors.

    def can_reach(self, position: Line) -> bool:
        if type(position) is not Line or not is_seat(position.mover):
            return False
        crosses, noughts, _, won = position
        if not all(holds_numbers(marks, self.size) for marks in (crosses, noughts)):
            return False
        mine, theirs = position.sides
        if mine & theirs or len(theirs) - len(mine) not in (0, 1):  # either may have begun
            return False
        relation = self.relation(theirs)
        if type(won) is not bool or won != bool(relation) or self.relation(mine):
            return False
        return not won or any(not self.relation(theirs - {number}) for number in relation)

    def relation(self, numbers: frozenset[int]) -> tuple[int, ...]:
        """Return numbers among these, each dividing the next, that win; empty if there are none."""
        if len(numbers) < 3:
            return ()
        highest = max(numbers)
        length = 2 if self._needs_pair else 3
        longest: dict[int, tuple[int, ...]] = {n: (n,) for n in numbers}  # chain that ends at n
        for number in sorted(numbers):
            for multiple in multiples_among(number, numbers, highest):
                if len(longest[multiple]) <= len(longest[number]):
                    longest[multiple] = (*longest[number], multiple)
                    if len(longest[multiple]) == length:
                        return longest[multiple]
        return ()

    def notation(self, position: Line) -> str:
        """Return the numbers of X and O, and the mover: `4,8:5,9/1`; `4,8,12:5,9!/2` if X won."""
        mark = "!" if position.won else ""
        marks = f"{write_numbers(position.crosses)}:{write_numbers(position.noughts)}"
        return f"{marks}{mark}/{position.mover}"

    def essence(self, position: Line) -> str:
        free = frozenset(self.moves(position))
        if self._needs_pair:
            mine, theirs = (pair_essence(held, free) for held in position.sides)
            return f"line pair {write_numbers(free)} {mine} {theirs}"
        useful = [
            {n for n in held | free if completes_chain(held | free, n, self.size)}
            for held in position.sides
        ]  # the other numbers can no longer be part of a chain
        mine, theirs = (write_numbers(numbers - free) for numbers in useful)
        free_useful = free & (useful[0] | useful[1])
        useless = len(free) - len(free_useful)
        return f"line chain {mine}:{theirs} {write_numbers(free_useful)} +{useless}"

    def parse(self, text: str) -> Line | None:
        parts = split_mover(text)
        if parts is None:
            return None
        held, won = parts[0].removesuffix("!"), parts[0].endswith("!")
        crosses, noughts = (read_numbers(side, self.size) for side in held.partition(":")[::2])
        if crosses is None or noughts is None:
            return None
        return Line(crosses, noughts, parts[1], won)

    @cached_property
    def actions(self) -> range:
        return range(1, self.size + 1)

    @cached_property
    def encoding(self) -> Encoding:
        return Encoding(self.size + 2, 0, 2)

    def encode(self, position: Line) -> tuple[int, ...]:
        """Return the mover, whether the game is won, and the owner of each number."""
        vector = [0] * (self.size + 2)
        vector[:2] = position.mover, int(position.won)
        for seat in (1, 2):
            for number in position.owned(seat):
                vector[number + 1] = seat
        return tuple(vector)
