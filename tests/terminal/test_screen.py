"""Plain text: where it is chosen, and how words are broken into lines."""

import pytest

import numduel
from numduel import Record
from numduel.terminal.screen import Screen

PLAIN = [
    ({"NO_COLOR": "1"}, []),
    ({"TERM": "dumb"}, []),
    ({}, ["--plain"]),
]


@pytest.mark.parametrize(("env", "options"), PLAIN)
def test_plain_text_is_the_documents_own_lines(spawn, env, options):
    terminal = spawn("play", "double-or-add", *options, env=env)
    terminal.type("Enter 1 or 2: ", "1", "quit")
    assert terminal.ends() == 0
    assert "─" not in terminal.text
    assert "\x1b[1" not in terminal.raw
    assert "Current Number: 2\nPlayer 2, choose your action:\n1. Double\n2. Add One\n" in (
        terminal.text
    )


@pytest.mark.parametrize("env", [{}, {"NO_COLOR": ""}])
def test_colour_is_what_a_terminal_gets_otherwise(spawn, env):
    terminal = spawn("play", "double-or-add", env=env)
    terminal.type("Enter 1 or 2: ", "quit")
    assert terminal.ends() == 0
    assert "Double or Add: Player 1's turn. ─" in terminal.text
    assert "\x1b[1;36m" in terminal.raw


def test_a_pipe_gets_plain_text(run):
    out = run("play", "double-or-add", typed="1\n", env={"FORCE_COLOR": "1"}).out
    assert "\x1b" not in out
    assert "─" not in out


def test_prose_is_broken_to_the_width(monkeypatch, capsys):
    text = "word " * 30 + "\n\nsecond\nparagraph\n\n  as\n   drawn"
    for columns, longest in ((40, 39), (500, 99)):
        monkeypatch.setenv("COLUMNS", str(columns))
        Screen().prose(text)
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) == longest
        assert lines[-6:] == ["", "second paragraph", "", "  as", "   drawn", ""]


def test_prose_breaks_no_operation_in_two(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "14")
    Screen().prose("operations +1,-3,x2 or co-operations")
    assert capsys.readouterr().out.split() == ["operations", "+1,-3,x2", "or", "co-operations"]


def test_a_recap_tells_what_the_last_move_led_to(capsys):
    game = numduel.new("double-or-add")
    record = Record("double-or-add", {}, ("human", "human"), 1, (1, 2), None, "")
    Screen().recap(game, record)
    assert capsys.readouterr().out == "You chose to Add One.\nNew Current Number: 3\n\n"
    Screen().recap(game, record._replace(moves=()))
    assert capsys.readouterr().out == ""


def test_who_does_not_type_chooses_at_the_prompt(capsys):
    game = numduel.new("double-or-add")
    Screen().chosen(game, game.start(), "random", 2)
    assert capsys.readouterr().out == "Enter 1 or 2: 2\n"
