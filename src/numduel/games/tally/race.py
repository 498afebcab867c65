"""What the two races share: reach the target exactly, never pass it."""

from __future__ import annotations

from numduel.core.errors import SettingsError
from numduel.core.numerals import shown
from numduel.core.settings import Settings, Whole
from numduel.games.tally.rules import TallyGame


class RaceSettings(Settings):
    target = Whole(20, "the number to reach exactly; it exceeds the start", low=2)
    start = Whole(1, "the number to start from")

    def agree(self) -> None:
        if self.target <= self.start:
            raise SettingsError(
                f"target must be above the start, {shown(self.start)}, not {shown(self.target)}",
                "target",
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
