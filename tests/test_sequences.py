"""The sequences that come from the games: the files, and what others have published."""

import importlib.util
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

import numduel
from numduel.games.multiplicity.theory import divisor_graph
from numduel.solver.geography import Walks

FOLDER = Path(__file__).parents[1] / "docs" / "sequences"
MAKE = importlib.util.spec_from_file_location("make_sequences", FOLDER / "make.py")
make = importlib.util.module_from_spec(MAKE)
MAKE.loader.exec_module(make)

A348842 = [0, 1, 1, 6, 10, 35, 47, 147, 216, 452, 512, 3055, 3365, 5602, 12160, 35951, 37959]
A348844 = {
    2: [0, 1],
    3: [1, 0],
    4: [2, 1, 2, 1],
    5: [3, 2, 3, 2],
    6: [6, 6, 7, 4, 6, 6],
    7: [8, 8, 9, 6, 8, 8],
    8: [14, 19, 18, 21, 19, 17, 18, 21],
    9: [25, 24, 31, 27, 30, 21, 31, 27],
    10: [36, 36, 51, 52, 49, 39, 51, 52, 43, 43],
    11: [41, 41, 59, 59, 54, 44, 59, 59, 48, 48],
    12: [189, 190, 286, 283, 253, 268, 307, 309, 266, 262, 222, 220],
}
A344497 = [
    0,
    1,
    1,
    2,
    2,
    3,
    3,
    3,
    4,
    5,
    5,
    5,
    5,
    6,
    7,
    7,
    7,
    8,
    8,
    8,
    9,
    10,
    10,
    10,
    11,
    12,
    12,
    13,
]
A348843 = [1, 1, 3, 3, 5, 5, 12, 11, 12, 16, 15, 16, 33, 39, 36, 39, 49, 58, 51, 58]


def terms(name):
    lines = (FOLDER / f"{name}.txt").read_text().splitlines()
    numbers, found = zip(*(map(int, line.split()) for line in lines), strict=True)
    assert numbers == tuple(range(1, len(lines) + 1))
    return list(found)


@pytest.mark.parametrize("name", make.SEQUENCES)
def test_the_files_are_what_the_command_makes(name, many):
    sequence, most = make.SEQUENCES[name]
    few = many(40, most)
    assert list(islice(sequence(), few)) == terms(name)[:few]


def test_the_races_are_sums_of_distinct_odd_powers_of_two():
    sums = [0]
    for power in range(1, 22, 2):
        sums += [one + 2**power for one in sums]
    assert terms("races") == sums[1:1001]


def test_the_openings_of_juniper_green_to_40():
    assert terms("even-openings")[39] == 2
    lost = [size for size, wins in enumerate(terms("even-openings"), 1) if not wins]
    assert lost[0] == 1  # where there is no even number
    assert lost == [size for size in terms("even-losses") if size <= 500]
    assert len(terms("even-losses")) == 44 and terms("even-losses")[-1] == 118


def test_the_matching_number_of_the_divisor_graph():
    """OEIS A344497."""
    for size, pairs in enumerate(A344497, 1):
        mates = Walks(divisor_graph(size)).mates(frozenset())
        assert sum(mate > 0 for mate in mates) == 2 * pairs


def games_of_juniper_green(size):
    """How many games there are, by the first number and by whether their length is odd."""
    game = numduel.new("multiplicity", size=size, **make.JUNIPER_GREEN)
    found = Counter()

    def follow(position, first, length):
        moves = game.moves(position)
        for move in moves:
            follow(game.after(position, move), first or move, length + 1)
        if not moves and first:
            found[first, length % 2] += 1

    follow(game.start(), 0, 0)
    return found


def test_the_games_of_juniper_green_as_others_count_them(many):
    """OEIS A348842 to A348844."""
    rows = []
    for size in range(1, many(10, 17) + 1):
        found = games_of_juniper_green(size)
        assert sum(found.values()) == A348842[size - 1]
        evens = range(2, size + 1, 2)
        rows += [found[first, 0] + found[first, 1] for first in evens]
        if size in A348844:
            assert [found[first, odd] for first in evens for odd in (1, 0)] == A348844[size]
    assert rows[: len(A348843)] == A348843
