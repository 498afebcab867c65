"""Attacks on shared resources: whatever one visitor uses, the others must be served in time."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random
from typing import Any

import numduel
from benchmarks.siege.attack import Target, attack
from benchmarks.siege.classes import Room, join, open_room, ticket_of
from benchmarks.siege.players import percentile
from benchmarks.siege.wire import REQUEST_TIMEOUT_SECONDS, Answer, Host, head, stream_lines

CLIENTS = 10
CONNECTIONS = 16  # of one visitor
MAX_BURST_REQUESTS, MAX_REQUESTS_PER_SECOND = 600, 60  # the rate limit of an address
PUPILS = 100
PAGES, PAGES_PER_ADDRESS = 900, 100
OPENING_TIMEOUT_SECONDS = 120  # until all pages of an attack must be open


async def measure_times(
    target: Target, ask: Callable[[], Awaitable[object]], pause: float
) -> list[float]:
    """Ask repeatedly, with a pause. Return how long each answer took, in seconds."""
    times = []
    while target.seconds_left > 0:
        begun = time.perf_counter()
        await ask()
        times.append(time.perf_counter() - begun)
        await asyncio.sleep(pause)
    return times


def format_times(times: list[float]) -> str:
    """Return the number of times, their median and their 95th percentile as text."""
    median, p95 = percentile(times, 50), percentile(times, 95)
    return f"{len(times)} others: {median * 1000:.0f} ms in the median, {p95 * 1000:.0f} at 95 %"


@attack("postgresql")
async def thinking(target: Target) -> str:
    """Ten visitors open games against the perfect player which take seconds to refuse."""
    answers: Counter[int] = Counter()
    numbers = iter(range(10**6))

    async def ask(address: int) -> None:
        settings = {"operations": "+1,x2,x3", "target": 10**300 + next(numbers)}
        game = {"game": "operation-duel", "settings": settings, "players": ["human", "perfect"]}
        answers[(await target.host(address).post_json("/api/duels", game)).status] += 1

    target.begin()
    await asyncio.gather(*(target.repeat(lambda n=n: ask(n)) for n in range(CLIENTS)))  # type: ignore[misc]
    return f"answers {dict(answers)}"


@attack("sqlite")
async def reloads(target: Target) -> str:
    """Long games are analyzed, one of them repeatedly, while others open puzzles."""
    size, claims = 10_000, 2_000
    record = {
        "format": "numduel-record/1",
        "game": "divisor-line",
        "settings": {"size": size, "goal": "pair"},
        "players": ["human", "human"],
        "first": 1,
        "moves": [size // 2 + 1 + at for at in range(claims)],
        "outcome": None,
        "started": "2026-01-01T00:00:00+00:00",
    }
    answers: Counter[int] = Counter()
    asked, numbers = iter(range(10**6)), iter(range(10**6))

    async def upload(address: int) -> None:
        moves = record["moves"][address and next(asked) % 100 :]  # type: ignore[index]
        answer = await target.host(address).post_json("/api/analyze", {**record, "moves": moves})
        answers[answer.status] += 1

    async def look() -> None:
        answer = await target.host(99).get(f"/puzzle/divisor-line/{1 + next(numbers)}")
        answers[answer.status] += 1

    target.begin()
    uploading = [target.repeat(lambda n=n: upload(n), 0.1) for n in range(4)]  # type: ignore[misc]
    times, *_ = await asyncio.gather(measure_times(target, look, 0.3), *uploading)
    target.expect_soon(times)
    return f"answers {dict(answers)}; puzzles of {format_times(times)}"


@attack("sqlite")
async def hoarder(target: Target) -> str:
    """One visitor has 60 games, 300 streams and 150 watchers, while a classmate opens a game."""
    host = target.host(0)
    opened = [await host.open_duel("divisor-duel", {}) for _ in range(60)]
    answers: Counter[str] = Counter()

    async def hold(duel: dict[str, str], plays: bool = True) -> None:
        cookie = {"cookie": f"seat={duel['secrets']['1']}"} if plays else {}  # type: ignore[index]
        while True:
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                async for line in stream_lines(host, f"/game/{duel['name']}/events", cookie):
                    if line.isdigit():
                        answers[line] += 1
                        if line != "200":
                            break
            await asyncio.sleep(1)

    holding = [asyncio.create_task(hold(duel)) for duel in opened for _ in range(5)]
    holding += [asyncio.create_task(hold(opened[0], plays=False)) for _ in range(150)]
    async with asyncio.timeout(OPENING_TIMEOUT_SECONDS):
        while answers["200"] < 430:
            await asyncio.sleep(0.1)
    target.begin()
    times, got = [], Counter[str]()
    while target.seconds_left > 0:
        begun = time.perf_counter()
        duel = await host.open_duel("divisor-duel", {})
        cookie = {"cookie": f"seat={duel['secrets']['1']}"}
        status = "nothing"
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async for line in stream_lines(host, f"/game/{duel['name']}/events", cookie):
                status = line
                break
        got[status] += 1
        times.append(time.perf_counter() - begun)
        await asyncio.sleep(0.5)
    for task in holding:
        task.cancel()
    await asyncio.gather(*holding, return_exceptions=True)
    target.expect({*got} == {"200"})
    target.expect_soon(times)
    return f"streams {dict(answers)}; a classmate's {dict(got)}, {format_times(times)}"


@attack("postgresql")
async def clicks(target: Target) -> str:
    """A teacher clicks twice a second while 900 pages of other games are open."""
    room = await open_room(target.host(0))
    lines_heard = Counter[str]()

    async def watch(host: Host, duel: str) -> None:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async for line in stream_lines(host, f"/game/{duel}/events", {}):
                lines_heard[line.partition(":")[0]] += 1

    pages = target.amount(300, PAGES)
    duels = [
        (await target.host(n % 9).open_duel("divisor-duel", {}))["name"] for n in range(pages // 10)
    ]
    watching = [
        asyncio.create_task(
            watch(target.host(number // PAGES_PER_ADDRESS), duels[number % len(duels)])
        )
        for number in range(pages)
    ]
    async with asyncio.timeout(OPENING_TIMEOUT_SECONDS):
        while lines_heard["200"] < pages - 10:
            await asyncio.sleep(0.1)
    target.begin()
    answers: Counter[int] = Counter()
    actions = iter(["lock", "unlock"] * 10**4)

    async def click() -> None:
        answers[(await room.do(next(actions))).status] += 1

    reading = measure_times(target, lambda: target.host(99).get(f"/game/{duels[0]}"), 0.1)
    times, _ = await asyncio.gather(reading, target.repeat(click, 0.5))
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    target.expect_soon(times)
    target.expect({*answers} == {303})
    return f"clicks {dict(answers)}; {format_times(times)}"


@attack("sqlite", "postgresql")
async def rounds(target: Target) -> str:
    """Two teachers begin round after round in rooms of 100 pupils, while /readyz is requested."""
    pupils = target.amount(40, PUPILS)
    rooms = await asyncio.gather(*(_open_full_room(target.host(10 + n), pupils) for n in range(2)))
    answers: Counter[int] = Counter()
    ready: Counter[int] = Counter()

    async def begin(room: Room) -> None:
        number = 1
        while target.seconds_left > 0:
            answer = await room.do("round", timeout=60.0, round=number)
            answers[answer.status] += 1
            number += answer.status == 303
            await asyncio.sleep(0.1)

    async def ask() -> None:
        ready[(await target.host(99).get("/readyz")).status] += 1

    target.begin()
    times, *_ = await asyncio.gather(measure_times(target, ask, 0.2), *map(begin, rooms))
    target.expect(2 * ready[200] > ready.total() if target.short else {*ready} == {200})
    return f"rounds {dict(answers)}; readyz {dict(ready)}, {format_times(times)}"


async def _open_full_room(host: Host, pupils: int) -> Room:
    room = await open_room(host)
    for number in range(pupils):
        answer = await join(host, room.code, f"Pupil {number}")
        assert answer.status == 303, answer
    return room


@attack("sqlite")
async def joining(target: Target) -> str:
    """Twelve connections open games from the address from which pupils join rooms."""
    host = target.host(0)
    rooms = [await open_room(host, screen="on") for _ in range(2)]
    tickets = ["", await ticket_of(rooms[1])]
    answers, joined = Counter[int](), Counter[int]()
    numbers = iter(range(10**6))

    async def flood() -> None:
        answers[(await host.post_json("/api/duels", {"game": "multiplicity"})).status] += 1

    async def come() -> None:
        number = next(numbers)
        room, ticket = rooms[number % 2], tickets[number % 2]
        joined[(await join(host, room.code, f"Pupil {number}", ticket)).status] += 1

    target.begin()
    flooding = (target.repeat(flood) for _ in range(12))
    times, *_ = await asyncio.gather(measure_times(target, come, 0.2), *flooding)
    target.expect({*joined} == {303})
    target.expect_soon(times)
    return f"openings {dict(answers)}; pupils {dict(joined)}, {format_times(times)}"


@attack("postgresql")
async def seats(target: Target) -> str:
    """One visitor plays a hundred games at once, as fast as the server answers."""
    host = target.host(0)
    opened = [await host.open_duel("divisor-duel", {}) for _ in range(100)]
    requests = [
        head("GET", f"/game/{duel['name']}", {"cookie": f"seat={duel['secrets']['1']}"})
        for duel in opened
    ]
    answers: Counter[int] = Counter()
    order = iter(range(10**7))

    async def ask() -> None:
        answer: Answer = await host.send(
            requests[next(order) % len(requests)], REQUEST_TIMEOUT_SECONDS
        )
        answers[answer.status] += 1

    target.begin()
    await asyncio.gather(*(target.repeat(ask) for _ in range(CONNECTIONS)))
    served = answers[200]
    target.expect(
        served <= 2 * (MAX_BURST_REQUESTS + MAX_REQUESTS_PER_SECOND * target.seconds)
    )  # by each of two processes
    return f"answers {dict(answers)}, {served / target.seconds:.0f} a second"


@attack("sqlite")
async def sitters(target: Target) -> str:
    """One visitor plays 60 games against the perfect player, while others play the computer."""
    host, chance, answers = target.host(0), Random(7), Counter[int]()
    game = numduel.new("multiplicity", size=10_000)
    terms = {"players": ["human", "perfect"], "first": "1"}
    opened = [await host.open_duel(game.key, {"size": 10_000}, **terms) for _ in range(60)]

    async def play(duel: dict[str, Any]) -> None:
        """Move at random, as fast as the server answers."""
        path, bearer = f"/api/duels/{duel['name']}", f"Bearer {duel['secrets']['1']}"
        position = game.start()
        while target.seconds_left > 0:
            if game.outcome(position) is not None:
                return
            move = chance.choice([*game.moves(position)])
            answer = await host.post_json(f"{path}/move", {"move": move}, authorization=bearer)
            answers[answer.status] += 1
            if answer.status == 200:
                position = game.start()
                for move in answer.json()["moves"]:
                    position = game.play(position, move)

    target.begin()
    await asyncio.gather(*map(play, opened))
    return f"moves {dict(answers)}"
