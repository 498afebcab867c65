"""The arena compared with a bare loop of games, on one core and on two; and its memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any

import polars as pl
import psutil

import numduel
from numduel import players
from numduel.arena.log import Log, Standings
from numduel.arena.model_games import ModelGames, SpendingLimit
from numduel.arena.plan import Plan
from numduel.arena.processes import cores, play_locally
from numduel.arena.run import LOG_FILE
from numduel.arena.spec import Spec

GAMES = ("double-or-add", "divisor-line", "divisor-duel:ceiling=100", "multiplicity:size=20")
SECONDS = 10.0
LONG = ("double-or-add", "divisor-line:size=8")  # small games, whose caches are soon complete
ROUNDS = 50_000  # more than a million moves
MODEL_GAMES, MODEL_SECONDS = 20, 0.5
EXAMPLE = Path(__file__).parents[1] / "examples" / "model_server.py"
RANDOM = ("random", "other")
OTHER = """
from numduel.players import Kind
from numduel.players.player import RandomPlayer
OTHER = Kind("other", "any legal move, too", lambda _: RandomPlayer())
"""


def measure() -> Iterator[str]:
    """Yield games per second between two random players, and the memory of a long run."""
    with _another_random_player():
        for text in GAMES:
            bare, (alone, one) = _bare(text), _arena(text, 1, truth=False)
            parts = [f"{alone / bare:.2f} of that in an arena (0.8 wanted)"]
            if cores() > 1:
                _, both = _arena(text, 2, truth=False)
                parts.append(f"{both / one:.2f} times as many on two cores (1.6 wanted)")
            parts.append(f"{_arena(text, 1, truth=True)[0] / bare:.2f} with each move judged")
            yield f"{text}: {bare:,.0f} games a second in a bare loop; {'; '.join(parts)}"
        yield _long()
    yield _models()


def _models() -> str:
    """Time games of a slow model. Together they should take as long as the longest of them."""
    found = spec_from_file_location("model_server", EXAMPLE)
    assert found is not None and found.loader is not None
    found.loader.exec_module(example := module_from_spec(found))
    server = example.Server()
    server.slowness = MODEL_SECONDS
    Thread(target=server.serve_forever, daemon=True).start()
    who = f"model:slow,legal=shown,url={server.url}"
    spec = Spec(("divisor-line:size=40,goal=chain",), ("random", who), rounds=MODEL_GAMES // 2)
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Log(Path(folder) / LOG_FILE, plan := Plan(spec))) as log,
    ):
        begun = time.perf_counter()
        ModelGames(plan, log, SpendingLimit()).play(cores(), log.add)
        took = time.perf_counter() - begun
        answers = Counter(line.game for line in log.answers())
    server.shutdown()
    longest = max(answers.values()) * MODEL_SECONDS
    return (
        f"{MODEL_GAMES} games of a model that takes {MODEL_SECONDS} s for a move: {took:.1f} s, "
        f"{took / longest:.2f} times the {longest:.1f} s of the longest game (1.5 wanted); "
        f"one after the other {answers.total() * MODEL_SECONDS:.0f} s"
    )


@contextmanager
def _another_random_player() -> Iterator[None]:
    """Install a package with another random player, for this process and for its children."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "other_random.py").write_text(OTHER)
        info = Path(folder) / "other_random-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-random\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[numduel.players]\nother = other_random:OTHER\n")
        sys.path.insert(0, folder)
        os.environ["PYTHONPATH"] = folder
        players._registered.cache_clear()
        yield
        sys.path.remove(folder)
        del os.environ["PYTHONPATH"]
        players._registered.cache_clear()


def _bare(text: str) -> float:
    game: Any = Plan(Spec((text,), RANDOM)).games[0]
    both = [players.player(who) for who in RANDOM]
    begun = time.process_time()
    for number in count(1):
        numduel.play_game(game, both, seed=number, started="-")  # type: ignore[arg-type]
        if time.process_time() - begun > SECONDS:
            return number / (time.process_time() - begun)
    raise AssertionError


def _arena(text: str, workers: int, truth: bool) -> tuple[float, float]:
    """Return games per second of processor time, and per second once every process has started.

    The first does not depend on what else is running. It includes the log and the start of the
    processes.
    """
    spec = Spec((text,), RANDOM, rounds=1_000_000, truth=truth)
    used = _processors()
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(spec)
        log, standing = Log(Path(folder) / "log.jsonl", plan), Standings(plan)
        begun = whole = played = 0.0
        with closing(log), closing(play_locally(spec, log.missing(), workers)) as told:
            for number, lines in enumerate(told, 1):
                standing.add(log.add(lines))
                whole += len(lines)
                played += len(lines) if begun else 0
                if number == 2 * workers:
                    begun = time.perf_counter()
                elif begun and time.perf_counter() - begun > SECONDS:
                    break
            rate = played / (time.perf_counter() - begun)
    return whole / (_processors() - used), rate


def _processors() -> float:
    """Return the seconds of processor time that we and our finished children have used."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def _long() -> str:
    """Run the command and watch its memory, which must not grow with the number of games."""
    spec = Spec(LONG, RANDOM, rounds=ROUNDS)
    held, played, begun = dict.fromkeys((0.1, 0.4, 0.999, 1.0), 0.0), 0.0, time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "out"
        (Path(name) / "asked.toml").write_text(spec.dumps())
        words = ["arena", f"{name}/asked.toml", "--out", str(folder)]
        going = psutil.Popen([sys.executable, "-m", "numduel", *words], stdout=subprocess.DEVNULL)
        with closing(_log_of(folder, spec)) as log:
            while going.poll() is None:
                for _ in log.refresh():
                    pass
                part = log.done / len(Plan(spec))
                whole = next(until for until in held if part <= until)
                held[whole] = max(held[whole], _memory(going))
                if part == 1 and not played:
                    played = time.perf_counter() - begun
                time.sleep(0.2)
        moves = pl.scan_parquet(folder / "moves.parquet").select(pl.len()).collect().item()
    most = [f"{size / 1e9:.2f} GB" for size in held.values()]
    return (
        f"{moves:,} moves of {len(Plan(spec)):,} games on {cores()} cores, each judged: "
        f"{played:.0f} s, and {time.perf_counter() - begun - played:.0f} s for tables and report; "
        f"memory of all processes: {most[0]} in the first tenth, {most[1]} until four tenths, "
        f"{most[2]} until all were played, {most[3]} with the tables and the report"
    )


def _log_of(folder: Path, spec: Spec) -> Log:
    while not (folder / LOG_FILE).exists():
        time.sleep(0.1)
    return Log(folder / LOG_FILE, Plan(spec), writing=False)


def _memory(process: psutil.Process) -> int:
    """Return the bytes of memory of a process and all of its descendants."""
    found = 0
    with suppress(psutil.NoSuchProcess):
        for one in (process, *process.children(recursive=True)):
            found += one.memory_info().rss
    return found
