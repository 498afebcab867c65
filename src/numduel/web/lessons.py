"""Lesson plans, and what is printed for them: sheets of puzzles, and blank grids of numbers."""

from __future__ import annotations

import asyncio
from itertools import cycle, islice

from starlette.requests import Request
from starlette.responses import Response

from numduel.games import OUR_GAMES
from numduel.play.lesson import lessons
from numduel.play.puzzle import GRADES, MAX_PUZZLE_NUMBER
from numduel.web.errors import Missing
from numduel.web.game_settings import find_game_type, form_fields
from numduel.web.html import address, number_of, page
from numduel.web.identity import Key, client_of
from numduel.web.routing import PageRouter
from numduel.web.services import services_of
from numduel.web.sharing import qr
from numduel.web.thinking import tasks

router = PageRouter()

_SHEET_PUZZLES = 6
GRIDS = {24: 6, 40: 4, 50: 2, 100: 1}  # how many grids of each size fit on a page


@router.get("/lesson/{age}")
async def lesson(request: Request, age: Key) -> Response:
    """Show the lesson plan for that age."""
    for one in await asyncio.to_thread(lessons):
        if str(one.age) == age:
            return page(request, "lesson.html", lesson=one, fields=form_fields(one.game))
    raise Missing("There is no lesson for that age.")


@router.get("/puzzles/sheet/{number}")
async def sheet(request: Request, number: Key) -> Response:
    """Show puzzles to print, of all games or of one (`?game=`); answers have their own page."""
    which, key = number_of(number), request.query_params.get("game")
    if which is None or not 1 <= which <= MAX_PUZZLE_NUMBER:
        raise Missing("There is no such sheet.")
    services, client, printed = services_of(request), client_of(request), []
    keys = [find_game_type(key).key] if key else OUR_GAMES
    for place, puzzle_key in enumerate(islice(cycle(keys), _SHEET_PUZZLES)):
        chosen, grade = (which + place) % MAX_PUZZLE_NUMBER + 1, GRADES[place % 3 + 1]
        puzzle = await services.puzzles.of_game(client, puzzle_key, chosen, grade, short=True)
        game, solution = puzzle.game, []
        for last in puzzle.solution:
            if last in puzzle.answers:
                answer = await services.quick.ask(client, tasks.check_answer, game, *last)
                solution.append(answer.line)
            else:
                solution.append(f"They play {game.words.move_label(*last)}.")
        printed.append((puzzle, solution))
    link = address(request, f"{request.url.path}?game={key}" if key else request.url.path)
    return page(request, "sheet.html", number=which, printed=printed, link=link, qr=qr(link))


@router.get("/grid/{size}")
async def grid(request: Request, size: Key) -> Response:
    """Show blank grids of the numbers from 1 to `size` to print."""
    numbers = number_of(size)
    if numbers not in GRIDS:
        raise Missing(f"There are grids for {', '.join(map(str, GRIDS))} numbers.")
    return page(request, "grid.html", size=numbers, boards=GRIDS[numbers], sizes=list(GRIDS))
