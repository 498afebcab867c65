"""The first moves of Multiplicity at many sizes: one graph grows, and one matching with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from numduel.core.theory import FirstMoves
from numduel.core.verdict import Verdict
from numduel.games.multiplicity.rules import Multiplicity
from numduel.games.multiplicity.theory import LARGEST_FOR_DISTANCE, graph
from numduel.solver.compiled import is_installed
from numduel.solver.geography import GrowingWalks


def first_moves_each(games: Sequence[Multiplicity]) -> Iterator[FirstMoves]:
    """Yield `first_moves` of each game. It is quick for sizes that follow each other."""
    for (small, *_), some in groupby(games, _kind):
        alike = list(some)
        yield from (game.theory.first_moves() for game in alike) if small else _grown(alike)


def _kind(game: Multiplicity) -> tuple[Any, ...]:
    """Return whether its distance may be known, and all settings but the size."""
    size, *others = game.settings.values.values()
    return size <= LARGEST_FOR_DISTANCE, *others


def _grown(games: Sequence[Multiplicity]) -> Iterator[FirstMoves]:
    """Yield `first_moves` of games that differ in size alone, and whose distance is not known."""
    largest = max(games, key=lambda game: game.settings.size)
    start = largest.start()
    board = graph(largest.settings.size, plain=False if is_installed() else None)
    walks = GrowingWalks(board, start.chosen, largest.moves(start))
    for game in games:
        winning, count = walks.winning_steps(game.settings.size), walks.steps(game.settings.size)
        verdict = Verdict("win") if len(winning) else Verdict("loss", None if count else 0)
        yield FirstMoves(verdict, winning, count)
