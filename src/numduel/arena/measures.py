"""Measures the players of an arena from its tables: results, sound moves and ratings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import polars as pl
from polars import selectors

from numduel.arena.intervals import Difference, Ratios, differences, with_intervals
from numduel.arena.rating import Rating, Results, fit_strengths
from numduel.arena.run import ANSWERS_FILE
from numduel.arena.tables import GAMES_FILE, MOVES_FILE
from numduel.players.player import Fault

FAULTS: tuple[str, ...] = get_args(Fault)

MAX_RATED_SETTINGS = 300
"""If there are more, a single advantage of the better seat is fitted for all settings."""


class Tables:
    """The tables of a finished arena, without games that are only copies of others.

    If two players in the same seats always play the same game from a position, then nothing in it
    is left to chance, and it counts once.
    """

    def __init__(self, folder: Path, players: Sequence[str]) -> None:
        self.players = tuple(players)
        self.folder = folder
        games = pl.scan_parquet(folder / GAMES_FILE)
        games = games.filter(pl.col("reason") != "cut")  # an answer was cut off: nobody lost
        start = ["setting", "seat1", "seat2", "opening"]
        counted = (
            games.group_by(start)
            .agg("game", different=pl.col("line").n_unique())
            .select(
                pl.when(different=1).then(pl.col("game").list.sort().list.head(1)).otherwise("game")
            )
            .explode("game")
        )
        self.games = games.join(counted, on="game", how="semi", maintain_order="left")
        self.moves = pl.scan_parquet(folder / MOVES_FILE).join(counted, on="game", how="semi")
        counts = pl.collect_all([games.select(pl.len()), self.games.select(pl.len())])
        self.copies: int = counts[0].item() - counts[1].item()  # number of games that do not count

    def player_measures(self, *by: str) -> pl.DataFrame:
        """Return a row for each player, or for each player at each `key` or `setting`."""
        keys = ["player", *by]
        units = self._units(*by)
        totals = game_sides(self.games).group_by(keys).agg(**_RESULT_COUNTS)
        rows = totals.collect(engine="streaming")
        for columns in (
            units.group_by(keys).agg(pl.col("decisions").sum()),
            with_intervals(units, keys, _MEASURES),
        ):
            rows = rows.join(columns, on=keys, how="left", nulls_equal=True)
        rows = with_answers(rows, self.folder, keys)
        order = pl.col("player").replace_strict({n: i for i, n in enumerate(self.players)})
        return rows.sort(*by, order)

    def _units(self, *by: str) -> pl.DataFrame:
        """Return the sums from which the measures are made, for each player and different game."""
        side = game_sides(self.games).with_columns(
            did_win=pl.col("could_win") & pl.col("won"), one=pl.lit(1)
        )
        moves = self._decisions().group_by("game", "player").agg(pl.col(*_SUMMED).sum())
        return (
            side.join(moves, on=["game", "player"], how="left")
            .group_by("player", "line", *by)
            .agg(pl.col("score", "could_win", "did_win", "one", *_SUMMED).sum())
            .sort("player", "line", *by)
            .collect(engine="streaming")
        )

    def _decisions(self) -> pl.LazyFrame:
        """Return the moves with what each adds to the measures. Most count decisions only."""
        mattered = pl.col("mattered").fill_null(False)
        luck = pl.col("right") / pl.col("legal")
        return self.moves.with_columns(
            decisions=mattered.cast(pl.UInt32),
            found=(mattered & pl.col("sound")).cast(pl.UInt32),
            found_above_chance=pl.when(mattered).then(pl.col("sound") - luck),
            room=pl.when(mattered).then(1 - luck),
            given_away=pl.when(mattered).then(pl.col("regret").cast(pl.Float64)),
            put_off=pl.col("delay"),
            timed=pl.col("delay").is_not_null().cast(pl.UInt32),
        )

    def _decision_sums(self, *keys: str, **where: str) -> pl.DataFrame:
        """Return what the decisions with these values add, for each value of the keys."""
        return (
            self._decisions()
            .filter(pl.col("decisions") == 1, **where)
            .join(self.games.select("game", "line", "round"), on="game")
            .group_by(keys)
            .agg(pl.col(*_SUMMED).sum())
            .sort(keys)
            .collect(engine="streaming")
        )

    def by_depth(self) -> pl.DataFrame:
        """Return a row for each player and distance of a win: how often it found a sound move."""
        keys = ["player", "best_distance"]
        units = self._decision_sums(*keys, "line", best="win").drop_nulls("best_distance")
        counts = units.group_by(keys).agg(pl.col("decisions").sum())
        depths = with_intervals(units, keys, {name: _MEASURES[name] for name in ("sound", "skill")})
        return depths.join(counts, on=keys).sort(keys)

    def differences(self, order: Sequence[str]) -> list[Difference]:
        """Return the difference in skill between each player and each later one, by openings."""
        units = self._decision_sums("player", "setting", "round")
        return differences(units, ["setting", "round"], _MEASURES["skill"], order)

    def head_to_head(self) -> pl.DataFrame:
        """Return a row for each player and opponent with the player's score."""
        keys = ["player", "opponent"]
        return with_intervals(self._units("opponent"), keys, {"score": _MEASURES["score"]})

    def ratings(self) -> dict[str, Rating]:
        """Return the rating of each player, the strongest first."""
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
        players = {player: place for place, player in enumerate(self.players)}
        settings = {
            setting: place for place, setting in enumerate(dict.fromkeys(counts["setting"]))
        }
        if len(settings) > MAX_RATED_SETTINGS:
            settings = dict.fromkeys(settings, 0)
        results = [
            Results(players[one], players[two], settings[setting], *rest)
            for one, two, setting, *rest in counts.iter_rows()
        ]
        fit = fit_strengths(results, len(players), max(settings.values(), default=0) + 1)
        ratings = dict(zip(self.players, fit.ratings(), strict=True))
        return dict(sorted(ratings.items(), key=lambda entry: -entry[1].points))


