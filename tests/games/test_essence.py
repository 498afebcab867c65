"""The essence of a position: the same where it goes on the same, and only there."""

import pytest
from take_away import TakeAway

import numduel

SMALL = [
    ("divisor-duel", {"divisor": 5, "ceiling": 20}),
    ("operation-duel", {"target": 12, "operations": "+1,-2,x2"}),
    ("divisor-line", {"size": 6}),
    ("double-or-add", {"target": 12}),
    ("multiplicity", {"size": 8, "opening": "even"}),
]


NEAR = {
    "divisor-duel": {"ceiling": 25},
    "operation-duel": {"target": 13},
    "divisor-line": {"size": 7},
    "double-or-add": {"target": 14},
    "multiplicity": {"size": 9, "opening": "any"},
}


def of(key, text, **settings):
    game = numduel.new(key, **settings)
    return game.essence(game.read(text))


def shape(game, position, depth):
    """How a game goes on for so many moves, whatever its moves are called."""
    outcome = game.outcome(position)
    if outcome is not None or not depth:
        return outcome and outcome.winner == position.mover
    return tuple(
        sorted(
            repr(shape(game, game.after(position, move), depth - 1))
            for move in game.moves(position)
        )
    )


@pytest.mark.parametrize(("key", "settings"), SMALL)
def test_positions_of_one_essence_have_one_verdict_and_go_on_alike(key, settings, many):
    """Also across settings nearby."""
    found = {}
    for near in (settings, {**settings, **NEAR.get(key, {})}):
        game = numduel.new(key, **near)
        for position in game.reached:
            if game.outcome(position) is None:
                known = numduel.solve(game, position), shape(game, position, many(3, 5))
                found.setdefault(game.essence(position), set()).add(known)
    assert all(len(known) == 1 for known in found.values())


def test_numbers_that_play_no_part_any_more_are_no_part_of_it():
    walk = of("multiplicity", "2:1-2,14/1", size=20)
    assert walk == of("multiplicity", "2:1-2,7,14/2", size=20)
    assert walk != of("multiplicity", "2:1-2,14/1", size=21)  # where 7 leads on to 21
    assert of("multiplicity", "4:1,4/1", size=12) == of("multiplicity", "4:1,4/1", size=13)
    chain = {"goal": "chain", "size": 20}
    assert of("divisor-line", "11:2/1", **chain) == of("divisor-line", "13:2/1", **chain)
    assert of("divisor-line", "10:2/1", **chain) != of("divisor-line", "11:2/1", **chain)
    assert of("divisor-line", "2,4:5,9/1", size=9) == of("divisor-line", "5,9:2,4/2", size=9)
    assert of("divisor-line", "8:1/2", size=8) != of("divisor-line", "7:1/2", size=8)
    late = of("operation-duel", "18/1", target=20)
    assert late == of("operation-duel", "28/2", target=30, operations="x3,+1")
    assert late != of("operation-duel", "27/1", target=30)
    assert of("operation-duel", "18/1", operations="+1,-1,x2") != late
    ended = of("divisor-duel", "38/1", divisor=10, ceiling=40)
    assert ended == of("divisor-duel", "48/1", divisor=10, ceiling=50)
    assert ended != of("divisor-duel", "38/1", divisor=40, ceiling=40) == late


def test_which_seat_moves_is_no_part_of_it():
    assert of("double-or-add", "7/1") == of("double-or-add", "7/2")
    assert of("divisor-line", "4,8:5,9/1") == of("divisor-line", "5,9:4,8/2")
    assert of("multiplicity", "14:1,7,14/1") == of("multiplicity", "14:1,7,14/2")


def test_how_the_settings_are_put_is_no_part_of_it():
    race = of("double-or-add", "7/1", target=20)
    assert race == of("operation-duel", "7/1", target=20, start=3, operations="x2,+1")
    assert race != of("double-or-add", "7/1", target=21)
    assert of("divisor-duel", "5/1") == of("divisor-duel", "18/1")
    assert of("divisor-duel", "5/1", ceiling=50) != of("divisor-duel", "18/1", ceiling=50)


def test_what_differs_has_another():
    assert of("divisor-line", "4:5/1") != of("divisor-line", "5:4/1")
    start = "1:1/1"
    assert of("multiplicity", start) != of("multiplicity", start, opening="even")


def test_a_game_that_says_nothing_of_it_has_one_for_each_position():
    game = TakeAway(stones=6)
    positions = game.reached
    assert len({game.essence(position) for position in positions}) == len(positions)
    assert game.disguises(1) == ()
