"""Long questions are stopped in time, fail alone, and delay nobody else."""

import asyncio
import operator
import os
import signal
import time
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from tests.waiting import TIMEOUT_SECONDS, until

import numduel
from numduel import NumduelError, SettingsError, TooLarge, evaluate, solve
from numduel.core.game import Outcome
from numduel.core.words import Last
from numduel.web.app import inner_app
from numduel.web.database.migration import migrate
from numduel.web.errors import Busy
from numduel.web.identity import SERVER, Client
from numduel.web.security import SecurityMiddleware
from numduel.web.server import Config
from numduel.web.thinking import pool, tasks
from numduel.web.thinking.pool import FairQueue, Lane, ThinkingLimits, ThinkingPool

pytestmark = pytest.mark.anyio


@pytest.fixture
def patient(monkeypatch):
    """Make the first lane long enough for every question."""
    lanes = [lane._replace(seconds=TIMEOUT_SECONDS) for lane in pool.LANES]
    monkeypatch.setattr(pool, "LANES", lanes)


@pytest.fixture
async def new_pool(patient):
    """new_pool(seconds=TIMEOUT_SECONDS) is a new pool."""
    pools = []

    def new_pool(seconds=TIMEOUT_SECONDS):
        pools.append(ThinkingPool(seconds))
        return pools[-1]

    yield new_pool
    for one in pools:
        await asyncio.to_thread(one.close)


@pytest.fixture
def thinker(new_pool):
    return new_pool()


def visitor(name, seat=None):
    """Return a client, with the proven secret of a seat if given."""
    client = Client(name, () if seat is None else [seat])
    client.prove("duel", client.shown)
    return client


def asked_by(name, thinker, *question, seat=None):
    """Let a visitor ask a question; return the task that waits for the answer."""
    return asyncio.create_task(thinker.ask(visitor(name, seat), *question))


@pytest.fixture
def gate(tmp_path):
    """A question that is not answered before open_gate(gate): ask(*gate)."""
    path = tmp_path / "gate"
    os.mkfifo(path)
    return Path.read_text, path


async def open_gate(gate):
    await asyncio.to_thread(gate[1].write_text, "open")


async def test_an_answer_is_the_functions_own(thinker):
    assert await thinker.ask(SERVER, operator.add, 3, 4) == 7
    assert await thinker.ask(SERVER, os.getpid) != os.getpid()


async def test_an_error_is_the_functions_own(thinker):
    with pytest.raises(SettingsError, match=r"^there is no game 'chess'"):
        await thinker.ask(SERVER, numduel.new, "chess")
    with pytest.raises(ZeroDivisionError):
        await thinker.ask(SERVER, operator.truediv, 1, 0)
    assert await thinker.ask(SERVER, operator.add, 3, 4) == 7


async def test_a_question_that_takes_too_long_is_stopped_and_the_next_works(thinker):
    thinker.seconds = 0.2
    with pytest.raises(TooLarge, match=r"^it takes more than the 0\.2 seconds allowed here$"):
        await thinker.ask(SERVER, time.sleep, TIMEOUT_SECONDS)
    thinker.seconds = TIMEOUT_SECONDS
    assert await thinker.ask(SERVER, operator.add, 3, 4) == 7


@pytest.mark.parametrize("seconds", [0.05, TIMEOUT_SECONDS])
async def test_a_question_too_long_for_one_lane_is_asked_in_the_next(
    monkeypatch, new_pool, seconds
):
    short, middle, long = pool.LANES
    lanes = [short._replace(seconds=0.05), middle._replace(seconds=seconds), long]
    monkeypatch.setattr(pool, "LANES", lanes)
    thinker = new_pool()
    assert await thinker.ask(SERVER, time.sleep, 0.5) is None
    asked = [queue.ended for queue in thinker.queues]
    assert asked == ([1, 1, 1] if seconds == 0.05 else [1, 1, 0])


