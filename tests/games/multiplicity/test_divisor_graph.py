"""The divisor graph, plain and compiled, against its definition."""

import numpy
import pytest

from numduel.games.multiplicity.theory import divisor_graph


@pytest.mark.parametrize("size", [1, 2, 7, 20, 101])
@pytest.mark.parametrize("plain", [True, False])
def test_numbers_are_joined_to_their_multiples_and_divisors_in_ascending_order(size, plain):
    offsets, targets = divisor_graph(size, plain)
    found = {n: list(targets[offsets[n] : offsets[n + 1]]) for n in range(1, size + 1)}
    assert found == {
        n: [m for m in range(1, size + 1) if m != n and (m % n == 0 or n % m == 0)]
        for n in range(1, size + 1)
    }


def test_small_graphs_are_lists_and_large_ones_arrays():
    assert isinstance(divisor_graph(2_000).targets, list)
    assert isinstance(divisor_graph(50_001).targets, numpy.ndarray)
