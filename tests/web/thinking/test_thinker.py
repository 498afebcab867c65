"""Long thinking: it is stopped in time, it fails alone, and nobody else waits for it."""

import asyncio
import contextvars
import operator
import os
import signal
import time
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

import numduel
from numduel import NumduelError, SettingsError, TooLarge, evaluate, solve
from numduel.web.app import inner_app
from numduel.web.guard import Guard
from numduel.web.live.site import Config
from numduel.web.problems import Busy
from numduel.web.thinking import memory, questions
from numduel.web.thinking.thinker import Thinker
from numduel.web.visitor import proven, visitor

PATIENCE = 180


def thinks(work, **options):
    """Run `work(thinker)`."""

    async def run():
        thinker = Thinker(**{"seconds": PATIENCE, "most_waiting": 10, **options})
        try:
            await work(thinker)
        finally:
            await asyncio.to_thread(thinker.close)

    asyncio.run(run())


def asked_by(name, thinker, *question, seat=None):
    """Somebody asks something, in a seat or not; the task in which they wait."""
    context = contextvars.copy_context()
    context.run(visitor.set, name)
    context.run(proven.set, set() if seat is None else {("duel", seat)})
    return asyncio.create_task(thinker.ask(*question), context=context)


@pytest.fixture
def gate(tmp_path):
    """Something that takes until it is told to go on: ask(*gate), and open_gate(gate)."""
    path = tmp_path / "gate"
    os.mkfifo(path)
    return Path.read_text, path


async def open_gate(gate):
    await asyncio.to_thread(gate[1].write_text, "open")


def test_an_answer_is_the_functions_own():
    async def work(thinker):
        assert await thinker.ask(operator.add, 3, 4) == 7
        assert await thinker.ask(os.getpid) != os.getpid()

    thinks(work)


def test_an_error_is_the_functions_own():
    async def work(thinker):
        with pytest.raises(SettingsError, match=r"^there is no game 'chess'"):
            await thinker.ask(numduel.new, "chess")
        with pytest.raises(ZeroDivisionError):
            await thinker.ask(operator.truediv, 1, 0)
        assert await thinker.ask(operator.add, 3, 4) == 7

    thinks(work)


def test_what_takes_too_long_is_stopped_and_the_next_works():
    async def work(thinker):
        thinker.seconds = 0.2
        with pytest.raises(TooLarge, match=r"^it takes more than the 0\.2 seconds allowed here$"):
            await thinker.ask(time.sleep, PATIENCE)
        thinker.seconds = PATIENCE
        assert await thinker.ask(operator.add, 3, 4) == 7

    thinks(work)


def test_waiting_for_a_turn_does_not_count():
    async def work(thinker):
        await thinker.ask(operator.add, 1, 1)  # until its process has started
        thinker.seconds = 4
        waiting = [asked_by(name, thinker, time.sleep, 0.5) for name in "abcdefghij"]
        assert await asyncio.gather(*waiting) == [None] * 10

    thinks(work)


def test_a_process_that_dies_is_told_of_and_the_next_works():
    async def work(thinker):
        for die in ((os._exit, 1), (signal.raise_signal, signal.SIGKILL)):
            with pytest.raises(Busy, match=r"^That was interrupted: please try again\.$"):
                await thinker.ask(*die)
            assert await thinker.ask(operator.add, 3, 4) == 7

    thinks(work)


@pytest.mark.parametrize("size", [2**30, 2**61])
def test_what_takes_too_much_memory_is_told_of_and_another_process_goes_on(size):
    async def work(thinker):
        before = await thinker.ask(os.getpid)
        with pytest.raises(TooLarge, match=r"^it takes more memory than is allowed here$"):
            await thinker.ask(operator.mul, b"0", size)
        assert await thinker.ask(os.getpid) != before
        assert await thinker.ask(operator.add, 3, 4) == 7

    thinks(work)


LARGE = numduel.new("operation-duel", operations="+1,+2,x2", target=99_999_000)


@pytest.mark.parametrize(
    "question",
    [
        (questions.solved, LARGE, 1, []),
        (questions.verdicts, LARGE, LARGE.start()),
        (questions.comment, LARGE, LARGE.start(), 1),
        (questions.comment_swap, LARGE, LARGE.start(), True),
        (
            questions.analysis,
            LARGE,
            numduel.Record(LARGE.key, {}, ("a", "b"), 1, (1,), None, ""),
            None,
        ),
    ],
    ids=lambda question: question[0].__name__,
)
def test_what_takes_a_large_table_is_refused_before_it_is_made(question):
    about, *arguments = question
    with pytest.raises(TooLarge, match="takes 381 MB of memory, and here at most 40 MB"):
        about(*arguments)
    assert "_found" not in vars(LARGE.theory)


def test_solved_games_are_remembered_until_they_are_too_much(monkeypatch):
    monkeypatch.setattr(questions, "resident", lambda: questions.MOST_REMEMBERED)
    game = numduel.new("operation-duel", target=31)
    first = questions._known(game)
    assert questions._known(numduel.new("operation-duel", target=31)) is first
    monkeypatch.setattr(questions, "resident", lambda: questions.MOST_REMEMBERED + 1)
    again = numduel.new("operation-duel", target=31)
    assert questions._known(again) is again


