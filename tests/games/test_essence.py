"""The essence of a position: equal only for positions from which the game goes on alike."""

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


def essence(key, text, **settings):
    game = numduel.new(key, **settings)
    return game.essence(game.read(text))


def shape(game, position, depth):
    """Return the tree of the next `depth` moves, whatever their names."""
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
    """The settings may differ slightly."""
    found = {}
    for near in (settings, {**settings, **NEAR.get(key, {})}):
        game = numduel.new(key, **near)
        for position in game.position_numbers:
            if game.outcome(position) is None:
                known = numduel.solve(game, position), shape(game, position, many(3, 5))
                found.setdefault(game.essence(position), set()).add(known)
    assert all(len(known) == 1 for known in found.values())


def test_numbers_that_no_longer_matter_are_left_out():
    walk = essence("multiplicity", "2:1-2,14/1", size=20)
    assert walk == essence("multiplicity", "2:1-2,7,14/2", size=20)
    assert walk != essence("multiplicity", "2:1-2,14/1", size=21)  # with 21, a step from 7 leads on
    assert essence("multiplicity", "4:1,4/1", size=12) == essence(
        "multiplicity", "4:1,4/1", size=13
    )
    chain = {"goal": "chain", "size": 20}
    assert essence("divisor-line", "11:2/1", **chain) == essence("divisor-line", "13:2/1", **chain)
    assert essence("divisor-line", "10:2/1", **chain) != essence("divisor-line", "11:2/1", **chain)
    assert essence("divisor-line", "2,4:5,9/1", size=9) == essence(
        "divisor-line", "5,9:2,4/2", size=9
    )
    assert essence("divisor-line", "8:1/2", size=8) != essence("divisor-line", "7:1/2", size=8)
    late = essence("operation-duel", "18/1", target=20)
    assert late == essence("operation-duel", "28/2", target=30, operations="x3,+1")
    assert late != essence("operation-duel", "27/1", target=30)
    assert essence("operation-duel", "18/1", operations="+1,-1,x2") != late
    ended = essence("divisor-duel", "38/1", divisor=10, ceiling=40)
    assert ended == essence("divisor-duel", "48/1", divisor=10, ceiling=50)
    assert ended != essence("divisor-duel", "38/1", divisor=40, ceiling=40) == late


def test_the_seat_that_moves_is_left_out():
    assert essence("double-or-add", "7/1") == essence("double-or-add", "7/2")
    assert essence("divisor-line", "4,8:5,9/1") == essence("divisor-line", "5,9:4,8/2")
    assert essence("multiplicity", "14:1,7,14/1") == essence("multiplicity", "14:1,7,14/2")


def test_equal_rules_from_different_settings_have_one_essence():
    race = essence("double-or-add", "7/1", target=20)
    assert race == essence("operation-duel", "7/1", target=20, start=3, operations="x2,+1")
    assert race != essence("double-or-add", "7/1", target=21)
    assert essence("divisor-duel", "5/1") == essence("divisor-duel", "18/1")
    assert essence("divisor-duel", "5/1", ceiling=50) != essence("divisor-duel", "18/1", ceiling=50)


def test_positions_and_openings_that_differ_have_different_essences():
    assert essence("divisor-line", "4:5/1") != essence("divisor-line", "5:4/1")
    start = "1:1/1"
    assert essence("multiplicity", start) != essence("multiplicity", start, opening="even")


def test_by_default_each_position_has_its_own_essence():
    game = TakeAway(stones=6)
    positions = game.position_numbers
    assert len({game.essence(position) for position in positions}) == len(positions)
    assert game.disguises(1) == ()
