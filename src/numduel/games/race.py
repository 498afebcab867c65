"""What the two races share: reach the target exactly, never pass it."""

from __future__ import annotations

from numduel.core.errors import SettingsError
from numduel.core.numerals import shown
from numduel.core.scene import Fact
from numduel.core.settings import Settings, Whole
from numduel.games.tally import Tally, TallyGame


class RaceSettings(Settings):
    target = Whole(20, "the number to reach exactly; it exceeds the start", low=2)
    start = Whole(1, "the number to start from")

    def agree(self) -> None:
        if self.target <= self.start:
            raise SettingsError(
                f"target must be above the start, {shown(self.start)}, not {shown(self.target)}"
            )


class Race(TallyGame):
    settings: RaceSettings
    success = "reached"

    @property
    def goal(self) -> int:
        return self.settings.target

    @property
    def ceiling(self) -> int:
        return self.settings.target

    @property
    def starting_number(self) -> int:
        return self.settings.start

    def moved(self, before: Tally, move: int, after: Tally) -> list[str]:
        return [
            f"You chose to {self.label(move)}.",
            f"New Current Number: {shown(after.number)}",
            "",
        ]

    def facts(self, position: Tally) -> tuple[Fact, ...]:
        return (
            Fact("Current Number", shown(position.number)),
            Fact("Target Number", shown(self.goal)),
        )
