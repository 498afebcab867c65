"""The tally rule: one shared number and a menu of operations.

Making the number a multiple of the goal wins; passing the ceiling loses. Operation Duel and
Double or Add are goal = ceiling = target; Divisor Duel is goal = divisor, usually with no ceiling.
"""

from __future__ import annotations

import operator
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import ClassVar, NamedTuple

from numduel.core.game import Game, Outcome, other
from numduel.core.numerals import LONGEST_INPUT, either, parse_whole, quoted, shown
from numduel.core.scene import Choice, Fact, Scene
from numduel.core.settings import Setting
from numduel.core.theory import Theory

MOST_OPERATIONS = 9


class Tally(NamedTuple):
    """The shared number, who moves, and how the last move ended the game, if it did."""

    number: int
    mover: int
    ended: str = ""

    def __repr__(self) -> str:
        # In hexadecimal past 60 digits: Python refuses to print very long ints in decimal.
        number = hex(self.number) if self.number >= 10**60 else self.number
        return f"Tally(number={number}, mover={self.mover}, ended={self.ended!r})"


class Operation(NamedTuple):
    """One thing to do to the number: +, - or x, and by how much."""

    sign: str
    amount: int

    @property
    def text(self) -> str:
        """As in the setting: `+1`."""
        return f"{self.sign}{self.amount}"

    @property
    def label(self) -> str:
        """As in the menu: `Add 1`."""
        verb = {"+": "Add", "-": "Subtract", "x": "Multiply by"}[self.sign]
        return f"{verb} {shown(self.amount)}"

    @property
    def step(self) -> Callable[[int], int]:
        """What it does to the number."""
        if self.sign == "x":
            return partial(operator.mul, self.amount)
        return partial(operator.add, self.amount if self.sign == "+" else -self.amount)


def parse_operation(text: str) -> Operation | None:
    """The operation that `+1`, `-3` or `x2` stands for; None if it is none or does nothing."""
    text = text.strip().replace("×", "x").replace("*", "x")
    amount = parse_whole(text[1:])
    if text[:1] not in ("+", "-", "x") or amount is None:
        return None
    smallest = 2 if text[0] == "x" else 1
    return Operation(text[0], amount) if amount >= smallest else None


class Operations(Setting[str]):
    """A menu of operations, in order."""

    @property
    def allowed(self) -> str:
        return (
            f"1 to {MOST_OPERATIONS} different operations like +1,-3,x2 "
            f"(not +0, -0, x0 or x1; at most {LONGEST_INPUT:,} digits each)"
        )

    def near(self, value: str) -> Sequence[str]:
        menus = ("+1,x2,x3", "+1,+2,x2", "+1,x3", "+1,+2,+3", "+2,+3,x2")
        return [menu for menu in menus if menu != value]

    def check(self, value: object) -> str:
        if not isinstance(value, str) or value.count(",") >= MOST_OPERATIONS:
            raise self.refusal(value)
        operations = [parse_operation(part) for part in value.split(",")]
        found = [operation for operation in operations if operation is not None]
        if len(set(found)) < len(operations):
            raise self.refusal(value)
        return ",".join(operation.text for operation in found)


class TallyGame(Game[Tally]):
    """The rules and the shared words of the three tally games."""

    success: ClassVar[str]  # the reason when the goal is reached
    operations: Sequence[Operation] = (Operation("+", 1), Operation("x", 2))

    @property
    @abstractmethod
    def goal(self) -> int:
        """A move to a multiple of this wins."""

    @property
    @abstractmethod
    def ceiling(self) -> int | None:
        """A move above this loses."""

    @property
    @abstractmethod
    def starting_number(self) -> int:
        """Where the number begins."""

    # The rules.

    @cached_property
    def _bounds(self) -> tuple[int, int | None]:
        return self.goal, self.ceiling

    @cached_property
    def _steps(self) -> tuple[Callable[[int], int], ...]:
        return tuple(operation.step for operation in self.operations)

    @cached_property
    def _every_move(self) -> tuple[int, ...]:
        return tuple(range(1, len(self.operations) + 1))

    @cached_property
    def _subtracts(self) -> bool:
        return any(operation.sign == "-" for operation in self.operations)

    def begin(self, first: int) -> Tally:
        return Tally(self.starting_number, first)

    def moves(self, position: Tally) -> tuple[int, ...]:
        if position.ended:
            return ()
        if not self._subtracts:
            return self._every_move
        number = position.number
        return tuple(move for move, step in enumerate(self._steps, 1) if step(number) >= 1)

    def after(self, position: Tally, move: int) -> Tally:
        number = self._steps[move - 1](position.number)
        goal, ceiling = self._bounds
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
        if self._subtracts and not self.moves(position):
            return Outcome(other(position.mover), "stuck")
        return None

    @cached_property
    def theory(self) -> Theory[Tally]:
        from numduel.games.tally_theory import theory_of

        return theory_of(self)

    # The words.

    def why_not(self, position: Tally, move: int) -> str:
        if 1 <= move <= len(self.operations):
            return f"{self.label(move)} would go below 1"
        return f"{quoted(move)} is not in the menu"

    def describe(self, position: Tally) -> str:
        return f"number {self.shown(position.number)}, Player {position.mover} to move"

    def allowed(self, position: Tally) -> str:
        return either(self.moves(position) or ["nothing"])

    def shown(self, number: int) -> str:
        """The shared number for people."""
        return shown(number)

    def label(self, move: int) -> str:
        """The menu's words for a move."""
        return self.operations[move - 1].label

    def menu_lines(self, position: Tally) -> list[str]:
        """The menu as the documents print it."""
        return [f"{move}. {self.label(move)}" for move in self.moves(position)]

    def facts(self, position: Tally) -> tuple[Fact, ...]:
        """What the number is and what it is compared with."""
        raise NotImplementedError

    def scene(self, position: Tally) -> Scene:
        choices = tuple(
            Choice(move, self.label(move), self.shown(self._steps[move - 1](position.number)))
            for move in self.moves(position)
        )
        return self.staged(position, facts=self.facts(position), choices=choices)
