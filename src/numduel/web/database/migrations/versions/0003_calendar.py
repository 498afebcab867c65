"""The database's own time: one row, which goes on from the last that happened."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_DAY = 24 * 60 * 60
_LAST = """
SELECT max(at) FROM (
  SELECT max(at) AS at FROM events UNION ALL SELECT max(created) FROM duels
  UNION ALL SELECT max(touched) FROM rooms UNION ALL SELECT max(created) FROM records
) AS latest
"""


def upgrade() -> None:
    calendar = op.create_table(
        "calendar",
        sa.Column("day", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
    now = int(time.time())
    last = op.get_bind().scalar(sa.text(_LAST)) or now
    op.bulk_insert(calendar, [{"day": now // _DAY, "number": last // _DAY, "seen": now}])
