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
from numduel.play.table import record_ending, with_reason
from numduel.terminal.command import command
from numduel.terminal.options import completion_of, json_option, number_option, plain_option
from numduel.terminal.saved_games import (
    Played,
    advice_on_errors,
    check_folder,
    parse_ident,
    people_and_computers,
    player_names,
    read_rounds,
    saved_idents,
    shelf,
    time_text,
)
from numduel.terminal.screen import LEGEND, Screen, make_screen, progress, title_of
from numduel.terminal.streams import at_terminal, command_word

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
    shell_complete=completion_of(saved_idents),
    help="Delete this game for good.",
)
def history(everything: bool, delete: str | None) -> None:
    """List finished and unfinished games and matches, the newest first."""
    if delete is not None:
        with advice_on_errors(delete):
            shelf().delete(parse_ident(delete))
        click.echo(f"Game {delete} is deleted.")
        return
    saved = shelf().entries()
    entries = list(saved if everything else islice(saved, LISTED_GAMES))
    if not entries:
        check_folder()
        click.echo(f"No games yet. Start one with: {command('play GAME')}")
        return
    screen = make_screen()
    with screen.paged():
        screen.say_entry("  ID  Started           Game, players: how it stands")
        for entry in entries:
            screen.say_entry(f"{entry.ident:>4}  {_entry_text(entry)}")
        if next(saved, None) is not None:
            screen.say([f"See the older ones too: {command('history --all')}"])
        unfinished = [entry for entry in entries if entry.match and not entry.match.over]
        if unfinished:
            screen.say([f"Go on with one: {command(f'resume {unfinished[0].ident}')}"])


def summary(match: Match) -> str:
    """Return the game, who plays, and how it stands."""
    players = " against ".join(player_names(match.setup.player_names))
    return f"{title_of(match.setup.game, changed=True)}, {players}: {_standing(match)}"


def _entry_text(entry: Entry) -> str:
    if entry.match is None:
        missing = isinstance(entry.error, NeedsGame)
        return str(entry.error) if missing else f"damaged: {entry.error}"
    return f"{time_text(entry.match.setup.started)}  {summary(entry.match)}"


def _standing(match: Match) -> str:
    count = pluralize(len(match.table.moves), "{} move", "{} moves")
    if match.setup.rounds > 1:
        score = f"{match.wins[1]} to {match.wins[2]}"
        if match.over:
            return f"match finished, {score}"
        return f"unfinished, {score}: {match.round_line()}"
    end = record_ending(match.setup.game, match.record())
    if end is None:
        return f"unfinished, {count}"
    players, winner = player_names(match.setup.player_names), end.outcome.winner
    won = "nobody won" if winner is None else f"{players[winner - 1]} won"
    return with_reason(f"{won} after {count}", end.why(match.setup.game, players))


@click.command(epilog=f"Example: {command('replay 12')}")
@click.argument("record", shell_complete=completion_of(saved_idents))
@plain_option
def replay(record: str, plain: bool) -> None:
    """Step through a saved game: RECORD is a file, or an ID from the history."""
    screen = make_screen(plain)
    pages = chain.from_iterable(_pages(screen, played) for played in read_rounds(record))
    if at_terminal():
        _turn_pages(screen, list(pages))
    else:
        for page in pages:
            page()


def _pages(screen: Screen, played: Played) -> Iterator[ShowPage]:
    """Yield functions that each show one step: the opening, each move, the end."""
    game, record = played.game, played.record

    def opening(position: Any) -> None:
        screen.say([played.heading])
        screen.set_players(*people_and_computers(record.players))
        screen.say([""])
        screen.show_welcome(game, position, asked=False)

    def step(before: Any, move: int, after: Any, goes_on: bool, past: list[Last]) -> None:
        screen.show_turn(game, before, past)
        screen.show_choice(game, before, move)
        screen.show_move(game, before, move, after, typed=False)
        if goes_on:
            screen.show_continuation(game, after)

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
        yield partial(screen.show_turn, game, before, past)
    else:
        yield partial(screen.show_end, game, end, past, typed=False)


