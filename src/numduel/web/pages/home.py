"""The first page: today's puzzle, the games under way, and a card for each game."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError
from numduel.games import game_type, games
from numduel.picture import picture
from numduel.play.puzzle import today
from numduel.players import HUMAN
from numduel.web.keys import is_name
from numduel.web.live.site import site_of
from numduel.web.pages.board import sample
from numduel.web.pages.html import form_of, go, page, set_note
from numduel.web.pages.puzzles import answer_address, keep_solved, posed, solved_days

router = APIRouter(include_in_schema=False)

FIRST_GAME = {"opponent": "easy", "coach": "on"}
"""How the first page lets a game begin."""

UNDER_WAY = "games"
"""The cookie in which a browser keeps which games it plays in, and in which seat."""

_MOST_KEPT = 8  # games that a browser keeps, the latest
_MOST_SHOWN = 2


@router.get("/")
async def home(request: Request) -> Response:
    """The first page."""
    shown = None
    solved = solved_days(request)
    with suppress(NumduelError):  # then there is no puzzle just now, but all the rest
        puzzle = await site_of(request).puzzles.daily(today())
        shown = await posed(request, puzzle, low=True)
        if shown.tried and shown.tried.right and not shown.told:
            solved |= {today()}
    response = page(
        request,
        "home.html",
        puzzle=shown,
        notice=shown and shown.notice,
        image=shown and shown.image,
        underway=await _under_way(request),
        cards=_cards(),
    )
    keep_solved(request, response, solved)
    return response


@router.post("/")
async def answer(request: Request) -> Response:
    """An answer to today's puzzle, in place."""
    return go(answer_address("/", await form_of(request)))


@cache
def _cards() -> list[dict[str, Any]]:
    return [
        {
            "key": key,
            "title": title,
            "summary": game_type(key).summary,
            "picture": picture(sample(key), shape="low"),
            "first": {**FIRST_GAME, **_first_settings(key)},
        }
        for key, title, _ in games()
    ]


def _first_settings(key: str) -> dict[str, str]:
    """The fields of a form with the game's friendly settings."""
    kind = game_type(key)
    settings = kind(**kind.friendly).settings
    return {f"set-{s.name}": s.text(value) for s, value in settings if value != s.default}


class UnderWay(NamedTuple):
    """A game to go on with."""

    name: str
    title: str
    against: str  # whom, where that is known
    yours: bool  # whether it is this browser's turn


async def _under_way(request: Request) -> list[UnderWay]:
    """The games of this browser that are not over, the latest first."""
    found: list[UnderWay] = []
    for name, seat in reversed(_kept(request)):
        if len(found) == _MOST_SHOWN:
            break
        with suppress(NumduelError):  # it was cleared away
            duel = await site_of(request).desk.read(name)
            if duel.match.over:
                continue
            setup = duel.match.setup
            who, called = setup.players[2 - seat], setup.names[2 - seat]
            against = f"the computer ({who})" if who != HUMAN else called or ""
            yours = duel.deciding == seat
            found.append(UnderWay(name, duel.table.game.title, against, yours))
    return found


def remember(request: Request, response: Response, name: str, seat: int) -> None:
    """Let this browser know that it plays in a game."""
    kept = [*(one for one in _kept(request) if one[0] != name), (name, seat)][-_MOST_KEPT:]
    set_note(request, response, UNDER_WAY, ".".join(f"{n}{s}" for n, s in kept))


def _kept(request: Request) -> list[tuple[str, int]]:
    kept = []
    for text in request.cookies.get(UNDER_WAY, "").split(".")[-_MOST_KEPT:]:
        name, seat = text[:-1], text[-1:]
        if is_name(name) and seat in ("1", "2"):
            kept.append((name, int(seat)))
    return kept
