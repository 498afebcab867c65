"""A room is one document; times are those of the database's clock; no more triggers.

Times so far count the days of a calendar, which is dropped. Servers tell each other of changes
after the commit.
"""

from __future__ import annotations

import json
import time
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_DAY_SECONDS = 24 * 60 * 60
_TIMES = (("duels", "created"), ("events", "at"), ("records", "created"), ("rooms", "touched"))
_PERSON = "SELECT number, name, secret FROM"
_PEOPLE = {
    "pupils": f"{_PERSON} pupils WHERE room = :code ORDER BY number",
    "waiting": f"{_PERSON} outside WHERE room = :code AND removed IS NULL ORDER BY number",
    "removed": f"{_PERSON} outside WHERE room = :code AND removed IS NOT NULL ORDER BY removed",
}


def upgrade() -> None:
    _drop_calendar()
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION IF EXISTS numduel_tell() CASCADE")  # with its triggers
    op.add_column("rooms", sa.Column("body", sa.Text, nullable=False, server_default="{}"))
    for room in _rows("SELECT code, locked, screened, chain FROM rooms"):
        change = sa.text("UPDATE rooms SET body = :body WHERE code = :code")
        op.get_bind().execute(change, {"body": json.dumps(_document(*room)), "code": room[0]})
    for table in ("answers", "questions", "chains", "outside", "pupils"):
        op.drop_table(table)
    for column in ("locked", "screened", "chain"):
        op.drop_column("rooms", column)


def _drop_calendar() -> None:
    """Move all times to the database's clock, so that nothing becomes older or younger by it."""
    today = int(time.time()) // _DAY_SECONDS
    number = op.get_bind().scalar(sa.text("SELECT number FROM calendar"))
    shift = 0 if number is None else (today - number) * _DAY_SECONDS
    for table, column in _TIMES if shift else ():
        move = sa.text(f"UPDATE {table} SET {column} = {column} + :shift")
        op.get_bind().execute(move, {"shift": shift})
    op.drop_table("calendar")


def _rows(query: str, **values: Any) -> list[list[Any]]:
    return [[*row] for row in op.get_bind().execute(sa.text(query), values)]


def _document(code: str, locked: int, screened: int, chain: int) -> dict[str, Any]:
    answers = _rows("SELECT pupil, move FROM answers WHERE room = :code", code=code)
    given = {pupil: int(move) for pupil, move in answers}
    posed = (
        "SELECT number, game, settings, position, worth, stage FROM questions WHERE room = :code"
    )
    chains = _rows("SELECT pupil, numbers FROM chains WHERE room = :code ORDER BY made", code=code)
    flags = {"locked": bool(locked), "screened": bool(screened), "ended": False, "calls": 0}
    questions = [
        (number, (game, json.loads(settings)), position, json.loads(worth), stage, given)
        for number, game, settings, position, worth, stage in _rows(posed, code=code)
    ]
    people = {name: _rows(query, code=code) for name, query in _PEOPLE.items()}
    contests = [(chain, False, chains)] if chain else []
    return {**flags, **people, "questions": questions, "contests": contests}
