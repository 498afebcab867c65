"""A token for each event, which tells two equal ones apart; a deleted duel is told of too."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    # There are databases whose first revision has made all of this already.
    made = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("events")}
    if "token" in made:
        return
    with op.batch_alter_table("events") as events:
        events.add_column(sa.Column("token", sa.Text, nullable=False, server_default=""))
    with op.batch_alter_table("events") as events:
        events.alter_column("token", server_default=None)
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE TRIGGER numduel_tell AFTER DELETE ON duels "
            "FOR EACH ROW EXECUTE FUNCTION numduel_tell('name')"
        )
