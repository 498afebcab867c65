"""Writes the results of an arena for people: a page, its plots as SVG, and `players.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
from jinja2 import Environment, PackageLoader

from numduel import __version__
from numduel.arena.intervals import MAX_COMPARED_PLAYERS
from numduel.arena.measures import FAULTS, Tables, void_causes
from numduel.arena.rating import Rating
from numduel.arena.run import SPEC_FILE
from numduel.arena.spec import Spec, parse_fields
from numduel.core.errors import SettingsError
from numduel.lab.plot import render_chart, wide

PLAYERS_FILE, REPORT_FILE = "players.json", "report.html"

BLUE = "#1f5fa8"

ROW_HEIGHT = alt.Step(36)

MAX_LINE_CHARACTERS = 64
"""Longer names are broken into several lines."""

_LINE_END = f"/(.{{{MAX_LINE_CHARACTERS}}})(?=.)/g"

UNCUT_NAMES: dict[str, Any] = {
    "labelLimit": 0,
    "labelExpr": f"split(replace(datum.label, {_LINE_END}, '$1\\n'), '\\n')",
}
"""Lets Vega write long names in several lines instead of cutting them off."""

MIN_DECISIONS_AT_DEPTH = 5
"""A player is not plotted at a depth at which it had fewer decisions."""

BROKEN_SKILL = 0.5
"""A player breaks at the smallest depth at which its skill is below this."""

USAGE = {
    "void": "{:,}",
    "cut": "{:,}",
    "refused": "{:,}",
    "strictness": "{:.0%}",
    "prompt_tokens": "{:,}",
    "answer_tokens": "{:,}",
    "reasoning_tokens": "{:,}",
    "cost": "{:,.2f}",
}
"""The columns about language models in the table of players, with their formats."""

_REPORT_TEMPLATES = Environment(
    loader=PackageLoader("numduel.arena"), autoescape=True, trim_blocks=True, lstrip_blocks=True
)


def write_report(folder: Path, spec: Spec, tables: Tables) -> None:
    """Write the report, its plots and `players.json` into the folder."""
    ratings = tables.ratings()
    measures = tables.player_measures()
    rows = {row["player"]: row for row in with_breaking_depth(measures, _by_depth(tables))}
    empty = {name: 0 if kind.is_integer() else None for name, kind in measures.schema.items()}
    players = [
        {**rows.get(who, {**empty, "player": who}), "rating": rating._asdict()}
        for who, rating in ratings.items()
    ]
    text = json.dumps(players, indent=1, ensure_ascii=False)
    (folder / PLAYERS_FILE).write_text(f"{text}\n", encoding="utf-8")
    plots = _plots(tables, ratings)
    values = {
        "players": players,
        "copies": tables.copies,
        "differences": tables.differences(list(ratings)) if "depths" in plots else [],
        "settings": tables.player_measures("setting").to_dicts(),
    }
    write_page(folder, spec, values, plots)


def write_page(folder: Path, spec: Spec, values: dict[str, Any], plots: dict[str, Any]) -> None:
    """Write the report of an arena or of a bench, and its plots.

    The page is self-contained: the browser fetches nothing else for it.
    """
    pictures = {name: render_chart(plot, "svg").decode() for name, plot in plots.items()}
    for name, picture in pictures.items():
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")
    has_models = any(row.get("answers") or row.get("void") for row in values["players"])
    page = _REPORT_TEMPLATES.get_template("report.html").render(
        **values,
        unplayed=void_causes(folder).rows(),
        spec=spec,
        pictures=pictures,
        faults=[fault for fault in FAULTS if fault not in USAGE],
        usage=USAGE if has_models else {},
        max_compared=MAX_COMPARED_PLAYERS,
        version=__version__,
    )
    (folder / REPORT_FILE).write_text(page, encoding="utf-8")


def read_plots(folder: Path) -> dict[str, Any]:
    """Return the plots of a finished arena by name. Raises SettingsError if there is no arena."""
    if not (folder / PLAYERS_FILE).exists():
        raise SettingsError(f"{folder} holds no finished arena")
    spec = Spec(**parse_fields((folder / SPEC_FILE).read_text(encoding="utf-8")))
    tables = Tables(folder, spec.players)
    return _plots(tables, tables.ratings())


def _plots(tables: Tables, ratings: dict[str, Rating]) -> dict[str, Any]:
    """Return the plots by name. There is no plot of depths if no move was judged."""
    order = list(ratings)
    plots = {"ratings": _rating_plot(ratings), "crossed": _score_plot(tables, order)}
    if tables.moves.select(pl.col("sound").count()).collect().item():
        plots["depths"] = depth_plot(_by_depth(tables), order)
    return plots


def _by_depth(tables: Tables) -> pl.DataFrame:
    return tables.by_depth().filter(pl.col("decisions") >= MIN_DECISIONS_AT_DEPTH)


def with_breaking_depth(players: pl.DataFrame, by_depth: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of the players, each with the depth at which it breaks, or None."""
    depth = by_depth.columns[1]
    broken = by_depth.filter(pl.col("skill") < BROKEN_SKILL)
    depths = dict(broken.group_by("player").agg(pl.col(depth).min()).iter_rows())
    return [
        {**row, "breaks_at": depths.get(row["player"])} for row in players.iter_rows(named=True)
    ]


