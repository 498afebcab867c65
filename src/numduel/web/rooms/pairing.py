"""Who plays whom next: first as few repeated meetings as possible, then neighbours in rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

Pair = tuple[int, int | None]


def pair(
    ranked: Sequence[int], met: Iterable[Iterable[int | None]], alone: Iterable[int]
) -> list[Pair]:
    """Pair the players in `ranked`, the leader first. If their number is odd, one gets None.

    `met` has the pairs of earlier rounds; `alone` has each player once for each time without one.
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
    """Return the pairs of ranks that cost least; the number of ranks is even.

    A repeated meeting costs more than all distances between ranks together. Distances are squared,
    so that two short ones cost less than a long one.
    """
    import networkx as nx  # here, because it is large and only needed where it is computed

    count = len(meetings)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(
        (high, low, count**3 * meetings[high][low] + (low - high) ** 2)
        for high, low in combinations(range(count), 2)
    )
    return sorted((min(two), max(two)) for two in nx.min_weight_matching(graph))
