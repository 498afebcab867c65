"""Server-sent events: a line whenever something that a page shows has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse

from numduel.web.live.news import Look
from numduel.web.live.site import MOST_STREAMS, MOST_STREAMS_EACH, WATCHING, Site
from numduel.web.problems import Busy, Missing
from numduel.web.visitor import head_only, visitor

_BEAT = 15.0  # seconds between two signs of life
_RETRY = 1000  # milliseconds until a browser that lost us comes back


async def duel_stream(site: Site, name: str, secrets: str) -> StreamingResponse:
    """The stream of a duel's versions, for a player with the secret of a seat or not; Missing."""

    async def version() -> int:
        return (await site.desk.read(name)).version

    if not secrets:
        check_share(site, plays=False)  # before anything is read for it
    duel = await site.desk.read(name)  # Missing, before the stream begins
    return stream(site, name, version, plays=bool(duel.held(secrets)))


def check_share(site: Site, plays: bool) -> None:
    """Raise Busy where there are too many streams; who only watch leave the rest to who play."""
    news, whom = site.news, visitor.get()
    for count, share in ((news.waiting, 1.0), (news.watching, 1.0 if plays else WATCHING)):
        if count.total() >= share * MOST_STREAMS or count[whom] >= share * MOST_STREAMS_EACH:
            raise Busy("Too many pages are open just now: please try again in a moment.")


def stream(site: Site, topic: str, version: Look, plays: bool) -> StreamingResponse:
    """A stream of versions: the present one at once, then each new one."""
    news = site.news
    check_share(site, plays)

    async def lines() -> AsyncIterator[str]:
        with news.waiting_for(topic, plays) as bell:
            yield f"retry: {_RETRY}\n\n"
            told = None
            while not news.closing.is_set():
                bell.clear()
                try:
                    current = await news.version(topic, version)
                except Missing:
                    yield "event: gone\ndata: gone\n\n"
                    return
                except Busy:  # the database is away; whoever comes back is told then
                    return
                if current != told:
                    told = current
                    yield f"id: {current}\nevent: version\ndata: {current}\n\n"
                try:
                    async with asyncio.timeout(_BEAT):
                        await bell.wait()
                except TimeoutError:
                    yield ": here\n\n"

    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    told = () if head_only.get() else lines()
    return StreamingResponse(told, media_type="text/event-stream", headers=headers)
