"""What the theory can tell a player about its moves, in the time that it has."""

from __future__ import annotations

from typing import NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.theory import Cost
from numduel.core.verdict import Verdict
from numduel.players.player import Turn
from numduel.players.sight import IMMEDIATE_WIN, foreseen
from numduel.solver import theory_of

UNTIMED = Verdict("win")


class Known(NamedTuple):
    """What each move is worth, with the swap in mind, and the seconds that are left."""

    verdicts: dict[int, Verdict]
    left: float


def known(turn: Turn) -> Known:
    """What is known of every move: distances too where there is time for them; TooLarge."""
    game, position = turn.game, turn.position
    theory = theory_of(game)
    cost = theory.cost(position)
    left = turn.allowance - cost.once
    if cost.evaluate <= left:
        left -= cost.evaluate
        verdicts = theory.evaluate(position)
    elif cost.values <= left:
        left -= cost.values
        verdicts = {move: Verdict(value) for move, value in theory.values(position).items()}
    else:
        raise too_long(turn)
    for move, verdict in verdicts.items():
        if verdict == UNTIMED and game.outcome(game.after(position, move)) is not None:
            verdicts[move] = IMMEDIATE_WIN
    seen = foreseen(turn, {**verdicts})
    return Known({move: one for move, one in seen.items() if one is not None}, left)


def in_time(turn: Turn, cost: Cost) -> bool:
    """Whether there is time for the verdict of the position, or for a sound move."""
    return turn.seconds is None or cost.once + cost.solve <= turn.allowance


def too_long(turn: Turn) -> TooLarge:
    """The error where the theory would take too long."""
    return TooLarge(f"{turn.game.title} takes too long to work out at this size")
