"""The three tally games: Divisor Duel, and two races, Operation Duel and Double or Add."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from numduel.core.errors import SettingsError
from numduel.core.numerals import shorten
from numduel.core.settings import OptionalWhole, Settings, Whole
from numduel.games.tally.operations import ADD_ONE, DOUBLE, Operation, Operations, parse_operation
from numduel.games.tally.rules import TallyGame

if TYPE_CHECKING:
    from random import Random


class DivisorDuelSettings(Settings):
    divisor = Whole(13, "the number that must divide N").with_phrase("multiples of {}")
    start = Whole(1, "the number that N starts at").with_phrase("start at {}")
    ceiling = OptionalWhole(
        "a move above it loses, so that every game ends", ends=True
    ).with_phrase("nobody past {}")

    def agree(self) -> None:
        if self.ceiling is not None and self.ceiling <= self.start:
            raise SettingsError(
                f"ceiling must be above the start, {shorten(self.start)}, "
                f"not {shorten(self.ceiling)}",
                "ceiling",
            )


class DivisorDuel(TallyGame):
    key = "divisor-duel"
    title = "Divisor Duel"
    summary = "Add 1 or double a shared number; whoever makes it divisible by the divisor wins."
    rules = """\
The players share one number, N, and take turns. On your turn you must either add 1 to N or
multiply it by 2. If N is then divisible by the divisor D, you win.

Only a move wins: if N starts at a multiple of D, nobody has won yet. With D = 1 the
first move wins. From 1 both operations give 2, and both are offered.

With a ceiling, a move that takes N above it loses, even to a multiple of D. A
game may be stopped by a limit of turns: then nobody has won."""
    notes = """\
Only a win ends the game, and for nearly every D good players can go on for ever without losing.
Play on, set a limit of turns, or set a ceiling: with a ceiling every game ends. N is exact however
long it gets; past 60 digits it is shown shortened, with its number of digits and its remainder.
If no person plays, the limit is 1,000 turns, unless another is set."""
    settings_type = DivisorDuelSettings
    settings: DivisorDuelSettings
    friendly = MappingProxyType({"divisor": 10, "start": 3, "ceiling": 40})  # so that it ends
    success = "divisible"
    goal_setting, ceiling_setting = "divisor", "ceiling"

    @classmethod
    def puzzle_settings(cls, rng: Random) -> Mapping[str, object]:
        divisor = rng.randint(5, 20)
        return {"divisor": divisor, "ceiling": divisor * rng.randint(3, 9)}


class RaceSettings(Settings):
    target = Whole(20, "the number to reach exactly, above the start", low=2).with_phrase(
        "race to {}"
    )
    start = Whole(1, "the number to start from").with_phrase("start at {}")

    def agree(self) -> None:
        if self.target <= self.start:
            raise SettingsError(
                f"target must be above the start, {shorten(self.start)}, "
                f"not {shorten(self.target)}",
                "target",
            )


class Race(TallyGame):
    settings: RaceSettings
    success = "reached"
    goal_setting = ceiling_setting = "target"


class OperationDuelSettings(RaceSettings):
    operations = Operations("+1,x2", "what can be done to the number")


class OperationDuel(Race):
    key = "operation-duel"
    title = "Operation Duel"
    summary = "Change a shared number by an operation; reach the target exactly, never pass it."
    rules = """\
The players share one number and take turns. On your turn you must change it by one operation
from the menu: usually add 1, or multiply by 2. If the number is then exactly the target, you win.
If it is above the target, you lose at once. Such a move is allowed.

A result below 1 is not allowed, and a player who has no legal move loses. A game may be
stopped by a limit of turns: then nobody has won."""
    notes = """\
The target must be above the start. The menu can be changed to 1 to 9 operations that add,
subtract or multiply. With subtraction a game can go on for ever: set a limit of turns. If
no person plays, it is 1,000 turns, unless another is set."""
    settings_type = OperationDuelSettings
    settings: OperationDuelSettings
    friendly = MappingProxyType({"target": 30, "start": 2, "operations": "+1,+3,x2"})
    sketch = MappingProxyType({"target": 14})

    @classmethod
    def puzzle_settings(cls, rng: Random) -> Mapping[str, object]:
        added = sorted(rng.sample(range(1, 8), rng.choice((2, 3, 4))))
        menu = ",".join([*(f"+{number}" for number in added), "x2", "x3"])
        return {"target": rng.randint(30, 90), "operations": menu}

    @cached_property
    def operations(self) -> tuple[Operation, ...]:  # type: ignore[override]  # a setting here
        parsed = (parse_operation(text) for text in self.settings.operations.split(","))
        return tuple(operation for operation in parsed if operation is not None)


class DoubleOrAddSettings(RaceSettings):
    target = Whole(31, "the number to reach exactly, above the start", low=2).with_phrase(
        "race to {}"
    )


class DoubleOrAdd(Race):
    key = "double-or-add"
    title = "Double or Add"
    summary = "Double a shared number or add one; reach the target exactly, and never pass it."
    rules = """\
The players share one number and take turns. On your turn you must either double it or add one
to it. If the number is then exactly the target, you win. If it is above the target, you lose at
once. Such a move is allowed."""
    notes = "The target is 31 unless you choose another, which must be above the start."
    settings_type = DoubleOrAddSettings
    settings: DoubleOrAddSettings
    friendly = MappingProxyType({"target": 24, "start": 2})
    sketch = MappingProxyType({"target": 11})
    operations = (DOUBLE, ADD_ONE)

    @classmethod
    def puzzle_settings(cls, rng: Random) -> Mapping[str, object]:
        return {"target": rng.randint(24, 150)}
