"""What reads requests and writes responses: templates, forms, cookies, addresses and errors."""

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
from numduel.web.services import services_of

CLASS = "class"  # the cookie that tells a pupil's browser which room it is in
STATIC = Path(__file__).parent / "static"

_LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")
_COOKIE_SECONDS = 30 * 24 * 60 * 60
_YEAR_SECONDS = 365 * 24 * 60 * 60
_MAX_FIELDS = 60
_OWN_PAGE = re.compile(r"/(game|record|room|path|puzzle)/[\w/-]{1,200}(\?move=\d{1,6})?")


def _tint(key: str) -> int:
    """Return the number of a game's tint, from 1 to 5."""
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


def compile_templates() -> None:
    """Compile all templates at the start, so that no visitor waits for it."""
    for name in _templates.list_templates():
        _templates.get_template(name)


def page(
    request: Request,
    template: str,
    status: int = 200,
    error: NumduelError | None = None,
    **shown: Any,
) -> Response:
    """Return a page as a response; an error, if given, becomes its notice and sets its status."""
    shown |= {
        "server": services_of(request).is_server,
        "documented": services_of(request).documented,
        "only_here": request.url.hostname in _LOOPBACK_HOSTS,
    }
    if error is not None:
        status, shown["notice"] = note_error(request, error), sentence(error)
    return html_response(render(template, request=request, **shown), status)


def render(template: str, **shown: Any) -> bytes:
    """Return a page as HTML."""
    return _templates.get_template(template).render(**shown).encode("utf-8", "replace")


def html_response(text: bytes, status: int = 200) -> Response:
    """Return HTML as a response."""
    return Response(text, status, media_type="text/html", headers={"cache-control": "no-store"})


def go(address: str) -> RedirectResponse:
    """Redirect to another page, after a form was handled."""
    return RedirectResponse(address, 303)


def set_secret(request: Request, response: Response, name: str, value: str, path: str) -> None:
    """Set a cookie with a secret, which the browser sends to `path` only."""
    client_of(request).grant(path.rpartition("/")[2], value)
    set_note(request, response, name, value, path)


def set_note(request: Request, response: Response, name: str, value: str, path: str = "/") -> None:
    """Set a cookie that scripts cannot read; one for all pages lasts for a year."""
    secure = request.url.scheme == "https"
    seconds = _YEAR_SECONDS if path == "/" else _COOKIE_SECONDS
    response.set_cookie(
        name, value, seconds, path=path, httponly=True, samesite="lax", secure=secure
    )


def note_class(request: Request, response: Response, value: str) -> None:
    """Set the cookie with a pupil's class, `CODE.calls`, for the session; delete it if empty."""
    response.set_cookie(CLASS, value, None if value else 0, httponly=True, samesite="lax")


async def form_of(request: Request) -> dict[str, str]:
    """Return the fields of a form, without files; repeated ones are joined by commas."""
    async with read_form(request) as form:
        texts: dict[str, list[str]] = {}
        for name, value in form.multi_items():
            if isinstance(value, str):
                texts.setdefault(name, []).append(value)
    return {name: ",".join(values) for name, values in texts.items()}


@asynccontextmanager
async def read_form(request: Request) -> AsyncIterator[FormData]:
    """Read a form with its files; raises HTTPException (400) if it cannot be read."""
    try:
        form = await request.form(max_fields=_MAX_FIELDS, max_files=1, max_part_size=MAX_BODY_BYTES)
    except (ValueError, LookupError):  # such as an unknown encoding
        raise HTTPException(400, "The form cannot be read.") from None
    try:
        yield form
    finally:
        await form.close()


async def uploaded(request: Request, name: str) -> bytes:
    """Return the file in a field of a form, or the text pasted instead; raises RecordError."""
    async with read_form(request) as form:
        for field in (name, "text"):
            one = form.get(field, "")
            text = one.encode("utf-8", "replace") if isinstance(one, str) else await one.read()
            if text.strip():
                return text.strip()
    raise RecordError("choose a file, or paste its text")


def download(data: str | bytes, media_type: str, name: str) -> Response:
    """Return a file that the browser saves under that name."""
    disposition = f'attachment; filename="{name}"'
    headers = {"cache-control": "no-store", "content-disposition": disposition}
    return Response(data, media_type=media_type, headers=headers)


def way_back(text: str) -> str:
    """Return the path to go back to, or an empty text if it is not one of our pages."""
    return text if _OWN_PAGE.fullmatch(text) else ""


def address(request: Request, path: str) -> str:
    """Return the complete address of a page, to be shared."""
    return f"{str(request.base_url).rstrip('/')}{services_of(request).entry}{path}"


def number_of(text: str | None) -> int | None:
    """Return the whole number in an address or a form; None if there is none."""
    return None if text is None else parse_whole(text)


def move_of(text: str) -> int:
    """Return the move in a text; raises SettingsError if it is not a whole number."""
    move = number_of(text.strip())
    if move is None:
        raise SettingsError(f"a move is a whole number, not {quoted(text.strip())}")
    return move


# Errors: as JSON for programs, on a page for people.


async def answer_error(request: Request, error: Exception) -> Response:
    """Answer a refused request with one line."""
    if isinstance(error, NumduelError):
        return error_response(request, note_error(request, error), sentence(error))
    assert isinstance(error, HTTPException)
    response = error_response(request, error.status_code, str(error.detail))
    response.headers.update(error.headers or {})  # such as which methods are allowed
    return response


async def answer_bug(request: Request, error: Exception) -> Response:
    """Answer a request that failed because of a bug, whose details are in the log alone."""
    line = "Sorry, this is a bug in Numduel. It was written to the log."
    return error_response(request, 500, line)


def error_response(request: Request, status: int, line: str) -> Response:
    """Return one line as JSON, as text or on a page, as the path requires."""
    path = request.url.path
    if path.startswith(("/api/", "/healthz", "/readyz")):
        return JSONResponse({"error": line}, status)
    if path.endswith("/events"):  # not read by people
        return PlainTextResponse(line, status)
    lines = {"Not Found": "There is no such page.", "Method Not Allowed": "This is not a page."}
    return page(request, "problem.html", status, line=lines.get(line, line))
