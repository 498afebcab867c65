"""Divisor Line: claim numbers until three of yours hold a divisor relation."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property, partial
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from numduel.core.arrays import ArrayRules
from numduel.core.errors import SettingsError
from numduel.core.game import Encoding, Game, Outcome, is_seat, other
from numduel.core.notation import holds_numbers, read_mover, read_numbers, write_numbers
from numduel.core.proof import Check
from numduel.core.settings import LARGEST_SIZE, Settings, Whole, Word
from numduel.core.telling import Telling
from numduel.core.theory import Theory
from numduel.core.words import Words
from numduel.games.divisors import divisors_among, multiples_among

if TYPE_CHECKING:
    from random import Random

    from numduel.core.bits import BitRules

SMALLEST = {"pair": 6, "chain": 16}
"""From these sizes on, a full line always has a winner."""


class LineSize(Whole):
    @property
    def allowed(self) -> str:
        return f"{super().allowed} (a shorter line can fill up with no winner)"


class DivisorLineSettings(Settings):
    size = LineSize(20, "how many numbers the line has", low=SMALLEST["pair"], high=LARGEST_SIZE)
    goal = Word(
        "pair",
        "pair: three numbers, one of which divides another; "
        "chain: a, b, c with a dividing b and b dividing c",
        options=("pair", "chain"),
    )

    def agree(self) -> None:
        smallest = SMALLEST[self.goal]
        if self.size < smallest:
            raise SettingsError(
                f"size must be at least {smallest} with goal {self.goal}, not {self.size}: "
                "a shorter line can fill up with no winner",
                "size",
            )


class Line(NamedTuple):
    """Whose marks are where, who moves, and whether the last mark won."""

    crosses: frozenset[int]  # seat 1's numbers
    noughts: frozenset[int]  # seat 2's numbers
    mover: int
    won: bool = False

    def owned(self, seat: int) -> frozenset[int]:
        """The numbers that a seat holds."""
        return self.crosses if seat == 1 else self.noughts


def related(a: int, b: int) -> bool:
    """Whether one of two different numbers divides the other."""
    return a % b == 0 or b % a == 0


def completes_pair(held: Collection[int], number: int, size: int = LARGEST_SIZE) -> bool:
    """Whether adding `number` makes three or more numbers with a relation among them."""
    if len(held) < 2:
        return False
    if divisors_among(number, held) or multiples_among(number, held, size):
        return True
    return len(held) == 2 and related(*held)


def completes_chain(held: Collection[int], number: int, size: int = LARGEST_SIZE) -> bool:
    """Whether adding `number` makes a, b, c with a dividing b and b dividing c."""
    below = divisors_among(number, held)
    above = multiples_among(number, held, size)
    if below and above:
        return True
    return any(related(a, b) for side in (below, above) for a, b in combinations(side, 2))


class DivisorLine(Game[Line]):
    key = "divisor-line"
    title = "Divisor Line"
    summary = "Claim numbers on a line; win with three of which one divides another."
    rules = """\
The numbers from 1 to the size stand in a line. The players take turns to claim a free one,
Player 1 with X and Player 2 with O. You win when you hold at least three numbers among which
some number divides a different one: with 4, 8 and 12, 4 divides 8, and that is enough.

With the goal `chain` you need three numbers a, b, c where a divides b and b divides c, such as
2, 4, 12.

