"""Server-sent events: a line whenever something that a page shows has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from random import uniform

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from numduel.web.live.news import Look, News
from numduel.web.live.site import (
    MOST_STREAMS,
    MOST_STREAMS_EACH,
    MOST_STREAMS_SEAT,
    WATCHING,
    Site,
)
from numduel.web.problems import Busy, Missing
from numduel.web.visitor import head_only, seat, visitor

_BEAT = 15.0  # seconds, about, between two signs of life
_HOLD = 20.0  # seconds, about, that somebody waits for room
_RETRY = 1000  # milliseconds until a browser that lost us comes back


async def duel_stream(site: Site, name: str, secrets: str) -> StreamingResponse:
    """The stream of a duel's versions, for a player with the secret of a seat or not; Missing."""

    async def version() -> int:
        return (await site.desk.read(name)).version

    if not secrets:
        await _room(site, plays=False)  # before anything is read for it
    duel = await site.desk.read(name)  # Missing, before the stream begins
    return await stream(site, name, version, plays=bool(duel.held(secrets)))


async def _room(site: Site, plays: bool) -> None:
    """Wait a little for room where there are too many streams, and raise Busy if none comes.

    So whoever is refused does not come back at once. Who only watch leave a share to who play.
    """
    news = site.news
    if not _has_room(news, plays) and news.refused < MOST_STREAMS:
        news.refused += 1
        try:
            async with asyncio.timeout(_about(_HOLD)):
                await news.closing.wait()
        except TimeoutError:
            pass
        finally:
            news.refused -= 1
    if not _has_room(news, plays):
        raise Busy("Too many pages are open just now: please try again in a moment.")


def _about(seconds: float) -> float:
    """Longer or shorter by half at most: those who came at once are not all dealt with at once."""
    return seconds * uniform(0.5, 1.5)


def _as_player(news: News, plays: bool) -> bool:
    """Whether it counts as a player's page; further ones of the same seat count as watchers'."""
    return plays and news.playing[seat()] < MOST_STREAMS_SEAT


def _has_room(news: News, plays: bool) -> bool:
    share = 1.0 if _as_player(news, plays) else WATCHING
    shares = ((news.waiting, 1.0), (news.watching, share))
    return all(
        count.total() < share * MOST_STREAMS and count[visitor.get()] < share * MOST_STREAMS_EACH
        for count, share in shares
    )


class _Stream(StreamingResponse):
    """A stream, with the place among all of them that it gives back when it ends."""

    def __init__(self, place: ExitStack, lines: AsyncIterator[str] | tuple[()]) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(lines, media_type="text/event-stream", headers=headers)
        self.place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.place:
            await super().__call__(scope, receive, send)


async def stream(
    site: Site, topic: str, version: Look, plays: bool, step: int = 1
) -> StreamingResponse:
    """A stream of versions: the present one at once, then each new one, counted in steps."""
    news, place = site.news, ExitStack()
    await _room(site, plays)
    bell = place.enter_context(news.waiting_for(topic, _as_player(news, plays)))

    async def lines() -> AsyncIterator[str]:
        yield f"retry: {_RETRY}\n\n"
        told = None
        while not news.closing.is_set():
            bell.clear()
            try:
                current = await news.version(topic, version) // step
            except Missing:
                yield "event: gone\ndata: gone\n\n"
                return
            except Busy:  # the database is away; whoever comes back is told then
                return
            if current != told:
                told = current
                yield f"id: {current}\nevent: version\ndata: {current}\n\n"
            try:
                async with asyncio.timeout(_about(_BEAT)):
                    await bell.wait()
            except TimeoutError:
                yield ": here\n\n"

    return _Stream(place, () if head_only.get() else lines())
