"""Rooms that are locked, and who waits outside of one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    for name in ("locked", "screened"):
        off = sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())
        op.add_column("rooms", off)
    op.create_table(
        "outside",
        sa.Column(
            "room", sa.Text, sa.ForeignKey("rooms.code", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("removed", sa.Integer),
    )
