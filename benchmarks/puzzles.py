"""Puzzles of each grade: how long one takes, and how often the sight of each level solves it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import perf_counter

from numduel.games import OURS
from numduel.play.puzzle import GRADES, Puzzle, puzzle
from numduel.players import Turn
from numduel.players.levels import NAMES, SIGHTS
from numduel.players.sight import best_in_sight

PUZZLES = 40
"""Of each grade of each game."""

GUESSES = 50
"""Where several moves look as good."""


def solved(puzzles: list[Puzzle], level: int) -> float:
    """How often somebody who sees as far as that level finds the answer, or guesses it."""
    count = 0
    for one in puzzles:
        turn = Turn(one.game, one.position, 1, (one.answer,), Random(1))
        seen = SIGHTS[level].of(turn)
        count += sum(best_in_sight(turn, seen) == one.answer for _ in range(GUESSES))
    return count / GUESSES / len(puzzles)


def measure() -> Iterator[str]:
    """A row for each game and grade."""
    yield f"solved in percent: {', '.join(NAMES[level] for level in SIGHTS)}"
    for key in OURS:
        for grade in GRADES:
            began = perf_counter()
            made = [puzzle(key, number, grade) for number in range(1, PUZZLES + 1)]
            each = (perf_counter() - began) / PUZZLES
            found = [one for one in made if one.grade == grade]
            if not found:
                yield f"{key} {grade}: none"
                continue
            row = "  ".join(f"{100 * solved(found, level):3.0f}" for level in SIGHTS)
            yield f"{row}  {key} {grade}: {len(found)} of {PUZZLES}, {1000 * each:.0f} ms each"
