"""What is stored in the browser: duels, uploaded records and cookies, each as text under a key."""

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

MAX_STORED_DUELS = 300
"""Maximum number of duels. A further one replaces the oldest."""

MAX_COOKIES = 1_000

_DUEL, _RECORD, _COOKIES = "duel/", "record/", "cookies"


class StorageFull(RequestError):
    """The browser has no room left for what should be stored."""

    status = HTTPStatus.INSUFFICIENT_STORAGE


class Storage(Protocol):
    """Texts by key. `static/storage.js` implements it in the browser."""

    async def get(self, key: str) -> str | None:
        """Return the text under a key; None if there is none."""

    async def put(self, key: str, text: str) -> bool:
        """Store a text. Return False if there is no room for it."""

    async def delete(self, key: str) -> None:
        """Delete the text under a key."""

    async def keys(self, prefix: str) -> list[str]:
        """Return the keys with this prefix."""


class MemoryStorage:
    """A Storage in memory."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.max_characters = float("inf")

    async def get(self, key: str) -> str | None:
        return self.texts.get(key)

    async def put(self, key: str, text: str) -> bool:
        fits = sum(map(len, ({**self.texts, key: text}).values())) <= self.max_characters
        if fits:
            self.texts[key] = text
        return fits

    async def delete(self, key: str) -> None:
        self.texts.pop(key, None)

    async def keys(self, prefix: str) -> list[str]:
        return [key for key in self.texts if key.startswith(prefix)]


class BrowserDuelStore:
    """The duels in a browser: see DuelStore. A text has the terms, and then an event a line."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self._write_lock = asyncio.Lock()

    async def create(self, duel: DuelRecord) -> None:
        terms = duel.terms
        first = {"setup": dump_setup(terms.setup), "seats": terms.seats, "coach": terms.coach}
        surplus = len(await self.storage.keys(_DUEL)) - MAX_STORED_DUELS + 1
        if surplus > 0:
            await self._delete_oldest(duel.name, surplus)
        await self._put(duel.name, json.dumps(first))

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
        async with self._write_lock:
            lines = await self._lines(duel.name)
            if len(lines) != duel.version:  # one line for the terms and one for each earlier event
                return False
            await self._put(duel.name, "\n".join([*lines, dump(duel.latest)]))
            return True

    async def take_seat(
        self, name: str, seat: int, hash_: str, new_hash: str, called: str | None
    ) -> bool:
        return False  # nobody else can open this duel

    async def _lines(self, name: str) -> list[str]:
        return (await self.storage.get(_DUEL + name) or "").splitlines()

    async def _put(self, name: str, text: str) -> None:
        """Store a duel, if necessary in place of older ones. Raises StorageFull if that fails."""
        if not await self.storage.put(_DUEL + name, text):
            count = len(await self.storage.keys(_DUEL))
            await self._delete_oldest(name, (count + 1) // 2)
            if not await self.storage.put(_DUEL + name, text):
                raise StorageFull("This browser has no room left, so this was not saved.")

    async def _delete_oldest(self, spared: str, count: int) -> None:
        """Delete the oldest duels except for one, and before them duels that cannot be read."""
        dated_keys = []
        for key in await self.storage.keys(_DUEL):
            lines = await self._lines(key.removeprefix(_DUEL))
            if lines and key != _DUEL + spared:
                started = ""
                with suppress(NumduelError):  # of a game that is no longer registered
                    started = _terms(lines[0]).setup.started
                dated_keys.append((started, key))
        for _, key in sorted(dated_keys)[:count]:
            await self.storage.delete(key)


def _terms(line: str) -> Terms:
    fields = json.loads(line)
    one, two = fields["seats"]
    return Terms(load_setup(fields["setup"]), (one, two), fields["coach"])


class BrowserRecordStore:
    """The uploaded records in a browser: see RecordStore."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    async def add(self, name: str, text: str) -> None:
        if not await self.storage.put(_RECORD + name, text):
            raise StorageFull("This browser has no room left for that record.")

    async def load(self, name: str) -> str | None:
        return await self.storage.get(_RECORD + name)


class CookieJar:
    """The cookies that the pages set, because a service worker cannot pass them to the browser."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self._values: dict[str, str] | None = None  # by path and name

    async def header(self, path: str) -> str:
        """Return the Cookie header of a request to this path."""
        pairs = []
        for key, value in (await self._loaded()).items():
            below, name = key.split()
            if path == below or path.startswith(f"{below.rstrip('/')}/"):
                pairs.append(f"{name}={value}")
        return "; ".join(pairs)

    async def store(self, headers: list[str]) -> None:
        """Store the cookies of Set-Cookie headers. Raises StorageFull if there is no room."""
        values = await self._loaded()
        for header in headers:
            pair, *parts = header.split("; ")
            attributes = dict(part.partition("=")[::2] for part in parts)
            name, _, value = pair.partition("=")
            key = f"{attributes.get('Path', '/')} {name}"
            values.pop(key, None)  # the newest has to be the last
            values[key] = value
        for key in [*values][:-MAX_COOKIES]:
            del values[key]
        if headers and not await self.storage.put(_COOKIES, json.dumps(values)):
            raise StorageFull("This browser has no room left to remember that.")

    async def _loaded(self) -> dict[str, str]:
        if self._values is None:
            self._values = json.loads(await self.storage.get(_COOKIES) or "{}")
        return self._values