def game_sides(games: pl.LazyFrame) -> pl.LazyFrame:
    """Return two rows for each game, one for each of its players."""
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


def _scan_answers(folder: Path) -> pl.LazyFrame:
    answers = pl.LazyFrame(schema=_COUNTED_COLUMNS)
    if (folder / ANSWERS_FILE).exists():
        answers = pl.scan_ndjson(folder / ANSWERS_FILE, schema=_COUNTED_COLUMNS)
    return answers.with_columns(key=pl.col("setting").str.split(":").list.first())


def _last_answers(folder: Path) -> pl.LazyFrame:
    """Return the last answer in each game, with the reason why the game ended, if it did."""
    games = pl.scan_parquet(folder / GAMES_FILE).select("game", "reason")
    last = _scan_answers(folder).group_by("game", maintain_order=True).last()
    return last.join(games, on="game", how="left", maintain_order="left")


def void_causes(folder: Path) -> pl.DataFrame:
    """Return a row for each model and cause with the number of games that could not be played."""
    causes = _last_answers(folder).filter(_IS_VOID).group_by("player", "why")
    return causes.agg(games=pl.len()).sort("player", "why").collect()


def with_answers(players: pl.DataFrame, folder: Path, keys: list[str]) -> pl.DataFrame:
    """Return a table of players with counts of their answers, and of their cut and void games."""
    answers, last = _scan_answers(folder), _last_answers(folder)
    for counts in (
        answers.filter(pl.col("kind") != "void").group_by(keys).agg(**_ANSWER_COUNTS),
        last.filter(_IS_VOID).group_by(keys).agg(void=pl.len()),
        last.filter(kind="cut", reason="cut").group_by(keys).agg(cut=pl.len()),
    ):
        joined = counts.collect(engine="streaming")
        players = players.join(joined, on=keys, how="full", coalesce=True, nulls_equal=True)
    return players.with_columns(selectors.integer().fill_null(0))


_IS_VOID = (pl.col("kind") == "void") & pl.col("reason").is_null()

_RESULT_COUNTS = {
    "games": pl.len(),
    **{name: pl.col(name).sum() for name in ("won", "drawn", "undecided", "lost")},
    **{fault: (pl.col("fault") == fault).sum() for fault in FAULTS},
    "could_win": pl.col("could_win").sum(),  # games that best play would have won
}

_SUMMED = ("decisions", "found", "found_above_chance", "room", "given_away", "put_off", "timed")

_MEASURES: Ratios = {
    "score": ("score", "one"),
    "sound": ("found", "decisions"),
    "skill": ("found_above_chance", "room"),  # 0: like random moves; 1: perfect
    "regret": ("given_away", "decisions"),
    "delay": ("put_off", "timed"),
    "conversion": ("did_win", "could_win"),
}

_TOKENS = ("prompt_tokens", "answer_tokens", "reasoning_tokens")

_COUNTED_COLUMNS: dict[str, Any] = {
    "game": pl.UInt32,
    "setting": pl.String,
    "player": pl.String,
    "kind": pl.String,  # "move", "cut", a fault, or "void"
    "why": pl.String,
    "strict": pl.Boolean,
    "seconds": pl.Float64,
    "cost": pl.Float64,
    **dict.fromkeys(_TOKENS, pl.Int64),
}
"""The columns of the answers that are counted."""

_ANSWER_COUNTS = {
    "answers": pl.len(),
    "strict": pl.col("strict").sum(),  # answers in exactly the form that was asked for
    "strictness": pl.col("strict").mean(),
    "answer_seconds": pl.col("seconds").sum(),
    **{name: pl.col(name).sum() for name in _TOKENS},
    "cost": pl.when(pl.col("cost").count() > 0).then(pl.col("cost").sum()),
}
