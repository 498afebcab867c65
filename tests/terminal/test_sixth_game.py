"""A game from somebody else's package: registered, and then played like ours."""

import json
import re

import pytest

NIM = """
from typing import NamedTuple

from numduel import Game, Outcome


class Heap(NamedTuple):
    left: int
    mover: int


class Nim(Game):
    key = "nim"
    title = "Nim"
    summary = "Take one, two or three; whoever takes the last wins."
    rules = "Take one, two or three of seven. Whoever takes the last one wins."

    def begin(self, first):
        return Heap(7, first)

    def moves(self, position):
        return tuple(range(1, min(3, position.left) + 1))

    def after(self, position, move):
        return Heap(position.left - move, 3 - position.mover)

    def outcome(self, position):
        return None if position.left else Outcome(3 - position.mover, "emptied")
"""

SETTINGS = """
from numduel.core.settings import Flag, Settings, Whole


class CountdownSettings(Settings):
    size = Whole(500, "where it begins", high=1000)
    kind = Flag("nothing comes of it")
    rounds_to_play = Whole(1, "nothing comes of it")


class Countdown(Nim):
    key = "countdown"
    title = "Countdown"
    settings_type = CountdownSettings

    def begin(self, first):
        return Heap(self.settings.size, first)

    def moves(self, position):
        return tuple(range(1, position.left + 1))
"""


@pytest.fixture
def nim(package):
    package("elsewhere", NIM + SETTINGS, nim="Nim", countdown="Countdown")


@pytest.mark.usefixtures("nim")
def test_it_is_listed_after_ours(run):
    ran = run("games")
    assert (ran.status, ran.err) == (0, "")
    assert "nim: Nim. Take one, two or three; whoever takes the last wins.\n" in ran.out
    keys = [game["key"] for game in json.loads(run("games", "--json").out)]
    assert keys[5:] == ["countdown", "nim"]
    assert "  nim  " in run("play", "--help").out
    assert "Example: numduel play nim --p2 random" in run("play", "nim", "--help").out


@pytest.mark.usefixtures("nim")
def test_it_is_played_in_plain_text(run):
    ran = run("play", "nim", typed="3\n4\nwhat\nrules\n3\nundo\n2\n2\n")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == (
        "Welcome to Nim!\n\n\n"
        "Player 1's turn.\nleft: 7\nAllowed: 1-3\nEnter your move: 3\nPlayer 1 plays 3.\n\n"
        "Player 2's turn.\nleft: 4\nAllowed: 1-3\nEnter your move: 4\n"
        "4 is not a legal move: type 1-3, or help.\nEnter your move: what\n"
        "'what' is not a choice. Type 1-3, or help.\nEnter your move: rules\n\n"
        "Take one, two or three of seven. Whoever takes the last one wins.\n\n"
        "Enter your move: 3\nPlayer 2 plays 3.\n\n"
        "Player 1's turn.\nleft: 1\nAllowed: 1\nEnter your move: undo\n"
        "Took back 1 move.\n\nPlayer 1 plays 3.\n\n"
        "Player 2's turn.\nleft: 4\nAllowed: 1-3\nEnter your move: 2\nPlayer 2 plays 2.\n\n"
        "Player 1's turn.\nleft: 2\nAllowed: 1-2\nEnter your move: 2\nPlayer 1 plays 2.\n\n"
        "Player 1 wins the game (emptied)!\n"
    )


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("columns", [40, 80])
def test_it_is_played_at_a_terminal(spawn, columns):
    terminal = spawn("play", "nim", columns=columns)
    terminal.shows("Nim: Player 1's turn ─", "  1. Play 1\n", "  3. Play 3\n")
    terminal.type(", your move: ", "3", "9", "3", "1")
    assert terminal.ends() == 0
    assert "9 is not a legal move: type 1-3, or help." in terminal.text.replace(" \n", " ")
    assert "  1. Play 1: you win\n" in terminal.text
    assert "Player 1 wins: emptied." in terminal.text
    assert max(map(len, terminal.text.splitlines())) <= columns


@pytest.mark.usefixtures("nim")
def test_its_settings_are_options_and_its_many_moves_no_flood(run, spawn):
    assert run("play", "countdown", "--size", 1001).err.startswith(
        "numduel: size must be a whole number from 1 to 1,000, not 1001"
    )
    help_text = run("play", "countdown", "--help").out
    assert "--size SIZE Where it begins (a whole number from 1 to 1,000)." in " ".join(
        help_text.split()
    )
    terminal = spawn("play", "countdown", "--kind", "--rounds-to-play", 3, columns=40)
    terminal.shows("size: 500   kind: true", "rounds_to_play: 3", "Available: 1-500\n")
    terminal.type(", your move: ", "500")
    assert terminal.ends() == 0
    assert terminal.text.count("\n") < 24


