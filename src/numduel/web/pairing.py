"""Who plays whom next: neighbours in the standing who have not met, as far as that can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

Pair = tuple[int, int | None]


def pair(
    ranked: Sequence[int], met: Iterable[Iterable[int | None]], alone: Iterable[int]
) -> list[Pair]:
    """Pairs of those ranked, the leader first; None stands for nobody, where they are odd.

    `met`: the pairs of earlier rounds; `alone`: who had nobody, once for each time.
    """
    meetings = Counter(frozenset(pair) for pair in met)
    left_out = Counter(alone)
    players = list(ranked)
    odd: list[Pair] = []
    if len(players) % 2:
        last = min(reversed(players), key=lambda player: left_out[player])
        players.remove(last)
        odd = [(last, None)]
    pairs = _neighbours(players, meetings)
    while _improve(pairs, meetings):
        pass
    return [*((one, two) for one, two in pairs), *odd]


def _neighbours(players: list[int], meetings: Counter[frozenset[int | None]]) -> list[list[int]]:
    pairs = []
    while players:
        first, *rest = players
        second = min(rest, key=lambda player: meetings[frozenset((first, player))])
        pairs.append([first, second])
        players = [player for player in rest if player != second]
    return pairs


def _improve(pairs: list[list[int]], meetings: Counter[frozenset[int | None]]) -> bool:
    """Exchange partners between two pairs where that leaves fewer who meet again."""

    def again(*two: list[int]) -> int:
        return sum(meetings[frozenset(pair)] for pair in two)

    for i, (a, b) in enumerate(pairs):
        if not again([a, b]):
            continue
        for j, (c, d) in enumerate(pairs):
            if i == j:
                continue
            for new in ([a, c], [b, d]), ([a, d], [b, c]):
                if again(*new) < again([a, b], [c, d]):
                    pairs[i], pairs[j] = new
                    return True
    return False
