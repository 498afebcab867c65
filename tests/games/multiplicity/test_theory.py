"""The solution of Multiplicity, against the reference solver at every small setting."""

from random import Random

import networkx
import pytest

import numduel
from numduel import TooLarge
from numduel.core.verdict import Verdict
from numduel.games.multiplicity import theory
from numduel.solver.geography import Walks
from numduel.solver.reference import retrograde

SMALL = [
    {"size": 12, "start": start, "opening": opening, "start_open": start_open}
    for start in (1, 2, 3, 6, 7, 12)
    for opening in ("any", "even")
    for start_open in (False, True)
] + [{"size": size} for size in range(1, 21)]


def test_every_position_of_every_small_setting_equals_the_reference(many):
    for settings in SMALL[:: many(3, 1)]:
        game = numduel.new("multiplicity", **settings)
        found = retrograde(game, game.start())
        sample = Random(1).sample(list(found.items()), min(len(found), many(30, 1_000)))
        for position, expected in sample:
            verdict = numduel.solve(game, position)
            assert verdict.value == expected.value, position
            assert verdict.distance in (None, expected.distance), position
            for move, one in numduel.evaluate(game, position).items():
                after = found[game.play(position, move)].before(same_mover=False)
                assert one.value == after.value
                assert one.distance in (None, after.distance)


def test_random_larger_positions_equal_the_reference(many):
    for seed in range(many(3, 20)):
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


def test_the_next_position_needs_no_new_matching(monkeypatch):
    game = numduel.new("multiplicity", size=500, start=2)
    position = game.start()
    numduel.solve(game, position)
    walks = game.theory._walks

    def never(*_):
        raise AssertionError("a new matching")

    monkeypatch.setattr(walks, "_rematch", never)
    rng = Random(0)
    fresh = numduel.new("multiplicity", size=500, start=2)
    while moves := game.moves(position):
        position = game.play(position, rng.choice(moves))
        assert numduel.solve(game, position).value == numduel.solve(fresh, position).value


def test_the_compiled_form_gives_the_same_verdicts(many):
    rng = Random(4)
    game = numduel.new("multiplicity", size=6000, start=7)
    position = game.start()
    plain = Walks(theory.divisor_graph(6000, plain=True))
    for _ in range(many(6, 30)):
        moves = game.moves(position)
        if not moves:
            break
        wins = {m for m, v in numduel.evaluate(game, position).items() if v.value == "win"}
        assert wins == plain.winning_steps(position.chosen, moves)
        assert (numduel.solve(game, position).value == "win") == bool(wins)
        position = game.play(position, rng.choice(moves))


def test_distances_that_take_too_long_are_unknown():
    game = numduel.new("multiplicity", size=60, start=2)
    assert numduel.solve(game, game.start()).distance is None
    game = numduel.new("multiplicity", size=theory.MAX_SIZE_FOR_DISTANCE + 1)
    assert numduel.solve(game, game.start()) == Verdict("win", None)


def test_a_request_for_the_distance_searches_longer():
    game = numduel.new("multiplicity", size=40, opening="even")
    assert game.theory.distance(game.start()) == 11
    game = numduel.new("multiplicity", size=46, start=2)
    assert numduel.solve(game, game.start()) == Verdict("win", None)
    assert game.theory.distance(game.start()) == 19
    assert game.theory.distance(game.read("23:2,23,46/1")) == 2  # which is known at once


def test_distances_at_large_sizes_are_refused():
    size = theory.MAX_SIZE_FOR_LONG_SEARCH + 1
    game = numduel.new("multiplicity", size=size, start=2)
    with pytest.raises(numduel.TooLarge, match="up to a size of 1,000, not 1,001"):
        game.theory.distance(game.start())


def test_a_distance_that_takes_too_many_positions_is_refused(monkeypatch):
    monkeypatch.setattr(theory, "MAX_PLAIN_LOOKS", 6_000)
    monkeypatch.setattr(theory, "MAX_COMPILED_LOOKS", 6_000)
    game = numduel.new("multiplicity", size=60, start=2)
    with pytest.raises(numduel.TooLarge, match="more than 100 positions to look at"):
        game.theory.distance(game.start())


def random_positions(game, rng):
    """Yield the positions of a random game, each with the values of its moves."""
    position = game.start()
    while moves := game.moves(position):
        yield position, game.theory.values(position)
        position = game.play(position, rng.choice(moves))


def test_a_sound_move_does_not_depend_on_earlier_questions():
    game = numduel.new("multiplicity", size=400, start=2)
    for position, values in random_positions(game, Random(8)):
        move = game.theory.sound_move(position)
        assert ("win" in values.values()) == (values[move] == "win")
        fresh = numduel.new("multiplicity", size=400, start=2)
        assert fresh.theory.sound_move(position) == move


def test_at_the_largest_sizes_some_winning_move_is_found_at_once(monkeypatch):
    monkeypatch.setattr(theory, "MAX_CANONICAL_SIZE", 10)
    monkeypatch.setattr(theory, "MAX_DEAD_END_LOOKS", 0)
    game = numduel.new("multiplicity", size=60, start=2)
    won = lost = 0
    for seed in range(5):
        for position, values in random_positions(game, Random(seed)):
            move = game.theory.sound_move(position)
            assert ("win" in values.values()) == (values[move] == "win")
            won, lost = won + (values[move] == "win"), lost + (values[move] == "loss")
    assert won and lost


def test_a_loser_avoids_dead_ends_if_possible():
    seen = 0
    for size in range(8, 30, 3):
        game = numduel.new("multiplicity", size=size, start=2)
        for position, values in random_positions(game, Random(size)):
            verdicts = numduel.evaluate(game, position)
            if "win" in values.values():
                continue
            slow = {move for move, verdict in verdicts.items() if verdict.distance != 2}
            assert game.theory.sound_move(position) in slow or not slow
            seen += bool(slow)
    assert seen


def test_costs_do_not_depend_on_earlier_questions():
    game = numduel.new("multiplicity", size=200)
    before = game.theory.cost(game.start())
    game.theory.solve(game.start())
    assert game.theory.cost(game.start()) == before
    assert before.values < before.evaluate


def test_a_winning_move_leaves_a_partner_to_each_answer():
    for seed in range(8):
        game, rng = numduel.new("multiplicity", size=30), Random(seed)
        position = game.start()
        for _ in range(rng.randrange(4)):
            position = game.play(position, rng.choice(game.moves(position)))
            if game.outcome(position) is not None:
                break
        for move, value in game.theory.values(position).items():
            after = game.play(position, move)
            if value == "win":
                found = dict(game.theory.explanation(position, move).pairs)
                pairs = found | {ours: answer for answer, ours in found.items()}
                for answer in game.moves(after):
                    assert game.theory.values(game.play(after, answer))[pairs[answer]] == "win"


def test_a_pairing_is_maximum_and_the_numbers_that_one_may_miss_win():
    for size in range(1, 40):
        game = numduel.new("multiplicity", size=size)
        edges, pairs, missed = game.theory.pairing(game.start())
        board = networkx.Graph(edges)
        assert networkx.is_matching(board, {*pairs}), size
        assert len(pairs) == len(networkx.max_weight_matching(board, maxcardinality=True))
        values = game.theory.values(game.start())
        assert {*missed} == {move for move, value in values.items() if value == "win"}
    large = numduel.new("multiplicity", size=1001)
    with pytest.raises(TooLarge, match="pairings are listed up to a size of 1,000, not 1,001"):
        large.theory.pairing(large.start())
