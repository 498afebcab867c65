"""What the templates draw of any game: its board, the moves so far and the settings."""

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
"""A verdict in one character, if there is no room for a picture."""

MEANINGS: dict[Value, str] = {
    "win": "wins",
    "draw": "draws",
    "endless": "is safe",
    "loss": "loses",
}
"""A verdict in a word or two, after the name of a move."""

LEGEND: dict[Value, str] = {
    "win": "Wins with best play",
    "draw": "Nobody wins with best play",
    "endless": "Safe: nobody can force an end",
    "loss": "Loses against best play",
}
"""A verdict in the legend of a board."""

LARGE_BOARD_CELLS = 200  # do not fit a screen, so that pages offer to show only legal moves
_MAX_SHOWN_DISTANCE = 999  # moves to the end; a longer distance is not shown
_MAX_HISTORY_MOVES = 100  # of which the latest are shown
_SAMPLE_MOVES = 4  # in the picture of a game
_SAMPLES = 20  # games from which the picture is chosen


class ShownVerdict(NamedTuple):
    """A verdict beside a move."""

    value: Value
    words: str  # with the distance, if known: "wins in 3 of your moves"
    when: str  # the distance alone: "in 3"


class Square(NamedTuple):
    """One number of a board."""

    number: int
    css: str  # its state and owner: "owned seat1 last"
    spoken: str  # for a screen reader
    mark: int = 0  # the seat whose mark is in the corner
    legal: bool = False
    here: bool = False  # whether the page scrolls to it
    verdict: ShownVerdict | None = None


class Option(NamedTuple):
    """One line of a menu."""

    move: int
    label: str
    gives: str  # the number that it leads to
    ends: str  # how it ends the game, if it does
    verdict: ShownVerdict | None = None


class Board(NamedTuple):
    """A Scene as the templates draw it."""

    seat: int  # to move
    number: Fact | None  # the current number of the game
    aim: str
    facts: tuple[Fact, ...]
    squares: list[Square]
    options: list[Option]
    hinted: tuple[int, ...]  # the moves in the coach's hint
    offers: tuple[Fact, ...]  # the legal moves by kind
    rows: bool  # whether the squares are in two rows, with links drawn between them
    columns: int
    large: bool  # whether it has too many squares for a screen
    few: bool  # whether only the squares of legal moves are shown
    picture: Markup  # a track or a dial
    over: Markup  # the links, drawn over the squares
    links: list[tuple[Link, str]]  # for a screen reader, each with its owner in words
    legend: list[tuple[Value, str]]  # of the verdicts on the board


class PlayedMove(NamedTuple):
    """One move of the history."""

    turn: int
    seat: int
    words: str
    brief: str  # the same in the fewest words


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

    `verdicts` are shown beside their moves, and `hinted` moves are marked. With `allowed`, only the
    squares of legal moves are shown. With `low`, a picture is less high.
    """
    known = {move: _shown_verdict(scene, verdict) for move, verdict in (verdicts or {}).items()}
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
        over=Markup() if allowed else _link_overlay(scene),
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


def _link_overlay(scene: Scene) -> Markup:
    """Return the links of a board twice: for a wide page and for a narrow one."""
    if not scene.links or not scene.cells:  # a board too large to be shown has links, but no cells
        return Markup()
    wide = links_over(scene, columns_of(scene), "wide")
    return wide + links_over(scene, columns_of(scene, narrow=True), "narrow")


def _shown_verdict(scene: Scene, verdict: Verdict) -> ShownVerdict:
    value, distance = verdict
    if distance is None or distance > _MAX_SHOWN_DISTANCE or value not in ("win", "loss"):
        return ShownVerdict(value, MEANINGS[value], "")
    if distance == 1:
        return ShownVerdict(value, f"{MEANINGS[value]} now", "now")
    if not scene.alternates:
        return ShownVerdict(value, MEANINGS[value], "")
    own, whose = (distance + 1) // 2, "your" if value == "win" else "their"
    return ShownVerdict(value, f"{MEANINGS[value]} in {own} of {whose} moves", f"in {own}")


def _square(
    cell: Cell,
    scene: Scene,
    known: Mapping[int, ShownVerdict],
    names: tuple[str, str],
    decisive: frozenset[int],
) -> Square:
    verdict = known.get(cell.number) if cell.legal else None
    if cell.owner:
        spoken = names[cell.owner - 1]
    elif cell.current:
        spoken = "the number now"
    elif cell.chosen:
        spoken = f"used by {names[cell.by - 1]}" if cell.by else "used"
    else:
        spoken = verdict.words if verdict else ""
    css = cell_class(cell, scene, decisive)
    mark = cell.owner or (0 if cell.current else cell.by)
    here = cell.current or (scene.number is None and cell.number == scene.last)
    return Square(cell.number, css, spoken, mark, cell.legal, here, verdict)


@cache
def emblem(key: str) -> Markup:
    """Return the small picture that stands for a game."""
    return Markup(path_of(game_type(key)).emblem) or picture(sample(key), shape="low")


def sample(key: str) -> Scene:
    """Return the scene of a game after a few moves, for its picture.

    Of several random games, always the same, it is the one with the most links.
    """
    kind = game_type(key)
    game: Game[Any] = kind(**kind.sketch)
    scenes = (_random_scene(game, Random(f"{key} {seed}")) for seed in range(_SAMPLES))
    return max(scenes, key=lambda scene: sum(link.kind != "threat" for link in scene.links))


def _random_scene(game: Game[Any], rng: Random) -> Scene:
    steps = [*playout(game, rng, game.start(), _SAMPLE_MOVES)]
    moves = [move for _, move in steps if move is not None]
    if game.outcome(steps[-1][0]) is not None:
        moves.pop()
    return game.words.scene(*replay_moves(game, 1, moves))


def settings_words(game: Game[Any], changed: bool = True) -> str:
    """Return the settings of a game in words; with `changed`, without those at their defaults."""
    return ", ".join(game.settings.phrases(changed))


def past_of(table: Table[Any], count: int) -> list[Last]:
    """Return the first `count` moves, each with the position before it.

    Of more moves than any board has cells, only the latest are returned.
    """
    since = 0 if count <= MAX_BOARD_CELLS else count - _MAX_HISTORY_MOVES
    moves = table.moves[since:count]
    return [Last(*one) for one in zip(table.positions(since), moves, strict=False)]


def played_moves(game: Game[Any], past: Sequence[Last], since: int = 0) -> list[PlayedMove]:
    """Return moves in words; `since` others came before the first one."""
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
