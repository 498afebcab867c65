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


def of(key, text, **settings):
    game = numduel.new(key, **settings)
    return game.essence(game.read(text))


@pytest.mark.parametrize(("key", "settings"), SMALL)
def test_positions_of_one_essence_have_one_verdict(key, settings):
    game = numduel.new(key, **settings)
    found = {}
    for position in reached(game):
        if game.outcome(position) is None:
            verdicts = {numduel.solve(game, position), *found.get(game.essence(position), ())}
            found[game.essence(position)] = verdicts
    assert all(len(verdicts) == 1 for verdicts in found.values())


def reached(game):
    found, waiting = set(), [game.start(1), game.start(2)]
    while waiting:
        position = waiting.pop()
        if position not in found:
            found.add(position)
            waiting += [game.after(position, move) for move in game.moves(position)]
    return found


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
    positions = reached(game)
    assert len({game.essence(position) for position in positions}) == len(positions)
    assert game.disguises(1) == ()
