"""Servers and databases that are killed while people play: no acknowledged move is lost."""

import asyncio
import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

import httpx2
import pytest
from tests.waiting import TIMEOUT_SECONDS, until

from numduel.core.errors import NumduelError
from numduel.games import new
from numduel.play.event import event_word
from numduel.web.database.backup import back_up, restore
from numduel.web.database.database import Database, read_url
from numduel.web.duels.record import DuelRecord
from numduel.web.duels.store import SqlDuelStore

GAME, SETTINGS = "operation-duel", {"target": 100}  # short games, so that some of them end


class Seen(NamedTuple):
    """A version of a duel as it was acknowledged, which the database must confirm."""

    version: int
    round: int
    first: int
    moves: tuple[int, ...]
    score: tuple[int, int]
    over: bool


def seen(state):
    """Return what an answer says."""
    moves, score = tuple(state["moves"]), tuple(state["score"])
    return Seen(state["version"], state["round"], state["first"], moves, score, state["over"])


class Player(threading.Thread):
    """Plays both seats of one duel, and records what was acknowledged."""

    def __init__(self, client, servers, players=("human", "human"), rounds=2):
        super().__init__(daemon=True)
        self.client, self.servers, self.rng = client, servers, Random(7)
        terms = {"game": GAME, "settings": SETTINGS, "players": players, "rounds": rounds}
        made = client.post(f"{servers[0]}api/duels", json=terms)
        assert made.status_code == 201, made.text
        self.name, self.secrets = made.json()["name"], made.json()["secrets"]
        self.people = [seat for seat in (1, 2) if players[seat - 1] == "human"]
        self.acknowledged: list[Seen] = []
        self.asked: set[tuple[int, str]] = set()  # every wish, with its version
        self.unheard = 0  # wishes without an answer, or answered with 503
        self.faults: list[str] = []
        self._stopping = threading.Event()
        self._state = None  # None if unknown
        self.start()

    def run(self):
        try:
            while not self._stopping.wait(0.005):
                self._play()
        except Exception as error:
            self.faults.append(repr(error))

    def stop(self):
        self._stopping.set()
        self.join(TIMEOUT_SECONDS)
        assert not self.is_alive() and not self.faults, self.faults

    def progress(self, count):
        """Wait until that many more wishes were acknowledged."""
        goal = len(self.acknowledged) + count
        until(lambda: len(self.acknowledged) >= goal or self.faults, f"moves in {self.name}")

    def _play(self):
        if self._state is None:
            self._read()
            return
        state = self._state
        seat = state.mover if state.mover in self.people else self.people[0]
        if state.over:
            wish, body = "rematch", {}
            seat = 3 - state.asking if state.asking else seat  # the seat that may agree
        elif state.ended:
            wish, body = "next", {}
        elif state.mover in self.people:
            wish, body = "move", {"move": self.rng.choice(state.legal)}
        else:  # reading makes the computer move
            self._read()
            return
        body["at"] = state.seen.version
        self.asked.add((body["at"], wish))
        bearer = {"Authorization": f"Bearer {self.secrets[str(seat)]}"}
        answer = self._ask("POST", f"api/duels/{self.name}/{wish}", json=body, headers=bearer)
        self._state = None
        if answer is None:
            self.unheard += 1
        elif answer.status_code == 200:
            self._state = State(answer.json())
            self.acknowledged.append(self._state.seen)

    def _read(self):
        answer = self._ask("GET", f"api/duels/{self.name}")
        if answer is not None:
            assert answer.status_code == 200, answer.text
            self._state = State(answer.json())
            if self.acknowledged:
                last, now = self.acknowledged[-1], self._state.seen
                assert now.version >= last.version, (now, last)
                if now.version == last.version:
                    assert now == last

    def _ask(self, method, path, **request):
        """Send a request; return None without an answer, or if it is a 503."""
        server = self.rng.choice(self.servers)
        try:
            while True:
                answer = self.client.request(method, f"{server}{path}", **request)
                if answer.status_code != 429:
                    break
                time.sleep(0.2)  # too fast for the rate of one address
        except httpx2.TransportError:
            time.sleep(0.05)
            return None
        if answer.status_code == 503:
            assert answer.json()["error"]
            return None
        assert answer.status_code in (200, 409), f"{answer.status_code}: {answer.text}"
        if answer.status_code == 409:  # only after a lost answer
            assert self.unheard and "moved on" in answer.json()["error"], answer.text
        return answer


