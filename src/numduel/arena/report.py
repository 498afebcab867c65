"""What an arena found, for people: `report.html` and its pictures, and `players.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
from jinja2 import Environment, PackageLoader

from numduel import __version__
from numduel.arena import plots
from numduel.arena.asked import Asked
from numduel.arena.measures import FAULTS, PERFECT, Strength, Tables

PLAYERS, REPORT = "players.json", "report.html"

_PAGES = Environment(
    loader=PackageLoader("numduel.arena"), autoescape=True, trim_blocks=True, lstrip_blocks=True
)


def write_report(folder: Path, asked: Asked, tables: Tables) -> None:
    """Write these files."""
    strengths = tables.strengths()
    players = summed(tables, strengths)
    text = json.dumps(players, indent=1, ensure_ascii=False)
    (folder / PLAYERS).write_text(f"{text}\n", encoding="utf-8")
    pictures = drawn(tables, strengths)
    for name, picture in pictures.items():
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")
    (folder / REPORT).write_text(page(asked, tables, players, pictures), encoding="utf-8")


def summed(tables: Tables, strengths: list[Strength]) -> list[dict[str, Any]]:
    """All that is known of each player over all games, the strongest first."""
    rows = {row["player"]: row for row in tables.measured().iter_rows(named=True)}
    return [
        {
            **rows.get(one.player, {"player": one.player}),
            "rating": one.fair._asdict(),
            "rating_with_the_seats_as_they_fell": one.plain._asdict(),
        }
        for one in strengths
    ]


def drawn(tables: Tables, strengths: list[Strength]) -> dict[str, str]:
    """The pictures by their names; where no move was judged, only those of the results."""
    order = [one.player for one in strengths]
    found = {"ratings": plots.ratings(strengths), "crossed": plots.crossed(tables, order)}
    if tables.moves.select(pl.col("sound").count()).collect().item():
        found |= {"depths": plots.depths(tables, order), "regrets": plots.regrets(tables, order)}
    return found


def page(
    asked: Asked, tables: Tables, players: list[dict[str, Any]], pictures: dict[str, str]
) -> str:
    """The report, whole: nothing is fetched from anywhere."""
    return _PAGES.get_template("report.html").render(
        asked=asked,
        players=players,
        perfect=PERFECT,
        faults=FAULTS,
        judged="depths" in pictures,
        pictures=pictures,
        settings=tables.measured("setting").to_dicts(),
        version=__version__,
    )
