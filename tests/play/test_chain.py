"""The longest chain: which numbers can follow, and how long a chain can be."""

from functools import cache
from itertools import pairwise
from math import floor

import highspy
import networkx
import pytest

from numduel.core.errors import IllegalMove, SettingsError
from numduel.play.chain import MAX_KNOWN_SIZE, Chain, longest_chain

# The terms that the entry of OEIS A337125 lists.
A337125 = [
    *(1, 2, 3, 4, 4, 6, 6, 7, 8, 9, 9, 11, 11, 12, 13, 14, 14, 16, 16, 17, 18, 19, 19, 21, 21),
    *(22, 23, 24, 24, 26, 26, 27, 28, 28, 29, 30, 30, 30, 31, 32, 32, 34, 34, 36, 37, 37, 37, 39),
    *(39, 41, 42, 43, 43, 44, 45, 46, 47, 47, 47, 49, 49, 49, 50, 51, 51, 53, 53, 54),
]


def joined(a, b):
    return a != b and (a % b == 0 or b % a == 0)


def bound(size):
    """Return an upper bound of the length, by a linear program over the edges of the divisor graph.

    A chain is a cycle through an extra vertex 0 that is joined to all numbers. `uses[e]` says
    whether it takes an edge, and `visits[v]` whether it visits a number. A chain has two edges at
    each number that it visits, and at least two edges lead out of any set of numbers that contains
    a visited one. The program allows more than chains, so its maximum is at least the longest one.
    """
    edges = [(a, b) for b in range(1, size + 1) for a in range(b) if a == 0 or joined(a, b)]
    program = highspy.Highs()
    program.silent()
    uses = [program.addVariable(0, 1) for _ in edges]
    visits = [program.addVariable(0, 1, 1.0 if v else 0.0) for v in range(size + 1)]
    program.changeObjectiveSense(highspy.ObjSense.kMaximize)
    program.addConstr(visits[0] == 1)

    def out_of(numbers):
        return sum(
            use for use, (a, b) in zip(uses, edges, strict=True) if (a in numbers) != (b in numbers)
        )

    for v in range(size + 1):
        program.addConstr(out_of({v}) == 2 * visits[v])
    while True:
        program.run()
        values = program.getSolution().col_value
        graph = networkx.Graph()
        graph.add_nodes_from(range(size + 1))
        for (a, b), value in zip(edges, values, strict=False):
            if value > 1e-9:
                graph.add_edge(a, b, capacity=value)
        visited = values[len(edges) :]
        cuts = violated(graph, visited)
        if not cuts:
            return floor(program.getObjectiveValue() + 1e-6)
        for numbers, v in cuts:
            program.addConstr(out_of(numbers) >= 2 * visits[v])


def violated(graph, visited):
    """Return the sets of numbers with too few edges leading out, each with a visited number."""
    found, seen = [], set()
    for v in sorted(graph, key=visited.__getitem__, reverse=True):
        if v == 0 or v in seen or visited[v] < 1e-6:
            continue
        flow, (_, apart) = networkx.minimum_cut(graph, 0, v)
        if flow < 2 * visited[v] - 1e-4:
            found.append((apart, max(apart, key=visited.__getitem__)))
            seen |= apart
    return found


def searched(numbers):
    """Return the length of the longest chain of these numbers, by trying all."""

    @cache
    def after(last, unused):
        ways = [n for n in unused if joined(n, last)]
        return 1 + max((after(n, unused - {n}) for n in ways), default=0)

    numbers = frozenset(numbers)
    return max(after(n, numbers - {n}) for n in numbers)


def test_each_longest_chain_is_a_chain():
    for size in range(1, MAX_KNOWN_SIZE + 1):
        numbers = longest_chain(size)
        assert len(set(numbers)) == len(numbers)
        assert set(numbers) <= set(range(1, size + 1))
        assert all(joined(a, b) for a, b in pairwise(numbers))


def test_no_chain_is_longer_by_trying_them_all():
    for size in range(1, 14):
        assert len(longest_chain(size)) == searched(range(1, size + 1))


def test_the_lengths_are_those_of_the_encyclopedia():
    assert [len(longest_chain(size)) for size in range(1, len(A337125) + 1)] == A337125


# A bound on the chains of one size holds for all smaller ones as well.
DECIDING = [
    size
    for size in range(2, MAX_KNOWN_SIZE)
    if len(longest_chain(size)) < len(longest_chain(size + 1))
]


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize(
    "size", [*DECIDING[::10], MAX_KNOWN_SIZE]
)  # some of them, since each takes seconds
def test_no_chain_is_longer_by_a_bound(size):
    assert len(longest_chain(size)) == bound(size)


def test_beyond_200_the_longest_chain_is_not_known():
    assert longest_chain(MAX_KNOWN_SIZE + 1) is None


# Making a chain.


def test_any_number_begins_and_factors_and_multiples_follow():
    chain = Chain.empty(12)
    assert chain.moves == tuple(range(1, 13))
    chain = chain.add(6)
    assert chain.moves == (1, 2, 3, 12)
    chain = chain.add(3).add(9)
    assert chain.moves == (1,)
    assert chain.back() == Chain.parse(12, "6,3")
    assert chain.reversed().moves == (1, 2, 12)
    assert chain.text == "6,3,9"
    steps = [(link.start, link.end, link.label) for link in chain.scene.links]
    assert steps == [(6, 3, "÷ 2"), (3, 9, "× 3")]


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (0, "0 is not on the board from 1 to 12"),
        (13, "13 is not on the board from 1 to 12"),
        (6, "6 is in the chain already"),
        (4, "4 is neither a factor nor a multiple of 3"),
    ],
)
def test_a_number_that_cannot_follow_is_refused_with_the_reason(number, why):
    with pytest.raises(IllegalMove, match=why):
        Chain.parse(12, "6 3").add(number)


def test_boards_have_bounds_and_chains_are_numbers():
    for size in (1, 401):
        with pytest.raises(SettingsError, match=f"from 2 to 400 numbers, not {size}"):
            Chain.empty(size)
    with pytest.raises(SettingsError, match="a chain is numbers like 3,6,2, not 'x'"):
        Chain.parse(12, "6,x")
    with pytest.raises(IllegalMove):
        Chain.parse(400, ",".join(map(str, [1, 2] * 300)))


def test_the_length_is_compared_with_the_maximum():
    assert Chain.empty(12).length_line == "0 numbers. The longest possible chain has 11."
    assert Chain(12, longest_chain(12)).length_line == "11 numbers. No chain is longer!"
    assert Chain(300, (1,)).length_line == "1 number. The longest chain of this size is not known."


def test_the_board_shows_the_numbers_used_the_last_one_and_those_that_can_follow():
    scene = Chain.parse(12, "6,3,9").scene
    assert scene.number.value == "3"
    assert [cell.number for cell in scene.cells if cell.chosen] == [3, 6, 9]
    assert [cell.number for cell in scene.cells if cell.current] == [9]
    assert [cell.number for cell in scene.cells if cell.legal] == [1]
    assert Chain.parse(7, "1,7").scene.sentence.startswith("No number can follow")
