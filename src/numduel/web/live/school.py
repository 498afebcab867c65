"""Class rooms for those who use them: secrets, and what only a teacher may do."""

from __future__ import annotations

from typing import Any

from numduel.core.game import Game
from numduel.core.verdict import Value
from numduel.play.chain import Chain
from numduel.play.setup import Setup
from numduel.web.classes.names import pupil_name
from numduel.web.classes.question import Stage
from numduel.web.classes.room import Room
from numduel.web.data.rooms import NO_ROOM, Rooms
from numduel.web.data.store import Store
from numduel.web.keys import hashed, new_code, new_secret
from numduel.web.problems import Missing, NotYours
from numduel.web.visitor import prove

NOT_THE_TEACHER = "Only the teacher who opened this room can do that."


class School:
    """All that can be done with rooms."""

    def __init__(self, store: Store) -> None:
        self.rooms = Rooms(store)

    async def open(self, setup: Setup, coach: bool, screened: bool = False) -> tuple[str, str]:
        """A new room: its code, and the teacher's secret."""
        secret, code = new_secret(), new_code()
        while not await self.rooms.create(code, hashed(secret), setup, coach, screened):
            code = new_code()  # another room has that one
        return code, secret

    async def read(self, code: str) -> Room:
        """The room of that code; Missing."""
        return await self.rooms.read(code)

    async def progress(self, code: str) -> int:
        """How far the room is, each answer and each move counted; Missing."""
        return await self.rooms.progress(code)

    async def join(self, code: str, name: str, ticket: str | None = None) -> str:
        """A new pupil, or one who waits to be admitted; their secret.

        With a ticket that is wrong nobody learns whether there is such a room.
        """
        if ticket is not None and ticket != (await self.read(code)).ticket:
            raise Missing(NO_ROOM)
        secret = new_secret()
        await self.rooms.join(code, pupil_name(name), hashed(secret))
        return secret

    async def change(self, code: str, secret: str, **values: bool) -> None:
        """Lock the room or unlock it, let those who join wait or come in at once."""
        await self.check_teacher(code, secret)
        await self.rooms.change(code, **values)

    async def admit(self, code: str, secret: str, name: str | None) -> None:
        """Let in whoever waits under that name, or everybody who waits."""
        await self.check_teacher(code, secret)
        await self.rooms.admit(code, name)

    async def turn_away(self, code: str, secret: str, name: str | None) -> None:
        """Let whoever waits under that name, or everybody who waits, wait no more."""
        await self.check_teacher(code, secret)
        await self.rooms.turn_away(code, name)

    async def begin_round(self, code: str, secret: str, number: int) -> None:
        """Pair everybody for the round of that number, which must be the next."""
        await self.check_teacher(code, secret)
        await self.rooms.begin_round(code, number)

    async def remove(self, code: str, secret: str, name: str) -> None:
        """Remove a pupil; the other wins what they were playing."""
        await self.check_teacher(code, secret)
        await self.rooms.remove(code, name)

    async def bring_back(self, code: str, secret: str, name: str) -> None:
        """Let a removed pupil in again, with what they had won; their games stay lost."""
        await self.check_teacher(code, secret)
        await self.rooms.bring_back(code, name)

    async def ask(self, code: str, secret: str, game: Game[Any], position: str) -> None:
        """Pose a position, which was checked, in place of the one before."""
        await self.check_teacher(code, secret)
        await self.rooms.ask(code, game, position)

    async def turn_question(
        self, code: str, secret: str, stage: Stage, values: dict[int, Value]
    ) -> None:
        """Show the answers, or what each is worth."""
        await self.check_teacher(code, secret)
        await self.rooms.turn_question(code, stage, values)

    async def put_away(self, code: str, secret: str) -> None:
        """Put the question away, with its answers."""
        await self.check_teacher(code, secret)
        await self.rooms.put_away(code)

    async def answer(self, code: str, secret: str, number: int, move: int) -> None:
        """A pupil's answer, a legal move, to the question of that number."""
        await self.rooms.answer(code, hashed(secret), number, move)

    async def set_chain(self, code: str, secret: str, size: int) -> None:
        """Let the class make chains on a board of that size; 0: no more."""
        await self.check_teacher(code, secret)
        await self.rooms.set_chain(code, size)

    async def keep_chain(self, code: str, secret: str, chain: Chain) -> None:
        """Keep a pupil's chain, if it is their longest."""
        await self.rooms.keep_chain(code, hashed(secret), chain)

    async def close(self, code: str, secret: str) -> None:
        """Close the room: everything in it is deleted."""
        await self.check_teacher(code, secret)
        await self.rooms.delete(code)

    async def check_teacher(self, code: str, secret: str) -> None:
        """Raise Missing, or NotYours where somebody else opened the room; which never changes."""
        if (await self.rooms.read(code)).secret != hashed(secret):
            raise NotYours(NOT_THE_TEACHER)
        prove(code, hashed(secret))
