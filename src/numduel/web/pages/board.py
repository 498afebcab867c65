"""A Scene as the templates draw it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from markupsafe import Markup

from numduel.core.game import Game
from numduel.core.scene import Cell, Fact, Link, Scene
from numduel.core.verdict import Value, Verdict
from numduel.core.words import SEATS, retraced
from numduel.games import game_type
from numduel.picture import picture
from numduel.picture.cells import (
    LONGEST_ROW,
    arcs_over,
    cell_class,
    columns_of,
    deciders,
    links_over,
)

SIGNS: dict[Value, str] = {"win": "✓", "draw": "=", "endless": "∞", "loss": "✗"}
"""A verdict in a letter, where there is no room for a picture."""

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

LARGE = 200
"""From so many numbers on a board does not fit a screen, and its legal moves can be listed."""

_FAR = 999  # moves to the end that are still worth telling
_SAMPLE_MOVES = 4  # played in the picture of a game
_SAMPLES = 20


class Shown(NamedTuple):
    """A verdict beside a move."""

    value: Value
    words: str  # with the distance, where it is known: "wins in 3"
    when: str  # the distance alone: "in 3"


class Square(NamedTuple):
    """One number of a board."""

    number: int
    css: str  # what it is and whose: "owned seat1 last"
    said: str  # for a screen reader
    mark: int = 0  # the seat whose mark is in its corner
    legal: bool = False
    here: bool = False  # where the game stands, to be gone to
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
    number: Fact | None  # the number that the game stands at
    aim: str
    facts: tuple[Fact, ...]
    squares: list[Square]
    options: list[Option]
    hinted: int | None  # the move that the coach advises
    offers: tuple[Fact, ...]  # the legal moves by their kind
    row: bool  # whether the squares lie in one row
    columns: int
    large: bool
    few: bool  # whether only the legal moves are among them
    picture: Markup  # of a track or a dial
    over: Markup  # the links that lie over the squares
    links: list[tuple[Link, str]]  # the same in words, with whose they are
    legend: list[tuple[Value, str]]


def board(
    scene: Scene,
    verdicts: Mapping[int, Verdict] | None = None,
    names: tuple[str, str] = SEATS,
    *,
    seat: int = 1,
    hinted: int | None = None,
    allowed: bool = False,
    low: bool = False,
) -> Board:
    """A Scene for a template, where a seat is to move; with verdicts and a hint, where shown."""
    known = {move: _shown(verdict) for move, verdict in (verdicts or {}).items()}
    cells = [cell for cell in scene.cells if not allowed or cell.legal or cell.current]
    decisive = deciders(scene)
    row = scene.line and len(scene.cells) <= LONGEST_ROW
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
        row=row,
        columns=columns_of(scene),
        large=len(scene.cells) >= LARGE,
        few=allowed,
        picture=_picture(scene, {move: one.value for move, one in known.items()}, names, low),
        over=Markup() if allowed else _over(scene, row),
        links=[
            (link, f" ({names[link.seat - 1]})" if link.seat else "")
            for link in scene.links
            if link.kind in ("divides", "pair")
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


def _over(scene: Scene, row: bool) -> Markup:
    """The links of a board twice, for a wide page and for a narrow one."""
    if not scene.links or not scene.cells:  # a board too large to be given has links all the same
        return Markup()
    wide = arcs_over(scene) if row else links_over(scene, columns_of(scene), "wide")
    return wide + links_over(scene, columns_of(scene, narrow=True), "narrow")


def _shown(verdict: Verdict) -> Shown:
    value, distance = verdict
    when = ""
    if distance is not None and distance <= _FAR and value in ("win", "loss"):
        when = "now" if distance == 1 else f"in {distance}"
    return Shown(value, f"{MEANINGS[value]} {when}".strip(), when)


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


def sample(key: str) -> Scene:
    """The scene of a game a few moves in, for its picture: of several, that with most links."""
    kind = game_type(key)
    game: Game[Any] = kind(**kind.sketch)
    scenes = (_played(game, Random(f"{key} {seed}")) for seed in range(_SAMPLES))
    return max(scenes, key=lambda scene: sum(link.kind != "threat" for link in scene.links))


def _played(game: Game[Any], rng: Random) -> Scene:
    moves: list[int] = []
    position = game.start()
    for _ in range(_SAMPLE_MOVES):
        move = rng.choice(game.moves(position))
        position = game.after(position, move)
        if game.outcome(position) is not None:
            break
        moves.append(move)
    return game.words.scene(*retraced(game, 1, moves))
