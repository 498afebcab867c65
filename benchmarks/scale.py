"""Measures what a player costs in processor time and memory: `python -m benchmarks.scale`.

Processor time does not depend on what else is running. docs/scale.md draws the conclusions.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.siege.hour import Pair
from benchmarks.siege.players import Measurements, Solo, percentile
from benchmarks.siege.server import Postgres, Server, running, running_postgres
from benchmarks.siege.wire import Host, stream_lines

SECONDS = 60.0
PLAYERS, SOLO, IDLE = 60, 10, 400  # who play each other, play the computer, and only watch
TICK = os.sysconf("SC_CLK_TCK")


def processor(pids: list[int]) -> float:
    """Return the seconds of processor time that these processes have used in all threads."""
    total = 0.0
    for pid in pids:
        used = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        total += sum(map(int, used)) / TICK
    return total


def memory(pid: int) -> float:
    """Return the proportional set size of a process in MB."""
    lines_ = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines_ if line.startswith("Pss:")) / 2**10


async def measure(server: Server, postgres: Postgres) -> None:
    """Let people play, and print what it has cost."""
    chance = Random(7)
    hosts = [Host(server.port, f"127.2.0.{n + 1}") for n in range(PLAYERS + SOLO)]
    serving = [one.pid for one in server.serving]
    empty = sum(map(memory, serving))
    opened = await hosts[0].open_duel("divisor-duel", {})

    async def watch(number: int) -> None:
        host = Host(server.port, f"127.3.{number // 100}.1")
        async for _ in stream_lines(host, f"/game/{opened['name']}/events", {}):
            pass

    watching = [asyncio.create_task(watch(number)) for number in range(IDLE)]
    await asyncio.sleep(15)
    full = sum(map(memory, serving))
    print(f"a stream: {(full - empty) / IDLE * 2**10:.0f} kB")
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)

    pairs = [Pair(hosts[n : n + 2], chance) for n in range(0, PLAYERS, 2)]
    before, base = processor(serving), processor(database(postgres))
    begun = time.monotonic()
    playing = [asyncio.create_task(pair.play()) for pair in pairs]
    await asyncio.sleep(SECONDS)
    taken = time.monotonic() - begun
    moves = Measurements([], [], [])
    for pair in pairs:
        moves.merge(pair.measured)
    used, stored = processor(serving) - before, processor(database(postgres)) - base
    count = len(moves.moves)
    print(
        f"{PLAYERS} players, {count / taken:.1f} moves a second: {used / count * 1000:.1f} ms of a "
        f"worker and {stored / count * 1000:.1f} ms of PostgreSQL a move, each with two streams; "
        f"half of them within {percentile(moves.moves, 50) * 1000:.0f} ms"
    )
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)

    games = [await Solo.open([host], chance) for host in hosts[PLAYERS:]]
    before = processor(serving)
    thinking = processor([one.pid for one in server.thinking])
    solo = [asyncio.create_task(game.play()) for game in games]
    await asyncio.sleep(SECONDS / 3)
    count = sum(len(game.measured.moves) for game in games)
    used = processor(serving) - before
    thought = processor([one.pid for one in server.thinking]) - thinking
    print(
        f"{SOLO} who play the computer: {used / count * 1000:.1f} ms of a worker and "
        f"{thought / count * 1000:.1f} ms of what computes a move"
    )
    for game in games:
        game.stop()
    await asyncio.gather(*solo)


def database(postgres: Postgres) -> list[int]:
    """Return the processes of PostgreSQL."""
    assert postgres.process is not None
    first = postgres.process.pid
    children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    return [first, *map(int, children)]


def main() -> None:
    """Start a server on PostgreSQL, and measure."""
    with (
        TemporaryDirectory(prefix="scale-") as folder,
        running_postgres() as postgres,
        running(Server(Path(folder), postgres.url, 2)) as server,
    ):
        asyncio.run(measure(server, postgres))


if __name__ == "__main__":
    main()
