"""The longest chains of class rooms in the database."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from numduel.play.chain import Chain, parse
from numduel.web.classes.chains import Chains
from numduel.web.data.database import chains
from numduel.web.data.store import touch


async def put(connection: AsyncConnection, code: str, size: int) -> None:
    """Let the class make chains on a board of that size; 0: no more. Those before are gone."""
    await touch(connection, code, chain=size)
    await connection.execute(sa.delete(chains).where(chains.c.room == code))


async def keep(connection: AsyncConnection, code: str, pupil: int, chain: Chain, at: int) -> None:
    """Keep a pupil's longest chain, in place of the one before; `at` tells which was made first."""
    theirs = (chains.c.room == code) & (chains.c.pupil == pupil)
    await connection.execute(sa.delete(chains).where(theirs))
    row = {"room": code, "pupil": pupil, "made": at, "numbers": chain.text}
    await connection.execute(sa.insert(chains), row)


async def read(
    connection: AsyncConnection, code: str, size: int, pupils: set[int]
) -> Chains | None:
    """The longest chains of those pupils; None where the class makes none."""
    if not size:
        return None
    query = sa.select(chains).where(chains.c.room == code).order_by(chains.c.made)
    made = await connection.execute(query)
    return Chains(
        size, {row.pupil: parse(size, row.numbers) for row in made if row.pupil in pupils}
    )
