"""The menu: what somebody sees who types just `numduel`."""

import pytest

from numduel.play.saved import Shelf

GAME = "Choose a game (1 to 5): "
RESUMABLE = "Choose a game (1 to 6): "
WHO = "Who plays [1]: "
ROUNDS = "How many rounds [1]: "
AGAIN = "Enter plays again; change, menu or quit [again]: "
MOVE = "Enter 1 or 2: "
TARGET = "the number to reach exactly; it exceeds the start [31]: "
START = "the number to start from [1]: "


def setup(home, ident):
    return Shelf(home / "games").read(ident).setup


def test_from_the_choice_to_the_end_and_goodbye(spawn, home):
    menu = spawn()
    menu.shows("1. Divisor Duel: ", "2. Operation Duel: ", "3. Divisor Line: ")
    menu.shows("4. Double or Add: ", "5. Multiplicity: ")
    menu.type(GAME, "4")
    menu.shows("1. two people here", "2. you against random", "6. you against perfect")
    menu.type(WHO, "1")
    menu.type(TARGET, "2")
    menu.type(START, "")
    menu.type(ROUNDS, "3")
    menu.type(MOVE, "1", "1", "1")
    menu.shows("is the champion, 2 to 1!")
    menu.type(AGAIN, "quit")
    menu.shows("Goodbye.")
    assert menu.ends() == 0
    made = setup(home, 1)
    assert (made.game.settings.target, made.rounds) == (2, 3)


def test_enter_keeps_every_default(spawn, home):
    menu = spawn()
    menu.type(GAME, "4")
    for prompt in (WHO, TARGET, START, ROUNDS):
        menu.type(prompt, "")
    menu.type(MOVE, "quit")
    menu.shows("Game 1 is saved. Go on with: numduel resume 1", "Goodbye.")
    assert menu.ends() == 0
    made = setup(home, 1)
    assert made.game.settings.changed() == {}
    assert (made.players, made.rounds, made.first) == (("human", "human"), 1, 1)


@pytest.mark.parametrize(
    ("begins", "players"),
    [("", ["human", "easy"]), ("you", ["human", "easy"]), ("it", ["easy", "human"])],
)
def test_the_computer_plays_either_side(spawn, home, begins, players):
    menu = spawn()
    menu.type(GAME, "4")
    menu.type(WHO, "3")
    menu.type("Who begins, you or it [you]: ", begins)
    for prompt in (TARGET, START, ROUNDS):
        menu.type(prompt, "")
    menu.type(MOVE, "quit")
    assert menu.ends() == 0
    assert list(setup(home, 1).players) == players
    assert len(Shelf(home / "games").read(1).table.moves) == (begins == "it")


def test_again_plays_the_same_and_change_asks_again_and_menu_goes_back(spawn, home):
    menu = spawn()
    menu.type(GAME, "4")
    menu.type(WHO, "")
    menu.type(TARGET, "2")
    for prompt in (START, ROUNDS):
        menu.type(prompt, "")
    menu.type(MOVE, "1")
    menu.type(AGAIN, "")
    menu.type(MOVE, "1")
    menu.type(AGAIN, "again")
    menu.type(MOVE, "1")
    menu.type(AGAIN, "change")
    menu.type(WHO, "")
    menu.type(TARGET, "4")
    menu.type(START, "2")
    menu.type(ROUNDS, "")
    menu.type(MOVE, "1")
    menu.type(AGAIN, "menu")
    menu.type(GAME, "q")
    menu.shows("Goodbye.")
    assert menu.ends() == 0
    texts = [str(setup(home, ident).game.settings) for ident in (1, 2, 3, 4)]
    assert texts == ["target 2, start 1"] * 3 + ["target 4, start 2"]


def test_what_is_no_answer_is_told_what_is_and_asked_again(spawn, home):
    menu = spawn()
    for bad in ("0", "6", "divisor", "", "-1", "1.5", "9" * 500):
        menu.type(GAME, bad)
        menu.shows("type a number from 1 to 5, not ")
    menu.type(GAME, "4")
    menu.type(WHO, "99")
    menu.shows("type a number from 1 to ", ", not '99'.")
    menu.type(WHO, "")
    menu.type(TARGET, "many")
    menu.shows("target must be a whole number from 2, of at most 1,000 digits, not")
    menu.type(TARGET, "1")
    menu.shows("target must be")
    menu.type(TARGET, "2")
    menu.type(START, "5")
    menu.shows("target must be above the start, 5, not 2.")
    menu.type(TARGET, "2")
    menu.type(START, "")
    menu.type(ROUNDS, "0", "1001", "few", "1")
    menu.type(MOVE, "what", "1")
    menu.type(AGAIN, "what")
    menu.shows("type again, change, menu or quit, not 'what'.")
    menu.type(AGAIN, "quit")
    assert menu.ends() == 0
    flat = " ".join(menu.text.split())
    for bad in ("0", "1001", "few"):
        assert f"type a number from 1 to 1000, not '{bad}'." in flat
    assert "'what' is not a choice: type 1 or 2, or help." in flat
    assert Shelf(home / "games").idents() == [1]


