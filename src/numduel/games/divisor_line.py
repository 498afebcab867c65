"""Divisor Line: claim numbers until three of yours hold a divisor relation."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Game, Outcome, other
from numduel.core.numerals import gaps, quoted, ranges
from numduel.core.scene import LARGEST_BOARD, MARKS, Cell, Fact, Scene
from numduel.core.settings import LARGEST_SIZE, Choice, Settings, Whole
from numduel.core.theory import Theory

SMALLEST = {"pair": 6, "chain": 16}
"""From these sizes on, a full line always has a winner."""

_PLAIN_WIDTH = 80


class LineSize(Whole):
    @property
    def allowed(self) -> str:
        return f"{super().allowed} (a shorter line can fill up with no winner)"


class DivisorLineSettings(Settings):
    size = LineSize(20, "how many numbers the line has", low=SMALLEST["pair"], high=LARGEST_SIZE)
    goal = Choice(
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
                "a shorter line can fill up with no winner"
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


def completes_pair(held: Collection[int], number: int) -> bool:
    """Whether adding `number` makes three or more numbers with a relation among them."""
    if len(held) < 2:
        return False
    if any(related(number, one) for one in held):
        return True
    return len(held) == 2 and related(*held)


def completes_chain(held: Collection[int], number: int) -> bool:
    """Whether adding `number` makes a, b, c with a dividing b and b dividing c."""
    below = [one for one in held if number % one == 0]
    above = [one for one in held if one % number == 0]
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

    @cached_property
    def _size(self) -> int:
        return self.settings.size

    # The rules.

    def begin(self, first: int) -> Line:
        return Line(frozenset(), frozenset(), first)

    def moves(self, position: Line) -> tuple[int, ...]:
        if position.won:
            return ()
        crosses, noughts = position.crosses, position.noughts
        return tuple(n for n in range(1, self._size + 1) if n not in crosses and n not in noughts)

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
        if self.settings.goal == "pair":
            return completes_pair(held, number)
        return completes_chain(held, number)

    def outcome(self, position: Line) -> Outcome | None:
        return Outcome(other(position.mover), "relation") if position.won else None

    @cached_property
    def theory(self) -> Theory[Line]:
        from numduel.games.divisor_line_theory import theory_of

        return theory_of(self)

    # The words.

    def why_not(self, position: Line, move: int) -> str:
        for seat in (1, 2):
            if move in position.owned(seat):
                return f"{move} is occupied by Player {seat}"
        return f"{quoted(move)} is not on the line from 1 to {self._size}"

    def describe(self, position: Line) -> str:
        x, o = (ranges(_singles(position.owned(seat))) or "nothing" for seat in (1, 2))
        return f"X on {x}, O on {o}, Player {position.mover} to move"

    def allowed(self, position: Line) -> str:
        if position.won:
            return "nothing"
        return ranges(gaps(position.crosses | position.noughts, self._size))

    def welcome(self, position: Line) -> list[str]:
        if self.settings.goal == "pair":
            return []
        return ["Goal: a chain of three, each dividing the next.", ""]

    def turn(self, position: Line) -> list[str]:
        return [f"Player {position.mover}'s turn. Available numbers: {self.allowed(position)}"]

    def prompt(self, position: Line) -> str:
        return "Enter a number to occupy: "

    def moved(self, before: Line, move: int, after: Line) -> list[str]:
        return ["", "Number line:", *self.drawn(after), ""]

    def ended(self, position: Line, outcome: Outcome) -> list[str]:
        winner = other(position.mover)
        numbers = ",".join(map(str, sorted(position.owned(winner))))
        return [
            f"Player {winner} has occupied numbers: {numbers}",
            "",
            f"Congratulations, Player {winner}! You have won the game by occupying numbers with "
            "divisor relationships.",
        ]

    def drawn(self, position: Line) -> list[str]:
        """The line in columns that never shift; a long one in short."""
        if self._size > LARGEST_BOARD:
            return [self._in_short(position)]
        width = max(3, len(str(self._size))) + 1
        a_row = _PLAIN_WIDTH // width
        cells = [
            (f"[{MARKS[cell.owner]}]" if cell.owner else str(cell.number)).ljust(width)
            for cell in self.cells(position)
        ]
        rows = (cells[at : at + a_row] for at in range(0, len(cells), a_row))
        return ["".join(row).rstrip() for row in rows]

    def _in_short(self, position: Line) -> str:
        parts = [
            (low, ranges([(low, high)]))
            for low, high in gaps(position.crosses | position.noughts, self._size)
        ]
        for seat in (1, 2):
            parts += [(n, f"{n}[{MARKS[seat]}]") for n in position.owned(seat)]
        return " ".join(text for _, text in sorted(parts))

    def cells(self, position: Line) -> tuple[Cell, ...]:
        """Each number with its owner."""
        crosses, noughts, _, won = position
        owners = [
            (n, 1 if n in crosses else 2 if n in noughts else 0) for n in range(1, self._size + 1)
        ]
        return tuple(Cell(n, owner, legal=not owner and not won) for n, owner in owners)

    def scene(self, position: Line) -> Scene:
        facts = (
            Fact("Number line", f"1 to {self._size}"),
            Fact("Goal", _GOALS[self.settings.goal]),
            *(
                Fact(f"Player {seat} ({MARKS[seat]})", ",".join(map(str, sorted(owned))))
                for seat, owned in ((1, position.crosses), (2, position.noughts))
            ),
        )
        cells = self.cells(position) if self._size <= LARGEST_BOARD else ()
        return self.staged(position, facts=facts, cells=cells, line=True)


_GOALS = {
    "pair": "three numbers, one of which divides another",
    "chain": "three numbers, each dividing the next",
}


def _singles(numbers: Collection[int]) -> list[tuple[int, int]]:
    return [(number, number) for number in sorted(numbers)]
