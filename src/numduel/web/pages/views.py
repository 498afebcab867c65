"""What the pages show of a duel to one visitor, as plain values for the templates."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Game, Outcome
from numduel.core.record import Record
from numduel.core.scene import MARKS
from numduel.core.words import SEATS
from numduel.play.analysis import Analysis
from numduel.play.arrange import coin_line
from numduel.play.ending import table_ending
from numduel.play.match import score_line
from numduel.play.setup import Setup
from numduel.play.table import Table
from numduel.players import HUMAN, check_who
from numduel.web.data.hosted import Hosted
from numduel.web.pages.board import board

YOU = "You"
_LONGEST_BAR = 30  # moves of which each has its place on the bar
_SHOWN_MOVES = 100  # of the history, the latest


class Move(NamedTuple):
    """One line of the history."""

    turn: int
    seat: int
    words: str


def settings_words(game: Game[Any], changed: bool = True) -> str:
    """The settings of a game; only those that differ from the usual."""
    return game.settings.worded(changed).replace("_", " ")


def player_label(duel: Hosted, seat: int) -> str:
    """A player in a few words: a name, or the computer's level, or neither."""
    setup = duel.match.setup
    who, name = setup.players[seat - 1], setup.names[seat - 1]
    return f"computer, {who}" if who != HUMAN else name or ""


def game_page(duel: Hosted, seats: frozenset[int], look: int | None) -> dict[str, Any]:
    """The page of a duel for whoever holds those seats; `look`: back at that many moves."""
    match, table = duel.match, duel.table
    game, outcome, deciding = table.game, table.outcome, duel.deciding
    names = _names(match.setup)
    if look is not None and not 0 <= look < len(table.moves):
        look = None
    scene = game.words.scene(table.position if look is None else table.position_at(look))
    yours = deciding in seats and look is None
    return {
        "name": duel.name,
        "version": duel.version,
        "title": game.title,
        "key": game.key,
        "settings": settings_words(game),
        "round": match.round_line() if match.setup.rounds > 1 else "",
        "coin": coin_line(match.setup) if match.round == 1 and len(table.moves) < 2 else "",
        "first": table.first,
        "score": _score(duel),
        "players": [
            {
                "seat": seat,
                "label": player_label(duel, seat),
                "you": seats == {seat},
                "turn": deciding == seat,
                "mark": MARKS[seat],
            }
            for seat in (1, 2)
        ],
        "tone": _tone(duel, seats),
        "sentence": _sentence(duel, seats),
        "ending": "" if outcome is None else _ending(table, outcome, names),
        "result": match.result_line() if match.over and match.setup.rounds > 1 else "",
        "over": outcome is not None,
        "match_over": match.over,
        "finished": len(duel.rounds),
        "looking": look,
        "count": len(table.moves),
        "board": board(scene),
        "can_move": yours and not table.swap_open,
        "can_swap": yours and table.swap_open,
        "can_hint": yours and duel.terms.coach,
        "seated": bool(seats),
        "can_undo": bool(seats) and duel.undo_count(seats) > 0 and duel.asking is None,
        "must_ask": duel.must_ask(seats),
        "asked_by": duel.asking if duel.asking is not None and duel.asking not in seats else None,
        "asking": duel.asking in seats,
        "room": duel.terms.room,
        "history": history(table),
        "fresh": not any(seat in table.movers for seat in {1, 2} - seats),
    }


def _score(duel: Hosted) -> str:
    """The score of a match of several rounds, or of all the rematches of a single one."""
    match = duel.match
    if match.setup.rounds > 1:
        return match.score_line()
    if len(duel.rounds) <= match.over:
        return ""
    outcomes = (record.outcome for record in duel.rounds)
    return score_line(Counter(one.winner for one in outcomes if one and one.winner))


def _tone(duel: Hosted, seats: frozenset[int]) -> str:
    if duel.deciding is None:
        return "over"
    if not seats:
        return "watching"
    return "yours" if duel.deciding in seats else "waiting"


