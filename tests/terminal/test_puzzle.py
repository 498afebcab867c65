"""`numduel puzzle`: a position, the right moves, and why."""

import json
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

import numduel
from numduel.games import OUR_GAMES
from numduel.play.puzzle import FIRST_DAY, today

ONE = ("puzzle", "operation-duel", "--number", 3)


def told(run, *arguments):
    return json.loads(run(*arguments, "--json").out)


def own(one):
    """The right moves of a puzzle."""
    return one["line"][::2]


def typed(*lines):
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("key", OUR_GAMES)
def test_the_right_moves_are_explained_and_the_game_plays_itself_out(run, key):
    one = told(run, "puzzle", key, "--number", 1)
    assert len(own(one)) == one["turns"] and own(one)[0] == one["answer"]
    ran = run("puzzle", key, "--number", 1, typed=typed(*own(one)))
    assert ran.status == 0
    assert ran.out.splitlines()[0].startswith(f"Puzzle 1, level {one['level']} of 5. ")
    assert one["task"] in ran.out
    assert one["reason"].endswith(ran.out.partition("\nRight. ")[2].partition("\n")[0])
    assert ran.out.count("Right. ") == one["turns"]
    assert ran.out.count("Find move ") == one["turns"] - 1
    assert "How it goes: you " in ran.out and "The end: " in ran.out


@pytest.mark.parametrize("key", OUR_GAMES)
def test_the_position_is_told_in_words_and_its_notation_only_if_asked_for(run, key):
    one = told(run, "puzzle", key, "--number", 1)
    game = numduel.new(one["game"], **one["settings"])
    assert not game.notation(game.start()).startswith(one["position"])
    asked = run("puzzle", key, "--number", 1).out
    assert game.words.position_text(game.read(one["position"])) in asked
    assert "Position: " not in asked
    assert f"Position: {one['position']}\n" in run("puzzle", key, "--number", 1, "--notation").out


def test_another_move_is_refuted_and_one_tries_again(run):
    one = told(run, *ONE)
    game = numduel.new(one["game"], **one["settings"])
    wrong = next(m for m in game.moves(game.read(one["position"])) if m != one["answer"])
    out = run(*ONE, typed=typed(wrong, *own(one))).out
    assert "Not that one. " in out
    assert out.index("The end: ") < out.index("Try again.") < out.index("Right. ")


def test_what_can_be_typed_beside_a_move(run):
    out = run(*ONE, typed="x\nhelp\nhint\nmoves\nrules\nanswer\n").out
    assert "'x' is not a move here. Type moves to see those that can be made." in out
    assert out.count("Type your move, or one of: hint, moves, answer, next, rules, quit.") == 2
    assert "\nLook for a move that leaves you an answer to everything" in out and "\n  1. " in out
    assert "The players share one number" in out
    assert "How it goes: you " in out and "To share" not in out
    assert run(*ONE, typed="quit\n").status == 0
    assert run(*ONE, typed="").status == 0


def test_next_leads_to_the_next_number_before_and_after_the_answer(run):
    one = told(run, *ONE)
    out = run(*ONE, typed=typed("next", "answer", "next", "quit")).out
    assert out.count("Puzzle ") == 3 and "Puzzle 4, " in out and "Puzzle 5, " in out
    assert "Puzzle 4, " in run(*ONE, typed=typed(*own(one), "next")).out
    assert "Puzzle 4, " not in run(*ONE, typed=typed(*own(one), "no")).out


def test_a_day_has_the_same_puzzle_for_everybody(run):
    first = run("puzzle", "--date", "2026-11-16").out
    assert first.startswith("The puzzle of Monday, 16 November 2026, level 2 of 5. Operation Duel")
    assert first == run("puzzle", "--date", "2026-11-16").out
    assert "The puzzle of " in run("puzzle").out


def test_solved_days_and_their_run_are_kept_and_shared_without_the_answer(run, environment):
    days = ("2026-11-09", "2026-11-11", "2026-11-10")
    for count, (day, row) in enumerate(zip(days, ("", "", " 2 days in a row."), strict=True), 1):
        one = told(run, "puzzle", "--date", day)
        out = run("puzzle", "--date", day, typed=typed(*own(one))).out
        assert f"Days solved: {count}.{row}\n" in out
        shared = next(line for line in out.splitlines() if line.startswith("To share: "))
        assert shared.endswith(f" Can you? numduel puzzle --date {day}")
    kept = json.loads((Path(environment["NUMDUEL_HOME"]) / "puzzles.json").read_text())
    assert kept == {"solved": sorted(days)}


def test_next_leads_to_the_latest_day_that_is_not_solved(run, environment):
    day = today()
    home = Path(environment["NUMDUEL_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    solved = [str(day), "soon", str(day - timedelta(1))]
    (home / "puzzles.json").write_text(json.dumps({"solved": solved}))
    other = day - timedelta(2)
    assert f"{other.day} {other:%B %Y}" in run("puzzle", typed="next\n").out
    every = [str(FIRST_DAY + timedelta(days)) for days in range((day - FIRST_DAY).days + 1)]
    (home / "puzzles.json").write_text(json.dumps({"solved": every}))
    assert "\nPuzzle " in run("puzzle", typed="next\n").out


def test_what_cannot_be_kept_is_warned_of_and_play_goes_on(run, tmp_path):
    (tmp_path / "file").write_text("")
    one = told(run, "puzzle", "--date", "2026-11-09")
    ran = run(
        *("puzzle", "--date", "2026-11-09"),
        typed=typed(*own(one)),
        env={"NUMDUEL_HOME": str(tmp_path / "file" / "home")},
    )
    assert ran.status == 0 and "Days solved: 1." in ran.out
    assert ran.err.count("What you solve will not be saved.") == 1


def test_a_puzzle_has_the_level_that_is_wanted_where_one_is_found(run):
    wanted = [("puzzle", "operation-duel", "--number", n, "--level", 4) for n in (1, 2)]
    assert [told(run, *arguments)["level"] for arguments in wanted] == [4, 4]
    assert told(run, *wanted[0]) == told(run, *wanted[0]) != told(run, *wanted[1])


def test_without_a_number_any_puzzle_of_the_game_comes(run):
    first, *others = (told(run, "puzzle", "operation-duel") for _ in range(5))
    assert first["game"] == "operation-duel" and any(one != first for one in others)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["chess"], "there is no game 'chess'; the games are "),
        (["--date", "soon"], "a day is written like 2026-11-15, not 'soon'"),
        (["--level", 2], "a number or a level is for a game's puzzles: name the game"),
        (["multiplicity", "--date", "2026-11-16"], "each day has one puzzle: name a day or a game"),
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
    terminal.shows("Divisor Line: Your turn ─", "You (X): ")
    terminal.type("Your move: ", "answer")
    terminal.shows("How it goes: ")
    terminal.type("or quit: ", "quit")
    assert terminal.ends() == 0
