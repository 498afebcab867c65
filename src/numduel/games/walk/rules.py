"""Multiplicity: step to an unused multiple or divisor until somebody is stuck."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from numduel.core.errors import PositionError, SettingsError
from numduel.core.game import Encoding, Game, Outcome, other
from numduel.core.notation import read_mover, read_numbers, write_numbers
from numduel.core.settings import LARGEST_SIZE, Flag, Settings, Whole, Word
from numduel.core.theory import Theory
from numduel.core.words import Words
from numduel.games.divisors import proper_divisors
from numduel.games.walk.reach import walk_exists


class MultiplicitySettings(Settings):
    size = Whole(50, "how many numbers there are", high=LARGEST_SIZE)
    start = Whole(1, "the number to start from", high=LARGEST_SIZE)
    opening = Word("any", "even: the first number chosen must be even", options=("any", "even"))
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
        from numduel.games.walk.theory import MultiplicityTheory

        return MultiplicityTheory(self)

    @cached_property
    def words(self) -> Words[Walk]:
        from numduel.games.walk.words import WalkWords

        return WalkWords(self)

    # Positions as text, and as vectors.

    def check(self, position: Walk) -> None:
        if not (isinstance(position, Walk) and self._can_be(position)):
            raise PositionError(f"play cannot reach {str(position)[:200]} in {self.title}")

    def _can_be(self, position: Walk) -> bool:
        number, chosen, mover = position
        if mover not in (1, 2) or not chosen <= set(self.actions):
            return False
        if chosen == self._before_opening:
            return number == self.settings.start
        return number in chosen and self._before_opening <= chosen and walk_exists(self, position)

    def notation(self, position: Walk) -> str:
        """The current number, what is chosen, and the mover: `14:1,7,14/1`."""
        return f"{position.number}:{write_numbers(position.chosen)}/{position.mover}"

    def read(self, text: str) -> Walk:
        refusal = self.unread(text, self.notation(self.begin(1)))
        parts = read_mover(text)
        if parts is None:
            raise refusal
        at, _, held = parts[0].partition(":")
        number, chosen = (read_numbers(part, self._size) for part in (at, held))
        if number is None or len(number) != 1 or chosen is None:
            raise refusal
        position = Walk(min(number), chosen, parts[1])
        if not self._can_be(position):
            raise refusal
        return position

    @cached_property
    def actions(self) -> range:
        return range(1, self._size + 1)

    @cached_property
    def encoding(self) -> Encoding:
        return Encoding(self._size + 1, 0, 3)

    def encode(self, position: Walk) -> tuple[int, ...]:
        """The mover, and of each number: 1 if it is chosen, 2 more if the game stands there."""
        number, chosen, mover = position
        return mover, *((n in chosen) + 2 * (n == number) for n in self.actions)
