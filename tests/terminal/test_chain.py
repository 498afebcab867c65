"""`numduel chain`: the longest chain of factors and multiples, at a terminal."""

import pytest


def test_a_chain_grows_and_its_best_is_kept(run):
    out = run("chain", 20, typed="5\n10,20\nback\nquit\n").out
    assert "Can follow: 1, 10, 15, 20" in out
    assert "3 numbers. The longest possible chain has 17.\nYour best: 3 numbers." in out
    assert out.count("Your best: 3 numbers.") == 2
    assert "Your best: 3 numbers." in run("chain", 20).out
    assert "Your best" not in run("chain", 21).out


def test_the_chain_can_go_on_at_its_other_end(run):
    out = run("chain", 20, typed="10,5,15,turn\nturn\n20\nnew\n").out
    assert "Try again: a chain is numbers like 3,6,2, not 'turn'." in out
    out = run("chain", 20, typed="10,5,15\nturn\n20\nnew\n").out
    assert "Chain: 15, 5, 10, 20" in out
    assert out.count("Can follow: 1-20") == 2


def test_a_number_that_does_not_follow_is_refused_and_help_helps(run):
    out = run("chain", 20, typed="5\n7\nhelp\n").out
    assert "Try again: 7 is neither a factor nor a multiple of 5." in out
    assert out.count("longest to see one") == 2


def test_one_of_the_longest_can_be_seen(run):
    out = run("chain", 12, typed="longest\n").out
    numbers = out.partition("One of the longest: ")[2].splitlines()[0]
    assert "11 numbers. No chain is longer!" in run("chain", 12, typed=f"{numbers}\n").out
    assert "It is known up to 200 numbers." in run("chain", 300, typed="longest\n").out


@pytest.mark.parametrize("kept", ["[]", "{", '{"20": 7}', '{"20": "5,7"}'])
def test_a_damaged_record_of_the_best_counts_as_none(run, home, kept):
    home.mkdir()
    (home / "chains.json").write_text(kept)
    assert "Your best: 2 numbers." in run("chain", 20, typed="5,10\n").out


@pytest.mark.parametrize(
    ("size", "line"), [("x", "N is a whole number"), (1, "the board has from")]
)
def test_a_board_that_cannot_be_is_refused(run, size, line):
    ran = run("chain", size)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"numduel: {line}")


def test_at_a_terminal_the_board_is_drawn(spawn, run):
    large = spawn("chain", 200)
    large.shows(" 198  199  200")
    large.type("Next: ", "longest", "quit")
    assert large.ends() == 0
    said = large.text.partition("One of the longest: ")[2].partition("Next: ")[0]
    assert sorted(map(int, said.split(",")))[-1] == 200  # no number is cut in two
    assert "198, 200\n" in run("chain", 200, typed="2\n").out
    terminal = spawn("chain", 12)
    terminal.type("Next: ", "6")
    terminal.shows("[6]")
    terminal.type("Next: ", "quit")
    assert terminal.ends() == 0
