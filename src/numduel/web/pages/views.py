"""What the pages show of a duel to one visitor, as plain values for the templates."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Game, Outcome, other
from numduel.core.record import Record
from numduel.core.scene import LARGEST_BOARD, Scene
from numduel.core.words import SEATS, YOU, Last
from numduel.play.analysis import Analysis
from numduel.play.ending import table_ending
from numduel.play.event import Come, Refuse, Swap
from numduel.play.match import score_line
from numduel.play.table import Table
from numduel.players import HUMAN, check_who
from numduel.web.data.hosted import Hosted
from numduel.web.pages.board import LARGE, board
from numduel.web.pages.confetti import confetti

_LONGEST_BAR = 30  # moves of which each has its place on the bar
_SHOWN_MOVES = 100  # of the history, the latest
_HELD = 6  # numbers shown in a player's bar, the largest


class Move(NamedTuple):
    """One move of the history."""

    turn: int
    seat: int
    words: str
    brief: str  # the same, in the fewest words


class Prefers(NamedTuple):
    """What a visitor has switched on or off; None: as it was agreed, or as usual."""

    coach: bool | None = None
    colours: bool | None = None  # whether moves show their verdicts
    allowed: bool | None = None  # whether a large board shows only what is allowed
    sound: bool | None = None


AS_USUAL = Prefers()


def settings_words(game: Game[Any], changed: bool = True) -> str:
    """The settings of a game; only those that differ from the usual."""
    return game.settings.worded(changed).replace("_", " ")


def called(duel: Hosted, seats: frozenset[int]) -> tuple[str, str]:
    """What the players are called to whoever holds those seats: You, a name, the computer."""
    setup = duel.match.setup
    one, two = (
        YOU if seats == {seat} else name or ("The computer" if who != HUMAN else SEATS[seat - 1])
        for seat, who, name in zip((1, 2), setup.players, setup.names, strict=True)
    )
    return one, two


def game_page(
    duel: Hosted, seats: frozenset[int], look: int | None, prefers: Prefers = AS_USUAL
) -> dict[str, Any]:
    """The page of a duel for whoever holds those seats; `look`: back at that many moves."""
    match, table = duel.match, duel.table
    game, outcome, deciding = table.game, table.outcome, duel.deciding
    names = called(duel, seats)
    if look is not None and not 0 <= look < len(table.moves):
        look = None
    latest = past_of(table, len(table.moves))
    past = latest if look is None else past_of(table, look)
    position = table.position if look is None else table.position_at(look)
    scene = game.words.scene(position, past)
    end = table_ending(table, outcome)
    why = "" if end is None else end.why(game, names)
    sentence = _sentence(duel, seats, names, why)
    yours = deciding in seats and look is None
    alone = bool(seats) and match.setup.players.count(HUMAN) == 1 and duel.terms.room is None
    coach = duel.terms.coach if prefers.coach is None or not alone else prefers.coach
    large = len(scene.cells) >= LARGE
    allowed = bool(prefers.allowed) and large and outcome is None
    return {
        "name": duel.name,
        "version": duel.version,
        "title": game.title,
        "key": game.key,
        "settings": settings_words(game),
        "round": match.round_line() if match.setup.rounds > 1 else "",
        "coin": match.setup.coin and match.round == 1 and len(table.moves) < 2,
        "names": names,
        "begins": f"{names[table.first - 1]} {'begin' if seats == {table.first} else 'begins'}",
        "score": _score(duel, names),
        "players": _players(duel, seats, scene, names),
        "tone": _tone(duel, seats),
        "thinking": duel.computer is not None and look is None,
        "sentence": sentence,
        "news": _news(duel, seats, names, sentence, latest),
        "won": _headline(duel, seats, names),
        "why": why,
        "yours_won": outcome is not None and outcome.winner in seats,
        "confetti": confetti() if outcome is not None and outcome.winner in seats else "",
        "result": _result(duel, names),
        "over": outcome is not None,
        "match_over": match.over,
        "finished": len(duel.rounds),
        "looking": look,
        "count": len(table.moves),
        "scene": scene,
        "board": board(scene, names=names, seat=position.mover, allowed=allowed),
        "allowed": allowed,
        "large": large,
        "can_move": yours and not table.swap_open,
        "can_swap": yours and table.swap_open,
        "can_hint": yours and (coach or alone),
        "can_coach": alone,
        "coach": coach,
        "colours": prefers.colours is not False,
        "sound": bool(prefers.sound),
        "seated": bool(seats),
        "can_undo": bool(seats) and duel.undo_count(seats) > 0 and duel.asking is None,
        "must_ask": duel.must_ask(seats),
        "asked_by": duel.asking if duel.asking is not None and duel.asking not in seats else None,
        "asking": duel.asking in seats,
        "told": _told(duel, seats, names) if look is None else "",
        "room": duel.terms.room,
        "history": history(table, latest),
        "fresh": not any(seat in table.movers for seat in {1, 2} - seats),
    }


def _players(
    duel: Hosted, seats: frozenset[int], scene: Scene, names: tuple[str, str]
) -> list[dict[str, Any]]:
    """The two bars: whoever sits across the table above, and whoever looks at it below."""
    below = min(seats, default=1)
    outcome, setup = duel.table.outcome, duel.match.setup
    bars = []
    for seat, place in ((other(below), "them"), (below, "you")):
        who = setup.players[seat - 1]
        held = [cell.number for cell in scene.cells if scene.needed and cell.owner == seat]
        bars.append(
            {
                "seat": seat,
                "place": place,
                "name": "Computer" if names[seat - 1] == "The computer" else names[seat - 1],
                "level": "" if who == HUMAN else who,
                "you": seats == {seat},
                "turn": duel.deciding == seat,
                "won": outcome is not None and outcome.winner == seat,
                "held": held[-_HELD:],
                "open": max(0, scene.needed - len(held)),
            }
        )
    return bars


def _score(duel: Hosted, names: tuple[str, str]) -> str:
    """The score of a match of several rounds, or of all the rematches of a single one."""
    match = duel.match
    if match.setup.rounds > 1:
        return match.score_line(names)
    if len(duel.rounds) <= match.over:
        return ""
    outcomes = (record.outcome for record in duel.rounds)
    return score_line(Counter(one.winner for one in outcomes if one and one.winner), names)


def _tone(duel: Hosted, seats: frozenset[int]) -> str:
    if duel.deciding is None:
        return "over"
    if not seats:
        return "watching"
    return "yours" if duel.deciding in seats else "waiting"


def _sentence(duel: Hosted, seats: frozenset[int], names: tuple[str, str], why: str) -> str:
    """Whose turn it is, or how it ended, to this visitor."""
    seat, swap = duel.deciding, duel.table.swap_open
    if seat is None:
        won = _headline(duel, seats, names)
        return won if won.endswith("!") else f"{won}: {why}"
    if seat in seats and swap:
        return "Take over the first move?"
    if seats == {seat}:
        return "Your turn"
    if duel.computer is not None:
        return f"{names[seat - 1]} is thinking"
    doing = " may take over the first move" if swap else "'s turn"
    return f"{names[seat - 1]}{doing}"


def _news(
    duel: Hosted, seats: frozenset[int], names: tuple[str, str], sentence: str, past: list[Last]
) -> str:
    """What has just happened, to be read out: what another player did, and whose turn it is."""
    table, told = duel.table, [sentence]
    if past and table.movers[-1] not in seats:
        moved = table.game.words.moved(*past[-1], table.position, names[table.movers[-1] - 1])
        told.insert(0, f"{moved}.")
    if said := _told(duel, seats, names):
        told.insert(0, said)
    if duel.asking is not None and duel.asking not in seats:
        told.append(f"{names[duel.asking - 1]} asks to take back their last move.")
    return " ".join(told)


def _told(duel: Hosted, seats: frozenset[int], names: tuple[str, str]) -> str:
    """What has happened last, where the board does not show it."""
    table = duel.table
    match duel.latest:
        case Come(seat) if seats and seat not in seats:
            return f"{duel.terms.setup.names[seat - 1] or 'Your friend'} is here."
        case Refuse(seat) if seat in seats:
            return f"{names[2 - seat]} does not want to take it back: the move stands."
        case Swap(taken):
            seat = table.first if taken else other(table.first)  # who has decided
            if seat in seats:
                return "The first move is yours now." if taken else ""
            did = "has taken over" if taken else "leaves"
            return f"{names[seat - 1]} {did} the first move."
    return ""


def _headline(duel: Hosted, seats: frozenset[int], names: tuple[str, str]) -> str:
    """Who won; empty while it goes on."""
    outcome = duel.table.outcome
    if outcome is None:
        return ""
    if outcome.winner is None:
        return "Nobody wins"
    return "You win!" if seats == {outcome.winner} else f"{names[outcome.winner - 1]} wins"


def _result(duel: Hosted, names: tuple[str, str]) -> str:
    """Who won a match of several rounds."""
    match = duel.match
    if not match.over or match.setup.rounds == 1:
        return ""
    return match.result_line(names)


def _ending(table: Table[Any], outcome: Outcome | None, names: tuple[str, str]) -> str:
    """Who won, and why, in a sentence."""
    end = table_ending(table, outcome)
    return "The game is not finished." if end is None else end.sentence(table.game, names)


def anchor(duel: Hosted) -> str:
    """Where a page without scripts goes after a move: on a large board, to the number now."""
    size = len(duel.table.game.words.scene(duel.table.position).cells)
    return "#here" if size >= LARGE and duel.table.moves else ""


def past_of(table: Table[Any], count: int) -> list[Last]:
    """The first moves at a table, each with the position before it: as many as can be shown."""
    since = 0 if count <= LARGEST_BOARD else count - _SHOWN_MOVES  # so many fit no board
    moves = table.moves[since:count]
    return [Last(*one) for one in zip(table.positions(since), moves, strict=False)]


def history(table: Table[Any], past: list[Last]) -> list[Move]:
    """The latest moves, each as players speak of it."""
    words, latest = table.game.words, past[-_SHOWN_MOVES:]
    shown = [
        Move(turn, before.mover, words.move_label(before, move), words.brief(before, move))
        for turn, (before, move) in enumerate(latest, len(table.moves) - len(latest) + 1)
    ]
    if table.swapped and len(latest) == len(table.moves):
        first = shown[0]
        shown[0] = first._replace(words=f"{first.words}, taken over", brief=f"{first.brief} ⇄")
    return shown


def round_page(table: Table[Any], record: Record, step: int | None, you: int = 0) -> dict[str, Any]:
    """The page of a finished round, or of an uploaded record, at one of its positions.

    `you`: the seat of who reads it.
    """
    game, count = table.game, len(record.moves)
    at = count if step is None else max(0, min(step, count))
    position = table.position_at(at)
    scene = game.words.scene(position, past_of(table, at))
    return {
        "title": game.title,
        "key": game.key,
        "settings": settings_words(game),
        "players": _callings(record, you),
        "first": record.first,
        "started": record.started[:10],
        "ending": _ending(table, record.outcome, named(record, you) if you else SEATS),
        "count": count,
        "at": at,
        "scene": scene,
        "board": board(scene, names=named(record, you), seat=position.mover),
        "history": history(table, past_of(table, count)),
    }


def _called(seat: int, who: str) -> str:
    """A player of a record: a person, with a name or without, or a computer player."""
    if who == HUMAN:
        return f"Player {seat}"
    try:
        return f"the computer ({check_who(who)})"
    except SettingsError:
        return f"{who[:60]} (Player {seat})"


def _callings(record: Record, you: int) -> list[str]:
    return [
        YOU if seat == you else _called(seat, who) for seat, who in enumerate(record.players, 1)
    ]


def named(record: Record, you: int) -> tuple[str, str]:
    """What the players of a record are called in sentences; `you`: the seat of who reads them."""
    one, two = _callings(record, you)
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
