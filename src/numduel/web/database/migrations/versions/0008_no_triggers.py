"""Drop the triggers: servers tell each other of changes after the commit."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION IF EXISTS numduel_tell() CASCADE")  # with its triggers
