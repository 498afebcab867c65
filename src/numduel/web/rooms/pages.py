"""The pages of a room for its pupils: joining, the room, answers, games and chains."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import IllegalMove, NumduelError, SettingsError
from numduel.play.chain import Chain
from numduel.web.chains import chain_after, chain_page, chain_path, parse_chain
from numduel.web.duels.streams import stream
from numduel.web.errors import Missing, NotNow, note_error
from numduel.web.html import form_of, go, note_class, number_of, page, set_note, set_secret
from numduel.web.identity import Key, client_of, hash_secret, is_name, read_code
from numduel.web.rooms.model import CALL_STEP, VERSION_STEP, Room
from numduel.web.rooms.page_model import contest_view, question_view
from numduel.web.rooms.pupils import ClassGame, Pupil
from numduel.web.rooms.teacher_pages import follow_games, is_teacher, projector, room_path
from numduel.web.routing import PageRouter
from numduel.web.services import services_of

router = PageRouter()

_MET = "met"  # the cookie that holds the game whose opponent the pupil has been shown


def _pupil_of(request: Request, room: Room) -> Pupil | None:
    """Return the pupil of the room who sent the request; None for anybody else."""
    return room.pupil(hash_secret(request.cookies.get("pupil", "")))


@router.get("/join")
async def show_join_form(request: Request) -> Response:
    form = dict(request.query_params)
    ticket = form.get("ticket", "")
    valid = ticket if is_name(ticket) else ""  # it becomes a part of an address
    return page(request, "join.html", form=form, ticket=valid)


@router.post("/join")
@router.post("/join/{ticket}")
async def join(request: Request) -> Response:
    """Join a room, or wait to be admitted."""
    form, ticket = await form_of(request), request.path_params.get("ticket")
    try:
        code = read_code(form.get("code", ""))
        if not (code.isascii() and code.isalpha()):
            raise Missing("A room has a code of five letters.")
        secret = await services_of(request).rooms.join(code, form.get("name", ""), ticket)
    except NumduelError as error:
        ticket = None if isinstance(error, Missing) else ticket  # it may belong to another code
        return page(request, "join.html", error=error, form=form, ticket=ticket)
    response = go(room_path(code))
    set_secret(request, response, "pupil", secret, room_path(code))
    return response


@router.get("/room/{code}")
async def show_room(request: Request, code: Key) -> Response:
    """Show a room: the projector's page to its teacher, and what there is to do to a pupil."""
    try:
        room = await services_of(request).rooms.enter(code, client_of(request))
    except Missing as error:
        if "pupil" not in request.cookies:
            raise
        response = page(request, "room_over.html", note_error(request, error))
        note_class(request, response, "")
        return response
    if is_teacher(request, room):
        return await projector(request, room)
    me = _pupil_of(request, room)
    if me is None:
        secret = request.cookies.get("pupil", "")
        waits, known = room.is_waiting(hash_secret(secret)), bool(secret)
        return page(request, "room_waiting.html", room=room, waits=waits, known=known)
    if room.contest:
        return go(f"{room_path(code)}/chain")
    game = room.game_of(me)
    is_open = game is not None and not game.over and room.is_playing
    if game is None or not is_open or game.duel == request.query_params.get("game"):
        return await _pupil_page(request, room, me)
    if game.duel == request.cookies.get(_MET):
        return go(f"{room_path(code)}/play")
    # The next time, the pupil is led straight to the game.
    response = await _pupil_page(request, room, me, meets=game)
    set_note(request, response, _MET, game.duel, room_path(code))
    return response


async def _pupil_page(
    request: Request,
    room: Room,
    me: Pupil,
    error: NumduelError | None = None,
    meets: ClassGame | None = None,
) -> Response:
    """Show a pupil their next opponent, the question, how the lesson went, or that they wait."""
    response = page(
        request,
        "pupil.html",
        error=error,
        room=room,
        me=me,
        standing=room.standing_of(me),
        game=room.game_of(me),
        meets=meets,
        question=await question_view(room, me),
    )
    note_class(request, response, "" if room.ended else f"{room.code}.{room.calls}")
    return response


@router.get("/room/{code}/events")
async def room_events(request: Request, code: Key) -> Response:
    """Stream the room's revisions; with `?answers` its progress, with `?calls` its calls."""
    services, client, query = services_of(request), client_of(request), request.query_params
    room = await services.rooms.enter(code, client)  # raises Missing before the stream begins
    teaches, answers = is_teacher(request, room), "answers" in query
    if teaches and answers:
        await follow_games(request, room)
    inside = teaches or _pupil_of(request, room) is not None
    step = 1 if answers else CALL_STEP if "calls" in query else VERSION_STEP
    return await stream(
        services, client, code, lambda: services.rooms.store.progress(code), inside, step
    )


@router.post("/room/{code}/answer")
async def answer_question(request: Request, code: Key) -> Response:
    services, form = services_of(request), await form_of(request)
    secret = request.cookies.get("pupil", "")
    number, move = (number_of(form.get(name, "").strip()) for name in ("question", "move"))
    try:
        await services.rooms.answer(code, secret, number or 0, move)
    except (IllegalMove, NotNow) as error:
        room = await services.rooms.store.read(code)
        if (me := _pupil_of(request, room)) is None:
            raise
        return await _pupil_page(request, room, me, error)
    return go(room_path(code))


@router.get("/room/{code}/play")
async def lead_to_game(request: Request, code: Key) -> Response:
    room = await services_of(request).rooms.enter(code, client_of(request))
    me = _pupil_of(request, room)
    game = None if me is None else room.game_of(me)
    if game is None:
        return go(room_path(code))
    path = f"/game/{game.duel}"
    response = go(path)
    set_secret(request, response, "seat", request.cookies.get("pupil", ""), path)
    set_note(request, response, _MET, game.duel, room_path(code))
    return response


@router.get("/room/{code}/chain")
async def show_chain(request: Request, code: Key) -> Response:
    """Show a pupil's chain; without a contest, lead them to the room."""
    room = await services_of(request).rooms.enter(code, client_of(request))
    me = _pupil_of(request, room)
    if me is None or room.contest is None:
        return go(room_path(code))
    try:
        chain = parse_chain(str(room.contest.size), request.query_params.get("chain", ""))
    except NumduelError as error:
        return _chain_page(request, room, me, Chain(room.contest.size), error)
    return _chain_page(request, room, me, chain)


@router.post("/room/{code}/chain")
async def change_chain(request: Request, code: Key) -> Response:
    """Change a pupil's chain by one number, or turn it round; the room keeps their longest."""
    services, form = services_of(request), await form_of(request)
    secret = hash_secret(request.cookies.get("pupil", ""))
    chain = parse_chain(form.get("n", ""), form.get("chain", ""))
    try:
        changed_chain = chain_after(chain, form)
    except (IllegalMove, SettingsError) as error:
        room = await services.rooms.store.read(code)
        if (me := _pupil_of(request, room)) is None or room.contest is None:
            raise
        return _chain_page(request, room, me, chain, error)
    try:
        await services.rooms.store.update(code, lambda room: room.add_chain(secret, changed_chain))
    except NotNow:  # the contest has ended meanwhile
        return go(room_path(code))
    return go(chain_path(f"{room_path(code)}/chain", changed_chain))


def _chain_page(
    request: Request, room: Room, me: Pupil, chain: Chain, error: NumduelError | None = None
) -> Response:
    best = room.contest.length(me.number) if room.contest else 0
    return chain_page(
        *(request, f"{room_path(room.code)}/chain", chain, best, error),
        room=room,
        me=me,
        contest=contest_view(room),
    )
