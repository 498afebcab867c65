"""A game whose seats are asked in words: both, or one of them against a player of ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from numduel.agents.common import reward
from numduel.agents.problems import marks, regret, scores
from numduel.core.errors import SettingsError
from numduel.core.game import Game, Outcome, is_seat
from numduel.core.numerals import quoted
from numduel.play.chance import coin
from numduel.play.event import Move, Resign
from numduel.play.game_loop import computer_player, play_on
from numduel.play.table import TURN_LIMIT, Table, table_ending
from numduel.players import Player
from numduel.players.answer import Reading
from numduel.players.prompt import SECOND_CHANCES, Prompt


class Said(NamedTuple):
    """An answer as it was read."""

    seat: int
    reading: Reading
    lost: float | None  # its regret, if it was judged and could give something away


class TextGame:
    """A game in progress. The same seed and the same answers give the same game.

    Seat 1 begins. The seat that is asked is the mover after an opening, which may be empty, or of a
    position; without these it is the one given, or the seed decides. Without an opponent both
    seats are asked.
    """

    def __init__(
        self,
        game: Game[Any],
        opponent: str | Player | None,
        *,
        seat: int | None = None,
        seed: int = 0,
        position: Any = None,
        opening: Sequence[int] | None = None,
        turns: int = TURN_LIMIT,
        chances: int = SECOND_CHANCES,
        judged: bool = False,
        legal: bool = False,
    ) -> None:
        """`turns`: how many after the opening; `chances`: how often a mover is asked again."""
        if not (seat is None or is_seat(seat)):
            raise SettingsError(f"seat must be none, 1 or 2, not {quoted(seat)}")
        self.game = game
        begins = 1 if position is None else position.mover
        self._opening = len(opening or ())
        limit = turns + self._opening
        self.table = Table(game, begins, limit, swap=False, seed=seed, start=position)
        for move in opening or ():
            self.table.apply(Move(move))
        is_free = position is None and opening is None
        self.seat: int = (seat or coin(seed)) if is_free else self.position.mover
        self.prompt = Prompt(game, legal=legal)
        self.fault = Reading(None)  # what was wrong with the last answer, if anything
        self.said: list[Said] = []
        self._chances = self._all_chances = chances  # how often the mover may still be asked again
        self._judged = judged
        self._players: list[Player | None] = [None, None]
        if opponent is not None:
            chooser = computer_player(opponent)
            chooser.check_fit(game)
            self._players[2 - self.seat] = chooser
        if judged:
            scores(game, self.position)  # TooLarge, before anybody has moved
        self._play_on()

    @property
    def position(self) -> Any:
        """The position now."""
        return self.table.position

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on. Nobody wins where an answer was cut off."""
        outcome = self.table.outcome
        return outcome and Outcome(None, "cut") if self.fault.fault == "cut" else outcome

    @property
    def moves(self) -> list[int]:
        """The moves so far, of both players."""
        return [*self.table.moves]

    @property
    def reward(self) -> float:
        """The reward of the seat that is asked."""
        return self.paid(self.seat)

    def paid(self, seat: int) -> float:
        """Return 1 if the seat has won, -1 if it has lost, otherwise 0."""
        return reward(self.outcome, seat)

    def question(self) -> str:
        """Return what the mover is asked: all, or what has happened since its last answer."""
        if self.fault.fault:
            return self.prompt.correction(self.fault)
        seat, asked = self.position.mover, self.table.movers[self._opening :]
        own = [turn for turn, mover in enumerate(asked, self._opening) if mover == seat]
        ask = self.prompt.question if own else self.prompt.whole
        return ask(self.position, self.table.past(own[-1] if own else 0))

    def ending(self) -> str:
        """Return how the game ended, in a sentence; empty while it goes on."""
        outcome = self.outcome
        end = table_ending(self.table, outcome)
        fault = f"{self.fault.why}. " * bool(self.fault.why)
        if outcome is not None and outcome.reason == "cut":
            return f"{fault}Nobody wins."
        return "" if end is None else fault + end.sentence(self.game)

    def answer(self, text: str, ended: str | None = None) -> float | None:
        """Play the move of an answer, let the opponent reply, and return the regret, if judged.

        It is None where nothing could be given away. `ended`: why the answer ended, if that is
        known. The mover is asked again after an answer without a legal move. After too many of
        them it loses the game, and gives away all that there was; unless the last was cut off.
        """
        given, lost = self.prompt.reader.read(self.position, text, ended), None
        is_last = given.move is not None or not self._chances
        if is_last and self._judged and given.fault != "cut":
            lost = regret(self.game, self.position, given.move)
        self.said.append(Said(self.position.mover, given, lost))
        if not is_last:
            self.fault, self._chances = given, self._chances - 1
        elif given.move is None:
            self.forfeit(given)
        else:
            self.fault, self._chances = Reading(None), self._all_chances
            self.table.apply(Move(given.move))
            self._play_on()
        return lost

    def forfeit(self, fault: Reading) -> None:
        """Let the mover lose because of its answer; nobody loses if that was cut off."""
        self.fault = fault
        self.table.apply(Resign(self.position.mover))

    def marks(self, seat: int, *, sound: str = "sound") -> dict[str, float]:
        """Return the marks of the answers of a seat, by `problems.marks`."""
        own = [one for one in self.said if one.seat == seat]
        lost = [one.lost for one in own if one.reading.move is not None]
        is_fault = self.outcome is not None and self.position.mover == seat
        fault = self.fault.fault if is_fault else ""
        return marks([one.reading for one in own], lost, fault, sound=sound)

    def close(self) -> None:
        """Release what the opponent holds."""
        for one in self._players:
            if one is not None:
                one.close()

    def _play_on(self) -> None:
        """Let the opponent move for as long as it is its turn."""
        for _ in play_on(self.table, self._players):
            pass