Somebody always wins, from 6 numbers on (16 with `chain`: of 1, 2, 4, 8 and 16 one player holds
three). Shorter lines, which could fill up with no winner, are not offered."""
    settings_type = DivisorLineSettings
    settings: DivisorLineSettings
    sketch = MappingProxyType({"size": 12})

    @classmethod
    def puzzle_settings(cls, rng: Random) -> Mapping[str, object]:
        goal = rng.choice(list(SMALLEST))
        return {"size": rng.randint(max(10, SMALLEST[goal]), 24), "goal": goal}

    @cached_property
    def _size(self) -> int:
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
        return tuple([n for n in range(1, self._size + 1) if n not in taken])

    def allows(self, position: Line, move: int) -> bool:
        return (
            type(move) is int
            and 1 <= move <= self._size
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
        """Whether the owner of `held` wins by adding `number`."""
        if self._needs_pair:
            return completes_pair(held, number, self._size)
        return completes_chain(held, number, self._size)

    def outcome(self, position: Line) -> Outcome | None:
        return Outcome(other(position.mover), "relation") if position.won else None

    @cached_property
    def theory(self) -> Theory[Line]:
        from numduel.games.line.theory import line_theory

        return line_theory(self)

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        from numduel.games.line.proof import check_pair

        return {"pair": partial(check_pair, self)}

    @cached_property
    def words(self) -> Words[Line]:
        from numduel.games.line.words import LineWords

        return LineWords(self)

    def disguises(self, seed: int) -> tuple[Telling[Line], ...]:
        from numduel.games.line.disguise import disguised

        return disguised(self, seed)

    def bits(self, xp: Any, valued: bool = False) -> BitRules:
        from numduel.games.line.bits import ChainRules, PairRules

        rules = PairRules if self.settings.goal == "pair" else ChainRules
        return rules(self, xp, valued)

    # Positions as text, and as vectors.

    def can_reach(self, position: Line) -> bool:
        if type(position) is not Line or not is_seat(position.mover):
            return False
        crosses, noughts, mover, won = position
        if not all(holds_numbers(marks, self._size) for marks in (crosses, noughts)):
            return False
        mine, last = position.owned(mover), position.owned(other(mover))
        if mine & last or len(last) - len(mine) not in (0, 1):  # whoever began
            return False
        relation = self.relation(last)
        if type(won) is not bool or won != bool(relation) or self.relation(mine):
            return False
        return not won or any(not self.relation(last - {number}) for number in relation)

    def relation(self, numbers: frozenset[int]) -> tuple[int, ...]:
        """Some of these numbers, each dividing the next, that win for whoever holds them all."""
        if len(numbers) < 3:
            return ()
        highest = max(numbers)
        length = 2 if self.settings.goal == "pair" else 3
        longest: dict[int, tuple[int, ...]] = {n: (n,) for n in numbers}  # that ends at each
        for number in sorted(numbers):
            for multiple in multiples_among(number, numbers, highest):
                if len(longest[multiple]) <= len(longest[number]):
                    longest[multiple] = (*longest[number], multiple)
                    if len(longest[multiple]) == length:
                        return longest[multiple]
        return ()

    def notation(self, position: Line) -> str:
        """The numbers of X, those of O, and the mover: `4,8:5,9/1`; a mark where it is won."""
        mark = "!" if position.won else ""
        marks = f"{write_numbers(position.crosses)}:{write_numbers(position.noughts)}"
        return f"{marks}{mark}/{position.mover}"

    def essence(self, position: Line) -> str:
        mover = position.mover
        mine, theirs = (write_numbers(position.owned(seat)) for seat in (mover, other(mover)))
        return f"line {self.settings.goal} {self._size} {mine}:{theirs}"

    def parse(self, text: str) -> Line | None:
        parts = read_mover(text)
        if parts is None:
            return None
        held, won = parts[0].removesuffix("!"), parts[0].endswith("!")
        crosses, noughts = (read_numbers(side, self._size) for side in held.partition(":")[::2])
        if crosses is None or noughts is None:
            return None
        return Line(crosses, noughts, parts[1], won)

    @cached_property
    def actions(self) -> range:
        return range(1, self._size + 1)

    @cached_property
    def encoding(self) -> Encoding:
        return Encoding(self._size + 2, 0, 2)

    def encode(self, position: Line) -> tuple[int, ...]:
        """The mover, whether it is won, and the owner of each number."""
        vector = [0] * (self._size + 2)
        vector[:2] = position.mover, int(position.won)
        for seat in (1, 2):
            for number in position.owned(seat):
                vector[number + 1] = seat
        return tuple(vector)

    def arrays(self, xp: Any) -> ArrayRules[Line, Any]:
        from numduel.games.line.arrays import LineArrays

        return LineArrays(self, xp)
