"""Attacks by what is expensive to compute or to store: exact answers, long games, large boards."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from itertools import cycle

from benchmarks.siege.attack import Target, attack

FILLING_SECONDS = 60  # how long duels are opened
SIZE, CLAIMS = 10_000, 2_000
DUELS, DUELS_PER_ADDRESS = 2_000, 100  # fewer than an address may open at once


@attack("postgresql")
async def solve(target: Target) -> str:
    """Requests for exact answers, for operations +1,+2,x2 and targets of 99,999,000 + k."""
    answers: Counter[int] = Counter()
    asked = iter(range(10**6))

    async def ask(address: int) -> None:
        settings = {"operations": "+1,+2,x2", "target": 99_999_000 + next(asked)}
        question = {"game": "operation-duel", "settings": settings}
        answer = await target.host(address).post_json("/api/solve", question, timeout=40.0)
        answers[answer.status] += 1

    target.begin()
    await asyncio.gather(*(target.repeat(lambda n=n: ask(n)) for n in range(3)))  # type: ignore[misc]
    return f"answers {dict(answers)}"


async def _play_long_game(target: Target) -> str:
    """Play a duel of 2,000 claims, none of which divides another, and return its name."""
    addresses = cycle(range(50))
    opened = await target.host(next(addresses)).open_duel("divisor-line", {"size": SIZE})
    name, secrets = opened["name"], opened["secrets"]
    for at in range(target.amount(200, CLAIMS) - 1):
        answer = await target.host(next(addresses)).post_json(
            f"/api/duels/{name}/move",
            {"move": SIZE // 2 + 1 + at, "at": at},
            authorization=f"Bearer {secrets[str(at % 2 + 1)]}",
        )
        assert answer.status == 200, answer
    return str(name)


@attack("sqlite")
async def long_pages(target: Target) -> str:
    """Requests for a position near the end of a game of 2,000 claims on 10,000 numbers."""
    name, look_at = await _play_long_game(target), target.amount(200, CLAIMS) - 2
    answers: Counter[int] = Counter()
    addresses = cycle(range(20))

    async def look() -> None:
        host = target.host(next(addresses))
        answers[(await host.get(f"/game/{name}?look={look_at}")).status] += 1

    target.begin()
    await asyncio.gather(*(target.repeat(look) for _ in range(4)))
    return f"answers {dict(answers)}"


@attack("postgresql")
async def big_duels(target: Target) -> str:
    """2,000 duels of 10,000 numbers, each with a move and a page view."""
    answers: Counter[int] = Counter()

    end = time.monotonic() + target.amount(5, FILLING_SECONDS)

    async def fill(address: int) -> None:
        host = target.host(address)
        for _ in range(DUELS_PER_ADDRESS):
            if time.monotonic() > end:
                return
            asked = {"game": "multiplicity", "settings": {"size": SIZE}}
            answer = await host.post_json("/api/duels", asked)
            answers[answer.status] += 1
            if answer.status == 201:
                opened = answer.json()
                bearer = f"Bearer {opened['secrets']['1']}"
                path = f"/api/duels/{opened['name']}/move"
                await host.post_json(path, {"move": 100}, authorization=bearer)
                await host.get(f"/game/{opened['name']}")

    await asyncio.gather(*(fill(n) for n in range(DUELS // DUELS_PER_ADDRESS)))
    target.begin()
    await target.rest()
    return f"answers {dict(answers)}"
