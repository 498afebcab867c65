"""The tally rule: one shared number and a menu of operations.

Making the number a multiple of the goal wins; passing the ceiling loses. Operation Duel and
Double or Add are goal = ceiling = target; Divisor Duel is goal = divisor, usually with no ceiling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.game import Encoding, Outcome, is_seat, other
from numduel.core.notation import read_mover
from numduel.core.record import MAX_GAME_MOVES
from numduel.games.family import FamilyGame
from numduel.games.tally.operations import ADD_ONE, DOUBLE, Operation

if TYPE_CHECKING:
    from random import Random


MAX_REACHABLE_CEILING = 1_000_000
"""Maximum ceiling up to which the numbers that a menu reaches are computed."""

MAX_DECIMAL_DIGITS = 1_000
"""Maximum number of decimal digits; longer numbers are written in hexadecimal."""

MAX_READ_DIGITS = 30_000
"""Maximum number of digits that are read; no game is long enough for more."""


class Tally(NamedTuple):
    """The shared number, who moves, and how the last move ended the game, if it did."""

    number: int
    mover: int
    ended: str = ""

    def __repr__(self) -> str:
        return f"Tally(number={_digits(self.number)}, mover={self.mover}, ended={self.ended!r})"


class TallyGame(FamilyGame[Tally]):
    """The rules of the three tally games; without a ceiling, only adding one and doubling."""

    family = "numduel.games.tally"
    alternates = True
    success: ClassVar[str]  # the reason when the goal is reached
    goal_setting: ClassVar[str]
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
        """What each move does to the number."""
        return tuple(operation.step for operation in self.operations)

    @cached_property
    def actions(self) -> range:
        return range(1, len(self.operations) + 1)

    @cached_property
    def _every_move(self) -> tuple[int, ...]:
        return tuple(self.actions)

    @cached_property
    def subtracts(self) -> bool:
        """Whether the number can become smaller."""
        return any(operation.sign == "-" for operation in self.operations)

    @property
    def adds_or_doubles(self) -> bool:
        """Whether the menu is adding one and doubling, in either order."""
        return set(self.operations) == {ADD_ONE, DOUBLE}

    def begin(self, first: int) -> Tally:
        return Tally(self.starting_number, first)

    def moves(self, position: Tally) -> tuple[int, ...]:
        if position.ended:
            return ()
        if not self.subtracts:
            return self._every_move
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
        """Return a position at any number that play can reach and go on from."""
        highest = self.ceiling or self.goal
        numbers = [number for number in range(1, highest) if self._goes_on_at(number)]
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
            return self._goes_on_at(number)
        return any(
            before is not None
            and self._goes_on_at(before)
            and self.after(Tally(before, other(mover)), move) == position
            for move, operation in enumerate(self.operations, 1)
            for before in [operation.back(number)]
        )

    def _goes_on_at(self, number: int) -> bool:
        """Return whether play can reach the number and go on; True if that is not computed."""
        goal, ceiling, start = self.goal, self.ceiling, self.starting_number
        if number == start:
            return True
        highest = start << MAX_GAME_MOVES if ceiling is None else ceiling
        if not 1 <= number <= highest or number % goal == 0:
            return False
        if number < start and not self.subtracts:
            return False
        if self.adds_or_doubles:
            return comes_to(number, start, goal)
        return highest > MAX_REACHABLE_CEILING or number in self._reached_numbers

    @cached_property
    def _reached_numbers(self) -> set[int]:
        return self.numbers_from(self.starting_number, MAX_REACHABLE_CEILING)

    def numbers_from(self, number: int, most: int) -> set[int]:
        """Return the numbers up to the ceiling that play can come to from one, and go on from.

        If there are more than `most`, some are left out.
        """
        goal, top, steps = self.goal, self.ceiling or 0, self.steps
        found, waiting = {number}, [number]
        while waiting and len(found) <= most:
            here = waiting.pop()
            for step in steps:
                result = step(here)
                if 1 <= result <= top and result % goal and result not in found:
                    found.add(result)
                    waiting.append(result)
        return found

    def notation(self, position: Tally) -> str:
        """Return the number and the mover: `17/1`. A mark says that the game is over: `32!/2`."""
        mark = "!" if position.ended else ""
        return f"{_digits(position.number)}{mark}/{position.mover}"

    def essence(self, position: Tally) -> str:
        goal, ceiling, number = self.goal, self.ceiling, position.number
        menu = sorted(self._lasting(operation, number) for operation in self.operations)
        where = f"{goal} {ceiling} {_digits(number)}"
        if ceiling is None:
            where = f"{goal} {_digits(number % goal)}"  # all that counts where nothing is too large
        elif not self.subtracts and not any(text.startswith("x") for text in menu):
            where = f"left {_digits(ceiling - number)}"  # only adding is left to do
            if goal != ceiling:
                where += f" {_digits(number % goal)} of {goal}"
        return f"tally {','.join(menu)} {where}{position.ended}"

    def _lasting(self, operation: Operation, number: int) -> str:
        """Return the text of an operation; "over" if it goes too far, now and ever after."""
        ceiling = self.ceiling
        over = ceiling is not None and not self.subtracts and operation.step(number) > ceiling
        return "over" if over else operation.text

    def parse(self, text: str) -> Tally | None:
        parts = read_mover(text)
        number = None if parts is None else _read_digits(parts[0].removesuffix("!"))
        if parts is None or number is None:
            return None
        past = self.ceiling is not None and number > self.ceiling
        ended = "overshot" if past else self.success
        return Tally(number, parts[1], ended if parts[0].endswith("!") else "")

    @cached_property
    def encoding(self) -> Encoding:
        ceiling = self.ceiling
        if ceiling is None:
            raise TooLarge(f"the numbers of {self.title} have no bound: set a ceiling")
        return Encoding(3, 0, max(ceiling, *(step(ceiling) for step in self.steps)))

    def encode(self, position: Tally) -> tuple[int, int, int]:
        """Return the number, the mover, and whether the last move ended the game."""
        return position.number, position.mover, int(bool(position.ended))


def _digits(number: int) -> str:
    long = type(number) is int and abs(number) >= 10**MAX_DECIMAL_DIGITS
    return hex(number) if long else str(number)


def _read_digits(text: str) -> int | None:
    if not text.isascii() or len(text) > MAX_READ_DIGITS:
        return None
    if text.startswith("0x"):
        return int(text, 16) if text[2:] and set(text[2:]) <= set("0123456789abcdef") else None
    return int(text) if text.isdigit() and len(text) <= MAX_DECIMAL_DIGITS else None


def comes_to(number: int, start: int, goal: int) -> bool:
    """Return whether adding one and doubling reach a number from `start`, before anybody has won.

    Window k holds the numbers between k * goal and (k + 1) * goal. From its lowest number that
    can be reached, adding one reaches all of the window above. Window 2k or 2k + 1 is entered by
    doubling in window k, and only so: the binary digits of a window say the way to it. `lowest`
    is the lowest number reached, counted from the beginning of its window.
    """
    if number == start:
        return True
    first, lowest = divmod(start, goal)
    window, place = divmod(number, goal)
    further = window.bit_length() - first.bit_length()
    if place == 0 or further < 0 or window >> further != first:
        return False  # the game ends there, or doubling jumps over the window of the start
    lowest = max(lowest, 1)
    for digit in f"{window:b}"[-further:] if further else "":
        lowest = 2 * lowest if digit == "0" else max(2 * lowest - goal, 2 - goal % 2)
        if lowest >= goal:
            return False
    return place >= lowest
