"""`numduel bench`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from numduel.core.errors import SettingsError
from numduel.terminal.arena import (
    model_options,
    out_option,
    running,
    seconds_option,
    seed_option,
    show_table,
    shown,
    workers_option,
)
from numduel.terminal.command import command, needing
from numduel.terminal.options import number_option
from numduel.terminal.screen import progress


@click.command(
    "bench",
    help="Ask players about the positions of Numduel-Bench, each once, and tell how much skill "
    "they show. Run the same command again to resume.",
    epilog="Example: " + command("bench random hard model:NAME --out scores"),
)
@click.argument("players", nargs=-1, metavar="PLAYER…")
@number_option("--positions", 1, None, "Ask only about the first N positions.")
@click.option(
    "--set", "file", type=click.Path(dir_okay=False), help="A file with positions of your own."
)
@click.option(
    "--make",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write new positions to a file instead of asking players. Keep the seed to yourself.",
)
@seed_option(default=1)
@seconds_option
@out_option(default="bench")
@workers_option
@model_options
def bench(
    players: tuple[str, ...],
    positions: int | None,
    file: str | None,
    make: Path | None,
    seed: int,
    seconds: float | None,
    out: Path,
    workers: int | None,
    **models: Any,
) -> None:
    with needing("arena", "the bench"):
        from numduel.arena.bench import SCORES_FILE, SET_POSITIONS, make_set
    from numduel.arena.processes import cores
    from numduel.arena.report import REPORT_FILE
    from numduel.arena.spec import Spec

    if make is not None:
        with progress("Solving positions") as told:
            digest = make_set(make, seed, workers or cores(), told)
        click.echo(f"{make}\nSHA-256 {digest}")
        return
    if not players:
        raise SettingsError(f"who is asked? As in {command('bench random hard')}")
    spec = Spec(
        games=(),
        players=players,
        rounds=positions or 50 * SET_POSITIONS,
        seed=seed,
        turn_limit=1,
        seconds=seconds,
        truth=False,
        bench="1" if file is None else file,
    )
    with running(spec, out, workers, **models):
        _show(json.loads((out / SCORES_FILE).read_text(encoding="utf-8"))["players"])
        click.echo(f"\nMore in {out / REPORT_FILE}")


def _show(players: list[dict[str, Any]]) -> None:
    rows = []
    for one in players:
        low, high = (shown(one[f"skill_{end}"], ".2f") for end in ("low", "high"))
        row = [shown(one["skill"], ".2f"), "–" if one["skill"] is None else f"{low} to {high}"]
        rows.append([*row, shown(one["raw"], ".1%"), shown(one["breaks_at"], "d")])
    show_table(
        players,
        ["player", "skill", "at 95 %", "right", "breaks at"],
        rows,
        "skill: 0 is random, 1 is perfect; right: the share of sound moves;\n"
        "breaks at: the moves to the end at which the skill is first below one half.",
    )
