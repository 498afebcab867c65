"""`numduel arena`."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from numduel.core.errors import NumduelError, SettingsError
from numduel.terminal.command import command
from numduel.terminal.progress import advancing

if TYPE_CHECKING:
    from numduel.arena.asked import Asked
    from numduel.arena.run import Played

MOST_WORKERS = 512
LONGEST_NAME = 28
NEEDED = ("polars", "scipy", "altair", "vl_convert", "jinja2")


@click.command(
    "arena",
    help="Let players compete: every pair, in every game, from both seats. FILE is a TOML file of "
    "the same options; those given beside it replace what it says. What was begun in a folder is "
    "gone on with by the same command.",
    epilog="Example: "
    + command(
        "arena --game multiplicity:size=20..30..5 --player random --player hard --out results"
    ),
)
@click.argument(
    "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False
)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME:NAME=VALUE,…",
    help="A game at its settings; a value may be a range, 10..30 or 10..30..5, or any|even.",
)
@click.option("--player", "players", multiple=True, metavar="PLAYER", help="Who plays.")
@click.option(
    "--rounds", type=int, help="How often each pair meets, from both seats.  [default: 10]"
)
@click.option("--seed", type=int, help="Decides everything that is left to chance.  [default: 0]")
@click.option(
    "--decided",
    is_flag=True,
    default=None,
    help="Begin from sampled positions that one side can win, not from the start.",
)
@click.option("--turn-limit", type=int, help="A longer game is undecided.  [default: 1000]")
@click.option("--seconds", type=float, help="How long a player may take for a move.")
@click.option(
    "--truth/--no-truth", default=None, help="Hold each move against the exact verdicts, or not."
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default="arena",
    show_default=True,
    help="The folder for what comes out.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    help="How many processes share the work.  [default: one for each core]",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on the Dask cluster whose scheduler is there, as tcp://10.0.0.1:8786.",
)
@click.option(
    "--serve",
    is_flag=True,
    help="Show what is, or was, played in the folder, in a browser of this machine.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8001,
    show_default=True,
    help="Where to show it; 0: any free one.",
)
@click.option("--model-url", metavar="URL", help="The server of the players model:NAME.")
@click.option(
    "--disguise",
    metavar="SEED",
    type=click.IntRange(0, 2**31 - 1),
    help="Tell the players model:NAME the same games under other words, by a seed.",
)
def arena(
    file: Path | None,
    out: Path,
    workers: int | None,
    cluster: str | None,
    serve: bool,
    port: int,
    model_url: str | None,
    disguise: int | None,
    **given: Any,
) -> None:
    from numduel.arena.crew import cores
    from numduel.arena.run import run

    _check_installed()
    if serve:
        _serve(out, port)
        return
    asked = _asked(file, {name: value for name, value in given.items() if value not in (None, ())})
    asked = _for_models(asked, url=model_url, disguise=disguise)
    try:
        with advancing("Playing games") as told:
            run(asked, out, workers=workers or cores(), played=_played(cluster), told=told)
    except KeyboardInterrupt:
        click.echo(f"\nKept in {out}: the same command goes on.", err=True)
        raise
    from numduel.arena.report import PLAYERS, REPORT

    _show((out / PLAYERS).read_text(encoding="utf-8"), asked)
    click.echo(f"\nMore in {out / REPORT}")


def _serve(folder: Path, port: int) -> None:
    try:
        import uvicorn

        from numduel.arena.page import watching_app
    except ModuleNotFoundError as error:
        raise NumduelError(
            f"serving needs more than is installed ({error.name}): pip install 'numduel[web]'"
        ) from None
    from numduel.terminal.serve import listen

    app, listening = watching_app(folder), listen("127.0.0.1", port)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    click.echo(f"The arena is at {address} (Ctrl-C stops it).")
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])


def _played(cluster: str | None) -> Played | None:
    if cluster is None:
        return None
    if find_spec("distributed") is None:
        raise NumduelError("a cluster needs more than is installed: pip install 'numduel[cluster]'")
    from numduel.arena.cluster import played_on

    return partial(played_on, cluster, told=partial(click.echo, err=True))


def _check_installed() -> None:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise NumduelError(
            f"the arena needs more than is installed ({missing[0]}): pip install 'numduel[arena]'"
        )


def _asked(file: Path | None, given: dict[str, Any]) -> Asked:
    from numduel.arena.asked import Asked, loads

    fields: dict[str, Any] = {}
    if file is not None:
        try:
            fields = loads(file.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            raise SettingsError(f"{file} is not UTF-8 text") from None
        except NumduelError as error:
            raise SettingsError(f"{file}: {error}") from None
    fields.update(given)
    return Asked(**{"games": (), "players": (), **fields})


def _for_models(asked: Asked, **options: object) -> Asked:
    """What is asked, with options for all language models among the players."""
    given = "".join(f",{name}={value}" for name, value in options.items() if value is not None)
    players = (who + given if who.startswith("model:") else who for who in asked.players)
    return asked._replace(players=tuple(players))


def _show(text: str, asked: Asked) -> None:
    """The table, tersely: whole numbers where they do."""
    import json

    heads = ["player", "rating", "±", "won", "drawn", "open", "lost", "faults"]
    heads += ["sound", "regret"] if asked.truth else []
    rows = [heads, *(_row(one, asked.truth) for one in json.loads(text))]
    widths = [max(len(row[at]) for row in rows) for at in range(len(heads))]
    for row in rows:
        name, *numbers = row
        cells = [text.rjust(width) for text, width in zip(numbers, widths[1:], strict=True)]
        click.echo("  ".join([name.ljust(widths[0]), *cells]).rstrip())
    if asked.truth:
        click.echo("\nsound: of the moves where it mattered; regret: points given away at each.")


def _row(one: dict[str, Any], truth: bool) -> list[str]:
    rating = one["rating"]
    row = [one["player"][:LONGEST_NAME], f"{rating['points']:.0f}"]
    row.append(f"{(rating['high'] - rating['low']) / 2:.0f}")
    if "games" not in one:
        return [*row, *[""] * (7 if truth else 5)]
    row += [str(one[name]) for name in ("won", "drawn", "undecided", "lost")]
    row.append(str(sum(one[fault] for fault in ("illegal", "unreadable", "late", "crashed"))))
    if truth:
        part, regret = one["accuracy_where_it_mattered"], one["regret_where_it_mattered"]
        row += ["–" if part is None else f"{part:.1%}", "–" if regret is None else f"{regret:.3f}"]
    return row
