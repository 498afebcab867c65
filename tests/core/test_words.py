"""The default words of a game, and words of its own."""

from typing import NamedTuple

import pytest
from tests.toy_games import Heap, HeapNim, Nim, Pile

from numduel.core.game import Outcome
from numduel.core.scene import Cell, Choice, Dial, Fact, Link, Scene, Track
from numduel.core.theory import Explanation
from numduel.core.verdict import Verdict
from numduel.core.words import (
    Last,
    Words,
    field_label,
    position_fields,
    replay_moves,
    seat_name,
)


def test_seats_have_names():
    assert (seat_name(1), seat_name(2)) == ("Player 1", "Player 2")


def test_the_fields_of_a_position_do_not_include_its_mover():
    class Bare:
        mover = 1

    assert position_fields(Pile(5, 1)) == {"stones": 5}
    assert position_fields(Heap(5, 1)) == {"stones": 5}
    assert position_fields(Bare()) == {}
    assert position_fields(Heap) == {}
    assert position_fields(None) == {}


def test_allowed_moves_are_given_as_ranges():
    assert Nim().words.allowed(Pile(5, 1)) == "1-5"
    assert Nim(even=True).words.allowed(Pile(5, 1)) == "2,4"
    assert Nim().words.allowed(Pile(0, 1)) == "nothing"
    assert Nim(even=True).words.allowed(Pile(99, 1)).endswith(",38,40,… up to 98")


def test_a_position_is_described_in_sentences():
    told = Nim().words.position_text(Pile(5, 1))
    assert told.endswith(f": 5. {Nim.summary}") and Nim().words.summary() == Nim.summary


@pytest.mark.parametrize("game", [Nim(even=True), HeapNim(even=True)], ids=repr)
def test_a_game_without_words_has_a_plain_script(game):
    words, start = game.words, game.start(2)
    assert words.welcome(start) == [
        *("Welcome to Nim!", "", "Stones: 5", "Most: none", "Even: true", "")
    ]
    assert words.turn(start) == ["Player 2's turn.", "Stones: 5", "Allowed: 2,4"]
    assert words.prompt(start) == "Enter your move: "
    assert words.follow(start, 2, game.play(start, 2)) == ["Player 2 plays 2.", ""]
    assert words.goes_on(start) == []
    assert words.closing(start, Outcome(1, "took")) == ["Player 1 wins the game (took)!"]
    assert words.closing(start, Outcome(None, "left over")) == ["Nobody wins (left over)."]


@pytest.mark.parametrize("game", [Nim(even=True), HeapNim(even=True)], ids=repr)
def test_a_game_without_a_scene_has_a_plain_one(game):
    scene = game.words.scene(game.start(2))
    assert scene.sentence == "Player 2's turn"
    assert scene.number is None
    settings = (Fact("Stones", "5"), Fact("Most", "none"), Fact("Even", "true"))
    assert scene.facts == (Fact("Stones", "5"), *settings)
    assert scene.choices == (Choice(2, "2"), Choice(4, "4", "", "nobody wins"))
    assert scene.cells == ()
    assert scene.offers == (Fact("Available", "2,4"),)


def test_positions_of_frozen_dataclasses_are_described_and_written_like_named_tuples():
    tuples, classes = Nim(), HeapNim()
    for first in (1, 2):
        before, after = tuples.start(first), classes.start(first)
        assert tuples.words.describe(before) == f"Stones 5, Player {first} to move"
        assert classes.words.describe(after) == tuples.words.describe(before)
        assert classes.notation(after) == tuples.notation(before) == f"5/{first}"
        assert classes.read(f"5/{first}") == after


def test_a_long_value_is_shortened():
    class Long(NamedTuple):
        number: int
        text: str
        mover: int

    facts = Nim().words.facts(Long(10**5000, "t" * 1000, 1))
    assert facts == (("Number", "100000000000…000000000000 (5,001 digits)"), ("Text", "t" * 60))


def test_a_menu_says_how_each_move_would_end_the_game():
    choices = Nim(stones=2).words.menu(Pile(2, 1))
    assert [choice.ends for choice in choices] == ["", "you win"]

    class Misere(Nim):
        def outcome(self, position):
            return None if position.stones else Outcome(position.mover, "took the last")

    assert [choice.ends for choice in Misere().words.menu(Pile(2, 1))] == ["", "you lose"]


def test_a_scene_after_the_end_says_who_won():
    scene = Nim().words.scene(Pile(0, 2))
    assert scene.sentence == "Player 1 wins"
    assert scene.offers == scene.choices == ()
    assert Nim(even=True).words.scene(Pile(1, 2)).sentence == "Nobody wins"


