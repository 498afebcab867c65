"""An altered certificate is refused, unless what it says is still true."""

import json
from copy import deepcopy

import pytest
from tests.proof.checkers import CHECKERS, random_position, verdict_by_force

import numduel
from numduel.proof.certificate import loads

GAMES = [
    ("multiplicity", {"size": 9, "start": 2}),
    ("multiplicity", {"size": 10, "start": 4, "opening": "even", "start_open": True}),
    ("multiplicity", {"size": 8}),
    ("divisor-duel", {"divisor": 7}),
    ("divisor-duel", {"divisor": 8, "start": 3}),
    ("divisor-duel", {"divisor": 13}),
    ("divisor-duel", {"divisor": 10, "ceiling": 40}),
    ("operation-duel", {"target": 20}),
    ("operation-duel", {"target": 42}),
    ("operation-duel", {"target": 20, "operations": "+1,-2,x3"}),
    ("operation-duel", {"target": 20, "operations": "-3,x2"}),
    ("double-or-add", {"target": 31}),
    ("double-or-add", {"target": 170}),
    ("divisor-line", {"size": 6}),
    ("divisor-line", {"size": 8}),
    ("divisor-line", {"size": 16, "goal": "chain"}),
]
WORDS = ["win", "loss", "draw", "endless", "value", "distance", "any", "even", "pair", "chain"]


def places(value):
    """Yield every place in a JSON value: its container, and its key or index there."""
    keys = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


def other_value(value, rng):
    """Return a different value that is similar."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((value + 1, value - 1, -value, 0, rng.randint(0, 30), None, float(value)))
    if isinstance(value, str):
        if value in WORDS:
            return rng.choice(WORDS)
        at = rng.randrange(len(value) + 1)
        return value[:at] + rng.choice("0123456789:/,-!x+") + value[at + rng.randint(0, 1) :]
    if isinstance(value, list) and value:
        changed = list(value)
        first, second = rng.randrange(len(value)), rng.randrange(len(value))
        what = rng.randrange(4)
        if what == 0:
            del changed[first]
        elif what == 1:
            changed.insert(first, deepcopy(value[second]))
        elif what == 2:
            changed[first], changed[second] = changed[second], changed[first]
        else:
            changed.append(rng.randint(0, 30))
        return changed
    if isinstance(value, dict) and value:
        changed = dict(value)
        del changed[rng.choice(list(value))]
        return changed
    return rng.choice((0, 1, [], {}, "win"))


def altered(certificate, rng):
    """Return the file of a certificate with one random change."""
    fields = json.loads(certificate.dumps())
    while True:
        changed = deepcopy(fields)
        holder, key = rng.choice(list(places(changed)))
        holder[key] = other_value(holder[key], rng)
        if changed != fields:
            return json.dumps(changed).encode()


@pytest.mark.no_cover
def test_an_altered_certificate_is_refused_or_still_true(many, rng):
    refused = 0
    count = many(250, 2_000)
    for _ in range(count):
        key, settings = rng.choice(GAMES)
        game = numduel.new(key, **settings)
        data = altered(numduel.certify(game, random_position(game, rng, 6)), rng)
        proved, proved_alone, *others = [check(data) for check in CHECKERS]
        assert all(other == proved_alone for other in others), data
        if proved_alone is None:
            assert proved is None, data  # that of Numduel is at least as strict
            refused += 1
            continue
        certificate = loads(data)
        game = numduel.new(certificate.game, **certificate.settings)
        position = game.parse(certificate.position)
        value, distance = verdict_by_force(game, position)
        assert proved_alone in (value, f"{value} in {distance}"), data
        if game.can_reach(position):
            assert proved == proved_alone, data
    assert refused > count * 0.6
