"""`numduel completion`: what a shell needs to complete our commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from numduel.core.errors import NumduelError

HOW = {
    "bash": 'eval "$(numduel completion bash)"   in ~/.bashrc',
    "zsh": 'eval "$(numduel completion zsh)"   in ~/.zshrc, after compinit',
    "fish": "numduel completion fish | source   in ~/.config/fish/config.fish",
}


@click.command(epilog="\b\n" + "\n".join(HOW.values()))
@click.argument("shell", type=click.Choice(list(HOW)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what lets a SHELL complete commands, games, players and settings with Tab.

    Put one line into the file that the shell reads when it starts:
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise NumduelError(f"nothing is known about completion in {shell}")
    click.echo(kind(ctx.find_root().command, {}, "numduel", "_NUMDUEL_COMPLETE").source())
