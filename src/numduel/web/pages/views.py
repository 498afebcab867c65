"""What the pages show of a duel to one visitor, as plain values for the templates."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import Any, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Game, other
from numduel.core.record import Record
from numduel.core.scene import Scene
from numduel.core.words import SEATS, YOU, Last, retraced
from numduel.play.analysis import Analysis
from numduel.play.ending import ending
from numduel.play.match import score_line
from numduel.players import HUMAN, check_who
from numduel.web.data.hosted import Hosted
from numduel.web.pages.board import LARGE, board
from numduel.web.pages.picture.confetti import confetti

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
    looking = look is not None and 0 <= look < len(table.moves)
    position, past = retraced(game, table.first, table.moves)
    news = _news(duel, seats, names, position, past)
    if looking:
        position, past = past[look or 0].before, past[:look]
    scene = game.words.scene(position, past)
    yours = deciding in seats and not looking
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
        "thinking": duel.computer is not None and not looking,
        "sentence": _sentence(duel, seats, names),
        "news": news,
        "won": _headline(duel, seats, names),
        "why": _why(duel, names),
        "yours_won": outcome is not None and outcome.winner in seats,
        "confetti": confetti() if outcome is not None and outcome.winner in seats else "",
        "result": _result(duel, names),
        "over": outcome is not None,
        "match_over": match.over,
        "finished": len(duel.rounds),
        "looking": look if looking else None,
        "count": len(table.moves),
        "scene": scene,
        "board": board(scene, names=names, allowed=allowed),
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
        "room": duel.terms.room,
        "history": history(game, table.first, table.moves),
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


def _sentence(duel: Hosted, seats: frozenset[int], names: tuple[str, str]) -> str:
    """Whose turn it is, or how it ended, to this visitor."""
    seat, swap = duel.deciding, duel.table.swap_open
    if seat is None:
        won, why = _headline(duel, seats, names), _why(duel, names)
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
    duel: Hosted, seats: frozenset[int], names: tuple[str, str], position: Any, past: list[Last]
) -> str:
    """What has just happened, to be read out: what another player did, and whose turn it is."""
    table, told = duel.table, [_sentence(duel, seats, names)]
    if past and table.movers[-1] not in seats:
        who = names[table.movers[-1] - 1]
        told.insert(0, f"{table.game.words.moved(*past[-1], position, who)}.")
    if duel.asking is not None and duel.asking not in seats:
        told.append(f"{names[duel.asking - 1]} asks to take back their last move.")
    return " ".join(told)


def _headline(duel: Hosted, seats: frozenset[int], names: tuple[str, str]) -> str:
    """Who won; empty while it goes on."""
    outcome = duel.table.outcome
    if outcome is None:
        return ""
    if outcome.winner is None:
        return "Nobody wins"
    return "You win!" if seats == {outcome.winner} else f"{names[outcome.winner - 1]} wins"


def _why(duel: Hosted, names: tuple[str, str]) -> str:
    """Why the round ended so, without a full stop; empty while it goes on."""
    game, record = duel.table.game, duel.match.record()
    end = ending(game, record)
    return "" if end is None else end.why(game, names)


def _result(duel: Hosted, names: tuple[str, str]) -> str:
    """Who won a match of several rounds."""
    match = duel.match
    if not match.over or match.setup.rounds == 1:
        return ""
    return match.result_line(names)


def _ending(game: Game[Any], record: Record, names: tuple[str, str]) -> str:
    """Who won, and why, in a sentence."""
    end = ending(game, record)
    return "The game is not finished." if end is None else end.sentence(game, names)


def anchor(duel: Hosted) -> str:
    """Where a page without scripts goes after a move: on a large board, to the number now."""
    size = len(duel.table.game.words.scene(duel.table.position).cells)
    return "#here" if size >= LARGE and duel.table.moves else ""


def history(game: Game[Any], first: int, moves: list[int] | tuple[int, ...]) -> list[Move]:
    """The latest moves, each as players speak of it."""
    position, found = game.start(first), []
    for turn, move in enumerate(moves, 1):
        if turn > len(moves) - _SHOWN_MOVES:
            label, brief = game.words.move_label(position, move), game.words.brief(position, move)
            found.append(Move(turn, position.mover, label, brief))
        position = game.after(position, move)
    return found


def round_page(game: Game[Any], record: Record, step: int | None) -> dict[str, Any]:
    """The page of a finished round, or of an uploaded record, at one of its positions."""
    count = len(record.moves)
    at = count if step is None else max(0, min(step, count))
    position, past = retraced(game, record.first, record.moves[:at])
    scene = game.words.scene(position, past)
    return {
        "title": game.title,
        "key": game.key,
        "settings": settings_words(game, changed=False),
        "players": [_called(seat, who) for seat, who in enumerate(record.players, 1)],
        "first": record.first,
        "started": record.started[:10],
        "ending": _ending(game, record, SEATS),
        "count": count,
        "at": at,
        "position": position,
        "mover": position.mover,
        "scene": scene,
        "board": board(scene),
        "history": history(game, record.first, record.moves),
    }


def _called(seat: int, who: str) -> str:
    """A player of a record: a person, with a name or without, or a computer player."""
    if who == HUMAN:
        return f"Player {seat}"
    try:
        return f"the computer ({check_who(who)})"
    except SettingsError:
        return f"{who[:60]} (Player {seat})"


class Lead(NamedTuple):
    """The line of who was winning: points to draw, and the same in words."""

    points: str
    width: int
    words: list[str]


def lead_line(analysis: Analysis) -> Lead:
    """Who was winning, from the start on."""
    heights = {1: 10, 0: 30, 2: 50}
    step = max(2, min(24, 640 // max(1, len(analysis.leads) - 1)))
    points: list[str] = []
    for turn, seat in enumerate(analysis.leads):
        if turn:
            points.append(f"{turn * step},{heights[analysis.leads[turn - 1]]}")
        points.append(f"{turn * step},{heights[seat]}")
    words = []
    for seat, turns in groupby(range(len(analysis.leads)), key=analysis.leads.__getitem__):
        turn = next(turns)
        since = f"from move {turn}" if turn else "from the start"
        words.append(f"{since}: {f'Player {seat}' if seat else 'nobody'}")
    return Lead(" ".join(points), max(1, (len(analysis.leads) - 1) * step), words)
