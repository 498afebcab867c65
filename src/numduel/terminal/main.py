"""`numduel`: the commands, each imported only when it runs, and what errors look like."""

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
from numduel.terminal.letters import use_look_alikes

COMMANDS = {
    "play": ("numduel.terminal.play", "Play a game."),
    "resume": ("numduel.terminal.play", "Go on with a saved game or match."),
    "history": ("numduel.terminal.history", "List finished and unfinished games and matches."),
    "replay": ("numduel.terminal.replay", "Step through a saved game."),
    "solve": ("numduel.terminal.solve", "Who wins with best play, and by which moves."),
    "verify": ("numduel.terminal.verify", "Check a certificate: what proves a verdict."),
    "analyze": ("numduel.terminal.analyze", "Where a saved game turned."),
    "puzzle": ("numduel.terminal.puzzle", "Find the one good move of a position."),
    "chain": ("numduel.terminal.chain", "Make the longest chain of factors and multiples."),
    "fair": ("numduel.terminal.fair", "How fair a game is, and what would be a fairer fight."),
    "arena": ("numduel.terminal.arena", "Let players compete, and measure them by the truth."),
    "dataset": ("numduel.terminal.dataset", "Write positions with their verdicts, to learn from."),
    "serve": ("numduel.terminal.serve", "Open the games to people with a browser."),
    "mcp": ("numduel.terminal.mcp", "Let a language model play."),
    "games": ("numduel.terminal.games", "List the games and their settings."),
    "completion": ("numduel.terminal.completion", "Let your shell complete commands with Tab."),
}
"""Each command's module, where it stands under its own name, and its line of help."""


class Commands(click.Group):
    """The commands, without importing them before they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = getattr(import_module(COMMANDS[cmd_name][0]), cmd_name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            from numduel.terminal.options import did_you_mean

            meant = did_you_mean(args[0], COMMANDS)
            raise click.UsageError(f"No such command {args[0][:60]!r}. {meant}".rstrip(), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.command(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"Example: {command('play multiplicity --size 20 --p2 random')}",
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
    _prepare_streams()
    warnings.showwarning = _show_warning
    status = _status(arguments)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            status = status or _unheard(error)
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # so that exit is quiet
    sys.exit(status)


def _prepare_streams() -> None:
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:  # it was closed before we began
            setattr(sys, name, open(os.devnull, "w" if number else "r"))  # noqa: PTH123, SIM115
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    use_look_alikes(sys.stdout)
    use_look_alikes(sys.stderr)


def _status(arguments: list[str] | None) -> int:
    try:
        status: int | None = numduel.main(arguments, prog_name="numduel", standalone_mode=False)
    except click.UsageError as error:
        words = error.ctx.command_path.split()[1:] if error.ctx else []
        return _say(f"{error.format_message()} See: {command(' '.join([*words, '--help']))}", 2)
    except (click.Abort, KeyboardInterrupt):
        with contextlib.suppress(OSError):
            click.echo()
        return 130
    except NumduelError as error:
        return _say(str(error), 1)
    except OSError as error:
        return _unheard(error)
    except Exception as error:  # a fault of ours, or of a game from another package
        return _say(f"something is broken inside: {type(error).__name__}: {error}", 1)
    return status or 0


def _unheard(error: OSError) -> int:
    if isinstance(error, BrokenPipeError):  # whoever read our output has gone
        return 1
    return _say(f"{error.filename or 'input or output'}: {error.strerror or error}", 1)


def _say(line: str, status: int) -> int:
    with contextlib.suppress(OSError):  # there is nobody left to tell
        line = f"numduel: {' '.join(line.split())}"
        if sys.stderr.isatty():
            line = textwrap.fill(line, shutil.get_terminal_size().columns, break_on_hyphens=False)
        click.echo(line, err=True)
    return status


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    _say(str(message), 0)
