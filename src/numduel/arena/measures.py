"""What the tables of an arena say of its players."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

import polars as pl

from numduel.arena.rating import Rating, Results, fitted, newcomer
from numduel.core.verdict import SCORES
from numduel.lab.fairness import share
from numduel.players.player import Fault

FAULTS: tuple[str, ...] = get_args(Fault)

MOST_SEATS = 300
"""With more settings than this the better seat's advantage is the same at all of them."""

PERFECT = "perfect play"


class Strength(NamedTuple):
    """A player's rating: with the seats' advantage taken out, and as it stands."""

    player: str
    fair: Rating
    plain: Rating


class Tables:
    """The tables of a finished arena."""

    def __init__(self, folder: Path, players: Sequence[str]) -> None:
        self.players = tuple(players)
        self.games = pl.scan_parquet(folder / "games.parquet")
        self.moves = pl.scan_parquet(folder / "moves.parquet")

    def measured(self, *by: str) -> pl.DataFrame:
        """A row for each player, or for each player at each `key` or `setting`."""
        keys = ["player", *by]
        played = sides(self.games).group_by(keys).agg(**_COUNTS).collect(engine="streaming")
        moves = self._moves().group_by(keys).agg(**_SHARES).collect(engine="streaming")
        whole = played.join(moves, on=keys, how="left", nulls_equal=True)
        order = pl.col("player").replace_strict({n: i for i, n in enumerate(self.players)})
        return _with_intervals(whole).sort(*by, order)

    def _moves(self) -> pl.LazyFrame:
        return self.moves.with_columns(key=pl.col("setting").str.split(":").list.first())

    def by_depth(self) -> pl.DataFrame:
        """How often each player found a sound move where it could win in so many moves."""
        mattered = self.moves.filter(pl.col("mattered") & (pl.col("best") == "win"))
        counts = (
            mattered.filter(pl.col("best_distance").is_not_null())
            .group_by("player", "best_distance")
            .agg(moves=pl.len(), right=pl.col("sound").sum())
            .collect(engine="streaming")
            .sort("player", "best_distance")
        )
        rows = [share(*pair) for pair in counts.select("right", "moves").iter_rows()]
        schema = {"part": pl.Float64, "low": pl.Float64, "high": pl.Float64}
        return counts.hstack(pl.DataFrame(rows, schema=schema, orient="row"))

    def crossed(self) -> pl.DataFrame:
        """What each player scored against each other one."""
        return (
            sides(self.games)
            .group_by("player", "opponent")
            .agg(games=pl.len(), score=pl.col("score").mean())
            .collect(engine="streaming")
            .sort("player", "opponent")
        )

    def strengths(self) -> list[Strength]:
        """The ratings, the strongest first; and that of perfect play, where the truth is known."""
        results, settings = self._results()
        fair = fitted(results, len(self.players), settings, seats=True)
        plain = fitted(results, len(self.players), settings, seats=False)
        found = [
            Strength(*row)
            for row in zip(self.players, fair.ratings(), plain.ratings(), strict=True)
        ]
        if ideal := self._ideal():
            found.append(Strength(PERFECT, newcomer(ideal, fair), newcomer(ideal, plain)))
        return sorted(found, key=lambda strength: -strength.fair.points)

    def _results(self) -> tuple[list[Results], int]:
        counts = (
            self.games.with_columns(
                score=pl.when(winner=1).then(1.0).when(winner=2).then(0.0).otherwise(0.5),
                favoured=pl.when(favoured=1).then(1).otherwise(-1),
            )
            .group_by("seat1", "seat2", "setting", "favoured")
            .agg(games=pl.len(), score=pl.col("score").sum())
            .collect(engine="streaming")
            .sort("setting", "seat1", "seat2", "favoured")
        )
        return self._numbered(counts.iter_rows())

    def _ideal(self) -> list[Results]:
        """What perfect play would have scored against each player, by that player's mistakes.

        It takes all that the player ever gave away in a game, and what was not the player's to
        begin with.
        """
        worst = (
            self.moves.filter(pl.col("value").is_not_null())
            .group_by("game", "seat")
            .agg(kept=_scored("value").min())
        )
        side = (
            sides(self.games)
            .filter(pl.col("start").is_not_null())
            .join(worst, on=["game", "seat"], how="left")
        )
        began = _scored("start")
        held = pl.when(pl.col("seat") == pl.col("to_move")).then(began).otherwise(1 - began)
        kept = pl.when(pl.col("fault").is_not_null()).then(0.0).otherwise(
            pl.min_horizontal(held, pl.col("kept"))
        )  # fmt: skip
        counts = (
            side.with_columns(
                one=pl.lit(""),
                lost=1 - kept,
                better=pl.when(pl.col("favoured") == pl.col("seat")).then(-1).otherwise(1),
            )
            .group_by("one", "player", "setting", "better")
            .agg(games=pl.len(), score=pl.col("lost").sum())
            .collect(engine="streaming")
            .sort("setting", "player", "better")
        )
        return self._numbered(counts.iter_rows())[0]

    def _numbered(self, rows: Any) -> tuple[list[Results], int]:
        places = {player: place for place, player in enumerate(("", *self.players), -1)}
        settings: dict[str, int] = {}
        found = [
            Results(places[one], places[two], settings.setdefault(at, len(settings)), *rest)
            for one, two, at, *rest in rows
        ]
        if len(settings) > MOST_SEATS:
            return [result._replace(setting=0) for result in found], 1
        return found, len(settings)


