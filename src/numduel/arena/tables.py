"""The two tables of an arena, games and moves, from its log and its plan."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from numduel.arena.log import Log
from numduel.arena.plan import Plan, Planned
from numduel.arena.truth import Worth
from numduel.core.verdict import SCORES

A_PART = 20_000
"""Games that are held in memory at once."""

A_GROUP = 100_000
"""Rows of a group in a file."""

GAMES: dict[str, Any] = {
    "game": pl.UInt32,  # its number in the plan
    "key": pl.String,
    "setting": pl.String,  # as it is asked for: `multiplicity:size=30`
    "round": pl.UInt32,
    "seat1": pl.String,  # who began
    "seat2": pl.String,
    "opening": pl.List(pl.Int64),  # the moves before anybody was asked
    "to_move": pl.UInt8,  # the seat that was asked first
    "start": pl.String,  # what best play led to from there, for that seat
    "favoured": pl.UInt8,  # the seat that could win, or was asked first where neither could
    "moves": pl.UInt32,  # that the players made
    "winner": pl.UInt8,
    "reason": pl.String,
    "fault_seat": pl.UInt8,  # who lost otherwise than by the rules
    "fault": pl.String,
    "why": pl.String,
}

MOVES: dict[str, Any] = {
    "game": pl.UInt32,
    "ply": pl.UInt32,  # counted from the beginning, the opening included
    "seat": pl.UInt8,
    "player": pl.String,
    "setting": pl.String,
    "move": pl.Int64,
    "legal": pl.UInt32,  # how many moves there were
    "best": pl.String,  # what the best of them led to
    "best_distance": pl.UInt32,
    "value": pl.String,  # what this one led to
    "distance": pl.UInt32,
    "mattered": pl.Boolean,  # whether some moves kept what there was, and some did not
    "sound": pl.Boolean,  # whether this one did
    "regret": pl.Float32,  # what it gave away, in points: a win is worth 1, a draw ½
    "delay": pl.Int32,  # of a sound move: by how many moves the end was put off, or hastened
}


def write_tables(folder: Path, plan: Plan, log: Log) -> None:
    """Write `games.parquet` and `moves.parquet`, ordered by number, in bounded memory."""
    lines = log.games()
    with TemporaryDirectory(dir=folder) as parts:
        count = 0
        while some := list(islice(lines, A_PART)):
            _games(plan, some).write_parquet(Path(parts) / f"games.{count:06}")
            _moves(plan, some).write_parquet(Path(parts) / f"moves.{count:06}")
            count += 1
        for name in ("games", "moves"):
            whole = pl.scan_parquet(Path(parts) / f"{name}.*", glob=True)
            whole.sink_parquet(Path(parts) / name, row_group_size=A_GROUP, maintain_order=True)
            (Path(parts) / name).replace(folder / f"{name}.parquet")


def _games(plan: Plan, lines: list[dict[str, Any]]) -> pl.DataFrame:
    rows = []
    for line in lines:
        planned = plan[line["game"]]
        to_move = _to_move(planned, line)
        start = line.get("start")
        rows.append(
            (
                planned.number,
                planned.game.key,
                plan.label(planned.number),
                planned.round,
                *planned.players,
                planned.opening,
                to_move,
                start,
                3 - to_move if start == "loss" else to_move,
                len(line["moves"]),
                line["winner"],
                line["reason"],
                *line.get("fault", (None, None, None)),
            )
        )
    return pl.DataFrame(rows, schema=GAMES, orient="row")


def _to_move(planned: Planned, line: dict[str, Any]) -> int:
    if line["seats"]:
        return int(line["seats"][0])
    position = planned.game.start()
    for move in planned.opening:
        position = planned.game.after(position, move)
    return int(position.mover)


def _moves(plan: Plan, lines: list[dict[str, Any]]) -> pl.DataFrame:
    columns: dict[str, list[Any]] = {name: [] for name in MOVES if name not in _DERIVED}
    given = [columns[name] for name in Worth._fields]
    for line in lines:
        number, count = line["game"], len(line["moves"])
        players, opening = plan.seats(number), len(plan[number].opening)
        seats = [int(seat) for seat in line["seats"]]
        columns["game"] += [number] * count
        columns["ply"] += range(opening, opening + count)
        columns["seat"] += seats
        columns["player"] += [players[seat - 1] for seat in seats]
        columns["setting"] += [plan.label(number)] * count
        columns["move"] += line["moves"]
        worths = line.get("worth") or [None] * count
        for column, values in zip(
            given, zip(*(worth or UNKNOWN for worth in worths), strict=True), strict=False
        ):
            column += values
    schema = {name: MOVES[name] for name in columns}
    return pl.DataFrame(columns, schema=schema).with_columns(**_DERIVED).select(*MOVES)


UNKNOWN = (None,) * len(Worth._fields)

_score, _best_score = (pl.col(name).replace_strict(SCORES) for name in ("value", "best"))
_further = pl.col("distance").cast(pl.Int32) - pl.col("best_distance").cast(pl.Int32)

_DERIVED = {
    "sound": _score >= _best_score,
    "regret": (_best_score - _score).cast(MOVES["regret"]),
    "delay": pl.when(best="win", value="win").then(_further)
    .when(best="loss", value="loss").then(-_further),
}  # fmt: skip
