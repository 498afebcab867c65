"""Playing the games of a plan, one after the other, each to a line of the log."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from numduel.arena.plan import Plan, Planned
from numduel.arena.truth import MOST_KEPT, Truth
from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.record import Record
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

NONE: Stops = {}

Marks: TypeAlias = "list[int] | memoryview[int]"
"""The game and the ply in which a player is asked; NOBODY and 0 between the games."""


class Watched(Player):
    """A player of whom is noted when it is asked, what about, and whether it was late."""

    def __init__(self, inner: Player, marks: Marks) -> None:
        self.inner = inner
        self.name = inner.name
        self._marks = marks
        self._take: Callable[[], list[Any]] = getattr(inner, "take_said", list)

    def sit(self, met: list[Any], seconds: float | None, stop: Stop | None) -> None:
        """Before a game: where to note the positions, how long to wait, and when to ask no more."""
        self._note, self._stop = met.append, stop
        self._ask = self.inner.choose if seconds is None and stop is None else self._guarded

    def choose(self, turn: Turn) -> int:
        self._marks[1] = len(turn.moves)
        self._note(turn.position)
        return self._ask(turn)

    def _guarded(self, turn: Turn) -> int:
        if self._stop is not None and self._stop.ply == len(turn.moves):
            raise Forfeit(self._stop.why, self._stop.fault)
        begun = time.monotonic()
        move = self.inner.choose(turn)
        if turn.seconds is not None and time.monotonic() - begun > turn.seconds:
            raise Forfeit(f"did not answer within {turn.seconds:g} seconds", "late")
        return move

    def said(self) -> list[dict[str, Any]]:
        """What a player that speaks with a server has heard and said in this game."""
        return [{"player": self.name, **words} for words in self._take()]

    def close(self) -> None:
        self.inner.close()


class Playing:
    """Plays games of a plan; its players and what it knows of the games stay between them."""

    def __init__(self, plan: Plan, marks: Marks | None = None) -> None:
        self.plan = plan
        self._marks: Marks = [NOBODY, 0] if marks is None else marks
        self._players: dict[str, Watched] = {}
        self._truths: dict[Game[Any], Truth] = {}

    def play(
        self, numbers: Iterable[int], seconds: float = float("inf"), stops: Stops = NONE
    ) -> list[str]:
        """The lines of the games, in order, of as many as are begun within so many seconds."""
        until = time.monotonic() + seconds
        lines: list[str] = []
        for number in numbers:
            lines.append(self._line(self.plan[number], stops.get(number)))
            if time.monotonic() >= until:
                break
        return lines

    def close(self) -> None:
        """Close every player."""
        for one in self._players.values():
            one.close()

    def _line(self, planned: Planned, stop: Stop | None) -> str:
        asked = self.plan.asked
        met: list[Any] = []  # the positions in which somebody was asked
        failures: list[Failure] = []
        seats = [self._player(who) for who in planned.players]
        for seat in seats:
            seat.sit(met, asked.seconds, stop)
        self._marks[0] = planned.number
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
        self._marks[0], self._marks[1] = NOBODY, 0
        moves = record.moves[len(planned.opening) :]
        more: dict[str, Any] = {}
        for seat_number, fault, why in failures:
            more["fault"] = [seat_number, fault, " ".join(why.split())[:MOST_WHY]]
        if asked.truth:
            truth = self._truth(planned.game)
            more["start"] = truth.value(met[0] if met else _began(planned))
            more["worth"] = [truth.worth(*made) for made in zip(met, moves, strict=False)]
        said = seats[0].said() + seats[1].said()
        if said:
            more["said"] = said
        head = _head(planned.number, record, moves, met)
        return f"{head},{_ENCODED(more)[1:]}" if more else f"{head}}}"

    def _player(self, who: str) -> Watched:
        if who not in self._players:
            chooser = player(who)
            if chooser is None:
                raise SettingsError("no person plays in an arena")
            self._players[who] = Watched(chooser, self._marks)
        return self._players[who]

    def _truth(self, game: Game[Any]) -> Truth:
        if game not in self._truths:
            self._truths[game] = Truth(game, 1 + MOST_KEPT // len(self.plan.games))
        return self._truths[game]


def _head(number: int, record: Record, moves: tuple[int, ...], met: list[Any]) -> str:
    """What every line begins with, the number of the game first: so it is found without the rest.

    Written out, which is several times as fast as a dictionary for the encoder.
    """
    assert record.outcome is not None
    winner, reason = record.outcome
    made = ",".join(map(str, moves))
    seats = "".join(["12"[position.mover - 1] for position in met[: len(moves)]])
    return (
        f'{{"game":{number},"winner":{winner or "null"},"reason":{_ENCODED(reason)},'
        f'"moves":[{made}],"seats":"{seats}"'
    )


def _began(planned: Planned) -> Any:
    position = planned.game.start()
    for move in planned.opening:
        position = planned.game.after(position, move)
    return position
