"""Multiplicity solved: against the reference at every position of every small setting."""

from random import Random

import pytest

import numduel
from numduel.core.verdict import Verdict
from numduel.games import multiplicity_theory
from numduel.solver.reference import retrograde

SMALL = [
    {"size": 12, "start": start, "opening": opening, "start_open": start_open}
    for start in (1, 2, 3, 6, 7, 12)
    for opening in ("any", "even")
    for start_open in (False, True)
] + [{"size": size} for size in range(1, 21)]


@pytest.mark.soak(keep=41)
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


def test_juniper_green_at_forty_has_just_two_winning_openings():
    game = numduel.new("multiplicity", size=40, opening="even")
    verdicts = numduel.evaluate(game, game.start())
    assert [move for move in verdicts if verdicts[move].value == "win"] == [22, 26]


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
    from numduel.solver.geography import Walks

    rng = Random(4)
    game = numduel.new("multiplicity", size=6000, start=7)
    position = game.start()
    plain = Walks(6000, plain=True)
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
    game = numduel.new("multiplicity", size=multiplicity_theory.LARGEST_FOR_DISTANCE + 1)
    assert numduel.solve(game, game.start()) == Verdict("win", None)


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


def test_large_pools_are_not_pondered_move_by_move():
    assert numduel.new("multiplicity").theory.deliberate
    assert not numduel.new("multiplicity", size=5000).theory.deliberate


def test_the_winning_move_does_not_depend_on_what_was_asked_before():
    asked, fresh = (numduel.new("multiplicity", size=400, start=2) for _ in range(2))
    rng = Random(8)
    position = asked.start()
    while moves := asked.moves(position):
        move = asked.theory.winning_move(position)
        anew = numduel.new("multiplicity", size=400, start=2)
        assert anew.theory.winning_move(position) == move
        position = asked.play(position, rng.choice(moves))
    assert fresh.theory.winning_move(fresh.start()) == asked.theory.winning_move(asked.start())


def test_at_the_largest_sizes_some_winning_move_is_found_at_once(monkeypatch):
    monkeypatch.setattr(multiplicity_theory, "LARGEST_CANONICAL", 10)
    rng = Random(6)
    game = numduel.new("multiplicity", size=60, start=2)
    position = game.start()
    while moves := game.moves(position):
        move = game.theory.winning_move(position)
        wins = {m for m, v in numduel.evaluate(game, position).items() if v.value == "win"}
        assert move in wins or (move is None and not wins)
        position = game.play(position, rng.choice(moves))
