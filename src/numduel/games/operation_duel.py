"""Operation Duel: race to the target with a menu of operations."""

from __future__ import annotations

from functools import cached_property

from numduel.core.game import Outcome, other
from numduel.core.numerals import shown
from numduel.games.race import Race, RaceSettings
from numduel.games.tally import Operation, Operations, Tally, parse_operation


class OperationDuelSettings(RaceSettings):
    operations = Operations("+1,x2", "the menu: 1 to 9 of +k, -k and xk")


class OperationDuel(Race):
    key = "operation-duel"
    title = "Operation Duel"
    summary = "Add 1 or double a shared number; reach the target exactly, and never pass it."
    rules = """\
The players share one number and take turns. On your turn you must apply one operation of the
menu to it: usually add 1, or multiply by 2. If the number is then exactly the target, you win.
If it is above the target, you lose at once; such a move is legal, and offered.

The target exceeds the start. The menu can be changed to 1 to 9 operations that add, subtract or
multiply. A result below 1 is not allowed, and a player who has no legal move loses. With
subtraction a game can go round for ever: set a limit of turns if you like; where no person
plays, a game without a winner stops after 1,000 turns."""
    settings_type = OperationDuelSettings
    settings: OperationDuelSettings

    @cached_property
    def operations(self) -> tuple[Operation, ...]:  # type: ignore[override]  # a setting here
        parsed = (parse_operation(text) for text in self.settings.operations.split(","))
        return tuple(operation for operation in parsed if operation is not None)

    def welcome(self, position: Tally) -> list[str]:
        return [
            f"Starting Number is {shown(position.number)}.",
            f"Target Number is {shown(self.goal)}.",
            f"Player {position.mover} begins.",
            "",
        ]

    def turn(self, position: Tally) -> list[str]:
        return [
            f"Player {position.mover}'s Turn:",
            f"Current Number: {shown(position.number)}",
            "Choose an operation:",
            *self.menu_lines(position),
        ]

    def prompt(self, position: Tally) -> str:
        return f"Enter your choice ({self.allowed(position)}): "

    def ended(self, position: Tally, outcome: Outcome) -> list[str]:
        happened = {
            "overshot": f"Player {other(position.mover)} exceeded the target number!",
            "reached": f"Player {other(position.mover)} reached the target number!",
            "stuck": f"Player {position.mover} has no operation left that stays above 0!",
        }
        return [
            f"Current Number: {shown(position.number)}",
            happened[outcome.reason],
            f"Player {outcome.winner} wins the game!",
        ]
