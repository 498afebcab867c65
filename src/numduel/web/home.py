"""The first page: what to continue, today's puzzle, a card for each game, and the medals."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError
from numduel.games import game_type, games
from numduel.play.path import CHARACTERS
from numduel.play.puzzle import today
from numduel.players import character
from numduel.web.board import emblem
from numduel.web.cookies import PathView, Progress, path_view, progress_of, set_progress
from numduel.web.duels.pages import duel_path, remembered_games
from numduel.web.duels.record import DuelRecord
from numduel.web.html import form_of, go, page
from numduel.web.puzzles.calendar import next_address, week_of
from numduel.web.puzzles.pages import answer_address, share_line
from numduel.web.puzzles.view import puzzle_view
from numduel.web.routing import PageRouter
from numduel.web.services import services_of

router = PageRouter()


@router.get("/")
async def home(request: Request) -> Response:
    """Show the first page."""
    view, share, progress = None, "", progress_of(request)
    with suppress(NumduelError):  # the page is shown without a puzzle
        puzzle = await services_of(request).puzzles.of_day(today())
        view = await puzzle_view(request, puzzle, low=True, solved=today() in progress.days)
        if view.solved:
            progress = progress._replace(days=progress.days | {today()})
        share = share_line(request, puzzle, f"/puzzle/{today()}")
    response = page(
        request,
        "home.html",
        view=view,
        notice=view and view.notice,
        image=view and view.image,
        share=share,
        week=week_of(progress.days),
        following=next_address(today(), progress.days),
        continuing=await _continuing(request, progress),
        cards=[
            Card(key, title, emblem(key), path_view(game_type(key), progress.of(key)))
            for key, title, _ in games()
        ],
        medals=_medals(progress),
        stars=progress.stars,
    )
    set_progress(request, response, progress)
    return response


@router.post("/")
async def answer(request: Request) -> Response:
    """Take an answer to today's puzzle."""
    return go(answer_address("/", await form_of(request)))


class Card(NamedTuple):
    """A game on the first page."""

    key: str
    title: str
    picture: Markup
    path: PathView


class Continuing(NamedTuple):
    """What the visitor can continue: a game in progress, or the next step of a path."""

    opponent: str  # the key of a computer player; empty for a person
    line: str
    details: str
    address: str
    is_step: bool = False  # whether the address begins a step


async def _continuing(request: Request, progress: Progress) -> Continuing | None:
    """Return what the visitor should continue; None for a new visitor."""
    waiting: Continuing | None = None
    for name, seat in reversed(remembered_games(request)):
        with suppress(NumduelError):  # it was deleted
            duel = await services_of(request).duels.read(name)
            if duel.match.over:
                continue
            continuing = _game_to_continue(duel, seat)
            if duel.deciding == seat:
                return continuing
            waiting = waiting or continuing
    if waiting is not None or not progress.games:
        return waiting
    key = [*progress.games][-1]
    with suppress(NumduelError):  # a game that is no longer installed
        path = path_view(game_type(key), progress.of(key))
        number, step, *_ = path.here
        details = f"{path.game.title}, step {number} of {len(path.nodes)}"
        return Continuing(step.opponent, step.title, details, f"/path/{key}/{number}", is_step=True)
    return None


def _game_to_continue(duel: DuelRecord, seat: int) -> Continuing:
    setup, title = duel.match.setup, duel.table.game.title
    who, called = setup.players[2 - seat], setup.names[2 - seat]
    name = character(who) or called or "Your friend"
    if duel.deciding == seat:
        line, details = "Your move!", f"{name} waits in {title}."
    else:
        line, details = f"{name} is to move", f"Your game of {title}."
    return Continuing(who, line, details, duel_path(duel.name))


class Medal(NamedTuple):
    """An opponent, and in how many of the games it was beaten."""

    who: str
    name: str
    games: int
    state: str  # "won", "next" or empty


def _medals(progress: Progress) -> list[Medal]:
    counts = [sum(who in one.beaten for one in progress.games.values()) for who in CHARACTERS]
    following = counts.index(0) if 0 in counts else -1
    return [
        Medal(who, character(who), count, "won" if count else "next" if at == following else "")
        for at, (who, count) in enumerate(zip(CHARACTERS, counts, strict=True))
    ]
