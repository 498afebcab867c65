"""The pages of a class: how a room is opened, the way in, and what those inside see."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from contextlib import suppress
from functools import lru_cache
from typing import Any

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import IllegalMove, NumduelError
from numduel.games import games
from numduel.picture import picture
from numduel.play.setup import LONGEST_NAME
from numduel.web.classes.room import ANSWERS, STAND_IN, Pupil, Room
from numduel.web.data.hosted import Hosted
from numduel.web.keys import Key, hashed, is_name, read_code
from numduel.web.live.agreement import agree, game_from_form
from numduel.web.live.posing import answer
from numduel.web.live.school import School
from numduel.web.live.site import Site, site_of
from numduel.web.live.streams import stream
from numduel.web.pages.asking import moment_of, shown_question
from numduel.web.pages.chains import shown_chains
from numduel.web.pages.html import address, form_of, go, number_of, page, set_secret
from numduel.web.pages.play import kind, setup_page
from numduel.web.pages.qr import qr
from numduel.web.pages.views import past_of, settings_words
from numduel.web.problems import Missing, NotNow, sentence, status_of
from numduel.web.slices import in_slices
from numduel.web.visitor import prove

router = APIRouter(include_in_schema=False)

_COLUMNS = {1: 1, 2: 4, 3: 9, 4: 12, 5: 20, 7: 50}
"""How many games, at most, stand in so many columns on the projector."""


def school_of(request: Request) -> School:
    """All that can be done with rooms."""
    return School(site_of(request).store)


def room_path(code: str) -> str:
    """The address of a room."""
    return f"/room/{code}"


@router.get("/class")
async def choose(request: Request) -> Response:
    """For teachers: the choice of a game."""
    return page(request, "class.html", games=[(key, title) for key, title, _ in games()])


@router.get("/class/{key}")
async def prepare(request: Request, key: Key) -> Response:
    """For teachers: the choice of settings."""
    return setup_page(request, "prepare.html", key)


@router.post("/rooms/{key}")
async def open_room(request: Request, key: Key) -> Response:
    """Open a room."""
    kind(key)
    form = await form_of(request)
    try:
        rounds = number_of(form.get("rounds", "1"))
        agreed = agree(
            game_from_form(key, form),
            ("human", "human"),
            rounds=0 if rounds is None else rounds,
            best_of="best-of" in form,
            swap="swap" in form,
            coach="coach" in form,
        )
        terms = agreed.terms
        code, secret = await school_of(request).open(terms.setup, terms.coach, "screen" in form)
    except NumduelError as error:
        return setup_page(request, "prepare.html", key, form, error)
    response = go(room_path(code))
    set_secret(request, response, "teacher", secret, room_path(code))
    return response


@router.get("/join")
async def enter(request: Request) -> Response:
    """For pupils: the code and a first name."""
    form = dict(request.query_params)
    ticket = form.get("ticket", "")
    known = ticket if is_name(ticket) else ""  # it becomes a part of an address
    return page(request, "join.html", form=form, ticket=known, longest=LONGEST_NAME)


@router.post("/join")
@router.post("/join/{ticket}")
async def join(request: Request) -> Response:
    """Join a room, or wait before its door."""
    form, ticket = await form_of(request), request.path_params.get("ticket")
    try:
        code = read_code(form.get("code", ""))
        if not (code.isascii() and code.isalpha()):
            raise Missing("A room has a code of five letters.")
        secret = await school_of(request).join(code, form.get("name", ""), ticket)
    except NumduelError as error:
        shown = {"form": form, "notice": sentence(error), "longest": LONGEST_NAME}
        shown["ticket"] = None if isinstance(error, Missing) else ticket  # another code may do
        return page(request, "join.html", status_of(error), **shown)
    site_of(request).news.tell(code)
    response = go(room_path(code))
    set_secret(request, response, "pupil", secret, room_path(code))
    return response


@router.get("/room/{code}")
async def room(request: Request, code: Key) -> Response:
    """A room: the projector's page for its teacher, and each pupil's own."""
    room = await school_of(request).read(code)
    if is_teacher(request, room):
        return await _projector(request, room)
    me = pupil_of(request, room)
    if me is None:
        secret = request.cookies.get("pupil", "")
        waits, known = room.waits(hashed(secret)), bool(secret)
        return page(request, "door.html", waits=waits, known=known, **shown_outside(room))
    game = room.plays(me)
    from_it = request.query_params.get("game")  # who only came back to look
    if game and game.duel != from_it and not room.is_asked(me):
        return go(f"{room_path(code)}/play")
    if room.chains and not game and not room.question:
        return go(f"{room_path(code)}/chain")
    return await _pupil(request, room, me)


async def _pupil(
    request: Request, room: Room, me: Pupil, notice: str = "", status: int = 200
) -> Response:
    return page(
        request,
        "pupil.html",
        status,
        notice=notice,
        me=me,
        game=room.game_of(me),
        question=await shown_question(room, me),
        **shown_inside(room, me),
    )


async def _projector(request: Request, room: Room) -> Response:
    site = site_of(request)
    link = address(request, f"/join?code={room.code}&ticket={room.ticket}")
    duels = await followed(request, room)
    shown = shown_inside(room)
    question, chains = await shown_question(room), shown_chains(room)
    playing = not (question or chains)
    moment, thinking = None, False
    if playing and "games" not in request.query_params:
        try:
            moment = await moment_of(site, room, duels)
        except TimeoutError:
            thinking = True  # the page asks again
    return page(
        request,
        "projector.html",
        join=link,
        join_at=address(request, "/join").partition("//")[2],
        qr=qr(link),
        only_here=await asyncio.to_thread(_only_here, request.url.hostname or ""),
        progress=room.progress,
        question=question,
        chains=chains,
        tiles=await _tiles(site, shown["games"], duels) if playing and not moment else [],
        columns=next(n for n, most in _COLUMNS.items() if len(duels) <= most),
        moment=moment,
        thinking=thinking,
        **shown,
    )


async def followed(request: Request, room: Room) -> list[Hosted]:
    """The games of this round as they stand; who shows the room hears of each move in them."""
    site = site_of(request)
    names = [game.duel for game in room.current()]
    for name in names:
        site.news.follow(name, room.code)
    return await asyncio.gather(*map(site.desk.read, names))


async def _tiles(
    site: Site, games: list[dict[str, Any]], duels: list[Hosted]
) -> list[dict[str, Any]]:
    """The games of the class, small."""
    return [
        {**pairing, "seats": _seats(pairing, duel), "picture": _drawn(site, duel)}
        async for pairing, duel in in_slices(zip(games, duels, strict=True))
    ]


def _seats(pairing: dict[str, Any], duel: Hosted) -> list[dict[str, Any]]:
    over = pairing["over"]
    return [
        {
            "seat": seat,
            "name": name,
            "turn": not over and duel.deciding == seat,
            "won": over and pairing["champion"] == seat,
        }
        for seat, name in enumerate(pairing["players"], 1)
    ]


def _drawn(site: Site, duel: Hosted) -> Markup:
    """The small board of a game, drawn again only when something has happened in it."""
    version, drawn = site.tiles.get(duel.name) or (-1, Markup())
    if version != duel.version:
        table = duel.table
        scene = table.game.words.scene(table.position, past_of(table, len(table.moves)))
        drawn = picture(scene, shape="low")
        site.tiles.keep(duel.name, (duel.version, drawn), len(drawn))
    return drawn


@lru_cache(maxsize=16)
def _only_here(host: str) -> bool:
    """Whether a host's name means whatever computer it is said on; our own is looked up."""
    with suppress(OSError):  # a name that leads nowhere from here may do so from elsewhere
        if host.partition(".")[0] == socket.gethostname().partition(".")[0].lower():
            host = socket.gethostbyname(host)
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_teacher(request: Request, room: Room) -> bool:
    """Whether the request comes from the teacher who opened the room."""
    teaches = room.secret == hashed(request.cookies.get("teacher", ""))
    if teaches:
        prove(room.code, room.secret)
    return teaches


