"""The sentences of Multiplicity."""

import pytest

import numduel
from numduel.core.scene import Link
from numduel.core.words import replay_moves
from numduel.games.multiplicity.rules import Walk


@pytest.fixture
def game():
    return numduel.new("multiplicity", size=20)


def test_a_step_is_described_with_its_factor(game):
    start = game.start()
    six = game.play(start, 6)
    assert game.words.moved(start, 6, six, "Ada") == "Ada goes up to 6"
    assert (
        game.words.moved(six, 18, game.play(six, 18), "Bob") == "Bob goes up to 18, which is 3 × 6"
    )
    assert (
        game.words.moved(six, 2, game.play(six, 2), "Bob") == "Bob goes down to 2, which divides 6"
    )
    assert game.words.move_label(six, 18) == "18"


def test_the_result_says_who_is_stuck_and_where(game):
    position = game.play(game.start(), 19)
    outcome = game.outcome(position)
    why = "cannot move: no multiple or divisor of 19 is left"
    assert game.words.result(position, outcome) == f"Player 2 {why}"
    assert game.words.result(position, outcome, names=("Ada", "Bob")) == f"Bob {why}"


def test_divisors_and_multiples_are_offered_separately(game):
    six = game.play(game.start(), 6)
    assert game.words.scene(six).offers == (
        ("Proper divisors of 6", "2, 3"),
        ("Proper multiples of 6", "12, 18"),
    )
    assert game.words.scene(game.play(six, 2)).offers == (
        ("Proper multiples of 2", "4, 8, 10, 12, 14, 16, 18, 20"),
    )
    assert game.words.scene(game.play(game.start(), 19)).offers == ()


def test_the_scene_shows_the_current_number(game):
    assert game.words.scene(Walk(6, frozenset({1, 6}), 2)).number == ("Current N", "6")


def test_the_walk_is_a_path_of_steps_with_their_factors_and_who_made_them(game):
    position, past = replay_moves(game, 2, (6, 18, 9))
    scene = game.words.scene(position, past)
    assert scene.links == (
        Link(1, 6, "step", 2, "× 6"),
        Link(6, 18, "step", 1, "× 3"),
        Link(18, 9, "step", 2, "÷ 2"),
    )
    assert scene.last == 9
    assert {cell.number: cell.by for cell in scene.cells if cell.by} == {6: 2, 18: 1, 9: 2}
    assert scene.aim == "At 9: step to an unused multiple or divisor."
    assert game.words.scene(position).links == ()


def test_a_large_pool_has_no_path_and_the_aim_names_an_even_opening():
    game = numduel.new("multiplicity", size=401, opening="even")
    assert game.words.scene(game.start()).aim.endswith("multiple or divisor, an even one.")
    assert game.words.scene(*replay_moves(game, 1, (6, 18))).links == ()


@pytest.mark.no_cover
@pytest.mark.parametrize("settings", [{"opening": "even"}, {"start_open": True}])
@pytest.mark.parametrize("size", [40, 320, 2_100])
def test_no_number_is_in_two_dominoes(size, settings):
    game = numduel.new("multiplicity", size=size, **settings)
    position, partners = game.start(), {}
    for move in game.moves(position)[:200]:
        found = game.theory.explanation(position, move)
        said = game.words.because(position, move, found)
        if " are a domino" in said:
            [partners[move]] = found.moves
            assert said.startswith(f"{move} and {partners[move]} are")
            assert game.theory.values(game.play(position, move))[partners[move]] == "win"
    dominoes = {frozenset(domino) for domino in partners.items()}
    assert len(frozenset().union(*dominoes)) == 2 * len(dominoes) > 0


@pytest.mark.parametrize("start_open", [False, True])
def test_twice_a_prime_is_a_rule_to_remember(start_open):
    settings = {"opening": "even", "start_open": start_open}
    game = numduel.new("multiplicity", size=200, **settings)
    start = game.start()
    found = game.theory.explanation(start, 106)
    rule = "Twice a prime between 51 and 66 always wins here."
    assert game.words.because(start, 106, found) == f"106 is twice the prime 53. {rule}"
    assert game.words.idea(start, 106, found) == f"{rule} Which are they?"
    after = game.play(start, 106)
    for position, move in ((start, 4), (start, 110), (start, 134), (after, 53)):
        found = game.theory.explanation(position, move)
        assert "prime" not in game.words.because(position, move, found)
    small = numduel.new("multiplicity", size=100, **settings)  # which has only two such primes
    found = small.theory.explanation(small.start(), 62)
    assert "prime" not in small.words.because(small.start(), 62, found)


def test_the_brief_form_of_a_move_is_its_number(game):
    assert game.words.brief(game.start(), 6) == "6"


def test_a_position_is_described_in_sentences():
    game = numduel.new("multiplicity", size=20)
    assert game.words.position_text(game.read("14:1,7,14/1")) == (
        f"The numbers go from 1 to 20. You are at 14. Used: 1, 7, 14. {game.summary}"
    )
