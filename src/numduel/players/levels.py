"""Opponents that a person can beat: each plays a part of its moves without thinking."""

from __future__ import annotations

from typing import TypeVar

from numduel.core.errors import SettingsError, TooLarge
from numduel.core.numerals import quoted
from numduel.core.verdict import Verdict
from numduel.players.evaluation import (
    IMMEDIATE_LOSS,
    IMMEDIATE_WIN,
    LookAhead,
    best_foreseen,
    evaluate_moves,
    loses_at_once,
    solve_position,
)
from numduel.players.player import Player, Turn

RATES = (0.70, 0.62, 0.54, 0.47, 0.40, 0.33, 0.27, 0.21, 0.15, 0.07, 0.0)
"""The share of turns in which each level plays any move, except one that loses at once.

So in every position a level errs less often than the levels below it and the random player.
"""

NAMES = {0: "easy", 4: "medium", 8: "hard"}
"""The names of the levels that have one besides their number."""

LOOK_AHEADS = {0: LookAhead(1, 1_000), 4: LookAhead(4, 2_500), 8: LookAhead(10, 20_000)}
"""The searches used if the theory takes too long. A level in between uses that of the lower one."""

FIRST_MOVE_WIN_LEVEL = 8
"""The lowest level that wins a game with its first move."""

MAX_REPLIES = 10_000
"""Maximum number of replies to search for a move that does not lose at once."""

V = TypeVar("V", bound=Verdict | None)


class Level(Player):
    """Plays without thinking at its rate. Otherwise its moves are sound, and it wins at once."""

    def __init__(self, level: int) -> None:
        self.level = level
        self.name = NAMES.get(level, f"level:{level}")
        self.rate = RATES[level]
        self.look_ahead = LOOK_AHEADS[max(low for low in LOOK_AHEADS if low <= level)]

    @classmethod
    def of(cls, text: str) -> Level:
        """Return the level of that number. Raises SettingsError if there is none."""
        names = [str(level) for level in range(len(RATES))]
        if text not in names:
            raise SettingsError(f"a level is from 0 to {len(RATES) - 1}, not {quoted(text)}")
        return cls(int(text))

    def choose(self, turn: Turn) -> int:
        try:
            verdicts, _ = evaluate_moves(turn)
        except TooLarge:
            return best_foreseen(turn, self._fair_moves(turn, self.look_ahead.verdicts(turn)))
        return self._choose(turn, self._fair_moves(turn, verdicts))

    def _fair_moves(self, turn: Turn, verdicts: dict[int, V]) -> dict[int, V]:
        """Return the moves, for lower levels without those that win before the opponent moves."""
        if turn.moves or self.level >= FIRST_MOVE_WIN_LEVEL:
            return verdicts
        return {move: one for move, one in verdicts.items() if one != IMMEDIATE_WIN} or verdicts

    def _choose(self, turn: Turn, verdicts: dict[int, Verdict]) -> int:
        if not self._thinks(turn):
            safe = [move for move, verdict in verdicts.items() if verdict != IMMEDIATE_LOSS]
            return turn.rng.choice(safe or list(verdicts))
        best = max(verdict.score for verdict in verdicts.values())
        sound = {move: verdict for move, verdict in verdicts.items() if verdict.score == best}
        if best == 0:
            return _delaying_move(turn, list(sound))
        return turn.rng.choice(_quick_wins(sound) if best == 1 else list(sound))

    def swaps(self, turn: Turn) -> bool:
        try:
            verdict = solve_position(turn)
        except TooLarge:
            return self.look_ahead.swaps(turn)
        if verdict.score == 0.5 or not self._thinks(turn):
            return super().swaps(turn)
        return verdict.value == "loss"

    def _thinks(self, turn: Turn) -> bool:
        return turn.rng.random() >= self.rate


def _quick_wins(wins: dict[int, Verdict]) -> list[int]:
    """Return the immediate wins, or else the quicker half, so that every won game ends."""
    ranks = sorted((verdict.rank for verdict in wins.values()), reverse=True)
    lowest = ranks[0] if ranks[0] == IMMEDIATE_WIN.rank else ranks[(len(ranks) - 1) // 2]
    return [move for move, verdict in wins.items() if verdict.rank >= lowest]


def _delaying_move(turn: Turn, moves: list[int]) -> int:
    """Return a random move, if possible one after which the opponent cannot win at once."""
    shuffled = turn.rng.sample(moves, len(moves))
    replies_left = MAX_REPLIES
    for move in shuffled:
        after = turn.game.after(turn.position, move)
        replies_left -= len(turn.game.moves(after))
        if replies_left < 0 or not loses_at_once(turn.game, after, turn.position.mover):
            return move
    return shuffled[0]
