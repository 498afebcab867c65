"""The rules of the tally games: one shared number and a menu of operations.

Whoever makes the number a multiple of the goal wins; whoever passes the ceiling loses. In
Operation Duel and Double or Add goal and ceiling are both the target. In Divisor Duel the goal is
the divisor, and there is usually no ceiling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.game import Encoding, Outcome, is_seat, other
from numduel.core.notation import split_mover
from numduel.core.record import MAX_GAME_MOVES
from numduel.games.family import FamilyGame
from numduel.games.tally.operations import ADD_ONE, DOUBLE, Operation

if TYPE_CHECKING:
    from random import Random


MAX_REACHABLE_CEILING = 1_000_000
"""Maximum ceiling for which the numbers that a menu reaches are computed."""

MAX_DECIMAL_DIGITS = 1_000
"""Maximum number of decimal digits; longer numbers are written in hexadecimal."""

MAX_READ_DIGITS = 30_000
"""Maximum number of digits of a number that is read. No game is long enough to need more."""


class Tally(NamedTuple):
    """A position of a tally game."""

    number: int
    mover: int
    ended: str = ""  # the reason for which the last move ended the game, if it did

    def __repr__(self) -> str:
        return (
            f"Tally(number={_number_text(self.number)}, mover={self.mover}, ended={self.ended!r})"
        )


class TallyGame(FamilyGame[Tally]):
    """The rules that the three tally games share."""

    family = "numduel.games.tally"
    alternates = True
    success: ClassVar[str]  # the reason for the outcome if the goal is reached
    goal_setting: ClassVar[str]  # the names of the settings
    ceiling_setting: ClassVar[str]
    operations: Sequence[Operation] = (ADD_ONE, DOUBLE)

    def __init__(self, /, **settings: object) -> None:
        super().__init__(**settings)
        values = self.settings.values
        self.goal: int = values[self.goal_setting]  # a move to a multiple of this wins
        self.ceiling: int | None = values[self.ceiling_setting]  # a move above this loses
        self.starting_number: int = values["start"]

    # The rules.

    @cached_property
    def steps(self) -> tuple[Callable[[int], int], ...]:
        """The function from the number before to the number after, for each move."""
        return tuple(operation.step for operation in self.operations)

    @cached_property
    def actions(self) -> range:
        return range(1, len(self.operations) + 1)

    @cached_property
    def _all_moves(self) -> tuple[int, ...]:
        return tuple(self.actions)

    @cached_property
    def subtracts(self) -> bool:
        """Whether some operation makes the number smaller."""
        return any(operation.sign == "-" for operation in self.operations)

    @property
    def adds_or_doubles(self) -> bool:
        """Whether the menu consists of adding one and doubling, in either order."""
        return set(self.operations) == {ADD_ONE, DOUBLE}

    def begin(self, first: int) -> Tally:
        return Tally(self.starting_number, first)

    def moves(self, position: Tally) -> tuple[int, ...]:
        if position.ended:
            return ()
        if not self.subtracts:
            return self._all_moves
        number = position.number
        return tuple(move for move, step in enumerate(self.steps, 1) if step(number) >= 1)

    def after(self, position: Tally, move: int) -> Tally:
        number = self.steps[move - 1](position.number)
        goal, ceiling = self.goal, self.ceiling
        if ceiling is not None and number > ceiling:
            ended = "overshot"
        elif number % goal == 0:
            ended = self.success
        else:
            ended = ""
        return Tally(number, 3 - position.mover, ended)

    def outcome(self, position: Tally) -> Outcome | None:
        if position.ended:
            winner = position.mover if position.ended == "overshot" else other(position.mover)
            return Outcome(winner, position.ended)
        if self.subtracts and not self.moves(position):
            return Outcome(other(position.mover), "stuck")
        return None

    def puzzle_start(self, rng: Random) -> Tally:
        """Return a position at a random number that play can reach and continue from."""
        highest = self.ceiling or self.goal
        numbers = [number for number in range(1, highest) if self._can_continue_at(number)]
        return super().puzzle_start(rng)._replace(number=rng.choice(numbers))

    def mirrored(self, position: Tally) -> Tally:
        return position._replace(mover=other(position.mover))

    # Positions as text, and as vectors.

    def can_reach(self, position: Tally) -> bool:
        if type(position) is not Tally or not is_seat(position.mover):
            return False
        number, mover, ended = position
        if type(number) is not int or number < 1 or type(ended) is not str:
            return False
        if not ended:
            return self._can_continue_at(number)
        return any(
            before is not None
            and self._can_continue_at(before)
            and self.after(Tally(before, other(mover)), move) == position
            for move, operation in enumerate(self.operations, 1)
            for before in [operation.source(number)]
        )

    def _can_continue_at(self, number: int) -> bool:
        """Return whether play can reach the number and continue, or True if that is not known."""
        goal, ceiling, start = self.goal, self.ceiling, self.starting_number
        if number == start:
            return True
        highest = start << MAX_GAME_MOVES if ceiling is None else ceiling
        if not 1 <= number <= highest or number % goal == 0:
            return False
        if number < start and not self.subtracts:
            return False
        if self.adds_or_doubles:
            return is_reachable(number, start, goal)
        return highest > MAX_REACHABLE_CEILING or number in self._reachable_numbers

    @cached_property
    def _reachable_numbers(self) -> set[int]:
        return self.numbers_from(self.starting_number, MAX_REACHABLE_CEILING)

    def numbers_from(self, number: int, most: int) -> set[int]:
        """Return the numbers that play can reach from `number` and continue from.

        If there are more than `most`, some are left out.
        """
        goal, top, steps = self.goal, self.ceiling or 0, self.steps
        reached, waiting = {number}, [number]
        while waiting and len(reached) <= most:
            here = waiting.pop()
            for step in steps:
                result = step(here)
                if 1 <= result <= top and result % goal and result not in reached:
                    reached.add(result)
                    waiting.append(result)
        return reached

    def notation(self, position: Tally) -> str:
        """Return the number and the mover: `17/1`. An exclamation mark ends the game: `32!/2`."""
        mark = "!" if position.ended else ""
        return f"{_number_text(position.number)}{mark}/{position.mover}"

    def essence(self, position: Tally) -> str:
        goal, ceiling, number = self.goal, self.ceiling, position.number
        menu = sorted(self._essential_text(operation, number) for operation in self.operations)
        where = f"{goal} {ceiling} {_number_text(number)}"
        if ceiling is None:
            where = f"{goal} {_number_text(number % goal)}"  # only the remainder counts
        elif not self.subtracts and not any(text.startswith("x") for text in menu):
            where = f"left {_number_text(ceiling - number)}"  # players can only add from here on
            if goal != ceiling:
                where += f" {_number_text(number % goal)} of {goal}"
        return f"tally {','.join(menu)} {where}{position.ended}"

    def _essential_text(self, operation: Operation, number: int) -> str:
        """Return the text of an operation, or "over" if it overshoots now and ever after."""
        ceiling = self.ceiling
        over = ceiling is not None and not self.subtracts and operation.step(number) > ceiling
        return "over" if over else operation.text

    def parse(self, text: str) -> Tally | None:
        parts = split_mover(text)
        number = None if parts is None else _parse_number(parts[0].removesuffix("!"))
        if parts is None or number is None:
            return None
        overshot = self.ceiling is not None and number > self.ceiling
        reason = "overshot" if overshot else self.success
        return Tally(number, parts[1], reason if parts[0].endswith("!") else "")

    @cached_property
    def encoding(self) -> Encoding:
        ceiling = self.ceiling
        if ceiling is None:
            raise TooLarge(f"the numbers of {self.title} have no bound: set a ceiling")
        return Encoding(3, 0, max(ceiling, *(step(ceiling) for step in self.steps)))

    def encode(self, position: Tally) -> tuple[int, int, int]:
        """Return the number, the mover, and whether the last move ended the game."""
        return position.number, position.mover, int(bool(position.ended))


def _number_text(number: int) -> str:
    is_long = type(number) is int and abs(number) >= 10**MAX_DECIMAL_DIGITS
    return hex(number) if is_long else str(number)


def _parse_number(text: str) -> int | None:
    if not text.isascii() or len(text) > MAX_READ_DIGITS:
        return None
    if text.startswith("0x"):
        return int(text, 16) if text[2:] and set(text[2:]) <= set("0123456789abcdef") else None
    return int(text) if text.isdigit() and len(text) <= MAX_DECIMAL_DIGITS else None


def is_reachable(number: int, start: int, goal: int) -> bool:
    """Return whether adding one and doubling lead from `start` to `number` before anybody wins.

    Window k holds the numbers between k * goal and (k + 1) * goal. If its lowest reachable number
    is known, adding one reaches all the numbers above it in the window. Only doubling a number of
    window k leads into window 2k or 2k + 1, so the binary digits of a window give the only path to
    it. `lowest` is the lowest reachable number, counted from the beginning of its window.
    """
    if number == start:
        return True
    first, lowest = divmod(start, goal)
    window, place = divmod(number, goal)
    doublings = window.bit_length() - first.bit_length()
    if place == 0 or doublings < 0 or window >> doublings != first:
        return False  # the game is over at the number, or no path leads to its window
    lowest = max(lowest, 1)
    for digit in f"{window:b}"[-doublings:] if doublings else "":
        lowest = 2 * lowest if digit == "0" else max(2 * lowest - goal, 2 - goal % 2)
        if lowest >= goal:
            return False
    return place >= lowest
