"""What people send each other: the link of a position, a link as a QR code, and a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from numduel.core.game import Game
from numduel.picture import WIDTH, png
from numduel.web.html import download
from numduel.web.identity import client_of
from numduel.web.lru_cache import LruCache
from numduel.web.site import site_of

MAX_POSITION_CHARACTERS = 1_500
"""Maximum length of the position in a link."""

_MAX_QR_CHARACTERS = 300  # more would be too fine for a camera across a room
_MAX_PICTURE_BYTES = 8 * 2**20  # of all pictures that are remembered
_DAY_SECONDS = 24 * 60 * 60

_pictures: LruCache[bytes] = LruCache(_MAX_PICTURE_BYTES)


def challenge_address(game: Game[Any], position: Any) -> str:
    """Return where one can play on from a position; empty if it is too long for a link."""
    text = game.notation(position)
    return played_address(game, text) if len(text) <= MAX_POSITION_CHARACTERS else ""


def played_address(game: Game[Any], text: str, moves: Sequence[int] = ()) -> str:
    """Return the same for the notation of a position, with the moves that were made since."""
    query = urlencode(played_fields(game, text, moves), safe="/,:;")
    return f"/challenge/{game.key}?{query}"


def played_fields(game: Game[Any], text: str, moves: Sequence[int] = ()) -> dict[str, str]:
    """Return the fields of such an address."""
    changed = {f"set-{s.name}": s.text(value) for s, value in game.settings if value != s.default}
    played = {"moves": ",".join(map(str, moves))} if moves else {}
    return {"position": text, **changed, **played}


def picture_address(challenge: str) -> str:
    """Return where the picture of a challenge is."""
    return challenge.replace("?", "/picture.png?", 1)


async def picture_response(request: Request, card: str) -> Response:
    """Return a card, which is SVG, as a PNG; as it is where there is no server to convert it."""
    site, picture = site_of(request), _pictures.get(card)
    if not site.is_server:
        return download(card, "image/svg+xml", "numduel.svg")
    if picture is None:
        picture = await site.slow.ask(client_of(request), png, card, WIDTH)
        _pictures.put(card, picture, len(card) + len(picture))
    headers = {
        "cache-control": f"public, max-age={_DAY_SECONDS}",
        "content-disposition": 'inline; filename="numduel.png"',
    }
    return Response(picture, media_type="image/png", headers=headers)


@lru_cache(maxsize=256)
def qr(link: str) -> Markup:
    """Return the link as an SVG, dark on light in every scheme; empty if it is too long.

    It is empty too where there is no segno, as in the exported site.
    """
    if len(link) > _MAX_QR_CHARACTERS:
        return Markup()
    try:
        import segno  # slow to import, and rarely needed
    except ImportError:
        return Markup()
    code = segno.make(link, micro=False)
    return Markup(code.svg_inline(border=2, dark="#000", light="#fff", omitsize=True))
