"""The page of a game's path, and the games that its steps begin."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from numduel.play.path import path_of, step_setup
from numduel.web.duels.pages import begin
from numduel.web.duels.terms import seated
from numduel.web.errors import Missing
from numduel.web.game_settings import kind
from numduel.web.html import go, number_of, page
from numduel.web.keys import Key
from numduel.web.progress import path_view, progress_of
from numduel.web.routing import PageRouter

router = PageRouter()


@router.get("/path/{key}")
async def show(request: Request, key: Key) -> Response:
    """Show the path of a game."""
    return page(request, "path.html", path=path_view(kind(key), progress_of(request).of(key)))


@router.post("/path/{key}/{number}")
async def step(request: Request, key: Key, number: Key) -> Response:
    """Begin a step of a path: a game, or a puzzle."""
    steps, which = path_of(kind(key)).steps, number_of(number) or 0
    if not 1 <= which <= len(steps):
        raise Missing(f"The path has the steps 1 to {len(steps)}.")
    step = steps[which - 1]
    if step.puzzle:
        return go(f"/puzzle/{key}/{which}?level={step.puzzle}")
    return await begin(request, seated(step_setup(kind(key), step), coach=True))
