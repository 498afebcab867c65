"""`numduel analyze`: where a saved game turned."""

import json


def played(run, *typed, game="operation-duel", options=()):
    ran = run("play", game, *options, typed="".join(f"{line}\n" for line in typed))
    assert ran.status == 0
    return ran


def test_each_move_its_verdict_and_where_it_turned(run):
    played(run, 2, 1, 2, 2, 1, 2)
    ran = run("analyze", 1)
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert "- 1. Player 1: 2 Multiply by 2" in lines
    assert "- 6. Player 2: 2 Multiply by 2  <- turned here" in lines
    assert "Player 1 won (overshot)." in lines
    assert "Who was winning (= nobody): 2222221" in lines
    assert any(line.startswith("Move 6: Player 2 played 2; 1 was better: 14") for line in lines)
    assert "Player 1 (human): 100% sound moves" in lines
    assert "Player 2 (human): 67% sound moves" in lines


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


def test_a_long_endless_game_is_shown_in_short(run):
    run("play", "divisor-duel", typed="2\n" * 300)
    out = run("analyze", 1).out
    assert " … " in out


def test_a_damaged_record_is_named(run, tmp_path):
    file = tmp_path / "bad.json"
    file.write_text("{")
    ran = run("analyze", file)
    assert ran.status == 1
    assert "line 1" in ran.err
