"""Playing the games of a plan and judging their moves, each game to a line of the log."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeAlias

from numduel.arena.log import GameLine
from numduel.arena.plan import Plan, Planned
from numduel.core.errors import TooLarge
from numduel.core.game import Game
from numduel.core.verdict import Value, Verdict
from numduel.play.event import Move
from numduel.play.game_loop import play_on
from numduel.play.table import Table
from numduel.players import Forfeit, Player, Turn, player
from numduel.players.player import Cut, Fault
from numduel.solver import theory_of

NO_GAME = -1
"""Stands for the number of the game while no player is asked."""

MAX_WHY_CHARACTERS = 200
"""Maximum length of the logged reason why a player failed."""

MAX_JUDGED_SOLVE_SECONDS = 1.0
"""Positions that may take longer to solve are not judged."""

MAX_CACHED_POSITIONS = 100_000
"""Maximum number of positions whose verdicts are cached, of all games together."""


class Stop(NamedTuple):
    """Where a player forfeits instead of being asked, since it is known what it would do."""

    ply: int
    fault: Fault | Cut
    why: str


class Begun(NamedTuple):
    """What is known of a game before it is played on."""

    moves: tuple[int, ...] = ()  # that are made already, without the opening
    stop: Stop | None = None


Known = Mapping[int, Begun]
"""By the number of the game."""

NONE: Known = {}

PAUSED = "paused"
"""The reason in the line of a game that has not ended, since a model is to move."""

Marks: TypeAlias = "list[int] | memoryview[int]"
"""The game and the ply in which a player is asked; NO_GAME and 0 between the games."""


class GuardedPlayer(Player):
    """A player whose requests are recorded, and who forfeits an answer that is late."""

    def __init__(self, inner: Player, marks: Marks) -> None:
        self.inner = inner
        self.name = inner.name
        self._marks = marks

    def sit(self, seconds: float | None, stop: Stop | None) -> None:
        """Prepare for a game: `stop` is where the player forfeits."""
        self._stop = stop
        self._ask = self.inner.choose if seconds is None and stop is None else self._guarded

    def choose(self, turn: Turn) -> int:
        self._marks[1] = len(turn.moves)
        return self._ask(turn)

    def _guarded(self, turn: Turn) -> int:
        if self._stop is not None and self._stop.ply == len(turn.moves):
            raise Forfeit(self._stop.why, self._stop.fault)
        begun = time.monotonic()
        move = self.inner.choose(turn)
        if turn.seconds is not None and time.monotonic() - begun > turn.seconds:
            raise Forfeit(f"did not answer within {turn.seconds:g} seconds", "late")
        return move

    def close(self) -> None:
        self.inner.close()


class Worth(NamedTuple):
    """A move compared with the best one. The distances are those of `Verdict`, if known."""

    legal: int  # how many moves there were
    best: Value
    best_distance: int | None
    value: Value
    distance: int | None
    mattered: bool  # whether some moves are sound and some are not
    right: int  # how many are sound


class Judge:
    """Judges the moves of one game, with a cache, since many games meet the same positions."""

    def __init__(self, game: Game[Any], max_positions: int = MAX_CACHED_POSITIONS) -> None:
        self.game = game
        self._judged = lru_cache(max_positions)(self._judge)

    def worth(self, position: Any, move: int) -> Worth | None:
        """Return what a legal move is worth; None if that takes too long to solve."""
        known = self._judged(position)
        if known is None:
            return None
        verdicts, best, right = known
        return Worth(len(verdicts), *best, *verdicts[move], right < len(verdicts), right)

    def value(self, position: Any) -> Value | None:
        """Return the value of a position for who is to move; None if it is not known."""
        known = self._judged(position)
        return None if known is None else known[1].value

    def _judge(self, position: Any) -> tuple[dict[int, Verdict], Verdict, int] | None:
        """Return the verdicts of all moves, the best one, and how many moves are sound."""
        theory = theory_of(self.game)
        cost = theory.cost(position)
        try:
            if cost.once + cost.evaluate <= MAX_JUDGED_SOLVE_SECONDS:
                verdicts = theory.evaluate(position)
            elif cost.once + cost.values <= MAX_JUDGED_SOLVE_SECONDS:
                values = theory.values(position)
                verdicts = {move: Verdict(value) for move, value in values.items()}
            else:
                return None
        except TooLarge:
            return None
        best = max(verdicts.values(), key=lambda verdict: verdict.rank)
        return verdicts, best, sum(one.score == best.score for one in verdicts.values())


class Playing:
    """Plays games of a plan. Players and solved positions are kept between the games."""

    def __init__(self, plan: Plan, marks: Marks | None = None) -> None:
        self.plan = plan
        self._marks: Marks = [NO_GAME, 0] if marks is None else marks
        self._players: dict[str, GuardedPlayer] = {}
        positions_per_game = 1 + MAX_CACHED_POSITIONS // len(plan.games)
        self._judge = cache(lambda game: Judge(game, positions_per_game))

    def play(
        self, numbers: Iterable[int], seconds: float = float("inf"), known: Known = NONE
    ) -> list[str]:
        """Return the lines of the games, in order, of those begun within so many seconds.

        A game is played until it has ended, or a model is to move, which is not asked here.
        """
        until = time.monotonic() + seconds
        lines: list[str] = []
        for number in numbers:
            lines.append(self._line(self.plan[number], known.get(number, Begun())))
            if time.monotonic() >= until:
                break
        return lines

    def close(self) -> None:
        """Close every player."""
        for one in self._players.values():
            one.close()

    def _line(self, planned: Planned, begun: Begun) -> str:
        spec, game, opening = self.plan.spec, planned.game, planned.opening
        table = Table(game, 1, spec.turn_limit + len(opening), swap=False, seed=planned.seed)
        for move in (*opening, *begun.moves):
            table.apply(Move(move))
        seats = [self._player(who, begun.stop) for who in planned.players]
        for seat in seats:
            if seat is not None:
                seat.sit(spec.seconds, begun.stop)
        self._marks[0] = planned.number
        failure = None
        for _, _, failed in play_on(table, seats, spec.seconds):
            failure = failed
        self._marks[0], self._marks[1] = NO_GAME, 0
        moves = table.moves[len(opening) :]
        movers = "".join(map(str, table.movers[len(opening) :]))
        winner, reason = table.outcome or (None, PAUSED)
        line = GameLine(planned.number, winner, reason, moves, movers)
        if failure is not None:
            shortened = " ".join(failure.why.split())[:MAX_WHY_CHARACTERS]
            line = line._replace(fault=(failure.seat, failure.fault, shortened))
            if failure.fault == "cut":  # which is nobody's loss
                line = line._replace(winner=None, reason="cut")
        if spec.truth and table.outcome is not None:
            judge, past = self._judge(game), table.past(len(opening))
            line = line._replace(
                start=judge.value(past[0].before if past else table.position),
                worth=[judge.worth(*made) for made in past],
            )
        return line.dumps()

    def _player(self, who: str, stop: Stop | None) -> GuardedPlayer | None:
        """Return the player; None for a model, which is not asked here, unless it forfeits."""
        if who not in self._players:
            chooser = player(who)
            assert chooser is not None  # no person: the spec was checked
            self._players[who] = GuardedPlayer(chooser, self._marks)
        guarded = self._players[who]
        return None if guarded.inner.is_remote and stop is None else guarded