def pupil_of(request: Request, room: Room) -> Pupil | None:
    """The pupil of the room from whom the request comes."""
    me = room.pupil(hashed(request.cookies.get("pupil", "")))
    if me is not None:
        prove(room.code, me.secret)
    return me


def shown_outside(room: Room) -> dict[str, Any]:
    """What anybody sees of a room: no names."""
    return {
        "code": room.code,
        "title": room.setup.game.title,
        "key": room.setup.game.key,
        "settings": settings_words(room.setup.game),
        "version": room.version,
        "round": room.round,
    }


def shown_inside(room: Room, me: Pupil | None = None) -> dict[str, Any]:
    """What those inside see of a room."""
    names = {pupil.number: pupil.name for pupil in room.pupils}
    return {
        **shown_outside(room),
        "count": len(room.pupils),
        "games": [
            {
                "duel": game.duel,
                "players": [
                    f"the computer ({STAND_IN})"
                    if seat is None
                    else names.get(seat, "a pupil who left")
                    for seat in game.seats
                ],
                "over": game.over,
                "champion": game.champion,
                "mine": me is not None and me.number in game.seats,
            }
            for game in room.current()
        ],
        "unfinished": sum(not game.over for game in room.current()),
        "standing": room.standing(),
    }


@router.get("/room/{code}/events")
async def room_events(request: Request, code: Key) -> Response:
    """The stream of a room's versions; for its teacher also of each answer to a question."""
    school = school_of(request)
    room = await school.read(code)  # Missing, before the stream begins
    if "answers" in request.query_params and is_teacher(request, room):
        await followed(request, room)
    inside = pupil_of(request, room) is not None or is_teacher(request, room)
    step = 1 if "answers" in request.query_params else ANSWERS
    return await stream(site_of(request), code, lambda: school.progress(code), inside, step)


@router.post("/room/{code}/answer")
async def answer_question(request: Request, code: Key) -> Response:
    """A pupil's answer to the question that is posed."""
    school = school_of(request)
    form = await form_of(request)
    secret = request.cookies.get("pupil", "")
    number, move = (number_of(form.get(name, "").strip()) for name in ("question", "move"))
    try:
        await answer(school, code, secret, number or 0, move)
    except (IllegalMove, NotNow) as error:
        room = await school.read(code)
        me = pupil_of(request, room)
        if me is None:
            raise
        return await _pupil(request, room, me, sentence(error), status_of(error))
    site_of(request).news.tell(code)
    return go(room_path(code))


@router.get("/room/{code}/play")
async def to_my_game(request: Request, code: Key) -> Response:
    """A pupil goes to the game of this round."""
    room = await school_of(request).read(code)
    secret, me = request.cookies.get("pupil", ""), pupil_of(request, room)
    game = None if me is None else room.game_of(me)
    if game is None:
        return go(room_path(code))
    response = go(f"/game/{game.duel}")
    set_secret(request, response, "seat", secret, f"/game/{game.duel}")
    return response
