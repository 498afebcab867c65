"""Multiplicity solved: against the reference at every position of every small setting."""

from random import Random

import pytest

import numduel
from numduel.core.verdict import Verdict
from numduel.games.walk import theory
from numduel.solver.geography import Walks
from numduel.solver.reference import retrograde

SMALL = [
    {"size": 12, "start": start, "opening": opening, "start_open": start_open}
    for start in (1, 2, 3, 6, 7, 12)
    for opening in ("any", "even")
    for start_open in (False, True)
] + [{"size": size} for size in range(1, 21)]


@pytest.mark.soak(keep=16)
@pytest.mark.parametrize("settings", SMALL, ids=str)
def test_every_position_of_every_small_setting_equals_the_reference(settings):
    game = numduel.new("multiplicity", **settings)
    found = retrograde(game, game.start())
    for position, expected in found.items():
        verdict = numduel.solve(game, position)
        assert verdict.value == expected.value, position
        assert verdict.distance in (None, expected.distance), position
        for move, one in numduel.evaluate(game, position).items():
            after = found[game.play(position, move)].before(same_mover=False)
            assert one.value == after.value
            assert one.distance in (None, after.distance)


@pytest.mark.soak(keep=5)
@pytest.mark.parametrize("seed", range(20))
def test_random_larger_positions_equal_the_reference(seed):
    rng = Random(seed)
    game = numduel.new("multiplicity", size=rng.randint(25, 60), start=rng.randint(1, 20))
    while True:
        position = game.start()
        for _ in range(rng.randint(8, 30)):
            moves = game.moves(position)
            if not moves:
                break
            position = game.play(position, rng.choice(moves))
        try:
            found = retrograde(game, position, most=20_000)
            break
        except numduel.TooLarge:
            continue
    for one in list(found)[:500]:
        assert numduel.solve(game, one).value == found[one].value


def test_a_prime_above_half_wins_at_once():
    game = numduel.new("multiplicity")
    verdicts = numduel.evaluate(game, game.start())
    quick = [move for move in verdicts if verdicts[move] == Verdict("win", 1)]
    assert quick == [29, 31, 37, 41, 43, 47]


def test_the_game_is_followed_without_matching_anew(monkeypatch):
    game = numduel.new("multiplicity", size=500, start=2)
    position = game.start()
    numduel.solve(game, position)
    walks = game.theory._walks

    def never(*_):
        raise AssertionError("matched anew")

    monkeypatch.setattr(walks, "_match_anew", never)
    rng = Random(0)
    fresh = numduel.new("multiplicity", size=500, start=2)
    while moves := game.moves(position):
        position = game.play(position, rng.choice(moves))
        assert numduel.solve(game, position).value == numduel.solve(fresh, position).value


def test_the_compiled_form_gives_the_same_verdicts(many):
    rng = Random(4)
    game = numduel.new("multiplicity", size=6000, start=7)
    position = game.start()
    plain = Walks(theory.graph(6000, plain=True))
    for _ in range(many(6, 30)):
        moves = game.moves(position)
        if not moves:
            break
        wins = {m for m, v in numduel.evaluate(game, position).items() if v.value == "win"}
        assert wins == plain.winning_steps(position.chosen, moves)
        assert (numduel.solve(game, position).value == "win") == bool(wins)
        position = game.play(position, rng.choice(moves))


def test_distances_beyond_sight_are_not_given():
    game = numduel.new("multiplicity", size=60, start=2)
    assert numduel.solve(game, game.start()).distance is None
    game = numduel.new("multiplicity", size=theory.LARGEST_FOR_DISTANCE + 1)
    assert numduel.solve(game, game.start()) == Verdict("win", None)


def test_a_distance_is_searched_for_longer_when_it_is_asked_for():
    game = numduel.new("multiplicity", size=40, opening="even")
    assert game.theory.distance(game.start()) == 11
    game = numduel.new("multiplicity", size=46, start=2)
    assert numduel.solve(game, game.start()) == Verdict("win", None)
    assert game.theory.distance(game.start()) == 19
    assert game.theory.distance(game.read("23:2,23,46/1")) == 2  # which is known at once


