"""Multiplicity: step to an unused multiple or divisor until somebody is stuck."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Game, Outcome, other
from numduel.core.numerals import listed, quoted
from numduel.core.scene import LARGEST_BOARD, Cell, Fact, Scene
from numduel.core.settings import LARGEST_SIZE, Choice, Flag, Settings, Whole
from numduel.core.theory import Theory
from numduel.games.divisors import proper_divisors


class MultiplicitySettings(Settings):
    size = Whole(50, "how many numbers there are", high=LARGEST_SIZE)
    start = Whole(1, "the number to start from", high=LARGEST_SIZE)
    opening = Choice("any", "even: the first number chosen must be even", options=("any", "even"))
    start_open = Flag("the start number is left to be chosen once")

    def agree(self) -> None:
        if self.start > self.size:
            raise SettingsError(
                f"start must be at most the size, {self.size:,}, not {self.start:,}"
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
    settings: MultiplicitySettings

    @cached_property
    def _size(self) -> int:
        return self.settings.size

    @cached_property
    def _before_opening(self) -> frozenset[int]:
        return frozenset() if self.settings.start_open else frozenset({self.settings.start})

    @cached_property
    def _even_opening(self) -> bool:
        return self.settings.opening == "even"

    @cached_property
    def _neighbours(self) -> dict[int, tuple[int, ...]]:
        return {}

    # The rules.

    def neighbours(self, number: int) -> tuple[int, ...]:
        """The proper divisors and proper multiples of a number, ascending."""
        found = self._neighbours.get(number)
        if found is None:
            found = (*proper_divisors(number), *range(2 * number, self._size + 1, number))
            self._neighbours[number] = found
        return found

    def opens_even(self, position: Walk) -> bool:
        """Whether the opening rule restricts this choice."""
        return self._even_opening and position.chosen == self._before_opening

    def begin(self, first: int) -> Walk:
        return Walk(self.settings.start, self._before_opening, first)

    def moves(self, position: Walk) -> tuple[int, ...]:
        number, chosen, _ = position
        open_numbers = [n for n in self.neighbours(number) if n not in chosen]
        if self.opens_even(position):
            return tuple(n for n in open_numbers if n % 2 == 0)
        return tuple(open_numbers)

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
        for neighbour in self.neighbours(number):
            if neighbour not in chosen and not (neighbour % 2 and self.opens_even(position)):
                return None
        return Outcome(other(mover), "stuck")

    @cached_property
    def theory(self) -> Theory[Walk]:
        from numduel.games.multiplicity_theory import MultiplicityTheory

        return MultiplicityTheory(self)

    # The words.

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
        return f"N = {position.number}, Player {position.mover} to move"

    def allowed(self, position: Walk) -> str:
        return listed(self.moves(position), most=12) or "nothing"

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
        moves = self.moves(position)
        if not moves:
            choices = ["No valid moves available."]
        elif number == 1 and position.chosen <= {1}:
            kind = "even" if self.opens_even(position) else ""
            choices = [f"[All {kind} numbers from 2 to {self._size}]".replace("  ", " "), ""]
        else:
            above = [n for n in moves if n > number]
            below = [n for n in moves if n < number]
            choices = [
                f"Proper {name} of {number}: [{listed(numbers)}]"
                for name, numbers in (("divisors", below), ("multiples", above))
                if numbers
            ]
        return [
            f"Player {position.mover}, it's your turn.",
            f"Current N: {number}",
            "Available numbers to choose from:",
            *choices,
        ]

    def prompt(self, position: Walk) -> str:
        return "Enter your choice: "

    def moved(self, before: Walk, move: int, after: Walk) -> list[str]:
        return [""]

    def ended(self, position: Walk, outcome: Outcome) -> list[str]:
        return [
            *self.turn(position),
            f"Player {position.mover} cannot make a valid move. Player {outcome.winner} wins!",
        ]

    def scene(self, position: Walk) -> Scene:
        number, chosen, _ = position
        facts = [
            Fact("Current N", str(number)),
            Fact("Numbers", f"1 to {self._size}"),
            Fact("Chosen", listed(sorted(chosen), most=12)),
        ]
        if self.opens_even(position):
            facts.append(Fact("Opening", "the first number chosen must be even"))
        cells: tuple[Cell, ...] = ()
        if self._size <= LARGEST_BOARD:
            legal = set(self.moves(position))
            cells = tuple(
                Cell(n, legal=n in legal, chosen=n in chosen, current=n == number)
                for n in range(1, self._size + 1)
            )
        return self.staged(position, facts=tuple(facts), cells=cells)
