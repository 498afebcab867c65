"""A game from somebody else's package: registered, and then played like ours."""

import json
import re
from pathlib import Path

import pytest

NIM = (Path(__file__).parents[1] / "toy_games.py").read_text()


@pytest.fixture
def nim(package):
    package("elsewhere", NIM, nim="Nim")


@pytest.mark.usefixtures("nim")
def test_it_is_listed_after_ours(run):
    ran = run("games")
    assert (ran.status, ran.err) == (0, "")
    assert "nim: Nim. Take stones.\n" in ran.out
    assert [game["key"] for game in json.loads(run("games", "--json").out)][5:] == ["nim"]
    assert "  nim  " in run("play", "--help").out
    assert "Example: numduel play nim --p2 random" in run("play", "nim", "--help").out


@pytest.mark.usefixtures("nim")
def test_it_is_played_in_plain_text(run):
    ran = run("play", "nim", "--most", 3, typed="3\n4\nwhat\nmoves\nrules\n1\nundo\nyes\n2\n")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == (
        "Welcome to Nim!\n\nStones: 5\nMost: 3\nEven: false\n\n"
        "Player 1's turn.\nStones: 5\nAllowed: 1-3\nEnter your move: 3\nPlayer 1 plays 3.\n\n"
        "Player 2's turn.\nStones: 2\nAllowed: 1-2\nEnter your move: 4\n"
        "4 is not a legal move: type 1-2, or help.\nEnter your move: what\n"
        "'what' is not a choice. Type 1-2, or help.\nEnter your move: moves\n  1\n  2\n"
        "Enter your move: rules\n\n"
        "Take stones.\n\nThis game: stones 5, most 3.\n\n"
        "Enter your move: 1\nPlayer 2 plays 1.\n\n"
        "Player 1's turn.\nStones: 1\nAllowed: 1\nEnter your move: undo\n"
        "Player 1, may Player 2 take that move back? (yes or no): yes\n"
        "Took back 1 move.\n\nPlayer 1 plays 3.\n\n"
        "Player 2's turn.\nStones: 2\nAllowed: 1-2\nEnter your move: 2\nPlayer 2 plays 2.\n\n"
        "Player 2 wins the game (took)!\n"
    )


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("columns", [40, 80])
def test_it_is_played_at_a_terminal(spawn, columns):
    terminal = spawn("play", "nim", "--stones", 7, "--most", 3, columns=columns)
    terminal.shows("Nim: Player 1's turn ─", "  1\n", "  3\n")
    terminal.type(", your move: ", "3", "9", "3", "1")
    assert terminal.ends() == 0
    assert "9 is not a legal move: type 1-3, or help." in terminal.text.replace(" \n", " ")
    assert "  1: you win\n" in terminal.text
    assert "Player 1 wins: took." in terminal.text
    assert max(map(len, terminal.text.splitlines())) <= columns


@pytest.mark.usefixtures("nim")
def test_its_settings_are_options_and_its_many_moves_no_flood(run, spawn):
    assert run("play", "nim", "--stones", 1001).err.startswith(
        "numduel: stones must be a whole number from 1 to 1,000, not 1001"
    )
    help_text = " ".join(run("play", "nim", "--help").out.split())
    assert (
        "--stones STONES How many stones there are (a whole number from 1 to 1,000)." in help_text
    )
    terminal = spawn("play", "nim", "--stones", 500, "--even", columns=40)
    terminal.shows("Stones: 500", "Even: true", "Available: ", "2,4,6,", "… up to 500")
    terminal.type(", your move: ", "500")
    assert terminal.ends() == 0
    assert terminal.text.count("\n") < 24


@pytest.mark.usefixtures("nim")
def test_it_is_saved_recorded_replayed_and_resumed(run, spawn, tmp_path):
    ran = run("play", "nim", "--p2", "random", "--seed", 3, "--record", "nim.json", typed="1\n")
    assert ran.status == 130
    assert "  Nim, Player 1 against Pip (random): unfinished, 2 moves" in run("history").out
    moves = json.loads((tmp_path / "nim.json").read_text())["moves"]
    assert moves[0] == 1
    assert len(moves) == 2
    shown = run("replay", "nim.json").out
    assert shown == run("replay", 1).out
    assert f"Enter your move: {moves[1]}\nPlayer 2 plays {moves[1]}.\n" in shown
    terminal = spawn("resume", 1)
    terminal.shows("Game 1: Nim (stones 5, no most).", "2 moves played so far.")
    terminal.type(", your move: ", "undo", "resign")
    terminal.type("(yes or no): ", "yes")
    assert terminal.ends() == 0
    assert "Pip (random) won after 0 moves: Player 1 resigned" in run("history").out
    stepped = spawn("replay", tmp_path / "nim.json")
    stepped.type("quit leaves: ", "", "", "", "")
    assert stepped.ends() == 0


