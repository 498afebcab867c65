"""The pages of a room for its teacher: opening it, the projector, the pupils, the report."""

from __future__ import annotations

import asyncio
import csv
import io
from functools import cache
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError
from numduel.core.game import Game
from numduel.games import game_type, games
from numduel.play.chain import Chain
from numduel.play.friendly_settings import friendly_game
from numduel.play.lesson import lessons
from numduel.play.path import path_of
from numduel.play.puzzle import today
from numduel.web.board import emblem
from numduel.web.chains import SIZES
from numduel.web.duels.record import DuelRecord
from numduel.web.duels.setup_pages import offered_fields, setup_page
from numduel.web.duels.terms import HERE, agree_from_form
from numduel.web.errors import Missing, NotYours
from numduel.web.game_settings import find_game_type, form_fields
from numduel.web.html import address, download, form_of, go, number_of, page, set_secret
from numduel.web.identity import Key, client_of, hash_secret
from numduel.web.lessons import GRIDS
from numduel.web.rooms.model import Room
from numduel.web.rooms.page_model import (
    ProjectorPage,
    contest_view,
    explanations,
    moment_of,
    played_line,
    question_view,
    tiles,
)
from numduel.web.rooms.service import Change
from numduel.web.routing import PageRouter
from numduel.web.services import services_of
from numduel.web.sharing import qr

router = PageRouter()

_MAX_TILES = {1: 1, 2: 4, 3: 9, 4: 12, 5: 15, 6: 24, 7: 50}
"""Maximum number of games that the projector's page shows, by the number of columns."""


def room_path(code: str) -> str:
    return f"/room/{code}"


def is_teacher(request: Request, room: Room) -> bool:
    """Return whether the request comes from the teacher who opened the room."""
    return room.secret == hash_secret(request.cookies.get("teacher", ""))


async def room_of_teacher(request: Request, code: str) -> Room:
    """Return the room if its teacher sends the request; raises NotYours otherwise."""
    room = await services_of(request).rooms.enter(code, client_of(request))
    if not is_teacher(request, room):
        raise NotYours("Only the teacher who opened this room can do that.")
    return room


# Opening a room.


@cache
def _cards() -> list[tuple[Game[Any], Markup, str, dict[str, str]]]:
    """Return each game at friendly settings, its picture, its aim, and the form for a room."""
    friendly = [friendly_game(game_type(key)) for key, _, _ in games()]
    return [(one, emblem(one.key), path_of(type(one)).short, form_fields(one)) for one in friendly]


@router.get("/class")
async def show_choice_of_rooms(request: Request) -> Response:
    """Show the games for which a room can be opened, the lessons, and what can be printed."""
    return page(
        request,
        "class.html",
        cards=_cards(),
        lessons=await asyncio.to_thread(lessons),
        grids=GRIDS,
        sheet=today().toordinal(),
    )


@router.get("/class/{key}")
async def show_room_settings(request: Request, key: Key) -> Response:
    """Show the form for a room with settings of the teacher's choice."""
    return setup_page(request, "prepare.html", key, offered_fields(request, key))


@router.post("/rooms/{key}")
async def open_room(request: Request, key: Key) -> Response:
    find_game_type(key)
    form = await form_of(request)
    try:
        terms = agree_from_form(key, {**form, "opponent": HERE}).terms
        rooms = services_of(request).rooms
        code, secret = await rooms.open(terms.setup, terms.coach, "screen" in form)
    except NumduelError as error:
        return setup_page(request, "prepare.html", key, form, error)
    response = go(room_path(code))
    set_secret(request, response, "teacher", secret, room_path(code))
    return response


# The projector.


def wall_page(
    request: Request, template: str, room: Room, error: NumduelError | None = None, **shown: Any
) -> Response:
    """Return a page with the way into the room above, and the teacher's buttons below."""
    link = address(request, f"/join?code={room.code}&ticket={room.ticket}")
    typed = address(request, "/join").partition("//")[2]
    way_in = {"link": link, "address": typed, "qr": qr(link)}
    shown |= {"room": room, "way_in": way_in, "chain_sizes": SIZES}
    return page(request, template, error=error, **shown)


