"""Who plays whom: everybody once, nobody twice where that can be, and each alone in turn."""

from collections import Counter
from itertools import product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from numduel.web.rooms.pairing import pair


def test_without_a_past_neighbours_in_the_standing_meet():
    assert pair([3, 1, 4, 2], [], []) == [(3, 1), (4, 2)]
    assert pair([3, 1, 4], [], []) == [(3, 1), (4, None)]


def test_one_is_alone_and_nobody_is_nobody():
    assert pair([7], [], []) == [(7, None)]
    assert pair([], [], []) == []


def test_who_was_alone_least_and_stands_lowest_is_alone():
    assert pair([1, 2, 3], [], [3])[-1] == (2, None)
    assert pair([1, 2, 3], [], [3, 2])[-1] == (1, None)
    assert pair([1, 2, 3], [], [3, 2, 1])[-1] == (3, None)


def test_those_who_left_do_not_matter():
    assert pair([1, 2], [(1, 9), (8, 9), (2, None)], [9]) == [(1, 2)]


@given(
    st.lists(st.integers(1, 100), unique=True, max_size=30),
    st.lists(st.tuples(st.integers(1, 100), st.integers(1, 100)), max_size=200),
    st.lists(st.integers(1, 100), max_size=30),
)
def test_everybody_plays_once_and_nobody_themselves(ranked, met, alone):
    pairs = pair(ranked, met, alone)
    seated = [player for two in pairs for player in two if player is not None]
    assert sorted(seated) == sorted(ranked)
    assert sum(two is None for _, two in pairs) == len(ranked) % 2


def pairings(players):
    """Every way to pair them, to be checked by eye."""
    if not players:
        yield []
        return
    first, *rest = players
    for second in rest:
        for others in pairings([player for player in rest if player != second]):
            yield [(first, second), *others]


def meetings(pairs, met):
    return sum(met[frozenset(two)] for two in pairs)


def cost(pairs, ranked, met):
    """What is to be least: first the meetings again, then the distances in the standing."""
    rank = {player: at for at, player in enumerate(ranked)}
    return meetings(pairs, met), sum((rank[one] - rank[two]) ** 2 for one, two in pairs)


@given(
    st.integers(0, 4).map(lambda half: [*range(1, 2 * half + 1)]).flatmap(st.permutations),
    st.lists(st.tuples(st.integers(1, 8), st.integers(1, 8)), max_size=40),
)
def test_no_other_pairs_are_better(ranked, met):
    known = Counter(map(frozenset, met))
    best = min(cost(way, ranked, known) for way in pairings(ranked))
    assert cost(pair(ranked, met, []), ranked, known) == best


def rounds_of(count, rounds, seed):
    """A class of so many who win and lose by chance: each round's pairs, and who had met."""
    rng, points = Random(seed), Counter()
    met, alone = [], []
    for _ in range(rounds):
        ranked = sorted(range(1, count + 1), key=lambda player: (-points[player], player))
        pairs = pair(ranked, met, alone)
        yield pairs, Counter(map(frozenset, met)), Counter(alone)
        for one, two in pairs:
            if two is None:
                alone.append(one)
            else:
                met.append((one, two))
            points[rng.choice([one, two or one])] += 1


def test_in_the_first_rounds_nobody_meets_again():
    for count, seed in product(range(2, 13), range(20)):
        for pairs, met, _ in rounds_of(count, count // 2, seed):  # where that can always be
            assert meetings(pairs, met) == 0


def test_everybody_is_alone_once_before_anybody_is_twice():
    for count in (3, 5, 7, 11):
        for _, _, alone in rounds_of(count, 2 * count, 1):
            times = [alone[player] for player in range(1, count + 1)]
            assert max(times) - min(times) <= 1


def test_a_whole_school_is_paired(many):
    for pairs, met, _ in rounds_of(100, many(4, 30), 1):
        assert len(pairs) == 50
        assert meetings(pairs, met) == 0
