"""Operation Duel: race to the target with a menu of operations."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from numduel.core.words import Words
from numduel.games.tally.operations import Operation, Operations, parse_operation
from numduel.games.tally.race import Race, RaceSettings
from numduel.games.tally.rules import Tally

if TYPE_CHECKING:
    from random import Random


class OperationDuelSettings(RaceSettings):
    operations = Operations("+1,x2", "the menu: 1 to 9 of +k, -k and xk")


class OperationDuel(Race):
    key = "operation-duel"
    title = "Operation Duel"
    summary = "Change a shared number by an operation; reach the target exactly, never pass it."
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
    sketch = MappingProxyType({"target": 14})

    @classmethod
    def puzzle_settings(cls, rng: Random) -> Mapping[str, object]:
        menu = rng.choice(("+1,x2", "+1,+3,x2", "+1,+2,x3", "+2,+3,x2", "+1,+4,x3"))
        return {"target": rng.randint(20, 80), "operations": menu}

    @cached_property
    def operations(self) -> tuple[Operation, ...]:  # type: ignore[override]  # a setting here
        parsed = (parse_operation(text) for text in self.settings.operations.split(","))
        return tuple(operation for operation in parsed if operation is not None)

    @cached_property
    def words(self) -> Words[Tally]:
        from numduel.games.tally.words import OperationDuelWords

        return OperationDuelWords(self)
