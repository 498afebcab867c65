"""How alembic runs: on the connection that it is given, and only upgrades."""

from __future__ import annotations

from alembic import context

from numduel.core.errors import NumduelError


def refuse() -> None:
    """Refuse a downgrade: data of the later revision would be lost."""
    raise NumduelError("a database is never taken back to an earlier version: restore its backup")


for revision in context.script.walk_revisions():
    setattr(revision.module, "downgrade", refuse)  # noqa: B010

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
