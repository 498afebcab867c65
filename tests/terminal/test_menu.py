"""The menu: what somebody sees who types just `numduel`."""

import pytest
from tests.terminal.shared import MOVE, saved_match

from numduel.play.friendly_settings import friendly_game
from numduel.play.saved import Shelf

GAME = "Choose a game (1 to 7): "
RESUMABLE = "Choose a game (1 to 8): "
WHO = "Who plays [1]: "
NAMES = ("Name of Player 1, or Enter: ", "Name of Player 2, or Enter: ")
NAME = "Your name, or Enter to play without: "
SETTINGS = "Which settings [1]: "
TARGET = "Target [31]: "
START = "Start [1]: "
FIRST = "or coin [Player 1]: "
ROUNDS = "best of 3 [1]: "
SWAP = "take over the first move? [no]: "
COACH = "Do you want a coach? [no]: "
AGAIN = "change (the settings) or menu [again]: "
LIKE_THIS = "Play it like this? [yes]: "


def setup(home, ident):
    return saved_match(home, ident).setup


def answer(menu, *answers):
    """Type an answer to each question, by its prompt."""
    for prompt, typed in answers:
        menu.type(prompt, typed)


TWO_PEOPLE = ((WHO, ""), (NAMES[0], ""), (NAMES[1], ""))


def test_enter_chooses_the_friendly_settings(spawn, home):
    menu = spawn(columns=100)
    menu.shows("1. Divisor Duel: ", "2. Operation Duel: ", "3. Divisor Line: ")
    menu.shows("4. Double or Add: ", "5. Multiplicity: ")
    menu.type(GAME, "4")
    menu.shows(
        "1. two people here", "2. Pip (random): ", "6. Otto (perfect): never makes a mistake"
    )
    answer(menu, *TWO_PEOPLE)
    menu.shows("1. friendly: target 24, start 2", "2. as in the document: target 31, start 1")
    menu.type(SETTINGS, "")
    menu.shows("Whoever begins can win. Play again afterwards: then the other one begins.")
    answer(menu, (MOVE, "1"), (MOVE, "quit"))
    menu.shows("Game 1 is saved. Go on with: numduel resume 1", "Goodbye.")
    assert menu.ends() == 0
    made = setup(home, 1)
    assert made.game == friendly_game(type(made.game))
    assert (made.players, made.rounds, made.first) == (("human", "human"), 1, 1)
    assert (made.names, made.swap, made.coin) == ((None, None), False, False)


def test_everything_can_be_chosen(spawn, home):
    menu = spawn(columns=100)
    answer(menu, (GAME, "4"), (WHO, "1"), (NAMES[0], "Ann"), (NAMES[1], "Bob"), (SETTINGS, "own"))
    menu.shows("The number to reach exactly, above the start.\n")
    answer(menu, (TARGET, "2"), (START, ""), (LIKE_THIS, ""), (FIRST, "coin"))
    answer(menu, (ROUNDS, "best of 3"), (SWAP, "yes"), (COACH, "y"))
    menu.shows("The coin toss decides: ", " begins.", "Round 1, best of 3")
    for count in range(2):
        menu.type(MOVE, "1")
        menu.shows("wins: 1 × 2 = 2.", f"Score: Ann: {'1, Bob: 1' if count else ''}")
    menu.type(MOVE, "1")
    menu.shows("is the champion, 2 to 1!")
    menu.type(AGAIN, "quit")
    menu.shows("Goodbye.")
    assert menu.ends() == 0
    made = setup(home, 1)
    assert (made.game.settings.target, made.rounds, made.best_of) == (2, 3, True)
    assert (made.names, made.swap, made.coin) == (("Ann", "Bob"), True, True)


@pytest.mark.parametrize(("begins", "first"), [("", 1), ("you", 1), ("computer", 2)])
def test_either_side_begins_against_the_computer(spawn, home, begins, first):
    menu = spawn(columns=100)
    answer(
        menu, (GAME, "4"), (WHO, "3"), (NAME, "Ann"), (SETTINGS, "own"), (TARGET, ""), (START, "")
    )
    answer(menu, (LIKE_THIS, ""), ("Who begins? Type you, computer or coin [you]: ", begins))
    answer(menu, (ROUNDS, ""), (SWAP, ""), (COACH, ""), ("Ann, your move: ", "1"))
    menu.type("Ann, your move: ", "quit")
    assert menu.ends() == 0
    assert setup(home, 1).players == ("human", "easy")
    assert setup(home, 1).first == first
    assert len(saved_match(home, 1).table.moves) == first + 1


def test_against_the_computer_a_person_can_win_at_every_try(spawn, home):
    menu = spawn(columns=100)
    answer(menu, (GAME, "4"), (WHO, "perfect"), (NAME, "Ann"), (SETTINGS, "document"))
    menu.shows("Whoever goes second can win. That is you.")
    menu.type(LIKE_THIS, "")
    menu.shows("Otto (perfect)")
    answer(menu, ("Ann, your move: ", "resign"), ("(yes or no): ", "yes"), (AGAIN, ""))
    answer(menu, ("Ann, your move: ", "1"), ("Ann, your move: ", "quit"))
    assert menu.ends() == 0
    made = [setup(home, ident) for ident in (1, 2)]
    assert [one.first for one in made] == [2, 2]
    assert made[0].game.settings.changed() == {}


