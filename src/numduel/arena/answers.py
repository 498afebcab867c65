"""What the models of an arena answered, and the games that count for nobody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
from polars import selectors

_TOKENS = ("prompt_tokens", "answer_tokens", "reasoning_tokens")

_COLUMNS: dict[str, Any] = {
    "game": pl.UInt32,
    "setting": pl.String,
    "player": pl.String,
    "kind": pl.String,  # "move", "cut", a fault, or "void"
    "strict": pl.Boolean,
    "seconds": pl.Float64,
    "cost": pl.Float64,
    **dict.fromkeys(_TOKENS, pl.Int64),
}
"""The columns of `answers.jsonl` that are counted."""

_COUNTS = {
    "answers": pl.len(),
    "strict": pl.col("strict").sum(),  # those that have exactly the form that was asked for
    "strictness": pl.col("strict").mean(),
    "answer_seconds": pl.col("seconds").sum(),
    **{name: pl.col(name).sum() for name in _TOKENS},
    "cost": pl.when(pl.col("cost").count() > 0).then(pl.col("cost").sum()),
}


def rated(games: pl.LazyFrame) -> pl.LazyFrame:
    """Return the games without those that ended as an answer was cut off, which nobody lost."""
    return games.filter(pl.col("reason") != "cut")


def with_answers(players: pl.DataFrame, folder: Path, keys: list[str]) -> pl.DataFrame:
    """Return a table of players with what they answered, and the games that are cut or void."""
    games = pl.scan_parquet(folder / "games.parquet")
    path, answers = folder / "answers.jsonl", pl.LazyFrame(schema=_COLUMNS)
    if path.exists():
        answers = pl.scan_ndjson(path, schema=_COLUMNS)
    answers = answers.with_columns(key=pl.col("setting").str.split(":").list.first())
    last = answers.group_by("game", maintain_order=True).last()
    unplayed = last.filter(kind="void").join(games, on="game", how="anti")
    cut = last.filter(kind="cut").join(games.filter(reason="cut"), on="game", how="semi")
    for counts in (
        answers.filter(pl.col("kind") != "void").group_by(keys).agg(**_COUNTS),
        unplayed.group_by(keys).agg(void=pl.len()),
        cut.group_by(keys).agg(cut=pl.len()),
    ):
        joined = counts.collect(engine="streaming")
        players = players.join(joined, on=keys, how="full", coalesce=True, nulls_equal=True)
    return players.with_columns(selectors.integer().fill_null(0))
