"""`numduel analyze`."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import click

from numduel.core.game import Game
from numduel.core.record import Record
from numduel.play.analysis import Analysis
from numduel.play.analysis import analyze as analyze_record
from numduel.play.ending import ending
from numduel.terminal.command import command
from numduel.terminal.options import completed
from numduel.terminal.records import heading, records, seat
from numduel.terminal.screen import LEGEND, Screen, screen
from numduel.terminal.shelf import idents


@click.command(epilog=f"Example: {command('analyze 12')}")
@click.argument("record", shell_complete=completed(idents))
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--plain", is_flag=True, help="Plain text, without colour.")
def analyze(record: str, as_json: bool, plain: bool) -> None:
    """Where a game turned: RECORD is a file, or an ID from the history."""
    found = [(game, one, analyze_record(game, one, swap)) for game, one, swap in records(record)]
    if as_json:
        rounds = [
            {"game": one.game, "settings": one.settings, **analysis.as_dict()}
            for _, one, analysis in found
        ]
        click.echo(json.dumps(rounds[0] if len(rounds) == 1 else rounds))
        return
    out = screen(plain)
    with out.paged():
        for count, (game, one, analysis) in enumerate(found, 1):
            title = f"Round {count}: " if len(found) > 1 else ""
            out.say([f"{title}{heading(game, one)}"])
            seat(out, one)
            _show(out, game, one, analysis)


def _show(out: Screen, game: Game[Any], record: Record, analysis: Analysis) -> None:
    out.say([LEGEND, ""])
    pairs = pairwise(record.positions(game))
    for step, (before, after) in zip(analysis.steps, pairs, strict=False):
        told = game.words.moved(before, step.move, after, out.names[step.seat - 1])
        mark = "" if step.sound else "  <- turned here"
        out.verdict(step.verdict.value, f"{step.turn}. {told}{mark}")
        if not step.sound:
            out.entry(f"     {step.better_label} was better: {step.reason}.", 5)
        if step.turn == 1 and analysis.swap is not None:
            swap = analysis.swap
            taken = "takes the first move over" if swap.taken else "leaves the first move"
            out.entry(f"   {out.names[swap.seat - 1]} {taken}. {swap.line}", 3)
    end = ending(game, record)
    if end is not None:
        out.say([end.sentence(game, out.names)])
    out.say([""])
    if not analysis.turning_points:
        out.say(["Nobody gave anything away."])
    for number, name in enumerate(out.names, 1):
        share = analysis.sound_share(number)
        if share is not None:
            out.say([f"{name}: {share:.0%} sound moves"])
    out.say([f"Who was winning, from the start on (= nobody): {_shortened(analysis)}"])


def _shortened(analysis: Analysis) -> str:
    leads = "".join("=" if seat == 0 else str(seat) for seat in analysis.leads)
    return leads if len(leads) <= 200 else f"{leads[:100]} … {leads[-100:]}"
