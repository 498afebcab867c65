"""Drop the calendar: times are those of the database's clock from now on.

The times so far count the calendar's days. They are moved by the difference between the two, so
that everything is as old afterwards as it was before.
"""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_DAY_SECONDS = 24 * 60 * 60
_TIMES = (("duels", "created"), ("events", "at"), ("records", "created"), ("rooms", "touched"))


def upgrade() -> None:
    today = int(time.time()) // _DAY_SECONDS
    number = op.get_bind().scalar(sa.text("SELECT number FROM calendar"))
    shift = 0 if number is None else (today - number) * _DAY_SECONDS
    for table, column in _TIMES if shift else ():
        move = sa.text(f"UPDATE {table} SET {column} = {column} + :shift")
        op.get_bind().execute(move, {"shift": shift})
    op.drop_table("calendar")
