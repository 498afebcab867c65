"""Divisor Duel: make the shared number divisible by the divisor."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from numduel.core.errors import SettingsError
from numduel.core.numerals import shown
from numduel.core.settings import OptionalWhole, Settings, Whole
from numduel.core.words import Words
from numduel.games.tally.rules import Tally, TallyGame

if TYPE_CHECKING:
    from random import Random


class DivisorDuelSettings(Settings):
    divisor = Whole(13, "the number to make N divisible by")
    start = Whole(1, "the number that N starts at")
    ceiling = OptionalWhole("a move above it loses, so that every game ends", ends=True)

    def agree(self) -> None:
        if self.ceiling is not None and self.ceiling <= self.start:
            raise SettingsError(
                f"ceiling must be above the start, {shown(self.start)}, not {shown(self.ceiling)}",
                "ceiling",
            )


class DivisorDuel(TallyGame):
    key = "divisor-duel"
    title = "Divisor Duel"
    summary = "Add 1 or double a shared number; whoever makes it divisible by the divisor wins."
    rules = """\
The players share one number, N, and take turns. On your turn you must either add 1 to N or
multiply it by 2. If N is then divisible by the divisor D, you win.

Only a move wins: where N starts at a multiple of D, the game begins as usual. With D = 1 the
first move wins. From 1 both operations give 2, and both are offered.

Nothing ends the game but a win, and good players can avoid losing for ever, for nearly every D.
Play on, set a limit of turns, or set a ceiling: a move that takes N above it loses, even to a
multiple of D, and then every game ends. Where no person plays, a game without a winner stops
after 1,000 turns. N is exact however long it gets; past 60 digits it is shown shortened, with
its number of digits and its remainder."""
    settings_type = DivisorDuelSettings
    settings: DivisorDuelSettings
    friendly = MappingProxyType({"divisor": 10, "ceiling": 40})  # so that it ends
    success = "divisible"

    @classmethod
    def puzzle_settings(cls, rng: Random) -> Mapping[str, object]:
        divisor = rng.randint(5, 20)
        return {"divisor": divisor, "ceiling": divisor * rng.randint(3, 9)}

    @property
    def goal(self) -> int:
        return self.settings.divisor

    @property
    def ceiling(self) -> int | None:
        return self.settings.ceiling

    @property
    def starting_number(self) -> int:
        return self.settings.start

    @cached_property
    def words(self) -> Words[Tally]:
        from numduel.games.tally.words import DivisorDuelWords

        return DivisorDuelWords(self)