def test_a_distance_out_of_reach_is_refused():
    size = theory.LARGEST_FOR_LONG_SEARCH + 1
    game = numduel.new("multiplicity", size=size, start=2)
    with pytest.raises(numduel.TooLarge, match="up to a size of 1,000, not 1,001"):
        game.theory.distance(game.start())


def test_reasons_name_replies_that_win(many):
    game = numduel.new("multiplicity", size=30, start=2)
    rng = Random(2)
    said = set()
    for _ in range(many(8, 30)):
        position = game.start()
        while moves := game.moves(position):
            move = rng.choice(moves)
            verdict = numduel.evaluate(game, position)[move]
            reason = game.theory.reason(position, move)
            after = game.play(position, move)
            if "lets them choose" in reason:
                reply = int(reason.split("lets them choose ")[1].split(",")[0])
                assert numduel.evaluate(game, after)[reply].value == "win"
            assert ("lets them" in reason) == (verdict.value == "loss")
            assert ("leaves nothing to choose" in reason) == (verdict == Verdict("win", 1))
            said.add("".join(filter(str.isalpha, reason)))
            position = after
    assert len(said) == 4


def follow(game, rng):
    """Positions of a game of random moves, each with the values of its moves."""
    position = game.start()
    while moves := game.moves(position):
        yield position, game.theory.values(position)
        position = game.play(position, rng.choice(moves))


def test_a_sound_move_does_not_depend_on_what_was_asked_before():
    game = numduel.new("multiplicity", size=400, start=2)
    for position, values in follow(game, Random(8)):
        move = game.theory.sound_move(position)
        assert ("win" in values.values()) == (values[move] == "win")
        anew = numduel.new("multiplicity", size=400, start=2)
        assert anew.theory.sound_move(position) == move


def test_at_the_largest_sizes_some_winning_move_is_found_at_once(monkeypatch):
    monkeypatch.setattr(theory, "LARGEST_CANONICAL", 10)
    monkeypatch.setattr(theory, "LOOKS_FOR_DEAD_ENDS", 0)
    game = numduel.new("multiplicity", size=60, start=2)
    won = lost = 0
    for seed in range(5):
        for position, values in follow(game, Random(seed)):
            move = game.theory.sound_move(position)
            assert ("win" in values.values()) == (values[move] == "win")
            won, lost = won + (values[move] == "win"), lost + (values[move] == "loss")
    assert won and lost


def test_a_loser_does_not_walk_into_a_dead_end_where_there_is_another_way():
    seen = 0
    for size in range(8, 30):
        game = numduel.new("multiplicity", size=size, start=2)
        for position, values in follow(game, Random(size)):
            verdicts = numduel.evaluate(game, position)
            if "win" in values.values():
                continue
            slow = {move for move, verdict in verdicts.items() if verdict.distance != 2}
            assert game.theory.sound_move(position) in slow or not slow
            seen += bool(slow)
    assert seen


def test_what_a_question_costs_does_not_depend_on_what_was_asked_before():
    game = numduel.new("multiplicity", size=200)
    before = game.theory.cost(game.start())
    game.theory.solve(game.start())
    assert game.theory.cost(game.start()) == before
    assert before.values < before.evaluate


@pytest.mark.parametrize("seed", range(20))
def test_a_winning_move_leaves_a_partner_to_each_answer(seed):
    game, rng = numduel.new("multiplicity", size=30), Random(seed)
    position = game.start()
    for _ in range(rng.randrange(4)):
        position = game.play(position, rng.choice(game.moves(position)))
        if game.outcome(position) is not None:
            return
    for move, value in game.theory.values(position).items():
        after = game.play(position, move)
        if value == "win":
            pairs = game.theory.pairs(position, move)
            assert [answer for answer, _ in pairs] == list(game.moves(after))
            for answer, ours in pairs:
                assert game.theory.values(game.play(after, answer))[ours] == "win"
