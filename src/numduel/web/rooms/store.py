"""Class rooms in the database: each is one document, beside its duels."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import starmap
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.core.record import check_settings
from numduel.games import new as new_game
from numduel.play.chain import Chain
from numduel.play.setup import dump_setup, load_setup
from numduel.web.database.database import Database
from numduel.web.database.tables import duels, events_in_round, now, rooms
from numduel.web.duels.record import DuelRecord
from numduel.web.duels.store import duel_row, leave
from numduel.web.errors import Missing
from numduel.web.rooms.model import Room
from numduel.web.rooms.pupils import ClassGame, Pupil
from numduel.web.rooms.questions import ChainContest, Question
from numduel.web.rooms.service import NO_ROOM, Change

NO_HOLDER = "nobody"
"""Stands in place of the hash of a seat's secret after its pupil was removed."""

_JSON_FIELDS = ("locked", "screened", "ended", "calls")  # stored as they are
_PUPIL_FIELDS = ("pupils", "waiting", "removed")


class SqlRoomStore:
    def __init__(self, database: Database, notify: Callable[..., None] = lambda *_: None) -> None:
        """Keep rooms in a database. `notify` gets the code and the games that have changed."""
        self._database = database
        self._notify = notify

    async def create(self, room: Room) -> bool:
        row = {
            "code": room.code,
            "secret": room.secret,
            "setup": dump_setup(room.setup),
            "coach": room.coach,
            **_changing_columns(room),
        }
        try:
            await self._database.write(lambda connection: connection.execute(sa.insert(rooms), row))
        except IntegrityError:
            return False
        return True

    async def read(self, code: str) -> Room:
        return await self._database.read(lambda connection: _load_room(connection, code))

    async def progress(self, code: str) -> int:
        room = await self._database.read(lambda connection: _load_without_games(connection, code))
        return room.progress

    async def update(self, code: str, change: Change) -> None:
        async def work(connection: AsyncConnection) -> tuple[Room, Room]:
            # Written before it is read, to lock the room until the transaction ends.
            await connection.execute(_update(code, touched=now()))
            before = await _load_room(connection, code)
            after = change(before)
            if after is not before:
                await connection.execute(_update(code, **_changing_columns(after)))
                await _write_games(connection, before, after)
            return before, after

        before, after = await self._database.write(work)
        changed = (game.duel for game in before.pairings if game not in after.pairings)
        self._notify(code, *changed)

    async def delete(self, code: str) -> None:
        games = (await self.read(code)).pairings
        deletion = sa.delete(rooms).where(rooms.c.code == code)
        await self._database.write(lambda connection: connection.execute(deletion))
        self._notify(code, *(game.duel for game in games))


def _update(code: str, **values: Any) -> sa.Update:
    return sa.update(rooms).where(rooms.c.code == code).values(values)


def _changing_columns(room: Room) -> dict[str, Any]:
    """Return the columns of a room that may change."""
    return {
        "round": room.round,
        "version": room.version,
        "answered": room.answered,
        "body": json.dumps(_dump_body(room)),
    }


def _dump_body(room: Room) -> dict[str, Any]:
    """Return the fields that have no column of their own, ready for JSON."""
    return {
        **{name: getattr(room, name) for name in (*_JSON_FIELDS, *_PUPIL_FIELDS)},
        "questions": [_dump_question(one) for one in room.questions],
        "contests": [
            (one.size, one.over, [(pupil, chain.text) for pupil, chain in one.longest.items()])
            for one in room.contests
        ],
    }


def _dump_question(one: Question) -> tuple[Any, ...]:
    game = one.game.key, dict(one.game.settings.values)
    return one.number, game, one.position, dict(one.values), one.stage, dict(one.answers)


async def _load_without_games(connection: AsyncConnection, code: str) -> Room:
    """Return the room without its games; raises Missing if there is none."""
    query = sa.select(rooms, events_in_round.label("moved")).where(rooms.c.code == code)
    row: Any = (await connection.execute(query)).one_or_none()
    if row is None:
        raise Missing(NO_ROOM)
    body = json.loads(row.body)
    fields: dict[str, Any] = {name: body[name] for name in _JSON_FIELDS}
    fields |= {name: tuple(starmap(Pupil, body[name])) for name in _PUPIL_FIELDS}
    return Room(
        code=row.code,
        secret=row.secret,
        setup=load_setup(row.setup),
        coach=row.coach,
        round=row.round,
        version=row.version,
        answered=row.answered,
        moved=row.moved,
        questions=tuple(map(_load_question, body["questions"])),
        contests=tuple(starmap(_load_contest, body["contests"])),
        **fields,
    )


def _load_question(stored: list[Any]) -> Question:
    number, (key, settings), position, values, stage, answers = stored
    return Question(
        number=number,
        game=new_game(key, **check_settings(settings)),
        position=position,
        values={int(move): value for move, value in values.items()},
        stage=stage,
        answers={int(pupil): move for pupil, move in answers.items()},
    )


def _load_contest(size: int, over: bool, longest: list[tuple[int, str]]) -> ChainContest:
    return ChainContest(size, over, {pupil: Chain.parse(size, text) for pupil, text in longest})


async def _load_room(connection: AsyncConnection, code: str) -> Room:
    room = await _load_without_games(connection, code)
    query = sa.select(duels).where(duels.c.room == code)
    rows = await connection.execute(query.order_by(duels.c.room_round, duels.c.pupil1))
    games = [
        ClassGame(row.name, row.room_round, (row.pupil1, row.pupil2), row.over, row.champion)
        for row in rows
    ]
    return room._replace(pairings=tuple(games))


async def _write_games(connection: AsyncConnection, before: Room, after: Room) -> None:
    """Add the new games, and let removed pupils leave theirs."""
    removed = {one.number for one in before.pupils} - {one.number for one in after.pupils}
    seats = ((game, seat) for game in before.pairings for seat in (1, 2))
    for game, seat in seats:
        if game.seats[seat - 1] in removed:
            if not game.over:
                await leave(connection, game.duel, seat)
            nobody = {f"name{seat}": None, f"seat{seat}": NO_HOLDER}
            change = sa.update(duels).where(duels.c.name == game.duel).values(nobody)
            await connection.execute(change)
    rows = []
    for game in after.pairings[len(before.pairings) :]:
        row = duel_row(DuelRecord(game.duel, after.terms_of(game)))
        one, two = game.seats
        rows.append({**row, "room_round": game.round, "pupil1": one, "pupil2": two})
    if rows:
        await connection.execute(sa.insert(duels), rows)
