"""Double or Add: the race to 31."""

from __future__ import annotations

from numduel.core.game import Outcome, other
from numduel.core.numerals import shown
from numduel.core.settings import Whole
from numduel.games.race import Race, RaceSettings
from numduel.games.tally import Operation, Tally


class DoubleOrAddSettings(RaceSettings):
    target = Whole(31, "the number to reach exactly; it exceeds the start", low=2)


class DoubleOrAdd(Race):
    key = "double-or-add"
    title = "Double or Add"
    summary = "Double a shared number or add one; reach 31 exactly, and never pass it."
    rules = """\
The players share one number and take turns. On your turn you must either double it or add one
to it. If the number is then exactly the target, you win. If it is above the target, you lose at
once; such a move is legal, and offered.

The target is 31 unless you choose another, and it exceeds the start."""
    settings_type = DoubleOrAddSettings
    settings: DoubleOrAddSettings
    operations = (Operation("x", 2), Operation("+", 1))

    def label(self, move: int) -> str:
        return ("Double", "Add One")[move - 1]

    def welcome(self, position: Tally) -> list[str]:
        default = "target" not in self.settings.changed()
        return [] if default else [f"Target Number: {shown(self.goal)}", ""]

    def turn(self, position: Tally) -> list[str]:
        return [
            f"Current Number: {shown(position.number)}",
            f"Player {position.mover}, choose your action:",
            *self.menu_lines(position),
        ]

    def prompt(self, position: Tally) -> str:
        return f"Enter {self.allowed(position)}: "

    def ended(self, position: Tally, outcome: Outcome) -> list[str]:
        number = f"Current Number: {shown(position.number)}"
        winner = f"Player {outcome.winner} wins the game!"
        if outcome.reason == "reached":
            return [f"{number} is the target.", winner]
        loser = f"Player {other(position.mover)} loses!"
        return [f"{number} exceeds {shown(self.goal)}.", loser, winner]
