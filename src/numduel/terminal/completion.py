"""`numduel completion`: what a shell needs to complete our commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from numduel.core.errors import NumduelError

HOW = {
    "bash": '  ~/.bashrc:  eval "$(numduel completion bash)"',
    "zsh": '  ~/.zshrc, after compinit:  eval "$(numduel completion zsh)"',
    "fish": "  ~/.config/fish/config.fish:  numduel completion fish | source",
}


@click.command(epilog="\b\nOne line, in the file that the shell reads:\n" + "\n".join(HOW.values()))
@click.argument("shell", type=click.Choice(list(HOW)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what lets a shell complete commands, games, players and settings with Tab."""
    kind = get_completion_class(shell)
    if kind is None:
        raise NumduelError(f"nothing is known about completion in {shell}")
    click.echo(kind(ctx.find_root().command, {}, "numduel", "_NUMDUEL_COMPLETE").source())
