"""The errors of the web, in addition to those of the games, each with its HTTP status.

RequestError (a NumduelError, whose line is shown to the visitor)
├── NotYours   403: the seat or the room is somebody else's
├── Missing    404: there is no such game, round, room or page
├── NotNow     409: not possible at this turn, or the game has moved on
└── Busy       503: too much is being computed, or the database cannot be reached

Of the errors of a duel, Refused has the status of NotNow, and Watching that of NotYours.
"""

from __future__ import annotations

from http import HTTPStatus

from starlette.requests import Request

from numduel.core.errors import NumduelError
from numduel.play.duel import Refused, Watching


class RequestError(NumduelError):
    status = HTTPStatus.BAD_REQUEST


class NotYours(RequestError):
    status = HTTPStatus.FORBIDDEN


class Missing(RequestError):
    status = HTTPStatus.NOT_FOUND


class NotNow(RequestError):
    status = HTTPStatus.CONFLICT


class Busy(RequestError):
    status = HTTPStatus.SERVICE_UNAVAILABLE

    def __init__(self, line: str, cause: str | None = None) -> None:
        super().__init__(line)
        self.cause = cause or line  # for the log


def sentence(error: NumduelError) -> str:
    """Return the text of an error as a sentence."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"


def status_of(error: NumduelError) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, RequestError):
        return error.status
    if isinstance(error, Refused):
        return (NotYours if isinstance(error, Watching) else NotNow).status
    return HTTPStatus.UNPROCESSABLE_ENTITY


def note_error(request: Request, error: NumduelError) -> int:
    """Record the error with which a request is answered, for log and metrics; return its status."""
    request.state.error = error
    return status_of(error)
