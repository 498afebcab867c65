"""Ratios of sums with intervals by the bootstrap, and paired differences between players.

What is resampled is a *unit*: what is independent of all else, such as a game that no other game
copies, or a position. A row of a table is a unit with the sums over all that happened in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy.stats import t as student

from numduel.lab.fairness import Share, share_of

DRAWS = 1_000
"""Number of resamples."""

MAX_UNITS = 2_000
"""More units than this are resampled in so many blocks, each unit in a block at random."""

CONFIDENCE_PERCENT = 95

ROUNDING = 1e-9
"""Measures that differ by less than this are the same."""

MAX_COMPARED = 12
"""Maximum number of players of whom each is compared with each."""

Ratios = Mapping[str, tuple[str, str]]
"""For each measure, the columns of its numerator and its denominator."""

Array = Any
"""A NumPy array of numbers."""


class Difference(NamedTuple):
    """By how much one player is ahead of another, over the units that both have."""

    one: str
    two: str
    part: float  # the measure of `one` less that of `two`
    low: float
    high: float
    units: int
    chance: float  # of so large a difference between equal players, corrected by Holm's method

    @property
    def is_sure(self) -> bool:
        """Whether chance alone hardly explains it, with all comparisons taken together."""
        return self.chance < 1 - CONFIDENCE_PERCENT / 100


def with_intervals(units: pl.DataFrame, keys: Sequence[str], ratios: Ratios) -> pl.DataFrame:
    """Return a row for each value of the keys: NAME, NAME_low and NAME_high of each ratio.

    All three are null where the denominator is 0.
    """
    schema: dict[str, Any] = {key: units.schema[key] for key in keys}
    schema |= {f"{name}{end}": pl.Float64 for name in ratios for end in ("", "_low", "_high")}
    rows = []
    for values, some in units.partition_by(keys, as_dict=True, maintain_order=True).items():
        columns = sorted({column for pair in ratios.values() for column in pair})
        sums = some.select(columns).fill_null(0).to_numpy().astype(float)
        places = {column: place for place, column in enumerate(columns)}
        draws = resampled(sums)
        found: list[Any] = list(values)
        for above, below in ratios.values():
            found += _interval(sums, draws, places[above], places[below]) or (None, None, None)
        rows.append(found)
    return pl.DataFrame(rows, schema=schema, orient="row")


def _interval(sums: Array, draws: Array, above: int, below: int) -> Share | None:
    whole = sums.sum(axis=0)
    if not whole[below]:
        return None
    part = float(whole[above] / whole[below])
    count = int(np.count_nonzero(sums[:, below]))
    ratios = _ratios(draws, above, below)
    if np.ptp(ratios) < ROUNDING:
        return _where_all_agree(
            part, count, least=min(0.0, part), most=1 if part <= 1 else 2 * part
        )
    tail = (100 - CONFIDENCE_PERCENT) / 2
    low, high = np.percentile(ratios, (tail, 100 - tail))
    return Share(part, float(low), float(high))


def _where_all_agree(part: float, count: int, least: float, most: float) -> Share:
    """Return the interval of a measure that is the same in so many units, as it may be by chance.

    Other units may differ, as large a share of all as Wilson's formula tells, by all that the
    measure can differ: from `least` to `most`.
    """
    others = share_of(0, count).high
    return Share(part, part - others * (part - least), part + others * (most - part))


def resampled(sums: Array) -> Array:
    """Return the sums over each resample of the rows, always by the same chance."""
    rng = np.random.default_rng(0)
    if len(sums) > MAX_UNITS:
        blocks = np.zeros((MAX_UNITS, sums.shape[1]))
        np.add.at(blocks, rng.integers(MAX_UNITS, size=len(sums)), sums)
        sums = blocks
    count = len(sums)
    return rng.multinomial(count, np.full(count, 1 / count), size=DRAWS) @ sums


def _ratios(draws: Array, above: int, below: int) -> Array:
    """Return a ratio in each resample that has one."""
    some = draws[draws[:, below] != 0]
    return some[:, above] / some[:, below]


def differences(
    units: pl.DataFrame, keys: Sequence[str], ratio: tuple[str, str], players: Sequence[str]
) -> list[Difference]:
    """Return how far each of the first players is ahead of each later one, by the units they share.

    A unit is what the keys name, such as an opening. The chances are corrected for the number of
    comparisons.
    """
    found = []
    sums = units.group_by("player", *keys).agg(pl.col(column).sum() for column in ratio)
    for one, two in combinations(players[:MAX_COMPARED], 2):
        mine, theirs = (sums.filter(player=who).drop("player") for who in (one, two))
        both = mine.join(theirs, on=list(keys), nulls_equal=True, suffix="_two").sort(keys)
        table = both.drop(keys).to_numpy().astype(float)
        if len(table) and all(table.sum(axis=0)[[1, 3]]):
            found.append(_difference(one, two, table))
    return _corrected(found)


def _difference(one: str, two: str, table: Array) -> Difference:
    whole, draws = table.sum(axis=0), resampled(table)
    draws = draws[(draws[:, [1, 3]] != 0).all(axis=1)]
    part = float(whole[0] / whole[1] - whole[2] / whole[3])
    ahead = draws[:, 0] / draws[:, 1] - draws[:, 2] / draws[:, 3]
    if np.ptp(ahead) < ROUNDING:  # the units agree, which equal players' do as coins do
        _, low, high = _where_all_agree(part, len(table), min(-1.0, part), max(1.0, part))
        chance = 2 * 0.5 ** len(table) if part else 1.0
    else:
        tail = (100 - CONFIDENCE_PERCENT) / 2
        low, high = map(float, np.percentile(ahead, (tail, 100 - tail)))
        chance = float(2 * student.sf(abs(part) / ahead.std(), max(1, len(table) - 1)))
    return Difference(one, two, part, low, high, len(table), min(1.0, chance))


def _corrected(found: list[Difference]) -> list[Difference]:
    """Return the differences with their chances corrected by Holm's method."""
    least = 0.0
    corrected = {}
    for place, one in enumerate(sorted(found, key=lambda each: each.chance)):
        least = max(least, min(1.0, one.chance * (len(found) - place)))
        corrected[one[:2]] = least
    return [one._replace(chance=corrected[one[:2]]) for one in found]
