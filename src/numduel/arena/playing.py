"""Playing the games of a plan, one after the other, each to a line of the log."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from numduel.arena.plan import Plan, Planned
from numduel.arena.truth import Truth
from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.play.referee import Failure, play_game
from numduel.players import Forfeit, Player, Turn, player
from numduel.players.player import Fault

NOBODY = -1
"""The number of the game in which somebody is asked, while nobody is."""

_ENCODED = json.JSONEncoder(separators=(",", ":")).encode

UNTIMED = "-"  # what a record says of its time here: a seed gives the same bytes

MOST_WHY = 200
"""Characters that are kept of why a player failed."""


class Stop(NamedTuple):
    """A player that does not survive being asked, or never answers: it is not asked again."""

    ply: int
    fault: Fault
    why: str


Stops = Mapping[int, Stop]
"""By the number of the game."""

Mark = Callable[[int, int], object]
"""Is told the game and the ply in which a player is asked, and NOBODY when the game is over."""


class Watched(Player):
    """A player of whom is noted when it is asked, what it answers, and whether it was late."""

    def __init__(self, inner: Player, mark: Mark) -> None:
        self.inner = inner
        self.name = inner.name
        self._ask = inner.choose
        self._mark = mark

    def sit(self, number: int, stop: Stop | None, made: list[tuple[Any, int]]) -> None:
        """The game that is next, where its player is stopped, and where its moves are noted."""
        self._number, self._stop, self._note = number, stop, made.append

    def choose(self, turn: Turn) -> int:
        ply = len(turn.moves)
        if self._stop is not None and self._stop.ply == ply:
            raise Forfeit(self._stop.why, self._stop.fault)
        self._mark(self._number, ply)
        move = self._ask(turn) if turn.seconds is None else self._timed(turn, turn.seconds)
        self._note((turn.position, move))  # legal or not: who plays on has made it
        return move

    def _timed(self, turn: Turn, seconds: float) -> int:
        begun = time.monotonic()
        move = self._ask(turn)
        if time.monotonic() - begun > seconds:
            raise Forfeit(f"did not answer within {seconds:g} seconds", "late")
        return move

    def close(self) -> None:
        self.inner.close()


class Playing:
    """Plays games of a plan; its players and what it knows of the games stay between them."""

    def __init__(self, plan: Plan, mark: Mark = lambda number, ply: None) -> None:
        self.plan = plan
        self._mark = mark
        self._players: dict[str, Watched] = {}
        self._truths: dict[Game[Any], Truth] = {}

    def play(
        self, numbers: Iterable[int], seconds: float = float("inf"), stops: Stops | None = None
    ) -> list[str]:
        """The lines of the games, in order, of as many as are begun within so many seconds."""
        until = time.monotonic() + seconds
        lines: list[str] = []
        for number in numbers:
            lines.append(self._line(self.plan[number], (stops or {}).get(number)))
            if time.monotonic() >= until:
                break
        return lines

    def close(self) -> None:
        """Close every player."""
        for one in self._players.values():
            one.close()

    def _line(self, planned: Planned, stop: Stop | None) -> str:
        asked = self.plan.asked
        made: list[tuple[Any, int]] = []
        failures: list[Failure] = []
        seats = [self._player(who) for who in planned.players]
        for seat in seats:
            seat.sit(planned.number, stop, made)
        record = play_game(
            planned.game,
            seats,
            seed=planned.seed,
            turn_limit=asked.turn_limit,
            seconds=asked.seconds,
            started=UNTIMED,
            opening=planned.opening,
            told=failures.append,
        )
        self._mark(NOBODY, 0)
        assert record.outcome is not None
        moves = record.moves[len(planned.opening) :]
        made = made[: len(moves)]
        line: dict[str, Any] = {
            "game": planned.number,  # first, so that it is found without reading all of the line
            "winner": record.outcome.winner,
            "reason": record.outcome.reason,
            "moves": moves,
            "seats": "".join(["12"[position.mover - 1] for position, _ in made]),
        }
        for seat_number, fault, why in failures:
            line["fault"] = [seat_number, fault, " ".join(why.split())[:MOST_WHY]]
        if asked.truth:
            truth = self._truth(planned.game)
            line["start"] = truth.value(self._began(planned, made))
            line["worth"] = [truth.worth(*one) for one in made]
        said = [words for seat in seats for words in _said(seat)]
        if said:
            line["said"] = said
        return _ENCODED(line)

    def _began(self, planned: Planned, made: list[tuple[Any, int]]) -> Any:
        if made:
            return made[0][0]
        position = planned.game.start()
        for move in planned.opening:
            position = planned.game.after(position, move)
        return position

    def _player(self, who: str) -> Watched:
        if who not in self._players:
            chooser = player(who)
            if chooser is None:
                raise SettingsError("no person plays in an arena")
            self._players[who] = Watched(chooser, self._mark)
        return self._players[who]

    def _truth(self, game: Game[Any]) -> Truth:
        return self._truths.setdefault(game, Truth(game))


def _said(seat: Watched) -> list[Any]:
    """What a player that speaks with a server has heard and said in this game."""
    take: Callable[[], list[Any]] | None = getattr(seat.inner, "take_said", None)
    return [] if take is None else [{"player": seat.name, **words} for words in take()]
