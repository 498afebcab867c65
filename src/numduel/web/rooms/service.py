"""The room service: who may enter a class room, and what needs a computation or a database."""

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
from numduel.web.errors import Missing, NotNow
from numduel.web.identity import Client, hash_secret, new_code, new_secret
from numduel.web.limits import MAX_CLIENTS, ROOM_JOINS, TokenBuckets, retry_line
from numduel.web.notifications import Notifications
from numduel.web.rooms.model import CALL_STEP, Outdated, Room
from numduel.web.rooms.pupils import pair, pupil_name
from numduel.web.thinking import Thinking, tasks

MAX_CHOICES = 400
"""Maximum number of legal moves in a position about which the class is asked."""

_MAX_PAIRING_ATTEMPTS = 3  # while pupils come and go

NO_ROOM = "There is no room with that code, or it was closed."

Change = Callable[[Room], Room]
"""A change of a room: most are methods of Room."""


class RoomStore(Protocol):
    """A store of rooms. Its methods raise Missing if there is no room of that code."""

    async def create(self, room: Room) -> bool:
        """Add a new room; return False if its code is taken."""

    async def read(self, code: str) -> Room:
        """Return the room as it is now."""

    async def progress(self, code: str) -> int:
        """Return the room's progress, without reading its games."""

    async def update(self, code: str, change: Change) -> None:
        """Apply a change. Changes of the same room are applied one after the other."""

    async def delete(self, code: str) -> None:
        """Delete the room with everything in it, including its games."""


class RoomService:
    """Opens rooms, lets people in, and poses questions. For other changes see `store.update`."""

    def __init__(self, store: RoomStore, quick: Thinking) -> None:
        self.store = store
        self._quick = quick
        self._joins = TokenBuckets(ROOM_JOINS, MAX_CLIENTS)

    async def open(
        self, setup: Setup, coach: bool = False, screened: bool = False
    ) -> tuple[str, str]:
        """Open a room; return its code and the teacher's secret."""
        secret = new_secret()
        room = Room(new_code(), hash_secret(secret), setup, coach, screened)
        while not await self.store.create(room):
            room = room._replace(code=new_code())
        return room.code, secret

    async def join(self, code: str, name: str, ticket: str | None = None) -> str:
        """Let a pupil in, or add them to those who wait; return their secret.

        If the ticket is wrong, raises Missing, so that nobody can find out which rooms there are.
        """
        if (await self.store.read(code)).ticket != ticket is not None:
            raise Missing(NO_ROOM)
        if wait := self._joins.wait(ticket or code):
            raise NotNow(retry_line("Too many want to join this room", wait)[0])
        self._joins.take(ticket or code)
        checked, secret = pupil_name(name), new_secret()
        await self.store.update(code, lambda room: room.join(checked, hash_secret(secret)))
        return secret

    async def enter(self, code: str, client: Client) -> Room:
        """Return the room, and record whether the client has one of its secrets."""
        room = await self.store.read(code)
        client.prove(code, room.secrets)
        return room

    async def calls(self, code: str, notifications: Notifications) -> int:
        """Return the number of calls of the class, while a stream is waiting for the room."""
        progress = await notifications.version(code, lambda: self.store.progress(code))
        return progress // CALL_STEP

    async def values(self, client: Client, game: Game[Any], position: Any) -> dict[int, Value]:
        """Return the value of each move of a position; empty if the position is too large.

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
        """Pair the pupils in another process, and begin the round of that number; raises NotNow."""
        for _ in range(_MAX_PAIRING_ATTEMPTS):
            arguments = (await self.store.read(code)).pairing_arguments(number)
            pairs = await self._quick.ask(client, pair, *arguments)
            with suppress(Outdated):
                begin = partial(Room.begin_round, number=number, pairs=pairs)
                return await self.store.update(code, begin)
        raise NotNow("Pupils come and go just now: please begin the round again.")

    async def pose(self, client: Client, code: str, game: Game[Any], text: str) -> None:
        """Ask the class about a position in notation; raises PositionError or SettingsError."""
        position, _ = await self._quick.ask(client, tasks.played_from, game, text, [])
        values = await self.values(client, game, position)
        await self.store.update(code, lambda room: room.pose(game, text, values))

    async def answer(self, code: str, secret: str, number: int, move: int | None) -> None:
        """Take a pupil's answer to the question of that number; raises IllegalMove."""
        question = (await self.store.read(code)).question
        if question is None:
            raise NotNow("That question is over.")
        answer = -1 if move is None else move
        question.game.play(await asyncio.to_thread(question.parsed), answer)
        await self.store.update(code, lambda room: room.answer(hash_secret(secret), number, answer))
