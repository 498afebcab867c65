"""Attacks on the reading of requests: by requests that are cheap to send and expensive to parse."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from itertools import cycle

from benchmarks.siege.attack import Target, attack
from benchmarks.siege.wire import Host, request

CONNECTIONS = 1_100
HALF_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "


def _format_answers(answers: Counter[int]) -> str:
    return ", ".join(
        f"{count} × {status or 'nothing'}" for status, count in sorted(answers.items())
    )


@attack("sqlite")
async def parsing(target: Target) -> str:
    """Expensive parsing: a cookie of backslashes, 450,000 numbers, 64,000 chunks, headers."""
    answers: Counter[int] = Counter()
    addresses = cycle(range(50))
    get, json = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n", "application/json"
    post = get.replace(b"GET /", b"POST /api/solve").replace(
        b"Connection", b"Content-Type: " + json.encode() + b"\r\nConnection"
    )
    texts = [
        get + b'Cookie: seat="' + b"\\\\" * 30_000 + b'"\r\n\r\n',
        request("/api/analyze", b"[" + b",".join([b"1"] * 450_000) + b"]", {"content-type": json}),
        request("/api/analyze", b"[" + b",".join([b"1"] * 30_000) + b"]", {"content-type": json}),
        post + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 64_000 + b"0\r\n\r\n",
        get + b"a:b\r\n" * 12_800 + b"\r\n",
    ]

    async def send(text: bytes) -> None:
        answers[(await target.host(next(addresses)).send(text)).status] += 1

    target.begin()
    await asyncio.gather(*(target.repeat(lambda text=text: send(text)) for text in texts * 2))  # type: ignore[misc]
    return _format_answers(answers)


async def _hold_half_head(host: Host, answers: Counter[str], target: Target) -> None:
    """Send a head byte by byte, and open another connection when this one is closed."""
    while target.seconds_left > 0:
        try:
            async with asyncio.timeout(5):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", host.port, local_addr=(host.address, 0)
                )
        except (OSError, TimeoutError):
            answers["not opened"] += 1
            await asyncio.sleep(1)
            continue
        answers["opened"] += 1
        writer.write(HALF_HEAD)
        with suppress(OSError, TimeoutError):
            while target.seconds_left > 0 and not reader.at_eof():
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(2, max(0.01, target.seconds_left))):
                        if not await reader.read(1000):
                            break
                writer.write(b"x")
        answers["closed by the server"] += target.seconds_left > 0
        writer.transport.abort()
        await asyncio.sleep(0.2)


async def _hold_many(target: Target, addresses: int) -> str:
    answers: Counter[str] = Counter()
    target.begin()
    await asyncio.gather(
        *(_hold_half_head(target.host(n % addresses), answers, target) for n in range(CONNECTIONS))
    )
    return ", ".join(f"{count:,} {what}" for what, count in answers.items())


@attack("sqlite", files=1024)
async def half_headers(target: Target) -> str:
    """1,100 connections with half a header, from one address; the server may open 1,024 files."""
    return await _hold_many(target, 1)


@attack("sqlite", files=1024)
async def half_headers_spread(target: Target) -> str:
    """The same, from 1,100 addresses."""
    return await _hold_many(target, CONNECTIONS)


@attack("postgresql")
async def slow_bodies(target: Target) -> str:
    """500 posts with only the first byte of the body, from an address that players share."""
    closed = 0

    async def hold() -> None:
        nonlocal closed
        path = f"/api/duels/{target.duels[0]}/move"
        text = request(path, b"{" * 100, {"content-type": "application/json"})[:-99]
        while target.seconds_left > 0:
            with suppress(OSError, TimeoutError):
                async with (
                    asyncio.timeout(target.seconds_left),
                    target.host(0).connect() as (reader, writer),
                ):
                    writer.write(text)
                    await reader.read()
                    closed += 1
            await asyncio.sleep(0.5)

    target.begin()
    await asyncio.gather(*(hold() for _ in range(500)))
    return f"{closed:,} closed by the server"
