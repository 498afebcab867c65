"""What a player knows about its moves: exact verdicts if there is time, else what it foresees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.game import Game, Position
from numduel.core.verdict import Verdict, ended_verdict
from numduel.players.player import Turn
from numduel.solver import theory_of

IMMEDIATE_WIN = Verdict("win", 1)
IMMEDIATE_LOSS = Verdict("loss", 1)

POSITIONS_PER_SECOND = 5_000
"""How many positions a look-ahead visits in a second, in a large game on a slow machine."""

MOVES_PER_POSITION = 100
"""Generating this number of moves takes as long as visiting a position."""


def evaluate_moves(turn: Turn) -> tuple[dict[int, Verdict], float]:
    """Return the verdict of each move, with distances if there is time, and the seconds left.

    Raises TooLarge if there is no time even for the verdicts.
    """
    game, position = turn.game, turn.position
    theory = theory_of(game)
    cost = theory.cost(position)
    seconds_left = turn.allowance_seconds - cost.once
    if cost.evaluate <= seconds_left:
        seconds_left -= cost.evaluate
        verdicts = dict(theory.verdicts(position))
    elif cost.values <= seconds_left:
        seconds_left -= cost.values
        verdicts = {move: Verdict(value) for move, value in theory.values(position).items()}
    else:
        raise out_of_time(turn.game)
    for move, verdict in verdicts.items():
        if verdict == Verdict("win") and game.outcome(game.after(position, move)) is not None:
            verdicts[move] = IMMEDIATE_WIN
    verdicts = {move: _after_swap(turn, verdict) for move, verdict in verdicts.items()}
    return verdicts, seconds_left


def solve_position(turn: Turn) -> Verdict:
    """Return the verdict of the position. Raises TooLarge if there is no time for it."""
    theory = theory_of(turn.game)
    cost = theory.cost(turn.position)
    if turn.seconds is not None and cost.once + cost.solve > turn.allowance_seconds:
        raise out_of_time(turn.game)
    return theory.solve(turn.position)


def out_of_time(game: Game[Any]) -> TooLarge:
    """Return the error to raise if the theory would take too long."""
    return TooLarge(f"{game.title} takes too long to work out at this size")


def _after_swap(turn: Turn, verdict: Verdict) -> Verdict:
    """Return what a move is worth if the opponent may take over the first turn.

    The opponent takes over a move that wins, unless it ends the game, and no move that loses.
    """
    if turn.swap_ahead and verdict.value == "win" and verdict != IMMEDIATE_WIN:
        return Verdict("loss", verdict.distance)
    return verdict


def loses_at_once(game: Game[Any], after: Any, seat: int) -> bool:
    """Return whether a seat's move ends the game lost, or can be answered with a winning move."""
    if (end := game.outcome(after)) is not None:
        return end.winner not in (None, seat)
    if after.mover == seat:
        return False
    ends = (game.outcome(game.after(after, reply)) for reply in game.moves(after))
    return any(end is not None and end.winner == after.mover for end in ends)


class LookAhead(NamedTuple):
    """A search of limited depth, in moves, and of a limited number of positions."""

    depth: int
    max_positions: int

    def verdicts(self, turn: Turn) -> dict[int, Verdict | None]:
        """Return the verdict of each move, None if it is not foreseen.

        If there are too many moves for the limits, only a random part of them is returned.
        """
        positions = min(self.max_positions, int(turn.allowance_seconds * POSITIONS_PER_SECOND))
        moves = turn.game.moves(turn.position)
        if len(moves) > positions // 2:
            moves = tuple(turn.rng.sample(moves, positions // 2))
        verdicts = _Search(turn.game, positions).verdicts(turn.position, moves, self.depth)
        return {move: one and _after_swap(turn, one) for move, one in verdicts.items()}

    def swaps(self, turn: Turn) -> bool:
        """Return whether to take over the first move, at random if nothing is foreseen."""
        best = max(self.verdicts(turn).values(), key=_rank)
        return turn.rng.random() < 0.5 if best is None else best.value == "loss"


def best_foreseen(turn: Turn, verdicts: Mapping[int, Verdict | None]) -> int:
    """Return one of the best moves, at random."""
    best = max(map(_rank, verdicts.values()))
    return turn.rng.choice([move for move, verdict in verdicts.items() if _rank(verdict) == best])


def _rank(verdict: Verdict | None) -> tuple[float, float]:
    """Return a sort key that puts a verdict that is not foreseen right below a win."""
    return (2.5, 0) if verdict is None else verdict.rank


class _OutOfPositions(Exception):
    """Raised when the search has visited the maximum number of positions."""


KnownVerdicts = dict[tuple[Position, int], Verdict | None]
"""The verdict of each position searched so far, by the position and the remaining depth."""


class _Search:
    """One search with iterative deepening."""

    def __init__(self, game: Game[Any], positions: int) -> None:
        self._game = game
        self._positions_left = positions

    def verdicts(
        self, position: Position, moves: tuple[int, ...], max_depth: int
    ) -> dict[int, Verdict | None]:
        """Return the verdict of each move according to the deepest completed search."""
        verdicts: dict[int, Verdict | None] = dict.fromkeys(moves)
        try:
            for depth in range(1, max_depth + 1):
                known: KnownVerdicts = {}
                verdicts = {move: self._of_move(position, move, depth, known) for move in moves}
        except _OutOfPositions:
            pass
        return verdicts

    def _of_move(
        self, position: Any, move: int, depth: int, known: KnownVerdicts
    ) -> Verdict | None:
        after = self._game.after(position, move)
        verdict = self._of_position(after, depth - 1, known)
        return None if verdict is None else verdict.before(after.mover == position.mover)

    def _of_position(self, position: Any, depth: int, known: KnownVerdicts) -> Verdict | None:
        if (position, depth) in known:
            return known[position, depth]
        self._visit(1)
        outcome = self._game.outcome(position)
        verdict: Verdict | None = None
        if outcome is not None:
            verdict = ended_verdict(outcome, position.mover)
        elif depth > 0:
            verdict = self._of_best_move(position, depth, known)
        known[position, depth] = verdict
        return verdict

    def _of_best_move(self, position: Any, depth: int, known: KnownVerdicts) -> Verdict | None:
        moves = self._game.moves(position)
        self._visit(len(moves) // MOVES_PER_POSITION)
        best: Verdict | None = Verdict("loss", 0)
        for move in moves:
            best = max(best, self._of_move(position, move, depth, known), key=_rank)
            if best == IMMEDIATE_WIN:
                break
        return best

    def _visit(self, count: int) -> None:
        self._positions_left -= count
        if self._positions_left < 0:
            raise _OutOfPositions
