"""What the moves of a game were worth, beside the best that could be made."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.game import Game
from numduel.core.verdict import Value, Verdict
from numduel.solver import theory_of

SECONDS = 1.0
"""What takes longer to work out, on a slow machine, is not judged."""

MOST_KEPT = 100_000
"""Positions whose verdicts are remembered, of all games together."""


class Worth(NamedTuple):
    """A move beside the best one. The distances are those of `Verdict`, where they are known."""

    legal: int  # how many moves there were
    best: Value
    best_distance: int | None
    value: Value
    distance: int | None
    mattered: bool  # whether some moves keep what there is, and some do not


class Truth:
    """What is known of one game, and remembered: most games pass through the same positions."""

    def __init__(self, game: Game[Any], most: int = MOST_KEPT) -> None:
        self.game = game
        self._most = most
        self._kept: dict[Any, tuple[dict[int, Verdict], Verdict, bool] | None] = {}

    def worth(self, position: Any, move: int) -> Worth | None:
        """What a legal move is worth; None where that takes too long to work out."""
        known = self._known(position)
        if known is None:
            return None
        verdicts, best, mattered = known
        return Worth(len(verdicts), *best, *verdicts[move], mattered)

    def value(self, position: Any) -> Value | None:
        """What best play leads to from here, for who is to move; None where it is not known."""
        known = self._known(position)
        return None if known is None else known[1].value

    def _known(self, position: Any) -> tuple[dict[int, Verdict], Verdict, bool] | None:
        if position not in self._kept:
            if len(self._kept) >= self._most:
                self._kept.clear()
            self._kept[position] = self._judged(position)
        return self._kept[position]

    def _judged(self, position: Any) -> tuple[dict[int, Verdict], Verdict, bool] | None:
        theory = theory_of(self.game)
        cost = theory.cost(position)
        try:
            if cost.once + cost.evaluate <= SECONDS:
                verdicts = theory.evaluate(position)
            elif cost.once + cost.values <= SECONDS:
                values = theory.values(position)
                verdicts = {move: Verdict(value) for move, value in values.items()}
            else:
                return None
        except TooLarge:
            return None
        best = max(verdicts.values(), key=lambda verdict: verdict.rank)
        return verdicts, best, any(one.score < best.score for one in verdicts.values())
