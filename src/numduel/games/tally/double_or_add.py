"""Double or Add: the race to 31."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from numduel.core.settings import Whole
from numduel.core.words import Words
from numduel.games.tally.operations import ADD_ONE, DOUBLE
from numduel.games.tally.race import Race, RaceSettings
from numduel.games.tally.rules import Tally

if TYPE_CHECKING:
    from random import Random


class DoubleOrAddSettings(RaceSettings):
    target = Whole(31, "the number to reach exactly; it exceeds the start", low=2)


class DoubleOrAdd(Race):
    key = "double-or-add"
    title = "Double or Add"
    summary = "Double a shared number or add one; reach the target exactly, and never pass it."
    rules = """\
The players share one number and take turns. On your turn you must either double it or add one
to it. If the number is then exactly the target, you win. If it is above the target, you lose at
once; such a move is legal, and offered.

The target is 31 unless you choose another, and it exceeds the start."""
    settings_type = DoubleOrAddSettings
    settings: DoubleOrAddSettings
    sketch = MappingProxyType({"target": 11})
    operations = (DOUBLE, ADD_ONE)

    @classmethod
    def puzzle_settings(cls, rng: Random) -> Mapping[str, object]:
        return {"target": rng.randint(20, 150)}

    @cached_property
    def words(self) -> Words[Tally]:
        from numduel.games.tally.words import DoubleOrAddWords

        return DoubleOrAddWords(self)
