"""Lesson plans and what is printed for them: sheets of puzzles, and blank grids of numbers."""

from __future__ import annotations

import asyncio
from itertools import cycle, islice

from starlette.requests import Request
from starlette.responses import Response

from numduel.games import OUR_GAMES
from numduel.play.lesson import lessons
from numduel.play.puzzle import GRADES, MAX_PUZZLE_NUMBER
from numduel.web.errors import Missing
from numduel.web.game_settings import form_fields, kind
from numduel.web.html import address, number_of, page
from numduel.web.identity import Key, client_of
from numduel.web.routing import PageRouter
from numduel.web.sharing import qr
from numduel.web.site import site_of
from numduel.web.thinking import tasks

router = PageRouter()

_SHEET_PUZZLES = 6
GRIDS = {24: 6, 40: 4, 50: 2, 100: 1}
"""How many blank grids of a size fit on a page."""


@router.get("/lesson/{age}")
async def lesson(request: Request, age: Key) -> Response:
    """Show the lesson plan for that age."""
    for one in await asyncio.to_thread(lessons):
        if str(one.age) == age:
            return page(request, "lesson.html", lesson=one, fields=form_fields(one.game))
    raise Missing("There is no lesson for that age.")


@router.get("/puzzles/sheet/{number}")
async def sheet(request: Request, number: Key) -> Response:
    """Show puzzles to print, of all games or of one, `?game=`; the answers have their own page."""
    which, key = number_of(number), request.query_params.get("game")
    if which is None or not 1 <= which <= MAX_PUZZLE_NUMBER:
        raise Missing("There is no such sheet.")
    site, client, shown = site_of(request), client_of(request), []
    for place, one in enumerate(
        islice(cycle([kind(key).key] if key else OUR_GAMES), _SHEET_PUZZLES)
    ):
        chosen, grade = (which + place) % MAX_PUZZLE_NUMBER + 1, GRADES[place % 3 + 1]
        puzzle = await site.puzzles.of_game(client, one, chosen, grade, short=True)
        game, said = puzzle.game, []
        for last in puzzle.solution:
            if last in puzzle.answers:
                said.append((await site.quick.ask(client, tasks.answered, game, *last)).line)
            else:
                said.append(f"They play {game.words.move_label(*last)}.")
        shown.append((puzzle, said))
    link = address(request, f"{request.url.path}?game={key}" if key else request.url.path)
    return page(request, "sheet.html", number=which, printed=shown, link=link, qr=qr(link))


@router.get("/grid/{size}")
async def grid(request: Request, size: Key) -> Response:
    """Show blank grids of the numbers from 1 to a size, to print."""
    numbers = number_of(size)
    if numbers not in GRIDS:
        raise Missing(f"There are grids for {', '.join(map(str, GRIDS))} numbers.")
    return page(request, "grid.html", size=numbers, boards=GRIDS[numbers], sizes=list(GRIDS))