@pytest.mark.usefixtures("nim")
def test_it_is_saved_recorded_replayed_and_resumed(run, spawn, tmp_path):
    ran = run("play", "nim", "--p2", "random", "--seed", 3, "--record", "nim.json", typed="1\n")
    assert ran.status == 130
    assert "  Nim, human against random: unfinished, 2 moves" in run("history").out
    moves = json.loads((tmp_path / "nim.json").read_text())["moves"]
    assert moves[0] == 1
    assert len(moves) == 2
    shown = run("replay", "nim.json").out
    assert shown == run("replay", 1).out
    assert f"Enter your move: {moves[1]}\nPlayer 2 plays {moves[1]}.\n" in shown
    terminal = spawn("resume", 1)
    terminal.shows("Game 1: Nim.", "2 moves played so far.")
    terminal.type(", your move: ", "undo", "resign")
    terminal.type("(yes or no): ", "yes")
    assert terminal.ends() == 0
    assert "Player 2 won after 0 moves: Player 1 resigned" in run("history").out
    stepped = spawn("replay", tmp_path / "nim.json")
    stepped.type("quit leaves: ", "", "", "", "")
    assert stepped.ends() == 0


@pytest.mark.usefixtures("nim")
def test_it_is_in_the_menu(spawn):
    menu = spawn()
    menu.shows("6. Countdown: ", "7. Nim: Take one, two or three")
    menu.type("Choose a game (1 to 7): ", "7")
    for prompt in ("Who plays [1]: ", "[none]: ", "[none]: ", "(one round, no coach)? [yes]: "):
        menu.type(prompt, "")
    menu.type(", your move: ", "3", "3", "1")
    menu.type("[again]: ", "quit")
    assert menu.ends() == 0


def test_without_its_package_a_saved_game_is_damaged_and_the_rest_works(run, package, environment):
    package("elsewhere", NIM, nim="Nim")
    run("play", "nim", typed="1\n")
    run("play", "double-or-add", typed="1\n")
    del environment["PYTHONPATH"]
    ran = run("history")
    assert ran.status == 0
    assert "   1  damaged: 1.jsonl: line 1: there is no game 'nim'; the games are" in ran.out
    assert "   2  " in ran.out
    assert run("resume", typed="quit\n").out.startswith("Game 2: Double or Add")


BROKEN = [
    ("raise RuntimeError('on\\nimport')", "cannot be loaded from broken:Game: on import"),
    ("import nothing_of_that_name", "No module named 'nothing_of_that_name'"),
    ("syntax error", "invalid syntax"),
    ("", "has no attribute 'Game'"),
    ("Game = 7", "is not a Game of that key"),
    (NIM.replace("class Nim", "class Game"), "is not a Game of that key"),
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
    menu.type("Choose a game (1 to 6): ", "quit")
    assert menu.ends() == 0


def test_a_game_cannot_take_the_place_of_one_of_ours(run, package):
    source = NIM.replace('"nim"', '"multiplicity"').replace('"Nim"', '"Not Ours"')
    package("elsewhere", source, multiplicity="Nim")
    assert "multiplicity: Multiplicity. " in run("games").out
    assert "Not Ours" not in run("games").out


def test_a_setting_named_like_an_option_is_one_line(run, package):
    source = (NIM + SETTINGS).replace("rounds_to_play", "rounds")
    package("elsewhere", source, countdown="Countdown")
    ran = run("play", "countdown")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == (
        "numduel: the game 'countdown' has a setting named like the option --rounds "
        "of numduel play\n"
    )
    assert run("solve", "countdown", "--size", 5).status == 0


def test_a_game_that_fails_in_the_middle_is_one_line_and_stays_saved(run, package):
    source = NIM.replace(
        "return Heap(position.left - move", "return Heap({7: 6}[position.left] - move + 1"
    )
    package("elsewhere", source, nim="Nim")
    ran = run("play", "nim", typed="1\n2\n")
    assert ran.status == 1
    assert ran.err == "numduel: something is broken inside: KeyError: 6\n"
    assert "unfinished, 1 move" in run("history").out