def test_a_player_can_be_named_as_on_the_command_line(spawn, home):
    menu = spawn()
    answer(menu, (GAME, "double or add"), (WHO, "level:3"), (NAME, ""), (SETTINGS, ""))
    menu.type(MOVE, "1", "quit")
    assert menu.ends() == 0
    assert setup(home, 1).players == ("human", "level:3")
    assert setup(home, 1).coach  # friendly, and against the computer


def test_again_lets_the_other_begin_and_change_asks_again_and_menu_goes_back(spawn, home):
    menu = spawn(columns=100)
    answer(menu, (GAME, "4"), *TWO_PEOPLE, (SETTINGS, "own"), (TARGET, "2"), (START, ""))
    answer(menu, (LIKE_THIS, ""), (FIRST, ""), (ROUNDS, ""), (SWAP, ""), (COACH, ""))
    answer(menu, ("Player 1, your move: ", "1"), (AGAIN, ""))
    answer(menu, ("Player 2, your move: ", "1"), (AGAIN, "ag"))
    answer(menu, ("Player 1, your move: ", "1"), (AGAIN, "change"))
    answer(menu, (SETTINGS, "own"), (TARGET, "3"), (START, ""), (LIKE_THIS, ""))
    answer(menu, (FIRST, ""), (ROUNDS, ""), (SWAP, ""), (COACH, ""))
    answer(menu, (MOVE, "1"), (MOVE, "2"), (AGAIN, "menu"), (GAME, "q"))
    assert menu.ends() == 0
    made = [setup(home, ident) for ident in range(1, 5)]
    assert [one.first for one in made] == [1, 2, 1, 1]
    assert [one.game.settings.target for one in made] == [2, 2, 2, 3]


def test_puzzles_and_chains_are_in_the_menu_and_lead_back_to_it(spawn):
    menu = spawn()
    menu.type(GAME, "6")
    menu.shows("The puzzle of ")
    menu.type("next, rules, quit.", "quit")
    menu.type(GAME, "chain")
    menu.type("Next: ", "quit")
    menu.type(GAME, "quit")
    assert menu.ends() == 0


def test_a_wrong_answer_is_explained_at_its_question(spawn, home):
    menu = spawn(columns=100)
    for bad in ("0", "8", "x", "9" * 50):
        menu.type(GAME, bad)
        menu.shows("Try again: type a number from 1 to 7, not ")
    menu.type(GAME, "multplicity")
    menu.shows("Try again: did you mean multiplicity? If not, type a number from 1 to 7.")
    menu.type(GAME, "4")
    answer(menu, (WHO, "99"), (WHO, "1"), (NAMES[0], "perfect"))
    menu.shows("is the name of a computer player.")
    answer(menu, (NAMES[0], "Ann"), (NAMES[1], "ann"))
    menu.shows("Try again: Player 1 is called Ann already.")
    answer(menu, (NAMES[1], ""), (SETTINGS, "perhaps"))
    menu.shows("type a number from 1 to 3, not 'perhaps'.")
    answer(menu, (SETTINGS, "own"), (TARGET, "many"))
    menu.shows("target must be a whole number from 2, of at most 1,000 digits, not")
    answer(menu, (TARGET, "2"), (START, "5"))
    menu.shows("target must be above the start, 5, not 2.")
    answer(menu, (START, ""), (LIKE_THIS, ""), (FIRST, "nobody"))
    menu.shows("type player 1, player 2 or coin, not 'nobody'.")
    answer(menu, (FIRST, ""), (ROUNDS, "0"), (ROUNDS, "few"), (ROUNDS, "best of 2"))
    menu.shows("Try again: type an odd number, as in best of 3, not 'best of 2'.")
    answer(menu, (ROUNDS, "1"), (SWAP, ""), (COACH, ""), (MOVE, "1"), (AGAIN, "what"))
    menu.shows("type again, change or menu, not 'what'.")
    menu.type(AGAIN, "quit")
    assert menu.ends() == 0
    assert Shelf(home / "games").idents() == [1]


def test_back_rules_and_help_at_every_question(spawn, home):
    menu = spawn(columns=100)
    menu.type(GAME, "help")
    menu.shows("Type an answer, or back, rules, help or quit.", "5. Multiplicity")
    menu.type(GAME, "rules")
    menu.shows("choose one first.")
    answer(menu, (GAME, "back"), (GAME, "5"), (WHO, "back"), (GAME, "4"))
    questions = [WHO, NAMES[0], NAMES[1], SETTINGS, TARGET, START, LIKE_THIS, FIRST, ROUNDS, SWAP]
    for before, question in zip([GAME, *questions], questions, strict=False):
        menu.type(question, "?")
        menu.shows("Type an answer")
        menu.type(question, "rules")
        menu.shows("The players share one number", "This game: target 31, start 1.")
        menu.type(question, "b")
        typed = {GAME: "4", SETTINGS: "3"}
        answer(menu, (before, typed.get(before, "")), (question, typed.get(question, "")))
    menu.type(COACH, "")
    menu.type(MOVE, "1", "quit")
    assert menu.ends() == 0
    assert setup(home, 1).game.key == "double-or-add"


