"""How hard a puzzle is: whether somebody who does not think would find its moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from numduel.core.game import Game
from numduel.core.words import Last
from numduel.players.evaluation import loses_at_once

MAX_LUCK = Fraction(1, 4)
"""Maximum chance that a habit finds all right moves of a puzzle."""

MAX_MISSES = (Fraction(9, 10), Fraction(13, 10), Fraction(8, 5), Fraction(2))
"""For each grade but the last, the maximum of the expected number of misses by guessing."""

Habit = Callable[[Game[Any], Any], Sequence[int]]
"""A way to play without thinking: a function that returns the moves to choose from at random."""


def takes_thought(game: Game[Any], answers: Sequence[Last]) -> bool:
    """Return whether no habit is likely to find all of these right moves."""
    return all(success_chance(habit, game, answers) <= MAX_LUCK for habit in HABITS)


def grade_of(game: Game[Any], answers: Sequence[Last]) -> int:
    """Return how hard it is to find these moves, by the expected number of misses by guessing.

    The guesses are careful: moves that lose at once are not among them.
    """
    misses = sum(1 - Fraction(1, len(_careful(game, last.before))) for last in answers)
    return 1 + sum(misses > maximum for maximum in MAX_MISSES)


def success_chance(habit: Habit, game: Game[Any], answers: Sequence[Last]) -> Fraction:
    """Return the chance that a habit finds all of these moves."""
    chance = Fraction(1)
    for before, move in answers:
        choice = habit(game, before)
        if move not in choice:
            return Fraction(0)
        chance /= len(choice)
    return chance


def _any_move(game: Game[Any], position: Any) -> Sequence[int]:
    return game.moves(position)


def _smallest(game: Game[Any], position: Any) -> Sequence[int]:
    return game.moves(position)[:1]


def _largest(game: Game[Any], position: Any) -> Sequence[int]:
    return game.moves(position)[-1:]


def _fewest_replies(game: Game[Any], position: Any) -> Sequence[int]:
    replies = {move: len(game.moves(game.after(position, move))) for move in game.moves(position)}
    return [move for move, count in replies.items() if count == min(replies.values())]


def _careful(game: Game[Any], position: Any) -> Sequence[int]:
    """Return the moves that win at once, or else those that do not lose at once."""
    after = {move: game.after(position, move) for move in game.moves(position)}
    ends = {move: game.outcome(one) for move, one in after.items()}
    winning = [move for move, end in ends.items() if end and end.winner == position.mover]
    safe = [move for move in after if not loses_at_once(game, after[move], position.mover)]
    return winning or safe or [*after]


HABITS = (_any_move, _smallest, _largest, _fewest_replies, _careful)
"""The ways to play without thinking."""