class State:
    """A duel as an answer describes it, with what can be done in it."""

    def __init__(self, state):
        self.seen = seen(state)
        self.mover, self.over, self.asking = state["mover"], state["over"], state["asking"]
        self.ended = state["outcome"] is not None
        game = new(GAME, **SETTINGS)
        position = game.start(state["first"])
        for move in state["moves"]:
            position = game.play(position, move)
        self.legal = () if self.ended else game.moves(position)


def check(url, players):
    """Check that the database holds what was acknowledged, in order, once, and by the rules."""

    async def stored():
        store = SqlDuelStore(Database(read_url(url)))
        try:
            return {player.name: await stored_as(store, player.name) for player in players}
        finally:
            await store.database.close()

    found = asyncio.run(stored())
    for player in players:
        duel, log = found[player.name]  # was replayed by the rules
        assert duel.version == len(log)
        versions = [each.version for each in player.acknowledged]
        assert sorted(set(versions)) == versions  # none was acknowledged twice
        assert versions[-1] <= duel.version
        told = replay(duel.name, duel.terms, log)
        for each in player.acknowledged:
            assert told[each.version] == each
        if len(player.people) == 2:
            assert duel.version <= len(versions) + player.unheard
            wishes = [event_word(event).replace("ask", "rematch") for event in log]
            assert player.asked.issuperset(enumerate(wishes))


async def stored_as(store, name):
    return await store.load(name), (await store.changes_since(name, 0)).log


def replay(name, terms, log):
    """Return what was to be seen after each event."""
    duel, told = DuelRecord(name, terms), []

    def tell():
        match, table = duel.match, duel.table
        score = (match.wins[1], match.wins[2])
        told.append(
            Seen(duel.version, match.round, table.first, tuple(table.moves), score, match.over)
        )

    tell()
    for event in log:
        duel.apply(event)
        tell()
    return told


@pytest.mark.each_database
@pytest.mark.soak(keep=0)
def test_a_backup_made_while_people_play_has_all_acknowledged_moves(
    database_url, elsewhere, serve, client, tmp_path, many
):
    server, file = serve(database_url), tmp_path / "games.backup"
    players = [Player(client(), [server.url]) for _ in range(5)]
    for _ in range(many(1, 3)):
        for player in players:
            player.progress(5)
        before = [player.acknowledged[-1] for player in players]
        file.unlink(missing_ok=True)
        back_up(database_url, file)
    for player in players:
        player.progress(5)
        player.stop()
    restore(elsewhere, file)
    other = client()
    other.base_url = serve(elsewhere).url
    for player, last in zip(players, before, strict=True):
        found = seen(other.get(f"api/duels/{player.name}").json())
        assert found.version >= last.version
        assert found in player.acknowledged or player.unheard or found.version == 0
    with pytest.raises(NumduelError, match="the database is in use: stop the server first"):
        restore(elsewhere, file)


def watch(client, address, latest, stopping):
    """Follow a stream and reconnect like a page; `latest` gets the last version."""
    while not stopping.is_set():
        try:
            with client.stream("GET", address) as answer:
                if answer.status_code != 200:
                    assert answer.status_code == 503
                    continue
                for line in answer.iter_lines():
                    if line.startswith("id: "):
                        latest.append(int(line[4:]))
                    if stopping.is_set():
                        return
        except httpx2.TransportError:
            time.sleep(0.05)


# The server is killed.


@pytest.mark.each_database
@pytest.mark.soak(keep=1)
def test_a_server_killed_or_stopped_at_any_moment_loses_nothing(database_url, serve, client, many):
    chance = Random(7)
    server = serve(database_url)
    where = [server.url]
    players = [Player(client(), where) for _ in range(4)]
    players.append(Player(client(), where, ("human", "random")))
    for number in range(many(1, 5)):
        chance.choice(players[:4]).progress(chance.randint(1, 20))
        server.stop() if number % 2 else server.kill()
        server = serve(database_url, port=server.port)
    for player in players:
        player.progress(3)  # it goes on
        player.stop()
    check(database_url, players)
    assert sum(player.unheard for player in players) > 0


@pytest.mark.soak
def test_a_server_killed_at_its_start_can_start_again(start, serve, tmp_path, many):
    chance = Random(7)
    for number in range(many(1, 3)):
        file = tmp_path / f"{number}.sqlite"
        url = f"sqlite:///{file}"
        killed = start("serve", "--port", 0, "--database", url, start_new_session=True)
        while not file.exists():  # from now on it creates its tables
            assert killed.poll() is None
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.1))
        os.killpg(killed.pid, signal.SIGKILL)
        killed.communicate()
        serve(url).stop()


