"""Players that misbehave in every way: every game is accounted for, and the sums agree."""

import json
import signal
import sys
import textwrap

import polars as pl
import psutil
import pytest
from tests.waiting import until

from numduel import NumduelError
from numduel.arena.measures import FAULTS, Tables
from numduel.arena.plan import Plan
from numduel.arena.processes import WorkerProcess
from numduel.arena.spec import Spec
from numduel.players import OUR_PLAYERS, Kind, Player

ROGUES = """
    import os, time
    from numduel.players import Kind, Player

    class Rogue(Player):
        def __init__(self, name):
            self.name = name

        def choose(self, turn):
            if len(turn.moves) < 2:  # well behaved at first
                return turn.game.moves(turn.position)[0]
            if self.name == "dies":
                os._exit(3)
            if self.name == "leaves":
                raise SystemExit
            if self.name == "hangs":
                time.sleep(3600)
            if self.name == "prints":
                print("x" * 100_000)
                os.write(1, b"y" * 100_000)
                return input()

    def kind(name):
        return Kind(name, "misbehaves", lambda _: Rogue(name))

    DIES, LEAVES, HANGS, PRINTS = map(kind, ("dies", "leaves", "hangs", "prints"))
"""
KINDS = {name: name.upper() for name in ("dies", "leaves", "hangs", "prints")}


FATES = [("dies", "crashed"), ("hangs", "late"), ("leaves", "crashed"), ("prints", "crashed")]


@pytest.mark.parametrize(("who", "fault"), FATES)
@pytest.mark.soak(keep=2)
def test_a_player_that_ends_its_process_or_hangs_loses(install_players, monkeypatch, who, fault):
    environment = install_players(textwrap.dedent(ROGUES), **KINDS)
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
    games = ("multiplicity:size=40,opening=even",)
    seconds = 0.5 if fault == "late" else 60
    spec = Spec(games, (who, "perfect"), rounds=1, seconds=seconds, truth=False)
    lines = []
    with WorkerProcess(spec) as process:
        while len(lines) < 2:
            lines += map(json.loads, process.play(range(len(lines), 2)))
    for number, line in enumerate(lines):
        seat = 1 + number  # whoever was second in the first game is first in the other
        assert line["game"] == number and line["fault"][:2] == [seat, fault], line
        assert line["winner"] == 3 - seat and line["reason"] == "forfeited"
        assert len(line["moves"]) == 2 + number  # all until it was asked a second time


@pytest.mark.soak
def test_an_arena_of_such_players_finishes(run, install_players, tmp_path):
    environment = install_players(textwrap.dedent(ROGUES), **KINDS)
    players = [flag for who in (*KINDS, "random") for flag in ("--player", who)]
    spec = ["--game", "multiplicity:size=40,opening=even", "--rounds", "1", "--seconds", "0.5"]
    assert run("arena", *spec, *players, "--out", "out", env=environment).status == 0
    tables = Tables(tmp_path / "out", (*KINDS, "random"))
    games = sums_agree(tables, 20)
    assert games["fault"].count() > 15


LEAVER = """
    import os, sys, time
    left = sys.argv[1]
    for line in sys.stdin:
        word = line.split()[0]
        if word == "numduel":
            print("ready", flush=True)
        if word == "go":
            for leave in (os.setsid, os.setpgrp):
                if os.fork() == 0:
                    leave()
                    if os.fork() == 0:  # whose parent process is soon gone
                        open(f"{left}/{os.getpid()}", "w").close()
                        time.sleep(3600)
                    os._exit(0)
            while len(os.listdir(left)) < 2:
                time.sleep(0.01)
            time.sleep(3600)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.soak(keep=1)
def test_programs_that_leave_their_process_group_end_with_the_arena(tmp_path, start, how):
    (tmp_path / "leaver.py").write_text(textwrap.dedent(LEAVER))
    left = tmp_path / "left"
    left.mkdir()
    players = ["--player", f"program:{sys.executable} leaver.py {left}", "--player", "random"]
    going = start("arena", "--game", "multiplicity:size=12", *players, "--workers", 1)

    def both_have_left():
        assert going.poll() is None, going.communicate()
        return len([*left.iterdir()]) == 2

    until(both_have_left)
    going.send_signal(how)
    going.communicate()
    until(lambda: not any(map(is_alive, left.iterdir())))


def is_alive(path):
    try:
        return psutil.Process(int(path.name)).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_worker_process_that_cannot_start_is_reported(monkeypatch):
    monkeypatch.setattr("numduel.arena.processes.MAX_DEATHS", 0)
    spec = Spec(("double-or-add",), ("random", "easy"))
    monkeypatch.setattr("sys.executable", "/bin/false")
    with WorkerProcess(spec) as process, pytest.raises(NumduelError, match="as soon as they begin"):
        process.play([0])


class Bad(Player):
    """Misbehaves in a way that its process survives."""

    def __init__(self, how):
        self.name = self.how = how

    def choose(self, turn):
        move = turn.rng.choice(turn.game.moves(turn.position))
        if turn.rng.random() < 0.7:
            return move
        if self.how == "raises":
            raise RuntimeError("no\nidea" * 100)
        return {"illegal": 10**9, "nonsense": "seven", "nothing": None}[self.how]


HOWS = ("raises", "illegal", "nonsense", "nothing")
PROGRAM = """
    import random, sys, time
    for line in sys.stdin:
        word = line.split()[0]
        if word == "numduel": print("ready")
        if word == "go": {go}
        sys.stdout.flush()
