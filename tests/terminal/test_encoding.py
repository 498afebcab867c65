"""In a locale with fewer characters, similar ones are printed and no question marks."""

import re

import pytest

ASCII = [{"PYTHONIOENCODING": "ascii"}, {"LANG": "C"}, {"LC_ALL": "C"}, {"LC_ALL": "POSIX"}]
PLAYED = "2\n" * 250 + "help\nmoves\nhint\nrules\nquit\n"


@pytest.mark.soak(keep=2)
@pytest.mark.parametrize("env", ASCII)
def test_a_pipe_in_ascii_has_look_alikes(run, env):
    ran = run("play", "divisor-duel", typed=PLAYED, env=env)
    assert ran.status == 0
    assert ran.out.isascii()
    assert re.search(r"Updated N: \d{12}\.\.\.\d{12} \(76 digits, remainder \d+\)", ran.out)
    assert "  2. Multiply by 2 -> " in ran.out
    assert "?" not in ran.out.replace("(h, ?)", "")


@pytest.mark.soak(keep=3)
@pytest.mark.parametrize("env", ASCII)
@pytest.mark.parametrize("columns", [40, 80])
def test_a_terminal_in_ascii_has_look_alikes_and_no_line_is_too_wide(spawn, env, columns):
    terminal = spawn("play", "operation-duel", "--start", 13, columns=columns, env=env)
    terminal.type(", your move: ", "2")
    assert terminal.ends() == 0
    assert terminal.text.isascii()
    assert "  2. Multiply by 2 -> 26: too far," in terminal.text
    assert "Player 1 went past 20: 13 x 2 = 26." in " ".join(terminal.text.split())
    assert "?" not in terminal.text
    assert max(map(len, terminal.text.splitlines())) <= columns
    terminal = spawn("play", "multiplicity", "--size", 20, columns=columns, env=env)
    terminal.type(", your move: ", "4", "quit")
    assert terminal.ends() == 0
    assert "\n  .   2   3  [4]  5   6 " in terminal.text


@pytest.mark.parametrize("command", ["history", "analyze 1", "replay 1", "solve multiplicity"])
def test_the_other_commands_have_look_alikes_too(run, command):
    run("play", "multiplicity", "--name1", "Zoë", typed="12\n4\n8\n")
    out = run(*command.split(), env={"LANG": "C"}).out
    assert out.isascii()
    assert "?" not in out
    assert "Zoe" in out or command.startswith("solve")


@pytest.mark.parametrize("env", [{}, {"LANG": "C", "LC_ALL": "C.UTF-8"}, {"LANG": ""}])
def test_in_other_locales_no_character_is_replaced(run, env):
    assert "→" in run("play", "double-or-add", typed="moves\n", env=env).out


def test_latin_1_keeps_what_it_has(run, start, environment):
    run("play", "operation-duel", "--start", 10, typed="2\n")
    environment["PYTHONIOENCODING"] = "latin-1"
    out, _ = start("analyze", 1).communicate()
    assert "Player 1 multiplies by 2: 10 -> 20" in out.decode("latin-1")
    assert "Player 1 wins: 10 × 2 = 20." in out.decode("latin-1")
