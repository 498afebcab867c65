"""What people send to each other: a link to a position, a QR code of a link, and a picture."""

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
from numduel.web.services import services_of

MAX_POSITION_CHARACTERS = 1_500  # in a link

_MAX_QR_CHARACTERS = 300  # a longer link gives a code too fine for a camera across a room
_MAX_CACHED_PICTURES_BYTES = 8 * 2**20
_PICTURE_AGE_SECONDS = 24 * 60 * 60  # for which a browser may keep a picture

_pictures: LruCache[bytes] = LruCache(_MAX_CACHED_PICTURES_BYTES)


def challenge_address(game: Game[Any], position: Any) -> str:
    """Return the link to a position as a challenge; empty if it would be too long."""
    text = game.notation(position)
    return played_address(game, text) if len(text) <= MAX_POSITION_CHARACTERS else ""


def played_address(game: Game[Any], text: str, moves: Sequence[int] = ()) -> str:
    """Return the same link, given the notation of the position, with the moves played from it."""
    query = urlencode(played_fields(game, text, moves), safe="/,:;")
    return f"/challenge/{game.key}?{query}"


def played_fields(game: Game[Any], text: str, moves: Sequence[int] = ()) -> dict[str, str]:
    """Return the query of such a link."""
    changed = {f"set-{s.name}": s.text(value) for s, value in game.settings if value != s.default}
    played = {"moves": ",".join(map(str, moves))} if moves else {}
    return {"position": text, **changed, **played}


def picture_address(challenge: str) -> str:
    """Return the address of the picture of a challenge."""
    return challenge.replace("?", "/picture.png?", 1)


async def picture_response(request: Request, card: str) -> Response:
    """Return a card as PNG; without a server, as the SVG that it is."""
    services, picture = services_of(request), _pictures.get(card)
    if not services.is_server:
        return download(card, "image/svg+xml", "numduel.svg")
    if picture is None:
        picture = await services.slow.ask(client_of(request), png, card, WIDTH)
        _pictures.put(card, picture, len(card) + len(picture))
    headers = {
        "cache-control": f"public, max-age={_PICTURE_AGE_SECONDS}",
        "content-disposition": 'inline; filename="numduel.png"',
    }
    return Response(picture, media_type="image/png", headers=headers)


@lru_cache(maxsize=256)
def qr(link: str) -> Markup:
    """Return a link as a QR code in SVG, always dark on light.

    Return nothing if the link is too long, or if segno is missing, as in the exported site.
    """
    if len(link) > _MAX_QR_CHARACTERS:
        return Markup()
    try:
        import segno  # slow to import, and rarely needed
    except ImportError:
        return Markup()
    code = segno.make(link, micro=False)
    return Markup(code.svg_inline(border=2, dark="#000", light="#fff", omitsize=True))
