"""How fair a game is: with best play, between equal players, and at nearby settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain
from math import sqrt
from typing import Any, NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.game import Game
from numduel.core.verdict import Verdict
from numduel.play.friendly_settings import Beginning, beginnings, friendly_game, nearby_games
from numduel.play.game_loop import play_game
from numduel.players import OUR_PLAYERS, player
from numduel.solver import theory_of

GAMES_PER_LEVEL = 30
"""Number of games between two players of each level."""

MAX_GAME_TURNS = 200
"""A longer game counts as undecided. If best play takes longer, no games are played."""

MAX_SERIES_MOVES = 1_000
"""A series ends with the game in which this number of moves is reached."""

MOVE_TIMEOUT_SECONDS = 15.0
"""Time for a move in a solved game: enough to use the solution."""

MAX_SEARCHED_MOVES = 40
SEARCH_TIMEOUT_SECONDS = 0.5
"""The same two limits for a game that cannot be solved, in which each move takes a search."""

LEVELS = tuple(name for name, kind in OUR_PLAYERS.items() if not kind.parameter)

MAX_FAIRER = 3
"""Maximum number of fairer settings to name."""

MAX_OPENINGS_EVALUATED = 100
"""If there are more openings, they are not evaluated, and no nearby settings are tried."""

MAX_OPENINGS_PLAYED = 10_000
"""If there are more openings, no games are played."""

Z = 1.96  # 95 % of a normal distribution lie within this many standard deviations


class Share(NamedTuple):
    """A share of some games, with its 95 % confidence interval."""

    part: float
    low: float
    high: float


def share_of(count: int, games: int) -> Share:
    """Return `count / games` with its Wilson interval, which always contains it."""
    part, width = count / games, Z * Z / games
    middle = (part + width / 2) / (1 + width)
    margin = Z * sqrt(part * (1 - part) / games + width / games / 4) / (1 + width)
    low, high = max(0.0, middle - margin), min(1.0, middle + margin)
    return Share(part, min(part, low), max(part, high))  # rounding may miss 0 and 1


class Series(NamedTuple):
    """Games between two equal players."""

    level: str
    games: int
    won: int  # by the player who began
    lost: int  # by the player who began
    drawn: int
    moves: int  # total of all games

    @property
    def undecided(self) -> int:
        """Number of games that reached the turn limit."""
        return self.games - self.won - self.lost - self.drawn

    @property
    def length(self) -> float:
        """Average number of moves of a game."""
        return self.moves / self.games

    @property
    def shares(self) -> dict[str, Share]:
        """The shares of wins of the first and the second player, draws and undecided games."""
        counts = {
            "first": self.won,
            "second": self.lost,
            "drawn": self.drawn,
            "undecided": self.undecided,
        }
        return {name: share_of(count, self.games) for name, count in counts.items()}


class Fairness(NamedTuple):
    """How fair a game is at its settings."""

    game: Game[Any]
    verdict: Verdict | None  # None: too large to solve
    openings: int
    winning_openings: int | None  # None: not evaluated
    series: tuple[Series, ...]
    tried: int  # number of nearby settings that were tried
    fairer: tuple[tuple[Game[Any], Beginning], ...]  # nearby settings, the fairest first

    @property
    def swap_helps(self) -> bool:
        """Whether some openings win and some do not, and none of them ends the game."""
        if self.winning_openings is None or not 0 < self.winning_openings < self.openings:
            return False
        start = self.game.start()
        after = (self.game.after(start, move) for move in self.game.moves(start))
        return all(self.game.outcome(position) is None for position in after)

    @property
    def bounding(self) -> list[str]:
        """The settings that are not set, and that would make every game end."""
        return [setting.name for setting, value in self.game.settings if setting.ends and not value]


ProgressCallback = Callable[[float], object]
"""Called with the share of the work that is done, from 0 to 1."""


def series(
    game: Game[Any],
    level: str,
    games: int = GAMES_PER_LEVEL,
    on_progress: ProgressCallback = lambda _: None,
    is_solved: bool = True,
) -> Series:
    """Play games between two players of one level; fewer than requested if they are long."""
    both = player(level)
    assert both is not None
    max_moves, seconds = MAX_SERIES_MOVES, MOVE_TIMEOUT_SECONDS
    if not is_solved:
        max_moves, seconds = MAX_SEARCHED_MOVES, SEARCH_TIMEOUT_SECONDS
    winners: list[int | None] = []
    drawn = moves = 0
    while len(winners) < games and moves < max_moves:
        record = play_game(
            game, (both, both), seed=len(winners), turn_limit=MAX_GAME_TURNS, seconds=seconds
        )
        assert record.outcome is not None
        winners.append(record.outcome.winner)
        drawn += record.outcome.winner is None and record.outcome.reason != "turn-limit"
        moves += len(record.moves)
        on_progress(max(len(winners) / games, moves / max_moves))
    return Series(level, len(winners), winners.count(1), winners.count(2), drawn, moves)


def fairness(
    game: Game[Any], games: int = GAMES_PER_LEVEL, on_progress: ProgressCallback = lambda _: None
) -> Fairness:
    """Return who wins with best play, how often between equal players, and fairer settings."""
    start, theory = game.start(), theory_of(game)
    openings = len(game.moves(start))
    verdict: Verdict | None = None
    winning: int | None = None
    levels = LEVELS if openings <= MAX_OPENINGS_PLAYED else ()
    try:
        verdict = theory.solve(start)
        if (verdict.distance or 0) > MAX_GAME_TURNS:
            levels = ()
        if openings <= MAX_OPENINGS_EVALUATED:
            winning = list(theory.values(start).values()).count("win")
    except TooLarge:
        levels = tuple(level for level in levels if level != "perfect")

    def report(done: int, part: float) -> object:
        return on_progress((done + part) / len(levels))

    games = max(3, min(games, 600 // max(openings, 1)))  # fewer if there are many moves to consider
    played = tuple(
        series(game, level, games, partial(report, done), is_solved=verdict is not None)
        for done, level in enumerate(levels)
    )
    tried, fairer = (0, ()) if winning is None else _fairer_settings(game)
    return Fairness(game, verdict, openings, winning, played, tried, fairer)


def _fairer_settings(game: Game[Any]) -> tuple[int, tuple[tuple[Game[Any], Beginning], ...]]:
    """Return how many nearby settings were tried, and the fairest of those that are fairer."""
    near = chain((game, friendly_game(type(game))), nearby_games(game))
    tried = dict(beginnings(dict.fromkeys(near)))
    now = tried.pop(game, None)
    fairer = [pair for pair in tried.items() if now and pair[1].lopsided < now.lopsided]
    fairer.sort(key=lambda pair: pair[1].lopsided)
    return len(tried), tuple(fairer[:MAX_FAIRER])
