"""What the browser keeps: duels, uploaded records and cookies, each a text under a key."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from http import HTTPStatus
from typing import Protocol

from numduel.core.errors import NumduelError
from numduel.play.event import dump
from numduel.play.setup import dump_setup, load_setup
from numduel.web.duels.record import DuelRecord, Terms, load_events
from numduel.web.duels.service import Changes
from numduel.web.errors import RequestError

MAX_KEPT_GAMES = 300
"""Maximum number of games that are kept; beyond it the oldest are deleted."""

MAX_COOKIES = 1_000

_DUEL, _RECORD, _COOKIES = "duel/", "record/", "cookies"


class StorageFull(RequestError):
    """The browser has no room left for what was to be kept."""

    status = HTTPStatus.INSUFFICIENT_STORAGE


class Storage(Protocol):
    """Texts by key. The one in the browser is in `static/storage.js`."""

    async def get(self, key: str) -> str | None:
        """Return the text under a key; None if there is none."""

    async def put(self, key: str, text: str) -> bool:
        """Keep a text; return False if there is no room for it."""

    async def delete(self, key: str) -> None:
        """Delete the text under a key."""

    async def keys(self, prefix: str) -> list[str]:
        """Return the keys with that prefix."""


class MemoryStorage:
    """A Storage that lasts as long as the process; `room` bounds the characters in it."""

    def __init__(self, room: float = float("inf")) -> None:
        self.texts: dict[str, str] = {}
        self.room = room

    async def get(self, key: str) -> str | None:
        return self.texts.get(key)

    async def put(self, key: str, text: str) -> bool:
        fits = sum(map(len, ({**self.texts, key: text}).values())) <= self.room
        if fits:
            self.texts[key] = text
        return fits

    async def delete(self, key: str) -> None:
        self.texts.pop(key, None)

    async def keys(self, prefix: str) -> list[str]:
        return [key for key in self.texts if key.startswith(prefix)]


class BrowserDuelStore:
    """The duels of a browser: see DuelStore. A duel is a text: its terms, then an event a line."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self._writing = asyncio.Lock()

    async def create(self, duel: DuelRecord) -> None:
        terms = duel.terms
        first = {"setup": dump_setup(terms.setup), "seats": terms.seats, "coach": terms.coach}
        more = len(await self.storage.keys(_DUEL)) - MAX_KEPT_GAMES + 1
        if more > 0:
            await self._delete_oldest(duel.name, more)
        await self._keep(duel.name, json.dumps(first))

    async def load(self, name: str) -> DuelRecord | None:
        lines = await self._lines(name)
        if not lines:
            return None
        return await DuelRecord.replayed(name, _terms(lines[0]), lines[1:])

    async def changes_since(self, name: str, version: int) -> Changes | None:
        lines = await self._lines(name)
        if not lines:
            return None
        terms = _terms(lines[0])
        log = await load_events(lines[1 + version :])
        return Changes(log, terms.seats, terms.setup.names)

    async def append(self, duel: DuelRecord, round_ended: bool) -> bool:
        assert duel.latest is not None
        async with self._writing:
            lines = await self._lines(duel.name)
            if len(lines) != duel.version:  # with the terms, one more than the events so far
                return False
            await self._keep(duel.name, "\n".join([*lines, dump(duel.latest)]))
            return True

    async def take_seat(
        self, name: str, seat: int, hash_: str, new_hash: str, called: str | None
    ) -> bool:
        return False  # nobody else comes here

    async def _lines(self, name: str) -> list[str]:
        return (await self.storage.get(_DUEL + name) or "").splitlines()

    async def _keep(self, name: str, text: str) -> None:
        """Keep a duel; raises StorageFull if older ones do not make room for it."""
        if not await self.storage.put(_DUEL + name, text):
            games = len(await self.storage.keys(_DUEL))
            await self._delete_oldest(name, (games + 1) // 2)
            if not await self.storage.put(_DUEL + name, text):
                raise StorageFull("This browser has no room left, so that was not kept.")

    async def _delete_oldest(self, besides: str, count: int) -> None:
        """Delete those of the other games that began first, before them those of absent games."""
        begun = []
        for key in await self.storage.keys(_DUEL):
            lines = await self._lines(key.removeprefix(_DUEL))
            if lines and key != _DUEL + besides:
                started = ""
                with suppress(NumduelError):
                    started = _terms(lines[0]).setup.started
                begun.append((started, key))
        for _, key in sorted(begun)[:count]:
            await self.storage.delete(key)


def _terms(line: str) -> Terms:
    fields = json.loads(line)
    one, two = fields["seats"]
    return Terms(load_setup(fields["setup"]), (one, two), fields["coach"])


class BrowserRecordStore:
    """The uploaded records of a browser: see RecordStore."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    async def add(self, name: str, text: str) -> None:
        if not await self.storage.put(_RECORD + name, text):
            raise StorageFull("This browser has no room left for that record.")

    async def load(self, name: str) -> str | None:
        return await self.storage.get(_RECORD + name)


class CookieJar:
    """The cookies that the pages set, which a script may not hand to the browser."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self._values: dict[str, str] | None = None  # by path and name

    async def header(self, path: str) -> str:
        """Return the Cookie header of a request to that path."""
        pairs = []
        for key, value in (await self._loaded()).items():
            below, name = key.split()
            if path == below or path.startswith(f"{below.rstrip('/')}/"):
                pairs.append(f"{name}={value}")
        return "; ".join(pairs)

    async def take(self, headers: list[str]) -> None:
        """Keep what Set-Cookie headers say; raises StorageFull."""
        values = await self._loaded()
        for text in headers:
            pair, *attributes = text.split("; ")
            given = dict(one.partition("=")[::2] for one in attributes)
            name, _, value = pair.partition("=")
            key = f"{given.get('Path', '/')} {name}"
            values.pop(key, None)  # so that the latest is the last
            values[key] = value
        for key in [*values][:-MAX_COOKIES]:
            del values[key]
        if headers and not await self.storage.put(_COOKIES, json.dumps(values)):
            raise StorageFull("This browser has no room left to remember that.")

    async def _loaded(self) -> dict[str, str]:
        if self._values is None:
            self._values = json.loads(await self.storage.get(_COOKIES) or "{}")
        return self._values
