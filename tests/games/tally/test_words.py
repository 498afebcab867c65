"""The sentences of the tally games."""

import pytest

import numduel
from numduel.core.scene import Dial, Step, Track
from numduel.core.words import Last, replay_moves
from numduel.games.tally.rules import Tally


def first_move(key, move, **settings):
    """Return the words of a game, its start, a move and the position after it."""
    game = numduel.new(key, **settings)
    return game.words, game.start(), move, game.play(game.start(), move)


@pytest.mark.parametrize(
    ("key", "move", "settings", "label", "sentence"),
    [
        ("divisor-duel", 2, {"start": 5}, "Multiply by 2 → 10", "multiplies by 2: 5 → 10"),
        ("operation-duel", 1, {"start": 5}, "Add 1 → 6", "adds 1: 5 → 6"),
        ("double-or-add", 1, {"start": 16}, "Double → 32", "doubles: 16 → 32"),
        ("double-or-add", 2, {"start": 16}, "Add One → 17", "adds one: 16 → 17"),
        (
            "operation-duel",
            1,
            {"start": 5, "operations": "-3,+1"},
            "Subtract 3 → 2",
            "subtracts 3: 5 → 2",
        ),
    ],
)
def test_a_move_is_described_with_the_number_that_it_leads_to(key, move, settings, label, sentence):
    words, before, move, after = first_move(key, move, **settings)
    assert words.move_label(before, move) == label
    assert words.moved(before, move, after, "Ada") == f"Ada {sentence}"


@pytest.mark.parametrize(
    ("key", "move", "settings", "why", "short"),
    [
        (
            "divisor-duel",
            1,
            {"start": 90},
            "90 + 1 = 91, and 13 divides 91",
            "13 divides 91",
        ),
        (
            "divisor-duel",
            2,
            {"start": 9, "ceiling": 17},
            "Ada went past 17: 9 × 2 = 18",
            "Ada went past 17: 18",
        ),
        ("operation-duel", 2, {"start": 10}, "10 × 2 = 20", "20 is the target"),
        ("double-or-add", 2, {"start": 30}, "30 + 1 = 31", "31 is the target"),
        (
            "double-or-add",
            1,
            {"start": 18},
            "Ada went past 31: 18 × 2 = 36",
            "Ada went past 31: 36",
        ),
        (
            "operation-duel",
            1,
            {"start": 4, "operations": "-3"},
            "Bob cannot move: every operation goes below 1",
            "Bob cannot move: every operation goes below 1",
        ),
    ],
)
def test_the_result_gives_the_reason_in_numbers(key, move, settings, why, short):
    words, before, move, after = first_move(key, move, **settings)
    outcome, names = words.game.outcome(after), ("Ada", "Bob")
    assert words.result(after, outcome, Last(before, move), names) == why
    assert words.result(after, outcome, names=names) == short


@pytest.mark.parametrize(
    ("key", "text", "move"),
    [
        *(("divisor-duel", text, 1) for text in ("1", " 1 ", "+1", "Add 1", "add  1")),
        *(("divisor-duel", text, 2) for text in ("2", "x2", "×2", "*2", "multiply by 2", "double")),
        *(("double-or-add", text, 1) for text in ("1", "double", "DOUBLE", "x2")),
        *(("double-or-add", text, 2) for text in ("add one", "+1", "add")),
        *(("operation-duel", text, 1) for text in ("add", "add one", "+1")),
        *(("operation-duel", text, 2) for text in ("double", "multiply", "x2")),
        *(("operation-duel", text, None) for text in ("", "-1", "+2", "x3", "half", "1.0")),
        ("operation-duel", "7", 7),  # a number, for the rules to refuse
    ],
)
def test_a_move_can_be_typed_as_its_number_or_in_words(key, text, move):
    words = numduel.new(key).words
    assert words.read_move(Tally(1, 1), text) == move


def test_a_subtraction_is_typed_with_its_sign():
    words = numduel.new("operation-duel", operations="+1,-3").words
    assert words.read_move(Tally(5, 1), "-3") == 2
    assert words.read_move(Tally(5, 1), "-1") is None
    several = numduel.new("operation-duel", operations="+1,+3").words
    assert several.read_move(Tally(5, 1), "add") is None
    assert several.read_move(Tally(5, 1), "add 3") == 2


def test_a_menu_says_what_each_move_gives_and_how_it_would_end():
    game = numduel.new("operation-duel", start=19)
    assert game.words.menu(game.start()) == (
        (1, "Add 1", "20", "you win"),
        (2, "Multiply by 2", "38", "too far, you lose"),
    )


