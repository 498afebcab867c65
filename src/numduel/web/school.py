"""Class rooms: who is in them, who plays whom, round after round, and the standing."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.core.errors import SettingsError
from numduel.core.numerals import quoted
from numduel.play.setup import Setup, check_name, dump_setup, load_setup
from numduel.players import HUMAN
from numduel.web.database import duels, pupils, rooms
from numduel.web.hosted import Hosted, Terms
from numduel.web.keys import hashed, new_code, new_name, new_secret
from numduel.web.pairing import pair
from numduel.web.problems import Missing, NotNow, NotYours
from numduel.web.store import Store, duel_row, now, touch

MOST_PUPILS = 100
MOST_CLASS_ROUNDS = 50
NO_ROOM = "There is no room of that code, or it was closed."
NOBODY = "nobody"
"""In place of the hash of a secret: a seat that nobody holds any more."""

STAND_IN = "medium"
"""The computer player that the odd pupil out plays against."""


class Pupil(NamedTuple):
    """A pupil, by their number in the room."""

    number: int
    name: str
    secret: str  # its hash


class Pairing(NamedTuple):
    """One game of the class."""

    duel: str
    round: int
    seats: tuple[int | None, int | None]  # the pupils' numbers; None: the computer
    over: bool
    champion: int | None


class Standing(NamedTuple):
    """A line of the standing."""

    name: str
    points: float
    played: int


class Room(NamedTuple):
    """A room as it is now."""

    code: str
    secret: str  # the hash of the teacher's
    setup: Setup
    coach: bool
    round: int
    version: int
    pupils: list[Pupil]
    pairings: list[Pairing]

    def pupil(self, hash_: str) -> Pupil | None:
        """The pupil who has that secret."""
        return next((pupil for pupil in self.pupils if pupil.secret == hash_), None)

    def numbers(self) -> set[int]:
        """The numbers of everybody who is, or was and has played, in the room."""
        played = {seat for game in self.pairings for seat in game.seats if seat is not None}
        return played | {pupil.number for pupil in self.pupils}

    def current(self) -> list[Pairing]:
        """The games of this round."""
        return [pairing for pairing in self.pairings if pairing.round == self.round]

    def game_of(self, pupil: Pupil) -> Pairing | None:
        """The game that the pupil plays in this round."""
        return next((game for game in self.current() if pupil.number in game.seats), None)

    def points(self) -> Counter[int | None]:
        """Twice what each has won, by number: a win is one point, a tie half of one."""
        won: Counter[int | None] = Counter()
        for game in self.pairings:
            if game.over and game.champion is None:
                won.update(game.seats)
            elif game.over and game.champion is not None:
                won[game.seats[game.champion - 1]] += 2
        return won

    def standing(self) -> list[Standing]:
        """Everybody, the leader first."""
        points = self.points()
        played = Counter(seat for game in self.pairings if game.over for seat in game.seats)
        lines = [
            Standing(pupil.name, points[pupil.number] / 2, played[pupil.number])
            for pupil in self.pupils
        ]
        return sorted(lines, key=lambda line: (-line.points, line.name.casefold()))


class School:
    """The rooms in the database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def open(self, setup: Setup, coach: bool) -> tuple[str, str]:
        """A new room: its code, and the teacher's secret."""
        secret = new_secret()
        while True:
            row = {
                "code": new_code(),
                "secret": hashed(secret),
                "setup": dump_setup(setup),
                "coach": coach,
                "round": 0,
                "version": 0,
                "touched": now(),
            }
            insert = sa.insert(rooms).values(row)
            try:
                await self.store.do(partial(AsyncConnection.execute, statement=insert))
            except IntegrityError:
                continue  # another room has that code
            return str(row["code"]), secret

    async def read(self, code: str) -> Room:
        """The room of that code; Missing."""
        return await self.store.do(lambda connection: _room(connection, code))

    async def version(self, code: str) -> int:
        """How often the room has changed; Missing."""
        query = sa.select(rooms.c.version).where(rooms.c.code == code)
        found: int | None = await self.store.do(lambda connection: connection.scalar(query))
        if found is None:
            raise Missing(NO_ROOM)
        return found

    async def join(self, code: str, name: str) -> str:
        """A new pupil; their secret."""
        secret = new_secret()
        name = check_name(name)

        async def add(connection: AsyncConnection) -> None:
            await touch(connection, code)  # first, so that two who join at once wait in turn
            room = await _room(connection, code)
            if room.pupil(hashed(secret)) is not None:
                return  # an attempt was committed that seemed to fail
            if len(room.pupils) >= MOST_PUPILS:
                raise NotNow(f"This room is full: it has {MOST_PUPILS} pupils.")
            for pupil in room.pupils:
                if pupil.name.casefold() == name.casefold():
                    raise SettingsError(
                        f"{pupil.name} is in this room already: please add a letter"
                    )
            number = 1 + max(room.numbers(), default=0)
            row = {"room": code, "number": number, "name": name, "secret": hashed(secret)}
            await connection.execute(sa.insert(pupils), row)

        await self.store.do(add)
        return secret

    async def begin_round(self, code: str, secret: str, number: int) -> None:
        """Pair everybody for the round of that number, which must be the next."""

        async def begin(connection: AsyncConnection) -> None:
            await touch(connection, code)
            room = await _teachers(connection, code, secret)
            if number != room.round + 1:
                raise NotNow(f"The next round is round {room.round + 1}.")
            if number > MOST_CLASS_ROUNDS:
                raise NotNow(f"A room has at most {MOST_CLASS_ROUNDS} rounds.")
            if len(room.pupils) < 2:
                raise NotNow("A round needs at least two pupils.")
            # In a thread: a large class takes a second, in which others want to play.
            for one, two in await asyncio.to_thread(pairs, room):
                terms = _terms(room, one, two, number)
                row = duel_row(Hosted(new_name(), terms))
                row |= {
                    "room_round": number,
                    "pupil1": one.number,
                    "pupil2": None if two is None else two.number,
                }
                await connection.execute(sa.insert(duels), row)
            await touch(connection, code, round=number)

        await self.store.do(begin)

    async def remove(self, code: str, secret: str, name: str) -> list[tuple[str, int]]:
        """Take a pupil out of the room, and their name and secret out of their games.

        Which games those are, and their seat in each: what is not over is to be given up.
        """

        async def delete(connection: AsyncConnection) -> list[tuple[str, int]]:
            await touch(connection, code)
            room = await _teachers(connection, code, secret)
            number = next((pupil.number for pupil in room.pupils if pupil.name == name), None)
            if number is None:
                raise NotNow(f"There is no {quoted(name)} in this room.")
            for seat in ("1", "2"):
                theirs = (duels.c.room == code) & (duels.c[f"pupil{seat}"] == number)
                nobody = {f"name{seat}": None, f"seat{seat}": NOBODY}
                await connection.execute(sa.update(duels).where(theirs).values(nobody))
            out = (pupils.c.room == code) & (pupils.c.number == number)
            await connection.execute(sa.delete(pupils).where(out))
            games = (game for game in room.pairings if number in game.seats)
            return [(game.duel, 1 + game.seats.index(number)) for game in games]

        return await self.store.do(delete)

    async def close(self, code: str, secret: str) -> None:
        """Close the room: everything in it is deleted."""

        async def delete(connection: AsyncConnection) -> None:
            await _teachers(connection, code, secret)
            await connection.execute(sa.delete(rooms).where(rooms.c.code == code))

        await self.store.do(delete)


