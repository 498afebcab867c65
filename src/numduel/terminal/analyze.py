"""`numduel analyze`."""

from __future__ import annotations

import json
from typing import Any

import click

from numduel.core.game import Game
from numduel.core.record import Record
from numduel.play.analysis import Analysis
from numduel.play.analysis import analyze as analyze_record
from numduel.terminal.history import records, won
from numduel.terminal.screen import Screen, screen


@click.command(epilog="Example: numduel analyze 12")
@click.argument("record")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--plain", is_flag=True, help="Plain text, without colour.")
def analyze(record: str, as_json: bool, plain: bool) -> None:
    """Where a game turned: RECORD is a file, or an ID from numduel history."""
    found = [(game, one, analyze_record(game, one)) for game, one in records(record)]
    if as_json:
        rounds = [
            {"game": one.game, "settings": one.settings, **analysis.as_dict()}
            for _, one, analysis in found
        ]
        click.echo(json.dumps(rounds[0] if len(rounds) == 1 else rounds))
        return
    out = screen(plain)
    for count, (game, one, analysis) in enumerate(found, 1):
        if len(found) > 1:
            out.say([f"Round {count}"])
        _show(out, game, one, analysis)


def _show(out: Screen, game: Game[Any], record: Record, analysis: Analysis) -> None:
    out.say([f"{game.title} ({game.settings})", ""])
    for step in analysis.steps:
        mark = "" if step.sound else "  <- turned here"
        line = f"{step.turn}. Player {step.seat}: {step.label}{mark}"
        out.verdict(step.verdict.value, line)
    if record.outcome is not None:
        out.say([f"{won(record.outcome)}."])
    leads = "".join("=" if seat == 0 else str(seat) for seat in analysis.leads)
    out.say(["", f"Who was winning (= nobody): {_shortened(leads)}", ""])
    for step in analysis.turning_points[:20]:
        out.say(
            [
                f"Move {step.turn}: Player {step.seat} played {step.label}; "
                f"{step.better_label} was better: {step.reason}."
            ]
        )
    if not analysis.turning_points:
        out.say(["Nobody gave anything away."])
    for seat in (1, 2):
        share = analysis.sound_share(seat)
        if share is not None:
            out.say([f"Player {seat} ({record.players[seat - 1]}): {share:.0%} sound moves"])


def _shortened(leads: str) -> str:
    return leads if len(leads) <= 200 else f"{leads[:100]} … {leads[-100:]}"
