"""Event streams (server-sent events), which tell an open page when to reload itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, suppress
from random import uniform

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from numduel.web.errors import Busy, Missing
from numduel.web.identity import Client
from numduel.web.notifications import ReadVersion
from numduel.web.services import Services

_KEEPALIVE_SECONDS = 15.0  # average time between two lines
_AWAY_SECONDS = 6.0  # time after which a player whose last stream has ended counts as away
_RECONNECT_MILLISECONDS = 1000  # time after which a browser connects again


async def duel_stream(
    services: Services, client: Client, name: str, secrets: str
) -> StreamingResponse:
    """Return the stream of a duel's versions, for a player if the secrets open a seat.

    For a pupil, each call of the class adds one to the version.
    """

    async def version() -> int:
        return (await services.duels.read(name, client)).version

    duel = await services.duels.read(name, client)  # raises Missing before the stream begins
    client.prove(name, duel.terms.seats)
    seats = duel.seats_of(secrets)
    is_shared = len(seats) == 1 and duel.must_ask(seats) and duel.terms.room is None
    presence = PresenceNotice(services, client, name, min(seats)) if is_shared else None
    room = duel.terms.room if seats else None
    return await stream(services, client, name, version, bool(seats), room=room, presence=presence)


class PresenceNotice:
    """Tells the other player whether the player of a seat has the game open."""

    def __init__(self, services: Services, client: Client, name: str, seat: int) -> None:
        self.services = services
        self.client = client
        self.name = name
        self.seat = seat

    async def stay(self) -> None:
        """Record that the player is back, if the end of an earlier stream was recorded."""
        duels = self.services.duels
        if self.seat in (await duels.read(self.name)).away:
            await duels.set_presence(self.name, self.seat, is_here=True)

    def leave(self) -> None:
        """Record after a while that the player has gone, unless they have another page open."""
        task = asyncio.create_task(self._leave())
        _leaving.add(task)
        task.add_done_callback(_leaving.discard)

    async def _leave(self) -> None:
        await asyncio.sleep(_AWAY_SECONDS)
        is_stopping = self.services.notifications.closing.is_set()
        if not is_stopping and not self.services.players.has_person(self.client.person):
            await self.services.duels.set_presence(self.name, self.seat, is_here=False)


_leaving: set[asyncio.Task[None]] = set()  # asyncio drops a task that nobody refers to


class _Stream(StreamingResponse):
    """A stream that gives back its place when it ends."""

    def __init__(self, held: ExitStack, lines: AsyncIterator[str] | tuple[()]) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(lines, media_type="text/event-stream", headers=headers)
        self.held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.held:
            await super().__call__(scope, receive, send)


async def stream(
    services: Services,
    client: Client,
    topic: str,
    version: ReadVersion,
    plays: bool,
    step: int = 1,
    room: str | None = None,
    presence: PresenceNotice | None = None,
) -> StreamingResponse:
    """Return a stream of versions, divided by `step`: the present one, then each new one.

    With a room, the number of its calls is added; the sum still only grows. The stream ends when
    somebody else needs its place more. Raises Busy if there is no place.
    """
    notifications, held = services.notifications, ExitStack()
    changed = held.enter_context(notifications.waiting_for(topic, room, plays=plays))
    slots = services.players if plays else services.watchers
    held.callback(slots.free, changed)
    if not slots.take(changed, client):
        held.close()
        raise Busy("Too many pages are open just now: please try again in a moment.")
    if presence is not None and not client.head_only:
        held.callback(presence.leave)

    async def lines() -> AsyncIterator[str]:
        yield f"retry: {_RECONNECT_MILLISECONDS}\n\n"
        sent = None
        while changed in slots and not notifications.closing.is_set():
            changed.clear()
            try:
                current = await notifications.version(topic, version) // step
                if room is not None:
                    current += await services.rooms.calls(room, notifications)
            except Missing:
                yield "event: gone\ndata: gone\n\n"
                return
            except Busy:  # the browser reconnects
                return
            if current != sent:
                sent = current
                if presence is not None:
                    await presence.stay()
                yield f"id: {current}\nevent: version\ndata: {current}\n\n"
            with suppress(TimeoutError):
                # Up to half longer or shorter, so that many streams do not wake up together.
                async with asyncio.timeout(_KEEPALIVE_SECONDS * uniform(0.5, 1.5)):
                    await changed.wait()
                continue
            yield ": here\n\n"

    return _Stream(held, () if client.head_only else lines())
