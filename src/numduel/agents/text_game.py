"""A game whose moves are read from text answers, for both seats or for one against a player."""

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


class Answer(NamedTuple):
    """An answer after it was read and judged."""

    seat: int
    reading: Reading
    regret: float | None  # None if it was not judged, or if no move could give anything away


class TextGame:
    """A game in progress. The same seed and the same answers give the same game.

    Seat 1 moves first, unless a position is given. `seat` is the seat whose answers are asked for:
    after an opening, even an empty one, or from a position, the seat that is to move; otherwise the
    one given, or the seed decides. Without an opponent both seats are asked.
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
        turn_limit: int = TURN_LIMIT,
        second_chances: int = SECOND_CHANCES,
        judged: bool = False,
        legal: bool = False,
    ) -> None:
        """Begin the game, and let the opponent move if it is its turn.

        `turn_limit`: the maximum number of moves after the opening; `second_chances`: how often the
        mover is asked again in a turn; `judged`: compute the regret of each move; `legal`: list the
        legal moves in questions. Raises TooLarge if the game takes too long to judge.
        """
        if not (seat is None or is_seat(seat)):
            raise SettingsError(f"seat must be none, 1 or 2, not {quoted(seat)}")
        self.game = game
        first = 1 if position is None else position.mover
        self._opening_length = len(opening or ())
        limit = turn_limit + self._opening_length
        self.table = Table(game, first, limit, swap=False, seed=seed, start=position)
        for move in opening or ():
            self.table.apply(Move(move))
        from_start = position is None and opening is None
        self.seat: int = (seat or coin(seed)) if from_start else self.position.mover
        self.prompt = Prompt(game, legal=legal)
        self.fault = Reading(None)  # what was wrong with the last answer, if anything
        self.answers: list[Answer] = []
        self._second_chances = second_chances
        self._chances_left = second_chances  # in this turn
        self._judged = judged
        self._players: list[Player | None] = [None, None]
        if opponent is not None:
            player = computer_player(opponent)
            player.check_fit(game)
            self._players[2 - self.seat] = player
        if judged:
            scores(game, self.position)  # raises TooLarge now rather than after the first answer
        self._let_opponent_move()

    @property
    def position(self) -> Any:
        return self.table.position

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on. Nobody wins if an answer was cut off."""
        outcome = self.table.outcome
        return outcome and Outcome(None, "cut") if self.fault.fault == "cut" else outcome

    @property
    def moves(self) -> list[int]:
        """The moves of both players so far."""
        return [*self.table.moves]

    @property
    def reward(self) -> float:
        """The reward of `seat`."""
        return self.reward_of(self.seat)

    def reward_of(self, seat: int) -> float:
        """Return 1 if the seat has won, -1 if it has lost, otherwise 0."""
        return reward(self.outcome, seat)

    def question(self) -> str:
        """Return the next question: the rules and all moves at first, later only what is new."""
        if self.fault.fault:
            return self.prompt.correction(self.fault)
        seat, movers = self.position.mover, self.table.movers[self._opening_length :]
        own = [turn for turn, mover in enumerate(movers, self._opening_length) if mover == seat]
        ask = self.prompt.question if own else self.prompt.whole
        return ask(self.position, self.table.past(own[-1] if own else 0))

    def ending(self) -> str:
        """Return a sentence that says how the game ended; empty while it goes on."""
        outcome = self.outcome
        end = table_ending(self.table, outcome)
        fault = f"{self.fault.why}. " * bool(self.fault.why)
        if outcome is not None and outcome.reason == "cut":
            return f"{fault}Nobody wins."
        return "" if end is None else fault + end.sentence(self.game)

    def answer(self, text: str, ended: str | None = None) -> float | None:
        """Play the move of an answer, let the opponent reply, and return the regret of the answer.

        `ended`: why the answer ended, if that is known. After an answer without a legal move the
        mover is asked again. If it has no second chance left it loses the game, and its regret is
        all that the position was worth; nobody loses if its last answer was cut off. The regret is
        None if the game is not judged, or if no move could give anything away.
        """
        reading, lost = self.prompt.reader.read(self.position, text, ended), None
        ends_turn = reading.move is not None or not self._chances_left
        if ends_turn and self._judged and reading.fault != "cut":
            lost = regret(self.game, self.position, reading.move)
        self.answers.append(Answer(self.position.mover, reading, lost))
        if not ends_turn:
            self.fault, self._chances_left = reading, self._chances_left - 1
        elif reading.move is None:
            self.forfeit(reading)
        else:
            self.fault, self._chances_left = Reading(None), self._second_chances
            self.table.apply(Move(reading.move))
            self._let_opponent_move()
        return lost

    def forfeit(self, fault: Reading) -> None:
        """End the game because of an answer of the mover, who loses unless it was cut off."""
        self.fault = fault
        self.table.apply(Resign(self.position.mover))

    def marks(self, seat: int, *, sound: str = "sound") -> dict[str, float]:
        """Return the marks of a seat's answers, as `problems.marks` gives them."""
        own = [one for one in self.answers if one.seat == seat]
        regrets = [one.regret for one in own if one.reading.move is not None]
        is_at_fault = self.outcome is not None and self.position.mover == seat
        fault = self.fault.fault if is_at_fault else ""
        return marks([one.reading for one in own], regrets, fault, sound=sound)

    def close(self) -> None:
        for player in self._players:
            if player is not None:
                player.close()

    def _let_opponent_move(self) -> None:
        for _ in play_on(self.table, self._players):
            pass
