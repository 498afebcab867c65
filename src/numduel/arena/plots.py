"""The pictures of a report, as SVG: no script is needed to see them."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl
import vl_convert

from numduel.arena.measures import PERFECT, Strength, Tables

WIDTH = 560
BLUE = "#1f5fa8"


def ratings(strengths: list[Strength]) -> str:
    """Each player's rating with its interval, the strongest on top."""
    rows = [{"player": one.player, **one.fair._asdict()} for one in strengths]
    order = [one.player for one in strengths]
    base = alt.Chart(pl.DataFrame(rows)).encode(
        y=_names(order),
        opacity=alt.condition(alt.datum.player == PERFECT, alt.value(0.5), alt.value(1)),
    )
    axis = alt.Scale(zero=False)
    bars = base.mark_rule(strokeWidth=3, color=BLUE).encode(
        x=alt.X("low:Q", title="rating, and where it lies at 95 %", scale=axis), x2="high:Q"
    )
    return _svg(bars + base.mark_point(filled=True, size=90, color=BLUE).encode(x="points:Q"))


def crossed(tables: Tables, order: list[str]) -> str:
    """What each player (a row) scored against each other one (a column)."""
    base = alt.Chart(tables.crossed()).encode(
        x=alt.X("opponent:N", sort=order, title="against", axis=alt.Axis(orient="top")),
        y=_names(order),
    )
    colour = alt.Color("score:Q", scale=alt.Scale(scheme="blueorange", domain=[1, 0]), legend=None)
    boxes = base.mark_rect(opacity=0.55).encode(color=colour)
    text = base.mark_text().encode(text=alt.Text("score:Q", format=".0%"))
    return _svg(boxes + text)


def depths(tables: Tables, order: list[str]) -> str:
    """How often a sound move was found, by how far off the win was."""
    rows = tables.by_depth().filter(pl.col("moves") >= 5)
    base = alt.Chart(rows).encode(
        x=alt.X("best_distance:Q", title="moves to the win, with best play"),
        y=alt.Y("part:Q", title="sound moves", axis=alt.Axis(format="%")),
        color=alt.Color("player:N", sort=order, title=None),
    )
    band = base.mark_area(opacity=0.12).encode(y="low:Q", y2="high:Q")
    return _svg(band + base.mark_line(point=True))


def regrets(tables: Tables, order: list[str]) -> str:
    """What each player gave away in each game, for each move where it mattered."""
    chart = alt.Chart(tables.measured("key")).mark_bar(color=BLUE).encode(
        x=alt.X("regret_where_it_mattered:Q", title="points given away a move"),
        y=_names(order),
        row=alt.Row("key:N", title=None, header=alt.Header(labelAngle=0, labelAlign="left")),
    )  # fmt: skip
    return _svg(chart)


def _names(order: list[str]) -> alt.Y:
    """The players, one below the other, with room for their names."""
    room = alt.Axis(minExtent=7 * min(30, max(map(len, order))), labelLimit=210)
    return alt.Y("player:N", sort=order, title=None, axis=room)


def _svg(chart: Any) -> str:
    sized = chart.properties(width=WIDTH)
    look = sized.configure(font="sans-serif", background="white").configure_view(stroke=None)
    return str(vl_convert.vegalite_to_svg(look.to_dict()))
