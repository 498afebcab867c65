"""What the laboratory does: `numduel fair`, `numduel sweep` and `numduel plot`."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.game import Game
from numduel.core.numerals import join_or, quoted
from numduel.core.words import replay_from
from numduel.lab.fairness import MAX_GAME_TURNS, MAX_OPENINGS_EVALUATED, Fairness, Series, fairness
from numduel.play.analysis import analyze_record
from numduel.play.coach import outlook
from numduel.play.files import write_atomically
from numduel.solver import theory_of
from numduel.terminal.arena import (
    cluster_option,
    on_cluster,
    out_option,
    resumable_progress,
    workers_option,
)
from numduel.terminal.command import command, needing, with_settings
from numduel.terminal.options import AddOption, GameCommands, completion_of, json_option
from numduel.terminal.saved_games import player_names, read_rounds, saved_idents
from numduel.terminal.screen import Screen, make_screen, progress, title_of
from numduel.terminal.solve import after_option, distance_option, parse_moves


def _fair(game: Game[Any], /, as_json: bool) -> None:
    with progress("Playing games") as advance:
        found = fairness(game, on_progress=advance)
    if as_json:
        click.echo(json.dumps(_fairness_data(found)))
        return
    screen = make_screen()
    with screen.paged():
        _show_fairness(screen, found)


fair = GameCommands(
    "fair",
    _fair,
    help="Show how fair a game is, and name fairer settings.",
    epilog=f"Example: {command('fair multiplicity --size 20')}",
    about="Show how fair {title} is at these settings, and name fairer ones.",
    example="fair {key}",
    options=[json_option],
)


def _show_fairness(screen: Screen, found: Fairness) -> None:
    screen.say([title_of(found.game), "", _verdict_sentence(found)])
    if found.winning_openings is not None:
        screen.say([f"{found.winning_openings} of {found.openings} openings win for the beginner."])
    if found.series:
        screen.say(["", "Between equal players, the one who begins wins (in brackets, 95 % sure):"])
    elif found.verdict is not None and (found.verdict.distance or 0) > MAX_GAME_TURNS:
        screen.say([f"No games were played: they can last longer than {MAX_GAME_TURNS} moves."])
    for one in found.series:
        length = f"{one.length:.1f} moves on average of {one.games} games"
        screen.say_entry(f"  {one.level:8} {_shares_text(one)}; {length}", 11)
    screen.say([""])
    if found.swap_helps:
        screen.say(["With --swap the second player may take over the opening: a real choice."])
    for near, begins in found.fairer:
        counted = f"{begins.winning} of {begins.openings} first moves win"
        screen.say([f"Fairer: {with_settings('play', near)}  ({counted})"])
    if found.fairer:
        screen.say(["(A fairer fight between people; with best play one side may still win.)"])
    elif found.tried:
        screen.say([f"None of the {found.tried} settings tried nearby is fairer."])
    elif found.openings > MAX_OPENINGS_EVALUATED:
        screen.say(["The settings nearby were not tried: there are too many first moves."])
    screen.say(["Fair at any setting: --rounds 2, so that each begins once."])


def _shares_text(one: Series) -> str:
    shares = one.shares
    first, second = shares["first"], shares["second"]
    rest = "".join(
        f", {name} {shares[name].part:.0%}" for name in ("drawn", "undecided") if shares[name].part
    )
    between = f"({first.low:.0%} to {first.high:.0%})"
    return f"{first.part:4.0%} {between}, the other {second.part:.0%}{rest}".strip()


def _verdict_sentence(found: Fairness) -> str:
    if found.verdict is None:
        return "Too large to solve: who wins with best play is not known."
    if found.verdict.value == "endless":
        limits = join_or([*(f"a {name}" for name in found.bounding), "a limit of turns"])
        return f"Endless: between good players nobody can force an end. Set {limits}."
    if found.verdict.value == "draw":
        return "Fair: with best play nobody wins."
    side = "begins" if found.verdict.value == "win" else "does not begin"
    line = outlook(found.game, found.verdict, 1)
    return f"Lopsided: with best play the player who {side} always wins. {line}"


def _fairness_data(found: Fairness) -> dict[str, Any]:
    return {
        "game": found.game.key,
        "settings": dict(found.game.settings.values),
        "verdict": found.verdict and found.verdict._asdict(),
        "openings": found.openings,
        "winning_openings": found.winning_openings,
        "levels": [
            {
                "level": one.level,
                "games": one.games,
                "length": one.length,
                **{name: part for name, (part, _, _) in one.shares.items()},
                "intervals": {name: [low, high] for name, (_, low, high) in one.shares.items()},
            }
            for one in found.series
        ],
        "tried": found.tried,
        "fairer": [
            {
                "settings": dict(near.settings.values),
                "command": with_settings("play", near),
                "openings": begins.openings,
                "winning_openings": begins.winning,
            }
            for near, begins in found.fairer
        ],
    }


COUNT_LINES = {
    "win": "Whoever begins wins: {:,}",
    "loss": "The other player wins: {:,}",
    "draw": "Nobody wins: {:,}",
    "endless": "Nobody can force an end: {:,}",
    None: "Too large to solve: {:,}",
}
"""The line with the number of games of each value."""


def _sweep(
    kind: type[Game[Any]],
    /,
    out: Path,
    workers: int,
    cluster: str | None,
    distance: bool,
    **given: str | None,
) -> None:
    with needing("lab", "a sweep"):
        from numduel.lab.sweep import Sweep, run_sweep

        if find_spec("numba") is None:  # slow to import, and not needed by every game
            raise ModuleNotFoundError(name="numba")
    settings = {name: text for name, text in given.items() if text is not None}
    sweep, computed = Sweep(kind.key, settings, distance), on_cluster(cluster, "compute_on_cluster")
    with resumable_progress("Solving games", out) as advance:
        table = run_sweep(sweep, out, workers=workers, compute=computed, on_progress=advance)
    for value, count in table.rows():
        click.echo(COUNT_LINES[value].format(count))
    click.echo(f"The table is in {out}. Draw it with: {command(f'plot sweep {out}')}")


sweep = GameCommands(
    "sweep",
    _sweep,
    help="Solve a whole family of games: who wins, by which first moves, in how many moves.",
    epilog=f"Example: {command('sweep multiplicity --size 10..200 --opening even --out results')}",
    about="Solve {title} at every combination of these settings. Each may be a value, a range like "
    "10..30 or 10..30..5, or several of these, like 5|10..30. The table is written as Parquet, in "
    "parts. Run the same command again to resume.",
    example="sweep {key} --out results",
    options=[out_option(default="sweep"), workers_option, cluster_option, distance_option],
    several=True,
)


def _check_suffix(_ctx: click.Context, _option: click.Parameter, path: Path) -> Path:
    if path.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"a picture is called like plot.svg or plot.png, not {path.name}")
    return path


_folder = click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
_out = click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default="plot.svg",
    callback=_check_suffix,
    help="The file to write; its name ends in .svg or .png.",
)


def _show_option(help: str, *choices: str) -> AddOption:
    return click.option("--show", type=click.Choice(choices), default=choices[0], help=help)


def _write_picture(chart: Any, out: Path) -> None:
    from numduel.lab.plot import render_chart

    write_atomically(out, render_chart(chart, "png" if out.suffix == ".png" else "svg"))
    click.echo(f"Drawn: {out}")


@click.group(epilog=f"Example: {command('plot sweep results --show openings --out openings.svg')}")
def plot() -> None:
    """Draw a sweep, a saved game, an arena or a pairing, as SVG or PNG."""


@plot.command("sweep", epilog=f"Example: {command('plot sweep results --where opening=even')}")
@_folder
@_show_option(
    "Who wins, the share of the first moves that win, or how long best play lasts.",
    "value",
    "openings",
    "distance",
)
@click.option("--where", multiple=True, metavar="NAME=VALUE", help="Draw only these games.")
@_out
def plot_sweep(folder: Path, show: Any, where: tuple[str, ...], out: Path) -> None:
    """Draw a sweep, over the one or two settings that vary in it."""
    with needing("lab", "a picture"):
        from numduel.lab.plot import sweep_chart
        from numduel.lab.sweep import count_parts, read_sweep
    fixed = dict(map(_parse_setting, where))
    chart = sweep_chart(read_sweep(folder), show, fixed)
    there, parts = count_parts(folder)
    if there < parts:
        chart = chart.properties(title=f"Not finished: {there:,} of {parts:,} parts are solved.")
        click.echo(f"{folder} is not finished: {there:,} of {parts:,} parts are solved.", err=True)
    _write_picture(chart, out)


def _parse_setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingsError(f"a setting is given as size=30, not {quoted(text)}")
    return name.replace("-", "_"), value


@plot.command(
    "record",
    short_help="Draw who was winning after each move of a game.",
    epilog=f"Example: {command('plot record 12 --out game.png')}",
)
@click.argument("record", shell_complete=completion_of(saved_idents))
@_out
def plot_record(record: str, out: Path) -> None:
    """Draw who was winning after each move: RECORD is a file, or an ID from the history."""
    with needing("lab", "a picture"):
        from altair import vconcat

        from numduel.lab.plot import game_chart
    rounds = read_rounds(record)
    charts = [
        game_chart(analyze_record(game, record, swapped), player_names(record.players))
        for game, record, swapped, _ in rounds
    ]
    _write_picture(vconcat(*charts), out)


@plot.command("arena", epilog=f"Example: {command('plot arena results --show depths')}")
@_folder
@_show_option(
    "Ratings, the score of each player against each, or skill by depth.",
    "ratings",
    "crossed",
    "depths",
)
@_out
def plot_arena(folder: Path, show: str, out: Path) -> None:
    """Draw the results of an arena."""
    with needing("arena", "a picture of an arena"):
        from numduel.arena.report import read_plots
    plots = read_plots(folder)
    if show not in plots:
        raise NumduelError(f"no moves were judged in {folder}: it has {', '.join(plots)}")
    _write_picture(plots[show], out)


def _pairing(game: Game[Any], /, after: str, out: Path) -> None:
    with needing("lab", "a picture"):
        from numduel.lab.plot import pairing_chart
    position, _ = replay_from(game, game.start(), parse_moves(after))
    pairing = theory_of(game).pairing(position)
    if pairing is None:
        raise NumduelError(f"{game.title} is not decided by a pairing")
    _write_picture(pairing_chart(pairing), out)


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
