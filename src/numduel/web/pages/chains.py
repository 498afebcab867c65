"""The page of the longest chain: all of a chain stands in its address, so that it can be shared."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import quoted
from numduel.core.scene import LARGEST_BOARD
from numduel.play.chain import USUAL_SIZE, Chain, extended, longest, parse
from numduel.play.chain import board as empty
from numduel.web.classes.room import Room
from numduel.web.pages.board import board
from numduel.web.pages.html import address, form_of, go, number_of, page, set_note
from numduel.web.problems import sentence, status_of

router = APIRouter(include_in_schema=False)

BEST = "chains"
"""The cookie in which a browser keeps how long its best chain of each size was."""

SIZES = (20, 30, 50, 100, 200)
"""The boards that are offered; others can be typed."""

_MOST_KEPT = 12  # sizes whose best is kept, the latest
_LONGEST_TEXT = 4 * LARGEST_BOARD


@router.get("/chain")
async def chain(request: Request) -> Response:
    """A chain to go on with."""
    query = request.query_params
    try:
        made = read_chain(query.get("n", ""), query.get("chain", ""))
    except NumduelError as error:
        return _alone(request, Chain(USUAL_SIZE), sentence(error), status_of(error))
    return _alone(request, made)


@router.post("/chain")
async def change(request: Request) -> Response:
    """One more number, or one less, or from the other end."""
    form = await form_of(request)
    made = Chain(USUAL_SIZE)
    try:
        made = read_chain(form.get("n", ""), form.get("chain", ""))
        made = changed(made, form)
    except NumduelError as error:
        return _alone(request, made, sentence(error), status_of(error))
    return go(chain_path("/chain", made))


def read_chain(size: str, text: str) -> Chain:
    """The chain that an address or a form says; NumduelError."""
    number = number_of(size) if size else USUAL_SIZE
    if number is None:
        raise SettingsError(f"the board's size is a whole number, not {quoted(size)}")
    return parse(number, text[:_LONGEST_TEXT])


def changed(made: Chain, form: dict[str, str]) -> Chain:
    """The chain after what was pressed; NumduelError."""
    if "move" in form:
        return extended(made, form["move"][:_LONGEST_TEXT])
    match form.get("do"):
        case "back":
            return made.back()
        case "turn":
            return made.turned()
        case "new":
            return empty(made.size)
        case _:
            return made


def chain_path(base: str, made: Chain) -> str:
    """The address of a chain on the page at `base`."""
    return f"{base}?{urlencode({'n': made.size, 'chain': made.text}, safe=',')}"


def chain_page(request: Request, base: str, made: Chain, status: int, **shown: Any) -> Response:
    """The page at `base`, with what it shows beside the chain."""
    return page(
        request,
        "chain.html",
        status,
        base=base,
        chain=made,
        board=board(made.scene),
        sentence=made.scene.sentence,
        possible=longest(made.size),
        show=request.query_params.get("show") == "longest",
        path=chain_path(base, made),
        **shown,
    )


def shown_chains(room: Room) -> dict[str, Any] | None:
    """The longest chain of a class: its board, who made it, and how many have made one."""
    if room.chains is None:
        return None
    best, leader = room.chains.best, room.chains.leader
    names = {pupil.number: pupil.name for pupil in room.pupils}
    return {
        "size": best.size,
        "length": len(best.numbers),
        "leader": names[leader] if leader else "",
        "board": board(best.scene),
        "made": len(room.chains.longest),
        "possible": len(longest(best.size) or ()),
    }


def _alone(request: Request, made: Chain, notice: str = "", status: int = 200) -> Response:
    best = _best(request)
    length = len(made.numbers)
    longer = length > best.get(made.size, 0)
    if longer:
        best = {**{size: one for size, one in best.items() if size != made.size}, made.size: length}
    response = chain_page(
        *(request, "/chain", made, status),
        notice=notice,
        best=best.get(made.size, 0),
        sizes=SIZES,
        largest=LARGEST_BOARD,
        link=address(request, chain_path("/chain", empty(made.size))),
    )
    if longer:
        text = "-".join(f"{size}.{one}" for size, one in [*best.items()][-_MOST_KEPT:])
        set_note(request, response, BEST, text, "/chain")
    return response


def _best(request: Request) -> dict[int, int]:
    """How long the best chain of each size was on this browser."""
    found = {}
    for text in request.cookies.get(BEST, "").split("-")[-_MOST_KEPT:]:
        size, _, length = text.partition(".")
        numbers = number_of(size), number_of(length)
        if numbers[0] is not None and numbers[1] is not None and numbers[1] <= numbers[0]:
            found[numbers[0]] = numbers[1]
    return found
