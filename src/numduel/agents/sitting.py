"""A game whose seats are asked, move by move: both, or one against a player of ours."""

from __future__ import annotations

from random import Random
from typing import Any

from numduel.agents.asking import Answer, question, read_answer, rules, scores
from numduel.agents.ground import TURN_LIMIT, reward
from numduel.core.errors import SettingsError
from numduel.core.game import Game, Outcome, is_seat, other
from numduel.core.numerals import quoted
from numduel.core.words import Last
from numduel.play.ending import Ending
from numduel.players import Turn, player


class Sitting:
    """A game as far as it was played. The same seed and the same moves give the same game.

    The first seat begins. Which one is asked is drawn from the seed where it is not given; from a
    position that is given, whoever is to move there. Without an opponent both are.
    """

    def __init__(
        self,
        game: Game[Any],
        opponent: str | None,
        *,
        seat: int | None = None,
        seed: int = 0,
        position: Any = None,
        judged: bool = False,
    ) -> None:
        if not (seat is None or is_seat(seat)):
            raise SettingsError(f"seat must be none, 1 or 2, not {quoted(seat)}")
        chooser = None if opponent is None else player(opponent)
        if chooser is not None:
            chooser.check_fit(game)
        elif opponent is not None:
            raise SettingsError(f"{quoted(opponent)} cannot play without a screen")
        self.game = game
        self.seed = seed
        self.seat: int = seat or Random(f"{seed}").choice((1, 2))
        self.position = game.start() if position is None else position
        if position is not None:
            self.seat = position.mover
        self.past: list[Last] = []
        self.outcome: Outcome | None = None
        self.fault = Answer(None)  # what was wrong with the answer that lost the game, if any
        self._opponent = chooser
        self._judged = judged
        if judged:
            scores(game, self.position)  # refused before anybody has moved
        self._go_on()

    @property
    def moves(self) -> list[int]:
        """The moves so far, of both."""
        return [last.move for last in self.past]

    @property
    def reward(self) -> float:
        """1 where the seat has won, -1 where it has lost, else 0."""
        return self.paid(self.seat)

    def paid(self, seat: int) -> float:
        """What a seat gets: 1 where it has won, -1 where it has lost, else 0."""
        return reward(self.outcome, seat)

    def question(self, *, legal: bool = False) -> str:
        """What the mover is asked: what happened since its last answer or, the first time, all."""
        seat = self.position.mover
        own = [turn for turn, (before, _) in enumerate(self.past) if before.mover == seat]
        news = self.past[own[-1] :] if own else self.past
        asked = question(self.game, self.position, news, legal=legal)
        return asked if own else f"{rules(self.game)}\n\n{asked}"

    def ending(self) -> str:
        """How the game ended, in a sentence; empty while it goes on."""
        if self.outcome is None:
            return ""
        last = self.past[-1] if self.past else None
        ending = Ending(self.position, self.outcome, last, len(self.past))
        return f"{self.fault.why}. " * bool(self.fault.why) + ending.sentence(self.game)

    def answer(self, text: str) -> float:
        """Play what an answer says, and let the opponent go on; what it gave away, if judged.

        What is no legal move loses the game, and gives away all that there was.
        """
        given = read_answer(self.game, self.position, text)
        lost = 0.0
        if self._judged:
            worth = scores(self.game, self.position)
            kept = 0.0 if given.move is None else worth[given.move]
            lost = max(worth.values()) - kept
        if given.move is None:
            self.forfeit(given)
        else:
            self._play(given.move)
            self._go_on()
        return lost

    def forfeit(self, fault: Answer) -> None:
        """The mover has lost, for what is wrong with its answer."""
        self.fault = fault
        self.outcome = Outcome(other(self.position.mover), "resigned")

    def close(self) -> None:
        """Let go of what the opponent holds."""
        if self._opponent is not None:
            self._opponent.close()

    def _play(self, move: int) -> None:
        after = self.game.play(self.position, move)
        self.past.append(Last(self.position, move))
        self.position = after
        self.outcome = self.game.outcome(after)

    def _go_on(self) -> None:
        """Let the opponent move as long as it is its turn."""
        self.outcome = self.outcome or self.game.outcome(self.position)
        while self.outcome is None and len(self.past) < TURN_LIMIT:
            if self._opponent is None or self.position.mover == self.seat:
                return
            try:
                self._play(self._opponent.choose(self._turn()))
            except Exception:  # whatever somebody else's player raises
                self.outcome = Outcome(self.seat, "resigned")
        self.outcome = self.outcome or Outcome(None, "turn-limit")

    def _turn(self) -> Turn:
        rng = Random(f"{self.seed} {len(self.past)}")
        first = self.past[0].before.mover if self.past else self.position.mover
        return Turn(self.game, self.position, first, tuple(self.moves), rng)