def sides(games: pl.LazyFrame) -> pl.LazyFrame:
    """Each game twice, as each of its players saw it."""
    both = [
        games.with_columns(
            player=pl.col(f"seat{seat}"), opponent=pl.col(f"seat{3 - seat}"), seat=pl.lit(seat)
        )
        for seat in (1, 2)
    ]
    won, lost = pl.col("winner") == pl.col("seat"), pl.col("winner") == 3 - pl.col("seat")
    stopped = pl.col("reason") == "turn-limit"
    return pl.concat(both).with_columns(
        seat=pl.col("seat").cast(pl.UInt8),
        won=won.fill_null(False),
        lost=lost.fill_null(False),
        drawn=pl.col("winner").is_null() & ~stopped,
        undecided=stopped,
        score=pl.when(won).then(1.0).when(lost).then(0.0).otherwise(0.5),
        fault=pl.when(pl.col("fault_seat") == pl.col("seat")).then("fault"),
        could_win=(pl.col("favoured") == pl.col("seat")) & pl.col("start").is_in(["win", "loss"]),
    )


def _scored(column: str) -> pl.Expr:
    return pl.col(column).replace_strict(SCORES, return_dtype=pl.Float64)


_COUNTS = {
    "games": pl.len(),
    **{name: pl.col(name).sum() for name in ("won", "drawn", "undecided", "lost")},
    **{fault: (pl.col("fault") == fault).sum() for fault in FAULTS},
    "score": pl.col("score").mean(),
    "could_win": pl.col("could_win").sum(),  # games that were won with best play
    "did_win": (pl.col("could_win") & pl.col("won")).sum(),
}

_mattered = pl.col("mattered").fill_null(False)

_SHARES = {
    "moves": pl.len(),
    "judged": pl.col("sound").count(),
    "sound": pl.col("sound").sum(),
    "mattered": _mattered.sum(),
    "sound_where_it_mattered": (pl.col("sound") & _mattered).sum(),
    "regret": pl.col("regret").cast(pl.Float64).mean(),
    "regret_where_it_mattered": pl.col("regret").cast(pl.Float64).filter(_mattered).mean(),
    "delay": pl.col("delay").mean(),
}

_PARTS = {
    "accuracy": ("sound", "judged"),
    "accuracy_where_it_mattered": ("sound_where_it_mattered", "mattered"),
    "conversion": ("did_win", "could_win"),
}
"""Shares that have an interval: the part, out of what."""


def _with_intervals(table: pl.DataFrame) -> pl.DataFrame:
    for name, (part, whole) in _PARTS.items():
        rows = [
            share(count, of) if of else (None, None, None)
            for count, of in table.select(part, whole).iter_rows()
        ]
        names = (name, f"{name}_low", f"{name}_high")
        schema = dict.fromkeys(names, pl.Float64)
        table = table.hstack(pl.DataFrame(rows, schema=schema, orient="row"))
    return table
