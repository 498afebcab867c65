"""What a visitor switches on and off, each kept in a cookie."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from numduel.web.html import form_of, go, set_secret, way_back
from numduel.web.routing import PageRouter

router = PageRouter()

_STATES = {"on": True, "off": False}


class Preferences(NamedTuple):
    """The switches of a visitor; None: not touched, so that the default counts."""

    coach: bool | None = None
    colours: bool | None = None  # whether moves show their verdicts
    allowed: bool | None = None  # whether a large board shows only the legal moves
    sound: bool | None = None


DEFAULT_PREFERENCES = Preferences()


def preferences(request: Request) -> Preferences:
    """Return the preferences of whoever sent the request."""
    given = {name: request.cookies.get(name, "") for name in Preferences._fields}
    return Preferences(**{name: _STATES.get(state) for name, state in given.items()})


@router.post("/prefer")
async def prefer(request: Request) -> Response:
    """Switch something on or off, and lead back to the page."""
    form = await form_of(request)
    response = go(way_back(form.get("back", "")) or "/")
    for name in Preferences._fields:
        if form.get(name) in _STATES:
            set_secret(request, response, name, form[name], "/")
    return response
