"""How requests are read and answered: templates, forms, cookies, addresses and errors."""

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
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from numduel import __version__
from numduel.core.errors import NumduelError, RecordError, SettingsError
from numduel.core.numerals import parse_whole, quoted
from numduel.games import keys
from numduel.picture import mini
from numduel.play.setup import MAX_NAME_LENGTH
from numduel.players import character
from numduel.web.board import MEANINGS, SIGNS, settings_words
from numduel.web.errors import note_error, sentence
from numduel.web.identity import client_of
from numduel.web.limits import MAX_BODY_BYTES
from numduel.web.site import site_of

CLASS = "class"
"""The cookie in which a pupil's browser keeps the room that it is in."""

STATIC = Path(__file__).parent / "static"

_COOKIE_SECONDS = 30 * 24 * 60 * 60
_YEAR_SECONDS = 365 * 24 * 60 * 60
_MAX_FIELDS = 60
_OWN_PAGE = re.compile(r"/(game|record|room|path|puzzle)/[\w/-]{1,200}(\?move=\d{1,6})?")


def _tint(key: str) -> int:
    """Return which of the five tints a game has."""
    return keys().index(key) % 5 + 1 if key in keys() else 1


_templates = Environment(
    loader=PackageLoader("numduel.web"),
    autoescape=select_autoescape(),
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)
_templates.globals.update(release=__version__, signs=SIGNS, meanings=MEANINGS)
_templates.globals.update(character=character, tint=_tint, longest=MAX_NAME_LENGTH)
_templates.filters.update(settings=settings_words, mini=mini)
_templates.globals["face"] = _templates.get_template("faces.html").module.face  # type: ignore[attr-defined]


def prepare() -> None:
    """Compile the templates, so that no visitor waits for it."""
    for name in _templates.list_templates():
        _templates.get_template(name)


def page(
    request: Request,
    template: str,
    status: int = 200,
    error: NumduelError | None = None,
    **shown: Any,
) -> Response:
    """Return a page of HTML; an error, if there is one, is its notice and gives its status."""
    shown |= {"server": site_of(request).is_server, "documented": site_of(request).documented}
    if error is not None:
        status, shown["notice"] = note_error(request, error), sentence(error)
    return sent(rendered(template, request=request, **shown), status)


def rendered(template: str, **shown: Any) -> bytes:
    """Return the text of a page."""
    return _templates.get_template(template).render(**shown).encode("utf-8", "replace")


def sent(text: bytes, status: int = 200) -> Response:
    """Return the text of a page as a response."""
    return Response(text, status, media_type="text/html", headers={"cache-control": "no-store"})


def go(address: str) -> RedirectResponse:
    """Lead to another page, after something was done."""
    return RedirectResponse(address, 303)


def set_secret(request: Request, response: Response, name: str, value: str, path: str) -> None:
    """Give the browser a secret in a cookie that it sends to `path` only."""
    client_of(request).grant(path.rpartition("/")[2], value)
    set_note(request, response, name, value, path)


def set_note(request: Request, response: Response, name: str, value: str, path: str = "/") -> None:
    """Give the browser a cookie that scripts cannot read; one for all pages lasts for a year."""
    secure = request.url.scheme == "https"
    seconds = _YEAR_SECONDS if path == "/" else _COOKIE_SECONDS
    response.set_cookie(
        name, value, seconds, path=path, httponly=True, samesite="lax", secure=secure
    )


def note_class(request: Request, response: Response, value: str) -> None:
    """Let the browser of a pupil know its class, `CODE.calls`, until it is closed or empty."""
    response.set_cookie(CLASS, value, None if value else 0, httponly=True, samesite="lax")


async def form_of(request: Request) -> dict[str, str]:
    """Return the texts of a form, without files; one that is sent several times is a list."""
    async with read_form(request) as form:
        texts: dict[str, list[str]] = {}
        for name, value in form.multi_items():
            if isinstance(value, str):
                texts.setdefault(name, []).append(value)
    return {name: ",".join(values) for name, values in texts.items()}


@asynccontextmanager
async def read_form(request: Request) -> AsyncIterator[FormData]:
    """Read a form with its files; answers 400 if it cannot be read."""
    try:
        form = await request.form(max_fields=_MAX_FIELDS, max_files=1, max_part_size=MAX_BODY_BYTES)
    except (ValueError, LookupError):  # such as an unknown encoding
        raise HTTPException(400, "The form cannot be read.") from None
    try:
        yield form
    finally:
        await form.close()


async def uploaded(request: Request, name: str) -> bytes:
    """Return the file in a field of a form, or the text that was pasted; RecordError."""
    async with read_form(request) as form:
        for field in (name, "text"):
            one = form.get(field, "")
            text = one.encode("utf-8", "replace") if isinstance(one, str) else await one.read()
            if text.strip():
                return text.strip()
    raise RecordError("choose a file, or paste its text")


def download(data: str | bytes, media_type: str, name: str) -> Response:
    """Return a file for the browser to keep under that name."""
    disposition = f'attachment; filename="{name}"'
    headers = {"cache-control": "no-store", "content-disposition": disposition}
    return Response(data, media_type=media_type, headers=headers)


def way_back(text: str) -> str:
    """Return the page of ours that somebody says to come from; empty if it is none."""
    return text if _OWN_PAGE.fullmatch(text) else ""


def address(request: Request, path: str) -> str:
    """Return the whole address of a page, to be sent to somebody."""
    return f"{str(request.base_url).rstrip('/')}{site_of(request).entry}{path}"


def number_of(text: str | None) -> int | None:
    """Return a whole number from an address or a form; None if it is none."""
    return None if text is None else parse_whole(text)


def move_of(text: str) -> int:
    """Return the move that a text is; raises SettingsError if it is no whole number."""
    move = number_of(text.strip())
    if move is None:
        raise SettingsError(f"a move is a whole number, not {quoted(text.strip())}")
    return move


# How errors look: as JSON for programs, on a page for people.


async def refused(request: Request, error: Exception) -> Response:
    """Answer an error in one line."""
    if isinstance(error, NumduelError):
        return problem(request, note_error(request, error), sentence(error))
    assert isinstance(error, HTTPException)
    response = problem(request, error.status_code, str(error.detail))
    response.headers.update(error.headers or {})  # such as which methods are allowed
    return response


async def broken(request: Request, error: Exception) -> Response:
    """Answer a fault of ours: the log has its details, the visitor only sees that it happened."""
    return problem(request, 500, "Sorry, this is a bug in Numduel. It was written to the log.")


def problem(request: Request, status: int, line: str) -> Response:
    """Answer with one line."""
    path = request.url.path
    if path.startswith(("/api/", "/healthz", "/readyz")):
        return JSONResponse({"error": line}, status)
    if path.endswith("/events"):  # which are no pages
        return PlainTextResponse(line, status)
    unspoken = {"Not Found": "There is no such page.", "Method Not Allowed": "This is not a page."}
    line = unspoken.get(line, line)
    return page(request, "problem.html", status, line=line)
