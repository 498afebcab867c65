"""Reading a line: at a terminal with arrow keys and history, and whatever comes through a pipe."""

import io
import os

import pytest
from tests.terminal.shared import MOVE, saved_moves

from numduel.terminal.move_prompt import ONE_KEY_HELP
from numduel.terminal.streams import MAX_LINE_CHARACTERS, read_line

UP, DOWN, LEFT, RIGHT = "\x1b[A", "\x1b[B", "\x1b[D", "\x1b[C"
HOME, BACKSPACE, KILL = "\x01", "\x7f", "\x15"
PROMPT = "Enter a number to occupy: "


# At a terminal.


def test_the_up_arrow_brings_the_previous_lines_back(spawn, home):
    terminal = spawn("play", "divisor-line")
    terminal.type(MOVE, "4", "whatever")
    terminal.keys(MOVE, f"{UP}\r")
    terminal.shows("'whatever' is not a choice")
    terminal.keys(MOVE, f"{UP}{UP}{BACKSPACE}15\r")  # 4, made into 15
    terminal.keys(MOVE, f"{UP}{UP}{UP}{DOWN}{DOWN}{KILL}16\r")
    terminal.keys(MOVE, "\x04")
    assert terminal.ends() == 130
    assert terminal.text.count("'whatever' is not a choice") == 2
    assert saved_moves(home) == [4, 15, 16]


def test_the_left_arrow_edits_the_line(spawn, home):
    terminal = spawn("play", "divisor-line")
    terminal.keys(MOVE, f"2{LEFT}1\r")  # 12
    terminal.keys(MOVE, f"19{LEFT}{BACKSPACE}\r")  # 9
    terminal.keys(MOVE, f"3{HOME}1{RIGHT}{BACKSPACE}\r")  # 13, then 1
    terminal.keys(MOVE, "\x04")
    assert terminal.ends() == 130
    assert saved_moves(home) == [12, 9, 1]


def test_a_tab_is_no_file_name(spawn, home):
    terminal = spawn("play", "divisor-line")
    terminal.keys(MOVE, "\t\t7\r")
    terminal.keys(MOVE, "\x04")
    assert terminal.ends() == 130
    assert saved_moves(home) == [7]


def test_keys_that_are_no_text_are_no_failure(spawn, home):
    terminal = spawn("play", "divisor-line")
    terminal.shows(MOVE)
    os.write(terminal.child.child_fd, b"\xff\xfe\xc3(\r")
    terminal.shows("is not a choice. Type 1-20, or help.")
    terminal.keys(MOVE, "\x00\x0b7\r")
    terminal.keys(MOVE, "\x04")
    assert terminal.ends() == 130
    assert saved_moves(home) == [7]


def test_the_key_of_a_menu_is_a_move_without_enter(spawn, home):
    terminal = spawn("play", "operation-duel")
    terminal.keys(MOVE, "2")
    terminal.keys(MOVE, "\r")  # from habit, which is no answer
    terminal.keys(MOVE, "x2")
    terminal.keys(MOVE, "3\r")
    terminal.shows("3 is not in the menu")
    terminal.type(MOVE, "add", "1")  # and an Enter right after the key is dropped
    terminal.type(MOVE, "quit")
    assert terminal.ends() == 0
    assert saved_moves(home) == [2, 2, 1, 1]
    assert "An empty line" not in terminal.text


def test_help_says_that_a_key_needs_no_enter_only_where_that_is_so(spawn, run):
    for key, one_key in (("operation-duel", True), ("divisor-line", False)):
        terminal = spawn("play", key)
        terminal.type(MOVE, "help", "quit")
        assert terminal.ends() == 0
        assert (ONE_KEY_HELP in terminal.text) == one_key
        assert ONE_KEY_HELP not in run("play", key, typed="help\n").out
    puzzle = spawn("puzzle", "operation-duel", "--number", 3)
    puzzle.type("Your move: ", "help")
    puzzle.shows(ONE_KEY_HELP)


@pytest.mark.parametrize(("options", "clears"), [((), 2), (("--scroll",), 0), (("--plain",), 0)])
def test_the_board_is_drawn_in_place_unless_it_is_to_scroll(spawn, options, clears):
    terminal = spawn("play", "divisor-line", *options)
    terminal.type(": ", "4", "no", "9", "quit")
    assert terminal.ends() == 0
    assert terminal.raw.count("\x1b[2J") == clears


# Through a pipe.


@pytest.mark.parametrize(
    ("typed", "echoed", "answer"),
    [
        (b"\xff\xfe\xc3(", "\ufffd\ufffd\ufffd(", "'\ufffd\ufffd\ufffd(' is not a choice. "),
        (b"a\x00b", "a?b", "'a\\x00b' is not a choice. "),
        (b"\x1b[2J\x1b]0;x\x07", "?[2J?]0;x?", "'\\x1b[2J\\x1b]0;x\\x07' is not a choice. "),
        ("\u202e\u2028x".encode(), "??x", "'\\u202e\\u2028x' is not a choice. "),
        (b"\x0c7", "?7", None),  # white space around a number does not matter
        (b"\t 7 \t", "? 7 ?", None),
        ("７".encode(), "７", "'７' is not a choice. "),
    ],
)
def test_any_bytes_are_a_line(run, home, typed, echoed, answer):
    lines = run("play", "divisor-line", typed=typed + b"\n").out.splitlines()
    at = lines.index(PROMPT + echoed)
    if answer is None:
        assert saved_moves(home) == [7]
    else:
        assert lines[at + 1].startswith(answer)
        assert lines[at + 2] == PROMPT
        assert not [*home.glob("games/*")]


@pytest.mark.parametrize("line", [b"x" * 2**20, b"9" * 2**20, b"\x00" * 2**20, b" " * 2**20])
def test_a_line_of_a_megabyte_is_one_line(run, home, line):
    ran = run("play", "divisor-line", typed=line + b"\n7\n" + line)
    assert ran.status == 130
    assert saved_moves(home) == [7]
    assert ran.out.count("is not a choice. ") == 2
    assert ran.out.count(PROMPT) == 4
    assert len(ran.out) < 3 * MAX_LINE_CHARACTERS + 2000


def test_lines_may_end_as_windows_ends_them(run, home):
    run("play", "divisor-line", typed=b"7\r\n8\r\n")
    assert saved_moves(home) == [7, 8]


def test_a_pipe_is_echoed_and_read_line_by_line(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"one\n{'x' * 5000}\n\nlast"))
    assert read_line("? ") == "one"
    assert read_line("? ") == "x" * MAX_LINE_CHARACTERS
    assert read_line("? ") == ""
    assert read_line("? ") == "last"
    with pytest.raises(EOFError):
        read_line("? ")
    assert capsys.readouterr().out == f"? one\n? {'x' * MAX_LINE_CHARACTERS}\n? \n? last\n? \n"


@pytest.mark.parametrize(
    "length", [MAX_LINE_CHARACTERS - 1, MAX_LINE_CHARACTERS, MAX_LINE_CHARACTERS + 1]
)
def test_no_length_of_a_line_loses_the_next(monkeypatch, capsys, length):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{'x' * length}\nnext\n"))
    assert read_line("") == "x" * min(length, MAX_LINE_CHARACTERS)
    assert read_line("") == "next"
