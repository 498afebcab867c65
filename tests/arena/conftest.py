"""Small arenas that are played in this process, and players from another package."""

import os
from itertools import count

import pytest
from tests.waiting import until

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
    """Play the games in two chunks."""
    runner = GameRunner(make_plan(spec))
    numbers = list(numbers)
    for some in (numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]):
        yield runner.play(some)
    runner.close()


class WorkerHere:
    """Plays games in this process instead of a worker process."""

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
    """Wait until a running arena has written this number of lines more to its log."""

    def wait_for_games(going, log, more=1):
        size = log.stat().st_size if log.exists() else 0

        def has_grown():
            assert going.poll() is None, going.communicate()
            return log.exists() and log.read_bytes()[size:].count(b"\n") >= more

        until(has_grown)

    return wait_for_games


@pytest.fixture
def play_arena(monkeypatch):
    """Run an arena in this process, by default without a report, and return its tables."""

    def play_arena(spec, folder, report=False, **kwargs):
        with monkeypatch.context() as patch:
            patch.setattr("numduel.arena.model_games.WorkerProcess", WorkerHere)
            if not report:
                patch.setattr("numduel.arena.report.write_report", lambda *_: None)
            return run(spec, folder, play_games=in_this_process, **kwargs)

    return play_arena


@pytest.fixture
def sampled_here(monkeypatch):
    """Let positions be sampled in this process, from few games per task."""

    def in_order(games, seed, workers):
        return map(Sampler(games, seed).run, count())

    monkeypatch.setattr("numduel.arena.sampling.GAMES_PER_TASK", 40)
    monkeypatch.setattr("numduel.arena.dataset._task_results", in_order)


@pytest.fixture
def install_players(tmp_path):
    """Install a package that registers players. Return the environment variables for it."""
    folder = tmp_path / "site"
    info = folder / "rogues-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rogues\nVersion: 1.0\n")

    def install_players(source, **kinds):
        (folder / "rogues.py").write_text(source)
        points = "".join(f"{name} = rogues:{target}\n" for name, target in kinds.items())
        (info / "entry_points.txt").write_text(f"[numduel.players]\n{points}")
        before = os.environ.get("PYTHONPATH")
        return {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), before]))}

    return install_players


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
def hurry(install_players, environment, tmp_path, monkeypatch):
    """Register the player `slow`, which moves at random and slowly until this file exists.

    So no arena has ended before it is killed, however busy the machine is.
    """
    path = tmp_path / "hurry"
    environment.update(install_players(SLOW.format(hurry=str(path)), slow="SLOW"))
    monkeypatch.setitem(OUR_PLAYERS, "slow", Kind("slow", "at random", lambda _: RandomPlayer()))
    return path
