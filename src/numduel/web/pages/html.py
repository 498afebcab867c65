"""How a page is made: a template, what it shows, and the cookies that go with it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, select_autoescape
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from numduel import __version__
from numduel.core.numerals import parse_whole
from numduel.web.bounds import LARGEST_UPLOAD
from numduel.web.keys import hashed, parted
from numduel.web.pages.board import MEANINGS, SIGNS
from numduel.web.visitor import prove

STATIC = Path(__file__).parents[1] / "static"

_MONTH = 30 * 24 * 60 * 60
_MOST_FIELDS = 60
_PAGE = re.compile(r"/(game|record|room|puzzle)/[\w/-]{1,200}(\?move=\d{1,6})?")

_templates = Environment(
    loader=PackageLoader("numduel.web"),
    autoescape=select_autoescape(),
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.globals.update(release=__version__, signs=SIGNS, meanings=MEANINGS)


def prepare() -> None:
    """Compile the templates, so that no visitor waits for it."""
    for name in _templates.list_templates():
        _templates.get_template(name)


def page(request: Request, template: str, status: int = 200, **shown: Any) -> Response:
    """A page of HTML."""
    return sent(rendered(template, request=request, **shown), status)


def rendered(template: str, **shown: Any) -> bytes:
    """The text of a page."""
    return _templates.get_template(template).render(**shown).encode("utf-8", "replace")


def sent(text: bytes, status: int = 200) -> Response:
    """The text of a page as an answer."""
    return Response(text, status, media_type="text/html", headers={"cache-control": "no-store"})


def go(address: str) -> RedirectResponse:
    """On to another page, after something was done."""
    return RedirectResponse(address, 303)


def set_secret(request: Request, response: Response, name: str, value: str, path: str) -> None:
    """Give the browser a secret that its scripts cannot read and that it sends to `path` only."""
    prove(path.rpartition("/")[2], *map(hashed, parted(value)))
    set_note(request, response, name, value, path)


def set_note(request: Request, response: Response, name: str, value: str, path: str = "/") -> None:
    """Let the browser keep something about itself, which it sends to `path`."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        name, value, _MONTH, path=path, httponly=True, samesite="lax", secure=secure
    )


async def form_of(request: Request) -> dict[str, str]:
    """The texts of a form; an uploaded file is not one of them."""
    async with read_form(request) as form:
        return {name: value for name, value in form.items() if isinstance(value, str)}


@asynccontextmanager
async def read_form(request: Request) -> AsyncIterator[FormData]:
    """A form, files and all; a 400 where it cannot be read."""
    try:
        form = await request.form(
            max_fields=_MOST_FIELDS, max_files=1, max_part_size=LARGEST_UPLOAD
        )
    except (ValueError, LookupError):  # such as an encoding that is none
        raise HTTPException(400, "The form cannot be read.") from None
    try:
        yield form
    finally:
        await form.close()


def way_back(text: str) -> str:
    """The page of ours that somebody says to come from; empty where it is none."""
    return text if _PAGE.fullmatch(text) else ""


def address(request: Request, path: str) -> str:
    """The whole address of a page, to be sent to somebody."""
    return f"{str(request.base_url).rstrip('/')}{path}"


def number_of(text: str | None) -> int | None:
    """A whole number that stands in an address or a form; None if it is none."""
    return None if text is None else parse_whole(text)
