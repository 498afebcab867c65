"""`numduel mcp`."""

from __future__ import annotations

import sys

import click

from numduel.terminal.command import command, needing


@click.command(epilog=f"Example: {command('mcp --hints')}")
@click.option("--hints", is_flag=True, help="Let it ask for hints and verdicts while it plays.")
def mcp(hints: bool) -> None:
    """Let a language model play, with the Model Context Protocol on standard input and output."""
    with needing("mcp"):
        from numduel.agents.mcp import serve
    if sys.stdin.isatty():
        click.echo("Programs start this command, not people (Ctrl-C stops it).", err=True)
    serve(hints)