def test_it_offers_to_go_on_with_the_unfinished_game(spawn, run, home):
    run("play", "double-or-add", "--target", 4, "--name1", "Ann", typed="1\n")
    menu = spawn(columns=100)
    menu.shows(
        "6. Puzzle: ",
        "8. Go on with game 1: Double or Add (target 4), Ann against Player 2: unfinished, 1 move",
    )
    menu.type(RESUMABLE, "8")
    menu.shows("Game 1: Double or Add (target 4, start 1).", "1 move played so far.")
    menu.shows("Ann doubles: 1 → 2.")
    menu.type(MOVE, "1")
    menu.shows("Player 2 wins: 2 × 2 = 4.")
    menu.type(GAME, "quit")
    assert menu.ends() == 0
    assert saved_match(home, 1).over


def test_a_game_gone_on_with_can_be_left_again(spawn, run, home):
    run("play", "double-or-add", typed="1\n")
    menu = spawn()
    menu.type(RESUMABLE, "8")
    menu.type(MOVE, "2", "quit")
    menu.shows("Game 1 is saved. Go on with: numduel resume 1", "Goodbye.")
    assert menu.ends() == 0
    assert saved_match(home, 1).table.moves == [1, 2]


def test_a_game_that_is_played_in_another_window_is_not_gone_on_with(spawn, run):
    run("play", "double-or-add", typed="1\n")
    playing, menu = spawn("resume"), spawn()
    playing.shows(MOVE)
    menu.type(RESUMABLE, "8")
    menu.shows("This game cannot be continued: game 1 is being played in another window.")
    menu.type(RESUMABLE, "quit")
    assert menu.ends() == 0


def test_ctrl_c_in_a_game_saves_it_and_in_a_question_just_leaves(spawn, home):
    menu = spawn()
    assert menu.interrupt(GAME) == 130
    menu = spawn()
    answer(menu, (GAME, "4"), *TWO_PEOPLE, (SETTINGS, ""), (MOVE, "1"))
    assert menu.interrupt(MOVE) == 130
    assert menu.text.endswith("Game 1 is saved. Go on with: numduel resume 1\n")
    assert saved_match(home, 1).table.moves == [1]


def test_the_end_of_input_in_a_question_is_a_goodbye(spawn):
    menu = spawn()
    menu.keys(GAME, "\x04")
    menu.shows("Goodbye.")
    assert menu.ends() == 0


@pytest.mark.parametrize("columns", [40, 80])
def test_no_line_of_the_menu_is_too_wide(spawn, columns):
    menu = spawn(columns=columns)
    answer(menu, (GAME, "3"), *TWO_PEOPLE, ("[1]: ", "3"), ("[20]: ", "x"), ("[20]: ", ""))
    answer(
        menu, ("[pair]: ", ""), ("[yes]: ", ""), ("[Player 1]: ", ""), ("[1]: ", ""), ("[no]: ", "")
    )
    menu.type("[no]: ", "")
    menu.type(MOVE, "4", "8", "1", "2", "12")
    menu.type("[again]: ", "what", "quit")
    assert menu.ends() == 0
    assert max(map(len, menu.text.splitlines())) <= columns
    assert "Choose a game (1 to 7): 3" in menu.text


def test_a_game_that_is_too_large_for_a_perfect_player_is_asked_about_again(spawn, home):
    menu = spawn(columns=140)
    answer(menu, (GAME, "2"), (WHO, "6"), (NAME, ""), (SETTINGS, "own"), ("[20]: ", str(10**12)))
    answer(menu, ("[1]: ", ""), ("[+1,x2]: ", "+1,-1"), ("[you]: ", ""))
    answer(menu, (ROUNDS, ""), (SWAP, ""), (COACH, ""))
    menu.shows("Choose another player: the numbers up to 1000000000000 ")
    menu.shows("are too many to analyse with subtraction: at most 100,000,000.")
    menu.type(WHO, "quit")
    assert menu.ends() == 0
    assert not list(home.glob("games/*"))


def test_where_whoever_begins_can_win_at_once_other_settings_can_be_chosen(spawn, home):
    menu = spawn(columns=140)
    answer(menu, (GAME, "5"), *TWO_PEOPLE, (SETTINGS, "document"))
    menu.shows("Whoever begins can win with the first move: choose the friendly settings.")
    answer(menu, (LIKE_THIS, "no"), (SETTINGS, "friendly"), (MOVE, "2"), (MOVE, "quit"))
    assert menu.ends() == 0
    made = setup(home, 1)
    assert made.game == friendly_game(type(made.game))
