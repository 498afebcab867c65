"""The store of uploaded records in the database; its interface is RecordStore."""

from __future__ import annotations

import sqlalchemy as sa

from numduel.web.database.database import Database
from numduel.web.database.tables import records


class SqlRecordStore:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, name: str, text: str) -> None:
        await self.database.insert(records, {"name": name, "body": text})

    async def load(self, name: str) -> str | None:
        query = sa.select(records.c.body).where(records.c.name == name)
        return await self.database.read(lambda connection: connection.scalar(query))
