"""Players that do all that players should not: every game is accounted for, and the sums agree."""

import json
import sys
import textwrap

import polars as pl
import pytest

from numduel import NumduelError
from numduel.arena.asked import Asked
from numduel.arena.guard import Guard
from numduel.arena.measures import FAULTS, Tables
from numduel.arena.plan import Plan
from numduel.players import OURS, Kind, Player

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
def test_a_player_that_takes_its_process_with_it_or_hangs_loses(installed, monkeypatch, who, fault):
    environment = installed(textwrap.dedent(ROGUES), **KINDS)
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
    games = ("multiplicity:size=40,opening=even",)
    asked = Asked(games, (who, "perfect"), rounds=1, seconds=0.5, truth=False)
    lines = []
    with Guard(asked) as guard:
        while len(lines) < 2:
            lines += map(json.loads, guard.played(range(len(lines), 2)))
    for number, line in enumerate(lines):
        seat = 1 + number  # whoever was second in the first game is first in the other
        assert line["game"] == number and line["fault"][:2] == [seat, fault], line
        assert line["winner"] == 3 - seat and line["reason"] == "resigned"
        assert len(line["moves"]) == 2 + number  # all until it was asked a second time


@pytest.mark.soak
def test_an_arena_of_such_players_comes_to_its_end(run, installed, tmp_path):
    environment = installed(textwrap.dedent(ROGUES), **KINDS)
    players = [flag for who in (*KINDS, "random") for flag in ("--player", who)]
    asked = ["--game", "multiplicity:size=40,opening=even", "--rounds", "1", "--seconds", "0.5"]
    assert run("arena", *asked, *players, "--out", "out", env=environment).status == 0
    tables = Tables(tmp_path / "out", (*KINDS, "random"))
    games = sums_agree(tables, 20)
    assert games["fault"].count() > 15


def test_a_worker_that_cannot_even_begin_is_said_to(monkeypatch):
    monkeypatch.setattr("numduel.arena.guard.MOST_DEATHS", 0)
    asked = Asked(("double-or-add",), ("random", "easy"))
    monkeypatch.setattr("sys.executable", "/bin/false")
    with Guard(asked) as guard, pytest.raises(NumduelError, match="as soon as they begin"):
        guard.played([0])


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
    """Every game is there, once, and counted for both of its players in every table."""
    games = tables.games.collect()
    assert games["game"].to_list() == list(range(count))
    for by in ((), ("key",), ("setting",)):
        rows = tables.measured(*by)
        assert rows["games"].sum() == 2 * len(games)
        ended = rows.select(pl.sum_horizontal("won", "drawn", "undecided", "lost")).to_series()
        assert ended.equals(rows["games"].cast(ended.dtype))
        assert rows["won"].sum() == rows["lost"].sum()
        faults = rows.select(pl.sum_horizontal(*FAULTS)).to_series()
        assert faults.sum() == games["fault"].count() > 0
        assert (faults <= rows["lost"]).all()
        assert rows["moves"].sum() == tables.moves.collect().height == games["moves"].sum()
    return games


def test_whatever_players_do_the_sums_agree(played, tmp_path, monkeypatch, many):
    for how in HOWS:
        monkeypatch.setitem(OURS, how, Kind(how, "", lambda _, how=how: Bad(how)))
    programs = []
    for name, go in list(PROGRAMS.items())[: many(1, 4)]:
        path = tmp_path / f"{name}.py"
        path.write_text(textwrap.dedent(PROGRAM.format(go=go)))
        programs.append(f"program:{sys.executable} {path}")
    players = (*HOWS, *programs, "random")
    games = ("double-or-add:target=14", "divisor-line:size=8")
    asked = Asked(games, players, rounds=2)
    if len(programs) > 1:  # who sleeps is waited for, and nobody else is so late on a busy machine
        asked = asked._replace(games=games[:1], rounds=1, seconds=2.0)
    tables = played(asked, tmp_path / "out")
    sums_agree(tables, len(Plan(asked)))
    found = {row["player"]: row for row in tables.measured().iter_rows(named=True)}
    assert found["random"]["lost"] and not sum(found["random"][fault] for fault in FAULTS)
    assert found["raises"]["crashed"] and found["illegal"]["illegal"]
    assert found["nonsense"]["illegal"] and found["nothing"]["illegal"]
    stops = found[programs[0]]  # it wins only where the other failed first
    assert stops["crashed"] and stops["crashed"] + stops["won"] == stops["games"]
    if len(programs) > 1:
        _, floods, babbles, sleeps = programs
        assert found[floods]["crashed"] and found[babbles]["unreadable"] and found[sleeps]["late"]


def test_games_that_never_end_are_undecided(played, tmp_path):
    asked = Asked(("divisor-duel",), ("perfect", "hard"), rounds=2, turn_limit=20, seed=4)
    tables: Tables = played(asked, tmp_path)
    rows = tables.measured().to_dicts()
    assert rows[0]["undecided"] == rows[1]["undecided"] > 0
    assert all(row["won"] + row["lost"] + row["undecided"] == row["games"] for row in rows)
