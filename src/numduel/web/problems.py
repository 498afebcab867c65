"""What a request can run into beside the errors of the game, each with its HTTP status.

Problem (a NumduelError)
├── NotYours   403: the seat, or the room, is somebody else's
├── Missing    404: there is no such game, round, room or page
├── NotNow     409: it is not the turn for that, or the game has moved on
└── Busy       503: too much is being computed just now

A duel's own Refused is answered as NotNow is, and Watching as NotYours.
"""

from __future__ import annotations

from contextvars import ContextVar
from http import HTTPStatus

from numduel.core.errors import NumduelError
from numduel.play.duel import Refused, Watching

answered_with: ContextVar[Exception | None] = ContextVar("answered_with", default=None)
"""What this request is answered with, if it is an error: for the log, and to be counted."""


class Problem(NumduelError):
    """One line for the person, and the status that goes with it."""

    status = HTTPStatus.BAD_REQUEST


class NotYours(Problem):
    """The seat, or the room, is somebody else's."""

    status = HTTPStatus.FORBIDDEN


class Missing(Problem):
    """There is no such game, round, room or page."""

    status = HTTPStatus.NOT_FOUND


class NotNow(Problem):
    """It is not the turn for that, or the game has moved on."""

    status = HTTPStatus.CONFLICT


class Busy(Problem):
    """Too much is being computed, or the database is away; again in a moment."""

    status = HTTPStatus.SERVICE_UNAVAILABLE

    def __init__(self, line: str, cause: str | None = None) -> None:
        super().__init__(line)
        self.cause = cause or line  # for the log; visitors need not know


def sentence(error: NumduelError) -> str:
    """An error as a sentence."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"


def status_of(error: NumduelError) -> int:
    """The HTTP status that an error is answered with; it is noted that it is."""
    answered_with.set(error)
    if isinstance(error, Problem):
        return error.status
    if isinstance(error, Refused):
        return (NotYours if isinstance(error, Watching) else NotNow).status
    return HTTPStatus.UNPROCESSABLE_ENTITY
