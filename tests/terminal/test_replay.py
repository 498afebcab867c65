"""`numduel replay`: step by step at a terminal, whole through a pipe."""

import json
import re

import pytest
from tests.terminal.shared import QUICK

STEP = "Enter goes on, back goes back, quit leaves: "
END = "The end. Enter leaves, back goes back, quit leaves: "


@pytest.fixture
def games(home):
    folder = home / "games"
    folder.mkdir(parents=True)
    return folder


# Replay, through a pipe.


@pytest.mark.parametrize(
    ("play", "typed"),
    [
        (["divisor-duel"], "1\n1\n2\n2\n1\n"),
        (["divisor-line", "--goal", "chain"], "2\n9\n4\n10\n8\n"),
        (["multiplicity", "--size", 6], "6\n3\n"),
        (["operation-duel", "--turn-limit", 2], "1\n2\n"),
    ],
)
def test_replay_in_a_pipe_is_the_whole_transcript(run, tmp_path, play, typed):
    played = run("play", *play, "--record", "game.json", typed=typed)
    assert played.status == 0
    for record in ("game.json", tmp_path / "game.json", "1"):
        ran = run("replay", record)
        assert (ran.status, ran.err) == (0, "")
        header, transcript = ran.out.split("\n\n", 1)
        assert re.fullmatch(
            r".+ \(.+\), Player 1 against Player 2, \d{4}-\d\d-\d\d \d\d:\d\d", header
        )
        told = re.sub(r"You chose", "Player N chose", played.out)
        told = told.replace("Congratulations! N", "N")
        told = re.sub(r"Congratulations, (Player \d)! You have", r"\1 has", told)
        assert re.sub(r"Player \d chose", "Player N chose", transcript) == told


def test_a_game_that_was_resigned_says_so(run):
    run("play", "double-or-add", "--first", 2, typed="1\nresign\nyes\n")
    assert run("replay", 1).out.endswith("Player 2 wins: Player 1 resigned.\n")


def test_who_played_is_said(run):
    run("play", "double-or-add", "--name1", "Ann", "--p2", "random", typed="1\n")
    out = run("replay", 1).out
    assert out.startswith("Double or Add (target 31, start 1), Ann against Pip (random), ")
    assert "Player 1 is Ann.\nPlayer 2 is random.\n" in out


def test_an_unfinished_game_ends_with_the_turn_it_was_left_at(run):
    run("play", "double-or-add", typed="1\n")
    out = run("replay", 1).out
    assert out.endswith("Current Number: 2\nPlayer 2, choose your action:\n1. Double\n2. Add One\n")


def test_a_match_is_replayed_round_by_round(run):
    run("play", *QUICK, "--rounds", 3, typed="1\n2\n")
    out = run("replay", 1).out
    assert re.findall(r"Round \d|Enter 1 or 2: \d|Player \d wins", out) == [
        "Round 1",
        "Enter 1 or 2: 1",
        "Player 1 wins",
        "Round 2",
        "Enter 1 or 2: 2",
        "Player 2 wins",
        "Round 3",
    ]


def test_a_match_left_just_after_a_round_shows_no_round_twice(run):
    run("play", "double-or-add", "--rounds", 2, typed="1\nresign\ny\n")
    assert run("replay", 1).out.count("Player 2 resigned.") == 1


def test_a_swapped_game_is_replayed_with_the_new_owner_of_the_first_move(run):
    run("play", "double-or-add", "--swap", typed="1\nyes\n")
    out = run("replay", 1).out
    assert re.findall(r"Player \d, choose", out) == ["Player 2, choose", "Player 1, choose"]


def test_a_file_of_digits_is_a_file(run, tmp_path):
    run("play", "divisor-line", typed="4\n")
    run("play", *QUICK, "--record", "1", typed="1\n")
    assert "Player 1 wins the game!" in run("replay", "1").out


def test_a_record_from_standard_input(run, run_process, tmp_path):
    run("play", *QUICK, "--record", "game.json", typed="1\n")
    record = (tmp_path / "game.json").read_bytes()
    assert run_process("replay", "/dev/stdin", typed=record).out == run("replay", "game.json").out


# Replay, at a terminal.


@pytest.fixture
def finished(run, tmp_path):
    run("play", *QUICK, "--rounds", 2, typed="1\n2\n")
    run("play", "double-or-add", "--target", 4, "--record", "game.json", typed="1\n1\n")


@pytest.mark.usefixtures("finished")
def test_enter_goes_through_a_game_to_its_end(spawn, run):
    terminal = spawn("replay", 2, "--plain")
    terminal.type(STEP, "", "", "")
    terminal.type(END, "")
    assert terminal.ends() == 0
    assert terminal.text.replace(f"{STEP}\n", "").replace(f"{END}\n", "") == run("replay", 2).out


