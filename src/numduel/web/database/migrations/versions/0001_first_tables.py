"""The first tables; on PostgreSQL, each change is told to every server that listens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_TELL = """
CREATE FUNCTION numduel_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('numduel', to_jsonb(COALESCE(NEW, OLD)) ->> TG_ARGV[0]);
  RETURN NULL;
END $$
"""


def upgrade() -> None:
    op.create_table(
        "rooms",
        sa.Column("code", sa.Text, primary_key=True),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("coach", sa.Boolean, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("touched", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "pupils",
        sa.Column(
            "room", sa.Text, sa.ForeignKey("rooms.code", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.UniqueConstraint("room", "name"),
    )
    op.create_table(
        "duels",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("seat1", sa.Text),
        sa.Column("seat2", sa.Text),
        sa.Column("name1", sa.Text),
        sa.Column("name2", sa.Text),
        sa.Column("coach", sa.Boolean, nullable=False),
        sa.Column("room", sa.Text, sa.ForeignKey("rooms.code", ondelete="CASCADE"), index=True),
        sa.Column("room_round", sa.Integer),
        sa.Column("pupil1", sa.Integer),
        sa.Column("pupil2", sa.Integer),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("finished", sa.Boolean, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("champion", sa.Integer),
    )
    op.create_table(
        "events",
        sa.Column(
            "duel", sa.Text, sa.ForeignKey("duels.name", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "records",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(_TELL)
        for table, change, topic in (
            ("events", "INSERT", "duel"),
            ("rooms", "UPDATE OR DELETE", "code"),
        ):
            op.execute(
                f"CREATE TRIGGER numduel_tell AFTER {change} ON {table} "
                f"FOR EACH ROW EXECUTE FUNCTION numduel_tell('{topic}')"
            )
