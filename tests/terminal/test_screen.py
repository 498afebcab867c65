"""Plain text: where it is chosen, and how words are broken into lines."""

import re

import pytest
from tests.terminal.shared import MOVE

from numduel.terminal.screen import Screen

COLOUR = re.compile(r"\x1b\[[0-9;]*[349][0-7]m")


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colour_there_is_the_same_board(spawn, env):
    bare, coloured = spawn("play", "divisor-line", env=env), spawn("play", "divisor-line")
    for terminal in (bare, coloured):
        terminal.type(MOVE, "4", "8", "12", "moves", "quit")
        assert terminal.ends() == 0
    one, other = (re.sub(r"(Game|resume) \d+", r"\1 N", t.text) for t in (bare, coloured))
    assert one == other
    assert "[X]" in bare.text
    assert not COLOUR.search(bare.raw)
    assert COLOUR.search(coloured.raw)


def test_plain_text_at_a_narrow_terminal_is_broken_between_words(spawn):
    terminal = spawn("play", "divisor-line", "--goal", "chain", "--plain", columns=30)
    terminal.type("occupy: ", "4", "help", "nothing of the kind", "quit")
    assert terminal.ends() == 0
    assert "Player 1's turn. Available\nnumbers: 1-20\n" in terminal.text
    assert max(map(len, terminal.text.splitlines())) <= 30 + len("nothing of the kind")


@pytest.mark.parametrize("env", [{}, {"NO_COLOR": ""}])
def test_colour_is_what_a_terminal_gets_otherwise(spawn, env):
    terminal = spawn("play", "double-or-add", env=env)
    terminal.type(MOVE, "quit")
    assert terminal.ends() == 0
    assert "Double or Add: Player 1's turn ─" in terminal.text
    assert "\x1b[1;36m" in terminal.raw


def test_a_pipe_gets_plain_text(run):
    out = run("play", "double-or-add", typed="1\n", env={"FORCE_COLOR": "1"}).out
    assert "\x1b" not in out
    assert "─" not in out


def test_prose_is_broken_to_the_width(monkeypatch, capsys):
    text = "word " * 30 + "\n\nsecond\nparagraph\n\n  as\n   drawn"
    for columns, longest in ((40, 39), (500, 99)):
        monkeypatch.setenv("COLUMNS", str(columns))
        Screen().say_prose(text)
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) == longest
        assert lines[-6:] == ["", "second paragraph", "", "  as", "   drawn", ""]


def test_prose_breaks_no_operation_in_two(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "14")
    Screen().say_prose("operations +1,-3,x2 or co-operations")
    assert capsys.readouterr().out.split() == ["operations", "+1,-3,x2", "or", "co-operations"]
