"""The page on which a teacher chooses what to ask: a position on offer, or one of their own."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError
from numduel.core.game import Game
from numduel.core.words import Last, played
from numduel.games import games
from numduel.play.friendly_settings import friendly_game
from numduel.play.lesson import lessons
from numduel.play.puzzle import MAX_PUZZLE_NUMBER, Puzzle, today
from numduel.web.board import board
from numduel.web.game_settings import game_from_form, kind, served
from numduel.web.html import form_of, go, number_of
from numduel.web.identity import Key, client_of
from numduel.web.rooms.model import Room
from numduel.web.rooms.page_model import promise, question_fields
from numduel.web.rooms.teacher_pages import room_path, taught, wall_page
from numduel.web.routing import PageRouter
from numduel.web.site import site_of

router = PageRouter()

_GRADES = (1, 1, 2, 2, 3, 4)  # of the puzzles that are offered
_PUZZLES_PER_DAY = 1_000
_MAX_LINE_SIZE = 30  # numbers of a line that is offered
_MAX_MOVES = 100  # of a position of one's own


@router.get("/room/{code}/ask")
async def choose(request: Request, code: Key) -> Response:
    """Show what can be asked about a game, `?game=`, and a position of one's own, `?moves=`."""
    return await _ask_page(request, await taught(request, code), dict(request.query_params))


@router.post("/room/{code}/ask")
async def ask(request: Request, code: Key) -> Response:
    """Pose a position; with a `move`, only make it in the position of one's own."""
    site, form = site_of(request), await form_of(request)
    room, key = await taught(request, code), form.get("game", "")
    kind(key)
    try:
        if "move" in form:
            moves = ",".join(filter(None, (form.get("moves"), form["move"])))
            _made(_game(room, form), moves)
            return go(f"{room_path(code)}/ask?game={key}&moves={moves}")
        game = served(game_from_form(key, form))
        await site.rooms.pose(client_of(request), code, game, form.get("position", ""))
    except NumduelError as error:
        return await _ask_page(request, room, form, error)
    return go(room_path(code))


def _game(room: Room, form: dict[str, str]) -> Game[Any]:
    """Return the game that is asked about: as the class plays it, or at friendly settings."""
    own = room.setup.game
    return own if form.get("game", own.key) == own.key else friendly_game(kind(form["game"]))


def _made(game: Game[Any], moves: str) -> tuple[Any, list[Last]]:
    """Return the position after these moves, and each with the position before it; IllegalMove."""
    numbers = (number_of(text) for text in moves.split(",")[:_MAX_MOVES] if moves)
    return played(game, game.start(), (-1 if move is None else move for move in numbers))


async def _ask_page(
    request: Request, room: Room, form: dict[str, str], error: NumduelError | None = None
) -> Response:
    game, moves, said = _game(room, form), form.get("moves", ""), ""
    try:
        position, past = _made(game, moves)
    except NumduelError:  # which is told already
        moves, (position, past) = "", _made(game, "")
    with suppress(NumduelError):  # the game is over, or it is too large
        said = promise(await site_of(request).rooms.values(client_of(request), game, position))
    return wall_page(
        request,
        "ask.html",
        room,
        error,
        game=game,
        games=[(key, title) for key, title, _ in games()],
        offers=await _offers(request, game),
        moves=moves,
        played=[game.words.brief(*last) for last in past],
        board=board(game.words.scene(position, past), seat=position.mover),
        promise=said,
        position=position,
        fields=question_fields,
    )


async def _offers(request: Request, game: Game[Any]) -> list[tuple[Puzzle, bool]]:
    """Return six positions: those of a lesson at these settings, then puzzles of the day.

    The second of each pair is whether it is of a lesson.
    """
    known = await asyncio.to_thread(lessons)
    found = [(one, True) for lesson in known if lesson.game == game for one in lesson.questions]
    puzzles, client = site_of(request).puzzles, client_of(request)
    first = today().toordinal() * _PUZZLES_PER_DAY % MAX_PUZZLE_NUMBER + 1
    for place, grade in enumerate(_GRADES * 4):
        with suppress(NumduelError):  # there is none, or not now
            puzzle = await puzzles.numbered(client, game.key, first + place, grade, short=True)
            one = await asyncio.to_thread(puzzle.first_question)
            scene = one.game.words.scene(one.position)
            fits = not scene.line or len(scene.cells) <= _MAX_LINE_SIZE
            found += [(one, False)] if fits and (one, False) not in found else []
        if len(found) >= len(_GRADES):
            break
    return sorted(found, key=lambda one: (not one[1], one[0].grade))
