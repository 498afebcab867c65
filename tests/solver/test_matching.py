"""Maximum matching: against two other implementations, and the decomposition by removal."""

from itertools import combinations
from random import Random

import networkx
import numpy
import pytest
import rustworkx

from numduel.solver import matching
from numduel.solver.compiled import compiled
from numduel.solver.forest import Forest, Graph

FAST = compiled("numduel.solver.matching")


def flat(count, edges, rng=None):
    neighbours = {vertex: [] for vertex in range(1, count + 1)}
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    offsets, targets = [0, 0], []
    for around in neighbours.values():
        if rng:
            rng.shuffle(around)
        targets += around
        offsets.append(len(targets))
    return offsets, targets


def matched(solver, count, offsets, targets, gone=(), greedy=True):
    """The partners, and which vertices some maximum matching misses."""
    fast = solver is FAST
    offsets = numpy.array(offsets) if fast else offsets
    targets = numpy.array(targets, numpy.int32) if fast else targets

    def room(length=count + 2):
        return numpy.zeros(length, numpy.int32) if fast else [0] * length

    graph = Graph(offsets, targets)
    forest = Forest(**{name: room() for name in Forest._fields})
    for vertex in gone:
        forest.mate[vertex] = matching.GONE
    if greedy:
        solver.match_greedily(graph, forest.mate, room(), room(len(targets)))
    solver.match(graph, forest)
    mate, label = forest.mate, forest.label
    missed = {vertex for vertex in range(1, count + 1) if label[vertex] == matching.OUTER}
    return [int(partner) for partner in mate], missed


def pairs(mate):
    return sum(partner > vertex for vertex, partner in enumerate(mate))


def best_by_networkx(edges, without=0):
    graph = networkx.Graph([edge for edge in edges if without not in edge])
    return len(networkx.max_weight_matching(graph, maxcardinality=True))


def divisor_edges(size, lowest=1):
    return [(a, b) for a in range(lowest, size + 1) for b in range(2 * a, size + 1, a)]


@pytest.mark.soak(keep=40)
@pytest.mark.parametrize("greedy", [True, False])
@pytest.mark.parametrize("seed", range(150))
def test_any_graph_is_matched_and_decomposed(seed, greedy):
    rng = Random(seed)
    count, density = rng.randint(1, 14), rng.random()
    edges = [e for e in combinations(range(1, count + 1), 2) if rng.random() < density]
    offsets, targets = flat(count, edges, rng)
    best = best_by_networkx(edges)
    for solver in (matching, FAST):
        mate, missed = matched(solver, count, offsets, targets, greedy=greedy)
        assert pairs(mate) == best
        for vertex in range(1, count + 1):
            partner = mate[vertex]
            assert partner == 0 or (
                mate[partner] == vertex and tuple(sorted((vertex, partner))) in edges
            )
            # A vertex is missed by some maximum matching just if it can be taken out for nothing.
            assert (vertex in missed) == (best_by_networkx(edges, without=vertex) == best)


@pytest.mark.soak
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 20, 21, 24, 30, 36, 48, 60])
@pytest.mark.parametrize("lowest", [1, 2])
def test_the_decomposition_of_divisor_graphs_by_removing_each_number(size, lowest):
    edges = divisor_edges(size, lowest)
    best = best_by_networkx(edges)
    offsets, targets = flat(size, divisor_edges(size))
    for solver in (matching, FAST):
        mate, missed = matched(solver, size, offsets, targets, gone=range(1, lowest))
        assert pairs(mate) == best
        for number in range(lowest, size + 1):
            assert (number in missed) == (best_by_networkx(edges, without=number) == best)


@pytest.mark.soak(keep=10)
@pytest.mark.parametrize("size", [*range(60, 400, 17), 500, 750, 1000])
def test_divisor_graphs_match_as_networkx_says(size):
    offsets, targets = flat(size, divisor_edges(size))
    mate, _ = matched(matching, size, offsets, targets, gone=[1])
    assert pairs(mate) == best_by_networkx(divisor_edges(size, 2))


@pytest.mark.soak(keep=10)
@pytest.mark.parametrize("size", [*range(100, 2000, 97), 2310, 2520, 3001, 3600, 4096, 4620, 5000])
def test_divisor_graphs_match_as_rustworkx_says(size):
    edges = divisor_edges(size, 2)
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(size + 1))
    graph.add_edges_from_no_data(edges)
    best = len(rustworkx.max_weight_matching(graph, max_cardinality=True))
    offsets, targets = flat(size, divisor_edges(size))
    for solver in (matching, FAST):
        mate, _ = matched(solver, size, offsets, targets, gone=[1])
        assert pairs(mate) == best