async def test_the_forking_process_is_restarted_after_a_kill(thinker):
    assert await thinker.ask(SERVER, operator.add, 3, 4) == 7
    forking = thinker._thinkers._process
    forking.kill()
    forking.wait()
    assert await thinker.ask(SERVER, operator.add, 3, 4) == 7  # by a process forked before
    with pytest.raises(Busy):
        await thinker.ask(SERVER, os._exit, 1)
    assert await thinker.ask(SERVER, operator.add, 3, 4) == 7
    assert thinker._thinkers._process is not forking


async def test_a_closed_pool_leaves_no_process_behind(new_pool):
    thinker = new_pool()
    computing = await thinker.ask(SERVER, os.getpid)
    forking = await thinker.ask(SERVER, os.getppid)
    await asyncio.to_thread(thinker.close)
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in (computing, forking)))


async def test_a_process_that_dies_is_reported_and_the_next_works(thinker):
    for die in ((os._exit, 1), (signal.raise_signal, signal.SIGKILL)):
        with pytest.raises(Busy, match=r"^That was interrupted: please try again\.$"):
            await thinker.ask(SERVER, *die)
        assert await thinker.ask(SERVER, operator.add, 3, 4) == 7


async def test_an_error_that_ends_a_process_is_not_printed(thinker, capfd):
    with pytest.raises(Busy):
        await thinker.ask(
            SERVER, exec, "class Odd(Exception): pass\nraise Odd"
        )  # cannot be pickled
    reader, writer = await thinker._connect()
    writer.write(b"cut")
    writer.write_eof()
    assert await reader.read() == b""
    writer.close()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("size", [2**30, 2**61])
async def test_too_much_memory_is_reported_and_another_process_continues(thinker, size):
    before = await thinker.ask(SERVER, os.getpid)
    with pytest.raises(TooLarge, match=r"^it takes more memory than is allowed here$"):
        await thinker.ask(SERVER, operator.mul, b"0", size)
    assert await thinker.ask(SERVER, os.getpid) != before
    assert await thinker.ask(SERVER, operator.add, 3, 4) == 7


LARGE = numduel.new("operation-duel", operations="+1,+2,x2", target=99_999_000)


@pytest.mark.parametrize(
    "question",
    [
        (tasks.solve_as_json, LARGE, 1, []),
        (tasks.verdicts, LARGE, LARGE.start()),
        (tasks.comment, LARGE, [Last(LARGE.start(), 1)]),
        (tasks.last_word, LARGE, [Last(LARGE.start(), 1)], Outcome(2, "reached"), 1),
        (tasks.comment_swap, LARGE, LARGE.start(), True),
        (
            tasks.analysis,
            LARGE,
            numduel.Record(LARGE.key, {}, ("a", "b"), 1, (1,), None, ""),
            None,
        ),
    ],
    ids=lambda question: question[0].__name__,
)
def test_a_solution_too_large_is_refused_before_it_is_computed(question):
    about, *arguments = question
    with pytest.raises(TooLarge, match="takes 381 MB of memory, and here at most 40 MB"):
        about(*arguments)
    assert "_found" not in vars(LARGE.theory)


def test_solved_games_are_cached_until_memory_is_short(monkeypatch):
    monkeypatch.setattr(tasks, "resident_bytes", lambda: tasks.MAX_RESIDENT_BYTES)
    game = numduel.new("operation-duel", target=31)
    first = tasks._with_cache(game)
    assert tasks._with_cache(numduel.new("operation-duel", target=31)) is first
    monkeypatch.setattr(tasks, "resident_bytes", lambda: tasks.MAX_RESIDENT_BYTES + 1)
    again = numduel.new("operation-duel", target=31)
    assert tasks._with_cache(again) is again


def test_verdicts_are_shown_unasked_only_if_they_are_quick(monkeypatch):
    game = numduel.new("operation-duel", target=31)
    position = game.start()
    assert tasks.move_verdicts(game, position) == evaluate(game, position)
    slow = tasks.theory_of(game).cost(position)._replace(once=5.0)
    monkeypatch.setattr(type(tasks.theory_of(game)), "cost", lambda *_: slow)
    with pytest.raises(TooLarge, match="would take too long here"):
        tasks.move_verdicts(game, position)