def test_a_player_who_is_not_the_reader_is_named():
    words, before, move, after = first_move("divisor-duel", 1, start=12)
    assert words.follow(before, move, after, typed=False)[0] == "Player 1 chose to add 1."
    assert words.follow(before, move, after)[0] == "You chose to add 1."
    outcome = words.game.outcome(after)
    assert words.closing(after, outcome, typed=False)[0] == "N is divisible by 13."
    assert words.closing(after, outcome)[0] == "Congratulations! N is divisible by 13."


def test_the_scene_offers_the_menu():
    game = numduel.new("operation-duel", operations="+1,-1", start=5)
    scene = game.words.scene(game.start())
    assert scene.offers == (("Available", "1 or 2"),)
    assert [choice.move for choice in scene.choices] == [1, 2]


def test_divisor_duel_says_that_the_game_goes_on():
    words, _, _, after = first_move("divisor-duel", 1)
    assert words.goes_on(after) == ["N is not divisible by 13. Game continues.", "", "-" * 40]
    assert numduel.new("double-or-add").words.goes_on(after) == []


def scene(key, moves=(), **settings):
    game = numduel.new(key, **settings)
    return game.words.scene(*replay_moves(game, 1, moves))


def test_a_race_is_a_track_with_the_steps_made_and_those_to_come():
    assert scene("double-or-add", (1, 2)).track == Track(
        0,
        31,
        3,
        31,
        (Step(1, 2, 1, "×2", 1), Step(2, 3, 2, "+1", 2)),
        (Step(3, 6, 1, "×2", 1), Step(3, 4, 1, "+1", 2)),
    )
    over = scene("double-or-add", (1, 1, 1, 1, 1)).track
    assert (over.at, over.choices, len(over.steps)) == (32, (), 5)
    assert scene("operation-duel", (1,), operations="-3,+1", start=5).track.steps[0].sign == "−3"
    assert scene("operation-duel", operations="+10000,+1").track.choices[0].sign == "+…"


@pytest.mark.parametrize(
    ("settings", "low"),
    [
        ({"start": 100, "target": 150}, 100),
        ({"start": 20, "target": 50}, 0),
        ({"start": 100, "target": 200}, 0),
        ({"start": 100, "target": 150, "operations": "-3,+1"}, 0),
    ],
)
def test_a_track_begins_at_the_start_if_that_makes_it_short_enough(settings, low):
    assert scene("operation-duel", **settings).track.low == low


def test_divisor_duel_is_a_dial_of_remainders():
    assert scene("divisor-duel", (1, 2, 2, 2), divisor=5).dial == Dial(
        5,
        1,
        (
            Step(1, 2, 1, "+1", 1),
            Step(2, 4, 2, "×2", 2),
            Step(4, 3, 1, "×2", 2),
            Step(3, 1, 2, "×2", 2),
        ),
        (Step(1, 2, 1, "+1", 1), Step(1, 2, 1, "×2", 2)),
    )


def test_the_aim_is_a_sentence_or_two():
    assert scene("double-or-add").aim == "Land on 31 exactly. Past it, you lose."
    assert scene("divisor-duel").aim == "Make it a multiple of 13."
    long = scene("divisor-duel", start=10**6, ceiling=2 * 10**6)
    assert long.aim == "Make it a multiple of 13. Past 2000000, you lose."


def test_the_brief_form_of_a_move_is_the_number_that_it_leads_to():
    game = numduel.new("double-or-add", target=10**9, start=499_999)
    assert game.words.brief(game.start(), 1) == "999998"
    assert game.words.brief(game.play(game.start(), 1), 1) == "…9996"


def test_a_position_is_described_in_sentences():
    game = numduel.new("double-or-add")
    sentences = "The number is 1. Land on 31 exactly. Past it, you lose."
    assert game.words.position_text(game.start()) == sentences


@pytest.mark.parametrize(
    ("settings", "move", "because"),
    [
        (
            {"start": 9, "operations": "+1,+2,+3,+4,+5"},
            5,
            "14 is a good number: you have an answer",
        ),
        ({"start": 16, "operations": "+2,x2"}, 1, "From 18 they can go to 20 and win."),
        ({"start": 17, "operations": "+2,x3"}, 1, "From 19 every move goes past 20."),
        ({"start": 3, "operations": "-2"}, 1, "1 leaves them no move."),
    ],
)
def test_the_coach_says_what_a_number_leads_to(settings, move, because):
    game = numduel.new("operation-duel", **settings)
    found = game.theory.explanation(game.start(), move)
    assert game.words.because(game.start(), move, found).startswith(because)
