"""A real Dask cluster: a worker is killed, then the scheduler, and the table is the same."""

import socket
import subprocess
import sys
import time

import pytest

OUT = ("games.parquet", "moves.parquet", "players.json", "report.html")
FLAGS = ["--game", "multiplicity:size=16", "--game", "divisor-line:size=8", "--rounds", "80"]
FLAGS += ["--player", "slow", "--player", "medium", "--player", "perfect", "--decided"]


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


def grown(log, going, more=1):
    """Wait until so many more games are in the log."""
    until, lines = time.monotonic() + 180, log.read_text().count("\n") if log.exists() else 0
    while not log.exists() or log.read_text().count("\n") < lines + more:
        assert going.poll() is None, going.communicate()
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.soak
def test_a_lost_worker_and_a_restarted_scheduler_cost_only_the_games_under_way(
    dask, hurry, start, run, tmp_path, free_port
):
    log = tmp_path / "there" / "log.jsonl"
    address = f"tcp://127.0.0.1:{free_port}"

    def scheduler():
        return dask("scheduler", "--host", "127.0.0.1", "--port", free_port, "--no-dashboard")

    def worker():
        return dask("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")

    first, workers = scheduler(), [worker(), worker()]
    going = start("arena", *FLAGS, "--out", "there", "--cluster", address)
    grown(log, going)
    workers[0].kill()
    grown(log, going, more=3)  # by the other one
    kept = log.read_bytes()
    first.kill()
    first.wait()
    while b"waiting for it" not in (line := going.stderr.readline()):
        assert line, going.communicate()
    assert workers[1].wait(180) is not None  # as they do who have lost their scheduler
    scheduler()
    workers.append(worker())
    grown(log, going)
    hurry.touch()
    _, err = going.communicate(timeout=600)
    assert going.returncode == 0 and b"Traceback" not in err, err
    assert log.read_bytes().startswith(kept)
    assert run("arena", *FLAGS, "--out", "here", "--workers", 1).status == 0
    for name in OUT:
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


@pytest.mark.soak
def test_where_no_cluster_answers_that_is_said(run, free_port, monkeypatch, tmp_path):
    from numduel import SettingsError
    from numduel.arena import cluster
    from numduel.arena.asked import Asked

    monkeypatch.setattr(cluster, "FIRST_PATIENCE", 0)
    monkeypatch.setattr(cluster, "CONNECT", 1)
    monkeypatch.setattr(cluster, "POLL", 0.1)
    asked = Asked(("double-or-add",), ("random", "easy"))
    with pytest.raises(SettingsError, match="no cluster answers"):
        list(cluster.played_on(f"tcp://127.0.0.1:{free_port}", asked, range(4)))
