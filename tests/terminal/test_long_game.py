"""Divisor Duel through thousands of doublings: N is exact, shown shortened, and taken up again."""

import pytest


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
