"""Positions of games at random, each with its verdict, its best moves, a reason and a grade."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from numduel.arena.asked import label, settled
from numduel.core.errors import TooLarge
from numduel.core.game import Game
from numduel.core.verdict import Verdict
from numduel.play.puzzle import LONGEST_PLAYOUT, graded
from numduel.solver import theory_of

A_TASK = 1000
"""Games that are played at random for one task."""

SECONDS = 0.5
"""Positions that take longer to work out, on a slow machine, are passed over."""

NOTHING_TO_FIND = 0
"""The grade of a position in which every move is sound."""

MOST_GAMES = 200
"""Games at their settings that a process keeps, with what it knows of them."""


class Sample(NamedTuple):
    """One position of a data set."""

    essence: str
    game: str
    setting: str
    position: str  # its notation
    mover: int
    value: str
    distance: int | None
    grade: int
    legal: list[int]
    sound: list[int]  # the moves that keep what there is
    best: list[int]  # those of them that win soonest, or lose latest
    reason: str  # why the first of the best is as good as it is


class Found(NamedTuple):
    """What a task has found."""

    new: list[Sample]  # positions that no earlier task of the same sampler has found
    met: int  # different positions, those included that were known


class Sampler:
    """Positions from games at random. Each is worked out once, however often it is met."""

    def __init__(self, games: tuple[str, ...], seed: int) -> None:
        self._games = games
        self._seed = seed
        self._known: set[bytes] = set()

    def found(self, task: int) -> Found:
        """What is met, and how much that is, are the same for the same seed and task.

        What is new is not: it depends on the tasks that came before.
        """
        rng = Random(f"{self._seed} {task}")
        new: list[Sample] = []
        met: set[bytes] = set()
        for _ in range(A_TASK):
            game = _one_of(self._games, rng)
            position = game.start(1 + rng.randrange(2))
            for _ in range(LONGEST_PLAYOUT):
                if game.outcome(position) is not None:
                    break
                essence = game.essence(position)
                name = sha256(essence.encode()).digest()[:12]
                if name not in met:
                    if not _is_cheap(game, position):
                        break  # what follows is as large
                    if name not in self._known:
                        try:
                            new.append(_sample(game, position, essence))
                        except TooLarge:
                            break
                    met.add(name)
                position = game.after(position, rng.choice(game.moves(position)))
        self._known |= met
        return Found(new, len(met))


def begin(games: tuple[str, ...], seed: int) -> None:
    """In a process of a pool: make what its tasks share."""
    global _sampler  # there is no other place for it
    _sampler = Sampler(games, seed)


def found(task: int) -> Found:
    """In a process of a pool: what a task finds."""
    return _sampler.found(task)


_sampler: Sampler


@lru_cache(MOST_GAMES)
def _settings(text: str) -> tuple[Game[Any], ...]:
    return settled((text,))


def _one_of(games: tuple[str, ...], rng: Random) -> Game[Any]:
    """Each text as likely as the others, however many settings it stands for."""
    return rng.choice(_settings(rng.choice(games)))


def _is_cheap(game: Game[Any], position: Any) -> bool:
    cost = theory_of(game).cost(position)
    return cost.once + cost.evaluate <= SECONDS


def _sample(game: Game[Any], position: Any, essence: str) -> Sample:
    theory = theory_of(game)
    verdicts = theory.evaluate(position)
    top = max(verdicts.values(), key=lambda verdict: verdict.rank)
    best = [move for move, verdict in verdicts.items() if verdict.rank == top.rank]
    reason = f"{game.words.move_label(position, best[0])}: {theory.reason(position, best[0])}"
    return Sample(
        essence=essence,
        game=game.key,
        setting=label(game),
        position=game.notation(position),
        mover=position.mover,
        value=top.value,
        distance=top.distance,
        grade=grade(verdicts, best[0]),
        legal=list(verdicts),
        sound=[move for move, verdict in verdicts.items() if verdict.score == top.score],
        best=best,
        reason=reason,
    )


def grade(verdicts: dict[int, Verdict], best: int) -> int:
    """How hard it is to tell the best move from those that are not sound, as in a puzzle."""
    top = verdicts[best].score
    others = {move: verdict for move, verdict in verdicts.items() if verdict.score < top}
    if not others:
        return NOTHING_TO_FIND
    return graded({**others, best: verdicts[best]}, best)