def test_a_menu_has_at_most_20_choices():
    words = Nim().words
    assert len(words.scene(Pile(20, 1)).choices) == 20
    assert words.scene(Pile(21, 1)).choices == ()
    assert words.scene(Pile(21, 1)).offers == (("Available", "1-21"),)


def test_a_plain_move_is_its_number():
    words, start = Nim().words, Pile(5, 1)
    assert words.move_label(start, 3) == "3"
    assert words.read_move(start, " 3 ") == 3
    assert words.read_move(start, "three") is None
    assert words.moved(start, 3, Pile(2, 2), "Ada") == "Ada plays 3"
    assert words.why_not(start, 7) == "7 is not a legal move"
    assert words.result(Pile(0, 2), Outcome(1, "took"), Last(start, 5)) == "took"


def test_a_game_that_did_not_end_by_its_rules_says_why():
    words = Nim().words
    assert words.outside_result(Outcome(None, "turn-limit"), 1) == "the limit of 1 turn is reached"
    assert (
        words.outside_result(Outcome(None, "turn-limit"), 1000)
        == "the limit of 1,000 turns is reached"
    )
    assert words.outside_result(Outcome(1, "resigned"), 9) == "Player 2 resigned"
    assert words.outside_result(Outcome(2, "resigned"), 9, ("Ada", "Bob")) == "Ada resigned"


def test_a_game_can_override_any_method_of_its_words():
    class StoneWords(Words[Pile]):
        def moved(self, before, move, after, who):
            return f"{who} takes {move}"

    class Spoken(Nim):
        words = property(StoneWords)

    assert Spoken().words.follow(Pile(5, 1), 2, Pile(3, 2)) == ["Player 1 takes 2.", ""]


def test_replayed_moves_have_the_position_before_each():
    position, past = replay_moves(Nim(), 1, [1, 2])
    assert [(last.before, last.move) for last in past] == [
        (Nim().start(1), 1),
        (Nim().play(Nim().start(1), 1), 2),
    ]
    assert position == Nim().play(past[1].before, 2)
    assert Nim().words.scene(position, past).last == 2
    assert Nim().words.scene(position).last is None


def test_the_name_of_a_field_becomes_a_label():
    assert [field_label(name) for name in ("eaten_one", "left", "a_b_c")] == [
        *("Eaten (one)", "Left", "A (b c)")
    ]


class Held(NamedTuple):
    first: frozenset
    second: tuple
    mover: int = 1


def test_collections_are_shown_as_their_items():
    facts = Nim().words.facts(Held(frozenset({9, 10, 2, "a"}), ()))
    assert facts == (Fact("First", "2, 9, 10, a"), Fact("Second", "-"))


def test_an_explanation_can_be_drawn_into_any_kind_of_scene():
    draw, win = Nim().words.explained, Verdict("win", 3)
    cells, pairs = Scene("", cells=(Cell(1),)), Explanation("pairs", win, pairs=((8, 4), (3, 6)))
    assert draw(cells, 1, pairs).links == (Link(4, 8, "pair"), Link(3, 6, "pair"))
    fork = Explanation("fork", win, (5, 7))
    assert draw(cells, 2, fork).links == (Link(2, 5, "fork"), Link(2, 7, "fork"))
    assert draw(cells, 2, Explanation("verdict", win)) == cells
    good = Explanation("pairs", win, landings=((3, "win"), (4, "loss")))
    assert draw(Scene("", track=Track(0, 9, 1, 9)), 1, good).track.good == (3,)
    dial = draw(Scene("", dial=Dial(9, 1)), 1, good).dial
    assert (dial.good, dial.bad) == ((3,), (4,))


def test_a_game_without_words_has_the_coachs_default_sentences():
    words, start = Nim().words, Nim().start(1)
    assert words.winning_comment(start, 2) == "You won with 2."
    assert words.reason_notes(start, 2, Explanation("verdict", Verdict("win"))) == []


def test_the_distance_counts_a_players_own_moves_if_players_take_turns():
    class TakingTurns(Nim):
        alternates = True

    turns, both = TakingTurns().words.in_moves, Nim().words.in_moves
    assert (turns(None), turns(1), turns(5)) == ("with best play", "at once", "in 3 of your moves")
    assert (turns(2), turns(2, "their")) == ("with your next move", "with their next move")
    assert turns(5, whatever=True) == "in at most 3 of your moves"
    assert turns(4, "their") == "in 2 of their moves"
    assert turns(4, "their", whatever=True) == "in at most 2 of their moves"
    assert (both(5), both(5, whatever=True)) == (
        *("in 5 moves of both sides", "in at most 5 moves of both sides"),
    )
