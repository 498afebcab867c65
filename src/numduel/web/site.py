"""The parts that the pages share, whether a server runs them or the browser itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.requests import Request

from numduel.play.event import Event
from numduel.web.duels.service import DuelService, DuelStore
from numduel.web.limits import (
    MAX_STREAMS,
    MAX_STREAMS_PER_CLIENT,
    MAX_STREAMS_PER_PERSON,
    StreamLimits,
)
from numduel.web.lru_cache import LruCache
from numduel.web.notifications import Notifications
from numduel.web.puzzles.service import PuzzleService
from numduel.web.reviews.service import RecordStore, ReviewService
from numduel.web.thinking import Thinking

if TYPE_CHECKING:
    from numduel.web.rooms.service import RoomService

_MAX_CACHED_PAGES_BYTES = 8 * 2**20

MAX_MOVE_SECONDS, MAX_ANALYSIS_SECONDS = 5.0, 10.0
"""Time after which thinking about a move, and about a whole game, is stopped."""


class Site:
    """The parts that the pages share: services, which are given their stores."""

    is_server = True  # whether people meet here: friends by a link, class rooms
    documented = False  # whether the documentation stands below `/docs/`
    entry = ""  # what precedes the path of a page in an address that is sent to others
    rooms: RoomService  # of a server

    def __init__(
        self,
        duels: DuelStore,
        records: RecordStore,
        notifications: Notifications,
        quick: Thinking,
        slow: Thinking,
        count: Callable[[Event], None] = lambda event: None,
    ) -> None:
        self.records = records
        self.notifications = notifications
        # For moves and the words of the coach; for whole games and what is asked by the API.
        self.quick, self.slow = quick, slow
        self.duels = DuelService(duels, notifications, quick, count)
        self.puzzles = PuzzleService(slow)
        self.reviews = ReviewService(slow)
        # Of event streams.
        limits = MAX_STREAMS, MAX_STREAMS_PER_CLIENT, MAX_STREAMS_PER_PERSON
        self.players = StreamLimits(*limits)
        self.watchers = StreamLimits(limits[0] // 2, limits[1] // 2, limits[2])
        # Pages that all who only watch see alike.
        self.watched: LruCache[bytes] = LruCache(_MAX_CACHED_PAGES_BYTES)


def site_of(request: Request) -> Site:
    """Return the site that a request has come to."""
    site: Site = request.app.state.site
    return site