def _turn_pages(screen: Screen, pages: list[ShowPage]) -> None:
    """Show the pages one by one, as a person asks for them."""
    at, last = 0, len(pages) - 1
    pages[0]()
    while True:
        enter = "Enter goes on" if at < last else "The end. Enter leaves"
        try:
            word = command_word(screen.ask(f"{enter}, back goes back, quit leaves: "))
        except EOFError:
            screen.say([""])
            return
        if word == "quit" or (not word and at == last):
            return
        if word not in ("", "back"):
            screen.say([f"{quoted(word)} is not a choice: press Enter, or type back or quit."])
            continue
        at = max(0, at - 1) if word else at + 1
        pages[at]()


@click.command(epilog=f"Example: {command('analyze 12')}")
@click.argument("record", shell_complete=completion_of(saved_idents))
@json_option
@plain_option
@number_option(
    "--seconds",
    1,
    86_400,
    "How many seconds to take; moves that are not judged by then are left out.",
    default=60,
)
def analyze(record: str, as_json: bool, plain: bool, seconds: int) -> None:
    """Show where a game turned: RECORD is a file, or an ID from the history."""
    rounds = read_rounds(record)
    analyses = _analyze_rounds(rounds, seconds)
    moves = sum(len(played.record.moves) for played in rounds)
    left_out = moves - sum(len(analysis.steps) for analysis in analyses)
    if left_out:
        single = f"Warning: {{}} move was not judged in {seconds} s; --seconds gives more time."
        plural = f"Warning: {{}} moves were not judged in {seconds} s; --seconds gives more time."
        click.echo(pluralize(left_out, single, plural), err=True)
    if as_json:
        data = [
            {"game": played.game.key, "settings": played.record.settings, **analysis.as_dict()}
            for played, analysis in zip(rounds, analyses, strict=True)
        ]
        click.echo(json.dumps(data[0] if len(data) == 1 else data))
        return
    screen = make_screen(plain)
    with screen.paged():
        for played, analysis in zip(rounds, analyses, strict=True):
            screen.say([played.heading])
            screen.names = player_names(played.record.players)
            _show_analysis(screen, played.game, played.record, analysis)


def _analyze_rounds(rounds: list[Played], seconds: int) -> list[Analysis]:
    """Return the analysis of each round, as far as it gets in these seconds. Show the progress."""
    end, total = time.monotonic() + seconds, sum(len(played.record.moves) for played in rounds)
    analyses: list[Analysis] = []
    with progress("Judging the moves") as advance:
        for game, record, swapped, _ in rounds:
            earlier = sum(len(analysis.steps) for analysis in analyses)

            def goes_on(judged: int, earlier: int = earlier) -> bool:
                advance((earlier + judged) / total, f"{earlier + judged:,} of {total:,}")
                return time.monotonic() < end

            analyses.append(analyze_record(game, record, swapped, goes_on))
    return analyses


def _show_analysis(screen: Screen, game: Game[Any], record: Record, analysis: Analysis) -> None:
    screen.say([LEGEND, ""])
    swap = analysis.swap
    pairs = pairwise(record.positions(game))
    for step, (before, after) in zip(analysis.steps, pairs, strict=False):
        line = game.words.moved(before, step.move, after, screen.names[step.seat - 1])
        mark = "" if step.sound else "  <- turned here"
        screen.say_verdict(step.verdict.value, f"{step.turn}. {line}{mark}")
        if not step.sound:
            screen.say_entry(f"     {step.better_label} was better. {step.reason}", 5)
        if swap is not None and after.mover != record.first:
            decision = "takes this over" if swap.taken else "does not take this over"
            screen.say_entry(f"   {screen.names[swap.seat - 1]} {decision}. {swap.line}", 3)
            swap = None
    end = record_ending(game, record)
    if end is not None:
        screen.say([end.sentence(game, screen.names)])
    screen.say([""])
    if not analysis.turning_points:
        screen.say(["Nobody gave anything away."])
    for number, name in enumerate(screen.names, 1):
        share = analysis.sound_share(number)
        if share is not None:
            screen.say([f"{name}: {share:.0%} sound moves"])
    screen.say([analysis.story(screen.names)])
