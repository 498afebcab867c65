"""The pages of a class: the teacher's room, and the way in for pupils."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError
from numduel.games import games
from numduel.play.setup import LONGEST_NAME
from numduel.web.classes.room import STAND_IN, Pupil, Room
from numduel.web.keys import Key, hashed, read_code
from numduel.web.live.agreement import agree, game_from_form
from numduel.web.live.school import School
from numduel.web.live.site import site_of
from numduel.web.live.streams import stream
from numduel.web.pages.html import address, form_of, go, number_of, page, set_secret
from numduel.web.pages.play import kind, setup_page
from numduel.web.pages.views import settings_words
from numduel.web.problems import Missing, sentence, status_of

router = APIRouter(include_in_schema=False)


def _school(request: Request) -> School:
    return School(site_of(request).store)


def _path(code: str) -> str:
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
        setup = agreed.terms.setup
        code, secret = await _school(request).open(setup, agreed.terms.coach)
    except NumduelError as error:
        return setup_page(request, "prepare.html", key, form, error)
    response = go(_path(code))
    set_secret(request, response, "teacher", secret, _path(code))
    return response


@router.get("/join")
async def enter(request: Request) -> Response:
    """For pupils: the code and a first name."""
    return page(request, "join.html", form=dict(request.query_params), longest=LONGEST_NAME)


@router.post("/join")
async def join(request: Request) -> Response:
    """Join a room."""
    form = await form_of(request)
    try:
        code = read_code(form.get("code", ""))
        if not (code.isascii() and code.isalpha()):
            raise Missing("A room has a code of five letters.")
        secret = await _school(request).join(code, form.get("name", ""))
    except NumduelError as error:
        shown = {"form": form, "notice": sentence(error), "longest": LONGEST_NAME}
        return page(request, "join.html", status_of(error), **shown)
    site_of(request).news.tell(code)
    response = go(_path(code))
    set_secret(request, response, "pupil", secret, _path(code))
    return response


@router.get("/room/{code}")
async def room(request: Request, code: Key) -> Response:
    """A room, for its teacher and for its pupils."""
    return _room_page(request, await _school(request).read(code))


def _room_page(request: Request, room: Room, notice: str = "", status: int = 200) -> Response:
    names = {pupil.number: pupil.name for pupil in room.pupils}
    me, teacher = _me(request, room), _teaches(request, room)
    game = None if me is None else room.game_of(me)
    inside = teacher or me is not None  # others see no names
    games = [
        {
            "duel": pairing.duel,
            "players": [
                f"the computer ({STAND_IN})"
                if seat is None
                else names.get(seat, "a pupil who left")
                for seat in pairing.seats
            ],
            "over": pairing.over,
            "champion": pairing.champion,
            "mine": pairing is game,
        }
        for pairing in (room.current() if inside else ())
    ]
    return page(
        request,
        "room.html",
        status,
        notice=notice,
        code=room.code,
        title=room.setup.game.title,
        key=room.setup.game.key,
        settings=settings_words(room.setup.game),
        version=room.version,
        round=room.round,
        count=len(room.pupils),
        games=games,
        unfinished=sum(not pairing.over for pairing in room.current()),
        standing=room.standing() if inside else [],
        teacher=teacher,
        inside=inside,
        me=me,
        game=game,
        join=address(request, f"/join?code={room.code}"),
    )


def _me(request: Request, room: Room) -> Pupil | None:
    return room.pupil(hashed(request.cookies.get("pupil", "")))


def _teaches(request: Request, room: Room) -> bool:
    return room.secret == hashed(request.cookies.get("teacher", ""))


@router.get("/room/{code}/events")
async def room_events(request: Request, code: Key) -> Response:
    """The stream of a room's versions."""
    school = _school(request)
    room = await school.read(code)  # Missing, before the stream begins
    inside = _me(request, room) is not None or _teaches(request, room)
    return await stream(site_of(request), code, lambda: school.version(code), plays=inside)


@router.get("/room/{code}/play")
async def to_my_game(request: Request, code: Key) -> Response:
    """A pupil goes to the game of this round."""
    room = await _school(request).read(code)
    secret = request.cookies.get("pupil", "")
    me = room.pupil(hashed(secret))
    game = None if me is None else room.game_of(me)
    if game is None:
        return go(_path(code))
    response = go(f"/game/{game.duel}")
    set_secret(request, response, "seat", secret, f"/game/{game.duel}")
    return response


@router.post("/room/{code}/{wish}")
async def wish(request: Request, code: Key, wish: Key) -> Response:
    """What a teacher asks for: begin a round, take a pupil out, close the room."""
    site, school = site_of(request), _school(request)
    form = await form_of(request)
    secret = request.cookies.get("teacher", "")
    try:
        if wish == "round":
            await school.begin_round(code, secret, number_of(form.get("round")) or 0)
        elif wish == "remove":
            for name, seat in await school.remove(code, secret, form.get("pupil", "")):
                await site.desk.withdraw(name, seat)
        elif wish == "close":
            await school.close(code, secret)
        else:
            raise Missing("There is nothing like that to do in a room.")
    except Missing:
        raise
    except NumduelError as error:
        found = await school.read(code)
        return _room_page(request, found, sentence(error), status_of(error))
    if wish == "round":
        site.news.tell(code)
    else:
        site.news.tell_all()  # for games are gone as well
    return go("/" if wish == "close" else _path(code))
