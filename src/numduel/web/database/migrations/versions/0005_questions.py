"""Positions that a teacher poses, and the answers of the pupils."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("rooms", sa.Column("answered", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "questions",
        sa.Column(
            "room", sa.Text, sa.ForeignKey("rooms.code", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("stage", sa.Text, nullable=False),
        sa.Column("worth", sa.Text, nullable=False),
    )
    op.create_table(
        "answers",
        sa.Column(
            "room", sa.Text, sa.ForeignKey("questions.room", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("pupil", sa.Integer, primary_key=True),
        sa.Column("move", sa.Text, nullable=False),
    )
