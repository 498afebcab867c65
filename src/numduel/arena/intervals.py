"""Ratios of sums with bootstrap intervals, and paired differences between players.

The bootstrap resamples *units* that are independent of each other, such as positions, or games that
are not copies of each other. A row of a table is a unit, with the sums over all decisions in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy.stats import t as student

from numduel.lab.fairness import Share, share_of

RESAMPLES = 1_000

MAX_UNITS = 2_000
"""If there are more units, this number of blocks is resampled; each unit is in a random block."""

CONFIDENCE_PERCENT = 95

ROUNDING = 1e-9
"""Measures that differ by less than this count as equal."""

MAX_COMPARED_PLAYERS = 12
"""Only this number of players are compared with each other."""

Ratios = Mapping[str, tuple[str, str]]
"""For each measure, the columns of its numerator and of its denominator."""

Array = Any
"""A NumPy array of numbers."""


class Difference(NamedTuple):
    """The difference between two players in a measure, over the units that both have."""

    one: str
    two: str
    part: float  # the measure of `one` less that of `two`
    low: float
    high: float
    units: int
    chance: float  # the p-value: at least this difference between equal players; Holm-corrected

    @property
    def is_sure(self) -> bool:
        """Whether the difference is significant, with all comparisons taken together."""
        return self.chance < 1 - CONFIDENCE_PERCENT / 100


def with_intervals(units: pl.DataFrame, keys: Sequence[str], ratios: Ratios) -> pl.DataFrame:
    """Return a row for each value of the keys, with NAME, NAME_low and NAME_high of each ratio.

    All three are null if the denominator is 0.
    """
    schema: dict[str, Any] = {key: units.schema[key] for key in keys}
    schema |= {f"{name}{end}": pl.Float64 for name in ratios for end in ("", "_low", "_high")}
    rows = []
    columns = sorted({column for pair in ratios.values() for column in pair})
    places = {column: place for place, column in enumerate(columns)}
    for values, part in units.partition_by(keys, as_dict=True, maintain_order=True).items():
        sums = part.select(columns).fill_null(0).to_numpy().astype(float)
        draws = resampled_sums(sums)
        row: list[Any] = list(values)
        for above, below in ratios.values():
            row += _interval(sums, draws, places[above], places[below]) or (None, None, None)
        rows.append(row)
    return pl.DataFrame(rows, schema=schema, orient="row")


def _interval(sums: Array, draws: Array, above: int, below: int) -> Share | None:
    """Return the ratio of two columns with its interval; None if the denominator is 0."""
    totals = sums.sum(axis=0)
    if not totals[below]:
        return None
    ratio = float(totals[above] / totals[below])
    draws = draws[draws[:, below] != 0]
    ratios = draws[:, above] / draws[:, below]
    if np.ptp(ratios) < ROUNDING:
        count = int(np.count_nonzero(sums[:, below]))
        return _unanimous_interval(
            ratio, count, lowest=min(0.0, ratio), highest=1 if ratio <= 1 else 2 * ratio
        )
    return Share(ratio, *_confidence_limits(ratios))


def _confidence_limits(values: Array) -> tuple[float, float]:
    tail = (100 - CONFIDENCE_PERCENT) / 2
    low, high = np.percentile(values, (tail, 100 - tail))
    return float(low), float(high)


def _unanimous_interval(value: float, count: int, lowest: float, highest: float) -> Share:
    """Return the interval of a measure that has the same value in all of `count` units.

    Units that we have not seen may differ: at most a share of all units that is the upper limit of
    Wilson's formula, and by as much as the measure can differ, from `lowest` to `highest`.
    """
    others = share_of(0, count).high
    return Share(value, value - others * (value - lowest), value + others * (highest - value))


def resampled_sums(sums: Array) -> Array:
    """Return the column sums of each bootstrap resample of the rows, with a fixed seed."""
    rng = np.random.default_rng(0)
    if len(sums) > MAX_UNITS:
        blocks = np.zeros((MAX_UNITS, sums.shape[1]))
        np.add.at(blocks, rng.integers(MAX_UNITS, size=len(sums)), sums)
        sums = blocks
    count = len(sums)
    return rng.multinomial(count, np.full(count, 1 / count), size=RESAMPLES) @ sums


def differences(
    units: pl.DataFrame, keys: Sequence[str], ratio: tuple[str, str], players: Sequence[str]
) -> list[Difference]:
    """Return the difference between each of the first players and each later one.

    Two players are compared over the units that they share. A unit is what the keys name, such as
    an opening. The chances are corrected for the number of comparisons.
    """
    found = []
    sums = units.group_by("player", *keys).agg(pl.col(column).sum() for column in ratio)
    for one, two in combinations(players[:MAX_COMPARED_PLAYERS], 2):
        mine, theirs = (sums.filter(player=who).drop("player") for who in (one, two))
        both = mine.join(theirs, on=list(keys), nulls_equal=True, suffix="_two").sort(keys)
        table = both.drop(keys).to_numpy().astype(float)
        if len(table) and all(table.sum(axis=0)[[1, 3]]):
            found.append(_difference(one, two, table))
    return _holm_corrected(found)


def _difference(one: str, two: str, table: Array) -> Difference:
    """Compare two players. The columns are a numerator and a denominator of each of them."""
    totals, draws = table.sum(axis=0), resampled_sums(table)
    draws = draws[(draws[:, [1, 3]] != 0).all(axis=1)]
    value = float(totals[0] / totals[1] - totals[2] / totals[3])
    drawn = draws[:, 0] / draws[:, 1] - draws[:, 2] / draws[:, 3]
    if np.ptp(drawn) < ROUNDING:  # all units agree; with equal players they are like coin flips
        _, low, high = _unanimous_interval(value, len(table), min(-1.0, value), max(1.0, value))
        chance = 2 * 0.5 ** len(table) if value else 1.0
    else:
        low, high = _confidence_limits(drawn)
        chance = float(2 * student.sf(abs(value) / drawn.std(), max(1, len(table) - 1)))
    return Difference(one, two, value, low, high, len(table), min(1.0, chance))


def _holm_corrected(found: list[Difference]) -> list[Difference]:
    """Return the differences with their chances corrected by Holm's method."""
    chance = 0.0
    corrected = {}
    for place, difference in enumerate(sorted(found, key=lambda each: each.chance)):
        chance = max(chance, min(1.0, difference.chance * (len(found) - place)))
        corrected[difference[:2]] = chance
    return [difference._replace(chance=corrected[difference[:2]]) for difference in found]