def think(client, server):
    """Make the server start all of its thinking processes."""
    terms = {"game": GAME, "players": ["human", "perfect"], "first": "2"}
    assert client.post(f"{server.url}api/duels", json=terms).status_code == 201
    assert client.post(f"{server.url}api/solve", json={"game": GAME}).status_code == 200
    assert len(server.family) >= 3


def test_a_killed_server_leaves_no_process_behind(serve, client, tmp_path):
    server = serve(f"sqlite:///{tmp_path / 'numduel.sqlite'}", workers=2)
    think(client(), server)
    server.process.kill()  # but not the processes that it has started
    server.process.wait(TIMEOUT_SECONDS)
    until(lambda: not server.family, "the end of all processes")


@pytest.mark.soak
def test_a_server_whose_thinking_was_killed_thinks_again(serve, client, tmp_path):
    server, visitor = serve(f"sqlite:///{tmp_path / 'numduel.sqlite'}"), client()
    think(visitor, server)
    terms = {"game": GAME, "players": ["human", "perfect"], "first": "2"}
    for count in (1, 2, 3):
        thinking = running(server, b"thinking.processes")
        assert thinking  # the one that forks, or the forked ones
        for pid in thinking[:count]:
            with suppress(ProcessLookupError):  # it may just have ended
                os.kill(pid, signal.SIGKILL)
        made = once_not_busy(lambda: visitor.post(f"{server.url}api/duels", json=terms))
        duel = f"{server.url}api/duels/{made.json()['name']}"
        until(lambda duel=duel: once_not_busy(lambda: visitor.get(duel)).json()["moves"], "a move")
    server.stop()
    until(lambda: not server.family, "the end of all processes")


def once_not_busy(ask):
    """Ask until the answer is not a 503, and return it."""
    return until(lambda: (answer := ask()).status_code != 503 and answer, "an answer")


@pytest.mark.soak
def test_a_killed_worker_is_replaced_and_nothing_is_lost(serve, client, tmp_path):
    url = f"sqlite:///{tmp_path / 'numduel.sqlite'}"
    server = serve(url, workers=2)
    players = [Player(client(), [server.url]) for _ in range(4)]
    for _ in range(2):
        for player in players:
            player.progress(3)
        killed = running(server, b"spawn_main")[0]
        os.kill(killed, signal.SIGKILL)
        until(lambda gone={killed}: len({*running(server, b"spawn_main")} - gone) == 2, "a worker")
    for player in players:
        player.progress(3)
        player.stop()
    check(url, players)


def running(server, what):
    """Return the processes of a server that have a text in their command line."""
    found = []
    for pid in sorted(server.family):
        with suppress(OSError):
            if what in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


# The database is away for a while.


@pytest.mark.soak
def test_postgresql_that_comes_back_has_lost_nothing(postgres, serve, client):
    url = postgres.url("away")
    servers = [serve(url), serve(url)]
    addresses = [server.url for server in servers]
    players = [Player(client(), addresses) for _ in range(6)]
    players.append(Player(client(), addresses, ("human", "random")))
    stopping, watchers = threading.Event(), []
    for address in addresses:
        latest = []
        arguments = (client(), f"{address}game/{players[0].name}/events", latest, stopping)
        thread = threading.Thread(target=watch, args=arguments, daemon=True)
        thread.start()
        watchers.append((thread, latest))
    for end in ("kill", "fast", "immediate"):
        for player in players:
            player.progress(5)
        if end == "kill":
            postgres.kill()
            postgres.start()
        else:
            postgres.restart(end)
    for player in players:
        player.progress(5)
    for player in players[1:]:
        player.stop()
    for _, latest in watchers:  # the streams are back, and report new versions
        told = len(latest)
        until(lambda latest=latest, told=told: len(latest) >= told + 3, "news")
    players[0].stop()
    stopping.set()
    check(url, players)
    last = players[0].acknowledged[-1].version
    for _, latest in watchers:
        until(lambda latest=latest: latest[-1] >= last, "the last move to be told")
    for server in servers:
        assert server.stop() == -signal.SIGTERM
        assert "Traceback" not in server.log and '"status": 500' not in server.log
    for thread, _ in watchers:
        thread.join(TIMEOUT_SECONDS)
        assert not thread.is_alive()
