"""`numduel history`."""

from __future__ import annotations

from itertools import islice

import click

from numduel.core.numerals import counted
from numduel.core.words import SEATS
from numduel.play.ending import ending
from numduel.play.match import Match
from numduel.play.saved import Entry
from numduel.terminal.command import command
from numduel.terminal.options import completed
from numduel.terminal.records import when
from numduel.terminal.screen import screen, titled
from numduel.terminal.shelf import delete_saved, idents, shelf

LAST = 20
"""How many games are listed unless all are asked for."""


@click.command(epilog=f"Example: {command('history --all')}")
@click.option("--all", "everything", is_flag=True, help=f"All of them, not just the last {LAST}.")
@click.option(
    "--delete",
    metavar="ID",
    shell_complete=completed(idents),
    help="Delete this game for good, instead.",
)
def history(everything: bool, delete: str | None) -> None:
    """List finished and unfinished games and matches, the newest last."""
    if delete is not None:
        delete_saved(delete)
        click.echo(f"Game {delete} is deleted.")
        return
    found = shelf().history()
    entries = list(found if everything else islice(found, LAST))
    if not entries:
        click.echo(f"No games yet. Start one with: {command('play GAME')}")
        return
    out = screen(plain=False)
    with out.paged():
        if next(found, None) is not None:
            out.say([f"There are earlier ones: {command('history --all')}"])
        out.entry("  ID  Started           Game, players: how it stands")
        for entry in reversed(entries):
            out.entry(f"{entry.ident:>4}  {_entry(entry)}")
        unfinished = [entry for entry in entries if entry.match and not entry.match.over]
        if unfinished:
            out.say([f"Go on with one: {command(f'resume {unfinished[0].ident}')}"])


def summary(match: Match) -> str:
    """The game, who plays, and how it stands."""
    players = " against ".join(match.setup.called)
    return f"{titled(match.setup.game, changed=True)}, {players}: {_state(match)}"


def _entry(entry: Entry) -> str:
    if entry.match is None:
        return f"damaged: {entry.error}"
    return f"{when(entry.match.setup.started)}  {summary(entry.match)}"


def _state(match: Match) -> str:
    count = counted(len(match.table.moves), "move")
    if match.setup.rounds > 1:
        score = f"{match.wins[1]} to {match.wins[2]}"
        if match.over:
            return f"match finished, {score}"
        return f"unfinished, {match.round_line().lower()}, {score}"
    end = ending(match.setup.game, match.record())
    if end is None:
        return f"unfinished, {count}"
    one, two = (name or seat for name, seat in zip(match.setup.names, SEATS, strict=True))
    winner = end.outcome.winner
    won = "nobody won" if winner is None else f"{(one, two)[winner - 1]} won"
    return f"{won} after {count}: {end.why(match.setup.game, (one, two))}"