def test_what_each_move_leads_to_is_shown_unasked_only_where_the_first_look_is_quick(monkeypatch):
    game = numduel.new("operation-duel", target=31)
    position = game.start()
    assert questions.move_verdicts(game, position) == evaluate(game, position)
    slow = questions.theory_of(game).cost(position)._replace(once=60.0)
    monkeypatch.setattr(type(questions.theory_of(game)), "cost", lambda *_: slow)
    with pytest.raises(TooLarge, match="would take too long here"):
        questions.move_verdicts(game, position)


def test_a_process_knows_how_much_memory_it_takes(monkeypatch, tmp_path):
    if memory._STATM.exists():
        before = memory.resident()
        large = bytes(1) * 2**26
        assert memory.resident() - before > 2**25
        del large
    monkeypatch.setattr(memory, "_STATM", tmp_path / "nothing")
    assert memory.resident() == 0


def test_what_cannot_be_sent_is_an_error_and_the_next_works():
    async def work(thinker):
        with pytest.raises(Exception, match="pickle"):
            await thinker.ask(lambda: 7)
        assert await thinker.ask(operator.add, 3, 4) == 7

    thinks(work)


def test_too_many_who_wait_are_sent_away_and_then_let_in(gate):
    async def work(thinker):
        waiting = [asked_by("a", thinker, *gate), asked_by("a", thinker, operator.add, 3, 4)]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="please try again in a moment"):
            await asked_by("a", thinker, operator.add, 1, 1)
        waiting += [asked_by(name, thinker, operator.add, 3, 4) for name in "bcdefg"]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="please try again in a moment"):
            await asked_by("h", thinker, operator.add, 1, 1)  # who had not asked before
        await open_gate(gate)
        assert await asyncio.gather(*waiting) == ["open", *[7] * 7]
        assert await asked_by("a", thinker, operator.add, 3, 4) == 7

    thinks(work, most_waiting=2)


def test_one_visitor_holds_up_no_other(gate):
    async def work(thinker):
        mine = asked_by("a", thinker, *gate)
        more = [asked_by("a", thinker, operator.add, 3, 4) for _ in range(5)]
        for name in "bcd":
            assert await asked_by(name, thinker, operator.add, 3, 4) == 7
        assert not mine.done()
        assert not any(task.done() for task in more)  # one thing at a time for each
        await open_gate(gate)
        assert await asyncio.gather(mine, *more) == ["open", *[7] * 5]

    thinks(work, processes=2)


@pytest.mark.parametrize("flooder", [None, "flooder's"])
def test_who_floods_from_an_address_keeps_no_seat_there_from_its_turn(gate, flooder):
    async def work(thinker):
        most = 20 if flooder is None else 2
        flood = [asked_by("a", thinker, *gate, seat=flooder)]
        flood += [asked_by("a", thinker, operator.add, 1, 1, seat=flooder) for _ in range(most)]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="please try again in a moment"):
            await flood.pop()
        pupils = [asked_by("a", thinker, operator.add, 3, 4, seat=str(one)) for one in range(18)]
        await open_gate(gate)
        assert await asyncio.gather(*pupils) == [7] * 18
        await asyncio.gather(*flood)
        assert thinker.waiting == 0

    thinks(work, most_waiting=20)


