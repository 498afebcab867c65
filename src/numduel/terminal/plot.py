"""`numduel plot`: pictures of sweeps, saved games, arenas and pairings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.play.analysis import analyze
from numduel.play.record_file import write_whole
from numduel.solver import theory_of
from numduel.terminal.command import command, needing
from numduel.terminal.options import GameCommands, completed
from numduel.terminal.saved_games import idents, names, records
from numduel.terminal.solve import after_option, parse_moves, play_moves

F = TypeVar("F", bound=Callable[..., Any])


def _is_picture(_ctx: click.Context, _option: click.Parameter, path: Path) -> Path:
    if path.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"a picture is called like plot.svg or plot.png, not {path.name}")
    return path


_folder = click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
_out = click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default="plot.svg",
    callback=_is_picture,
    help="The file to write, SVG or PNG by its name.",
)


def _show(help: str, *choices: str) -> Callable[[F], F]:
    return click.option("--show", type=click.Choice(choices), default=choices[0], help=help)


def _write(chart: Any, out: Path) -> None:
    from numduel.lab.plot import image

    write_whole(out, image(chart, "png" if out.suffix == ".png" else "svg"))
    click.echo(f"Drawn: {out}")


@click.group(epilog=f"Example: {command('plot sweep results --show openings --out openings.svg')}")
def plot() -> None:
    """Draw a sweep, a saved game, an arena or a pairing, as SVG or PNG."""


@plot.command(epilog=f"Example: {command('plot sweep results --where opening=even')}")
@_folder
@_show(
    "Who wins, the share of the first moves that win, or how long best play lasts.",
    "value",
    "openings",
    "distance",
)
@click.option("--where", multiple=True, metavar="NAME=VALUE", help="Draw only these games.")
@_out
def sweep(folder: Path, show: Any, where: tuple[str, ...], out: Path) -> None:
    """Draw a sweep, over the one or two settings that vary in it."""
    with needing("lab", "a picture"):
        from numduel.lab.plot import sweep_chart
        from numduel.lab.sweep import read_sweep
    fixed = dict(map(_named, where))
    _write(sweep_chart(read_sweep(folder), show, fixed), out)


def _named(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingsError(f"a setting is given as size=30, not {quoted(text)}")
    return name.replace("-", "_"), value


@plot.command(
    short_help="Draw who was winning after each move of a game.",
    epilog=f"Example: {command('plot record 12 --out game.png')}",
)
@click.argument("record", shell_complete=completed(idents))
@_out
def record(record: str, out: Path) -> None:
    """Draw who was winning after each move: RECORD is a file, or an ID from the history."""
    with needing("lab", "a picture"):
        from numduel.lab.plot import game_chart, stacked
    played = records(record)
    charts = [game_chart(analyze(*one), names(one.record.players)) for one in played]
    _write(stacked(charts), out)


@plot.command(epilog=f"Example: {command('plot arena results --show depths')}")
@_folder
@_show(
    "Ratings, scores of each against each, or skill by depth.",
    "ratings",
    "crossed",
    "depths",
)
@_out
def arena(folder: Path, show: str, out: Path) -> None:
    """Draw the results of an arena."""
    with needing("arena", "a picture of an arena"):
        from numduel.arena.report import read_plots
    plots = read_plots(folder)
    if show not in plots:
        raise NumduelError(f"no moves were judged in {folder}: it has {', '.join(plots)}")
    _write(plots[show], out)


def _pairing(game: Game[Any], /, after: str, out: Path) -> None:
    with needing("lab", "a picture"):
        from numduel.lab.plot import pairing_chart
    position = play_moves(game, game.start(), parse_moves(after))
    found = theory_of(game).pairing(position)
    if found is None:
        raise NumduelError(f"{game.title} is not decided by a pairing")
    _write(pairing_chart(found), out)


plot.add_command(
    GameCommands(
        "pairing",
        _pairing,
        help="Draw the graph of a small game with its pairing.",
        epilog=f"Example: {command('plot pairing multiplicity --size 30')}",
        about="Draw the numbers that are left in {title}, and a largest pairing of them.",
        example="plot pairing {key} --out pairing.svg",
        options=[after_option, _out],
    )
)
