"""The longest chain as a class: the board, and the longest of each pupil."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("rooms", sa.Column("chain", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "chains",
        sa.Column(
            "room", sa.Text, sa.ForeignKey("rooms.code", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("pupil", sa.Integer, primary_key=True),
        sa.Column("made", sa.Integer, nullable=False),
        sa.Column("numbers", sa.Text, nullable=False),
    )
