"""Samples positions from random games, each with its verdict, depth, best moves and a reason."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from numduel.agents.problems import random_game
from numduel.arena.spec import game_text, parse_games
from numduel.core.errors import TooLarge
from numduel.core.game import Game
from numduel.core.verdict import Verdict
from numduel.core.words import replay_moves
from numduel.play.coach import reason_for
from numduel.players.prompt import Prompt
from numduel.solver import theory_of

GAMES_PER_TASK = 1000

MAX_SAMPLE_SOLVE_SECONDS = 0.5
"""Positions that may take longer to solve, on a slow machine, are left out."""

MAX_CACHED_TEXTS = 200
"""Maximum number of texts such as `multiplicity:size=10..40` whose games are cached."""


class Sample(NamedTuple):
    """One position of a data set."""

    essence: str
    game: str
    setting: str
    moves: tuple[int, ...]  # from the start, where seat 1 was to move, to this position
    position: str  # its notation
    mover: int
    value: str
    distance: int | None
    depth: int | None
    legal: list[int]
    sound: list[int]  # the moves that keep the score of the best one
    best: list[int]  # the sound moves that win soonest or lose latest
    prompt: str  # what a language model is asked
    reason: str  # why the first of the best moves is as good as it is


class TaskResult(NamedTuple):
    """The positions that a task has found."""

    new: list[Sample]  # positions that no earlier task of this sampler found
    position_count: int  # number of different positions, including those that earlier tasks found


class Sampler:
    """Samples positions from random games. Each position is solved only once."""

    def __init__(self, games: tuple[str, ...], seed: int) -> None:
        self._games = games
        self._seed = seed
        self._known: set[bytes] = set()  # digests of the positions that were found

    def run(self, task: int) -> TaskResult:
        """Return what a task finds.

        `position_count` depends only on the seed and the task, `new` also on earlier tasks.
        """
        rng = Random(f"{self._seed} {task}")
        samples: dict[bytes, Sample | None] = {}  # by digest; None for a known position
        for _ in range(GAMES_PER_TASK):
            # Each text is equally likely, however many settings it has.
            game = rng.choice(_games_of(rng.choice(self._games)))
            self._sample_game(game, rng, samples)
        self._known.update(samples)
        return TaskResult([sample for sample in samples.values() if sample], len(samples))

    def _sample_game(
        self, game: Game[Any], rng: Random, samples: dict[bytes, Sample | None]
    ) -> None:
        """Add the positions of a random game, up to the first that takes too long to solve."""
        for position, moves in random_game(game, rng):
            cost = theory_of(game).cost(position)
            if cost.once + cost.evaluate > MAX_SAMPLE_SOLVE_SECONDS:
                return
            essence = game.essence(position)
            digest = sha256(essence.encode()).digest()[:12]
            if digest in self._known:
                samples[digest] = None
            elif digest not in samples:
                try:
                    samples[digest] = _solve_sample(game, moves, position, essence)
                except TooLarge:
                    return


process_sampler = lru_cache(1)(Sampler)
"""Returns the only sampler of this process."""


def run_task(games: tuple[str, ...], seed: int, task: int) -> TaskResult:
    """Run a task in a process of a pool."""
    return process_sampler(games, seed).run(task)


@lru_cache(MAX_CACHED_TEXTS)
def _games_of(text: str) -> tuple[Game[Any], ...]:
    return parse_games((text,))


def _solve_sample(game: Game[Any], moves: tuple[int, ...], position: Any, essence: str) -> Sample:
    verdicts = theory_of(game).evaluate(position)
    top = max(verdicts.values(), key=lambda verdict: verdict.rank)
    best = [move for move, verdict in verdicts.items() if verdict.rank == top.rank]
    return Sample(
        essence=essence,
        game=game.key,
        setting=game_text(game),
        moves=moves,
        position=game.notation(position),
        mover=position.mover,
        value=top.value,
        distance=top.distance,
        depth=depth(verdicts),
        legal=list(verdicts),
        sound=[move for move, verdict in verdicts.items() if verdict.score == top.score],
        best=best,
        prompt=Prompt(game).whole(*replay_moves(game, 1, moves)),
        reason=f"{game.words.move_label(position, best[0])}: {reason_for(game, position, best[0])}",
    )


def depth(verdicts: dict[int, Verdict]) -> int | None:
    """Return how many moves one must look ahead to tell sound moves from the others.

    This is the distance of the soonest win or, if there is none, of the last loss to be avoided.
    Returns None if it is not known, and 0 if all moves are sound.
    """
    top = max(verdicts.values(), key=lambda verdict: verdict.rank)
    worse = [verdict for verdict in verdicts.values() if verdict.score < top.score]
    if not worse:
        return 0
    decisive = [verdict for verdict in verdicts.values() if verdict.value == "win"] or worse
    distances = [verdict.distance for verdict in decisive if verdict.distance is not None]
    if len(distances) < len(decisive):
        return None
    return min(distances) if top.value == "win" else max(distances)
