"""How errors look: as JSON for programs, on a page for people."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from numduel.core.errors import NumduelError
from numduel.web.errors import note_error, sentence
from numduel.web.html import page


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