async def projector(request: Request, room: Room, error: NumduelError | None = None) -> Response:
    services, client = services_of(request), client_of(request)
    duels, moment, thinking = await follow_games(request, room), None, False
    question, contest = await question_view(room), contest_view(room)
    if room.is_playing:
        try:
            moment = await moment_of(services.reviews, client, room, duels)
        except TimeoutError:
            thinking = True
    reasons = await explanations(services.quick, client, room)
    which = number_of(request.query_params.get("play")) or 0
    past = reasons[which - 1].past if 0 < which <= len(reasons) else ()
    shown = ProjectorPage(
        question,
        contest,
        reasons,
        played_reason=which,
        line=played_line(room.question.game, past) if room.question and past else None,
        tiles=await tiles(room, duels) if room.is_playing and room.unfinished else [],
        columns=next(columns for columns, most in _MAX_TILES.items() if len(duels) <= most),
        moment=moment,
        thinking=thinking,
    )
    return wall_page(request, "projector.html", room, error, page=shown)


async def follow_games(request: Request, room: Room) -> list[DuelRecord]:
    """Return the games of this round, and notify the pages of the room of each move in them."""
    services = services_of(request)
    names = [game.duel for game in room.current_games()]
    for name in names:
        services.notifications.follow(name, room.code)
    return await asyncio.gather(*map(services.duels.read, names))


# The pupils and the report.


@router.get("/room/{code}/manage")
async def show_pupils(request: Request, code: Key) -> Response:
    """Show the pupils, and whether others can join."""
    return wall_page(request, "manage.html", await room_of_teacher(request, code))


@router.get("/room/{code}/report")
async def show_report(request: Request, code: Key) -> Response:
    return wall_page(request, "report.html", await room_of_teacher(request, code))


@router.get("/room/{code}/report.csv")
async def download_report(request: Request, code: Key) -> Response:
    room = await room_of_teacher(request, code)
    text = io.StringIO(newline="")
    csv.writer(text).writerows(report_rows(room))
    data = text.getvalue().encode("utf-8-sig")  # a spreadsheet needs this to know the encoding
    return download(data, "text/csv", f"numduel-{room.code}.csv")


def report_rows(room: Room) -> list[list[str]]:
    """Return the report as the rows of a table; the first holds the titles of the columns."""
    head = ["Name", "Points", "Games", "Won", "Answers right", "Answers given"]
    head += [f"Question {number}" for number in range(1, len(room.questions) + 1)]
    head += [f"Chain 1 to {contest.size}" for contest in room.contests]
    words = {None: "", True: "right", False: "wrong"}
    rows = []
    for one in room.standings():
        name = one.pupil.name
        if name.startswith(("=", "+", "-", "@")):  # a spreadsheet would read a formula
            name = f"'{name}"
        counts = [f"{one.points:g}", one.played, one.won, one.correct, one.given]
        rest = [*(words[right] for right in one.right), *(length or "" for length in one.chains)]
        rows.append([name, *map(str, (*counts, *rest))])
    return [head, *rows]


# The teacher's buttons.


@router.post("/room/{code}/{deed}")
async def act(request: Request, code: Key, deed: Key) -> Response:
    """Do what a button of the teacher's pages says."""
    rooms, form = services_of(request).rooms, await form_of(request)
    await room_of_teacher(request, code)
    back = "/manage" if "back" in form else ""  # sent by the page of the pupils
    try:
        if deed == "delete":
            await rooms.store.delete(code)
        elif deed == "round":
            number = number_of(form.get("round")) or 0
            await rooms.begin_round(client_of(request), code, number)
        else:
            await rooms.store.update(code, _change(deed, form))
    except Missing:
        raise
    except NumduelError as error:
        room = await rooms.store.read(code)
        if back:
            return wall_page(request, "manage.html", room, error)
        return await projector(request, room, error)
    return go("/class" if deed == "delete" else f"{room_path(code)}{back}")


def _change(deed: str, form: dict[str, str]) -> Change:
    """Return the change of a room that a button stands for; raises Missing if there is none."""
    pupil = form.get("pupil")  # None: everybody who waits
    size = number_of(form.get("n")) or 0
    changes: dict[str, Change] = {
        "lock": lambda room: room.change(locked=True),
        "unlock": lambda room: room.change(locked=False),
        "screen": lambda room: room.change(screened=True),
        "unscreen": lambda room: room.change(screened=False),
        "admit": lambda room: room.admit(pupil),
        "turn-away": lambda room: room.turn_away(pupil),
        "remove": lambda room: room.remove(pupil or ""),
        "bring-back": lambda room: room.bring_back(pupil or ""),
        "show": Room.show_answers,
        "reveal": Room.reveal,
        "make-chains": lambda room: room.begin_contest(Chain.empty(size).size),
        "games": Room.return_to_games,
        "end": Room.end,
    }
    if deed not in changes:
        raise Missing("That cannot be done in a room.")
    return changes[deed]
