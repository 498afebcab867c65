"""Positions from random games, each with its verdict, depth, best moves and a reason."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from numduel.agents.problems import random_game
from numduel.arena.spec import label, parse_games
from numduel.core.errors import TooLarge
from numduel.core.game import Game
from numduel.core.verdict import Verdict
from numduel.core.words import retraced
from numduel.play.coach import reason_for
from numduel.players.prompt import Prompt
from numduel.solver import theory_of

GAMES_PER_TASK = 1000
"""Number of random games of one task."""

MAX_SAMPLE_SOLVE_SECONDS = 0.5
"""Positions that may take longer to solve, on a slow machine, are left out."""

MAX_CACHED_GAMES = 200
"""Maximum number of texts of games whose parsed settings are cached."""


class Sample(NamedTuple):
    """One position of a data set."""

    essence: str
    game: str
    setting: str
    moves: tuple[int, ...]  # that led there from the start, at which seat 1 was to move
    position: str  # its notation
    mover: int
    value: str
    distance: int | None
    depth: int | None
    legal: list[int]
    sound: list[int]  # the moves that keep the score of the best one
    best: list[int]  # those of them that win soonest, or lose latest
    prompt: str  # what a language model is asked
    reason: str  # why the first of the best is as good as it is


class SampledTask(NamedTuple):
    """The result of a task."""

    new: list[Sample]  # positions that no earlier task of this sampler found
    met: int  # number of different positions, with those found earlier


class Sampler:
    """Samples positions from random games. Each position is solved only once."""

    def __init__(self, games: tuple[str, ...], seed: int) -> None:
        self._games = games
        self._seed = seed
        self._known: set[bytes] = set()

    def found(self, task: int) -> SampledTask:
        """Return what a task finds.

        `met` depends on the seed and the task alone, `new` also on the tasks before this one.
        """
        rng = Random(f"{self._seed} {task}")
        new: list[Sample] = []
        met: set[bytes] = set()
        for _ in range(GAMES_PER_TASK):
            # Each text is equally likely, however many settings it has.
            game = rng.choice(_settings(rng.choice(self._games)))
            for position, moves in random_game(game, rng):
                if not _is_cheap(game, position):
                    break  # the rest of the game is as large
                essence = game.essence(position)
                name = sha256(essence.encode()).digest()[:12]
                if name not in met:
                    if name not in self._known:
                        try:
                            new.append(_sample(game, moves, position, essence))
                        except TooLarge:
                            break
                    met.add(name)
        self._known |= met
        return SampledTask(new, len(met))


def begin(games: tuple[str, ...], seed: int) -> None:
    """Prepare a process of a pool for its tasks."""
    global _sampler  # a pool's tasks share nothing else
    _sampler = Sampler(games, seed)


def found(task: int) -> SampledTask:
    """Return what a task finds, in a process of a pool."""
    return _sampler.found(task)


_sampler: Sampler


@lru_cache(MAX_CACHED_GAMES)
def _settings(text: str) -> tuple[Game[Any], ...]:
    return parse_games((text,))


def _is_cheap(game: Game[Any], position: Any) -> bool:
    cost = theory_of(game).cost(position)
    return cost.once + cost.evaluate <= MAX_SAMPLE_SOLVE_SECONDS


def _sample(game: Game[Any], moves: tuple[int, ...], position: Any, essence: str) -> Sample:
    verdicts = theory_of(game).evaluate(position)
    top = max(verdicts.values(), key=lambda verdict: verdict.rank)
    best = [move for move, verdict in verdicts.items() if verdict.rank == top.rank]
    return Sample(
        essence=essence,
        game=game.key,
        setting=label(game),
        moves=moves,
        position=game.notation(position),
        mover=position.mover,
        value=top.value,
        distance=top.distance,
        depth=depth(verdicts),
        legal=list(verdicts),
        sound=[move for move, verdict in verdicts.items() if verdict.score == top.score],
        best=best,
        prompt=Prompt(game).whole(*retraced(game, 1, moves)),
        reason=f"{game.words.move_label(position, best[0])}: {reason_for(game, position, best[0])}",
    )


def depth(verdicts: dict[int, Verdict]) -> int | None:
    """Return how many moves one must see ahead to tell sound moves from others.

    That is the distance of the soonest win or, where there is none, of the last loss to be avoided:
    None if it is not known, and 0 where all moves are sound.
    """
    top = max(verdicts.values(), key=lambda verdict: verdict.rank)
    worse = [verdict for verdict in verdicts.values() if verdict.score < top.score]
    if not worse:
        return 0
    told = [one for one in verdicts.values() if one.value == "win"] or worse
    distances = [one.distance for one in told if one.distance is not None]
    if len(distances) < len(told):
        return None
    return min(distances) if top.value == "win" else max(distances)
