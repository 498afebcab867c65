"""How hard a puzzle is: whether habits that need no thought would find its moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from numduel.core.game import Game
from numduel.core.words import Last
from numduel.players.evaluation import loses_at_once

MAX_LUCK = Fraction(1, 4)
"""Maximum chance with which each way to play without thinking solves a puzzle whole."""

MISSES = (Fraction(9, 10), Fraction(13, 10), Fraction(8, 5), Fraction(2))
"""For each grade but the last, how many right moves somebody misses at most who only guesses."""

Habit = Callable[[Game[Any], Any], Sequence[int]]
"""A way to play without thinking: the moves of which it takes any."""


def takes_thought(game: Game[Any], answers: Sequence[Last]) -> bool:
    """Return whether every way to play without thinking misses one of these right moves."""
    return all(luck(habit, game, answers) <= MAX_LUCK for habit in HABITS)


def graded(game: Game[Any], answers: Sequence[Last]) -> int:
    """Return how hard it is to find these moves: how many of them one misses who only guesses.

    Moves that lose at once are not guessed.
    """
    missed = sum(1 - Fraction(1, len(_careful(game, last.before))) for last in answers)
    return 1 + sum(missed > most for most in MISSES)


def luck(habit: Habit, game: Game[Any], answers: Sequence[Last]) -> Fraction:
    """Return the chance with which a habit finds every one of these moves."""
    chance = Fraction(1)
    for before, move in answers:
        choice = habit(game, before)
        if move not in choice:
            return Fraction(0)
        chance /= len(choice)
    return chance


def _any(game: Game[Any], position: Any) -> Sequence[int]:
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


HABITS = (_any, _smallest, _largest, _fewest_replies, _careful)
"""The ways to play without thinking."""
