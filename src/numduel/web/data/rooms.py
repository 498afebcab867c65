"""Class rooms in the database. What a room refuses is refused within the transaction."""

from __future__ import annotations

import asyncio
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.core.game import Game
from numduel.core.verdict import Value
from numduel.play.chain import Chain
from numduel.play.setup import Setup, dump_setup, load_setup
from numduel.web.classes.question import Stage
from numduel.web.classes.room import MOST_REMOVED, Pairing, Pupil, Room, named, progress
from numduel.web.data import asking, chaining
from numduel.web.data.calendar import now
from numduel.web.data.database import duels, outside, pupils, rooms
from numduel.web.data.hosted import Hosted, Terms
from numduel.web.data.store import MOVED, Store, duel_row, leave, touch
from numduel.web.keys import new_name
from numduel.web.problems import Missing, NotNow, NotYours

NO_ROOM = "There is no room of that code, or it was closed."
NOBODY = "nobody"
"""In place of the hash of a secret: a seat that nobody holds any more."""


class Rooms:
    """The rooms of a database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def create(
        self, code: str, hash_: str, setup: Setup, coach: bool, screened: bool
    ) -> bool:
        """A new room of that code, and of the teacher with that secret; False: it is taken."""
        row = {
            "code": code,
            "secret": hash_,
            "setup": dump_setup(setup),
            "coach": coach,
            "screened": screened,
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

    async def progress(self, code: str) -> int:
        """The room's progress; Missing."""
        known = rooms.c.version, rooms.c.answered, MOVED.label("moved")
        query = sa.select(*known).where(rooms.c.code == code)
        found = await self.store.read(lambda connection: connection.execute(query))
        row = found.one_or_none()
        if row is None:
            raise Missing(NO_ROOM)
        return progress(row.version, row.answered, row.moved)

    async def join(self, code: str, name: str, hash_: str) -> None:
        """A new pupil, with that secret, in the room or before its door."""

        async def add(connection: AsyncConnection) -> None:
            room = await _touched(connection, code)
            if room.pupil(hash_) is not None or room.waits(hash_):
                return  # an attempt was committed that seemed to fail
            room.check_new(name)
            row = _pupil_row(code, Pupil(room.next_number(), name, hash_))
            await connection.execute(sa.insert(outside if room.screened else pupils), row)

        await self.store.do(add)

    async def change(self, code: str, **values: bool) -> None:
        """Lock the room or unlock it, let those who join wait or come in at once."""
        await self.store.do(lambda connection: touch(connection, code, **values))

    async def admit(self, code: str, name: str | None) -> None:
        """Let in whoever waits under that name, or everybody who waits."""

        async def admit(connection: AsyncConnection) -> None:
            room = await _touched(connection, code)
            found = room.waiting if name is None else [named(name, room.waiting)]
            await _let_in(connection, room, found)

        await self.store.do(admit)

    async def turn_away(self, code: str, name: str | None) -> None:
        """Let whoever waits under that name, or everybody who waits, wait no more."""

        async def turn_away(connection: AsyncConnection) -> None:
            room = await _touched(connection, code)
            found = room.waiting if name is None else [named(name, room.waiting)]
            await _forget(connection, code, found)

        await self.store.do(turn_away)

    async def bring_back(self, code: str, name: str) -> None:
        """Let a removed pupil in again, with what they had won; their games stay lost."""

        async def bring_back(connection: AsyncConnection) -> None:
            room = await _touched(connection, code)
            await _let_in(connection, room, [named(name, room.removed)])

        await self.store.do(bring_back)

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

    async def remove(self, code: str, name: str) -> None:
        """Remove a pupil from the room, and their name and secret from their games.

        What of these is not over, the other wins.
        """

        async def remove(connection: AsyncConnection) -> None:
            room = await _touched(connection, code)
            same = [gone for gone in room.removed if gone.name == name]
            if same and not any(pupil.name == name for pupil in room.pupils):
                return  # pressed twice, or an attempt was committed that seemed to fail
            pupil = named(name, room.pupils)
            for game in room.pairings:
                if pupil.number in game.seats:
                    await _leave(connection, game, 1 + game.seats.index(pupil.number))
            out = (pupils.c.room == code) & (pupils.c.number == pupil.number)
            await connection.execute(sa.delete(pupils).where(out))
            await _forget(connection, code, [*same, *room.removed[: 1 - MOST_REMOVED]])
            row = _pupil_row(code, pupil) | {"removed": room.version}
            await connection.execute(sa.insert(outside), row)

        await self.store.do(remove)

    async def ask(self, code: str, game: Game[Any], position: str) -> None:
        """Pose a question."""
        await self.store.do(lambda connection: asking.put(connection, code, game, position))

    async def turn_question(self, code: str, stage: Stage, values: dict[int, Value]) -> None:
        """Bring the question to another stage."""
        await self.store.do(lambda connection: asking.turn(connection, code, stage, values))

    async def put_away(self, code: str) -> None:
        """Put the question away, with its answers."""
        await self.store.do(lambda connection: asking.clear(connection, code))

    async def answer(self, code: str, hash_: str, number: int, move: int) -> None:
        """The answer of the pupil with that secret; NotYours or NotNow."""

        async def answer(connection: AsyncConnection) -> None:
            await asking.note(connection, code)
            room = await _room(connection, code)
            pupil = room.pupil(hash_)
            if pupil is None:
                raise NotYours("Only the pupils of this room can answer.")
            if room.question is None:
                raise NotNow("That question is over.")
            room.question.check_open(number)
            await asking.answer(connection, code, pupil.number, move)

        await self.store.do(answer)

    async def set_chain(self, code: str, size: int) -> None:
        """Let the class make chains on a board of that size; 0: no more."""
        await self.store.do(lambda connection: chaining.put(connection, code, size))

    async def keep_chain(self, code: str, hash_: str, chain: Chain) -> None:
        """Keep a chain of the pupil with that secret, if it is their longest; NotYours, NotNow.

        All are told where it is the longest of the class.
        """

        async def keep(connection: AsyncConnection) -> None:
            await asking.note(connection, code)
            room = await _room(connection, code)
            pupil, made = room.pupil(hash_), room.chains
            if pupil is None:
                raise NotYours("Only the pupils of this room can make a chain in it.")
            if made is None or made.size != chain.size:
                raise NotNow("The class makes chains on that board no more.")
            if len(chain.numbers) <= made.length(pupil.number):
                return
            await chaining.keep(connection, code, pupil.number, chain, room.answered)
            if len(chain.numbers) > len(made.best.numbers):
                await touch(connection, code)

        await self.store.do(keep)

    async def delete(self, code: str) -> None:
        """Delete the room and everything in it."""
        gone = sa.delete(rooms).where(rooms.c.code == code)
        await self.store.do(lambda connection: connection.execute(gone))


