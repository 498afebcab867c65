"""A real PgBouncer in transaction mode, configured like deploy/pgbouncer.ini."""

import asyncio
import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from tests.waiting import TIMEOUT_SECONDS, until

from numduel.games import new
from numduel.play.event import Move
from numduel.web.database import migration
from numduel.web.database.database import Database, read_url
from numduel.web.database.notifications import DatabaseNotifications
from numduel.web.database.readiness import Readiness
from numduel.web.duels.record import DuelRecord
from numduel.web.duels.store import SqlDuelStore
from numduel.web.duels.terms import agree
from numduel.web.errors import Busy

SHOWN = Path(__file__).parents[2] / "deploy" / "pgbouncer.ini"
POOL = 3  # connections to PostgreSQL
TERMS = agree(new("divisor-duel", divisor=10**9 + 7), ("human", "human")).terms


@pytest.fixture
def pooled(shared_postgres):
    """The addresses of a new database: through PgBouncer, and PostgreSQL's own."""
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip("no PgBouncer on this machine")
    direct = shared_postgres.url("pooled")
    migration.migrate(direct)
    folder = shared_postgres.folder / "pgbouncer"
    folder.mkdir()
    changes = {
        "host=/run/postgresql dbname=numduel": f"host={shared_postgres.folder} dbname=pooled",
        "listen_addr = 127.0.0.1": f"unix_socket_dir = {folder}",
        "auth_file = /etc/pgbouncer/userlist.txt": f"auth_file = {folder}/users",
        "default_pool_size = 20": f"default_pool_size = {POOL}",
    }
    text = SHOWN.read_text()
    for old, new_text in changes.items():
        assert old in text, f"deploy/pgbouncer.ini no longer says {old}"
        text = text.replace(old, new_text)
    (folder / "pgbouncer.ini").write_text(f"{text}logfile = {folder}/log\n")
    (folder / "users").write_text('"postgres" ""\n')
    user = {}
    if os.geteuid() == 0:  # PgBouncer refuses to run as root
        user = {"user": "postgres", "group": "postgres", "extra_groups": []}
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, "postgres", "postgres")
    process = subprocess.Popen([program, "-q", folder / "pgbouncer.ini"], **user)
    until((folder / ".s.PGSQL.6432").exists, "PgBouncer")
    yield f"postgresql+psycopg://postgres@/numduel?host={folder}&port=6432", direct
    process.terminate()
    process.wait(TIMEOUT_SECONDS)
    shutil.rmtree(folder)


@pytest.mark.anyio
async def test_servers_with_more_connections_than_postgresql_notify_each_other(pooled, many):
    url, direct = map(read_url, pooled)
    stores = [SqlDuelStore(Database(url, direct)) for _ in range(4)]  # of 5 connections each
    news = [DatabaseNotifications(store.database) for store in stores]
    tasks = [asyncio.create_task(work()) for one in news for work in (one.listen, one.send)]
    duels = [DuelRecord(f"duel{n}", TERMS) for n in range(20)]

    async def play(number):
        duel, store = duels[number], stores[number % 4]
        await store.create(duel)
        for _ in range(many(10, 40)):  # often enough for psycopg to prepare a statement
            duel.apply(Move(1))
            assert await store.append(duel, round_ended=False)
            assert (await stores[(number + 1) % 4].load(duel.name)).version == duel.version
        with news[(number + 1) % 4].waiting_for(duel.name) as changed:
            while not changed.is_set():
                news[number % 4].notify(duel.name, version=duel.version)
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), 1)

    async with asyncio.timeout(TIMEOUT_SECONDS):
        await asyncio.gather(*map(play, range(len(duels))))
        await asyncio.gather(*(Readiness(store.database).check() for store in stores))
    assert not await stores[0].append(duels[1], round_ended=False)  # its number is taken
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    with psycopg.connect(direct.set(drivername="postgresql").render_as_string()) as connection:
        used = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'pooled'"
        assert connection.execute(used).fetchone()[0] <= POOL + len(stores) + 1
        connection.execute("LOCK TABLE events IN EXCLUSIVE MODE")
        duels[0].apply(Move(1))
        with pytest.raises(Busy) as caught:
            await stores[0].append(duels[0], round_ended=False)
        assert caught.value.cause == "canceling statement due to lock timeout"
    for store in stores:
        await store.database.close()


@pytest.mark.soak(keep=0)
def test_two_servers_behind_pgbouncer_serve_the_same_games(pooled, serve, client):
    url, direct = pooled
    servers = [serve(url, "--direct-database", direct, workers=2).url for _ in range(2)]
    player, watcher = client(), client()
    opened = player.post(f"{servers[0]}api/duels", json={"game": "operation-duel"}).json()
    path = f"api/duels/{opened['name']}"
    with watcher.stream("GET", f"{servers[1]}{path}/events") as stream:
        lines = stream.iter_lines()
        while next(lines) != "data: 0":
            pass
        bearer = {"Authorization": f"Bearer {opened['secrets']['1']}"}
        moved = player.post(f"{servers[0]}{path}/move", headers=bearer, json={"move": 1})
        assert moved.status_code == 200
        while next(lines) != "data: 1":
            pass
    assert player.get(f"{servers[1]}readyz").status_code == 200
