"""Attacks on a class: guessed codes, bots in a room, and requests while a pupil is removed."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from random import Random
from typing import NamedTuple

from benchmarks.siege.attack import Target, attack
from benchmarks.siege.wire import REQUEST_TIMEOUT_SECONDS, Answer, Host

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
LOOK_ALIKES = (
    "Ａnna",
    "Аnna",
    "An\u200bna",
    "Anna\u0301".replace("\u0301", "\u034f"),
    "ANNA ",
    "Αnna",
)
MAX_ANSWERED_GUESSES = 2 * 60  # by two processes: a burst of 40 each, and some in flight
ROOMS = 10  # from each of which a pupil is removed


class Room(NamedTuple):
    """A room and its teacher."""

    host: Host
    code: str
    cookie: str

    async def do(
        self, action: str, timeout: float = REQUEST_TIMEOUT_SECONDS, **fields: object
    ) -> Answer:
        """Send a teacher's action."""
        path = f"/room/{self.code}/{action}"
        return await self.host.post(path, fields, timeout, cookie=self.cookie)


def _cookie(answer: Answer, name: str) -> str:
    found = re.search(rf"{name}=([^;\s]+)", answer.head)
    return f"{name}={found[1]}" if found else ""


async def open_room(host: Host, **form: object) -> Room:
    """Open a new room."""
    answer = await host.post("/rooms/operation-duel", {"rounds": 1, **form})
    assert answer.status == 303, answer
    return Room(host, answer.header("location").rpartition("/")[2], _cookie(answer, "teacher"))


async def join(host: Host, code: str, name: str, ticket: str = "") -> Answer:
    """Let a pupil join by the code or, with a ticket, by the link."""
    path = f"/join/{ticket}" if ticket else "/join"
    return await host.post(path, {"code": code, "name": name})


async def ticket_of(room: Room) -> str:
    """Return the ticket of a room from the teacher's page."""
    page = await room.host.get(f"/room/{room.code}", cookie=room.cookie)
    found = re.search(rb"ticket=([A-Za-z0-9_-]+)", page.body)
    assert found is not None, page
    return found[1].decode()


@attack("postgresql")
async def codes(target: Target) -> str:
    """Codes of rooms are guessed, by joining rooms and by viewing them."""
    await open_room(target.host(0))
    chance, answers = Random(7), Counter[int]()

    async def guess() -> None:
        code = "".join(chance.choices(LETTERS, k=5))
        if chance.random() < 0.5:
            answer = await target.host(1).get(f"/room/{code}")
        else:
            answer = await join(target.host(1), code, "Anna")
        answers[answer.status] += 1

    target.begin()
    await asyncio.gather(*(target.repeat(guess) for _ in range(8)))
    answered = sum(count for status, count in answers.items() if status not in (0, 429, 503))
    target.expect(answered <= MAX_ANSWERED_GUESSES)
    return f"{answered} guesses were answered; {dict(answers)}"


@attack("sqlite")
async def bots(target: Target) -> str:
    """A room is filled with bots, some of which have names that look like a pupil's."""
    room = await open_room(target.host(0))
    await join(target.host(1), room.code, "Anna")
    answers, alike = Counter[int](), 0
    target.begin()
    for name in LOOK_ALIKES:
        alike += (await join(target.host(2), room.code, name)).status == 303
    for number in range(120):
        if target.seconds_left > 0:
            answers[(await join(target.host(2), room.code, f"bot {number}")).status] += 1
    seen = await room.host.get(f"/room/{room.code}", cookie=room.cookie)
    names = len(set(re.findall(rb"bot \d+", seen.body)))
    pupil = await join(target.host(3), room.code, "Berta")
    target.expect(alike == 0)
    return (
        f"{alike} of {len(LOOK_ALIKES)} look-alikes and {answers[303]} bots got in "
        f"({names} are shown); the next pupil: {pupil.status}"
    )


@attack("sqlite", "postgresql")
async def removal(target: Target) -> str:
    """A pupil is removed while the other one keeps sending `resign` and `next`."""
    rooms = [await _open_match(target.host(n), n) for n in range(target.amount(3, ROOMS))]
    target.begin()
    results = await asyncio.gather(*(_remove_pupil(target, *one) for one in rooms))
    await target.rest()
    statuses = Counter(status for status, _ in results)
    stranded = sum(not over for _, over in results)
    target.expect(not stranded and set(statuses) == {303})
    return f"removals {dict(statuses)}, {stranded} of {len(rooms)} games are stranded"


async def _open_match(host: Host, number: int) -> tuple[Room, str, str]:
    """Let Anna and Berta play a long match. Return the room, the duel and Anna's cookie."""
    room = await open_room(host, rounds=49)
    anna = _cookie(await join(host, room.code, "Anna"), "pupil")
    await join(host, room.code, "Berta")
    assert (await room.do("round", round=1)).status == 303, number
    sent = await host.get(f"/room/{room.code}/play", cookie=anna)
    return room, sent.header("location").rpartition("/")[2], _cookie(sent, "seat")


async def _remove_pupil(target: Target, room: Room, duel: str, seat: str) -> tuple[int, bool]:
    """Remove Berta. Return the status of the answer, and whether her game is over then."""
    stop = asyncio.Event()

    async def hammer(wish: str) -> None:
        while not stop.is_set() and target.seconds_left > 0:
            await room.host.post(f"/game/{duel}/{wish}", {}, cookie=seat)

    hammering = [asyncio.create_task(hammer(wish)) for wish in ("resign", "next")]
    await asyncio.sleep(0.3)
    answer = await room.do("remove", pupil="Berta")
    stop.set()
    await asyncio.gather(*hammering)
    state = await room.host.get(f"/api/duels/{duel}")
    over = state.status == 404 or (state.status == 200 and state.json()["over"])
    return answer.status, over
