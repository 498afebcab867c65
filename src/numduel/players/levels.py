"""Opponents that a person can beat: each errs so often where it matters, the same in every game."""

from __future__ import annotations

from typing import Any, TypeVar

from numduel.core.errors import SettingsError, TooLarge
from numduel.core.game import other
from numduel.core.numerals import quoted
from numduel.core.verdict import Verdict
from numduel.players.knowledge import known
from numduel.players.perfect import solved
from numduel.players.player import Player, Turn
from numduel.players.sight import IMMEDIATE_WIN, Sight, best_in_sight

RATES = (0.50, 0.44, 0.37, 0.31, 0.25, 0.20, 0.16, 0.12, 0.08, 0.04, 0.0)
"""How often each level errs where some moves keep what there is and some do not."""

NAMES = {0: "easy", 4: "medium", 8: "hard"}
"""The levels that have a name beside their number."""

SIGHTS = {0: Sight(1, 1_000), 4: Sight(4, 2_500), 8: Sight(10, 20_000)}
"""How far they look where the theory does not reach: each as the next lower one of these."""

STRICT = 8
"""From this level on, a game may be won with its first move."""

MOST_LOOKS = 10_000
"""Replies looked at to find an error that does not lose at once."""

V = TypeVar("V", bound=Verdict | None)


class Level(Player):
    """Errs at its rate, as a person might; else it keeps what it has, and takes a win at hand."""

    def __init__(self, level: int) -> None:
        self.level = level
        self.name = NAMES.get(level, f"level:{level}")
        self.rate = RATES[level]
        self.sight = SIGHTS[max(low for low in SIGHTS if low <= level)]

    @classmethod
    def of(cls, text: str) -> Level:
        """The level of that number; SettingsError if there is none."""
        names = [str(level) for level in range(len(RATES))]
        if text not in names:
            raise SettingsError(f"a level is from 0 to {len(RATES) - 1}, not {quoted(text)}")
        return cls(int(text))

    def choose(self, turn: Turn) -> int:
        try:
            verdicts = known(turn).verdicts
        except TooLarge:
            return best_in_sight(turn, self._sparing(turn, self.sight.of(turn)))
        return self._choose(turn, self._sparing(turn, verdicts))

    def _sparing(self, turn: Turn, seen: dict[int, V]) -> dict[int, V]:
        """The moves without those that win before the other has moved, for the lower levels."""
        if turn.moves or self.level >= STRICT:
            return seen
        return {move: one for move, one in seen.items() if one != IMMEDIATE_WIN} or seen

    def _choose(self, turn: Turn, verdicts: dict[int, Verdict]) -> int:
        best = max(verdict.score for verdict in verdicts.values())
        sound = [move for move, verdict in verdicts.items() if verdict.score == best]
        errors = [move for move, verdict in verdicts.items() if verdict.score < best]
        if errors and self._errs(turn):
            return _late_loss(turn, errors)
        if best == 0:
            return _late_loss(turn, sound)
        if best == 1:
            sound = _soon({move: verdicts[move] for move in sound})
        return turn.rng.choice(sound)

    def swaps(self, turn: Turn) -> bool:
        try:
            verdict = solved(turn)
        except TooLarge:
            seen = self.sight.swaps(turn)
            return super().swaps(turn) if seen is None else seen
        if verdict.score == 0.5:
            return super().swaps(turn)  # which is no error either way
        return (verdict.value == "loss") != self._errs(turn)

    def _errs(self, turn: Turn) -> bool:
        return turn.rng.random() < self.rate


def _soon(wins: dict[int, Verdict]) -> list[int]:
    """A win at hand, or else the quicker half, so that no game goes on for ever."""
    ranks = sorted((verdict.rank for verdict in wins.values()), reverse=True)
    least = ranks[0] if ranks[0] == IMMEDIATE_WIN.rank else ranks[(len(ranks) - 1) // 2]
    return [move for move, verdict in wins.items() if verdict.rank >= least]


def _late_loss(turn: Turn, moves: list[int]) -> int:
    """One of the moves, and not one that loses at once if there are others: as a person errs."""
    shuffled = turn.rng.sample(moves, len(moves))
    looks = MOST_LOOKS
    for move in shuffled:
        after = turn.game.after(turn.position, move)
        replies = turn.game.moves(after)
        looks -= len(replies)
        if looks < 0 or not _loses_at_once(turn, after, replies):
            return move
    return shuffled[0]


def _loses_at_once(turn: Turn, after: Any, replies: tuple[int, ...]) -> bool:
    """Whether a move has lost the game, or lets the other win with the next one."""
    game, opponent = turn.game, other(turn.position.mover)
    ends = [game.outcome(after)]
    if after.mover == opponent:
        ends += (game.outcome(game.after(after, reply)) for reply in replies)
    return any(end is not None and end.winner == opponent for end in ends)