def test_a_process_knows_how_much_memory_it_uses(monkeypatch, tmp_path):
    if tasks._STATM.exists():
        before = tasks.resident_bytes()
        large = bytes(1) * 2**26
        assert tasks.resident_bytes() - before > 2**25
        del large
    monkeypatch.setattr(tasks, "_STATM", tmp_path / "nothing")
    assert tasks.resident_bytes() == 0


async def test_an_argument_that_cannot_be_pickled_is_an_error_and_the_next_works(thinker):
    with pytest.raises(Exception, match="pickle"):
        await thinker.ask(SERVER, lambda: 7)
    assert await thinker.ask(SERVER, operator.add, 3, 4) == 7


def refusal(target):
    """Return a question that is refused."""
    game = numduel.new("operation-duel", target=target, operations="+1,x2,x3")
    return tasks.check_players, ("human", "perfect"), game


async def test_a_refusal_comes_before_solving_and_is_remembered(thinker, monkeypatch):
    for _ in range(3):
        with pytest.raises(TooLarge, match="its exact solution takes too long here"):
            await thinker.ask(SERVER, *refusal(10**300))
    assert [queue.ended for queue in thinker.queues] == [1, 0, 0]
    with pytest.raises(TooLarge):
        await thinker.ask(SERVER, *refusal(10**300 + 1))
    assert thinker.queues[0].ended == 2
    thinker.seconds = 0.1
    for _ in range(2):
        with pytest.raises(TooLarge, match=r"more than the 0\.1 seconds"):
            await thinker.ask(SERVER, time.sleep, TIMEOUT_SECONDS)
    assert thinker.queues[0].ended == 3
    monkeypatch.setattr(pool, "_REFUSAL_SECONDS", 0)
    with pytest.raises(TooLarge):
        await thinker.ask(SERVER, time.sleep, TIMEOUT_SECONDS)
    assert thinker.queues[0].ended == 4


# Turns.


@pytest.fixture
def queue():
    """The queue of a lane with one process."""
    return FairQueue(Lane("one", 1, 1, 0), ThinkingLimits())


@asynccontextmanager
async def lined_up(queue, *clients):
    """Let clients wait in this order while somebody has the turn; return the order of turns."""
    served = []

    async def come(number, client):
        async with queue.turn(client):
            served.append(number)

    async with queue.turn(visitor("somebody")):
        waiting = [asyncio.create_task(come(*pair)) for pair in enumerate(clients)]
        await asyncio.sleep(0)
        yield served
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_whoever_has_the_most_left_is_next(queue):
    people = [visitor(*who) for who in (("a",), ("b",), ("a",), ("c", "1"), ("d",), ("c", "2"))]
    for who, seconds in zip(people, (7, 5, 0, 8, 0, 6), strict=True):
        queue._budget.check(who)
        queue._budget.take(who, seconds)
    async with lined_up(queue, *people) as served:
        pass
    assert served == [4, 1, 0, 2, 5, 3]
    assert len(queue) == 0


