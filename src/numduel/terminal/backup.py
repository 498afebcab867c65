"""`numduel backup` and `numduel restore`: a copy of the games that a server keeps."""

from __future__ import annotations

from pathlib import Path

import click

from numduel.terminal.command import command, needing
from numduel.terminal.serve import default_database

_FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
_DATABASE = click.option(
    "--database", metavar="URL", help="The database, as for `serve`; else the default one."
)


@click.command(epilog=f"Example: {command('backup games.backup')}")
@_FILE
@_DATABASE
def backup(file: Path, database: str | None) -> None:
    """Copy a server's games to FILE, also while people play."""
    with needing("web", "this"):
        from numduel.web.database.backup import back_up

    back_up(database or default_database(), file)
    click.echo(f"The games are in {file}. To put them back: {command(f'restore {file}')}")


@click.command(epilog=f"Example: {command('restore games.backup')}")
@_FILE
@_DATABASE
def restore(file: Path, database: str | None) -> None:
    """Put a copy in the place of a server's games; stop the server first."""
    with needing("web", "this"):
        from numduel.web.database.backup import restore

    restore(database or default_database(), file)
    click.echo("The games are back.")
