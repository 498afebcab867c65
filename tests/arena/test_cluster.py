"""A real Dask cluster: a worker is killed, then the scheduler, and the table is the same."""

import socket
import subprocess
import sys

import pytest

from numduel import SettingsError
from numduel.arena.spec import Spec

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
    """Start a process of a cluster. All of them are killed at the end."""
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


@pytest.mark.soak
def test_a_lost_worker_and_a_restarted_scheduler_cost_only_the_games_in_progress(
    dask, hurry, start, run, tmp_path, free_port, wait_for_games
):
    log = tmp_path / "there" / "log.jsonl"
    address = f"tcp://127.0.0.1:{free_port}"

    def scheduler():
        return dask("scheduler", "--host", "127.0.0.1", "--port", free_port, "--no-dashboard")

    def worker():
        return dask("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")

    first, workers = scheduler(), [worker(), worker()]
    going = start("arena", *FLAGS, "--out", "there", "--cluster", address)
    wait_for_games(going, log)
    workers[0].kill()
    wait_for_games(going, log, more=3)  # by the other one
    kept = log.read_bytes()
    first.kill()
    first.wait()
    while b"waiting for it" not in (line := going.stderr.readline()):
        assert line, going.communicate()
    assert workers[1].wait(180) is not None  # as they do who have lost their scheduler
    scheduler()
    workers.append(worker())
    wait_for_games(going, log)
    hurry.touch()
    _, err = going.communicate(timeout=600)
    assert going.returncode == 0 and b"Traceback" not in err, err
    assert log.read_bytes().startswith(kept)
    assert run("arena", *FLAGS, "--out", "here", "--workers", 1).status == 0
    for name in OUT:
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


@pytest.mark.soak
def test_a_sweep_has_the_same_bytes_from_a_cluster(dask, run, tmp_path, free_port):
    address = f"tcp://127.0.0.1:{free_port}"
    dask("scheduler", "--host", "127.0.0.1", "--port", free_port, "--no-dashboard")
    dask("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    sweep = ["sweep", "double-or-add", "--target", "2..3500"]
    assert run(*sweep, "--out", "there", "--cluster", address).status == 0
    assert run(*sweep, "--out", "here", "--workers", 1).status == 0
    parts = sorted((tmp_path / "here").glob("part-*"))
    assert len(parts) == 4
    for part in parts:
        assert (tmp_path / "there" / part.name).read_bytes() == part.read_bytes()


@pytest.mark.soak
def test_an_address_without_a_cluster_is_refused(free_port, monkeypatch):
    from numduel.arena import cluster  # slow to import

    monkeypatch.setattr(cluster, "FIRST_TIMEOUT_SECONDS", 0)
    monkeypatch.setattr(cluster, "CLUSTER_CONNECT_SECONDS", 1)
    monkeypatch.setattr(cluster, "CLUSTER_POLL_SECONDS", 0.1)
    spec = Spec(("double-or-add",), ("random", "easy"))
    with pytest.raises(SettingsError, match="no cluster answers"):
        list(cluster.play_on_cluster(f"tcp://127.0.0.1:{free_port}", spec, range(4)))
