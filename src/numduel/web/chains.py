"""The page of the longest chain. Its address holds the whole chain."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import quoted
from numduel.core.scene import MAX_BOARD_CELLS
from numduel.play.chain import DEFAULT_SIZE, Chain, longest_chain
from numduel.web.board import Board, board
from numduel.web.html import address, form_of, go, number_of, page, set_note
from numduel.web.routing import PageRouter

router = PageRouter()

BEST = "chains"
"""The cookie with the length of the browser's best chain on each board."""

SIZES = (20, 30, 50, 100, 200)
"""The sizes of boards that are offered; others can be typed."""

_MAX_SIZES_KEPT = 12  # in the cookie, the latest
_MAX_CHAIN_CHARACTERS = 4 * MAX_BOARD_CELLS


@router.get("/chain")
async def chain(request: Request) -> Response:
    """Show a chain."""
    query = request.query_params
    try:
        made = read_chain(query.get("n", ""), query.get("chain", ""))
    except NumduelError as error:
        return _alone(request, Chain(DEFAULT_SIZE), error)
    return _alone(request, made)


@router.post("/chain")
async def change(request: Request) -> Response:
    """Change a chain by one number, or turn it round."""
    form = await form_of(request)
    made = Chain(DEFAULT_SIZE)
    try:
        made = read_chain(form.get("n", ""), form.get("chain", ""))
        made = changed(made, form)
    except NumduelError as error:
        return _alone(request, made, error)
    return go(chain_path("/chain", made))


def read_chain(size: str, text: str) -> Chain:
    """Return the chain of an address or a form; NumduelError."""
    number = number_of(size) if size else DEFAULT_SIZE
    if number is None:
        raise SettingsError(f"the board's size is a whole number, not {quoted(size)}")
    return Chain.parse(number, text[:_MAX_CHAIN_CHARACTERS])


def changed(made: Chain, form: dict[str, str]) -> Chain:
    """Return the chain after a button was pressed; NumduelError."""
    if "move" in form:
        return made.add_text(form["move"][:_MAX_CHAIN_CHARACTERS])
    match form.get("do"):
        case "back":
            return made.back()
        case "turn":
            return made.reversed()
        case "new":
            return Chain.empty(made.size)
        case _:
            return made


def chain_path(base: str, made: Chain) -> str:
    """Return the address of a chain on the page at `base`."""
    return f"{base}?{urlencode({'n': made.size, 'chain': made.text}, safe=',')}"


class ChainPage(NamedTuple):
    """A chain, and what can be done with it."""

    base: str  # the address that takes the moves
    path: str  # the address of this chain
    chain: Chain
    board: Board
    best: int  # the length of the visitor's best chain on this board
    possible: tuple[int, ...] | None  # one of the longest chains there is, if that is known
    show: bool  # whether that is shown


def chain_page(
    request: Request,
    base: str,
    made: Chain,
    best: int,
    error: NumduelError | None = None,
    **beside: Any,
) -> Response:
    """Show a chain on the page at `base`, with `beside` it a class's contest or other boards."""
    shown = ChainPage(
        base=base,
        path=chain_path(base, made),
        chain=made,
        board=board(made.scene),
        best=best,
        possible=longest_chain(made.size),
        show=request.query_params.get("show") == "longest",
    )
    return page(request, "chain.html", error=error, shown=shown, **beside)


def _alone(request: Request, made: Chain, error: NumduelError | None = None) -> Response:
    best = _best_lengths(request)
    length = len(made.numbers)
    longer = length > best.get(made.size, 0)
    if longer:
        best.pop(made.size, None)  # so that the latest board is the last
        best[made.size] = length
    response = chain_page(
        *(request, "/chain", made, best.get(made.size, 0), error),
        sizes=SIZES,
        largest=MAX_BOARD_CELLS,
        link=address(request, chain_path("/chain", Chain.empty(made.size))),
    )
    if longer:
        text = "-".join(f"{size}.{one}" for size, one in [*best.items()][-_MAX_SIZES_KEPT:])
        set_note(request, response, BEST, text, "/chain")
    return response


def _best_lengths(request: Request) -> dict[int, int]:
    """Return the length of this browser's best chain on each board."""
    found = {}
    for text in request.cookies.get(BEST, "").split("-")[-_MAX_SIZES_KEPT:]:
        size, length = (number_of(part) for part in text.partition(".")[::2])
        if size is not None and length is not None and length <= size:
            found[size] = length
    return found
