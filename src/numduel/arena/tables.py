"""The two tables of an arena, games and moves, from its log and its plan."""

from __future__ import annotations

from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from numduel.arena.log import GameLine, Log
from numduel.arena.plan import Plan, Planned
from numduel.arena.playing import Worth
from numduel.core.verdict import SCORES
from numduel.core.words import retraced

MAX_GAMES_IN_MEMORY = 20_000

PARQUET_GROUP_ROWS = 100_000

GAME_COLUMNS: dict[str, Any] = {
    "game": pl.UInt32,  # its number in the plan
    "key": pl.String,
    "setting": pl.String,  # with its game, as in the spec: `multiplicity:size=30`
    "round": pl.UInt32,
    "seat1": pl.String,  # who began
    "seat2": pl.String,
    "opening": pl.List(pl.Int64),  # the moves before anybody was asked
    "to_move": pl.UInt8,  # the seat that was asked first
    "start": pl.String,  # the value of that position for that seat
    "favoured": pl.UInt8,  # the seat that could win; if neither could, `to_move`
    "moves": pl.UInt32,  # number of moves without the opening
    "winner": pl.UInt8,
    "reason": pl.String,
    "fault_seat": pl.UInt8,  # who lost by a fault and not by the rules
    "fault": pl.String,
    "why": pl.String,
    "line": pl.UInt64,  # equal for games that are copies of each other
}

MOVES: dict[str, Any] = {
    "game": pl.UInt32,
    "ply": pl.UInt32,  # number of moves before it, with the opening
    "seat": pl.UInt8,
    "player": pl.String,
    "setting": pl.String,
    "move": pl.Int64,
    "legal": pl.UInt32,  # how many moves there were
    "right": pl.UInt32,  # how many of them were sound
    "best": pl.String,  # value of the best of them
    "best_distance": pl.UInt32,
    "value": pl.String,  # value of this one
    "distance": pl.UInt32,
    "mattered": pl.Boolean,  # whether some moves were sound and some were not
    "sound": pl.Boolean,  # whether its value has the score of the best one
    "regret": pl.Float32,  # the points that it gave away: a win is worth 1, a draw ½
    "delay": pl.Int32,  # of a sound move: how many moves later the win or sooner the loss comes
}


def write_tables(folder: Path, plan: Plan, log: Log) -> None:
    """Write `games.parquet` and `moves.parquet`, ordered by number, in bounded memory."""
    lines = log.games()
    with TemporaryDirectory(dir=folder) as parts:
        count = 0
        while (some := list(islice(lines, MAX_GAMES_IN_MEMORY))) or not count:
            _games(plan, some).write_parquet(Path(parts) / f"games.{count:06}")
            _moves(plan, some).write_parquet(Path(parts) / f"moves.{count:06}")
            count += 1
        for name in ("games", "moves"):
            whole = pl.scan_parquet(Path(parts) / f"{name}.*", glob=True)
            whole.sink_parquet(
                Path(parts) / name, row_group_size=PARQUET_GROUP_ROWS, maintain_order=True
            )
            (Path(parts) / name).replace(folder / f"{name}.parquet")


def _games(plan: Plan, lines: list[GameLine]) -> pl.DataFrame:
    rows = []
    for line in lines:
        planned = plan[line.game]
        to_move = _to_move(planned, line)
        rows.append(
            (
                planned.number,
                planned.game.key,
                plan.label(planned.number),
                planned.round,
                *planned.players,
                planned.opening,
                to_move,
                line.start,
                3 - to_move if line.start == "loss" else to_move,
                len(line.moves),
                line.winner,
                line.reason,
                *(line.fault or (None, None, None)),
                _digest(plan.label(planned.number), planned, line),
            )
        )
    return pl.DataFrame(rows, schema=GAME_COLUMNS, orient="row")


def _digest(setting: str, planned: Planned, line: GameLine) -> int:
    played = setting, planned.players, planned.opening, line.moves, line.winner, line.fault
    return int.from_bytes(sha256(repr(played).encode()).digest()[:8], "big")


def _to_move(planned: Planned, line: GameLine) -> int:
    if line.seats:
        return int(line.seats[0])
    position, _ = retraced(planned.game, 1, planned.opening)
    return int(position.mover)


def _moves(plan: Plan, lines: list[GameLine]) -> pl.DataFrame:
    columns: dict[str, list[Any]] = {name: [] for name in MOVES if name not in _DERIVED}
    given = [columns[name] for name in Worth._fields]
    for line in lines:
        number, count = line.game, len(line.moves)
        players, opening = plan.seats(number), len(plan[number].opening)
        seats = [int(seat) for seat in line.seats]
        columns["game"] += [number] * count
        columns["ply"] += range(opening, opening + count)
        columns["seat"] += seats
        columns["player"] += [players[seat - 1] for seat in seats]
        columns["setting"] += [plan.label(number)] * count
        columns["move"] += line.moves
        worths = ((*(worth or ()), *NOT_JUDGED) for worth in line.worth or [None] * count)
        for column, values in zip(given, zip(*worths, strict=False), strict=False):
            column += values
    schema = {name: MOVES[name] for name in columns}
    return pl.DataFrame(columns, schema=schema).with_columns(**_DERIVED).select(*MOVES)


NOT_JUDGED = (None,) * len(Worth._fields)
"""Fills up the worth of a move that was not judged, or judged by an earlier version."""

_score, _best_score = (pl.col(name).replace_strict(SCORES) for name in ("value", "best"))
_further = pl.col("distance").cast(pl.Int32) - pl.col("best_distance").cast(pl.Int32)

_DERIVED = {
    "sound": _score >= _best_score,
    "regret": (_best_score - _score).cast(MOVES["regret"]),
    "delay": pl.when(best="win", value="win").then(_further)
    .when(best="loss", value="loss").then(-_further),
}  # fmt: skip
