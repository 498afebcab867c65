"""The services that all pages share, whether a server runs them or the exported site."""

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

MAX_MOVE_SECONDS = 5.0  # of a processor, for a move or a hint
MAX_ANALYSIS_SECONDS = 10.0  # of a processor, for the analysis of a game


class Services:
    """All services, each of which is given its store, and what else pages share."""

    is_server = True  # whether people can meet: friends by a link, and class rooms
    documented = False  # whether `/docs/` has the documentation
    entry = ""  # what comes before the path of a page in a link that is shared
    rooms: RoomService  # only on a server

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
        self.quick = quick  # computes moves and the coach's sentences
        self.slow = slow  # computes analyses of games, puzzles, and answers of the API
        self.duels = DuelService(duels, notifications, quick, count)
        self.puzzles = PuzzleService(slow)
        self.reviews = ReviewService(slow)
        self.players = StreamLimits(MAX_STREAMS, MAX_STREAMS_PER_CLIENT, MAX_STREAMS_PER_PERSON)
        self.watchers = StreamLimits(
            MAX_STREAMS // 2, MAX_STREAMS_PER_CLIENT // 2, MAX_STREAMS_PER_PERSON
        )
        self.watched: LruCache[bytes] = LruCache(_MAX_CACHED_PAGES_BYTES)  # pages for watchers


def services_of(request: Request) -> Services:
    """Return the services of the application that was asked."""
    services: Services = request.app.state.services
    return services
