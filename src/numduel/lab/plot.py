"""Pictures of sweeps, analysed games and pairings, which are clear in grey as well as in colour."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Literal

import altair as alt
import polars as pl
import vl_convert

from numduel.core.errors import SettingsError, TooLarge
from numduel.core.theory import Pairing
from numduel.play.analysis import Analysis

Format = Literal["svg", "png"]
Show = Literal["value", "openings", "distance"]

WIDTH_PIXELS = 560
PNG_SCALE = 2

DARK, LIGHT = "#1f4e8c", "#f3cf86"

SHADES = {
    "win": ("whoever begins wins", DARK),
    "endless": ("nobody can force an end", "#9a9a9a"),
    "draw": ("nobody wins", "#c4c4c4"),
    "loss": ("the other player wins", LIGHT),
}
"""The words in the legend for each value, and its colour: from dark to light."""

NOT_KNOWN = ("not known", "#ffffff")

MAX_DRAWN_VALUES = 3_000
"""If a range has more values, shares and densities are drawn instead of single values."""

ROW_CELLS = 50
"""Number of values of a range in one row."""

BINS = 120

MAX_HEAT_CELLS = 20_000

MAX_VERTICES = 120
"""Maximum number of vertices in the picture of a pairing."""

LAYOUT_ROUNDS = 24

ROW_SHIFT = 0.03
"""How far rows are shifted, to keep lines that skip a row away from its numbers."""


def render_chart(chart: Any, form: Format) -> bytes:
    """Return the content of an image file with this chart."""
    styled = chart.configure(font="sans-serif", background="white").configure_view(stroke=None)
    with alt.data_transformers.disable_max_rows():  # we have our own limits
        spec = styled.to_dict()
    if form == "svg":
        return str(vl_convert.vegalite_to_svg(spec)).encode()
    return bytes(vl_convert.vegalite_to_png(spec, scale=PNG_SCALE))


def wide(chart: Any) -> Any:
    """Return the chart in the common width of all pictures."""
    return chart.properties(width=WIDTH_PIXELS)


# Sweeps.


def sweep_chart(table: pl.LazyFrame, show: Show, where: Mapping[str, str]) -> Any:
    """Return the chart of a sweep, over the one or two settings that vary.

    `where` fixes the values of other settings. Raises SettingsError if more than two settings vary,
    if there is nothing to draw, or if there are too many values.
    """
    names = table.collect_schema().names()
    settings = names[: names.index("value")]
    for name, value in where.items():
        if name not in settings:
            raise SettingsError(f"the sweep has no {name!r}; it has {', '.join(settings)}")
        table = table.filter(pl.col(name).cast(pl.String) == value)
    shown = {
        "value": pl.col("value"),
        "openings": pl.col("winning_count") / pl.col("first_moves"),
        "distance": pl.col("distance").cast(pl.Float64),
    }
    rows = table.select(*settings, "value", shown=shown[show]).collect()
    known = rows.drop_nulls("shown")
    if known.is_empty():
        raise SettingsError("the sweep has nothing to draw here")
    varying = [name for name in settings if rows[name].n_unique() > 1] or settings[:1]
    if len(varying) > 2:
        raise SettingsError(
            f"{', '.join(varying)} vary: fix all but two of them, as in "
            f"--where {varying[-1]}={rows[varying[-1]][0]}"
        )
    rows = rows.sort(varying)
    if len(varying) == 2:
        return _heat_map(rows, varying[0], varying[1], show)
    is_small = len(rows) <= MAX_DRAWN_VALUES
    if show == "value":
        return (_strip if is_small else _stacked_bars)(rows, varying[0])
    return (_points if is_small else _density)(known, varying[0], show)


TITLES = {"openings": "share of the first moves that win", "distance": "moves to the end"}


def _legend(rows: pl.DataFrame) -> tuple[pl.DataFrame, alt.Color]:
    """Return the rows with a column `words` for their values, and the colour encoding of it."""
    values = rows["value"].unique()
    words = {value: text for value, (text, _) in SHADES.items()}
    used = [shade for value, shade in SHADES.items() if value in values]
    used += [NOT_KNOWN] if None in values else []
    scale = alt.Scale(domain=[text for text, _ in used], range=[colour for _, colour in used])
    legend = alt.Legend(orient="top", labelLimit=300, symbolStrokeColor="black")
    column = pl.col("value").replace(words).fill_null(NOT_KNOWN[0])
    colour = alt.Color("words:N", title=None, scale=scale, legend=legend)
    return rows.with_columns(words=column), colour


def _strip(rows: pl.DataFrame, x: str) -> Any:
    """Draw who wins at each value of a setting, in rows like lines of text."""
    rows, colour = _legend(rows.with_row_index("place"))
    rows = rows.with_columns(
        column=pl.col("place") % ROW_CELLS,
        row=pl.col(x).first().over(pl.col("place") // ROW_CELLS),
    )
    axis = alt.Axis(title=f"{x}: after the first one in the row", orient="top", tickCount=10)
    return alt.Chart(rows).mark_rect(stroke="#777777", strokeWidth=0.3).encode(
        x=alt.X("column:O", axis=axis),
        y=alt.Y("row:O", title=f"{x}: the first one in the row", sort=None),
        color=colour,
    ).properties(width=alt.Step(11), height=alt.Step(11))  # fmt: skip


def _stacked_bars(rows: pl.DataFrame, x: str) -> Any:
    """Draw the share of each value, in bins along a setting."""
    rows, colour = _legend(rows)
    bins = _with_bins(rows, x, BINS).group_by("words", x, f"{x}_end").len()
    share = alt.Axis(title="share of the games", format="%")
    return alt.Chart(bins).mark_bar().encode(
        x=_range_axis(x),
        x2=f"{x}_end:Q",
        y=alt.Y("len:Q", stack="normalize", axis=share),
        color=colour,
    ).properties(width=WIDTH_PIXELS, height=140)  # fmt: skip


def _points(rows: pl.DataFrame, x: str, show: Show) -> Any:
    """Draw a number at each value of a setting, in the colour of its verdict."""
    rows, colour = _legend(rows)
    return alt.Chart(rows).mark_point(filled=True, size=22, stroke="black", strokeWidth=0.5).encode(
        x=_range_axis(x), y=_shown_axis(show), color=colour
    ).properties(width=WIDTH_PIXELS, height=300)  # fmt: skip


def _density(rows: pl.DataFrame, x: str, show: Show) -> Any:
    """Draw the density of games, which are too many for points."""
    bins = _with_bins(_with_bins(rows, x, BINS), "shown", BINS // 2)
    cells = bins.group_by(x, f"{x}_end", "shown", "shown_end").len()
    scale = alt.Scale(type="log", scheme="greys", domainMin=0.5)
    return alt.Chart(cells).mark_rect().encode(
        x=_range_axis(x),
        x2=f"{x}_end:Q",
        y=_shown_axis(show),
        y2="shown_end:Q",
        color=alt.Color("len:Q", title="games", scale=scale),
    ).properties(width=WIDTH_PIXELS, height=300)  # fmt: skip


def _heat_map(rows: pl.DataFrame, x: str, y: str, show: Show) -> Any:
    """Draw one cell for each combination of two settings."""
    if len(rows) > MAX_HEAT_CELLS:
        raise SettingsError(
            f"a heat map has at most {MAX_HEAT_CELLS:,} cells, not {len(rows):,}: "
            "sweep a smaller range"
        )
    step = max(2.0, WIDTH_PIXELS / max(rows[x].n_unique(), rows[y].n_unique()))
    size = alt.Step(min(step, 24.0))
    known, colour = _legend(rows.drop_nulls("shown"))
    if show != "value":
        colour = alt.Color("shown:Q", title=TITLES[show], scale=alt.Scale(scheme="greys"))
    unknown = rows.filter(pl.col("shown").is_null()).with_columns(words=pl.lit(NOT_KNOWN[0]))
    cell = {
        "x": alt.X(f"{x}:O", axis=alt.Axis(labelOverlap=True)),
        "y": alt.Y(f"{y}:O", sort="descending", axis=alt.Axis(labelOverlap=True)),
    }
    drawn = alt.Chart(known).mark_rect().encode(**cell, color=colour)
    if len(unknown):
        legend = alt.Legend(orient="top")
        cross = alt.Shape("words:N", title=None, scale=alt.Scale(range=["cross"]), legend=legend)
        crosses = alt.Chart(unknown).mark_point(filled=True, size=step * step / 6, color="black")
        drawn += crosses.encode(**cell, shape=cross)
    return drawn.properties(width=size, height=size)


def _with_bins(rows: pl.DataFrame, name: str, count: int) -> pl.DataFrame:
    """Replace each value in a column by the start of its bin, and add a column with the end."""
    low, high = rows.select(low=pl.min(name), high=pl.max(name)).row(0)
    width = (high - low) / count or 1.0
    begin = ((pl.col(name) - low) / width).floor().clip(0, count - 1) * width + low
    return rows.with_columns(begin.alias(name), (begin + width).alias(f"{name}_end"))


def _range_axis(x: str) -> alt.X:
    return alt.X(f"{x}:Q", title=x, scale=alt.Scale(zero=False, nice=False))


def _shown_axis(show: Show) -> alt.Y:
    form = alt.Axis(title=TITLES[show], format="%" if show == "openings" else "d")
    return alt.Y("shown:Q", axis=form)


# One game.


def game_chart(analysis: Analysis, names: tuple[str, str]) -> Any:
    """Return the chart of who was winning after each move.

    A move that gave something away is marked by a cross and has its label.
    """
    nobody = "nobody"
    leads = [(nobody, *names)[lead] for lead in analysis.leads]
    rows = [{"turn": 0, "lead": leads[0], "move": "sound", "label": ""}]
    rows += [
        {
            "turn": step.turn,
            "lead": lead,
            "move": "sound" if step.sound else "gave something away",
            "label": "" if step.sound else step.label,
        }
        for step, lead in zip(analysis.steps, leads[1:], strict=True)
    ]
    base = alt.Chart(pl.DataFrame(rows)).encode(
        x=alt.X("turn:Q", title="moves made", axis=alt.Axis(tickMinStep=1, format="d")),
        y=alt.Y("lead:N", title="who is winning", sort=[names[0], nobody, names[1]]),
    )
    kinds = alt.Scale(domain=["sound", "gave something away"], range=["circle", "cross"])
    shape = alt.Shape("move:N", title=None, scale=kinds, legend=alt.Legend(orient="top"))
    points = base.mark_point(filled=True, size=90, color=DARK, opacity=1).encode(shape=shape)
    text = base.mark_text(dy=-14).encode(text="label:N")
    line = base.mark_line(interpolate="step-after", color="#777777").encode(order="turn:Q")
    return (line + points + text).properties(width=WIDTH_PIXELS, height=alt.Step(60))


# Pairings.


def pairing_chart(pairing: Pairing) -> Any:
    """Return the chart of a graph and its pairing. Raises TooLarge if it would be illegible."""
    numbers = sorted({number for edge in pairing.edges for number in edge} | {*pairing.missed})
    if len(numbers) > MAX_VERTICES:
        raise TooLarge(f"at most {MAX_VERTICES} numbers can be drawn, not {len(numbers):,}")
    row, across = _layout(numbers, pairing)
    paired = {*pairing.pairs}
    edges = [
        {"x": across[a], "y": row[a], "x2": across[b], "y2": row[b], "paired": (a, b) in paired}
        for a, b in sorted(pairing.edges, key=lambda edge: edge in paired)
    ]
    points = [
        {"x": across[n], "y": row[n], "n": str(n), "missed": n in pairing.missed} for n in numbers
    ]
    hidden = alt.Axis(labels=False, ticks=False, grid=False, domain=False, title=None)
    x = alt.X("x:Q", axis=hidden)
    y = alt.Y("y:Q", axis=hidden, scale=alt.Scale(zero=False, padding=20))
    lines = alt.Chart(pl.DataFrame(edges)).mark_rule().encode(
        x=x,
        y=y,
        x2="x2:Q",
        y2="y2:Q",
        color=alt.condition(alt.datum.paired, alt.value("black"), alt.value("#bbbbbb")),
        size=alt.condition(alt.datum.paired, alt.value(4), alt.value(0.7)),
    )  # fmt: skip
    base = alt.Chart(pl.DataFrame(points)).encode(x=x, y=y)
    fill = alt.condition(alt.datum.missed, alt.value(DARK), alt.value("white"))
    ink = alt.condition(alt.datum.missed, alt.value("white"), alt.value("black"))
    discs = base.mark_circle(size=480, stroke="black", opacity=1).encode(color=fill)
    title = "Thick lines are the pairs. A step to a dark number wins: some pairing leaves it out."
    drawn = lines + discs + base.mark_text(fontSize=12).encode(text="n:N", color=ink)
    return drawn.properties(width=WIDTH_PIXELS, height=90 * max(row.values()), title=title)


def _layout(numbers: Sequence[int], pairing: Pairing) -> tuple[dict[int, int], dict[int, float]]:
    """Return the row of each number, and its place in the row, near the numbers joined to it."""
    joined: dict[int, list[int]] = defaultdict(list)
    for a, b in (*pairing.edges, *pairing.pairs, *pairing.pairs):  # pairs count three times
        joined[a].append(b)
        joined[b].append(a)
    row: dict[int, int] = {}
    for number in numbers:
        row[number] = 1 + max((row[n] for n in joined[number] if n < number), default=0)
    rows = [[n for n in numbers if row[n] == each] for each in sorted({*row.values()})]
    across = {n: (place + 0.5) / len(each) for each in rows for place, n in enumerate(each)}
    for _ in range(LAYOUT_ROUNDS):
        for each in rows:
            each.sort(key=lambda n: fmean(across[m] for m in joined[n] or [n]))
            across |= {n: (place + 0.5) / len(each) for place, n in enumerate(each)}
    shifted = {n: place + ROW_SHIFT * (row[n] % 3) for n, place in across.items()}
    return row, shifted
