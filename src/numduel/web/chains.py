"""The page on which a visitor builds a long chain. Its address holds the complete chain."""

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

BEST = "chains"  # the cookie with the length of the browser's best chain on each board
SIZES = (20, 30, 50, 100, 200)  # the offered sizes of boards; others can be typed
_MAX_SIZES_KEPT = 12  # in the cookie: the latest ones
_MAX_CHAIN_CHARACTERS = 4 * MAX_BOARD_CELLS


@router.get("/chain")
async def show_chain(request: Request) -> Response:
    """Show a chain."""
    query = request.query_params
    try:
        chain = parse_chain(query.get("n", ""), query.get("chain", ""))
    except NumduelError as error:
        return _own_chain_page(request, Chain(DEFAULT_SIZE), error)
    return _own_chain_page(request, chain)


@router.post("/chain")
async def change(request: Request) -> Response:
    """Change a chain by the button that was pressed."""
    form = await form_of(request)
    chain = Chain(DEFAULT_SIZE)
    try:
        chain = parse_chain(form.get("n", ""), form.get("chain", ""))
        chain = chain_after(chain, form)
    except NumduelError as error:
        return _own_chain_page(request, chain, error)
    return go(chain_path("/chain", chain))


def parse_chain(size: str, text: str) -> Chain:
    """Return the chain in an address or a form; raises NumduelError."""
    number = number_of(size) if size else DEFAULT_SIZE
    if number is None:
        raise SettingsError(f"the board's size is a whole number, not {quoted(size)}")
    return Chain.parse(number, text[:_MAX_CHAIN_CHARACTERS])


def chain_after(chain: Chain, form: dict[str, str]) -> Chain:
    """Return the chain after the button that was pressed; raises NumduelError."""
    if "move" in form:
        return chain.add_text(form["move"][:_MAX_CHAIN_CHARACTERS])
    match form.get("do"):
        case "back":
            return chain.back()
        case "turn":
            return chain.reversed()
        case "new":
            return Chain.empty(chain.size)
        case _:
            return chain


def chain_path(base: str, chain: Chain) -> str:
    """Return the address of a chain on the page at `base`."""
    return f"{base}?{urlencode({'n': chain.size, 'chain': chain.text}, safe=',')}"


class ChainPage(NamedTuple):
    """A chain, with what its page shows."""

    base: str  # the address to which moves are posted
    path: str  # the address of this chain
    chain: Chain
    board: Board
    best: int  # the length of the visitor's best chain on this board
    possible: tuple[int, ...] | None  # one of the longest possible chains, if known
    show: bool  # whether to show that one


def chain_page(
    request: Request,
    base: str,
    chain: Chain,
    best: int,
    error: NumduelError | None = None,
    **beside: Any,
) -> Response:
    """Return the page of a chain at `base`; `beside` has a contest of a class, or other boards."""
    shown = ChainPage(
        base=base,
        path=chain_path(base, chain),
        chain=chain,
        board=board(chain.scene),
        best=best,
        possible=longest_chain(chain.size),
        show=request.query_params.get("show") == "longest",
    )
    return page(request, "chain.html", error=error, shown=shown, **beside)


def _own_chain_page(request: Request, chain: Chain, error: NumduelError | None = None) -> Response:
    best = _best_lengths(request)
    length = len(chain.numbers)
    longer = length > best.get(chain.size, 0)
    if longer:
        best.pop(chain.size, None)  # keeps the latest board last
        best[chain.size] = length
    response = chain_page(
        *(request, "/chain", chain, best.get(chain.size, 0), error),
        sizes=SIZES,
        largest=MAX_BOARD_CELLS,
        link=address(request, chain_path("/chain", Chain.empty(chain.size))),
    )
    if longer:
        text = "-".join(f"{size}.{one}" for size, one in [*best.items()][-_MAX_SIZES_KEPT:])
        set_note(request, response, BEST, text, "/chain")
    return response


def _best_lengths(request: Request) -> dict[int, int]:
    """Return the length of this browser's best chain on each size of board."""
    lengths = {}
    for text in request.cookies.get(BEST, "").split("-")[-_MAX_SIZES_KEPT:]:
        size, length = (number_of(part) for part in text.partition(".")[::2])
        if size is not None and length is not None and length <= size:
            lengths[size] = length
    return lengths
