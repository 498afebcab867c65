"""How a game begins: what its first moves lead to, who should begin, and friendly settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import chain, islice, zip_longest
from typing import Any, NamedTuple

from numduel.core.errors import NumduelError, TooLarge
from numduel.core.game import Game
from numduel.core.verdict import SCORES, Verdict
from numduel.players.evaluation import out_of_time
from numduel.solver import theory_of

MIN_MOVES = 5
"""Minimum number of moves of best play, counting both sides, in a game that begins well."""

PREFERRED_MOVES = 7
"""Settings with at least this number of moves of best play are preferred."""

MAX_TRIED = 60
"""Maximum number of settings to try in the search for friendly ones."""

MAX_START_SOLVE_SECONDS = 0.5
"""Maximum time, as the theory declares it, to solve a game before it begins."""

MAX_TOO_LARGE = 3
"""Maximum number of settings that turn out to be too large to solve before the search ends."""


class Beginning(NamedTuple):
    """What is known about the first moves of a game."""

    verdict: Verdict  # of the start
    openings: int  # number of first moves
    winning: int  # number of first moves that win
    sound: int  # number of sound first moves
    distinct: bool  # whether all first moves lead to different positions
    ends: bool  # whether some first move ends the game

    @property
    def lopsided(self) -> float:
        """Distance from a fair fight: 0 if half of the first moves win, or best play is a draw.

        1 if all first moves win, or none; 2 if one ends the game, or best play never ends it.
        """
        if self.ends or self.verdict.value == "endless":
            return 2
        return 0 if self.verdict.value == "draw" else abs(2 * self.winning / self.openings - 1)

    def is_good(self, min_moves: int = MIN_MOVES) -> bool:
        """Return whether two people, or one who begins against a computer, have a real game."""
        if self.ends or not self.distinct or self.verdict.value == "loss":
            return False
        has_choice = self.openings == 2 or 3 * self.sound <= 2 * self.openings
        return has_choice and (self.verdict.distance or min_moves) >= min_moves


def beginning(game: Game[Any]) -> Beginning:
    """Return what is known about the first moves of a game; TooLarge if it takes too long."""
    start, theory = game.start(), theory_of(game)
    cost = theory.cost(start)
    if cost.once + cost.values > MAX_START_SOLVE_SECONDS:
        raise out_of_time(game)
    verdict = theory.solve(start)
    scores = [SCORES[value] for value in theory.values(start).values()]
    after = [game.after(start, move) for move in game.moves(start)]
    return Beginning(
        verdict,
        openings=len(after),
        winning=scores.count(1.0),
        sound=scores.count(verdict.score),
        distinct=len(set(after)) == len(after),
        ends=not after or any(game.outcome(position) is not None for position in after),
    )


def beginnings(games: Iterable[Game[Any]]) -> Iterator[tuple[Game[Any], Beginning]]:
    """Yield each game with its beginning, except those that are too large to solve."""
    too_large = 0
    for game in games:
        try:
            yield game, beginning(game)
        except TooLarge:
            too_large += 1
            if too_large == MAX_TOO_LARGE:
                return


def seat_to_begin(game: Game[Any], seat: int) -> int:
    """Return the seat that must begin so that `seat` can win, or at least does not have to lose."""
    theory, start = theory_of(game), game.start()
    cost = theory.cost(start)
    if cost.once + cost.solve > MAX_START_SOLVE_SECONDS:
        return seat
    with suppress(TooLarge):
        return 3 - seat if theory.solve(start).value == "loss" else seat
    return seat


def nearby_games(game: Game[Any]) -> Iterator[Game[Any]]:
    """Yield the game with one setting changed: each setting in turn, the nearest values first."""
    kind, values = type(game), game.settings.values
    changes_by_setting = [
        [(setting.name, value) for value in setting.near(values[setting.name])]
        for setting in kind.settings_type.declared
    ]
    for change in chain.from_iterable(zip_longest(*changes_by_setting)):
        with suppress(NumduelError):  # not allowed together with the other settings
            if change is not None:
                yield kind(**{**values, change[0]: change[1]})


@cache
def friendly_game(kind: type[Game[Any]]) -> Game[Any]:
    """Return the game at its friendly settings: those that it declares, or the nearest good ones.

    If no good ones are found, these are its defaults.
    """
    if kind.friendly:
        return kind(**kind.friendly)
    default = kind()
    once_changed = list(nearby_games(default))
    twice_changed = chain.from_iterable(map(nearby_games, once_changed))
    acceptable: Game[Any] | None = None
    tried = islice(dict.fromkeys(chain([default], once_changed, twice_changed)), MAX_TRIED)
    for game, begins in beginnings(tried):
        if begins.is_good(PREFERRED_MOVES):
            return game
        if acceptable is None and begins.is_good():
            acceptable = game
    return acceptable or default


def winner_forecast(game: Game[Any], advice: str = "") -> str:
    """Return a sentence on who can win, and on what to do if that spoils the game.

    `advice` is a sentence to add if one side can win, but not at once. Raises TooLarge.
    """
    found = beginning(game)
    if found.verdict == Verdict("win", 1) and friendly_game(type(game)) != game:
        return "Whoever begins can win with the first move: choose the friendly settings."
    return {
        "win": f"Whoever begins can win. {advice}".strip(),
        "loss": f"Whoever goes second can win. {advice}".strip(),
        "draw": "Between perfect players nobody wins.",
        "endless": f"Between perfect players the game never ends: {_way_to_end(game)}.",
    }[found.verdict.value]


def _way_to_end(game: Game[Any]) -> str:
    """Return what to do to make an endless game end."""
    for near in nearby_games(game):
        for setting, value in near.settings:
            if setting.ends and value != game.settings.values[setting.name]:
                return f"set the {setting.name} to {setting.text(value)}"
    return "set a limit of turns"