def _rating_plot(ratings: dict[str, Rating]) -> Any:
    """Plot the rating of each player with its interval, the strongest player on top."""
    rows = [{"player": who, **rating._asdict()} for who, rating in ratings.items()]
    base = alt.Chart(pl.DataFrame(rows)).encode(y=_player_axis(list(ratings)))
    axis = alt.Scale(zero=False)
    bars = base.mark_rule(strokeWidth=3, color=BLUE).encode(
        x=alt.X("low:Q", title="rating and 95 % interval", scale=axis), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=90, color=BLUE).encode(x="points:Q")
    return wide(bars + points).properties(height=ROW_HEIGHT)


def _score_plot(tables: Tables, order: list[str]) -> Any:
    """Plot the score of each player (a row) against each other player (a column with a number)."""
    numbers = {who: str(number) for number, who in enumerate(order, 1)}
    row_labels = {who: f"{number}. {who}" for who, number in numbers.items()}
    table = tables.head_to_head().with_columns(
        pl.col("player").replace_strict(row_labels), pl.col("opponent").replace_strict(numbers)
    )
    above = alt.Axis(orient="top", labelAngle=0)
    base = alt.Chart(table).encode(
        x=alt.X("opponent:N", sort=[*numbers.values()], title="against", axis=above),
        y=_player_axis([*row_labels.values()]),
    )
    colour = alt.Color("score:Q", scale=alt.Scale(scheme="blueorange", domain=[1, 0]), legend=None)
    boxes = base.mark_rect(opacity=0.55).encode(color=colour)
    score, low, high = (f"format(datum.score{end}, '.0%')" for end in ("", "_low", "_high"))
    lines = f"[{score}, {low} + ' to ' + {high}]"
    text = base.transform_calculate(lines=lines).mark_text(dy=-6).encode(text="lines:N")
    return wide(boxes + text).properties(height=ROW_HEIGHT)


def depth_plot(by_depth: pl.DataFrame, order: list[str]) -> Any:
    """Plot the skill of each player by the number of moves to the end."""
    depth = by_depth.columns[1]
    below = alt.Legend(orient="bottom", columns=1, symbolOpacity=1, **UNCUT_NAMES)
    base = alt.Chart(by_depth).encode(
        x=alt.X(
            f"{depth}:Q", title="moves to the end, with best play", axis=alt.Axis(tickMinStep=1)
        ),
        y=alt.Y("skill:Q", title="skill: 0 is random, 1 is perfect"),
        color=alt.Color("player:N", sort=order, title=None, legend=below),
    )
    band = base.mark_area(opacity=0.12).encode(y="skill_low:Q", y2="skill_high:Q")
    return wide(band + base.mark_line(point=True))


def _player_axis(order: list[str]) -> alt.Y:
    """Return a vertical axis of players with room for their names."""
    room = alt.Axis(minExtent=7 * min(MAX_LINE_CHARACTERS, max(map(len, order))), **UNCUT_NAMES)
    return alt.Y("player:N", sort=order, title=None, axis=room)