async def test_a_cancelled_question_frees_its_turn(queue):
    async with queue.turn(visitor("a")):
        waiting = asyncio.create_task(queue.turn(visitor("b")).__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert len(queue) == 1
    assert len(queue) == 0
    async with queue.turn(visitor("b")):
        pass


@pytest.mark.parametrize(("seat", "most"), [(None, 200), ("flooder's", 10)])
async def test_a_flooder_is_refused_and_a_classmate_is_not(queue, seat, most):
    flood = [visitor("a", seat) for _ in range(most)]
    classmate = visitor("a", "pupil's") if seat else visitor("b")
    async with lined_up(queue, *flood[:-1], classmate, flood[-1]) as served:
        with pytest.raises(Busy, match="please try again in a moment"):
            await queue.turn(visitor("a", seat)).__aenter__()
    assert len(served) == most + 1
    assert len(queue) == 0


async def test_an_empty_budget_is_refused_with_a_time_to_retry(thinker, monkeypatch):
    budget = thinker._budget
    budget.take(visitor("a"), 40)
    with pytest.raises(Busy, match=r"Too much was computed for you: .* in (19|20) seconds\."):
        await asked_by("a", thinker, operator.add, 3, 4)
    assert await asked_by("b", thinker, operator.add, 3, 4) == 7
    monkeypatch.setattr(pool, "MAX_THINKING_PEOPLE", 2)
    for seat in ("pupil's", "friend's"):
        assert await asked_by("a", thinker, operator.add, 3, 4, seat=seat) == 7
        budget.take(visitor("a", seat), 1)
    with pytest.raises(Busy):  # one of many seats
        await asked_by("a", thinker, operator.add, 3, 4, seat="third")
    budget._people.take(("a", "friend's"), -2)  # as if refilled
    assert await asked_by("a", thinker, operator.add, 3, 4, seat="third") == 7


async def test_the_time_of_a_processor_is_charged(thinker):
    who = visitor("a", "pupil's")
    await thinker.ask(who, time.sleep, 0.5)
    client, person = thinker._budget.levels(who)
    assert client > 29.6 and person > 9.6
    thinker.seconds = 0.1
    with pytest.raises(TooLarge):
        await thinker.ask(who, time.sleep, TIMEOUT_SECONDS)
    assert thinker._budget.levels(who)[1] < 9.99


async def test_waiting_questions_are_refused_once_the_budget_is_empty(thinker, gate):
    waiting = [asked_by("a", thinker, *gate) for _ in range(3)]  # for two processes
    while len(thinker.queues[0]) < 3:
        await asyncio.sleep(0)
    thinker._budget.take(visitor("a"), 40)
    waiting[0].cancel()
    with pytest.raises(Busy, match="Too much was computed for you"):
        await waiting[2]
    await open_gate(gate)
    assert await waiting[1] == "open"


async def test_a_classmate_moves_while_another_floods(tmp_path):
    async with running(tmp_path) as (site, client):
        _, move = await play(client)
        flood = [asked_by("192.0.2.1", site.quick, time.sleep, 9 + n / 100) for n in range(99)]
        await asyncio.sleep(0)
        assert len((await move(move=1)).json()["moves"]) == 2
        assert not any(one.done() for one in flood)
        for one in flood:
            one.cancel()
        await asyncio.gather(*flood, return_exceptions=True)


async def test_a_process_that_answers_after_a_stop_is_let_go(new_pool):
    thinker = new_pool()
    connection = await thinker._connect()
    thinker.close()
    thinker.queues[0].add_idle(connection)
    assert connection[1].is_closing()


async def test_questions_are_refused_when_the_server_stops(new_pool, gate):
    thinker = new_pool()
    waiting = [asked_by(name, thinker, *gate) for name in "abcd"]
    while thinker.queues[0].ended == 0 and len(thinker.queues[0]) < 4:
        await asyncio.sleep(0.01)
    thinker.close()
    for end in await asyncio.gather(*waiting, return_exceptions=True):
        assert isinstance(end, Busy)
        assert str(end) == "The server is stopping."
    with pytest.raises(Busy, match=r"^The server is stopping\.$"):
        await thinker.ask(SERVER, operator.add, 3, 4)


async def test_answers_are_those_of_the_library(thinker):
    game = numduel.new("multiplicity", size=20)
    position = game.play(game.start(), 7)
    found = await thinker.ask(SERVER, tasks.verdicts, game, position)
    assert found == (solve(game, position), evaluate(game, position))
    assert await thinker.ask(SERVER, tasks.check_players, ("human", "perfect"), game) is None
    huge = numduel.new("operation-duel", target=10**300, operations="+1,-1,x2")
    with pytest.raises(NumduelError):
        await thinker.ask(SERVER, tasks.check_players, ("human", "perfect"), huge)


# In the application.


@asynccontextmanager
async def running(tmp_path):
    """The application in this event loop: its services, and a client."""
    url = f"sqlite:///{tmp_path / 'numduel.sqlite'}"
    migrate(url)
    app = inner_app(Config(url))
    async with app.router.lifespan_context(app):
        guarded = SecurityMiddleware(app, rates=None)
        transport = httpx2.ASGITransport(app=guarded, client=("192.0.2.1", 1))
        async with httpx2.AsyncClient(
            transport=transport, base_url="http://testserver", timeout=None
        ) as client:
            yield app.state.services, client


async def play(client, **asked):
    """Open a duel against the computer; return its path and a function that moves."""
    body = {"game": "double-or-add", "players": ["human", "easy"], **asked}
    made = (await client.post("/api/duels", json=body)).json()
    path, headers = (
        f"/api/duels/{made['name']}",
        {"Authorization": f"Bearer {made['secrets']['1']}"},
    )
    return path, lambda **move: client.post(f"{path}/move", json=move, headers=headers)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("whose", ["192.0.2.1", "192.0.2.2"], ids=["same", "another"])
async def test_a_long_analysis_delays_no_request_and_no_move(tmp_path, gate, whose):
    async with running(tmp_path) as (site, client):
        site.slow.seconds = TIMEOUT_SECONDS
        long = asked_by(whose, site.slow, *gate)
        assert (await client.get("/healthz")).status_code == 200
        assert (await client.get("/")).status_code == 200
        _, move = await play(client)
        assert (await move(move=1)).json()["moves"][0] == 1
        assert not long.done()
        await open_gate(gate)
        assert await long == "open"


@pytest.mark.usefixtures("patient")
async def test_a_long_hint_for_one_visitor_delays_no_move_of_another(tmp_path, gate):
    async with running(tmp_path) as (site, client):
        site.quick.seconds = TIMEOUT_SECONDS
        long = asked_by("192.0.2.2", site.quick, *gate)
        _, move = await play(client)
        assert len((await move(move=1)).json()["moves"]) == 2
        assert not long.done()
        await open_gate(gate)
        await long


async def test_a_solution_that_takes_too_long_is_refused_in_one_line(tmp_path):
    async with running(tmp_path) as (site, client):
        site.slow.seconds = 0.05
        asked = {"game": "multiplicity", "settings": {"size": 10_000}, "moves": [7]}
        answer = await client.post("/api/solve", json=asked)
        assert answer.status_code == 422
        line = "It takes more than the 0.05 seconds allowed here."
        assert answer.json() == {"error": line}
        site.slow.seconds = TIMEOUT_SECONDS
        answer = await client.post("/api/solve", json={"game": "multiplicity"})
        assert answer.status_code == 200


class Instead:
    """Thinking that fails for a given number of decisions."""

    def __init__(self, thinker, error, times):
        self.thinker, self.error, self.times = thinker, error, times

    async def ask(self, client, about, *arguments):
        if about is tasks.decide and self.times:
            self.times -= 1
            raise self.error
        return await self.thinker.ask(client, about, *arguments)


@pytest.mark.parametrize(
    ("error", "times", "who"), [(Busy("busy"), 1, "easy"), (TooLarge("long"), 2, "perfect")]
)
async def test_a_computer_that_could_not_decide_is_asked_again_at_the_next_look(
    tmp_path, error, times, who
):
    async with running(tmp_path) as (site, client):
        site.duels.thinking = Instead(site.quick, error, times)
        path, move = await play(client, players=["human", who])
        answer = await move(move=1)
        assert answer.status_code == 200  # the person's move is kept
        assert answer.json()["moves"] == [1]
        end = time.monotonic() + TIMEOUT_SECONDS
        while len((await client.get(path)).json()["moves"]) < 2:
            assert time.monotonic() < end, "the computer never answered"
            await asyncio.sleep(0.01)
