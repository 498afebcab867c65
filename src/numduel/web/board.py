"""What the templates draw of any game: its board, its moves so far and its settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from markupsafe import Markup

from numduel.core.explore import playout
from numduel.core.game import Game
from numduel.core.scene import MAX_BOARD_CELLS, Cell, Fact, Link, Scene
from numduel.core.verdict import Value, Verdict
from numduel.core.words import SEATS, Last, replay_moves
from numduel.games import game_type
from numduel.picture import picture
from numduel.picture.cells import (
    cell_class,
    columns_of,
    deciders,
    in_two_rows,
    links_over,
)
from numduel.play.path import path_of
from numduel.play.table import Table

SIGNS: dict[Value, str] = {"win": "✓", "draw": "=", "endless": "∞", "loss": "✗"}
"""A verdict in one character, where there is no room for a picture."""

MEANINGS: dict[Value, str] = {
    "win": "wins",
    "draw": "draws",
    "endless": "is safe",
    "loss": "loses",
}
"""What a move does, in a word or two."""

LEGEND: dict[Value, str] = {
    "win": "Wins with best play",
    "draw": "Nobody wins with best play",
    "endless": "Safe: nobody can force an end",
    "loss": "Loses against best play",
}
"""What the sign of a move means."""

LARGE_BOARD_CELLS = 200
"""A board with so many numbers does not fit a screen, so that it can show its legal moves only."""

_MAX_SHOWN_DISTANCE = 999  # moves to the end; more are not told
_MAX_HISTORY_MOVES = 100  # shown, the latest
_SAMPLE_MOVES = 4  # played in the picture of a game
_SAMPLES = 20  # of which the best is chosen


class Shown(NamedTuple):
    """A verdict beside a move."""

    value: Value
    words: str  # with the distance, where it is known: "wins in 3 of your moves"
    when: str  # the distance alone: "in 3"


class Square(NamedTuple):
    """One number of a board."""

    number: int
    css: str  # what it is and whose: "owned seat1 last"
    said: str  # for a screen reader
    mark: int = 0  # the seat whose mark is in its corner
    legal: bool = False
    here: bool = False  # whether the page should scroll to it
    verdict: Shown | None = None


class Option(NamedTuple):
    """One line of a menu."""

    move: int
    label: str
    gives: str
    ends: str  # how it would end the game
    verdict: Shown | None = None


class Board(NamedTuple):
    """What is drawn of a Scene."""

    seat: int  # whose moves they are
    number: Fact | None  # the current number of the game
    aim: str
    facts: tuple[Fact, ...]
    squares: list[Square]
    options: list[Option]
    hinted: tuple[int, ...]  # the moves that the coach names
    offers: tuple[Fact, ...]  # the legal moves by their kind
    rows: bool  # whether the squares lie in two rows, with room for links between them
    columns: int
    large: bool  # whether it does not fit a screen
    few: bool  # whether the squares are only those of legal moves
    picture: Markup  # of a track or a dial
    over: Markup  # the links, drawn over the squares
    links: list[tuple[Link, str]]  # the links to be read out, with their owner in words
    legend: list[tuple[Value, str]]  # of the verdicts on the board


class PlayedMove(NamedTuple):
    """One move of the history."""

    turn: int
    seat: int
    words: str
    brief: str  # the same, in the fewest words


def board(
    scene: Scene,
    verdicts: Mapping[int, Verdict] | None = None,
    names: tuple[str, str] = SEATS,
    *,
    seat: int = 1,
    hinted: tuple[int, ...] = (),
    allowed: bool = False,
    low: bool = False,
) -> Board:
    """Return the board of a Scene in which `seat` is to move.

    `verdicts` are shown beside their moves, `hinted` is marked; with `allowed`, only the squares
    of legal moves are there; with `low`, a picture is less high.
    """
    known = {move: _shown(scene, verdict) for move, verdict in (verdicts or {}).items()}
    cells = [cell for cell in scene.cells if not allowed or cell.legal or cell.current]
    decisive = deciders(scene)
    shown = {cell.number for cell in cells} | {choice.move for choice in scene.choices}
    values = {one.value for move, one in known.items() if move in shown}
    return Board(
        seat=seat,
        number=scene.number,
        aim=scene.aim,
        facts=scene.facts,
        squares=[_square(cell, scene, known, names, decisive) for cell in cells],
        options=[Option(*choice, known.get(choice.move)) for choice in scene.choices],
        hinted=hinted,
        offers=scene.offers,
        rows=in_two_rows(scene),
        columns=columns_of(scene),
        large=len(scene.cells) >= LARGE_BOARD_CELLS,
        few=allowed,
        picture=_picture(scene, {move: one.value for move, one in known.items()}, names, low),
        over=Markup() if allowed else _over(scene),
        links=[
            (link, f" ({names[link.seat - 1]})" if link.seat else "")
            for link in scene.links
            if link.kind == "divides"
        ],
        legend=[(value, words) for value, words in LEGEND.items() if value in values],
    )


def _picture(
    scene: Scene, values: Mapping[int, Value], names: tuple[str, str], low: bool
) -> Markup:
    if scene.track is None and scene.dial is None:
        return Markup()
    wide = picture(scene, values, names, shape="low" if low else "wide")
    return wide if scene.track is None else wide + picture(scene, values, names, shape="narrow")


def _over(scene: Scene) -> Markup:
    """Return the links of a board twice, for a wide page and for a narrow one."""
    if not scene.links or not scene.cells:  # a board too large to be shown has links, but no cells
        return Markup()
    wide = links_over(scene, columns_of(scene), "wide")
    return wide + links_over(scene, columns_of(scene, narrow=True), "narrow")


def _shown(scene: Scene, verdict: Verdict) -> Shown:
    value, distance = verdict
    if distance is None or distance > _MAX_SHOWN_DISTANCE or value not in ("win", "loss"):
        return Shown(value, MEANINGS[value], "")
    if distance == 1:
        return Shown(value, f"{MEANINGS[value]} now", "now")
    if not scene.alternates:
        return Shown(value, MEANINGS[value], "")
    own, whose = (distance + 1) // 2, "your" if value == "win" else "their"
    return Shown(value, f"{MEANINGS[value]} in {own} of {whose} moves", f"in {own}")


def _square(
    cell: Cell,
    scene: Scene,
    known: Mapping[int, Shown],
    names: tuple[str, str],
    decisive: frozenset[int],
) -> Square:
    verdict = known.get(cell.number) if cell.legal else None
    if cell.owner:
        said = f"{names[cell.owner - 1]}"
    elif cell.current:
        said = "the number now"
    elif cell.chosen:
        said = f"used by {names[cell.by - 1]}" if cell.by else "used"
    else:
        said = verdict.words if verdict else ""
    css = cell_class(cell, scene, decisive)
    mark = cell.owner or (0 if cell.current else cell.by)
    here = cell.current or (scene.number is None and cell.number == scene.last)
    return Square(cell.number, css, said, mark, cell.legal, here, verdict)


@cache
def emblem(key: str) -> Markup:
    """Return the small drawing that stands for a game."""
    return Markup(path_of(game_type(key)).emblem) or picture(sample(key), shape="low")


def sample(key: str) -> Scene:
    """Return the scene of a game after a few moves, for its picture.

    It is the one with the most links among several random games, the same each time.
    """
    kind = game_type(key)
    game: Game[Any] = kind(**kind.sketch)
    scenes = (_played(game, Random(f"{key} {seed}")) for seed in range(_SAMPLES))
    return max(scenes, key=lambda scene: sum(link.kind != "threat" for link in scene.links))


def _played(game: Game[Any], rng: Random) -> Scene:
    steps = [*playout(game, rng, game.start(), _SAMPLE_MOVES)]
    moves = [move for _, move in steps if move is not None]
    if game.outcome(steps[-1][0]) is not None:
        moves.pop()
    return game.words.scene(*replay_moves(game, 1, moves))


def settings_words(game: Game[Any], changed: bool = True) -> str:
    """Return the settings of a game in words; with `changed`, only those that are not default."""
    return ", ".join(game.settings.phrases(changed))


def past_of(table: Table[Any], count: int) -> list[Last]:
    """Return the first `count` moves, each with the position before it.

    A game with more moves than any board has cells is cut to the latest ones.
    """
    since = 0 if count <= MAX_BOARD_CELLS else count - _MAX_HISTORY_MOVES
    moves = table.moves[since:count]
    return [Last(*one) for one in zip(table.positions(since), moves, strict=False)]


def played_moves(game: Game[Any], past: Sequence[Last], since: int = 0) -> list[PlayedMove]:
    """Return moves in words, the first of which came after `since` others."""
    words = game.words
    return [
        PlayedMove(turn, before.mover, words.move_label(before, move), words.brief(before, move))
        for turn, (before, move) in enumerate(past, since + 1)
    ]


def history(table: Table[Any], past: list[Last]) -> list[PlayedMove]:
    """Return the latest moves in words."""
    latest = past[-_MAX_HISTORY_MOVES:]
    shown = played_moves(table.game, latest, since=len(table.moves) - len(latest))
    if table.swapped and len(latest) == len(table.moves):
        for count, one in enumerate(shown[: table.first_turn_moves]):
            shown[count] = one._replace(words=f"{one.words}, taken over", brief=f"{one.brief} ⇄")
    return shown
