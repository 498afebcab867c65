"""Matchings for Multiplicity compared with rustworkx, and perfect replies at a million numbers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

import rustworkx

import numduel
from benchmarks.clock import gigabytes, seconds
from numduel.games.multiplicity.theory import divisor_graph
from numduel.players.perfect import Perfect
from numduel.players.player import Turn
from numduel.solver.geography import Walks


def rustworkx_matching(size: int) -> int:
    """Return the same as `ours` from rustworkx, including the building of its graph."""
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(size + 1))
    edges = ((a, b) for a in range(2, size + 1) for b in range(2 * a, size + 1, a))
    graph.add_edges_from_no_data(list(edges))
    return len(rustworkx.max_weight_matching(graph, max_cardinality=True))


def ours(size: int) -> int:
    """Return the number of pairs in a maximum matching without the number 1."""
    mates = Walks(divisor_graph(size, plain=False)).mates(frozenset({1}))
    return int((mates > 0).sum()) // 2


def measure() -> Iterator[str]:
    """Yield the ratio at 5,000 numbers, and the times at 100,000 and 1,000,000."""
    ours(100)  # compile
    assert ours(5000) == rustworkx_matching(5000)
    theirs, mine = seconds(lambda: rustworkx_matching(5000), 3), seconds(lambda: ours(5000), 5)
    yield f"5,000 numbers: {theirs / mine:.0f} times as fast as rustworkx (at least 100)"
    yield f"100,000 numbers: {seconds(lambda: ours(100_000)):.2f} s (under 1)"
    yield f"1,000,000 numbers: {seconds(lambda: ours(1_000_000)):.2f} s (under 10)"
    yield f"memory: {gigabytes():.2f} GB (under 2)"
    yield from _replies()
    yield _slips()


def _replies() -> Iterator[str]:
    for start, standing in ((2, "won"), (720_720, "lost until the opponent slips")):
        game = numduel.new("multiplicity", size=1_000_000, start=start)
        rng, perfect = Random(1), Perfect()
        numduel.solve(game, game.start())  # the first analysis
        position, times = game.start(), []
        while moves := game.moves(position):
            if len(times) % 2:
                position = game.play(position, rng.choice(moves))
                times.append(0.0)
                continue
            begun = time.perf_counter()
            move = perfect.choose(Turn(game, position, 1, (), rng))
            times.append(time.perf_counter() - begun)
            position = game.play(position, move)
            if len(times) > 400:
                break
        own = sorted(times[::2])
        slow = sum(one > 0.1 for one in own)
        yield (
            f"a perfect reply at 1,000,000, {standing}: {own[len(own) // 2] * 1000:.1f} ms in the "
            f"middle, {own[-1] * 1000:.0f} ms at most, {slow} of {len(own)} over 100 ms"
        )


def _slips() -> str:
    """Time replies to an opponent's mistake, compared with labelling all remaining numbers."""
    game = numduel.new("multiplicity", size=1_000_000, start=720_720)
    numduel.solve(game, game.start())  # the first analysis
    perfect, rng, times = Perfect(), Random(2), []
    for _ in range(50):
        position, lost = game.start(), True
        while lost:
            position = game.play(position, perfect.choose(Turn(game, position, 1, (), rng)))
            position = game.play(position, rng.choice(game.moves(position)))
            begun = time.perf_counter()
            perfect.choose(Turn(game, position, 1, (), rng))
            taken = time.perf_counter() - begun
            lost = numduel.solve(game, position).value == "loss"
        times.append(taken)
    times.sort()
    walks = Walks(divisor_graph(1_000_000))
    walks.mates(position.chosen)
    labelling = seconds(lambda: walks.winning_steps(position.chosen, game.moves(position)))
    middle, slow = times[len(times) // 2], sum(one > 0.1 for one in times)
    return (
        f"a reply at 1,000,000 after a slip: {middle * 1000:.1f} ms in the middle, "
        f"{times[-1] * 1000:.0f} ms at most, {slow} of {len(times)} over "
        f"100 ms, {labelling / middle:.0f} times as fast as labelling all numbers (at least 100)"
    )
