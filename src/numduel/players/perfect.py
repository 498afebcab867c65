"""The perfect player: never turns a win into less, never loses what is drawn or endless."""

from __future__ import annotations

from math import inf
from typing import Any, Literal, NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.game import Game
from numduel.core.verdict import SCORES, Verdict
from numduel.players.knowledge import in_time, known, too_long
from numduel.players.player import Player, Turn
from numduel.players.sight import IMMEDIATE_WIN, Sight, best_in_sight
from numduel.solver import theory_of

Ground = Literal["quickest", "only", "trap", "longest", "any"]
"""Why a move was decided on: it wins soonest; nothing else keeps as much; most replies to it are
mistakes; it ends as late as can be; or it is as good as any that is known."""

SIGHT = Sight(10, 20_000)
"""How far it looks where the theory does not reach."""


class Trap(NamedTuple):
    """How many of the replies to a move would be mistakes."""

    mistakes: int
    replies: int

    @property
    def share(self) -> float:
        """Which part of the replies would be mistakes."""
        return self.mistakes / max(1, self.replies)


class Decision(NamedTuple):
    """A move, what it is worth to its maker, and why it was decided on."""

    move: int
    verdict: Verdict
    ground: Ground
    trap: Trap | None = None  # where that is the ground


class Perfect(Player):
    """Hurries where it wins. Elsewhere it sets the trap after which most replies are mistakes."""

    name = "perfect"

    def choose(self, turn: Turn) -> int:
        try:
            return decide(turn).move
        except TooLarge:
            return best_in_sight(turn, SIGHT.of(turn))

    def check_fit(self, game: Game[Any]) -> None:
        theory_of(game).solve(game.start())  # TooLarge, before a game is begun

    def swaps(self, turn: Turn) -> bool:
        """Take over the first move where the player who is to move now would rather not be."""
        try:
            value = solved(turn).value
        except TooLarge:
            seen = SIGHT.swaps(turn)
            return super().swaps(turn) if seen is None else seen
        return value == "loss"


def solved(turn: Turn) -> Verdict:
    """The verdict of the position; TooLarge where the time is too short for it, too."""
    theory = theory_of(turn.game)
    if not in_time(turn, theory.cost(turn.position)):
        raise too_long(turn)
    return theory.solve(turn.position)


def decide(turn: Turn) -> Decision:
    """The best move, and why; TooLarge where the time is too short for a sound one, too."""
    try:
        verdicts, left = known(turn)
    except TooLarge:
        return _sound(turn)
    best = max(verdicts.values(), key=lambda verdict: verdict.rank)
    good = {move: verdict for move, verdict in verdicts.items() if verdict.value == best.value}
    if len(good) == 1:
        return Decision(*good.popitem(), "only")
    if best.value == "win":
        return _best(turn, good, "quickest")
    if turn.swap_ahead:
        return _best(turn, good, "longest")
    return _trap(turn, good, left) or _longest(turn, good)


def _sound(turn: Turn) -> Decision:
    """Some sound move, where there is no time to look at all of them."""
    if turn.swap_ahead:  # where a move that wins is none to make
        raise too_long(turn)
    value = solved(turn).value
    return Decision(theory_of(turn.game).sound_move(turn.position), Verdict(value), "any")


def _best(turn: Turn, good: dict[int, Verdict], ground: Ground) -> Decision:
    """A move of the best rank; the ground holds where it is known how far off the end is."""
    best = max(good.values(), key=lambda verdict: verdict.rank)
    move = turn.rng.choice([move for move, one in good.items() if one.rank == best.rank])
    sure = best == IMMEDIATE_WIN or all(one.distance is not None for one in good.values())
    return Decision(move, good[move], ground if sure else "any")


def _longest(turn: Turn, good: dict[int, Verdict]) -> Decision:
    values = {verdict.value for verdict in good.values()}
    if values != {"loss"}:
        return _best(turn, good, "any")
    if all(verdict.distance is None for verdict in good.values()):
        move = theory_of(turn.game).sound_move(turn.position)  # which knows what loses at once
        return Decision(move, good[move], "any")
    return _best(turn, good, "longest")


def _trap(turn: Turn, good: dict[int, Verdict], left: float) -> Decision | None:
    """The move after which most replies are mistakes, of as many moves as there is time for."""
    game, position = turn.game, turn.position
    theory = theory_of(game)
    cost = theory.cost(game.after(position, next(iter(good)))).values
    moves = list(good)
    if len(moves) * cost > left:
        moves = turn.rng.sample(moves, int(left / cost))
    traps = {}
    for move in moves:
        after = game.after(position, move)
        theirs = after.mover != position.mover
        replies = [SCORES[value] for value in theory.values(after).values()] if theirs else []
        kept = replies.count(max(replies, default=0.0))
        far = good[move].distance
        traps[move] = Trap(len(replies) - kept, len(replies)), inf if far is None else far
    deepest = max(((trap.share, far) for trap, far in traps.values()), default=(0.0, 0.0))
    if not deepest[0]:
        return None
    best = [move for move, (trap, far) in traps.items() if (trap.share, far) == deepest]
    move = turn.rng.choice(best)
    return Decision(move, good[move], "trap", traps[move][0])