@pytest.mark.usefixtures("nim")
def test_it_is_in_the_menu(spawn):
    menu = spawn()
    menu.shows("6. Nim: Take stones.")
    menu.type("Choose a game (1 to 8): ", "6")
    for prompt in ("Who plays [1]: ", "or Enter: ", "or Enter: ", "Which settings [1]: "):
        menu.type(prompt, "")
    menu.type(", your move: ", "3", "2")
    menu.type("[again]: ", "quit")
    assert menu.ends() == 0


def test_without_its_package_a_saved_game_names_what_it_needs_and_the_rest_works(
    run, package, environment
):
    package("elsewhere", NIM, nim="Nim")
    run("play", "nim", typed="1\n")
    run("play", "double-or-add", typed="1\n")
    del environment["PYTHONPATH"]
    ran = run("history")
    assert ran.status == 0
    assert "   1  this match needs the game 'nim', which is not installed\n" in ran.out
    assert "   2  " in ran.out
    assert run("resume", typed="quit\n").out.startswith("Game 2: Double or Add")


BROKEN = [
    ("raise RuntimeError('on\\nimport')", "cannot be loaded from broken:Game: on import"),
    ("import nothing_of_that_name", "No module named 'nothing_of_that_name'"),
    ("syntax error", "invalid syntax"),
    ("", "has no attribute 'Game'"),
    ("Game = 7", "is not a Game of that key"),
    (f"{NIM}\nGame = Nim\n", "is not a Game of that key"),
]


@pytest.mark.soak(keep=2)
@pytest.mark.parametrize(("source", "why"), BROKEN)
def test_a_broken_game_gets_one_line_of_warning_and_the_rest_works(
    run, spawn, package, source, why
):
    package("broken", source, broken="Game")
    for arguments in (["games"], ["games", "--json"], ["play", "--help"]):
        ran = run(*arguments)
        assert ran.status == 0
        assert "multiplicity" in ran.out
        assert re.fullmatch(r"numduel: the game 'broken' cannot be loaded[^\n]+\n", ran.err)
        assert why in ran.err
    ran = run("play", "broken")
    assert (ran.status, ran.out) == (1, "")
    assert re.fullmatch(r"numduel: the game 'broken' cannot be loaded[^\n]+\n", ran.err)
    ran = run("play", "double-or-add", typed="1\n")
    assert (ran.status, ran.err) == (130, "")
    assert (run("history").status, run("history").err) == (0, "")
    assert run("replay", 1).err == ""
    menu = spawn()
    menu.shows("numduel: the game 'broken' cannot be loaded", "5. Multiplicity: ")
    menu.type("Choose a game (1 to 8): ", "quit")
    assert menu.ends() == 0


def test_a_game_cannot_take_the_place_of_one_of_ours(run, package):
    source = NIM.replace('"nim"', '"multiplicity"').replace('"Nim"', '"Not Ours"')
    package("elsewhere", source, multiplicity="Nim")
    assert "multiplicity: Multiplicity. " in run("games").out
    assert "Not Ours" not in run("games").out


def test_a_setting_named_like_an_option_is_one_line(run, package):
    source = NIM.replace("    most = Opt", "    rounds = Opt").replace("gs.most", "gs.rounds")
    package("elsewhere", source, nim="Nim")
    ran = run("play", "nim")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == (
        "numduel: the game 'nim' has a setting named like the option --rounds of numduel play\n"
    )
    assert run("solve", "nim", "--stones", 5).status == 0


def test_a_game_that_fails_in_the_middle_is_one_line_and_stays_saved(run, package):
    source = NIM.replace("(position.stones - move", "({5: 4}[position.stones]")
    package("elsewhere", source, nim="Nim")
    ran = run("play", "nim", typed="1\n2\n")
    assert ran.status == 1
    assert ran.err == "numduel: this is a bug in numduel: KeyError: 4\n"
    assert "unfinished, 1 move" in run("history").out
