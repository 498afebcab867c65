"""The results of an arena for people: `report.html`, its plots as SVG, and `players.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
from jinja2 import Environment, PackageLoader

from numduel import __version__
from numduel.arena.intervals import MAX_COMPARED
from numduel.arena.measures import FAULTS, Tables, unplayed
from numduel.arena.rating import Rating
from numduel.arena.run import SPEC_FILE
from numduel.arena.spec import Spec, loads
from numduel.core.errors import SettingsError
from numduel.lab.plot import render_chart, wide

PLAYERS, REPORT = "players.json", "report.html"

BLUE = "#1f5fa8"

ROW = alt.Step(36)

LINE_CHARACTERS = 64
"""A name that is longer goes on in the next line."""

WHOLE: dict[str, Any] = {
    "labelLimit": 0,
    "labelExpr": f"split(replace(datum.label, /(.{{{LINE_CHARACTERS}}})(?=.)/g, '$1\\n'), '\\n')",
}
"""How names are written in plots."""

MIN_DECISIONS_AT_DEPTH = 5
"""A player is not plotted at a depth at which it had fewer decisions."""

BROKEN_SKILL = 0.5
"""A player breaks at the least depth at which it shows less skill than this."""

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
"""What is told of language models beside their moves, with its form."""

_PAGES = Environment(
    loader=PackageLoader("numduel.arena"), autoescape=True, trim_blocks=True, lstrip_blocks=True
)


def write_report(folder: Path, spec: Spec, tables: Tables) -> None:
    """Write the report, its plots and `players.json` into the folder."""
    ratings = tables.ratings()
    order = list(ratings)
    by_depth = _by_depth(tables)
    measured = tables.measured()
    rows = {row["player"]: row for row in breaking(measured, by_depth)}
    none = {name: 0 if kind.is_integer() else None for name, kind in measured.schema.items()}
    players = [
        {**rows.get(who, {**none, "player": who}), "rating": rating._asdict()}
        for who, rating in ratings.items()
    ]
    text = json.dumps(players, indent=1, ensure_ascii=False)
    (folder / PLAYERS).write_text(f"{text}\n", encoding="utf-8")
    plots = _plots(tables, ratings)
    told = {
        "players": players,
        "copies": tables.copies,
        "differences": tables.differences(order) if "depths" in plots else [],
        "settings": tables.measured("setting").to_dicts(),
    }
    write_page(folder, spec, told, plots)


def write_page(folder: Path, spec: Spec, told: dict[str, Any], plots: dict[str, Any]) -> None:
    """Write the report of an arena or of a bench, and its plots.

    It is complete in itself: the browser fetches nothing for it.
    """
    pictures = {name: render_chart(plot, "svg").decode() for name, plot in plots.items()}
    for name, picture in pictures.items():
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")
    models = any(row.get("answers") or row.get("void") for row in told["players"])
    page = _PAGES.get_template("report.html").render(
        **told,
        unplayed=unplayed(folder).rows(),
        spec=spec,
        pictures=pictures,
        faults=[fault for fault in FAULTS if fault not in USAGE],
        usage=USAGE if models else {},
        most_compared=MAX_COMPARED,
        version=__version__,
    )
    (folder / REPORT).write_text(page, encoding="utf-8")


def read_plots(folder: Path) -> dict[str, Any]:
    """Return the plots of a finished arena by name. Raises SettingsError if the folder has none."""
    if not (folder / PLAYERS).exists():
        raise SettingsError(f"{folder} holds no finished arena")
    spec = Spec(**loads((folder / SPEC_FILE).read_text(encoding="utf-8")))
    tables = Tables(folder, spec.players)
    return _plots(tables, tables.ratings())


def _plots(tables: Tables, ratings: dict[str, Rating]) -> dict[str, Any]:
    """Return the plots by name; without that of depths if no move was judged."""
    order = list(ratings)
    found = {"ratings": _ratings(ratings), "crossed": _crossed(tables, order)}
    if tables.moves.select(pl.col("sound").count()).collect().item():
        found["depths"] = depth_plot(_by_depth(tables), order)
    return found


def _by_depth(tables: Tables) -> pl.DataFrame:
    return tables.by_depth().filter(pl.col("decisions") >= MIN_DECISIONS_AT_DEPTH)


def breaking(players: pl.DataFrame, by_depth: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of players, each with the least depth at which it breaks, or None."""
    depth = by_depth.columns[1]
    broken = by_depth.filter(pl.col("skill") < BROKEN_SKILL)
    least = dict(broken.group_by("player").agg(pl.col(depth).min()).iter_rows())
    return [{**row, "breaks_at": least.get(row["player"])} for row in players.iter_rows(named=True)]


def _ratings(ratings: dict[str, Rating]) -> Any:
    """Plot each player's rating with its interval, the strongest on top."""
    rows = [{"player": who, **rating._asdict()} for who, rating in ratings.items()]
    base = alt.Chart(pl.DataFrame(rows)).encode(y=_names(list(ratings)))
    axis = alt.Scale(zero=False)
    bars = base.mark_rule(strokeWidth=3, color=BLUE).encode(
        x=alt.X("low:Q", title="rating, and where it lies at 95 %", scale=axis), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=90, color=BLUE).encode(x="points:Q")
    return wide(bars + points).properties(height=ROW)


def _crossed(tables: Tables, order: list[str]) -> Any:
    """Plot the score of each player (a row) against each other player (a column, by its number)."""
    numbers = {who: str(number) for number, who in enumerate(order, 1)}
    numbered = {who: f"{number}. {who}" for who, number in numbers.items()}
    table = tables.crossed().with_columns(
        pl.col("player").replace_strict(numbered), pl.col("opponent").replace_strict(numbers)
    )
    above = alt.Axis(orient="top", labelAngle=0)
    base = alt.Chart(table).encode(
        x=alt.X("opponent:N", sort=[*numbers.values()], title="against", axis=above),
        y=_names([*numbered.values()]),
    )
    colour = alt.Color("score:Q", scale=alt.Scale(scheme="blueorange", domain=[1, 0]), legend=None)
    boxes = base.mark_rect(opacity=0.55).encode(color=colour)
    score, low, high = (f"format(datum.score{end}, '.0%')" for end in ("", "_low", "_high"))
    lines = f"[{score}, {low} + ' to ' + {high}]"
    text = base.transform_calculate(lines=lines).mark_text(dy=-6).encode(text="lines:N")
    return wide(boxes + text).properties(height=ROW)


def depth_plot(by_depth: pl.DataFrame, order: list[str]) -> Any:
    """Plot the skill of each player, by how far away the win is."""
    depth = by_depth.columns[1]
    below = alt.Legend(orient="bottom", columns=1, symbolOpacity=1, **WHOLE)
    base = alt.Chart(by_depth).encode(
        x=alt.X(
            f"{depth}:Q", title="moves to the end, with best play", axis=alt.Axis(tickMinStep=1)
        ),
        y=alt.Y("skill:Q", title="skill: 0 is random, 1 is perfect"),
        color=alt.Color("player:N", sort=order, title=None, legend=below),
    )
    band = base.mark_area(opacity=0.12).encode(y="skill_low:Q", y2="skill_high:Q")
    return wide(band + base.mark_line(point=True))


def _names(order: list[str]) -> alt.Y:
    """Return an axis with one player below the other, and room for their names."""
    room = alt.Axis(minExtent=7 * min(LINE_CHARACTERS, max(map(len, order))), **WHOLE)
    return alt.Y("player:N", sort=order, title=None, axis=room)
