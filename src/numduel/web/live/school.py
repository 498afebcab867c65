"""Class rooms for those who use them: secrets, and what only a teacher may do."""

from __future__ import annotations

from numduel.play.setup import Setup, check_name
from numduel.web.classes.room import Room
from numduel.web.data.rooms import Rooms
from numduel.web.data.store import Store
from numduel.web.keys import hashed, new_code, new_secret
from numduel.web.problems import NotYours


class School:
    """All that can be done with rooms."""

    def __init__(self, store: Store) -> None:
        self.rooms = Rooms(store)

    async def open(self, setup: Setup, coach: bool) -> tuple[str, str]:
        """A new room: its code, and the teacher's secret."""
        secret = new_secret()
        while not await self.rooms.create(code := new_code(), hashed(secret), setup, coach):
            pass  # another room has that code
        return code, secret

    async def read(self, code: str) -> Room:
        """The room of that code; Missing."""
        return await self.rooms.read(code)

    async def version(self, code: str) -> int:
        """How often the room has changed; Missing."""
        return await self.rooms.version(code)

    async def join(self, code: str, name: str) -> str:
        """A new pupil; their secret."""
        secret = new_secret()
        await self.rooms.join(code, check_name(name), hashed(secret))
        return secret

    async def begin_round(self, code: str, secret: str, number: int) -> None:
        """Pair everybody for the round of that number, which must be the next."""
        await self._check_teacher(code, secret)
        await self.rooms.begin_round(code, number)

    async def remove(self, code: str, secret: str, name: str) -> list[tuple[str, int]]:
        """Take a pupil out; the games that they leave, and their seat in each."""
        await self._check_teacher(code, secret)
        return await self.rooms.remove(code, name)

    async def close(self, code: str, secret: str) -> None:
        """Close the room: everything in it is deleted."""
        await self._check_teacher(code, secret)
        await self.rooms.delete(code)

    async def _check_teacher(self, code: str, secret: str) -> None:
        """Raise Missing, or NotYours where somebody else opened the room; which never changes."""
        if (await self.rooms.read(code)).secret != hashed(secret):
            raise NotYours("Only the teacher who opened this room can do that.")
