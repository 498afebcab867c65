"""The room service: codes, names and secrets."""

import asyncio

import pytest
from tests.web.rooms.samples import SETUP

from numduel.core.errors import SettingsError
from numduel.web.errors import Missing
from numduel.web.identity import SERVER, Client, hash_secret
from numduel.web.rooms.service import RoomService


class MemoryRooms:
    """The smallest RoomStore."""

    def __init__(self):
        self.rooms = {}

    async def create(self, room):
        return room.code not in self.rooms and bool(self.rooms.setdefault(room.code, room))

    async def read(self, code):
        if code not in self.rooms:
            raise Missing("no room")
        return self.rooms[code]

    async def progress(self, code):
        return (await self.read(code)).progress

    async def update(self, code, change):
        self.rooms[code] = change(await self.read(code))

    async def delete(self, code):
        self.rooms.pop(code, None)


@pytest.fixture
def rooms():
    return RoomService(MemoryRooms(), None)


def test_a_code_that_is_taken_is_not_used_again(rooms, monkeypatch):
    codes = iter(["AAAAA", "AAAAA", "BBBBB"])
    monkeypatch.setattr("numduel.web.rooms.service.new_code", lambda: next(codes))

    async def work():
        return [(await rooms.open(SETUP, coach=True))[0] for _ in range(2)]

    assert asyncio.run(work()) == ["AAAAA", "BBBBB"]


def test_a_pupil_joins_with_a_normalized_name_and_a_secret_of_their_own(rooms):
    async def work():
        code, _ = await rooms.open(SETUP, coach=True)
        ticket = (await rooms.store.read(code)).ticket
        secret = await rooms.join(code, "  Mia   Lou ", ticket)
        room = await rooms.store.read(code)
        assert room.pupil(hash_secret(secret)).name == "Mia Lou"
        assert room.coach and room.setup == SETUP
        for name in ("", "  ", "A" * 21, "A\x00da", "Аda"):
            with pytest.raises(SettingsError):
                await rooms.join(code, name)
        with pytest.raises(Missing):
            await rooms.join(code, "Max", "wrong")
        assert len((await rooms.store.read(code)).pupils) == 1

    asyncio.run(work())


def test_a_client_who_enters_a_room_proves_a_secret_of_it(rooms):
    async def work():
        code, secret = await rooms.open(SETUP)
        pupil = await rooms.join(code, "Tom")
        for known in (secret, pupil):
            client = Client("", [hash_secret(known), hash_secret("guessed")])
            assert (await rooms.enter(code, client)).code == code
            assert client.proven == {(code, hash_secret(known))}
        await rooms.store.delete(code)
        with pytest.raises(Missing):
            await rooms.enter(code, SERVER)

    asyncio.run(work())
