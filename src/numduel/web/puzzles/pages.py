"""The pages of the puzzles: each day's, those of each game, and the archive."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError
from numduel.core.game import Game
from numduel.core.numerals import MAX_INPUT_DIGITS
from numduel.games import games, keys
from numduel.play.path import MAX_STARS, path_of
from numduel.play.puzzle import FIRST_DAY, GRADES, MAX_PUZZLE_NUMBER, Puzzle, parse_day, today
from numduel.web.cookies import Mastered, progress_of, set_progress
from numduel.web.duels.pages import HELPED
from numduel.web.errors import Missing, sentence
from numduel.web.game_settings import find_game_type
from numduel.web.html import address, form_of, go, number_of, page, set_note
from numduel.web.identity import Key, client_of
from numduel.web.puzzles.calendar import Month, day_name, month_of, next_address
from numduel.web.puzzles.view import PuzzleView, puzzle_view
from numduel.web.routing import PageRouter
from numduel.web.services import services_of

router = PageRouter()


class PuzzlePage(NamedTuple):
    """A puzzle, and what stands around it."""

    view: PuzzleView
    kicker: str  # which puzzle it is
    path: str  # its address
    following: str  # the address of the next puzzle
    hidden: Mapping[str, str] = {}  # the hidden fields of its form
    month: Month | None = None  # of a daily puzzle


@router.get("/puzzle")
async def show_today(request: Request) -> Response:
    return await _daily_page(request, today())


@router.get("/puzzle/{which}")
async def show_daily(request: Request, which: Key) -> Response:
    """Show the puzzle of a day, `2026-11-15`, or lead to a random puzzle of a game."""
    if which in keys():
        number = 1 + secrets.randbelow(MAX_PUZZLE_NUMBER)
        return go(f"/puzzle/{which}/{number}{_level_query(request)}")
    return await _daily_page(request, parse_puzzle_day(which))


@router.get("/puzzle/{key}/{number}")
async def show_numbered(request: Request, key: Key, number: Key) -> Response:
    level = number_of(request.query_params.get("level"))
    game, which = find_game_type(key), number_of(number)
    if which is None:
        raise Missing("There is no such puzzle.")
    puzzle = await services_of(request).puzzles.of_game(client_of(request), key, which, level)
    view = await puzzle_view(request, puzzle)
    hidden = {} if level is None else {"level": str(level)}
    following = f"/puzzle/{key}{_level_query(request)}"
    kicker, path = f"{game.title} · puzzle {which}", f"/puzzle/{key}/{which}"
    step = _step_of(game, which, level)
    if step and view.attempt.solved:
        following = f"/path/{key}"
    response = _puzzle_page(request, PuzzlePage(view, kicker, path, following, hidden))
    if step:
        _note_step(request, response, view, path, key, step)
    return response


def _step_of(game: type[Game[Any]], number: int, level: int | None) -> int:
    """Return the number of the path's step that this puzzle is; 0 if it is none."""
    steps = path_of(game).steps
    is_step = 1 <= number <= len(steps) and level == steps[number - 1].puzzle
    return number if is_step and level else 0


def _note_step(
    request: Request, response: Response, view: PuzzleView, path: str, key: str, step: int
) -> None:
    """Record in cookies the stars of a solved puzzle, or a mistake ("m") or help ("h") in it."""
    helped = {*request.cookies.get(HELPED, "")} & {"m", "h"}
    if view.solved:
        stars = (*[0] * (step - 1), MAX_STARS - len(helped))
        set_progress(request, response, progress_of(request).adding(key, Mastered(stars)))
    elif view.gave_up or view.hint or view.attempt.missed:
        note = "m" if view.attempt.missed else "h"
        set_note(request, response, HELPED, "".join(sorted(helped | {note})), path)


async def _daily_page(request: Request, day: date) -> Response:
    puzzle, progress = await services_of(request).puzzles.of_day(day), progress_of(request)
    view = await puzzle_view(request, puzzle, solved=day in progress.days)
    if view.solved:
        progress = progress._replace(days=progress.days | {day})
    kicker = f"{day_name(day)} · {puzzle.game.title}"
    following, month = next_address(day, progress.days), month_of(day, progress.days)
    shown = PuzzlePage(view, kicker, f"/puzzle/{day}", following, month=month)
    response = _puzzle_page(request, shown)
    set_progress(request, response, progress)
    return response


def share_line(request: Request, puzzle: Puzzle, path: str) -> str:
    """Return a line for the visitor to send to others; it does not give away the answer."""
    title, grade, link = puzzle.game.title, puzzle.grade, address(request, path)
    return f"I solved this puzzle of {title} (level {grade} of {GRADES[-1]}). Can you? {link}"


def _puzzle_page(request: Request, shown: PuzzlePage) -> Response:
    """Show a puzzle, and beside it the month of a daily puzzle or the puzzles of each game."""
    return page(
        request,
        "puzzle.html",
        page=shown,
        notice=shown.view.notice,
        image=shown.view.image,
        share=share_line(request, shown.view.puzzle, shown.path),
        **_archive(),
    )


def _level_query(request: Request) -> str:
    level = number_of(request.query_params.get("level"))
    return "" if level is None else f"?level={level}"


@router.post("/puzzle/{which}")
async def answer_daily(request: Request, which: Key) -> Response:
    return go(answer_address(f"/puzzle/{parse_puzzle_day(which)}", await form_of(request)))


@router.post("/puzzle/{key}/{number}")
async def answer_numbered(request: Request, key: Key, number: Key) -> Response:
    return go(answer_address(f"/puzzle/{find_game_type(key).key}/{number}", await form_of(request)))


@router.get("/puzzles")
async def show_archive(request: Request) -> Response:
    """Show the archive: a month of daily puzzles, and the puzzles of each game."""
    text = request.query_params.get("month", "")
    day = parse_puzzle_day(f"{text}-01") if text else today()
    month = month_of(day, progress_of(request).days)
    return page(request, "puzzles.html", month=month, **_archive())


def answer_address(path: str, form: dict[str, str]) -> str:
    """Return the address of the page that shows the answer in a form."""
    found, move = form.get("found", ""), form.get("move", "")[:MAX_INPUT_DIGITS]
    fields = {"moves": f"{found[:MAX_INPUT_DIGITS]},{move}"} if found else {"move": move}
    if "level" in form:
        fields["level"] = form["level"][:MAX_INPUT_DIGITS]
    return f"{path}?{urlencode(fields, safe=',')}"


def parse_puzzle_day(text: str) -> date:
    """Return the day that a text names; raises Missing if no puzzle belongs to it."""
    try:
        day = parse_day(text)
    except NumduelError as error:
        raise Missing(sentence(error)) from None
    if not FIRST_DAY <= day <= today():
        raise Missing(f"There is a puzzle for each day from {FIRST_DAY} to today.")
    return day


def _archive() -> dict[str, Any]:
    """Return the games and grades of the archive, and the number of today's sheet of puzzles."""
    named = [(key, title) for key, title, _ in games()]
    return {"games": named, "grades": GRADES, "sheet": today().toordinal()}
