"""`numduel analyze`: where a saved game turned."""

import json
import re
import time

from numduel.terminal import look_back, screen


def played(run, *typed, game="operation-duel", options=()):
    ran = run("play", game, *options, typed="".join(f"{line}\n" for line in typed))
    assert ran.status == 0
    return ran


def test_each_move_its_verdict_and_where_it_turned(run):
    played(run, 2, 1, 2, 2, 1, 2)
    ran = run("analyze", 1)
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert re.match(
        r"Operation Duel \(target 20, .+\), Player 1 against Player 2, \d{4}-", lines[0]
    )
    assert lines[1:3] == [
        "+ wins, = draws, ~ is endless, - loses: with best play, for whoever makes the move.",
        "",
    ]
    assert lines[3] == "- 1. Player 1 multiplies by 2: 1 → 2"
    assert lines[8] == "- 6. Player 2 multiplies by 2: 13 → 26  <- turned here"
    assert lines[9].startswith("     Add 1 → 14 was better. 14")
    assert lines[10:12] == ["Player 1 wins. Player 2 went past 20: 13 × 2 = 26.", ""]
    assert lines[12:] == [
        "Player 1: 100% sound moves",
        "Player 2: 67% sound moves",
        "Player 2 was winning until move 6.",
    ]


def test_a_long_game_is_judged_as_far_as_there_is_time(run, monkeypatch):
    played(run, 2, 1, 2, 2, 1, 2)
    clock = iter(range(0, 1000, 20))  # each move takes 20 seconds
    monkeypatch.setattr(look_back.time, "monotonic", lambda: next(clock))
    ran = run("analyze", 1)
    assert ran.err == "Warning: 3 moves were not judged in 60 s; --seconds gives more time.\n"
    assert "3. Player 1 " in ran.out and "4. Player 2" not in ran.out
    ran = run("analyze", 1, "--json", "--seconds", 90)
    assert ran.err.startswith("Warning: 1 move was not judged in 90 s;")
    assert len(json.loads(ran.out)["moves"]) == 5


def test_progress_is_shown_at_a_terminal(run, spawn, monkeypatch):
    played(run, 2, 1, 2, 2, 1, 2)
    monkeypatch.setattr(screen, "PROGRESS_DELAY_SECONDS", 0.0)
    slow = look_back.analyze_record
    monkeypatch.setattr(look_back, "analyze_record", lambda *a: time.sleep(1) or slow(*a))
    spawn("analyze", 1).shows("Judging the moves")


def test_a_game_without_a_mistake(run):
    played(run, 29, game="multiplicity")
    assert "Nobody gave anything away." in run("analyze", 1).out


def test_a_record_file_and_json(run, tmp_path):
    file = tmp_path / "game.json"
    played(run, 2, 1, 2, 2, 1, 2, options=("--record", file))
    data = json.loads(run("analyze", file, "--json").out)
    assert data["game"] == "operation-duel"
    assert data["turning_points"] == [6]
    assert data["leads"] == [2, 2, 2, 2, 2, 2, 1]


def test_the_rounds_of_a_match(run):
    played(run, 29, 31, game="multiplicity", options=("--rounds", 2))
    assert run("analyze", 1).out.count("Round ") == 2
    assert len(json.loads(run("analyze", 1, "--json").out)) == 2


def test_a_damaged_record_is_named(run, tmp_path):
    file = tmp_path / "bad.json"
    file.write_text("{")
    ran = run("analyze", file)
    assert ran.status == 1
    assert "line 1" in ran.err


def test_the_swap_is_judged_too(run):
    typed = "4\nno\n1\n8\n5\n12\n"
    run("play", "divisor-line", "--goal", "chain", "--size", 16, "--swap", typed=typed)
    assert "Player 2 does not take this over. " in run("analyze", 1).out
    judged = json.loads(run("analyze", 1, "--json").out)["swap"]
    assert (judged["seat"], judged["taken"]) == (2, False)
