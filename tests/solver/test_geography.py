"""Walks on the divisor graph: repaired matchings are as good as new ones, and replies win."""

from collections import Counter
from random import Random

import pytest

from numduel.games.multiplicity.theory import divisor_graph
from numduel.solver import geography, matching
from numduel.solver.flat_arrays import Graph
from numduel.solver.geography import MAX_REPAIRS, Walks


def walks_on(size, plain=True):
    return Walks(divisor_graph(size, plain))


def pairs_of(walks, used):
    return sum(mate > 0 for mate in walks.mates(used)) // 2


def near(size, number, used):
    return [
        n
        for n in range(1, size + 1)
        if n != number and n not in used and (n % number == 0 or number % n == 0)
    ]


@pytest.fixture(params=[True, False], ids=["plain", "compiled"])
def plain(request):
    return request.param


@pytest.mark.parametrize("size", [1, 2, 6, 12, 30, 80])
def test_a_repaired_matching_is_as_good_as_a_new_one(size, plain):
    rng = Random(size)
    followed = walks_on(size, plain)
    for _ in range(25):
        used = frozenset(rng.sample(range(1, size + 1), rng.randint(0, size)))
        fresh = walks_on(size)
        free = [n for n in range(1, size + 1) if n not in used]
        assert pairs_of(followed, used) == pairs_of(fresh, used)
        winning = fresh.winning_steps(used, free)
        assert followed.winning_steps(used, free) == winning


@pytest.mark.no_cover
@pytest.mark.parametrize("size", [5, 12, 20, 48, 120])
def test_a_reply_wins_if_some_step_wins(size, plain):
    rng = Random(size)
    walks, fresh = walks_on(size, plain), walks_on(size)
    for _ in range(30):
        number = rng.randint(1, size)
        used = frozenset({number})
        while True:
            steps = near(size, number, used)
            winning = fresh.winning_steps(used, steps)
            reply = walks.reply(used, number)
            assert reply in winning or (reply == 0 and not winning)
            if not steps:
                break
            number = reply if reply and rng.random() < 0.6 else rng.choice(steps)
            used |= {number}


def test_a_position_far_from_the_last_one_is_matched_again(plain):
    size = 2 * MAX_REPAIRS + 50
    walks = walks_on(size, plain)
    used = frozenset(range(2, MAX_REPAIRS + 10))
    assert pairs_of(walks, used) == pairs_of(walks_on(size), used)
    assert pairs_of(walks, frozenset()) == pairs_of(walks_on(size), frozenset())


def test_the_graph_is_matched_again_before_the_count_of_blossoms_overflows(plain, monkeypatch):
    monkeypatch.setattr(geography, "MAX_BLOSSOMS", 0)
    walks = walks_on(60, plain)
    rng = Random(1)
    for _ in range(20):
        used = frozenset(rng.sample(range(1, 61), 5))
        assert pairs_of(walks, used) == pairs_of(walks_on(60), used)


def test_a_reply_is_used_only_for_the_walk_that_followed_it(plain, many):
    # If the same numbers are used in another order, the walk may be elsewhere.
    wins = losses = 0
    for size in (12, 18, 24):
        walks, fresh = walks_on(size, plain), walks_on(size)
        rng = Random(size)
        for _ in range(many(60, 400)):
            number = rng.randint(1, size)
            used = frozenset([*rng.sample(range(1, size + 1), rng.randint(1, 6)), number])
            reply = walks.reply(used, number)
            if not reply:
                continue
            after = used | {reply}
            for other in range(1, size + 1):
                if other in after:
                    continue
                steps = near(size, other, after | {other})
                expected = fresh.winning_steps(after | {other}, steps)
                walks.reply(used, number)
                found = walks.reply(after | {other}, other)
                assert found in expected or (found == 0 and not expected)
                wins += bool(found)
                losses += not found
    assert wins and losses


def test_a_win_needs_no_search_if_the_matching_reaches_the_bound(monkeypatch):
    def fail(*_):
        raise AssertionError("a search was made")

    wins = 0
    for size in (12, 30, 60):
        walks, fresh = walks_on(size), walks_on(size)
        for number in range(1, size + 1):
            used = frozenset({number})
            if not fresh.winning_steps(used, near(size, number, used)):
                continue
            pairs_of(walks, frozenset())
            with monkeypatch.context() as patched:
                patched.setattr(matching, "grow", fail)
                assert walks.reply(used, number)
            wins += 1
    assert wins > 20


def test_the_bound_is_never_below_the_pairs(plain, many):
    # The solver updates the bound step by step. Here it is computed again.
    for size in (7, 24, 60):
        walks, rng = walks_on(size, plain), Random(size)
        labels, bases = walks._bounding
        for _ in range(many(40, 400)):
            used = frozenset(rng.sample(range(1, size + 1), rng.randint(0, min(size, 12))))
            pairs = pairs_of(walks, used)
            parts, apart = Counter(), 0
            for number in set(range(1, size + 1)) - used:
                if labels[number] == matching.INNER:
                    apart += 1
                else:
                    outer = labels[number] == matching.OUTER
                    parts[matching.base_of(bases, number) if outer else 0] += 1
            bound = apart + sum(count // 2 for count in parts.values())
            assert walks._slack == bound - pairs >= 0


def test_the_last_reply_is_cached(monkeypatch):
    walks = walks_on(30)
    found = {number: walks.reply(frozenset({number}), number) for number in (30, 1, 7)}
    monkeypatch.setattr(Walks, "_go_to", None)
    assert walks.reply(frozenset({7}), 7) == found[7]


def test_any_graph_can_be_walked():
    # A triangle 1-2-3 with a tail 3-4.
    edges = {1: [2, 3], 2: [1, 3], 3: [1, 2, 4], 4: [3]}
    offsets, targets = [0, 0], []
    for around in edges.values():
        targets += around
        offsets.append(len(targets))
    walks = Walks(Graph(offsets, targets))
    assert pairs_of(walks, frozenset()) == 2
    assert walks.winning_steps(frozenset({3}), [1, 2, 4]) == {4}
    assert walks.reply(frozenset({3}), 3) == 4
    assert walks.reply(frozenset({4}), 4) == 3
