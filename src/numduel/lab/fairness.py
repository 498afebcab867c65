"""How fair a game is: with best play, between equal players, and at the settings nearby."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt
from typing import Any, NamedTuple

from numduel.core.errors import NumduelError, TooLarge
from numduel.core.game import Game
from numduel.core.verdict import Verdict
from numduel.play.referee import play_game
from numduel.players import OURS, player
from numduel.solver import evaluate, solve

GAMES = 30
"""Games between two players of each level."""

TURNS = 200
"""A game that lasts longer counts as undecided."""

MOST_MOVES = 1_000
"""After this many moves in all a series has shown enough."""

SECONDS = 1.0
"""How long a player may take for a move."""

LEVELS = tuple(name for name, kind in OURS.items() if not kind.parameter)
JUDGE = "medium"
"""The level at which nearby settings are compared: people of some practice."""

MOST_NEARBY = 12

MOST_OPENINGS = 100
"""With more openings than this a game is too large to look at closely."""

MOST_PLAYED = 10_000
"""With more openings than this no games are played at all."""

Z = 1.96  # of a normal distribution, nineteen of twenty lie within so many deviations


class Share(NamedTuple):
    """Which part of some games, and between what bounds it would lie if many were played."""

    part: float
    low: float
    high: float


def share(count: int, games: int) -> Share:
    """The share of games, with the interval of Wilson, at a confidence of 95 %."""
    part, width = count / games, Z * Z / games
    middle = (part + width / 2) / (1 + width)
    reach = Z * sqrt(part * (1 - part) / games + width / games / 4) / (1 + width)
    return Share(part, max(0.0, middle - reach), min(1.0, middle + reach))


class Series(NamedTuple):
    """Games between two equal players."""

    level: str
    games: int  # how many were played
    won: int  # by the one who began
    lost: int  # by the one who began
    drawn: int  # that ended with nobody winning
    moves: int  # in all

    @property
    def undecided(self) -> int:
        """How many were still going on when they were stopped."""
        return self.games - self.won - self.lost - self.drawn

    @property
    def length(self) -> float:
        """How many moves a game had on average."""
        return self.moves / self.games

    @property
    def lopsided(self) -> float:
        """How far from a fair fight: 0 where each wins half, 1 where one always wins or nobody."""
        return (abs(self.won - self.lost) + self.drawn + self.undecided) / self.games

    @property
    def shares(self) -> dict[str, Share]:
        """How often the one who began won, the other did, nobody did, or it was not decided."""
        counts = {
            "first": self.won,
            "second": self.lost,
            "drawn": self.drawn,
            "undecided": self.undecided,
        }
        return {name: share(count, self.games) for name, count in counts.items()}


class Fairness(NamedTuple):
    """What is known about one game at one setting."""

    game: Game[Any]
    verdict: Verdict | None  # None: too large to solve
    openings: int
    winning_openings: int | None  # for the first player
    series: tuple[Series, ...]
    tried: int  # how many settings nearby were tried
    fairer: tuple[tuple[Game[Any], Series], ...]  # those of them that are, the fairest first

    @property
    def swap_helps(self) -> bool:
        """Whether some openings win and some lose, and none ends the game before the swap."""
        if self.winning_openings is None or not 0 < self.winning_openings < self.openings:
            return False
        start = self.game.start()
        after = (self.game.after(start, move) for move in self.game.moves(start))
        return all(self.game.outcome(position) is None for position in after)

    @property
    def bounding(self) -> list[str]:
        """The settings that would make every game end, and are not used."""
        return [setting.name for setting, value in self.game.settings if setting.ends and not value]


Told = Callable[[float], object]
"""Is told which part of the work is done."""


def series(
    game: Game[Any], level: str, games: int = GAMES, seed: int = 0, told: Told = lambda _: None
) -> Series:
    """Games between two players of the same level; fewer where they are very long."""
    both = player(level)
    assert both is not None
    winners: list[int | None] = []
    drawn = moves = 0
    while len(winners) < games and moves < MOST_MOVES:
        record = play_game(
            game, (both, both), seed=seed + len(winners), turn_limit=TURNS, seconds=SECONDS
        )
        assert record.outcome is not None
        winners.append(record.outcome.winner)
        drawn += record.outcome.winner is None and record.outcome.reason != "turn-limit"
        moves += len(record.moves)
        told(max(len(winners) / games, moves / MOST_MOVES))
    return Series(level, len(winners), winners.count(1), winners.count(2), drawn, moves)


def fairness(game: Game[Any], games: int = GAMES, told: Told = lambda _: None) -> Fairness:
    """Who wins with best play, how often between equal players, and what would be fairer."""
    start = game.start()
    openings = len(game.moves(start))
    verdict: Verdict | None = None
    winning: int | None = None
    levels = LEVELS if openings <= MOST_PLAYED else ()
    try:
        verdict = solve(game, start)
        if openings <= MOST_OPENINGS:
            values = [one.value for one in evaluate(game, start).values()]
            winning = values.count("win")
    except TooLarge:
        levels = tuple(level for level in levels if level != "perfect")
    others = list(nearby(game))[:MOST_NEARBY] if openings <= MOST_OPENINGS else []
    steps = _steps(len(levels) + len(others), told)
    games = _enough(openings, games)
    played = tuple(series(game, level, games, told=next(steps)) for level in levels)
    tried = [(near, series(near, JUDGE, games, told=next(steps))) for near in others]
    return Fairness(
        game, verdict, openings, winning, played, len(tried), tuple(_fairer(played, tried))
    )


def _steps(count: int, told: Told) -> Iterator[Told]:
    """For each of so many steps what is to be told of its parts."""
    for step in range(count):
        yield lambda part, step=step: told((step + part) / count)  # type: ignore[misc]


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


def _fairer(
    played: tuple[Series, ...], tried: list[tuple[Game[Any], Series]]
) -> list[tuple[Game[Any], Series]]:
    """Those of the games that are a fairer fight between people, the fairest first."""
    now = next((one for one in played if one.level == JUDGE), None)
    better = [
        (near, one)
        for near, one in tried
        if now is not None
        and now.lopsided - one.lopsided > sqrt(1 / now.games + 1 / one.games)  # not by chance
    ]
    return sorted(better, key=lambda pair: pair[1].lopsided)[:3]