def _pupil_row(code: str, pupil: Pupil) -> dict[str, Any]:
    return {"room": code, **pupil._asdict()}


async def _let_in(connection: AsyncConnection, room: Room, newcomers: list[Pupil]) -> None:
    room.check_admitted(newcomers)
    await _forget(connection, room.code, newcomers)
    for pupil in newcomers:
        await connection.execute(sa.insert(pupils), _pupil_row(room.code, pupil))


async def _forget(connection: AsyncConnection, code: str, gone: list[Pupil]) -> None:
    """Take them from those outside."""
    theirs = outside.c.number.in_([pupil.number for pupil in gone])
    await connection.execute(sa.delete(outside).where(outside.c.room == code, theirs))


async def _leave(connection: AsyncConnection, game: Pairing, seat: int) -> None:
    """Take a pupil from a game of theirs."""
    if not game.over:
        await leave(connection, game.duel, seat)
    nobody = {f"name{seat}": None, f"seat{seat}": NOBODY}
    await connection.execute(sa.update(duels).where(duels.c.name == game.duel).values(nobody))


async def _touched(connection: AsyncConnection, code: str) -> Room:
    """The room, marked as changed first, so that two who change it at once wait in turn."""
    await touch(connection, code)
    return await _room(connection, code)


async def _room(connection: AsyncConnection, code: str) -> Room:
    row: Any = (
        await connection.execute(sa.select(rooms, MOVED.label("moved")).where(rooms.c.code == code))
    ).one_or_none()
    if row is None:
        raise Missing(NO_ROOM)
    inside = sa.select(pupils.c.number, pupils.c.name, pupils.c.secret)
    found = await connection.execute(inside.where(pupils.c.room == code).order_by(pupils.c.number))
    others = sa.select(outside).where(outside.c.room == code)
    out = (await connection.execute(others.order_by(outside.c.removed, outside.c.number))).all()
    played = await connection.execute(
        sa.select(duels).where(duels.c.room == code).order_by(duels.c.room_round, duels.c.pupil1)
    )
    pupils_in = [Pupil(*pupil) for pupil in found]
    numbers = {pupil.number for pupil in pupils_in}
    return Room(
        code=row.code,
        secret=row.secret,
        setup=load_setup(row.setup),
        coach=row.coach,
        locked=row.locked,
        screened=row.screened,
        round=row.round,
        version=row.version,
        pupils=pupils_in,
        waiting=[_outside(one) for one in out if one.removed is None],
        removed=[_outside(one) for one in out if one.removed is not None],
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
        question=await asking.read(connection, code, numbers),
        chains=await chaining.read(connection, code, row.chain, numbers),
        answered=row.answered,
        moved=row.moved,
    )


def _outside(row: Any) -> Pupil:
    return Pupil(row.number, row.name, row.secret)
