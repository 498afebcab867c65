"""Puzzles: how long they take to make, and how often each level solves each grade."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import perf_counter

from numduel.games import OUR_GAMES
from numduel.play.puzzle import GRADES, Puzzle, numbered_puzzle
from numduel.players import Turn, player

PUZZLES = 40
"""Number of puzzles of each grade in each game."""

TRIES = 10
"""Number of tries of each level at each puzzle."""

LEVELS = range(9)


def solves(level: int, one: Puzzle, seed: int) -> bool:
    """Whether the level finds all right moves."""
    who, rng = player(f"level:{level}"), Random(seed)
    assert who is not None
    turns = (Turn(one.game, last.before, 1, (last.move,), rng) for last in one.answers)
    return [who.choose(turn) for turn in turns] == [last.move for last in one.answers]


def measure() -> Iterator[str]:
    """Yield a row for each grade."""
    made: dict[int, list[Puzzle]] = {grade: [] for grade in GRADES}
    for key in OUR_GAMES:
        begun = perf_counter()
        for number in range(1, PUZZLES * len(GRADES) + 1):
            one = numbered_puzzle(key, number, GRADES[number % len(GRADES)])
            made[one.grade].append(one)
        each = (perf_counter() - begun) / PUZZLES / len(GRADES)
        yield f"{key}: {1000 * each:.0f} ms each"
    yield f"solved in percent by level:0 to level:{LEVELS[-1]}"
    for grade, found in made.items():
        tries = [(one, seed) for seed, one in enumerate(found * TRIES)]
        shares = [sum(solves(level, *one) for one in tries) / len(tries) for level in LEVELS]
        row = "  ".join(f"{100 * share:3.0f}" for share in shares)
        yield f"{row}  grade {grade}: {len(found)} puzzles, all levels {sum(shares) / 9:.1%}"
