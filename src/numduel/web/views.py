"""What the pages show of a duel to one visitor, as plain values for the templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import groupby
from random import Random
from typing import Any, NamedTuple

from numduel.core.errors import SettingsError
from numduel.core.game import Game, Outcome
from numduel.core.record import Record
from numduel.core.scene import MARKS, Cell, Scene
from numduel.core.verdict import Verdict
from numduel.games import game_type
from numduel.play.analysis import Analysis
from numduel.play.arrange import coin_line
from numduel.play.match import ended_lines, score_line
from numduel.players import HUMAN, check_who
from numduel.web.hosted import Hosted

SIGNS = {"win": "✓", "draw": "=", "endless": "∞", "loss": "✗"}
MEANINGS = {
    "win": "wins",
    "draw": "draws",
    "endless": "neither side can force an end",
    "loss": "loses",
}

_SHOWN_MOVES = 100  # of the history, the latest
_SAMPLE_MOVES = 3  # played in the picture of a game


class Move(NamedTuple):
    """One line of the history."""

    turn: int
    seat: int
    words: str


class Square(NamedTuple):
    """One number of a board."""

    number: int
    kind: str  # owned, current, legal, chosen or plain
    owner: int
    said: str  # for a screen reader
    mark: str
    verdict: str = ""


class Option(NamedTuple):
    """One line of a menu."""

    move: int
    label: str
    gives: str
    verdict: str = ""


class Board(NamedTuple):
    """What is drawn of a Scene."""

    facts: list[tuple[str, str]]
    squares: list[Square]
    options: list[Option]
    allowed: str
    line: bool  # whether the squares lie in a line


def board(scene: Scene, verdicts: Mapping[int, Verdict] | None = None) -> Board:
    """A Scene for a template; with the verdict of each move, where they are shown."""
    known = {move: verdict.value for move, verdict in (verdicts or {}).items()}
    return Board(
        facts=[(fact.label, fact.value) for fact in (scene.number, *scene.facts) if fact],
        squares=[_square(cell, known.get(cell.number, "")) for cell in scene.cells],
        options=[Option(*choice[:3], known.get(choice.move, "")) for choice in scene.choices],
        allowed="; ".join(offer.value for offer in scene.offers),
        line=scene.line,
    )


def _square(cell: Cell, verdict: str) -> Square:
    kind, said = "plain", "not possible now"
    if cell.owner:
        kind, said = "owned", f"Player {cell.owner}'s"
    elif cell.current:
        kind, said = "current", "the current number"
    elif cell.legal:
        kind, said = "legal", "possible"
    elif cell.chosen:
        kind, said = "chosen", "used up"
    if verdict:
        said = MEANINGS[verdict]
    return Square(cell.number, kind, cell.owner, said, MARKS.get(cell.owner, ""), verdict)


def sample(key: str) -> Board:
    """The board of a game a few moves in, for its picture."""
    game: Game[Any] = game_type(key)()
    position, rng = game.start(), Random(key)
    for _ in range(_SAMPLE_MOVES):
        after = game.after(position, rng.choice(game.moves(position)))
        if game.outcome(after) is not None:
            break
        position = after
    return board(game.words.scene(position))


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
    looking = look is not None and 0 <= look < len(table.moves)
    position = position_after(game, table.first, table.moves[:look]) if looking else table.position
    scene = game.words.scene(position)
    yours = deciding in seats and not looking
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
        "ending": [] if outcome is None else ended_words(game, table.position, outcome, table),
        "result": match.result_line() if match.over and match.setup.rounds > 1 else "",
        "over": outcome is not None,
        "match_over": match.over,
        "finished": len(duel.rounds),
        "looking": look if looking else None,
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
        "history": history(game, table.first, table.moves, scene),
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


def ended_words(game: Game[Any], position: Any, outcome: Outcome, table: Any) -> list[str]:
    """How a round ended, in the words of its game, without the rulers of plain text."""
    lines = ended_lines(game, position, outcome, len(table.moves))
    return [line for line in lines[-2:] if line.strip("-= ")]


def position_after(game: Game[Any], first: int, moves: list[int] | tuple[int, ...]) -> Any:
    """The position after those moves."""
    position = game.start(first)
    for move in moves:
        position = game.after(position, move)
    return position


def history(
    game: Game[Any], first: int, moves: list[int] | tuple[int, ...], scene: Scene
) -> list[Move]:
    """The latest moves, each in the words of its menu where the game has one."""
    position, found = game.start(first), []
    for turn, move in enumerate(moves, 1):
        if turn > len(moves) - _SHOWN_MOVES:
            words = str(move) if scene.cells else _words(game.words.scene(position), move)
            found.append(Move(turn, position.mover, words))
        position = game.after(position, move)
    return found


def _words(scene: Scene, move: int) -> str:
    choice = next((choice for choice in scene.choices if choice.move == move), None)
    if choice is None:
        return str(move)
    return f"{choice.label} → {choice.gives}" if choice.gives else choice.label


def round_page(game: Game[Any], record: Record, step: int | None) -> dict[str, Any]:
    """The page of a finished round, or of an uploaded record, at one of its positions."""
    count = len(record.moves)
    at = count if step is None else max(0, min(step, count))
    position = position_after(game, record.first, record.moves[:at])
    scene = game.words.scene(position)
    final = position_after(game, record.first, record.moves)
    ending = "The game is not finished."
    if record.outcome is not None:
        ending = ended_lines(game, final, record.outcome, count)[-1]
    return {
        "title": game.title,
        "key": game.key,
        "settings": settings_words(game, changed=False),
        "players": [_called(seat, who) for seat, who in enumerate(record.players, 1)],
        "first": record.first,
        "started": record.started[:10],
        "ending": ending,
        "count": count,
        "at": at,
        "board": board(scene),
        "history": history(game, record.first, record.moves, scene),
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
