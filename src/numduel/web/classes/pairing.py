"""Who plays whom next: as few as can be meet again, and then neighbours in the standing meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import networkx as nx

Pair = tuple[int, int | None]


def pair(
    ranked: Sequence[int], met: Iterable[Iterable[int | None]], alone: Iterable[int]
) -> list[Pair]:
    """Pairs of those ranked, the leader first; None stands for nobody, where they are odd.

    `met`: the pairs of earlier rounds; `alone`: who had nobody, once for each time.
    """
    left_out = Counter(alone)
    players = list(ranked)
    odd: list[Pair] = []
    if len(players) % 2:
        last = min(reversed(players), key=lambda player: left_out[player])
        players.remove(last)
        odd = [(last, None)]
    meetings = Counter(frozenset(pair) for pair in met)
    matched = _matching([[meetings[frozenset((a, b))] for b in players] for a in players])
    return [*((players[high], players[low]) for high, low in matched), *odd]


def _matching(meetings: list[list[int]]) -> list[tuple[int, int]]:
    """The pairs of ranks, an even number of them, that cost least.

    A meeting again costs more than all the distances between ranks together; of these, two short
    ones cost less than one long one.
    """
    count = len(meetings)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(
        (high, low, count**3 * meetings[high][low] + (low - high) ** 2)
        for high, low in combinations(range(count), 2)
    )
    return sorted((min(two), max(two)) for two in nx.min_weight_matching(graph))
