"""Pupils: names that look different, and pairing."""

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel.core.errors import SettingsError
from numduel.web.rooms.pupils import look_alike, pair, pupil_name


@pytest.mark.parametrize(
    "name",
    [
        *("Anna", "Zoë", "Núria", "Nguyễn", "O'Neil", "D’Arcy", "ʻIolani", "Mary-Jane", "Ann B."),
        *("Анна", "Ёлка", "Олексій", "Αννα", "Δημήτρης", "محمد", "فاطمة", "עדי", "राम", "สมชาย"),
        *("李小龙", "さくら", "佐々木", "マリー", "김민준", "한 Kim", "ქეთი", "አበበ", "Bot 7"),
    ],
)
def test_real_names_are_accepted(name):
    assert pupil_name(name) == name
    assert look_alike(name, name)


@pytest.mark.parametrize(
    ("typed", "name"),
    [("  Anna \t Lou ", "Anna Lou"), ("Ａnna", "Anna"), ("Zoe\u0308", "Zoë"), ("ﬁona", "fiona")],
)
def test_a_name_is_normalized(typed, name):
    assert pupil_name(typed) == name


@pytest.mark.parametrize(
    "name",
    [
        *("An\u200bna", "An\u034fna", "Anna\ufe0f", "\u3164", "A\u2800", "An\u00adna"),
        *("A\u202eb", "\x07A"),
    ],
)
def test_a_name_with_invisible_characters_is_refused(name):
    with pytest.raises(SettingsError, match="a name has"):
        pupil_name(name)


@pytest.mark.parametrize(
    ("name", "alphabets"),
    [("Аnna", "Cyrillic and Latin"), ("Αnna", "Greek and Latin"), ("Aнна", "Cyrillic and Latin")],
)
def test_letters_of_two_alphabets_that_look_the_same_are_refused(name, alphabets):
    with pytest.raises(SettingsError, match=f"mixes {alphabets} .*: please use one alphabet"):
        pupil_name(name)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Anna", "ANNA"),
        ("анна", "АННА"),
        ("Straße", "STRASSE"),
        ("Оса", "Oca"),  # the first is Cyrillic
        ("Ёсох", "Ëcox"),
        ("ΑΝΝΑ", "ANNA"),  # the first is Greek
        ("Ian", "lan"),
        ("B0b", "BOb"),
        ("O'Neil", "O’Neil"),
        ("Mary-Jane", "Mary–Jane"),
    ],
)
def test_names_that_look_the_same_are_alike(one, two):
    assert look_alike(pupil_name(one), pupil_name(two))
    assert look_alike(pupil_name(two), pupil_name(one))


@pytest.mark.parametrize(
    ("one", "two"),
    [("Anna", "Hanna"), ("Zoe", "Zoë"), ("Ian", "Lan"), ("Анна", "Anna"), ("Αννα", "Anna")],
)
def test_names_that_look_different_are_not_alike(one, two):
    assert not look_alike(one, two)


# Pairing.


def test_in_the_first_round_neighbours_in_the_standing_meet():
    assert pair([3, 1, 4, 2], [], []) == [(3, 1), (4, 2)]
    assert pair([3, 1, 4], [], []) == [(3, 1), (4, None)]


def test_a_single_player_is_alone_and_nobody_makes_no_pairs():
    assert pair([7], [], []) == [(7, None)]
    assert pair([], [], []) == []


def test_the_lowest_of_those_who_were_alone_least_is_alone():
    assert pair([1, 2, 3], [], [3])[-1] == (2, None)
    assert pair([1, 2, 3], [], [3, 2])[-1] == (1, None)
    assert pair([1, 2, 3], [], [3, 2, 1])[-1] == (3, None)


def test_players_who_left_do_not_matter():
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
    """Yield every way to pair the players, simply enough to be checked by eye."""
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
    """Return what should be least: repeated meetings first, then distances in the standing."""
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
    """Yield each round of a class that wins and loses by chance: its pairs, and who had met."""
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
        for pairs, met, _ in rounds_of(count, count // 2, seed):  # while that is always possible
            assert meetings(pairs, met) == 0


def test_nobody_is_alone_twice_before_everybody_was_once():
    for count in (3, 5, 7, 11):
        for _, _, alone in rounds_of(count, 2 * count, 1):
            times = [alone[player] for player in range(1, count + 1)]
            assert max(times) - min(times) <= 1


def test_a_whole_school_is_paired(many):
    for pairs, met, _ in rounds_of(100, many(4, 30), 1):
        assert len(pairs) == 50
        assert meetings(pairs, met) == 0
