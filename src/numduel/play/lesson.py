"""Lesson plans made of real positions."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache, reduce
from importlib.resources import files
from typing import Any, NamedTuple

from numduel.core.game import Game
from numduel.core.words import Last
from numduel.games import new
from numduel.play.difficulty import graded
from numduel.play.puzzle import Puzzle, answered
from numduel.solver import theory_of


class Lesson(NamedTuple):
    """Half a page for a teacher."""

    age: int  # of the pupils, about
    title: str
    topic: str
    game: Game[Any]
    goal: str
    introduction: str  # of five minutes
    play: str
    questions: tuple[Puzzle, ...]  # each with one right answer
    solutions: tuple[str, ...]  # the right answer to each, and why
    talk: str
    cards: dict[str, str]  # questions that teachers ask about the game, and the answer to each


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return the lesson plans, for the youngest first."""
    text = (files("numduel.games") / "lessons.toml").read_text("utf-8")
    return tuple(_lesson(**kept) for kept in tomllib.loads(text)["lessons"])


def _lesson(
    game: str,
    settings: dict[str, object],
    questions: list[list[int]],
    **told: Any,
) -> Lesson:
    played = new(game, **settings)
    asked = [_question(played, moves) for moves in questions]
    return Lesson(
        game=played,
        questions=tuple(asked),
        solutions=tuple(answered(played, one.position, one.answer).line for one in asked),
        **told,
    )


def _question(game: Game[Any], moves: Iterable[int]) -> Puzzle:
    """Return the question that is asked after these moves from the start."""
    position = reduce(game.play, moves, game.start())
    verdicts = theory_of(game).evaluate(position)
    last = Last(position, max(verdicts, key=lambda move: verdicts[move].rank))
    return Puzzle(game, position, (last,), verdicts[last.move], graded(game, [last]))
