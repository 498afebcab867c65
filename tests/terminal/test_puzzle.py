"""`numduel puzzle`: one position, one good move, and why."""

import json
import shutil
from pathlib import Path

import pytest

import numduel
from numduel.games import OURS

ONE = ("puzzle", "operation-duel", "--number", 3)


def told(run, *arguments):
    return json.loads(run(*arguments, "--json").out)


@pytest.mark.parametrize("key", OURS)
def test_the_answer_is_right_and_comes_with_its_reason(run, key):
    one = told(run, "puzzle", key, "--number", 1)
    ran = run("puzzle", key, "--number", 1, typed=f"{one['answer']}\n")
    assert ran.status == 0
    assert ran.out.splitlines()[0].startswith(f"Puzzle 1, level {one['level']} of 5. ")
    assert one["task"] in ran.out
    assert ran.out.splitlines()[-1] == f"Right. {one['reason']}"


def test_another_move_is_told_why_it_is_wrong_and_one_tries_again(run):
    one = told(run, *ONE)
    game = numduel.new(one["game"], **one["settings"])
    wrong = next(m for m in game.moves(game.read(one["position"])) if m != one["answer"])
    out = run(*ONE, typed=f"{wrong}\n{one['answer']}\n").out
    assert " loses: " in out
    assert out.index("Try again.") < out.index("Right. ")


def test_what_can_be_typed_beside_a_move(run):
    out = run(*ONE, typed="x\nrules\nanswer\n").out
    assert "'x' is no move here. Type your move; or answer to be told, rules" in out
    assert "The players share one number" in out
    assert out.splitlines()[-1].startswith("Only ")
    assert run(*ONE, typed="quit\n").status == 0
    assert run(*ONE, typed="").status == 0


def test_a_day_has_the_same_puzzle_for_everybody(run):
    first = run("puzzle", "--date", "2026-11-16").out
    assert first.startswith("The puzzle of Monday, 16 November 2026, level 2 of 5. Operation Duel")
    assert first == run("puzzle", "--date", "2026-11-16").out
    assert "The puzzle of " in run("puzzle").out


def test_a_level_is_kept_to_and_without_a_number_any_comes(run):
    assert {told(run, "puzzle", "double-or-add", "--level", 4)["level"] for _ in range(2)} == {4}


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["chess"], "there is no game 'chess'; the games are "),
        (["--date", "soon"], "a day is written like 2026-11-15, not 'soon'"),
        (["--level", 2], "a number or a level is for a game's puzzles: name the game"),
        (["multiplicity", "--date", "2026-11-16"], "each day has one puzzle, of a game in its"),
        (["multiplicity", "--level", 6], "a puzzle's level is from 1 to 5, not 6"),
        (["multiplicity", "--number", 0], "a puzzle's number is from 1 to 1,000,000,000, not 0"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(run, arguments, line):
    ran = run("puzzle", *arguments)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"numduel: {line}")
    assert ran.err.count("\n") == 1


def test_a_game_from_elsewhere_has_puzzles_too(run, package, environment):
    example = Path(__file__).parents[2] / "examples/take-away/take_away.py"
    shutil.copy(example, environment["PYTHONPATH"])
    source = (
        "from take_away import TakeAway\n"
        "class Lone(TakeAway):\n"
        "    key = 'lone'\n"
        "    def moves(self, position):\n"
        "        return super().moves(position)[:1]\n"
    )
    package("lone_game", source, lone="Lone", **{"take-away": "TakeAway"})
    assert told(run, "puzzle", "take-away", "--number", 1)["game"] == "take-away"
    ran = run("puzzle", "lone", "--number", 1)
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert "no puzzle is found in Take Away" in ran.err


def test_at_a_terminal_the_board_is_drawn(spawn):
    terminal = spawn("puzzle", "divisor-line", "--number", 1)
    terminal.type("your move: ", "answer")
    terminal.shows("Only ")
    assert terminal.ends() == 0
