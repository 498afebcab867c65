"""The page on which a teacher chooses a question: an offered position, or one of their own."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError
from numduel.core.game import Game
from numduel.core.words import Last, replay_from
from numduel.games import games
from numduel.play.friendly_settings import friendly_game
from numduel.play.lesson import lessons
from numduel.play.puzzle import MAX_PUZZLE_NUMBER, Puzzle, today
from numduel.web.board import board
from numduel.web.errors import sentence
from numduel.web.game_settings import check_size, find_game_type, game_from_form
from numduel.web.html import form_of, go, number_of
from numduel.web.identity import Key, client_of
from numduel.web.rooms.model import Room
from numduel.web.rooms.page_model import AskPage, promise, question_fields
from numduel.web.rooms.teacher_pages import room_of_teacher, room_path, wall_page
from numduel.web.routing import PageRouter
from numduel.web.services import services_of

router = PageRouter()

_GRADES = (1, 1, 2, 2, 3, 4)  # of the offered puzzles
_PUZZLES_PER_DAY = 1_000
_MAX_LINE_SIZE = 30  # of an offered position
_MAX_OWN_MOVES = 100  # number of moves to a position of the teacher's own


@router.get("/room/{code}/ask")
async def show_questions(request: Request, code: Key) -> Response:
    """Show the questions about a game (`?game=`), and the position after `?moves=`."""
    room = await room_of_teacher(request, code)
    return await _ask_page(request, room, dict(request.query_params))


@router.post("/room/{code}/ask")
async def pose_question(request: Request, code: Key) -> Response:
    """Ask the class about a position; with a `move`, only add it to the teacher's own position."""
    services, form = services_of(request), await form_of(request)
    room, key = await room_of_teacher(request, code), form.get("game", "")
    find_game_type(key)
    try:
        if "move" in form:
            moves = ",".join(filter(None, (form.get("moves"), form["move"])))
            _play_moves(_game_asked_about(room, form), moves)
            return go(f"{room_path(code)}/ask?game={key}&moves={moves}")
        game = check_size(game_from_form(key, form))
        await services.rooms.pose(client_of(request), code, game, form.get("position", ""))
    except NumduelError as error:
        return await _ask_page(request, room, form, error)
    return go(room_path(code))


def _game_asked_about(room: Room, form: dict[str, str]) -> Game[Any]:
    """Return the game as the class plays it, or another game at friendly settings."""
    own = room.setup.game
    return (
        own if form.get("game", own.key) == own.key else friendly_game(find_game_type(form["game"]))
    )


def _play_moves(game: Game[Any], moves: str) -> tuple[Any, list[Last]]:
    """Return the position after these moves, and what was played; raises IllegalMove."""
    numbers = (number_of(text) for text in moves.split(",")[:_MAX_OWN_MOVES] if moves)
    return replay_from(game, game.start(), (-1 if move is None else move for move in numbers))


async def _ask_page(
    request: Request, room: Room, form: dict[str, str], error: NumduelError | None = None
) -> Response:
    game, moves = _game_asked_about(room, form), form.get("moves", "")
    try:
        position, past = _play_moves(game, moves)
    except NumduelError:  # the page shows the error already
        moves, (position, past) = "", _play_moves(game, "")
    can_ask = True
    try:
        values = await services_of(request).rooms.values(client_of(request), game, position)
        promised = promise(values)
    except NumduelError as reason:
        can_ask, promised = False, sentence(reason)
    shown = AskPage(
        game,
        games=[(key, title) for key, title, _ in games()],
        offers=await _offers(request, game),
        moves=moves,
        played=[game.words.brief(*last) for last in past],
        board=board(game.words.scene(position, past), seat=position.mover),
        promise=promised,
        can_ask=can_ask,
        position=position,
    )
    return wall_page(request, "ask.html", room, error, page=shown, fields=question_fields)


async def _offers(request: Request, game: Game[Any]) -> list[tuple[Puzzle, bool]]:
    """Return six positions, each with whether it is from a lesson: those first, then puzzles."""
    plans = await asyncio.to_thread(lessons)
    offers = [(one, True) for lesson in plans if lesson.game == game for one in lesson.questions]
    puzzles, client = services_of(request).puzzles, client_of(request)
    first = today().toordinal() * _PUZZLES_PER_DAY % MAX_PUZZLE_NUMBER + 1
    for place, grade in enumerate(_GRADES * 4):
        with suppress(NumduelError):  # there is none, or the server is busy
            puzzle = await puzzles.of_game(client, game.key, first + place, grade, short=True)
            one = await asyncio.to_thread(puzzle.first_question)
            scene = one.game.words.scene(one.position)
            fits = not scene.line or len(scene.cells) <= _MAX_LINE_SIZE
            offers += [(one, False)] if fits and (one, False) not in offers else []
        if len(offers) >= len(_GRADES):
            break
    return sorted(offers, key=lambda one: (not one[1], one[0].grade))
