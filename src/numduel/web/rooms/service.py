"""What can be done with class rooms beside changing them: secrets, and positions to be judged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from numduel.core.errors import SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.verdict import Value
from numduel.play.setup import Setup
from numduel.web.errors import Missing, NotNow, NotYours
from numduel.web.identity import Client, hashed, new_code, new_secret
from numduel.web.limits import JOINS, MAX_CLIENTS, TokenBuckets, retry_line
from numduel.web.notifications import Notifications
from numduel.web.rooms.model import CALL_STEP, Outdated, Room
from numduel.web.rooms.pupils import pair, pupil_name
from numduel.web.thinking import Thinking, tasks

MAX_CHOICES = 400
"""Maximum number of legal moves in a position that is posed."""

_MAX_ATTEMPTS = 3  # to begin a round while pupils come and go

NO_ROOM = "There is no room with that code, or it was closed."

Change = Callable[[Room], Room]
"""What happens in a room: see the methods of Room."""


class RoomStore(Protocol):
    """Where rooms are kept. All of it raises Missing if there is no room of that code."""

    async def create(self, room: Room) -> bool:
        """Keep a new room; return False if there is one of that code."""

    async def read(self, code: str) -> Room:
        """Return the room as it is now."""

    async def progress(self, code: str) -> int:
        """Return the room's progress, for which its games need not be read."""

    async def update(self, code: str, change: Change) -> None:
        """Apply a change; changes at the same time are applied one after the other."""

    async def delete(self, code: str) -> None:
        """Delete the room with everything in it, its games too."""


class RoomService:
    """Opens rooms, lets people into them, and poses questions. The rest is `store.update`."""

    def __init__(self, store: RoomStore, quick: Thinking) -> None:
        self.store = store
        self._quick = quick
        self._joins = TokenBuckets(JOINS, MAX_CLIENTS)

    async def open(
        self, setup: Setup, coach: bool = False, screened: bool = False
    ) -> tuple[str, str]:
        """Open a room; return its code and the teacher's secret."""
        secret = new_secret()
        room = Room(new_code(), hashed(secret), setup, coach, screened)
        while not await self.store.create(room):
            room = room._replace(code=new_code())
        return room.code, secret

    async def join(self, code: str, name: str, ticket: str | None = None) -> str:
        """Let a pupil in, or let them wait; return their secret.

        Raises Missing if the ticket is wrong, so that nobody learns whether there is such a room.
        """
        if (await self.store.read(code)).ticket != ticket is not None:
            raise Missing(NO_ROOM)
        if wait := self._joins.wait(ticket or code):
            raise NotNow(retry_line("Too many want to join this room", wait)[0])
        self._joins.take(ticket or code)
        called, secret = pupil_name(name), new_secret()
        await self.store.update(code, lambda room: room.join(called, hashed(secret)))
        return secret

    async def enter(self, code: str, client: Client) -> Room:
        """Return the room, and record that the client has shown a secret of it."""
        room = await self.store.read(code)
        client.prove(code, room.secrets)
        return room

    async def taught(self, code: str, client: Client, secret: str) -> Room:
        """Return the room to its teacher; raises NotYours for anybody else."""
        room = await self.enter(code, client)
        if room.secret != hashed(secret):
            raise NotYours("Only the teacher who opened this room can do that.")
        return room

    async def calls(self, code: str, notifications: Notifications) -> int:
        """Return how often the class was called; a stream must be waiting for the room."""
        progress = await notifications.version(code, lambda: self.store.progress(code))
        return progress // CALL_STEP

    async def values(self, client: Client, game: Game[Any], position: Any) -> dict[int, Value]:
        """Return what each move of a position is worth; nothing if that is not known.

        Raises SettingsError if the class cannot be asked about the position.
        """
        if game.outcome(position) is not None:
            raise SettingsError("here the game is over: there is nothing to answer")
        if len(game.moves(position)) > MAX_CHOICES:
            raise SettingsError(f"a position for the class has at most {MAX_CHOICES} moves")
        with suppress(TooLarge):
            verdicts = await self._quick.ask(client, tasks.move_verdicts, game, position)
            return {move: verdict.value for move, verdict in verdicts.items()}
        return {}

    async def begin_round(self, client: Client, code: str, number: int) -> None:
        """Pair everybody, in another process, and begin the round of that number; NotNow."""
        for _ in range(_MAX_ATTEMPTS):
            question = (await self.store.read(code)).to_be_paired(number)
            pairs = await self._quick.ask(client, pair, *question)
            with suppress(Outdated):
                begin = partial(Room.begin_round, number=number, pairs=pairs)
                return await self.store.update(code, begin)
        raise NotNow("Pupils come and go just now: please begin the round again.")

    async def pose(self, client: Client, code: str, game: Game[Any], text: str) -> None:
        """Ask the class about the position of that notation; PositionError or SettingsError."""
        position, _ = await self._quick.ask(client, tasks.played_from, game, text, [])
        values = await self.values(client, game, position)
        await self.store.update(code, lambda room: room.ask(game, text, values))

    async def answer(self, code: str, secret: str, number: int, move: int | None) -> None:
        """Take a pupil's answer to the question of that number; IllegalMove."""
        question = (await self.store.read(code)).question
        if question is None:
            raise NotNow("That question is over.")
        answer = -1 if move is None else move
        question.game.play(await asyncio.to_thread(question.parsed), answer)
        await self.store.update(code, lambda room: room.answer(hashed(secret), number, answer))
