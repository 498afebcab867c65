"""Class rooms in the database. What a room refuses is refused within the transaction."""

from __future__ import annotations

import asyncio
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.play.setup import Setup, dump_setup, load_setup
from numduel.web.classes.room import Pairing, Pupil, Room
from numduel.web.data.database import duels, pupils, rooms
from numduel.web.data.hosted import Hosted, Terms
from numduel.web.data.store import Store, duel_row, now, touch
from numduel.web.keys import new_name
from numduel.web.problems import Missing

NO_ROOM = "There is no room of that code, or it was closed."
NOBODY = "nobody"
"""In place of the hash of a secret: a seat that nobody holds any more."""


class Rooms:
    """The rooms of a database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def create(self, code: str, hash_: str, setup: Setup, coach: bool) -> bool:
        """A new room of that code, and of the teacher with that secret; False: it is taken."""
        row = {
            "code": code,
            "secret": hash_,
            "setup": dump_setup(setup),
            "coach": coach,
            "round": 0,
            "version": 0,
            "touched": now(),
        }
        try:
            await self.store.do(lambda connection: connection.execute(sa.insert(rooms), row))
        except IntegrityError:
            return False
        return True

    async def read(self, code: str) -> Room:
        """The room of that code; Missing."""
        return await self.store.read(lambda connection: _room(connection, code))

    async def version(self, code: str) -> int:
        """How often the room has changed; Missing."""
        query = sa.select(rooms.c.version).where(rooms.c.code == code)
        found: int | None = await self.store.read(lambda connection: connection.scalar(query))
        if found is None:
            raise Missing(NO_ROOM)
        return found

    async def join(self, code: str, name: str, hash_: str) -> None:
        """A new pupil, with that secret."""

        async def add(connection: AsyncConnection) -> None:
            room = await _touched(connection, code)
            if room.pupil(hash_) is not None:
                return  # an attempt was committed that seemed to fail
            row = {"room": code, "number": room.admit(name), "name": name, "secret": hash_}
            await connection.execute(sa.insert(pupils), row)

        await self.store.do(add)

    async def begin_round(self, code: str, number: int) -> None:
        """Pair everybody for the round of that number, which must be the next."""

        async def begin(connection: AsyncConnection) -> None:
            room = await _touched(connection, code)
            room.check_round(number)
            # In a thread: a large class takes a second, in which others want to play.
            for one, two in await asyncio.to_thread(room.pairs):
                seats = one.secret, two and two.secret
                terms = Terms(room.setup_of(one, two), seats, room.coach, code)
                row = duel_row(Hosted(new_name(), terms))
                paired = {"room_round": number, "pupil1": one.number, "pupil2": two and two.number}
                await connection.execute(sa.insert(duels), row | paired)
            await touch(connection, code, round=number)

        await self.store.do(begin)

    async def remove(self, code: str, name: str) -> list[tuple[str, int]]:
        """Take a pupil out of the room, and their name and secret out of their games.

        Which games those are, and their seat in each: what is not over is to be given up.
        """

        async def delete(connection: AsyncConnection) -> list[tuple[str, int]]:
            room = await _touched(connection, code)
            number = room.named(name).number
            for seat in ("1", "2"):
                theirs = (duels.c.room == code) & (duels.c[f"pupil{seat}"] == number)
                nobody = {f"name{seat}": None, f"seat{seat}": NOBODY}
                await connection.execute(sa.update(duels).where(theirs).values(nobody))
            out = (pupils.c.room == code) & (pupils.c.number == number)
            await connection.execute(sa.delete(pupils).where(out))
            games = (game for game in room.pairings if number in game.seats)
            return [(game.duel, 1 + game.seats.index(number)) for game in games]

        return await self.store.do(delete)

    async def delete(self, code: str) -> None:
        """Delete the room and everything in it."""
        gone = sa.delete(rooms).where(rooms.c.code == code)
        await self.store.do(lambda connection: connection.execute(gone))


async def _touched(connection: AsyncConnection, code: str) -> Room:
    """The room, marked as changed first, so that two who change it at once wait in turn."""
    await touch(connection, code)
    return await _room(connection, code)


async def _room(connection: AsyncConnection, code: str) -> Room:
    row: Any = (
        await connection.execute(sa.select(rooms).where(rooms.c.code == code))
    ).one_or_none()
    if row is None:
        raise Missing(NO_ROOM)
    inside = sa.select(pupils.c.number, pupils.c.name, pupils.c.secret)
    found = await connection.execute(inside.where(pupils.c.room == code).order_by(pupils.c.number))
    played = await connection.execute(
        sa.select(duels).where(duels.c.room == code).order_by(duels.c.room_round, duels.c.pupil1)
    )
    return Room(
        code=row.code,
        secret=row.secret,
        setup=load_setup(row.setup),
        coach=row.coach,
        round=row.round,
        version=row.version,
        pupils=[Pupil(*pupil) for pupil in found],
        pairings=[
            Pairing(
                duel=game.name,
                round=game.room_round,
                seats=(game.pupil1, game.pupil2),
                over=game.over,
                champion=game.champion,
            )
            for game in played
        ],
    )
