"""The texts and shapes of pictures, and what cannot be drawn; how they look is not tested."""

import re

import polars as pl
import pytest
from PIL import Image

import numduel
from numduel import SettingsError, TooLarge
from numduel.core.theory import Pairing
from numduel.lab import plot
from numduel.lab.plot import pairing_chart, render_chart, sweep_chart
from numduel.play.analysis import analyze_record


def table(count=40, values=("win", "loss"), **columns):
    numbers = range(1, count + 1)
    return pl.LazyFrame(
        {
            "size": numbers,
            **columns,
            "value": [values[n % len(values)] for n in numbers],
            "distance": [n % 9 if n % 3 else None for n in numbers],
            "winning_first_moves": [[n] for n in numbers],
            "winning_count": [1 for n in numbers],
            "first_moves": numbers,
        }
    )


def texts_and_shapes(chart):
    """Return the texts of a chart, and its number of shapes."""
    svg = render_chart(chart, "svg").decode()
    return re.findall(r"<text[^>]*>([^<]+)</text>", svg), svg.count("<path")


def test_who_wins_over_a_range_has_a_cell_for_each_value():
    texts, shapes = texts_and_shapes(
        sweep_chart(table(120, ("win", "loss", "endless", None)), "value", {})
    )
    for words in (
        "whoever begins wins",
        "the other player wins",
        "nobody can force an end",
        "not known",
    ):
        assert words in texts
    assert "nobody wins" not in texts
    assert {"1", "51", "101"} <= {*texts}  # the first of each row
    assert shapes > 120


@pytest.mark.parametrize(
    ("show", "title"),
    [("openings", "share of the first moves that win"), ("distance", "moves to the end")],
)
def test_numbers_over_a_range_are_points(show, title):
    texts, shapes = texts_and_shapes(sweep_chart(table(), show, {}))
    assert title in texts and "size" in texts
    assert shapes > (40 if show == "openings" else 26)


@pytest.mark.parametrize(
    ("show", "title"),
    [("value", "share of the games"), ("openings", "games"), ("distance", "moves to the end")],
)
def test_many_values_are_drawn_as_shares_and_densities(show, title):
    texts, shapes = texts_and_shapes(sweep_chart(table(10_000), show, {}))
    assert title in texts
    assert shapes < 6_000


@pytest.mark.parametrize("show", ["value", "openings", "distance"])
def test_two_settings_make_a_heat_map(show):
    two = table(60, opening=["any", "even"] * 30)
    texts, _ = texts_and_shapes(sweep_chart(two, show, {}))
    assert {"any", "even", "size", "opening"} <= {*texts}
    assert ("not known" in texts) == (show == "distance")
    one, _ = texts_and_shapes(sweep_chart(two, show, {"opening": "even"}))
    assert "opening" not in one


def test_a_heat_map_may_have_many_cells():
    _, shapes = texts_and_shapes(
        sweep_chart(table(5_100, opening=["any", "even"] * 2_550), "value", {})
    )
    assert shapes > 5_100


def test_tables_that_cannot_be_drawn_are_refused_in_one_line(monkeypatch):
    three = table(60, start=range(60), opening=["any", "even"] * 30)
    with pytest.raises(SettingsError, match="size, start, opening vary: fix all but two"):
        sweep_chart(three, "value", {})
    with pytest.raises(
        SettingsError, match="the sweep has no 'colour'; it has size, start, opening"
    ):
        sweep_chart(three, "value", {"colour": "red"})
    with pytest.raises(SettingsError, match="nothing to draw"):
        sweep_chart(table(3).with_columns(distance=pl.lit(None, pl.Int64)), "distance", {})
    monkeypatch.setattr(plot, "MAX_HEAT_CELLS", 10)
    with pytest.raises(SettingsError, match="at most 10 cells, not 30"):
        sweep_chart(three, "value", {"opening": "any"})


def test_a_game_is_drawn_in_the_order_of_its_moves():
    game = numduel.new("double-or-add", target=31)
    analysis = analyze_record(game, numduel.play_game(game, ("random", "random"), seed=3))
    assert len({*analysis.leads}) == 2
    svg = render_chart(plot.game_chart(analysis, ("Ann", "Ben")), "svg").decode()
    line = re.search(r'aria-roledescription="line mark"[^>]*? d="([^"]+)"', svg)[1]
    across = [float(x) for x in re.findall(r"[ML]([\d.]+)", line)]
    assert across == sorted(across) and len(across) > 10


def test_a_pairing_shows_every_number_and_its_pairs():
    game = numduel.new("multiplicity", size=24)
    texts, _ = texts_and_shapes(pairing_chart(game.theory.pairing(game.start())))
    assert {str(number) for number in range(2, 25)} <= {*texts}
    with pytest.raises(TooLarge, match="at most 120 numbers can be drawn, not 121"):
        pairing_chart(Pairing([], [], range(121)))


def test_a_png_has_twice_the_size(tmp_path):
    path = tmp_path / "plot.png"
    path.write_bytes(render_chart(sweep_chart(table(), "openings", {}), "png"))
    with Image.open(path) as opened:
        assert opened.format == "PNG" and opened.width > 2 * plot.WIDTH_PIXELS
