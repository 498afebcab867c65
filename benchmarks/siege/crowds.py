"""Attacks by number: watchers, streams, and one who floods from where others play."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import suppress

from benchmarks.siege.attack import Target, attack
from benchmarks.siege.wire import PATIENCE, Host, lines

COMING = 30.0  # seconds in which a crowd comes
EACH = 140  # streams of one address: fewer than may watch from there
FLOODING = 900  # connections


async def _streams(target: Target, count: int, duel: str) -> str:
    answers: Counter[str] = Counter()

    async def watch(host: Host) -> None:
        while True:
            status = "nothing"
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                async for line in lines(host, f"/game/{duel}/events", {}):
                    if status == "nothing":
                        status = line
                        answers[status] += 1
                        if status != "200":
                            break
            answers["nothing"] += status == "nothing"
            await asyncio.sleep(1)

    watching = []
    for number in range(count):
        watching.append(asyncio.create_task(watch(target.host(number // EACH))))
        if number % 50 == 49:
            await asyncio.sleep(0.1)  # a crowd comes over seconds, not in one
    end = time.monotonic() + COMING
    while answers.total() < count and time.monotonic() < end:
        await asyncio.sleep(0.1)
    target.begin()
    await target.rest()
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    return f"answers {dict(answers)}"


@attack("postgresql")
async def streams(target: Target) -> str:
    """2,000 streams of another duel: as many as a process has."""
    opened = await target.host(900).open_duel("divisor-duel", {})
    return await _streams(target, target.many(600, 2_000), opened["name"])


@attack("sqlite")
async def flooder(target: Target) -> str:
    """One who floods from the address of a whole school, by more connections than it may have."""
    answers: Counter[str] = Counter()
    text = b"HEAD /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    async def flood() -> None:
        """As fast as it is answered, on a connection that is kept."""
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async with target.host(0).connect() as (reader, writer):
                while target.left > 0:
                    writer.write(text)
                    async with asyncio.timeout(PATIENCE):
                        answers[(await reader.readuntil(b"\r\n\r\n"))[9:12].decode()] += 1

    target.begin()
    await asyncio.gather(*(target.repeat(flood, pause=0.2) for _ in range(FLOODING)))
    return f"answers {dict(answers)}"
