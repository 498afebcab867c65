"""Lesson plans, with questions about real positions."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache, reduce
from importlib.resources import files
from typing import Any, NamedTuple

from numduel.core.game import Game
from numduel.core.words import Last
from numduel.games import new
from numduel.play.difficulty import grade_of
from numduel.play.puzzle import Puzzle, judge_answer
from numduel.solver import theory_of


class Lesson(NamedTuple):
    """A lesson plan: half a page for a teacher."""

    age: int  # approximate age of the pupils
    title: str
    topic: str
    game: Game[Any]
    goal: str
    introduction: str  # for five minutes
    play: str
    questions: tuple[Puzzle, ...]  # each with one right answer
    solutions: tuple[str, ...]  # the right answer to each, and why
    talk: str
    cards: dict[str, str]  # questions that teachers ask about the game, each with its answer


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return the lesson plans, beginning with the one for the youngest pupils."""
    text = (files("numduel.games") / "lessons.toml").read_text("utf-8")
    return tuple(_read_lesson(**fields) for fields in tomllib.loads(text)["lessons"])


def _read_lesson(
    game: str,
    settings: dict[str, object],
    questions: list[list[int]],
    **texts: Any,
) -> Lesson:
    made = new(game, **settings)
    puzzles = tuple(_question_after(made, moves) for moves in questions)
    solutions = tuple(judge_answer(made, one.position, one.answer).line for one in puzzles)
    return Lesson(game=made, questions=puzzles, solutions=solutions, **texts)


def _question_after(game: Game[Any], moves: Iterable[int]) -> Puzzle:
    """Return the question for the best move after these moves from the start."""
    position = reduce(game.play, moves, game.start())
    verdicts = theory_of(game).evaluate(position)
    last = Last(position, max(verdicts, key=lambda move: verdicts[move].rank))
    return Puzzle(game, position, (last,), verdicts[last.move], grade_of(game, [last]))
