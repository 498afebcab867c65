"""Looking back on saved games: `numduel history`, `numduel replay` and `numduel analyze`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice, pairwise
from typing import Any

import click

from numduel.core.game import Game
from numduel.core.numerals import pluralize, quoted
from numduel.core.record import Record
from numduel.core.scene import MAX_BOARD_CELLS
from numduel.core.words import Last
from numduel.play.analysis import Analysis, analyze_record
from numduel.play.match import Match
from numduel.play.saved import Entry
from numduel.play.setup import NeedsGame
from numduel.play.table import record_ending
from numduel.terminal.command import command
from numduel.terminal.options import completed, json_option, number_option, plain_option
from numduel.terminal.saved_games import (
    Played,
    heading,
    idents,
    names,
    next_command_named,
    parse_ident,
    records,
    seated,
    shelf,
    when,
)
from numduel.terminal.screen import LEGEND, Screen, progress, screen, titled
from numduel.terminal.streams import at_terminal

LISTED_GAMES = 20
"""Number of games that are listed without `--all`."""

ShowPage = Callable[[], None]


@click.command(epilog=f"Example: {command('history --all')}")
@click.option(
    "--all", "everything", is_flag=True, help=f"List all games, not just the last {LISTED_GAMES}."
)
@click.option(
    "--delete",
    metavar="ID",
    shell_complete=completed(idents),
    help="Delete this game for good.",
)
def history(everything: bool, delete: str | None) -> None:
    """List finished and unfinished games and matches, the newest first."""
    if delete is not None:
        with next_command_named(delete):
            shelf().delete(parse_ident(delete))
        click.echo(f"Game {delete} is deleted.")
        return
    found = shelf().entries()
    entries = list(found if everything else islice(found, LISTED_GAMES))
    if not entries:
        click.echo(f"No games yet. Start one with: {command('play GAME')}")
        return
    out = screen(plain=False)
    with out.paged():
        out.entry("  ID  Started           Game, players: how it stands")
        for entry in entries:
            out.entry(f"{entry.ident:>4}  {_entry(entry)}")
        if next(found, None) is not None:
            out.say([f"See the older ones too: {command('history --all')}"])
        unfinished = [entry for entry in entries if entry.match and not entry.match.over]
        if unfinished:
            out.say([f"Go on with one: {command(f'resume {unfinished[0].ident}')}"])


def summary(match: Match) -> str:
    """Return the game, who plays, and how it stands."""
    players = " against ".join(names(match.setup.player_names))
    return f"{titled(match.setup.game, changed=True)}, {players}: {_state(match)}"


def _entry(entry: Entry) -> str:
    if entry.match is None:
        missing = isinstance(entry.error, NeedsGame)
        return str(entry.error) if missing else f"damaged: {entry.error}"
    return f"{when(entry.match.setup.started)}  {summary(entry.match)}"


def _state(match: Match) -> str:
    count = pluralize(len(match.table.moves), "{} move", "{} moves")
    if match.setup.rounds > 1:
        score = f"{match.wins[1]} to {match.wins[2]}"
        if match.over:
            return f"match finished, {score}"
        return f"unfinished, {score}: {match.round_line()}"
    end = record_ending(match.setup.game, match.record())
    if end is None:
        return f"unfinished, {count}"
    players, winner = names(match.setup.player_names), end.outcome.winner
    won = "nobody won" if winner is None else f"{players[winner - 1]} won"
    return f"{won} after {count}: {end.why(match.setup.game, players)}"


@click.command(epilog=f"Example: {command('replay 12')}")
@click.argument("record", shell_complete=completed(idents))
@plain_option
def replay(record: str, plain: bool) -> None:
    """Step through a saved game: RECORD is a file, or an ID from the history."""
    shown = screen(plain)
    rounds = records(record)
    count = len(rounds)
    titles = [f"Round {number}: " if count > 1 else "" for number in range(1, count + 1)]
    pages = chain.from_iterable(
        _pages(shown, played.game, played.record, title)
        for title, played in zip(titles, rounds, strict=True)
    )
    if at_terminal():
        _turn_pages(shown, list(pages))
    else:
        for page in pages:
            page()


def _pages(shown: Screen, game: Game[Any], record: Record, title: str) -> Iterator[ShowPage]:
    """Yield functions that each show one step: the opening, each move, the end."""

    def opening(position: Any) -> None:
        shown.say([f"{title}{heading(game, record)}"])
        shown.seat(*seated(record.players))
        shown.say([""])
        shown.welcome(game, position, asked=False)

    def step(before: Any, move: int, after: Any, goes_on: bool, past: list[Last]) -> None:
        shown.turn(game, before, past)
        shown.chosen(game, before, move)
        shown.moved(game, before, move, after, typed=False)
        if goes_on:
            shown.goes_on(game, after)

    positions = record.positions(game)
    before = next(positions)
    past: list[Last] = []
    yield partial(opening, before)
    for count, (move, after) in enumerate(zip(record.moves, positions, strict=True), 1):
        goes_on = count < len(record.moves) or record.outcome is None
        yield partial(step, before, move, after, goes_on, past)
        past = [*past[1 - MAX_BOARD_CELLS :], Last(before, move)]
        before = after
    end = record_ending(game, record)
    if end is None:
        yield partial(shown.turn, game, before, past)
    else:
        yield partial(shown.closed, game, end, past, typed=False)


def _turn_pages(shown: Screen, pages: list[ShowPage]) -> None:
    at, last = 0, len(pages) - 1
    pages[0]()
    while True:
        on = "Enter goes on" if at < last else "The end. Enter leaves"
        try:
            word = shown.ask(f"{on}, back goes back, quit leaves: ").strip().lower()
        except EOFError:
            shown.say([""])
            return
        if word in ("q", "quit") or (not word and at == last):
            return
        if word not in ("", "b", "back"):
            shown.say([f"{quoted(word)} is not a choice: press Enter, or type back or quit."])
            continue
        at = max(0, at - 1) if word else at + 1
        pages[at]()


@click.command(epilog=f"Example: {command('analyze 12')}")
@click.argument("record", shell_complete=completed(idents))
@json_option
@plain_option
@number_option(
    "--seconds",
    1,
    86_400,
    "How many seconds to look; moves that are not judged by then are left out.",
    default=60,
)
def analyze(record: str, as_json: bool, plain: bool, seconds: int) -> None:
    """Show where a game turned: RECORD is a file, or an ID from the history."""
    found = _analyzed(records(record), seconds)
    left_out = sum(len(one.moves) - len(analysis.steps) for _, one, analysis in found)
    if left_out:
        single = f"Warning: {{}} move was not judged in {seconds} s; --seconds gives more time."
        several = f"Warning: {{}} moves were not judged in {seconds} s; --seconds gives more time."
        click.echo(pluralize(left_out, single, several), err=True)
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
            out.names = names(one.players)
            _show_analysis(out, game, one, analysis)


def _analyzed(rounds: list[Played], seconds: int) -> list[tuple[Game[Any], Record, Analysis]]:
    """Return the analysis of each round, as far as there is time, and show how it goes on."""
    end, total = time.monotonic() + seconds, sum(len(one.record.moves) for one in rounds)
    found: list[tuple[Game[Any], Record, Analysis]] = []
    with progress("Judging the moves") as told:
        for game, one, swapped in rounds:
            earlier = sum(len(analysis.steps) for _, _, analysis in found)

            def goes_on(judged: int, earlier: int = earlier) -> bool:
                told((earlier + judged) / total, f"{earlier + judged:,} of {total:,}")
                return time.monotonic() < end

            found.append((game, one, analyze_record(game, one, swapped, goes_on)))
    return found


def _show_analysis(out: Screen, game: Game[Any], record: Record, analysis: Analysis) -> None:
    out.say([LEGEND, ""])
    swap = analysis.swap
    pairs = pairwise(record.positions(game))
    for step, (before, after) in zip(analysis.steps, pairs, strict=False):
        told = game.words.moved(before, step.move, after, out.names[step.seat - 1])
        mark = "" if step.sound else "  <- turned here"
        out.verdict(step.verdict.value, f"{step.turn}. {told}{mark}")
        if not step.sound:
            out.entry(f"     {step.better_label} was better. {step.reason}", 5)
        if swap is not None and after.mover != record.first:
            taken = "takes this over" if swap.taken else "does not take this over"
            out.entry(f"   {out.names[swap.seat - 1]} {taken}. {swap.line}", 3)
            swap = None
    end = record_ending(game, record)
    if end is not None:
        out.say([end.sentence(game, out.names)])
    out.say([""])
    if not analysis.turning_points:
        out.say(["Nobody gave anything away."])
    for number, name in enumerate(out.names, 1):
        share = analysis.sound_share(number)
        if share is not None:
            out.say([f"{name}: {share:.0%} sound moves"])
    out.say([analysis.story(out.names)])
