"""What only the teacher of a room sees and does, on a page apart from the projector's."""

from __future__ import annotations

import csv
import io

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError
from numduel.core.scene import LARGEST_BOARD
from numduel.play.chain import USUAL_SIZE, board
from numduel.web.classes.room import Room
from numduel.web.keys import Key
from numduel.web.live.posing import reveal
from numduel.web.live.school import NOT_THE_TEACHER, School
from numduel.web.live.site import Site, site_of
from numduel.web.pages.asking import shown_question
from numduel.web.pages.chains import shown_chains
from numduel.web.pages.html import form_of, go, number_of, page
from numduel.web.pages.rooms import is_teacher, room_path, school_of, shown_inside
from numduel.web.problems import Missing, NotYours, sentence, status_of

router = APIRouter(include_in_schema=False)


@router.get("/room/{code}/manage")
async def manage(request: Request, code: Key) -> Response:
    """The teacher's own page of a room; others go to the room."""
    room = await school_of(request).read(code)
    return await _manage(request, room) if is_teacher(request, room) else go(room_path(code))


async def _manage(request: Request, room: Room, notice: str = "", status: int = 200) -> Response:
    return page(
        request,
        "manage.html",
        status,
        notice=notice,
        locked=room.locked,
        screened=room.screened,
        progress=room.progress,
        question=await shown_question(room),
        chains=shown_chains(room),
        usual_size=USUAL_SIZE,
        largest=LARGEST_BOARD,
        waiting=[pupil.name for pupil in room.waiting],
        removed=[pupil.name for pupil in reversed(room.removed)],
        **shown_inside(room),
    )


@router.get("/room/{code}/totals.csv")
async def totals(request: Request, code: Key) -> Response:
    """The standing as a file, for the teacher alone."""
    room = await school_of(request).read(code)
    if not is_teacher(request, room):
        raise NotYours(NOT_THE_TEACHER)
    text = io.StringIO(newline="")
    lines = csv.writer(text)
    lines.writerow(("Name", "Points", "Games"))
    lines.writerows(
        (_cell(name), f"{points:g}", played) for name, points, played in room.standing()
    )
    return Response(
        text.getvalue().encode("utf-8-sig"),  # by which a spreadsheet knows it
        media_type="text/csv",
        headers={
            "cache-control": "no-store",
            "content-disposition": f'attachment; filename="numduel-{room.code}.csv"',
        },
    )


def _cell(name: str) -> str:
    """A name as a spreadsheet takes it, which would compute what looks like a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@")) else name


@router.post("/room/{code}/{deed}")
async def teach(request: Request, code: Key, deed: Key) -> Response:
    """What a teacher does with a room."""
    site, school = site_of(request), school_of(request)
    form = await form_of(request)
    try:
        await _do(site, school, code, request.cookies.get("teacher", ""), deed, form)
    except (Missing, NotYours):
        raise
    except NumduelError as error:
        return await _manage(request, await school.read(code), sentence(error), status_of(error))
    site.news.tell_all()  # for games may be gone, or over, as well
    return go("/" if deed == "close" else f"{room_path(code)}/manage")


async def _do(
    site: Site, school: School, code: str, secret: str, deed: str, form: dict[str, str]
) -> None:
    pupil = form.get("pupil")  # None: everybody who waits
    match deed:
        case "round":
            await school.begin_round(code, secret, number_of(form.get("round")) or 0)
        case "lock" | "unlock":
            await school.change(code, secret, locked=deed == "lock")
        case "screen" | "unscreen":
            await school.change(code, secret, screened=deed == "screen")
        case "admit":
            await school.admit(code, secret, pupil)
        case "turn-away":
            await school.turn_away(code, secret, pupil)
        case "remove":
            await school.remove(code, secret, pupil or "")
        case "bring-back":
            await school.bring_back(code, secret, pupil or "")
        case "show":
            await school.turn_question(code, secret, "shown", {})
        case "reveal":
            await reveal(school, site.quick, code, secret)
        case "put-away":
            await school.put_away(code, secret)
        case "make-chains":
            await school.set_chain(code, secret, board(number_of(form.get("n")) or 0).size)
        case "end-chains":
            await school.set_chain(code, secret, 0)
        case "close":
            await school.close(code, secret)
        case _:
            raise Missing("There is nothing like that to do in a room.")
