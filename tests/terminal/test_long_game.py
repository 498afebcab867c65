"""Divisor Duel through 20,000 doublings: N is exact, shown shortened, and taken up again."""

import os
import re
import tempfile
from pathlib import Path

import pytest

from numduel.play.saved import Shelf

DOUBLINGS = 20_000


@pytest.fixture
def home(tmp_path):
    """In memory where there is such a place: twenty thousand moves are as many waits for a disk."""
    memory = Path("/dev/shm")
    place = memory if os.access(memory, os.W_OK) else tmp_path
    with tempfile.TemporaryDirectory(dir=place) as folder:
        yield Path(folder)


def digits(number):
    """How many there are, told by comparison alone."""
    count = number.bit_length() * 3 // 10
    while 10**count <= number:
        count += 1
    return count


def shortened(power):
    number = 2**power
    count = digits(number)
    head, tail = number // 10 ** (count - 12), number % 10**12
    return f"{head}…{tail:012} ({count:,} digits, remainder {number % 13})"


@pytest.mark.soak
def test_twenty_thousand_doublings(run, home):
    ran = run("play", "divisor-duel", "--divisor", 13, "--plain", typed="2\n" * DOUBLINGS)
    assert (ran.status, ran.err) == (130, "")
    updated = re.findall(r"^Updated N: (.*)$", ran.out, re.MULTILINE)
    assert len(updated) == DOUBLINGS
    assert updated[198] == str(2**199)  # 60 digits, and shown whole
    for power in (200, 201, 1000, 14_285, 14_286, 19_999, DOUBLINGS):  # 4,300 digits at 14,285
        assert updated[power - 1] == shortened(power)
    assert max(map(len, ran.out.splitlines())) < 100

    ran = run("resume", typed="2\nundo\nyes\n1\n")
    assert (ran.status, ran.err) == (130, "")
    assert ran.out.startswith(
        "Game 1: Divisor Duel (divisor 13, start 1, no ceiling).\n20,000 moves played so far.\n"
        f"\nYou chose to multiply by 2.\nUpdated N: {shortened(DOUBLINGS)}\n"
    )
    assert f"Current N: {shortened(DOUBLINGS)}\n" in ran.out
    assert f"Updated N: {shortened(DOUBLINGS + 1)}\n" in ran.out
    assert "Took back 1 move.\n" in ran.out
    table = Shelf(home / "games").read(1).table
    assert table.moves == [2] * DOUBLINGS + [1]
    assert table.position.number == 2**DOUBLINGS + 1
    assert f"unfinished, {DOUBLINGS + 1:,} moves" in run("history").out


@pytest.fixture
def doubled(run, home):
    """Begin a game, and write so many doublings to its file as if they had been played."""

    def doubled(count):
        run("play", "divisor-duel", typed="2\n")
        with (home / "games" / "1.jsonl").open("a") as file:
            file.write('{"move": 2}\n' * (count - 1))

    return doubled


def test_a_long_number_at_a_terminal(spawn, doubled):
    doubled(15_000)
    terminal = spawn("resume", columns=80)
    terminal.type(", your move: ", "2", "what", "quit")
    assert terminal.ends() == 0
    flat = " ".join(terminal.text.split())
    assert f"Current N: {shortened(15_000)}" in flat
    assert f"2. Multiply by 2 → {shortened(15_001)}" in flat
    assert max(map(len, terminal.text.splitlines())) <= 80


def test_a_long_game_is_recorded_and_replayed(run, doubled):
    doubled(5000)
    run("resume", "--record", "game.json", typed="2\n")
    for record in ("1", "game.json"):
        out = run("replay", record).out
        assert f"Updated N: {shortened(5001)}\n" in out
        assert out.count("Updated N: ") == 5001
