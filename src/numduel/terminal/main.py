"""The command `numduel`: its subcommands, each imported only when it runs, and its errors."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import textwrap
import warnings
from importlib import import_module
from typing import NoReturn

import click

from numduel import __version__
from numduel.core.errors import NumduelError
from numduel.terminal.command import command
from numduel.terminal.streams import use_look_alikes

COMMANDS = {
    "play": ("play", "Play a game."),
    "resume": ("play", "Go on with a saved game or match."),
    "history": ("look_back", "List finished and unfinished games and matches."),
    "replay": ("look_back", "Step through a saved game."),
    "solve": ("solve", "Show who wins with best play, and which moves to make."),
    "verify": ("solve", "Check the proof in a certificate."),
    "analyze": ("look_back", "Show where a saved game turned."),
    "puzzle": ("puzzle", "Find the right move, or several in a row."),
    "chain": ("chain", "Make the longest chain of factors and multiples."),
    "fair": ("lab", "Show how fair a game is, and name fairer settings."),
    "arena": ("arena", "Let players compete, and measure how well they play."),
    "bench": ("bench", "Ask players about a fixed set of solved positions."),
    "dataset": ("arena", "Write solved positions for programs to learn from."),
    "sweep": ("lab", "Solve a whole family of games."),
    "plot": ("lab", "Draw a sweep, a saved game, an arena, or a pairing."),
    "serve": ("serve", "Start a web server, to play in a browser."),
    "export": ("export", "Write the games as files for a web space without a server."),
    "backup": ("serve", "Copy the games of a server to a file."),
    "restore": ("serve", "Put the games of a backup back."),
    "mcp": ("serve", "Let a language model play."),
    "games": ("options", "List the games and their settings."),
    "completion": ("options", "Let the Tab key complete commands in your shell."),
}
"""The module that holds each command, in a variable of its name, and its line of help."""


class Commands(click.Group):
    """The commands, each imported when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"numduel.terminal.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            from numduel.terminal.options import did_you_mean

            advice = did_you_mean(args[0], COMMANDS)
            raise click.UsageError(f"No such command {args[0][:60]!r}. {advice}".rstrip(), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.command(
    cls=Commands,
    invoke_without_command=True,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
    epilog=f"Example: {command('play multiplicity --size 20 --p2 random')}",
)
@click.version_option(__version__, prog_name="numduel", message="%(prog)s %(version)s")
@click.pass_context
def numduel(ctx: click.Context) -> None:
    """Five two-player number games.

    Without a command, it shows a menu at a terminal, and this help elsewhere.
    """
    if ctx.invoked_subcommand is not None:
        return
    from numduel.terminal.streams import at_terminal

    if not at_terminal():
        click.echo(ctx.get_help())
        return
    from numduel.terminal.menu import run_menu

    run_menu()


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command and exit with its status. An error is one line, never a traceback."""
    _prepare_streams()
    warnings.showwarning = _show_warning
    status = _run(arguments)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            status = status or _io_error_status(error)
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # nothing is printed at exit
    sys.exit(status)


def _prepare_streams() -> None:
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:  # it was closed before the program started
            setattr(sys, name, open(os.devnull, "w" if number else "r"))  # noqa: PTH123, SIM115
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    use_look_alikes(sys.stdout)
    use_look_alikes(sys.stderr)


def _run(arguments: list[str] | None) -> int:
    try:
        status: int | None = numduel.main(arguments, prog_name="numduel", standalone_mode=False)
    except click.UsageError as error:
        words = error.ctx.command_path.split()[1:] if error.ctx else []
        return _print_error(
            f"{error.format_message()} See: {command(' '.join([*words, '--help']))}", 2
        )
    except (click.Abort, KeyboardInterrupt):
        with contextlib.suppress(OSError):
            click.echo()
        return 130
    except NumduelError as error:
        return _print_error(str(error), 1)
    except OSError as error:
        return _io_error_status(error)
    except Exception as error:  # a bug of ours, or in a game from another package
        return _print_error(f"this is a bug in numduel: {type(error).__name__}: {error}", 1)
    return status or 0


def _io_error_status(error: OSError) -> int:
    """Print the error and return its status."""
    if isinstance(error, BrokenPipeError):  # the program that reads our output has ended
        return 1
    return _print_error(f"{error.filename or 'input or output'}: {error.strerror or error}", 1)


def _print_error(line: str, status: int) -> int:
    """Print one line on standard error, and return the status."""
    with contextlib.suppress(OSError):  # standard error is closed
        line = f"numduel: {' '.join(line.split())}"
        if sys.stderr.isatty():
            line = textwrap.fill(line, shutil.get_terminal_size().columns, break_on_hyphens=False)
        click.echo(line, err=True)
    return status


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    _print_error(str(message), 0)