def test_an_unfinished_game_is_gone_on_with(spawn, run, home):
    run("play", "double-or-add", "--target", 4, typed="1\n")
    menu = spawn()
    menu.shows("6. Go on with the last unfinished game")
    menu.type(RESUMABLE, "6")
    menu.shows("Game 1: Double or Add (target 4, start 1).", "1 move played so far.")
    menu.type(MOVE, "1")
    menu.shows("Player 2 wins the game!")
    menu.type(GAME, "quit")
    assert menu.ends() == 0
    assert Shelf(home / "games").read(1).over


def test_a_game_gone_on_with_can_be_left_again(spawn, run, home):
    run("play", "double-or-add", typed="1\n")
    menu = spawn()
    menu.type(RESUMABLE, "6")
    menu.type(MOVE, "2", "quit")
    menu.shows("Game 1 is saved. Go on with: numduel resume 1", "Goodbye.")
    assert menu.ends() == 0
    assert Shelf(home / "games").read(1).table.moves == [1, 2]


def test_a_game_that_is_played_in_another_window_is_not_gone_on_with(spawn, run):
    run("play", "double-or-add")
    playing, menu = spawn("resume"), spawn()
    playing.shows(MOVE)
    menu.type(RESUMABLE, "6")
    menu.shows("game 1 is being played in another window.")
    menu.type(RESUMABLE, "quit")
    assert menu.ends() == 0


def test_ctrl_c_in_a_game_saves_it_and_in_a_question_just_leaves(spawn, home):
    menu = spawn()
    assert menu.interrupt(GAME) == 130
    menu = spawn()
    menu.type(GAME, "4")
    for prompt in (WHO, TARGET, START, ROUNDS):
        menu.type(prompt, "")
    menu.type(MOVE, "1")
    assert menu.interrupt(MOVE) == 130
    assert menu.text.endswith("Game 1 is saved. Go on with: numduel resume 1\n")
    assert Shelf(home / "games").read(1).table.moves == [1]


def test_the_end_of_input_in_a_question_is_a_goodbye(spawn):
    menu = spawn()
    menu.keys(GAME, "\x04")
    menu.shows("Goodbye.")
    assert menu.ends() == 0


@pytest.mark.parametrize("columns", [40, 80])
def test_no_line_of_the_menu_is_too_wide(spawn, columns):
    menu = spawn(columns=columns)
    menu.type(
        GAME,
        "3",
    )
    menu.type(WHO, "")
    menu.type("[20]: ", "x", "")
    menu.type("[pair]: ", "")
    menu.type(ROUNDS, "")
    menu.type("Enter a number to occupy: ", "4", "8", "1", "2", "12")
    menu.type("[again]: ", "what", "quit")
    assert menu.ends() == 0
    assert max(map(len, menu.text.splitlines())) <= columns
    assert "Choose a game (1 to 5): 3" in menu.text


def test_without_colour_the_menu_works_as_well(spawn):
    menu = spawn(env={"NO_COLOR": "1"})
    menu.type(GAME, "4")
    for prompt in (WHO, TARGET, START, ROUNDS):
        menu.type(prompt, "")
    menu.type(MOVE, "quit")
    assert menu.ends() == 0
    assert "\x1b[1" not in menu.raw


def test_a_game_that_is_too_large_for_a_perfect_player_is_asked_about_again(spawn, home):
    menu = spawn()
    menu.type(GAME, "1")
    menu.type(WHO, "6")
    menu.type("Who begins, you or it [you]: ", "")
    menu.type("[13]: ", "")
    menu.type("[1]: ", "")
    menu.type("[none]: ", str(10**12))
    menu.type(ROUNDS, "")
    menu.shows("are too many to analyse: at most 100,000,000.")
    menu.type(WHO, "quit")
    assert menu.ends() == 0
    assert not list(home.glob("games/*"))


def test_the_menu_warns_where_whoever_begins_can_win_at_once(spawn):
    menu = spawn(columns=120)
    menu.type(GAME, "5")
    menu.type(WHO, "")
    menu.type("[50]: ", "")
    menu.type("[1]: ", "")
    menu.type("[any]: ", "")
    menu.type("[false]: ", "")
    menu.type(ROUNDS, "")
    menu.shows("Whoever begins can win with the first move here", "numduel fair multiplicity")
    menu.type("Enter your choice: ", "quit")
    assert menu.ends() == 0
