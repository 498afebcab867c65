"""Posing a position to a class: checked and judged in the processes that think."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.web.classes.question import MOST_CHOICES, Question
from numduel.web.live.school import School
from numduel.web.problems import NotNow
from numduel.web.thinking import questions
from numduel.web.thinking.thinker import Thinker


async def pose(
    school: School, quick: Thinker, code: str, secret: str, game: Game[Any], text: str
) -> None:
    """Put up the position of that notation; PositionError or SettingsError."""
    await school.check_teacher(code, secret)
    choices = await quick.ask(questions.choices, game, text)
    if choices == 0:
        raise SettingsError("in that position the game is over: there is nothing to answer")
    if choices > MOST_CHOICES:
        raise SettingsError(f"a position to be posed has at most {MOST_CHOICES} moves")
    await school.ask(code, secret, game, text)


async def answer(school: School, code: str, secret: str, number: int, move: int | None) -> None:
    """A pupil's answer to the question of that number."""
    question = (await school.read(code)).question
    if question is None:
        raise NotNow("That question is over.")
    position = await position_of(question)
    question.game.play(position, -1 if move is None else move)  # IllegalMove
    await school.answer(code, secret, number, move or 0)


async def reveal(school: School, quick: Thinker, code: str, secret: str) -> None:
    """Show what each answer is worth; TooLarge where nobody knows."""
    await school.check_teacher(code, secret)
    question = (await school.read(code)).question
    if question is None:
        raise NotNow("There is no question.")
    position = await position_of(question)
    _, verdicts = await quick.ask(questions.verdicts, question.game, position)
    values = {move: verdict.value for move, verdict in verdicts.items()}
    await school.turn_question(code, secret, "revealed", values)


async def position_of(question: Question) -> Any:
    """The position, which was checked when it was posed."""
    # In a thread: a game without a notation of its own looks for it among all its positions.
    return await asyncio.to_thread(_parsed, question.game, question.position)


@lru_cache(maxsize=100)
def _parsed(game: Game[Any], text: str) -> Any:
    return game.parse(text)
