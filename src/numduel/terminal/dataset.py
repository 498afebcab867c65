"""`numduel dataset`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from numduel.core.errors import NumduelError
from numduel.games import keys
from numduel.terminal.command import command
from numduel.terminal.progress import advancing


@click.command(
    "dataset",
    help="Write positions with verdicts, best moves, reasons and grades, for programs that learn: "
    "Parquet and JSON Lines, in parts that share no position.",
    epilog="Example: " + command("dataset --game multiplicity:size=10..40 --count 10000"),
)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME:NAME=VALUE,…",
    help="A game at its settings; a value may be a range, 10..30.  [default: every game]",
)
@click.option("--count", type=int, default=10_000, show_default=True, help="How many positions.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Decides what is left to chance."
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default="dataset",
    show_default=True,
    help="The folder for what comes out.",
)
@click.option("--workers", type=click.IntRange(1, 512), help="Processes.  [default: one a core]")
def dataset(games: tuple[str, ...], count: int, seed: int, out: Path, workers: int | None) -> None:
    if find_spec("polars") is None:
        raise NumduelError("data sets need more than is installed: pip install 'numduel[arena]'")
    from numduel.arena.crew import cores
    from numduel.arena.dataset import write_dataset

    with advancing("Solving positions") as told:
        made = write_dataset(out, games or keys(), count, seed, workers or cores(), told)
    fewer = f" ({count:,} were asked for, and no more were found)" if made.positions < count else ""
    click.echo(f"{made.positions:,} positions in {out}{fewer}\nSHA-256 {made.hash}")
