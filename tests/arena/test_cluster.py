"""A real Dask cluster: a worker is killed, then the scheduler, and the table is the same."""

import socket
import subprocess
import sys
import time

import pytest

OUT = ("games.parquet", "moves.parquet", "players.json", "report.html")
FLAGS = ["--game", "multiplicity:size=24", "--game", "divisor-line", "--rounds", "60"]
FLAGS += ["--player", "random", "--player", "medium", "--player", "perfect", "--decided"]


@pytest.fixture
def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture
def dask(tmp_path, environment):
    """Start a part of a cluster; all are killed at the end."""
    processes = []

    def dask(*words):
        command = [sys.executable, "-m", "distributed.cli.dask_" + words[0], *map(str, words[1:])]
        processes.append(
            subprocess.Popen(
                command,
                cwd=tmp_path,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )
        return processes[-1]

    yield dask
    for process in processes:
        process.kill()
        process.wait()


def grown(path, size, going):
    until = time.monotonic() + 180
    while not (path.exists() and path.stat().st_size > size):
        assert going.poll() is None, going.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)
    return path.stat().st_size


@pytest.mark.soak
def test_a_worker_that_is_lost_costs_only_its_games_under_way(
    dask, start, run, tmp_path, free_port
):
    address = f"tcp://127.0.0.1:{free_port}"

    def scheduler():
        return dask("scheduler", "--host", "127.0.0.1", "--port", free_port, "--no-dashboard")

    def worker():
        flags = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
        return dask("worker", address, *flags, "--death-timeout", "600")

    scheduler()
    workers = [worker(), worker()]
    going = start("arena", *FLAGS, "--out", "there", "--cluster", address)
    log = tmp_path / "there" / "log.jsonl"
    grown(log, 0, going)
    workers[0].kill()
    _, err = going.communicate(timeout=400)
    assert going.returncode == 0, err
    assert run("arena", *FLAGS, "--out", "here", "--workers", 1).status == 0
    for name in OUT:
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


@pytest.mark.soak
def test_where_no_cluster_answers_that_is_said(run, free_port, monkeypatch, tmp_path):
    from numduel import SettingsError
    from numduel.arena import cluster
    from numduel.arena.asked import Asked

    monkeypatch.setattr(cluster, "PATIENCE", 0)
    monkeypatch.setattr(cluster, "CONNECT", 1)
    monkeypatch.setattr(cluster, "POLL", 0.1)
    asked = Asked(("double-or-add",), ("random", "easy"))
    with pytest.raises(SettingsError, match="no cluster answers"):
        list(cluster.played_on(f"tcp://127.0.0.1:{free_port}", asked, range(4)))
