"""What a visitor switches on and off: the coach, the colours of moves, a shorter board, sound."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from numduel.web.pages.html import form_of, go, set_secret, way_back
from numduel.web.pages.views import Prefers

router = APIRouter(include_in_schema=False)

_STATES = {"on": True, "off": False}


def preferences(request: Request) -> Prefers:
    """What whoever asks prefers."""
    given = {name: request.cookies.get(name, "") for name in Prefers._fields}
    return Prefers(**{name: _STATES.get(state) for name, state in given.items()})


@router.post("/prefer")
async def prefer(request: Request) -> Response:
    """Switch something on or off, and go back to the page."""
    form = await form_of(request)
    response = go(way_back(form.get("back", "")) or "/")
    for name in Prefers._fields:
        if form.get(name) in _STATES:
            set_secret(request, response, name, form[name], "/")
    return response
