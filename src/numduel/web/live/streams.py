"""Server-sent events: a line whenever something that a page shows has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.responses import StreamingResponse

from numduel.web.live.site import MOST_STREAMS, MOST_STREAMS_EACH, Site
from numduel.web.problems import Busy, Missing
from numduel.web.visitor import head_only, visitor

_BEAT = 15.0  # seconds between two signs of life
_RETRY = 1000  # milliseconds until a browser that lost us comes back


async def duel_stream(site: Site, name: str) -> StreamingResponse:
    """The stream of a duel's versions; Missing."""

    async def version() -> int:
        return (await site.desk.read(name)).version

    await version()  # Missing, before the stream begins
    return stream(site, name, version)


def stream(site: Site, topic: str, version: Callable[[], Awaitable[int]]) -> StreamingResponse:
    """A stream of versions: the present one at once, then each new one."""
    waiting = site.news.waiting
    if waiting.total() >= MOST_STREAMS or waiting[visitor.get()] >= MOST_STREAMS_EACH:
        raise Busy("Too many pages are open just now: please try again in a moment.")

    async def lines() -> AsyncIterator[str]:
        with site.news.waiting_for(topic) as bell:
            yield f"retry: {_RETRY}\n\n"
            told = None
            while not site.news.closing.is_set():
                bell.clear()
                try:
                    # Shielded: whoever leaves now breaks no query off.
                    current = await asyncio.shield(asyncio.ensure_future(version()))
                except Missing:
                    yield "event: gone\ndata: gone\n\n"
                    return
                except Busy:  # the database is away; whoever comes back is told then
                    return
                if current != told:
                    told = current
                    yield f"id: {current}\nevent: version\ndata: {current}\n\n"
                try:
                    await asyncio.wait_for(bell.wait(), _BEAT)
                except TimeoutError:
                    yield ": here\n\n"

    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    told = () if head_only.get() else lines()
    return StreamingResponse(told, media_type="text/event-stream", headers=headers)