def _sentence(duel: Hosted, seats: frozenset[int]) -> str:
    """Whose turn it is, to this visitor."""
    table, seat = duel.table, duel.deciding
    if seat is None:
        outcome = table.outcome
        assert outcome is not None
        if outcome.winner is None:
            return "Nobody wins."
        if seats == {outcome.winner}:
            return f"You win! (Player {outcome.winner})"
        return f"Player {outcome.winner} wins!"
    label = player_label(duel, seat)
    named = f"Player {seat} ({label})" if label else f"Player {seat}"
    if seats == {seat}:
        doing = "take over the first move?" if table.swap_open else "your turn"
        return f"Player {seat}, {doing}"
    if duel.computer is not None:
        return f"{named} is thinking…"
    return f"{named} may take over the first move" if table.swap_open else f"{named}'s turn"


def _names(setup: Setup) -> tuple[str, str]:
    """What the players are called: by their names, or by their seats."""
    one, two = setup.names
    return one or SEATS[0], two or SEATS[1]


def _ending(table: Table[Any], outcome: Outcome | None, names: tuple[str, str]) -> str:
    """Who won, and why, in a sentence."""
    end = table_ending(table, outcome)
    return "The game is not finished." if end is None else end.sentence(table.game, names)


def history(table: Table[Any]) -> list[Move]:
    """The latest moves, each as players speak of it."""
    words = table.game.words
    earlier = max(0, len(table.moves) - _SHOWN_MOVES)
    later = zip(table.positions(earlier), table.moves[earlier:], strict=False)
    return [
        Move(turn, position.mover, words.move_label(position, move))
        for turn, (position, move) in enumerate(later, earlier + 1)
    ]


def round_page(table: Table[Any], record: Record, step: int | None) -> dict[str, Any]:
    """The page of a finished round, or of an uploaded record, at one of its positions."""
    game, count = table.game, len(record.moves)
    at = count if step is None else max(0, min(step, count))
    scene = game.words.scene(table.position_at(at))
    return {
        "title": game.title,
        "key": game.key,
        "settings": settings_words(game),
        "players": [_called(seat, who) for seat, who in enumerate(record.players, 1)],
        "first": record.first,
        "started": record.started[:10],
        "ending": _ending(table, record.outcome, SEATS),
        "count": count,
        "at": at,
        "board": board(scene),
        "history": history(table),
    }


def _called(seat: int, who: str) -> str:
    """A player of a record: a person, with a name or without, or a computer player."""
    if who == HUMAN:
        return f"Player {seat}"
    try:
        return f"the computer ({check_who(who)})"
    except SettingsError:
        return f"{who[:60]} (Player {seat})"


def named(record: Record, you: int) -> tuple[str, str]:
    """What the players of a record are called in sentences; `you`: the seat of who reads them."""
    one, two = (YOU if seat == you else _called(seat, record.players[seat - 1]) for seat in (1, 2))
    return f"{one[:1].upper()}{one[1:]}", f"{two[:1].upper()}{two[1:]}"


class Stretch(NamedTuple):
    """A move on the bar of a game, or several that changed nothing: who was winning after it."""

    move: int  # the position to go to
    label: str  # its number
    seat: int  # who was winning then; 0: nobody
    mistake: bool  # whether it gave something away
    said: str
    here: bool  # whether the page shows it
    weight: int = 1  # how many moves it stands for


def bar(analysis: Analysis, names: tuple[str, str], at: int) -> list[Stretch]:
    """Who was winning, move by move; of a long game the mistakes, and what lies between them.

    A mistake leads to the position before it, so that one can try again.
    """
    mistakes = {step.turn for step in analysis.turning_points}
    last = len(analysis.leads) - 1
    shown = [*range(last + 1)]
    if last > _LONGEST_BAR:
        near = {0, last, at, *mistakes, *(turn - 1 for turn in mistakes)}
        shown = sorted(near)[:_LONGEST_BAR]
    found = []
    for place, turn in enumerate(shown):
        seat, wrong = analysis.leads[turn], turn in mistakes
        who = (
            f"{names[seat - 1]} {'are' if names[seat - 1] == YOU else 'is'}"
            if seat
            else "nobody is"
        )
        found.append(
            Stretch(
                move=turn - 1 if wrong else turn,
                label=str(turn),
                seat=seat,
                mistake=wrong,
                said=f"{'a mistake: ' if wrong else ''}{who} winning",
                here=turn == (at + 1 if at + 1 in mistakes else at),
                weight=turn - shown[place - 1] if place else 1,
            )
        )
    return found
