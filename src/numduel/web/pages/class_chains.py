"""The longest chain as a class: a pupil's own, and beside it the longest of all."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import IllegalMove, NumduelError, SettingsError
from numduel.play.chain import Chain
from numduel.web.classes.room import Pupil, Room
from numduel.web.keys import Key
from numduel.web.live.site import site_of
from numduel.web.pages.chains import (
    chain_page,
    chain_path,
    changed,
    read_chain,
    shown_chains,
)
from numduel.web.pages.html import form_of, go
from numduel.web.pages.rooms import pupil_of, room_path, school_of
from numduel.web.problems import sentence, status_of

router = APIRouter(include_in_schema=False)


@router.get("/room/{code}/chain")
async def chain(request: Request, code: Key) -> Response:
    """A pupil's chain; whoever has something else to do goes to the room, which knows what."""
    room = await school_of(request).read(code)
    me = pupil_of(request, room)
    if me is None or room.chains is None or room.question or room.plays(me):
        return go(room_path(code))
    try:
        made = read_chain(str(room.chains.size), request.query_params.get("chain", ""))
    except NumduelError as error:
        made = Chain(room.chains.size)
        return _page(request, room, me, made, sentence(error), status_of(error))
    return _page(request, room, me, made)


@router.post("/room/{code}/chain")
async def change(request: Request, code: Key) -> Response:
    """One more number, or one less, or from the other end; the longest is kept."""
    school = school_of(request)
    form = await form_of(request)
    made = read_chain(form.get("n", ""), form.get("chain", ""))
    try:
        longer = changed(made, form)
    except (IllegalMove, SettingsError) as error:
        room = await school.read(code)
        me = pupil_of(request, room)
        if me is None or room.chains is None:
            raise
        return _page(request, room, me, made, sentence(error), status_of(error))
    await school.keep_chain(code, request.cookies.get("pupil", ""), longer)
    site_of(request).news.tell(code)
    return go(chain_path(f"{room_path(code)}/chain", longer))


def _page(
    request: Request, room: Room, me: Pupil, made: Chain, notice: str = "", status: int = 200
) -> Response:
    return chain_page(
        *(request, f"{room_path(room.code)}/chain", made, status),
        notice=notice,
        code=room.code,
        version=room.version,
        best=0 if room.chains is None else room.chains.length(me.number),
        chains=shown_chains(room),
    )
