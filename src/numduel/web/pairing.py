"""Who plays whom next: neighbours in the standing who have not met, as far as that can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations

Pair = tuple[int, int | None]

_FEW = 25  # pairs; among more, three are not tried together: there are other ways out


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
    """Pair those of two or three pairs anew where that leaves fewer who meet again."""

    def again(some: Iterable[list[int]]) -> int:
        return sum(meetings[frozenset(pair)] for pair in some)

    for pair in filter(lambda pair: again([pair]), pairs):
        rest = [other for other in pairs if other is not pair]
        triples = combinations(rest, 2) if len(pairs) <= _FEW else ()
        for others in chain(combinations(rest, 1), triples):
            best = min(_pairings([*pair, *chain(*others)]), key=again)
            if again(best) < again([pair, *others]):
                pairs[:] = [*best, *(other for other in rest if other not in others)]
                return True
    return False


def _pairings(players: list[int]) -> Iterator[list[list[int]]]:
    """Every way to pair them."""
    if not players:
        yield []
        return
    first, *rest = players
    for second in rest:
        for others in _pairings([player for player in rest if player != second]):
            yield [[first, second], *others]
