"""`numduel sweep`."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from numduel.core.game import Game
from numduel.terminal.arena import cluster_option, out_option, workers_option
from numduel.terminal.command import command, needing
from numduel.terminal.options import GameCommands
from numduel.terminal.progress import progress
from numduel.terminal.solve import distance_option

if TYPE_CHECKING:
    from numduel.lab.sweep import Computed

SAID = {
    "win": "Whoever begins wins: {:,}",
    "loss": "The other player wins: {:,}",
    "draw": "Nobody wins: {:,}",
    "endless": "Nobody can force an end: {:,}",
    None: "Too large to solve: {:,}",
}
"""How many games were found to have each value."""


def _sweep(
    kind: type[Game[Any]],
    /,
    out: Path,
    workers: int | None,
    cluster: str | None,
    distance: bool,
    **given: str | None,
) -> None:
    with needing("lab", "a sweep"):
        from numduel.lab.sweep import Sweep, run_sweep

        if find_spec("numba") is None:  # slow to import, and not needed by every game
            raise ModuleNotFoundError(name="numba")
    from numduel.arena.processes import cores

    settings = {name: text for name, text in given.items() if text is not None}
    sweep, computed = Sweep(kind.key, settings, distance), _computed(cluster)
    try:
        with progress("Solving games") as told:
            found = run_sweep(sweep, out, workers=workers or cores(), computed=computed, told=told)
    except KeyboardInterrupt:
        click.echo(f"\nSaved in {out}. Run the same command again to go on.", err=True)
        raise
    for value, count in found.rows():
        click.echo(SAID[value].format(count))
    click.echo(f"The table is in {out}. Draw it with: {command(f'plot sweep {out}')}")


sweep = GameCommands(
    "sweep",
    _sweep,
    help="Solve a whole family of games: who wins, by which first moves, in how many moves.",
    epilog=f"Example: {command('sweep multiplicity --size 10..200 --opening even --out results')}",
    about="Solve {title} at every combination of these settings. Each may be a value, a range like "
    "10..30 or 10..30..5, or several of these, like 5|10..30. The table is Parquet, in parts. Run "
    "the same command again to resume.",
    example="sweep {key} --out results",
    options=[out_option(default="sweep"), workers_option, cluster_option, distance_option],
    several=True,
)


def _computed(cluster: str | None) -> Computed | None:
    if cluster is None:
        return None
    with needing("cluster", "a cluster"):
        from numduel.arena.cluster import computed_on
    return partial(computed_on, cluster, told=partial(click.echo, err=True))
