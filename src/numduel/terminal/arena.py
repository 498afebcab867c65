"""`numduel arena` and `numduel dataset`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from numduel.core.errors import NumduelError, SettingsError
from numduel.games import keys
from numduel.terminal.command import command, needing
from numduel.terminal.options import number_option
from numduel.terminal.screen import progress

if TYPE_CHECKING:
    from numduel.arena.run import PlayGames
    from numduel.arena.spec import Spec

MAX_ARENA_WORKERS = 512
MAX_NAME_COLUMNS = 28

Columns = dict[str, tuple[str, str]]  # by the head of a column: its field and format

RATING_COLUMNS: Columns = {
    "rating": ("rating", ".0f"),
    "±": ("margin", ".0f"),
    "won": ("won", "d"),
    "drawn": ("drawn", "d"),
    "open": ("undecided", "d"),
    "lost": ("lost", "d"),
    "faults": ("faults", "d"),
}
TRUTH_COLUMNS: Columns = {"sound": ("sound", ".1%"), "regret": ("regret", ".3f")}
MODEL_COLUMNS: Columns = {
    "cut": ("cut", "d"),
    "void": ("void", "d"),
    "strict": ("strictness", ".0%"),
    "tokens": ("tokens", ","),
    "cost": ("cost", ",.2f"),
}

game_option = partial(click.option, "--game", "games", multiple=True, metavar="GAME:NAME=VALUE,…")
seed_option = partial(
    click.option, "--seed", type=int, metavar="N", help="Makes everything random repeatable."
)
seconds_option = click.option(
    "--seconds", type=float, metavar="SECONDS", help="How long a player may take for a move."
)
out_option = partial(
    click.option,
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write the results to.",
)
workers_option = number_option(
    "--workers",
    1,
    MAX_ARENA_WORKERS,
    "How many processes share the work.",
    default=lambda: min(MAX_ARENA_WORKERS, import_module("numduel.arena.processes").cores()),
    show_default="one for each core",
)
cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Use a Dask cluster: the address of its scheduler, like tcp://10.0.0.1:8786.",
)


def model_options(decorated: Any) -> Any:
    """Give a command the options for language models."""
    for option in (
        click.option(
            "--disguise",
            metavar="NUMBER",
            help="Describe the games to the players model:NAME in other words, chosen by the "
            "number; graph: as a bare graph, without arithmetic.",
        ),
        click.option(
            "--model-url",
            metavar="URL",
            help="The server for the players model:NAME; no key is sent to it.",
        ),
        click.option(
            "--budget",
            metavar="tokens=N,money=N",
            help="How much all answers of models may use; games that could need more are not "
            "played.",
        ),
        click.option(
            "--providers",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="A TOML file with addresses, keys, limits and prices for model:NAME@PROVIDER.",
        ),
    ):
        decorated = option(decorated)
    return decorated


@click.command(
    "arena",
    help="Let players compete: every pair, in every game, from both seats. FILE is a TOML file of "
    "the same options; options on the command line replace those of the file. Run the same command "
    "again to resume; also with more players, games or rounds.",
    epilog="Example: "
    + command(
        "arena --game multiplicity:size=20..30..5 --player random --player hard --out results"
    ),
)
@click.argument(
    "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False
)
@game_option(
    help="A game at its settings; a value may be a range, 10..30 or 10..30..5, or any|even."
)
@click.option(
    "--player", "players", multiple=True, metavar="PLAYER", help="A player; may be repeated."
)
@click.option(
    "--rounds",
    type=int,
    metavar="N",
    help="How often each pair meets, from both seats.  [default: 10]",
)
@seed_option(help="Makes everything random repeatable.  [default: 0]")
@click.option(
    "--decided",
    is_flag=True,
    default=None,
    help="Begin from sampled positions that one side can win, not from the start.",
)
@click.option(
    "--turn-limit",
    type=int,
    metavar="N",
    help="A game that lasts N turns is undecided.  [default: 1000]",
)
@seconds_option
@click.option(
    "--truth/--no-truth", default=None, help="Compare each move with the exact verdicts, or not."
)
@out_option(default="arena")
@workers_option
@cluster_option
@click.option(
    "--serve",
    is_flag=True,
    help="Show the games of the folder, and who is ahead, in a browser on this machine.",
)
@number_option("--port", 0, 65535, "The port for --serve; 0: any free one.", default=8001)
@model_options
def arena(
    file: Path | None,
    out: Path,
    workers: int,
    cluster: str | None,
    serve: bool,
    port: int,
    **given: Any,
) -> None:
    with needing("arena", "the arena"):
        from numduel.arena.report import PLAYERS_FILE

    if serve:
        _serve(out, port)
        return
    models = {name: given.pop(name) for name in ("providers", "budget", "model_url", "disguise")}
    given = {name: value for name, value in given.items() if value not in (None, ())}
    spec = _read_spec(file, given)
    with running(spec, out, workers, models, on_cluster(cluster, "play_on_cluster")):
        _show_ratings(json.loads((out / PLAYERS_FILE).read_text(encoding="utf-8")), spec)


@contextmanager
def running(
    spec: Spec, out: Path, workers: int, models: dict[str, Any], play_games: PlayGames | None = None
) -> Iterator[None]:
    """Run an arena or a bench, then the body of the `with` statement.

    `models` are the values of the options for language models. Raises NumduelError at the end if
    games were not played.
    """
    from numduel.arena.model_games import SpendingLimit
    from numduel.arena.report import REPORT_FILE
    from numduel.arena.run import run
    from numduel.players.provider import FILE_VARIABLE

    if models["providers"] is not None:
        os.environ[FILE_VARIABLE] = str(models["providers"])
    spec = for_models(spec, models["model_url"], models["disguise"])
    budget = SpendingLimit.parse(models["budget"]) if models["budget"] else None
    unplayed: list[str] = []
    with resumable_progress("Asking" if spec.bench else "Playing games", out) as advance:
        # A bench has no winners, and therefore no scores to show beside the bar.
        on_progress = (lambda part, _: advance(part)) if spec.bench else advance
        options: dict[str, Any] = {"workers": workers, "play_games": play_games, "budget": budget}
        run(spec, out, on_progress=on_progress, warn=unplayed.append, **options)
    yield
    click.echo(f"\nMore in {out / REPORT_FILE}")
    if unplayed:
        raise NumduelError(unplayed[0])


@contextmanager
def resumable_progress(what: str, folder: Path) -> Iterator[Callable[..., None]]:
    """Show progress. If Ctrl-C is pressed, say how to resume."""
    try:
        with progress(what) as advance:
            yield advance
    except KeyboardInterrupt:
        click.echo(f"\nSaved in {folder}. Run the same command again to resume.", err=True)
        raise


def _serve(folder: Path, port: int) -> None:
    with needing("web", "serving"):
        import uvicorn

        from numduel.arena.live_page import live_app
    from numduel.terminal.serve import listen

    app, listening = live_app(folder), listen("127.0.0.1", port)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    click.echo(f"The arena is at {address} (Ctrl-C stops it).")
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])


def on_cluster(cluster: str | None, name: str) -> Any:
    """Return the function of `numduel.arena.cluster` with that name; None without a cluster."""
    if cluster is None:
        return None
    with needing("cluster", "a cluster"):
        from numduel.arena import cluster as functions
    return partial(getattr(functions, name), cluster, on_wait=partial(click.echo, err=True))


def _read_spec(file: Path | None, given: dict[str, Any]) -> Spec:
    from numduel.arena.spec import Spec, parse_fields

    fields: dict[str, Any] = {}
    if file is not None:
        try:
            fields = parse_fields(file.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            raise SettingsError(f"{file} is not UTF-8 text") from None
        except NumduelError as error:
            raise SettingsError(f"{file}: {error}") from None
    if fields.get("bench"):
        raise SettingsError(f"{file} describes a bench: {command('bench')} runs it")
    fields.update(given)
    return Spec(**{"games": (), "players": (), **fields})


def for_models(spec: Spec, url: str | None = None, disguise: str | None = None) -> Spec:
    """Return the spec with these options for every language model among the players."""
    players = []
    for who in spec.players:
        name, *own = who.split(",", 1)
        given = {"url": None if "@" in name else url, "disguise": disguise}
        options = [f"{one}={value}" for one, value in given.items() if value is not None]
        players.append(",".join([name, *options, *own]) if who.startswith("model:") else who)
    return spec._replace(players=tuple(players))


def _show_ratings(players: list[dict[str, Any]], spec: Spec) -> None:
    from numduel.arena.measures import FAULTS

    for one in players:
        rating = one["rating"]
        one |= {"rating": rating["points"], "margin": (rating["high"] - rating["low"]) / 2}
        one["faults"] = sum(one[fault] for fault in FAULTS)
    if spec.truth:
        note = "sound: good moves, where it mattered; regret: points lost by each move."
        show_table(players, RATING_COLUMNS | TRUTH_COLUMNS, note)
    else:
        show_table(players, RATING_COLUMNS)


def show_table(players: list[dict[str, Any]], columns: Columns, note: str = "") -> None:
    """Print a row for each player, with more columns if there are models among them, and a note."""
    if any(one.get("answers") or one.get("void") for one in players):
        for one in players:
            one["tokens"] = one.get("prompt_tokens", 0) + one.get("answer_tokens", 0)
        columns = columns | MODEL_COLUMNS
        note += "\ncut: ended as an answer was cut off; void: not played yet, for its provider;"
        note += "\nstrict: answers in exactly the form that was asked for."
    lines = [["player", *columns]]
    for one in players:
        cells = (formatted(one.get(field), form) for field, form in columns.values())
        lines.append([one["player"][:MAX_NAME_COLUMNS], *cells])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for name, *numbers in lines:
        cells = (text.rjust(width) for text, width in zip(numbers, widths[1:], strict=True))
        click.echo("  ".join([name.ljust(widths[0]), *cells]).rstrip())
    if note:
        click.echo(f"\n{note.strip()}")


def formatted(value: Any, form: str) -> str:
    """Return a value in this format, or a dash if there is none."""
    return "–" if value is None else format(value, form)


@click.command(
    "dataset",
    help="Write solved positions for programs to learn from: verdicts, best moves, reasons and "
    "grades, as Parquet and JSON Lines, in parts that share no position.",
    epilog="Example: " + command("dataset --game multiplicity:size=10..40 --count 10000"),
)
@game_option(help="A game at its settings; a value may be a range, 10..30.  [default: every game]")
@click.option("--count", type=int, metavar="N", default=10_000, help="How many positions.")
@seed_option(default=0)
@out_option(default="dataset")
@workers_option
def dataset(games: tuple[str, ...], count: int, seed: int, out: Path, workers: int) -> None:
    with needing("arena", "a data set"):
        from numduel.arena.dataset import write_dataset
    with progress("Solving positions") as advance:
        dataset = write_dataset(out, games or keys(), count, seed, workers, advance)
    found = dataset.positions
    fewer = f" ({count:,} were asked for, and no more were found)" if found < count else ""
    click.echo(f"{found:,} positions in {out}{fewer}\nSHA-256 {dataset.hash}")
