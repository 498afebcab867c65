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
from numduel.solver import theory_of

MIN_MOVES = 5
"""Minimum number of moves of best play, of both sides, in a game that begins well."""

WISHED_MOVES = 7
"""Settings with so many moves of best play are preferred."""

MAX_TRIED = 60
"""Maximum number of settings that are tried to find friendly ones."""

MAX_START_SOLVE_SECONDS = 0.5
"""A game whose solution is declared to take longer is not solved before it begins."""

MAX_TOO_LARGE = 3
"""When so many settings have turned out to be too large to solve, no more are tried."""


class Beginning(NamedTuple):
    """What is known about the first moves of a game."""

    verdict: Verdict  # of the start
    openings: int  # number of first moves
    winning: int  # number of first moves that win
    sound: int  # number of first moves that keep what there is
    distinct: bool  # whether no two first moves lead to the same position
    ends: bool  # whether some first move ends the game

    @property
    def lopsided(self) -> float:
        """Distance from a fair fight: 0 where half of the first moves win, or best play draws.

        1 where all of them win, or none; 2 where a first move ends the game, or nothing does.
        """
        if self.ends or self.verdict.value == "endless":
            return 2
        return 0 if self.verdict.value == "draw" else abs(2 * self.winning / self.openings - 1)

    def is_good(self, min_moves: int = MIN_MOVES) -> bool:
        """Return whether two people, or one who begins against the computer, get a real game."""
        if self.ends or not self.distinct or self.verdict.value == "loss":
            return False
        has_choice = self.openings == 2 or 3 * self.sound <= 2 * self.openings
        return has_choice and (self.verdict.distance or min_moves) >= min_moves


def beginning(game: Game[Any]) -> Beginning:
    """Return what is known about the first moves of a game; TooLarge if that takes long."""
    start, theory = game.start(), theory_of(game)
    cost = theory.cost(start)
    if cost.once + cost.values > MAX_START_SOLVE_SECONDS:
        raise TooLarge(f"{game.title} takes too long to work out at this size")
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
    """Yield how each of the games begins, except those that are too large to solve."""
    too_large = 0
    for game in games:
        try:
            yield game, beginning(game)
        except TooLarge:
            too_large += 1
            if too_large == MAX_TOO_LARGE:
                return


def seat_to_begin(game: Game[Any], seat: int) -> int:
    """Return the seat that must begin so that `seat` can win, or at least need not lose."""
    theory, start = theory_of(game), game.start()
    cost = theory.cost(start)
    if cost.once + cost.solve > MAX_START_SOLVE_SECONDS:
        return seat
    with suppress(TooLarge):
        return 3 - seat if theory.solve(start).value == "loss" else seat
    return seat


def nearby(game: Game[Any]) -> Iterator[Game[Any]]:
    """Yield the game with one setting changed, each setting in its turn, the nearest first."""
    kind, values = type(game), game.settings.values
    near = [
        [(setting.name, value) for value in setting.near(values[setting.name])]
        for setting in kind.settings_type.declared
    ]
    for changed in chain.from_iterable(zip_longest(*near)):
        with suppress(NumduelError):  # not allowed together with the other settings
            if changed is not None:
                yield kind(**{**values, changed[0]: changed[1]})


@cache
def friendly_game(kind: type[Game[Any]]) -> Game[Any]:
    """Return the game at its friendly settings: those that it declares, or the nearest good ones.

    Where none of those tried is good, these are its defaults.
    """
    if kind.friendly:
        return kind(**kind.friendly)
    usual = kind()
    once = list(nearby(usual))
    twice = chain.from_iterable(map(nearby, once))
    enough: Game[Any] | None = None
    tried = islice(dict.fromkeys(chain([usual], once, twice)), MAX_TRIED)
    for game, found in beginnings(tried):
        if found.is_good(WISHED_MOVES):
            return game
        if enough is None and found.is_good():
            enough = game
    return enough or usual


def forecast(game: Game[Any], decided: str = "") -> str:
    """Return a sentence on who can win, and what to do where that spoils the game; TooLarge.

    `decided` is a sentence to add where one side can win, though not at once.
    """
    found = beginning(game)
    if found.verdict == Verdict("win", 1) and friendly_game(type(game)) != game:
        return "Whoever begins can win with the first move: choose the friendly settings."
    return {
        "win": f"Whoever begins can win. {decided}".strip(),
        "loss": f"Whoever goes second can win. {decided}".strip(),
        "draw": "Between perfect players nobody wins.",
        "endless": f"Between perfect players the game never ends: {_end(game)}.",
    }[found.verdict.value]


def _end(game: Game[Any]) -> str:
    """Return what makes an endless game end."""
    for near in nearby(game):
        for setting, value in near.settings:
            if setting.ends and value != game.settings.values[setting.name]:
                return f"set the {setting.name} to {setting.text(value)}"
    return "set a limit of turns"
