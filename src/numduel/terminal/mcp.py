"""`numduel mcp`."""

from __future__ import annotations

import sys

import click

from numduel.core.errors import NumduelError
from numduel.terminal.command import command


@click.command(epilog=f"Example: {command('mcp --hints')}")
@click.option("--hints", is_flag=True, help="Let it ask for hints and verdicts while it plays.")
def mcp(hints: bool) -> None:
    """Let a language model play, by the Model Context Protocol on standard input and output."""
    try:
        from numduel.agents.mcp import serve
    except ModuleNotFoundError as error:
        raise NumduelError(
            f"this needs more than is installed ({error.name}): pip install 'numduel[mcp]'"
        ) from None
    if sys.stdin.isatty():
        click.echo("This is for a program, which starts it itself (Ctrl-C stops it).", err=True)
    serve(hints)