def test_all_seats_of_an_address_leave_room_to_others(gate):
    async def work(thinker):
        waiting = [asked_by("a", thinker, *gate, seat="0")]
        waiting += [asked_by("a", thinker, operator.add, 3, 4, seat=str(n)) for n in range(1, 4)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await asked_by("a", thinker, operator.add, 3, 4, seat="4")
        waiting.append(asked_by("b", thinker, operator.add, 3, 4))
        await open_gate(gate)
        assert await asyncio.gather(*waiting) == ["open", *[7] * 4]

    thinks(work, most_waiting=2)


def test_a_classmate_moves_while_another_floods(tmp_path, gate):
    async def work():
        async with running(tmp_path) as (site, client):
            site.quick.seconds = PATIENCE
            _, move = await play(client)
            flood = [asked_by("192.0.2.1", site.quick, *gate)]
            flood += [asked_by("192.0.2.1", site.quick, operator.add, 1, 1) for _ in range(99)]
            await asyncio.sleep(0)
            moving = asyncio.create_task(move(move=1))
            while site.quick.waiting <= 100 and not moving.done():
                await asyncio.sleep(0.01)
            await open_gate(gate)
            assert len((await moving).json()["moves"]) == 2
            await asyncio.gather(*flood)

    asyncio.run(work())


def test_whoever_leaves_frees_their_place(gate):
    async def work(thinker):
        left = [asked_by("a", thinker, *gate), asked_by("a", thinker, operator.add, 3, 4)]
        await asyncio.sleep(0.1)
        for task in left:
            task.cancel()
        assert all(
            isinstance(end, asyncio.CancelledError)
            for end in await asyncio.gather(*left, return_exceptions=True)
        )
        assert await asked_by("a", thinker, operator.add, 3, 4) == 7

    thinks(work, most_waiting=2)


def test_who_thinks_while_the_server_stops_is_told(gate):
    async def work(thinker):
        waiting = [asked_by(name, thinker, *gate) for name in "ab"]
        await asked_by("c", thinker, operator.add, 3, 4)
        await asyncio.to_thread(thinker.close)
        for end in await asyncio.gather(*waiting, return_exceptions=True):
            assert isinstance(end, Busy)
            assert str(end) == "The server is stopping."
        with pytest.raises(Busy, match=r"^The server is stopping\.$"):
            await thinker.ask(operator.add, 3, 4)

    thinks(work, processes=3)


def test_what_there_is_to_think_about_is_what_the_library_says():
    async def work(thinker):
        game = numduel.new("multiplicity", size=20)
        position = game.play(game.start(), 7)
        found = await thinker.ask(questions.verdicts, game, position)
        assert found == (solve(game, position), evaluate(game, position))
        assert await thinker.ask(questions.fits, ("human", "perfect"), game) is None
        huge = numduel.new("operation-duel", target=10**300, operations="+1,-1,x2")
        with pytest.raises(NumduelError):
            await thinker.ask(questions.fits, ("human", "perfect"), huge)

    thinks(work)


# In the application.


@asynccontextmanager
async def running(tmp_path):
    """The application in this event loop: its site, and a client."""
    app = inner_app(Config(f"sqlite:///{tmp_path / 'numduel.sqlite'}"))
    async with app.router.lifespan_context(app):
        guarded = Guard(app, rates=None)
        transport = httpx2.ASGITransport(app=guarded, client=("192.0.2.1", 1))
        async with httpx2.AsyncClient(
            transport=transport, base_url="http://testserver", timeout=None
        ) as client:
            yield app.state.site, client


async def play(client, **asked):
    """A new duel against the computer: its path, and what a move by its person answers."""
    body = {"game": "double-or-add", "players": ["human", "easy"], **asked}
    made = (await client.post("/api/duels", json=body)).json()
    path, headers = (
        f"/api/duels/{made['name']}",
        {"Authorization": f"Bearer {made['secrets']['1']}"},
    )
    return path, lambda **move: client.post(f"{path}/move", json=move, headers=headers)


@pytest.mark.parametrize("whose", ["192.0.2.1", "192.0.2.2"], ids=["same", "another"])
def test_a_long_analysis_holds_up_no_request_and_no_move(tmp_path, gate, whose):
    async def work():
        async with running(tmp_path) as (site, client):
            site.slow.seconds = PATIENCE
            long = asked_by(whose, site.slow, *gate)
            assert (await client.get("/healthz")).status_code == 200
            assert (await client.get("/")).status_code == 200
            _, move = await play(client)
            assert (await move(move=1)).json()["moves"][0] == 1
            assert not long.done()
            await open_gate(gate)
            assert await long == "open"

    asyncio.run(work())


def test_a_long_hint_of_one_visitor_holds_up_no_move_of_another(tmp_path, gate):
    async def work():
        async with running(tmp_path) as (site, client):
            site.quick.seconds = PATIENCE
            long = asked_by("192.0.2.2", site.quick, *gate)
            _, move = await play(client)
            assert len((await move(move=1)).json()["moves"]) == 2
            assert not long.done()
            await open_gate(gate)
            await long

    asyncio.run(work())


def test_what_takes_too_long_is_refused_in_one_line(tmp_path):
    async def work():
        async with running(tmp_path) as (site, client):
            site.slow.seconds = 0.05
            asked = {"game": "multiplicity", "settings": {"size": 10_000}, "moves": [7]}
            answer = await client.post("/api/solve", json=asked)
            assert answer.status_code == 422
            line = "It takes more than the 0.05 seconds allowed here."
            assert answer.json() == {"error": line}
            site.slow.seconds = PATIENCE
            answer = await client.post("/api/solve", json={"game": "multiplicity"})
            assert answer.status_code == 200

    asyncio.run(work())


class Instead:
    """A thinker that fails at decisions as often as it is told to."""

    def __init__(self, thinker, error, times):
        self.thinker, self.error, self.times = thinker, error, times

    async def ask(self, about, *arguments):
        if about is questions.decide and self.times:
            self.times -= 1
            raise self.error
        return await self.thinker.ask(about, *arguments)


@pytest.mark.parametrize(
    ("error", "times", "who"), [(Busy("busy"), 1, "easy"), (TooLarge("long"), 2, "perfect")]
)
def test_a_computer_that_could_not_decide_is_asked_again_when_somebody_looks(
    tmp_path, error, times, who
):
    async def work():
        async with running(tmp_path) as (site, client):
            site.desk.quick = Instead(site.quick, error, times)
            path, move = await play(client, players=["human", who])
            answer = await move(move=1)
            assert answer.status_code == 200  # the person's move stands
            assert answer.json()["moves"] == [1]
            end = time.monotonic() + PATIENCE
            while len((await client.get(path)).json()["moves"]) < 2:
                assert time.monotonic() < end, "the computer never answered"
                await asyncio.sleep(0.01)

    asyncio.run(work())