@pytest.mark.usefixtures("finished")
def test_back_goes_back_and_bad_input_is_answered(spawn):
    terminal = spawn("replay", 2)
    terminal.type(STEP, "back", "")
    terminal.shows("Player 1 doubles: 1 → 2.")
    terminal.type(STEP, "")
    terminal.shows("Player 2 doubles: 2 → 4.")
    terminal.type(STEP, "B")
    terminal.shows("Player 1 doubles: 1 → 2.")
    terminal.type(STEP, "what")
    terminal.shows("'what' is not a choice: press Enter, or type back or quit.")
    terminal.type(STEP, "", "")
    terminal.shows("Player 2 wins: 2 × 2 = 4.")
    terminal.type(END, "back")
    terminal.shows("Player 2 doubles: 2 → 4.")
    terminal.type(STEP, "")
    terminal.shows("Player 2 wins: 2 × 2 = 4.")
    terminal.type(END, "")
    assert terminal.ends() == 0


@pytest.mark.usefixtures("finished")
@pytest.mark.parametrize("word", ["q", "QUIT"])
def test_back_goes_to_the_round_before_and_quit_leaves_the_whole_match(spawn, word):
    terminal = spawn("replay", 1)
    terminal.type(STEP, "", "", "")
    terminal.shows("Round 2")
    terminal.type(STEP, "back")
    terminal.shows("Player 1 wins: 1 × 2 = 2.")
    terminal.type(STEP, word)
    assert terminal.ends() == 0


@pytest.mark.usefixtures("finished")
def test_an_interrupted_replay_just_leaves(spawn):
    terminal = spawn("replay", 1)
    assert terminal.interrupt(STEP) == 130
    assert terminal.text.endswith("\n")
    terminal = spawn("replay", 1)
    terminal.keys(STEP, "\x04")
    assert terminal.ends() == 0
    assert terminal.text.endswith("\n")


# Damaged and foreign.

RECORD = {
    "format": "numduel-record/1",
    "game": "double-or-add",
    "settings": {"target": 31, "start": 1},
    "players": ["human", "human"],
    "first": 1,
    "moves": [1, 2],
    "outcome": None,
    "started": "2026-01-02T03:04:05+00:00",
}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"format": "pgn"}, "field 'format' must be 'numduel-record/1', not 'pgn'"),
        ({"game": "chess"}, "there is no game 'chess'; the games are divisor-duel,"),
        ({"settings": {"target": 0}}, "field 'settings': target must be"),
        ({"moves": [1, 3]}, "field 'moves': move 2: 3 is not in the menu"),
        ({"outcome": {"winner": 1, "reason": "reached"}}, "field 'outcome': the moves lead to"),
    ],
)
def test_a_record_that_is_wrong_is_named_by_its_field_and_left_alone(
    run, tmp_path, changed, message
):
    path = tmp_path / "game.json"
    path.write_text(json.dumps({**RECORD, **changed}))
    before = path.read_bytes()
    ran = run("replay", "game.json")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("numduel: game.json: ")
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert path.read_bytes() == before


def test_a_damaged_game_is_named_by_its_line_and_left_alone(run, games):
    header = json.dumps(
        {
            **{name: RECORD[name] for name in ("game", "settings", "players", "first", "started")},
            "format": "numduel-match/1",
            "rounds": 1,
            "swap": False,
            "turn_limit": None,
            "seed": 1,
        }
    )
    path = games / "3.jsonl"
    path.write_text(f'{header}\n{{"move": 1}}\n{{"move": 5}}\n{{"move": 1}}\n')
    before = path.read_bytes()
    for command in (["replay", 3], ["resume", 3]):
        ran = run(*command)
        assert (ran.status, ran.out) == (1, "")
        assert ran.err.startswith("numduel: 3.jsonl: line 3: 5 is not in the menu")
    assert "   3  damaged: 3.jsonl: line 3: 5 is not in the menu" in run("history").out
    assert run("resume").err == (
        "numduel: there is no unfinished game; start one with: numduel play GAME\n"
    )
    assert run("play", "double-or-add", typed="1\n").out.endswith("numduel resume 4\n")
    assert path.read_bytes() == before


def test_a_name_in_a_record_cannot_command_the_terminal(spawn, tmp_path):
    path = tmp_path / "game.json"
    path.write_text(json.dumps({**RECORD, "players": ["\x1b]0;evil\x07\x1b[2J", "human"]}))
    terminal = spawn("replay", path)
    terminal.type(STEP, "")
    terminal.shows("?]0;evil??[2J doubles: 1 → 2.")
    assert "\x1b]0;evil" not in terminal.raw
