"""Plays the games of a plan and judges their moves. Each game becomes a line of the log."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeAlias

from numduel.arena.log import GameLine
from numduel.arena.plan import Plan, PlannedGame
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
"""The number of the game in `CurrentTurn` while no player is asked."""

MAX_WHY_CHARACTERS = 200
"""Maximum length of the logged reason why a player failed."""

MAX_JUDGED_SOLVE_SECONDS = 1.0
"""Positions that may take longer to solve are not judged."""

MAX_CACHED_POSITIONS = 100_000
"""Maximum number of positions whose verdicts are cached, of all games together."""


class KnownForfeit(NamedTuple):
    """A ply at which a player forfeits without being asked, because it failed there before."""

    ply: int
    fault: Fault | Cut
    why: str


class StartedGame(NamedTuple):
    """What is known of a game before it is played on."""

    moves: tuple[int, ...] = ()  # already made, without the opening
    forfeit: KnownForfeit | None = None


PAUSED = "paused"
"""The reason in the line of a game that has not ended because a model is to move."""

CurrentTurn: TypeAlias = "list[int] | memoryview[int]"
"""The game and the ply in which a player is being asked; NO_GAME and 0 between games."""


class GuardedPlayer(Player):
    """A player that forfeits if it is late or known to fail, and writes its current turn."""

    def __init__(self, inner: Player, current_turn: CurrentTurn) -> None:
        self.inner = inner
        self.name = inner.name
        self.forfeit: KnownForfeit | None = None  # in the present game
        self._current_turn = current_turn

    def choose(self, turn: Turn) -> int:
        self._current_turn[1] = len(turn.moves)
        if self.forfeit is not None and self.forfeit.ply == len(turn.moves):
            raise Forfeit(self.forfeit.why, self.forfeit.fault)
        asked_at = time.monotonic()
        move = self.inner.choose(turn)
        if turn.seconds is not None and time.monotonic() - asked_at > turn.seconds:
            raise Forfeit(f"did not answer within {turn.seconds:g} seconds", "late")
        return move


class Worth(NamedTuple):
    """A move compared with the best one. The distances are those of `Verdict`, if known."""

    legal: int  # number of legal moves
    best: Value
    best_distance: int | None
    value: Value
    distance: int | None
    mattered: bool  # whether some moves are sound and some are not
    right: int  # number of sound moves


class Judge:
    """Judges the moves of one game, with a cache, since many games meet the same positions."""

    def __init__(self, game: Game[Any], max_positions: int = MAX_CACHED_POSITIONS) -> None:
        self.game = game
        self._cached_verdicts = lru_cache(max_positions)(self._verdicts)

    def worth(self, position: Any, move: int) -> Worth | None:
        """Return what a legal move is worth; None if the position takes too long to solve."""
        found = self._cached_verdicts(position)
        if found is None:
            return None
        verdicts, best, right = found
        return Worth(len(verdicts), *best, *verdicts[move], right < len(verdicts), right)

    def value(self, position: Any) -> Value | None:
        """Return the value of a position for its mover; None if it takes too long to solve."""
        found = self._cached_verdicts(position)
        return None if found is None else found[1].value

    def _verdicts(self, position: Any) -> tuple[dict[int, Verdict], Verdict, int] | None:
        """Return the verdict of each move, the best one, and the number of sound moves.

        Returns None if the position takes too long to solve.
        """
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


class GameRunner:
    """Plays games of a plan. Keeps the players and the judges between games."""

    def __init__(self, plan: Plan, current_turn: CurrentTurn | None = None) -> None:
        self.plan = plan
        self._current_turn = [NO_GAME, 0] if current_turn is None else current_turn
        self._players: dict[str, GuardedPlayer] = {}
        positions_per_game = 1 + MAX_CACHED_POSITIONS // len(plan.games)
        self._judge = cache(lambda game: Judge(game, positions_per_game))

    def play(
        self,
        numbers: Iterable[int],
        seconds: float = float("inf"),
        started: Mapping[int, StartedGame] = {},
    ) -> list[str]:
        """Play games in order, and begin none after this many seconds. Return their lines.

        A game is played until it has ended or a model is to move. Models are not asked here.
        """
        until = time.monotonic() + seconds
        lines: list[str] = []
        for number in numbers:
            lines.append(self._play_game(self.plan[number], started.get(number, StartedGame())))
            if time.monotonic() >= until:
                break
        return lines

    def close(self) -> None:
        """Close every player."""
        for guarded in self._players.values():
            guarded.inner.close()

    def _play_game(self, planned: PlannedGame, started: StartedGame) -> str:
        """Play a game and return its line."""
        spec, game, opening = self.plan.spec, planned.game, planned.opening
        table = Table(game, 1, spec.turn_limit + len(opening), swap=False, seed=planned.seed)
        for move in (*opening, *started.moves):
            table.apply(Move(move))
        seats = [self._seat(who, started.forfeit) for who in planned.players]
        self._current_turn[0] = planned.number
        failure = None
        for _, _, failed in play_on(table, seats, spec.seconds):
            failure = failed
        self._current_turn[0], self._current_turn[1] = NO_GAME, 0
        moves = table.moves[len(opening) :]
        movers = "".join(map(str, table.movers[len(opening) :]))
        winner, reason = table.outcome or (None, PAUSED)
        line = GameLine(planned.number, winner, reason, moves, movers)
        if failure is not None:
            shortened = " ".join(failure.why.split())[:MAX_WHY_CHARACTERS]
            line = line._replace(fault=(failure.seat, failure.fault, shortened))
            if failure.fault == "cut":  # nobody loses a game because an answer was cut off
                line = line._replace(winner=None, reason="cut")
        if spec.truth and table.outcome is not None:
            judge, past = self._judge(game), table.past(len(opening))
            line = line._replace(
                start=judge.value(past[0].before if past else table.position),
                worth=[judge.worth(*made) for made in past],
            )
        return line.dumps()

    def _seat(self, who: str, forfeit: KnownForfeit | None) -> GuardedPlayer | None:
        """Return the player for a game; None for a model, which the parent process asks."""
        if who not in self._players:
            inner = player(who)
            assert inner is not None  # the spec was checked: it has no person
            self._players[who] = GuardedPlayer(inner, self._current_turn)
        guarded = self._players[who]
        guarded.forfeit = forfeit
        return None if guarded.inner.is_remote and forfeit is None else guarded
