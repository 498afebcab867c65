"""The perfect player: it never gives a win away, and never loses a drawn or endless position."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.game import Game
from numduel.core.verdict import SCORES, Verdict
from numduel.core.words import MAX_MENU_MOVES
from numduel.players.evaluation import (
    LookAhead,
    best_foreseen,
    evaluate_moves,
    out_of_time,
    solve_position,
)
from numduel.players.player import Player, Turn
from numduel.solver import theory_of

LOOK_AHEAD = LookAhead(depth=10, max_positions=20_000)
"""The search used if the theory takes too long."""


class Trap(NamedTuple):
    """How many of the replies to a move would be mistakes."""

    mistakes: int
    replies: int
    at_once: int = 0  # how many of the mistakes lose at once, if there are few replies

    @property
    def share(self) -> float:
        """The share of the replies that would be mistakes."""
        return self.mistakes / max(1, self.replies)


class Decision(NamedTuple):
    """A chosen move, and its verdict for the player who makes it."""

    move: int
    verdict: Verdict
    traps: Mapping[int, Trap] = {}  # of the moves examined, if the move was chosen for its trap
    verdicts: Mapping[int, Verdict] = {}  # of every move; empty if only one sound move is known


class Perfect(Player):
    """Wins as soon as possible. Otherwise plays the move to which the most replies are mistakes."""

    name = "perfect"

    def choose(self, turn: Turn) -> int:
        try:
            return decide(turn).move
        except TooLarge:
            return best_foreseen(turn, LOOK_AHEAD.verdicts(turn))

    def check_fit(self, game: Game[Any]) -> None:
        theory_of(game).solve(game.start())  # TooLarge, before a game is begun

    def swaps(self, turn: Turn) -> bool:
        """Take over the first move if the player to move now loses."""
        try:
            return solve_position(turn).value == "loss"
        except TooLarge:
            return LOOK_AHEAD.swaps(turn)


def decide(turn: Turn) -> Decision:
    """Return the best move and why. Raises TooLarge if there is no time to find any sound move."""
    try:
        verdicts, seconds_left = evaluate_moves(turn)
    except TooLarge:
        return _sound_decision(turn)
    best = max(verdicts.values(), key=lambda verdict: verdict.rank)
    good = {move: verdict for move, verdict in verdicts.items() if verdict.value == best.value}
    if len(good) == 1 or best.value == "win" or turn.swap_ahead:
        decision = _best_decision(turn, good)
    else:
        trap = _trap_decision(turn, good, seconds_left)
        decision = trap or _delaying_decision(turn, good)
    return decision._replace(verdicts=verdicts)


def _sound_decision(turn: Turn) -> Decision:
    """Return any sound move: there is no time to evaluate all moves."""
    if turn.swap_ahead:  # a sound move would be taken over
        raise out_of_time(turn.game)
    value = solve_position(turn).value
    return Decision(theory_of(turn.game).sound_move(turn.position), Verdict(value))


def _best_decision(turn: Turn, good: dict[int, Verdict]) -> Decision:
    """Return a move of the best rank."""
    best = max(good.values(), key=lambda verdict: verdict.rank)
    move = turn.rng.choice([move for move, one in good.items() if one.rank == best.rank])
    return Decision(move, good[move])


def _delaying_decision(turn: Turn, good: dict[int, Verdict]) -> Decision:
    """Return the move that delays the end the longest, as far as is known."""
    if all(verdict == Verdict("loss") for verdict in good.values()):
        move = theory_of(turn.game).sound_move(turn.position)  # does not lose at once if it can
        return Decision(move, good[move])
    return _best_decision(turn, good)


def _trap_decision(turn: Turn, good: dict[int, Verdict], seconds: float) -> Decision | None:
    """Return the move after which the most replies are mistakes; None if no reply is one.

    Only as many moves are examined as there is time for.
    """
    game, position = turn.game, turn.position
    cost = theory_of(game).cost(game.after(position, next(iter(good)))).values
    moves = list(good)
    if len(moves) * cost > seconds:
        moves = turn.rng.sample(moves, int(seconds / cost))
    traps: dict[int, Trap] = {}
    depths = {}
    for move in moves:
        distance = good[move].distance
        traps[move] = _trap_set_by(game, position, move)
        depths[move] = traps[move].share, inf if distance is None else distance
    deepest = max(depths.values(), default=(0.0, 0.0))
    if not deepest[0]:
        return None
    move = turn.rng.choice([move for move, depth in depths.items() if depth == deepest])
    return Decision(move, good[move], traps)


def _trap_set_by(game: Game[Any], position: Any, move: int) -> Trap:
    """Return how many of the opponent's replies to a move would be mistakes."""
    after = game.after(position, move)
    values = theory_of(game).values(after) if after.mover != position.mover else {}
    best = max((SCORES[value] for value in values.values()), default=0.0)
    mistakes = [reply for reply, value in values.items() if SCORES[value] < best]
    examined = mistakes if len(values) <= MAX_MENU_MOVES else ()
    ends = [game.outcome(game.after(after, reply)) for reply in examined]
    at_once = sum(end is not None and end.winner == position.mover for end in ends)
    return Trap(len(mistakes), len(values), at_once)
