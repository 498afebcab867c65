"""Writes the two tables of an arena, games and moves, from its log and its plan."""

from __future__ import annotations

from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from numduel.arena.log import GameLine, Log
from numduel.arena.plan import Plan, PlannedGame
from numduel.arena.playing import Worth
from numduel.core.verdict import SCORES
from numduel.core.words import replay_moves

GAMES_FILE, MOVES_FILE = "games.parquet", "moves.parquet"

MAX_GAMES_IN_MEMORY = 20_000

PARQUET_GROUP_ROWS = 100_000

GAME_COLUMNS: dict[str, Any] = {
    "game": pl.UInt32,  # its number in the plan
    "key": pl.String,
    "setting": pl.String,  # the game with its settings, as in the spec: `multiplicity:size=30`
    "round": pl.UInt32,
    "seat1": pl.String,  # the player who began
    "seat2": pl.String,
    "opening": pl.List(pl.Int64),  # the moves before a player was asked
    "to_move": pl.UInt8,  # the seat that was asked first
    "start": pl.String,  # the value of the position after the opening, for that seat
    "favoured": pl.UInt8,  # the seat that could win; if neither could, `to_move`
    "moves": pl.UInt32,  # number of moves without the opening
    "winner": pl.UInt8,
    "reason": pl.String,
    "fault_seat": pl.UInt8,  # the seat that lost by a fault and not by the rules
    "fault": pl.String,
    "why": pl.String,
    "line": pl.UInt64,  # equal for games that are copies of each other
}

MOVE_COLUMNS: dict[str, Any] = {
    "game": pl.UInt32,
    "ply": pl.UInt32,  # number of moves before it, with the opening
    "seat": pl.UInt8,
    "player": pl.String,
    "setting": pl.String,
    "move": pl.Int64,
    "legal": pl.UInt32,  # number of legal moves
    "right": pl.UInt32,  # number of sound moves
    "best": pl.String,  # the value of the best move
    "best_distance": pl.UInt32,
    "value": pl.String,  # the value of this move
    "distance": pl.UInt32,
    "mattered": pl.Boolean,  # whether some moves were sound and some were not
    "sound": pl.Boolean,  # whether this move has the score of the best one
    "regret": pl.Float32,  # the points that it gave away: a win is worth 1, a draw ½
    "delay": pl.Int32,  # by how many moves a sound move puts off the win or hastens the loss
}


def write_tables(folder: Path, plan: Plan, log: Log) -> None:
    """Write the tables into the folder, ordered by the number of the game, in bounded memory."""
    lines = log.games()
    with TemporaryDirectory(dir=folder) as name:
        drafts, count = Path(name), 0
        while (part := list(islice(lines, MAX_GAMES_IN_MEMORY))) or not count:
            _games_table(plan, part).write_parquet(drafts / f"{GAMES_FILE}.{count:06}")
            _moves_table(plan, part).write_parquet(drafts / f"{MOVES_FILE}.{count:06}")
            count += 1
        for file in (GAMES_FILE, MOVES_FILE):
            table = pl.scan_parquet(drafts / f"{file}.*", glob=True)
            table.sink_parquet(
                drafts / file, row_group_size=PARQUET_GROUP_ROWS, maintain_order=True
            )
            (drafts / file).replace(folder / file)


def _games_table(plan: Plan, lines: list[GameLine]) -> pl.DataFrame:
    rows = []
    for line in lines:
        planned = plan[line.game]
        to_move = _first_seat_asked(planned, line)
        rows.append(
            (
                planned.number,
                planned.game.key,
                plan.game_text(planned.number),
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
                _line_digest(plan.game_text(planned.number), planned, line),
            )
        )
    return pl.DataFrame(rows, schema=GAME_COLUMNS, orient="row")


def _line_digest(setting: str, planned: PlannedGame, line: GameLine) -> int:
    content = setting, planned.players, planned.opening, line.moves, line.winner, line.fault
    return int.from_bytes(sha256(repr(content).encode()).digest()[:8], "big")


def _first_seat_asked(planned: PlannedGame, line: GameLine) -> int:
    if line.seats:
        return int(line.seats[0])
    position, _ = replay_moves(planned.game, 1, planned.opening)
    return int(position.mover)


def _moves_table(plan: Plan, lines: list[GameLine]) -> pl.DataFrame:
    columns: dict[str, list[Any]] = {name: [] for name in MOVE_COLUMNS if name not in _DERIVED}
    worth_columns = [columns[name] for name in Worth._fields]
    unknown = (None,) * len(worth_columns)  # what was not judged, also by earlier versions
    for line in lines:
        number, count = line.game, len(line.moves)
        players, opening = plan.seats(number), len(plan[number].opening)
        seats = [int(seat) for seat in line.seats]
        columns["game"] += [number] * count
        columns["ply"] += range(opening, opening + count)
        columns["seat"] += seats
        columns["player"] += [players[seat - 1] for seat in seats]
        columns["setting"] += [plan.game_text(number)] * count
        columns["move"] += line.moves
        worths = ((*(worth or ()), *unknown) for worth in line.worth or [None] * count)
        for column, values in zip(worth_columns, zip(*worths, strict=False), strict=False):
            column += values
    schema = {name: MOVE_COLUMNS[name] for name in columns}
    return pl.DataFrame(columns, schema=schema).with_columns(**_DERIVED).select(*MOVE_COLUMNS)


_score, _best_score = (pl.col(name).replace_strict(SCORES) for name in ("value", "best"))
_extra_moves = pl.col("distance").cast(pl.Int32) - pl.col("best_distance").cast(pl.Int32)

_DERIVED = {
    "sound": _score >= _best_score,
    "regret": (_best_score - _score).cast(MOVE_COLUMNS["regret"]),
    "delay": pl.when(best="win", value="win").then(_extra_moves)
    .when(best="loss", value="loss").then(-_extra_moves),
}  # fmt: skip
