"""Attacks by numbers: many streams, and a flood from an address that others share."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import suppress

from benchmarks.siege.attack import Target, attack
from benchmarks.siege.wire import REQUEST_TIMEOUT_SECONDS, Host, stream_lines

ARRIVAL_SECONDS = 30.0
STREAMS_PER_ADDRESS = 140  # fewer than the server allows
FLOOD_CONNECTIONS = 900


async def _streams(target: Target, count: int, duel: str) -> str:
    answers: Counter[str] = Counter()

    async def watch(host: Host) -> None:
        while True:
            status = "nothing"
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                async for line in stream_lines(host, f"/game/{duel}/events", {}):
                    if status == "nothing":
                        status = line
                        answers[status] += 1
                        if status != "200":
                            break
            answers["nothing"] += status == "nothing"
            await asyncio.sleep(1)

    watching = []
    for number in range(count):
        watching.append(asyncio.create_task(watch(target.host(number // STREAMS_PER_ADDRESS))))
        if number % 50 == 49:
            await asyncio.sleep(0.1)  # a crowd does not arrive all at once
    end = time.monotonic() + ARRIVAL_SECONDS
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
    """2,000 streams of another duel, the maximum of a process."""
    opened = await target.host(900).open_duel("divisor-duel", {})
    return await _streams(target, target.amount(600, 2_000), opened["name"])


@attack("sqlite")
async def flooder(target: Target) -> str:
    """A flood from the address of a whole school, over more connections than are allowed."""
    answers: Counter[str] = Counter()
    text = b"HEAD /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    async def flood() -> None:
        """Send requests as fast as they are answered, on one connection."""
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async with target.host(0).connect() as (reader, writer):
                while target.seconds_left > 0:
                    writer.write(text)
                    async with asyncio.timeout(REQUEST_TIMEOUT_SECONDS):
                        answers[(await reader.readuntil(b"\r\n\r\n"))[9:12].decode()] += 1

    target.begin()
    await asyncio.gather(*(target.repeat(flood, pause=0.2) for _ in range(FLOOD_CONNECTIONS)))
    return f"answers {dict(answers)}"