"""
PROGRAMS = {
    "stops": "sys.exit(3)",
    "floods": "print('x' * 10**6)",
    "babbles": "print('move left')",
    "sleeps": "time.sleep(60)",
}


def sums_agree(tables, count):
    """Check that every table counts every game, or its copy, for both of its players."""
    games = tables.games.collect()
    assert len({*games["game"]} & {*range(count)}) == len(games) == count - tables.copies
    for by in ((), ("key",), ("setting",)):
        rows = tables.player_measures(*by)
        assert rows["games"].sum() == 2 * len(games)
        ended = rows.select(pl.sum_horizontal("won", "drawn", "undecided", "lost")).to_series()
        assert ended.equals(rows["games"].cast(ended.dtype))
        assert rows["won"].sum() == rows["lost"].sum()
        faults = rows.select(pl.sum_horizontal(*FAULTS)).to_series()
        assert faults.sum() == games["fault"].count() > 0
        assert (faults <= rows["lost"]).all()
        moves = tables.moves.collect()
        assert moves.height == games["moves"].sum()
        assert rows["decisions"].sum() == moves["mattered"].sum()
    return games


def test_whatever_players_do_the_sums_agree(play_arena, tmp_path, monkeypatch, many):
    for how in HOWS:
        monkeypatch.setitem(OUR_PLAYERS, how, Kind(how, "", lambda _, how=how: Bad(how)))
    programs = []
    for name, go in list(PROGRAMS.items())[: many(1, 4)]:
        path = tmp_path / f"{name}.py"
        path.write_text(textwrap.dedent(PROGRAM.format(go=go)))
        programs.append(f"program:{sys.executable} {path}")
    players = (*HOWS, *programs, "random")
    games = ("double-or-add:target=14", "divisor-line:size=8")
    spec = Spec(games, players, rounds=2)
    if len(programs) > 1:  # who sleeps is waited for, and nobody else is so late on a busy machine
        spec = spec._replace(games=games[:1], rounds=1, seconds=2.0)
    tables = play_arena(spec, tmp_path / "out")
    sums_agree(tables, len(Plan(spec)))
    found = {row["player"]: row for row in tables.player_measures().iter_rows(named=True)}
    assert found["random"]["lost"] and not sum(found["random"][fault] for fault in FAULTS)
    assert found["raises"]["crashed"] and found["illegal"]["illegal"]
    assert found["nonsense"]["illegal"] and found["nothing"]["illegal"]
    stops = found[programs[0]]  # it wins only where the other failed first
    assert stops["crashed"] and stops["crashed"] + stops["won"] == stops["games"]
    if len(programs) > 1:
        _, floods, babbles, sleeps = programs
        assert found[floods]["crashed"] and found[babbles]["unreadable"] and found[sleeps]["late"]


def test_games_that_never_end_are_undecided(play_arena, tmp_path):
    spec = Spec(("divisor-duel",), ("perfect", "hard"), rounds=2, turn_limit=20, seed=4)
    tables: Tables = play_arena(spec, tmp_path)
    rows = tables.player_measures().to_dicts()
    assert rows[0]["undecided"] == rows[1]["undecided"] > 0
    assert all(row["won"] + row["lost"] + row["undecided"] == row["games"] for row in rows)
