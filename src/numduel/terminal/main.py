"""`numduel`: the commands, each imported only when it runs, and what errors look like."""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from typing import NoReturn

import click

from numduel import __version__
from numduel.core.errors import NumduelError

COMMANDS = {
    "play": ("numduel.terminal.play", "Play a game."),
    "resume": ("numduel.terminal.play", "Go on with a saved game or match."),
    "history": ("numduel.terminal.history", "List finished and unfinished games and matches."),
    "replay": ("numduel.terminal.history", "Step through a saved game."),
    "games": ("numduel.terminal.games", "List the games and their settings."),
}
"""Each command's module, where it stands under its own name, and its line of help."""


class Commands(click.Group):
    """The commands, without importing them before they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(COMMANDS[cmd_name][0]), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.command(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: numduel play multiplicity --size 20 --p2 random",
)
@click.version_option(__version__, prog_name="numduel", message="%(prog)s %(version)s")
@click.pass_context
def numduel(ctx: click.Context) -> None:
    """Five two-player number games.

    With no command: a menu at a terminal, this help elsewhere.
    """
    if ctx.invoked_subcommand is not None:
        return
    from numduel.terminal.prompt import at_terminal

    if not at_terminal():
        click.echo(ctx.get_help())
        return
    from numduel.terminal.menu import run_menu

    run_menu()


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command and leave with its status; errors are one line, never a traceback."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    warnings.showwarning = _show_warning
    try:
        status = _status(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status)


def _status(arguments: list[str] | None) -> int:
    try:
        status: int | None = numduel.main(arguments, prog_name="numduel", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "numduel"
        return _say(f"{error.format_message()} See: {command} --help", 2)
    except (click.Abort, KeyboardInterrupt):
        return 130
    except NumduelError as error:
        return _say(str(error), 1)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _say(f"{error.filename or 'input or output'}: {error.strerror}", 1)
    return status or 0


def _say(line: str, status: int) -> int:
    click.echo(f"numduel: {' '.join(line.split())}", err=True)
    return status


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    _say(str(message), 0)
