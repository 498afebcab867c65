"""How fair a game is: with best play, between equal players, and at the settings nearby."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from numduel.core.errors import NumduelError, TooLarge
from numduel.core.game import Game, Outcome
from numduel.core.verdict import Verdict
from numduel.players import Player, Turn, computers, player
from numduel.solver import evaluate, solve

GAMES = 30
"""Games between two players of each level."""

TURNS = 200
"""A game that lasts longer counts as undecided."""

MOST_MOVES = 1_000
"""After this many moves in all a series has shown enough."""

JUDGE = "medium"
"""The level at which nearby settings are compared: people of some practice."""

MOST_NEARBY = 12

MOST_OPENINGS = 100
"""With more openings than this a game is too large to look at closely."""

MOST_PLAYED = 10_000
"""With more openings than this no games are played at all."""


class Series(NamedTuple):
    """Games between two equal players."""

    level: str
    first: float  # the share that the first player won
    second: float
    length: float  # the average number of moves
    games: int  # how many were played

    @property
    def undecided(self) -> float:
        """The share that nobody won."""
        return 1 - self.first - self.second

    @property
    def lopsided(self) -> float:
        """How far from a fair fight: 0 where each wins half, 1 where one always wins or nobody."""
        return abs(self.first - self.second) + self.undecided


class Fairness(NamedTuple):
    """What is known about one game at one setting."""

    game: Game[Any]
    verdict: Verdict | None  # None: too large to solve
    openings: int
    winning_openings: int | None  # for the first player
    series: tuple[Series, ...]

    @property
    def swap_helps(self) -> bool:
        """Whether some openings win and some lose, and none ends the game before the swap."""
        if self.winning_openings is None or not 0 < self.winning_openings < self.openings:
            return False
        start = self.game.start()
        after = (self.game.after(start, move) for move in self.game.moves(start))
        return all(self.game.outcome(position) is None for position in after)


def series(game: Game[Any], level: str, games: int = GAMES, seed: int = 0) -> Series:
    """Games between two players of the same level; fewer where they are very long."""
    both = player(level)
    assert both is not None
    wins = {1: 0, 2: 0, None: 0}
    moves = played = 0
    while played < games and moves < MOST_MOVES:
        rng = Random(f"{seed} {level} {played}")
        outcome, length = _play(game, both, rng)
        wins[outcome.winner if outcome else None] += 1
        moves += length
        played += 1
    return Series(level, wins[1] / played, wins[2] / played, moves / played, played)


def _play(game: Game[Any], both: Player, rng: Random) -> tuple[Outcome | None, int]:
    position = game.start()
    moves: tuple[int, ...] = ()
    while (outcome := game.outcome(position)) is None and len(moves) < TURNS:
        move = both.choose(Turn(game, position, 1, moves, rng))
        position = game.play(position, move)
        moves += (move,)
    return outcome, len(moves)


def fairness(game: Game[Any], games: int = GAMES) -> Fairness:
    """Who wins with best play, by which openings, and how often between equal players."""
    start = game.start()
    openings = len(game.moves(start))
    verdict: Verdict | None = None
    winning: int | None = None
    levels = list(computers()) if openings <= MOST_PLAYED else []
    try:
        verdict = solve(game, start)
        if openings <= MOST_OPENINGS:
            values = [one.value for one in evaluate(game, start).values()]
            winning = values.count("win")
    except TooLarge:
        levels = levels[:-1]  # all but perfect
    games = _enough(openings, games)
    return Fairness(
        game, verdict, openings, winning, tuple(series(game, one, games) for one in levels)
    )


def _enough(openings: int, games: int) -> int:
    """How many games to play: fewer where each takes long."""
    return max(3, min(games, 600 // max(openings, 1)))


def nearby(game: Game[Any]) -> Iterator[Game[Any]]:
    """The game with one setting changed a little."""
    kind, values = type(game), game.settings.values
    for setting in kind.settings_type.declared:
        for value in setting.near(values[setting.name]):
            try:
                yield kind(**{**values, setting.name: value})
            except NumduelError:
                continue  # not allowed together with the other settings


def fairer(game: Game[Any], games: int = GAMES) -> list[tuple[Game[Any], Series]]:
    """The nearby settings that are a fairer fight between people, the fairest first."""
    openings = len(game.moves(game.start()))
    if openings > MOST_OPENINGS:
        return []
    games = _enough(openings, games)
    now = series(game, JUDGE, games)
    found = [(near, series(near, JUDGE, games)) for near in list(nearby(game))[:MOST_NEARBY]]
    better = [
        (near, one)
        for near, one in found
        if now.lopsided - one.lopsided > sqrt(1 / now.games + 1 / one.games)  # not by chance
    ]
    return sorted(better, key=lambda pair: pair[1].lopsided)[:3]
