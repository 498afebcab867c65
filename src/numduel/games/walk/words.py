"""The words of Multiplicity."""

from __future__ import annotations

from collections.abc import Sequence

from numduel.core.game import Outcome
from numduel.core.numerals import listed, quoted
from numduel.core.scene import LARGEST_BOARD, SHORT, Cell, Fact, Link, Scene
from numduel.core.words import SEATS, Last, Words, seat_name
from numduel.games.walk.rules import Multiplicity, Walk


class WalkWords(Words[Walk]):
    """As in Multiplicity's document."""

    game: Multiplicity

    @property
    def _size(self) -> int:
        return self.game.settings.size

    def why_not(self, position: Walk, move: int) -> str:
        number = position.number
        if not 1 <= move <= self._size:
            return f"{quoted(move)} is not one of the numbers from 1 to {self._size}"
        if move == number or move in position.chosen:
            return f"{move} is already chosen"
        if move % number and number % move:
            return f"{move} is neither a multiple nor a divisor of {number}"
        return f"{move} is odd, and the first number chosen must be even"

    def describe(self, position: Walk) -> str:
        return f"N = {position.number}, {seat_name(position.mover)} to move"

    def allowed(self, position: Walk) -> str:
        return listed(self.game.moves(position), most=12) or "nothing"

    def moved(self, before: Walk, move: int, after: Walk, who: str) -> str:
        if move > before.number:
            return f"{who} goes up to {move}, which is {move // before.number} × {before.number}"
        return f"{who} goes down to {move}, which divides {before.number}"

    def result(
        self,
        position: Walk,
        outcome: Outcome,
        last: Last | None = None,
        names: tuple[str, str] = SEATS,
    ) -> str:
        stuck = names[position.mover - 1]
        return f"{stuck} cannot move: no multiple or divisor of {position.number} is left"

    # What there is to see.

    def kinds(self, position: Walk) -> list[tuple[str, list[int]]]:
        """The legal moves, divisors and multiples apart, each only where there are any."""
        number, moves = position.number, self.game.moves(position)
        kinds = [
            ("divisors", [n for n in moves if n < number]),
            ("multiples", [n for n in moves if n > number]),
        ]
        return [(name, numbers) for name, numbers in kinds if numbers]

    def offers(self, position: Walk) -> tuple[Fact, ...]:
        number = position.number
        return tuple(
            Fact(f"Proper {name} of {number}", listed(numbers, most=12))
            for name, numbers in self.kinds(position)
        )

    def aim(self, position: Walk) -> str:
        """What to do, in a sentence."""
        even = ", an even one" if self.game.opens_even(position) else ""
        return f"At {position.number}: step to an unused multiple or divisor{even}."

    def scene(self, position: Walk, past: Sequence[Last] = ()) -> Scene:
        number, chosen, _ = position
        facts = [
            Fact("Numbers", f"1 to {self._size}"),
            Fact("Chosen", listed(sorted(chosen), most=12)),
        ]
        if self.game.opens_even(position):
            facts.append(Fact("Opening", "the first number chosen must be even"))
        cells: tuple[Cell, ...] = ()
        if self._size <= LARGEST_BOARD:
            legal = set(self.game.moves(position))
            chose = {last.move: last.before.mover for last in past}
            cells = tuple(
                Cell(n, 0, n in legal, n in chosen, n == number, chose.get(n, 0))
                for n in self.game.actions
            )
        return self.staged(
            position,
            past,
            number=Fact("Current N", str(number)),
            facts=tuple(facts),
            cells=cells,
            aim=self.aim(position),
            links=tuple(_step(*last) for last in past[-SHORT:]) if cells else (),
        )

    # The script.

    def welcome(self, position: Walk) -> list[str]:
        return [
            "Welcome to Multiplicity!",
            "",
            f"Available Numbers: 1 to {self._size}",
            f"Starting Number (N): {position.number}",
            "",
        ]

    def turn(self, position: Walk) -> list[str]:
        number = position.number
        if not self.game.moves(position):
            choices = ["No valid moves available."]
        elif number == 1 and position.chosen <= {1}:
            kind = "All even numbers" if self.game.opens_even(position) else "All numbers"
            choices = [f"[{kind} from 2 to {self._size}]", ""]
        else:
            choices = [
                f"Proper {name} of {number}: [{listed(numbers)}]"
                for name, numbers in self.kinds(position)
            ]
        return [
            f"{seat_name(position.mover)}, it's your turn.",
            f"Current N: {number}",
            "Available numbers to choose from:",
            *choices,
        ]

    def prompt(self, position: Walk) -> str:
        return "Enter your choice: "

    def follow(self, before: Walk, move: int, after: Walk, *, typed: bool = True) -> list[str]:
        return [""]

    def closing(self, position: Walk, outcome: Outcome, *, typed: bool = True) -> list[str]:
        stuck, winner = seat_name(position.mover), seat_name(outcome.winner or 0)
        return [*self.turn(position), f"{stuck} cannot make a valid move. {winner} wins!"]


def _step(before: Walk, move: int) -> Link:
    """A move as a step of the walk, with its factor."""
    number = before.number
    factor = f"× {move // number}" if move > number else f"÷ {number // move}"
    return Link(number, move, "step", before.mover, factor)
