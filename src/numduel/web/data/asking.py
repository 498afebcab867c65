"""The questions of class rooms, and their answers, in the database."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.core.game import Game
from numduel.core.record import check_settings
from numduel.core.verdict import Value
from numduel.games import new
from numduel.web.classes.question import Question, Stage
from numduel.web.data.calendar import now
from numduel.web.data.database import answers, questions, rooms
from numduel.web.data.store import touch


async def put(connection: AsyncConnection, code: str, game: Game[Any], position: str) -> None:
    """Pose a question in place of the one before; the room's version is its number."""
    await clear(connection, code)
    row = {
        "room": code,
        "number": await connection.scalar(sa.select(rooms.c.version).where(rooms.c.code == code)),
        "game": game.key,
        "settings": json.dumps(dict(game.settings.values)),
        "position": position,
        "stage": "asked",
        "worth": "{}",
    }
    await connection.execute(sa.insert(questions), row)


async def turn(
    connection: AsyncConnection, code: str, stage: Stage, values: dict[int, Value]
) -> None:
    """Bring the question to another stage."""
    await touch(connection, code)
    change = {"stage": stage, "worth": json.dumps(values)}
    await connection.execute(sa.update(questions).where(questions.c.room == code).values(change))


async def clear(connection: AsyncConnection, code: str) -> None:
    """Put the question away, with its answers."""
    await touch(connection, code)
    await connection.execute(sa.delete(questions).where(questions.c.room == code))


async def note(connection: AsyncConnection, code: str) -> None:
    """Mark that somebody answers, which only the teacher's pages are told of."""
    change = {"answered": rooms.c.answered + 1, "touched": now()}
    await connection.execute(sa.update(rooms).where(rooms.c.code == code).values(change))


async def answer(connection: AsyncConnection, code: str, pupil: int, move: int) -> None:
    """Take a pupil's answer, in place of the one before."""
    theirs = (answers.c.room == code) & (answers.c.pupil == pupil)
    await connection.execute(sa.delete(answers).where(theirs))
    await connection.execute(sa.insert(answers), {"room": code, "pupil": pupil, "move": str(move)})


async def read(connection: AsyncConnection, code: str, pupils: set[int]) -> Question | None:
    """The question of a room, with the answers of those pupils."""
    found = await connection.execute(sa.select(questions).where(questions.c.room == code))
    row: Any = found.one_or_none()
    if row is None:
        return None
    given = await connection.execute(sa.select(answers).where(answers.c.room == code))
    return Question(
        number=row.number,
        game=new(row.game, **check_settings(json.loads(row.settings))),
        position=row.position,
        stage=row.stage,
        values={int(move): value for move, value in json.loads(row.worth).items()},
        answers={one.pupil: int(one.move) for one in given if one.pupil in pupils},
    )
