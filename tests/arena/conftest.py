"""Small arenas, played in this process, and players from another package."""

import os
import time
from itertools import count

import pytest

from numduel.arena.plan import make_plan
from numduel.arena.playing import GameRunner
from numduel.arena.run import run
from numduel.arena.sampling import Sampler
from numduel.arena.spec import Spec
from numduel.players import OUR_PLAYERS, Kind
from numduel.players.player import RandomPlayer

SMALL = Spec(
    games=("double-or-add:target=12|15", "multiplicity:size=12"),
    players=("random", "hard", "perfect"),
    rounds=2,
    seed=1,
)


def in_this_process(spec, numbers):
    """Two chunks, so that the second adds to the first."""
    runner = GameRunner(make_plan(spec))
    numbers = list(numbers)
    for some in (numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]):
        yield runner.play(some)
    runner.close()


class WorkerHere:
    """Stands for a worker process, in this process."""

    def __init__(self, spec):
        self._runner = GameRunner(make_plan(spec))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._runner.close()

    def play(self, numbers, started):
        return self._runner.play(numbers, started=started)

    def stop(self):
        pass


@pytest.fixture
def small():
    return SMALL


@pytest.fixture
def wait_for_games():
    """Wait until an arena that is going on has written this much more to its log."""

    def wait_for_games(going, log, more=1):
        until, size = time.monotonic() + 180, log.stat().st_size if log.exists() else 0
        while not log.exists() or log.read_bytes()[size:].count(b"\n") < more:
            assert going.poll() is None, going.communicate()
            assert time.monotonic() < until
            time.sleep(0.02)

    return wait_for_games


@pytest.fixture
def played(monkeypatch):
    """Run an arena in this process, with its pictures only where they are looked at: its tables."""

    def played(spec, folder, report=False, **kwargs):
        with monkeypatch.context() as patch:
            patch.setattr("numduel.arena.model_games.WorkerProcess", WorkerHere)
            if not report:
                patch.setattr("numduel.arena.report.write_report", lambda *_: None)
            return run(spec, folder, play_games=in_this_process, **kwargs)

    return played


@pytest.fixture
def sampled_here(monkeypatch):
    """Positions are sampled in this process, from few games a task, so that little is solved."""

    def in_order(games, seed, workers):
        return map(Sampler(games, seed).run, count())

    monkeypatch.setattr("numduel.arena.sampling.GAMES_PER_TASK", 40)
    monkeypatch.setattr("numduel.arena.dataset._task_results", in_order)


@pytest.fixture
def installed(tmp_path):
    """A package that registers players, on a path of its own: the environment with which to run."""
    folder = tmp_path / "site"
    info = folder / "rogues-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rogues\nVersion: 1.0\n")

    def installed(source, **kinds):
        (folder / "rogues.py").write_text(source)
        points = "".join(f"{name} = rogues:{target}\n" for name, target in kinds.items())
        (info / "entry_points.txt").write_text(f"[numduel.players]\n{points}")
        before = os.environ.get("PYTHONPATH")
        return {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), before]))}

    return installed


SLOW = """
import os, time
from numduel.players import Kind
from numduel.players.player import RandomPlayer

class Slow(RandomPlayer):
    def choose(self, turn):
        if not os.path.exists({hurry!r}):
            time.sleep(0.2)
        return super().choose(turn)

SLOW = Kind("slow", "takes its time", lambda _: Slow())
"""


@pytest.fixture
def hurry(installed, environment, tmp_path, monkeypatch):
    """The player `slow` moves at random, but takes its time until this file is there.

    So nothing has come to its end before it is killed, however busy the machine is.
    """
    path = tmp_path / "hurry"
    environment.update(installed(SLOW.format(hurry=str(path)), slow="SLOW"))
    monkeypatch.setitem(OUR_PLAYERS, "slow", Kind("slow", "at random", lambda _: RandomPlayer()))
    return path
