"""Intervals cover the truth as often as they say; differences are paired and corrected."""

import numpy as np
import polars as pl
import pytest

from numduel.arena import intervals
from numduel.arena.intervals import Difference, differences, with_intervals

RATIO = {"part": ("right", "asked")}


def units(rng, chance, count=60):
    """Units of one to five decisions with the same result."""
    asked = rng.integers(1, 6, count)
    right = asked * (rng.random(count) < chance)
    return pl.DataFrame({"player": ["a"] * count, "right": right, "asked": asked})


def test_intervals_cover_the_truth_about_as_often_as_they_say(many):
    times = many(60, 240)
    covered = 0
    for seed in range(times):
        row = with_intervals(units(np.random.default_rng(seed), 0.7), ["player"], RATIO).row(0)
        covered += row[2] <= 0.7 <= row[3]
    assert 0.85 <= covered / times <= 0.99


def test_copies_within_a_unit_are_no_evidence():
    rng = np.random.default_rng(1)
    some = units(rng, 0.5)
    more = some.with_columns(pl.col("right", "asked") * 100)
    narrow = with_intervals(pl.concat([some] * 100), ["player"], RATIO).row(0)
    assert with_intervals(more, ["player"], RATIO).row(0) == with_intervals(
        some, ["player"], RATIO
    ).row(0)
    assert narrow[3] - narrow[2] < 0.2 * (0.2 + narrow[3] - narrow[2])


@pytest.mark.parametrize(
    ("worth", "below", "above"),
    [(1, 1, 0), (0, 0, 1), (0.5, 0.5, 0.5), (0.3, 0.3, 0.7), (-1, 0, 2), (2, 2, 2)],
)
@pytest.mark.parametrize(("count", "others"), [(1, 0.793), (3, 0.561), (20, 0.161)])
def test_if_all_units_agree_the_interval_still_has_a_width(worth, below, above, count, others):
    """Also if the sums of equal units differ by rounding errors."""
    asked = ([3, 1, 7, 5] * 5)[:count]
    units = {"right": [float(worth * one) for one in asked], "asked": asked}
    agreed = pl.DataFrame({"player": ["a"] * count, **units})
    _, part, low, high = with_intervals(agreed, ["player"], RATIO).row(0)
    found = part, (part - low) / others, (high - part) / others
    assert found == pytest.approx((worth, below, above), abs=0.01)


def test_without_any_units_the_measures_are_null():
    agreed = pl.DataFrame({"player": ["a"] * 20, "asked": [3] * 20})
    silent = agreed.with_columns(right=pl.lit(0), asked=pl.lit(0))
    assert with_intervals(silent, ["player"], RATIO).row(0)[1:] == (None, None, None)


def test_many_units_are_resampled_in_blocks(monkeypatch):
    some = units(np.random.default_rng(2), 0.6, 900)
    whole = with_intervals(some, ["player"], RATIO).row(0)
    monkeypatch.setattr(intervals, "MAX_UNITS", 300)
    blocks = with_intervals(some, ["player"], RATIO).row(0)
    assert blocks[1] == whole[1] and blocks[2:] == pytest.approx(whole[2:], abs=0.02)


def two_players(rng, better, count=80, openings=None):
    """Two players who differ little, in openings that differ much."""
    hard = rng.random(count) * 0.8
    rows = [
        (who, at, float(rng.random(20).mean() * 0.05 + hard[at] + lead), 1.0)
        for who, lead in (("a", better), ("b", 0.0), ("c", 0.0))
        for at in range(count)
    ]
    return pl.DataFrame(rows, schema=["player", "opening", "right", "asked"], orient="row")


def test_paired_differences_are_significant_although_intervals_overlap():
    some = two_players(np.random.default_rng(3), 0.02)
    alone = {row[0]: row[1:] for row in with_intervals(some, ["player"], RATIO).iter_rows()}
    assert alone["a"][1] < alone["b"][0]  # the lower end of one below the other
    found = {one[:2]: one for one in differences(some, ["opening"], RATIO["part"], ["a", "b", "c"])}
    assert found["a", "b"].is_sure and found["a", "b"].part == pytest.approx(0.02, abs=0.01)
    assert not found["b", "c"].is_sure and found["b", "c"].units == 80


def test_several_comparisons_are_corrected():
    def one(name, chance):
        return Difference(name, "x", 0.1, 0, 0.2, 9, chance)

    found = intervals._holm_corrected([one("a", 0.02), one("b", 0.03), one("c", 0.9)])
    assert [each.chance for each in found] == pytest.approx([0.06, 0.06, 0.9])
    assert not any(each.is_sure for each in found)


def test_players_who_share_nothing_are_not_compared_and_few_units_are_not_trusted():
    rows = [("a", 1, 1.0, 1.0), ("b", 2, 0.0, 1.0)]
    schema = ["player", "opening", "right", "asked"]
    apart = pl.DataFrame(rows, schema=schema, orient="row")
    assert differences(apart, ["opening"], RATIO["part"], ["a", "b"]) == []
    rows = [(who, at, float(who == "a"), 1.0) for who in "ab" for at in range(4)]
    four = pl.DataFrame(rows, schema=schema, orient="row")
    [found] = differences(four, ["opening"], RATIO["part"], ["a", "b"])
    assert found.part == 1 and not found.is_sure and found.chance == pytest.approx(1 / 8)
    assert found.low < 0.1 and found.high == 1
    tenths = four.with_columns(pl.col("right") * 0.1, asked=pl.Series([1.0, 3, 7, 9] * 2))
    [found] = differences(
        tenths.with_columns(pl.col("right") * pl.col("asked")),
        ["opening"],
        RATIO["part"],
        ["a", "b"],
    )
    assert found.part == pytest.approx(0.1) and not found.is_sure and found.low < 0 < found.high
    same = four.with_columns(right=pl.lit(1.0))
    [found] = differences(same, ["opening"], RATIO["part"], ["a", "b"])
    assert (found.part, found.chance) == (0, 1)
