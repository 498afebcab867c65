"""The file of an SQLite database, which somebody may delete or replace while it is open.

Whoever has it open would go on to read and write what nobody else will ever find.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from numduel.play.private import make_folder, opener

_SEEN = "numduel file"  # where a connection notes which file it has opened

Identity = tuple[int, int]


class File:
    """Where the file is, and which one it is."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def of(cls, url: URL) -> File:
        """The file that an address names, as a path or as a URI."""
        name = url.database or ""
        is_uri = bool(url.query.get("uri"))
        return cls(Path(url2pathname(urlsplit(name).path) if is_uri else name).absolute())

    def create(self) -> None:
        """An empty file for its owner alone, if there is none; SQLite says what is wrong.

        A file that is there is not opened: to close it would be to let go of SQLite's locks on it.
        """
        with suppress(OSError), open(self.path, "xb", opener=opener):
            pass

    @property
    def identity(self) -> Identity | None:
        """Which file it is that is found there; None: there is none, or none to be seen."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def follow(self, engine: AsyncEngine) -> None:
        """Let connections note what they have opened, and open what was put in its place."""

        def note(_: Any, record: Any) -> None:
            record.info[_SEEN] = self.identity

        def renew(_: Any, record: Any, __: Any) -> None:
            if self.identity not in (None, record.info[_SEEN]):
                raise sa.exc.DisconnectionError

        sa.event.listen(engine.sync_engine, "connect", note)
        sa.event.listen(engine.sync_engine, "checkout", renew)

    def is_open_by(self, info: dict[Any, Any]) -> bool:
        """Whether the connection of that info has opened what is found there now."""
        return bool(info[_SEEN] == self.identity)

    async def write_back(self, connection: AsyncConnection) -> None:
        """Put the file that was deleted under the connection, with all that is in it, back.

        Nobody loses what was acknowledged: that was in the file before it was deleted. A file that
        is there, from another process or by hand, stays.
        """
        make_folder(self.path.parent)
        with suppress(Timeout), FileLock(f"{self.path}.lock", timeout=0, mode=0o600):
            if self.identity is not None:
                return
            part = self.path.with_name(f".{self.path.name}.{os.getpid()}")
            part.unlink(missing_ok=True)
            try:
                with open(part, "xb", opener=opener) as file:
                    await connection.exec_driver_sql("VACUUM INTO ?", (str(part),))
                    os.fsync(file.fileno())
                for end in ("-wal", "-shm"):  # which would be taken for those of the new file
                    self.path.with_name(self.path.name + end).unlink(missing_ok=True)
                os.link(part, self.path)
            finally:
                part.unlink(missing_ok=True)
            _sync(self.path.parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