def pairs(room: Room) -> list[tuple[Pupil, Pupil | None]]:
    """Who plays whom in the next round; the odd one out plays the computer (None)."""
    by_number = {pupil.number: pupil for pupil in room.pupils}
    met = [game.seats for game in room.pairings if None not in game.seats]
    alone = [seat for game in room.pairings if None in game.seats for seat in game.seats if seat]
    points = room.points()
    ranked = sorted(by_number, key=lambda number: (-points[number], number))
    return [
        (by_number[one], None if two is None else by_number[two])
        for one, two in pair(ranked, met, alone)
    ]


def _terms(room: Room, one: Pupil, two: Pupil | None, number: int) -> Terms:
    players = (HUMAN, STAND_IN if two is None else HUMAN)
    # Who begins changes from round to round, and each game has chances of its own.
    setup = room.setup._replace(
        players=players,
        first=1 + number % 2,
        seed=room.setup.seed + number * 1000 + one.number,
        names=(one.name, two and two.name),
    )
    return Terms(setup, (one.secret, two and two.secret), room.coach, room.code)


async def _teachers(connection: AsyncConnection, code: str, secret: str) -> Room:
    room = await _room(connection, code)
    if room.secret != hashed(secret):
        raise NotYours("Only the teacher who opened this room can do that.")
    return room


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
