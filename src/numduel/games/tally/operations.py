"""The operations of a menu, and the setting that holds a menu."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from numduel.core.numerals import parse_whole, shorten
from numduel.core.settings import Setting

MAX_OPERATIONS = 9

_TYPESET_SIGNS = {"+": "+", "-": "−", "x": "×"}
_MAX_SHORT_AMOUNT = 9_999  # longer ones do not fit beside an arc


class Operation(NamedTuple):
    """A change of the number, such as adding 1."""

    sign: str  # +, - or x
    amount: int

    @property
    def text(self) -> str:
        """The operation as it is written in the setting: `+1`."""
        return f"{self.sign}{self.amount}"

    @property
    def label(self) -> str:
        """The operation as it is written in the menu: `Add 1`."""
        verb = {"+": "Add", "-": "Subtract", "x": "Multiply by"}[self.sign]
        return f"{verb} {shorten(self.amount)}"

    @property
    def does(self) -> str:
        """What a player does who chooses the operation: `adds 1`."""
        verb = {"+": "adds", "-": "subtracts", "x": "multiplies by"}[self.sign]
        return f"{verb} {shorten(self.amount)}"

    @property
    def short(self) -> str:
        """The operation as it is written beside an arc: `×2`. A long amount is left out: `×…`."""
        return (
            f"{_TYPESET_SIGNS[self.sign]}{self.amount if self.amount <= _MAX_SHORT_AMOUNT else '…'}"
        )

    @property
    def step(self) -> Callable[[int], int]:
        """The function from the number before to the number after."""
        if self.sign == "x":
            return partial(operator.mul, self.amount)
        return partial(operator.add, self.amount if self.sign == "+" else -self.amount)

    def source(self, number: int) -> int | None:
        """Return the number that the operation changes to `number`, or None if there is none."""
        if self.sign == "x":
            quotient, rest = divmod(number, self.amount)
            return None if rest else quotient
        return number - self.amount if self.sign == "+" else number + self.amount

    def equation(self, number: int) -> str:
        """Return an equation for the operation on a number: `10 × 2 = 20`."""
        left = f"{shorten(number)} {_TYPESET_SIGNS[self.sign]} {shorten(self.amount)}"
        return f"{left} = {shorten(self.step(number))}"


ADD_ONE = Operation("+", 1)
DOUBLE = Operation("x", 2)


def parse_operation(text: str) -> Operation | None:
    """Return the operation that `+1`, `-3` or `x2` stands for; None for any other text."""
    text = text.strip().replace("×", "x").replace("*", "x")
    amount = parse_whole(text[1:])
    if text[:1] not in ("+", "-", "x") or amount is None:
        return None
    smallest = 2 if text[0] == "x" else 1
    return Operation(text[0], amount) if amount >= smallest else None


class Operations(Setting[str]):
    """A menu of operations, whose order counts."""

    parts = tuple(
        (operation.text, operation.short)
        for sign, amounts in (("+", (1, 2, 3, 4, 5, 7, 10)), ("-", (1, 2, 3)), ("x", (2, 3, 4, 5)))
        for operation in (Operation(sign, amount) for amount in amounts)
    )

    def in_everyday_words(self, value: str) -> str:
        operations = (parse_operation(part) for part in value.split(","))
        return ", ".join(operation.short for operation in operations if operation is not None)

    @property
    def allowed(self) -> str:
        return f"1 to {MAX_OPERATIONS} different operations like +1,-3,x2, but not +0, -0, x0 or x1"

    def near(self, value: str) -> Sequence[str]:
        menus = ("+1,x2,x3", "+1,+2,x2", "+1,x3", "+1,+2,+3", "+2,+3,x2")
        return [menu for menu in menus if menu != value]

    def check(self, value: object) -> str:
        if not isinstance(value, str) or value.count(",") >= MAX_OPERATIONS:
            raise self.refusal(value)
        operations = [parse_operation(part) for part in value.split(",")]
        found = [operation for operation in operations if operation is not None]
        if len(set(found)) < len(operations):
            raise self.refusal(value)
        return ",".join(operation.text for operation in found)
