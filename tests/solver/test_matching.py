"""Maximum matchings are as large as those of two other libraries, and the labels are right."""

from itertools import combinations, product
from random import Random

import networkx
import rustworkx

from numduel.solver import matching
from numduel.solver.compiled import compile_module
from numduel.solver.flat_arrays import Graph, array_of, new_forest

FAST = compile_module("numduel.solver.matching")


def adjacency(count, edges, rng=None):
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
    """Return the partners, and the vertices that some maximum matching misses."""
    plain = solver is matching
    graph = Graph(array_of(plain, offsets, kind="int64"), array_of(plain, targets))
    forest = new_forest(plain, count + 2)
    for vertex in gone:
        forest.mate[vertex] = matching.GONE
    if greedy:
        solver.match_greedily(graph, forest)
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


def test_any_graph_is_matched_and_decomposed(many):
    for seed, greedy in product(range(many(15, 150)), (True, False)):
        rng = Random(seed)
        count, density = rng.randint(1, 14), rng.random()
        edges = [e for e in combinations(range(1, count + 1), 2) if rng.random() < density]
        offsets, targets = adjacency(count, edges, rng)
        best = best_by_networkx(edges)
        for solver in (matching, FAST):
            mate, missed = matched(solver, count, offsets, targets, greedy=greedy)
            assert pairs(mate) == best
            for vertex in range(1, count + 1):
                partner = mate[vertex]
                assert partner == 0 or (
                    mate[partner] == vertex and tuple(sorted((vertex, partner))) in edges
                )
                # A maximum matching misses a vertex if the matching without it is as large.
                assert (vertex in missed) == (best_by_networkx(edges, without=vertex) == best)


def test_the_decomposition_of_divisor_graphs_by_removing_each_number(many):
    sizes = many((1, 2, 13, 24), (1, 2, 3, 5, 8, 13, 20, 21, 24, 30, 36, 48, 60))
    for size, lowest in product(sizes, (1, 2)):
        edges = divisor_edges(size, lowest)
        best = best_by_networkx(edges)
        offsets, targets = adjacency(size, divisor_edges(size))
        for solver in (matching, FAST):
            mate, missed = matched(solver, size, offsets, targets, gone=range(1, lowest))
            assert pairs(mate) == best
            for number in range(lowest, size + 1):
                assert (number in missed) == (best_by_networkx(edges, without=number) == best)


def test_matchings_of_divisor_graphs_are_as_large_as_those_of_networkx(many):
    for size in many((60, 145, 315), (*range(60, 400, 17), 500, 750, 1000)):
        offsets, targets = adjacency(size, divisor_edges(size))
        mate, _ = matched(matching, size, offsets, targets, gone=[1])
        assert pairs(mate) == best_by_networkx(divisor_edges(size, 2))


def test_matchings_of_divisor_graphs_are_as_large_as_those_of_rustworkx(many):
    for size in many((100, 585, 2520), (*range(100, 2000, 97), 2310, 2520, 3001, 3600, 4096, 5000)):
        edges = divisor_edges(size, 2)
        graph = rustworkx.PyGraph()
        graph.add_nodes_from(range(size + 1))
        graph.add_edges_from_no_data(edges)
        best = len(rustworkx.max_weight_matching(graph, max_cardinality=True))
        offsets, targets = adjacency(size, divisor_edges(size))
        for solver in (matching, FAST):
            mate, _ = matched(solver, size, offsets, targets, gone=[1])
            assert pairs(mate) == best


def test_adding_a_vertex_gives_the_labels_of_a_new_matching(many):
    for seed in range(many(25, 400)):
        rng = Random(seed)
        count, density = rng.randint(2, 16), rng.random()
        edges = [e for e in combinations(range(1, count + 1), 2) if rng.random() < density]
        offsets, targets = adjacency(count, edges, rng)
        order = rng.sample(range(1, count + 1), count)
        for solver in (matching, FAST):
            plain = solver is matching
            graph = Graph(array_of(plain, offsets, kind="int64"), array_of(plain, targets))
            forest = new_forest(plain, count + 2)
            for vertex in order:
                forest.mate[vertex] = matching.GONE
            solver.match(graph, forest)
            for place, vertex in enumerate(order, 1):
                solver.add_vertex(vertex, graph, forest)
                gone = order[place:]
                mate, missed = matched(matching, count, offsets, targets, gone=gone)
                assert pairs([int(partner) for partner in forest.mate]) == pairs(mate)
                found = {v for v in order[:place] if forest.label[v] == matching.OUTER}
                assert found == missed - set(gone)
