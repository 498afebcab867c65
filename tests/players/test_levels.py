"""The levels play soundly within their sight, and each is stronger than the one before."""

from itertools import pairwise
from random import Random

import pytest

import numduel
from numduel.players import COMPUTERS, Turn, player
from numduel.players.levels import SIGHT


def choose(who, game, position, seed=0):
    return player(who).choose(Turn(game, position, 1, (), Random(seed)))


@pytest.mark.parametrize("who", SIGHT)
def test_every_level_takes_a_win_at_hand(who):
    game = numduel.new("operation-duel", start=19)
    assert {choose(who, game, game.start(), seed) for seed in range(20)} == {1}
    game = numduel.new("multiplicity", size=50)
    chosen = {choose(who, game, game.start(), seed) for seed in range(9)}
    assert chosen <= {29, 31, 37, 41, 43, 47}


def test_easy_does_not_see_the_reply_and_medium_does():
    # At 6 with divisor 13, doubling gives 12, to which 1 is added.
    game = numduel.new("divisor-duel", start=6)
    assert {choose("easy", game, game.start(), seed) for seed in range(30)} == {1, 2}
    assert {choose("medium", game, game.start(), seed) for seed in range(30)} == {1}


def test_what_a_level_sees_is_true():
    rng = Random(1)
    for key, settings in (("multiplicity", {"size": 24, "start": 2}), ("operation-duel", {})):
        game = numduel.new(key, **settings)
        for _ in range(15):
            position = game.start()
            for _ in range(rng.randint(0, 6)):
                if game.moves(position):
                    position = game.play(position, rng.choice(game.moves(position)))
            if game.outcome(position):
                continue
            exact = numduel.evaluate(game, position)
            for who in SIGHT:
                seen = player(who)._seen(Turn(game, position, 1, (), rng))
                for move, verdict in seen.items():
                    if verdict is not None:
                        assert verdict.value == exact[move].value
                        assert exact[move].distance in (None, verdict.distance)


def test_a_great_many_moves_end_the_sight_not_the_game():
    game = numduel.new("multiplicity", size=100_000)
    assert choose("hard", game, game.start()) in game.moves(game.start())


def test_levels_swap_where_they_see_that_the_mover_loses():
    game = numduel.new("operation-duel", start=17)  # 18 is lost for who must move there
    position = game.play(game.start(), 1)
    assert player("hard").swaps(Turn(game, position, 1, (1,), Random(1)))
    game = numduel.new("operation-duel", start=18)
    position = game.play(game.start(), 1)
    assert not player("easy").swaps(Turn(game, position, 1, (1,), Random(1)))
    far = numduel.new("double-or-add", target=10**6)
    position = far.play(far.start(), 1)
    answers = {player("easy").swaps(Turn(far, position, 1, (1,), Random(s))) for s in range(20)}
    assert answers == {True, False}


SETTINGS = [
    ("divisor-duel", {"ceiling": 100}),
    ("operation-duel", {"target": 50, "operations": "+1,+2,x3"}),
    ("divisor-line", {"goal": "chain", "size": 16}),
    ("multiplicity", {"size": 24, "start": 2}),
]


@pytest.mark.parametrize(("weak", "strong"), list(pairwise(COMPUTERS)))
def test_each_level_beats_the_one_before(weak, strong, many):
    players = {1: player(strong), 2: player(weak)}
    wins = {1: 0, 2: 0}
    for key, settings in SETTINGS:
        game = numduel.new(key, **settings)
        for count in range(many(2, 12)):
            rng = Random(count)
            position = game.start(1 + count % 2)
            while (outcome := game.outcome(position)) is None:
                move = players[position.mover].choose(Turn(game, position, 1, (), rng))
                position = game.play(position, move)
            wins[outcome.winner] += 1
    assert wins[1] > 1.3 * wins[2], wins
