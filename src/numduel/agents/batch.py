"""Thousands of games stepped at once in NumPy.

    batch = make("multiplicity", count=4096, size=50)
    step = batch.reset(seed=1)
    step = batch.step(batch.sample())

Games are stepped by their rules over arrays (`Game.array_rules`), or in a loop if they have none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.agents.common import check_seed, game_for_vectors, not_installed
from numduel.core.array_rules import (
    NOBODY,
    UNKNOWN,
    VALUES,
    ArrayRules,
    Truth,
    map_arrays,
    put_rows,
    take_rows,
)
from numduel.core.bitset import Bitset
from numduel.core.errors import IllegalMove, SettingsError
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.play.table import TURN_LIMIT
from numduel.solver import theory_of

try:
    import numpy as np
except ModuleNotFoundError as error:
    raise not_installed("fast", error) from None

MAX_VECTOR_ENTRIES = 200_000_000
"""Maximum total number of entries in the vectors of all games."""

REWARDS = np.array([(0, 0), (1, -1), (-1, 1), (0, 0)], np.float32)
"""The rewards of seat 1 and seat 2 for each `winner` of a state."""


class StepResult(NamedTuple):
    """The state of the games after a step, and its results; each game has an entry or a row."""

    observation: Any  # the vectors of `game.encode`
    legal: Any  # whether each of `game.actions` is legal; none is if the game is over
    mover: Any  # the seat whose turn it is
    rewards: Any  # of seat 1 and of seat 2: 1 for having just won, -1 for having just lost
    terminated: Any  # whether the step ended the game by its rules
    truncated: Any  # whether the step ended the game at the turn limit
    truth: Truth | None  # the exact verdict of each action, if requested


class Batch:
    """Several games at the same settings; `game.actions[a]` is the move of action `a`.

    With `auto_reset`, a game that has ended starts again within the same step: its rewards,
    `terminated` and `truncated` are those of the old game, everything else belongs to the new one.
    Without it, the game stays as it is until `restart`, and its actions are ignored. With
    `first=None` the seat that begins is random.
    """

    def __init__(
        self,
        key: str,
        *,
        count: int,
        auto_reset: bool = True,
        verdicts: bool = False,
        turn_limit: int = TURN_LIMIT,
        first: int | None = 1,
        **settings: Any,
    ) -> None:
        """Begin `count` games with this key. Raises SettingsError if they are too large."""
        self.game = game_for_vectors(key, settings)
        check_count("count", count, self.game)
        if type(turn_limit) is not int or turn_limit < 1:
            raise SettingsError(
                f"turn_limit must be a whole number from 1, not {quoted(turn_limit)}"
            )
        if first not in (1, 2, None):
            raise SettingsError(f"first must be 1, 2 or None, not {quoted(first)}")
        self.count, self.first = count, first
        self.auto_reset, self.verdicts, self.turn_limit = auto_reset, verdicts, turn_limit
        self.rules = numpy_rules(self.game)
        self.rng = np.random.default_rng()
        self._action_count = np.uintp(len(self.game.actions))
        self._rows = np.arange(count) * len(self.game.actions)
        self._start = self._starting_states(1)
        self.reset()

    def reset(self, seed: int | None = None) -> StepResult:
        """Begin all games. The seed determines who begins and what `sample` returns."""
        check_seed(seed)
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.state = self._starting_states(self.count)
        self.turns = np.zeros(self.count, np.int32)
        self.truncated = np.zeros(self.count, bool)
        return self._reset_result()

    def restart(self, which: Any) -> StepResult:
        """Start those games again that a mask selects."""
        if np.shape(which) != (self.count,):
            raise SettingsError(f"which must be {self.count:,} flags, one for each game")
        self._restart(rows := np.flatnonzero(which))
        self.truncated = self.truncated.copy()
        self.truncated[rows] = False
        return self._reset_result()

    def _reset_result(self) -> StepResult:
        self._stopped = np.flatnonzero(self.over)  # the games whose actions are ignored
        return self._step_result(np.zeros(self.count, np.int8), np.zeros(self.count, bool))

    def _restart(self, rows: Any) -> None:
        start = self._start if self.first else self._starting_states(len(rows))
        put_rows(self.state, rows, start)
        self.turns[rows] = 0

    def step(self, actions: Any) -> StepResult:
        """Take an action in each game that is not over.

        Raises IllegalMove if one of the actions is not legal; then no game has changed.
        """
        stopped = self._stopped
        actions, before = self._checked_actions(actions), self.state
        self.state = self.rules.after(before, actions)
        self.turns += 1
        winner = self.state.winner.copy()
        truncated = (self.turns >= self.turn_limit) & (winner == 0)
        if stopped.size:
            put_rows(self.state, stopped, take_rows(before, stopped))
            winner[stopped], truncated[stopped] = 0, False
        ended = np.flatnonzero(winner.astype(bool) | truncated)
        if self.auto_reset:
            self._restart(ended)
        else:
            self.truncated = self.truncated | truncated
            self._stopped = np.append(stopped, ended)
        return self._step_result(winner, truncated)

    @property
    def over(self) -> Any:
        """Whether each game is over."""
        return (self.state.winner != 0) | self.truncated

    def sample(self) -> Any:
        """Return a random legal action for each game; 0 if the game is over."""
        legal = self.legal
        if legal.all():
            return self.rng.integers(0, legal.shape[1], self.count)
        counts = np.count_nonzero(legal, axis=1)
        places = (self.rng.random(self.count) * counts).astype(np.intp)
        all_legal = np.append(np.flatnonzero(legal), 0)  # of game after game; 0 for clipped indices
        picked = all_legal.take(counts.cumsum() - counts + places, mode="clip")
        return np.where(counts, picked - self._rows, 0)

    def position(self, row: int) -> Any:
        """Return the position of one of the games."""
        return self.rules.position(take_rows(self.state, row))

    def _starting_states(self, count: int) -> Any:
        seats = self.rng.integers(1, 3, count) if self.first is None else np.full(count, self.first)
        return starting_states(self.rules, seats)

    def _step_result(self, winner: Any, truncated: Any) -> StepResult:
        self.legal = self.rules.legal(self.state)
        if self.truncated.any():
            self.legal &= ~self.truncated[:, None]
        return StepResult(
            self.rules.encode(self.state),
            self.legal,
            self.state.mover.copy(),
            REWARDS.take(winner, axis=0),
            winner != 0,
            truncated,
            self._truth() if self.verdicts else None,
        )

    def _truth(self) -> Truth:
        truth = self.rules.truth(self.state) or self._truth_by_theory()
        for array in truth:
            array[self.truncated] = UNKNOWN
        return truth

    def _truth_by_theory(self) -> Truth:
        positions = [self.position(row) for row in range(self.count)]
        unique = list(dict.fromkeys(positions))
        verdicts = dict(zip(unique, theory_of(self.game).evaluate_many(unique), strict=True))
        actions = self.game.actions
        values = np.full((self.count, len(actions)), UNKNOWN, np.int8)
        distances = np.full(values.shape, UNKNOWN, np.int64)
        for row, position in enumerate(positions):
            for move, (value, distance) in verdicts[position].items():
                values[row, actions.index(move)] = VALUES.index(value)
                if distance is not None:
                    distances[row, actions.index(move)] = distance
        return Truth(values, distances)

    def _checked_actions(self, actions: Any) -> Any:
        """Return the actions, with 0 in games that are over. Raises IllegalMove."""
        actions = np.asarray(actions)
        if actions.shape != (self.count,) or actions.dtype.kind not in "iu":
            raise IllegalMove(
                None, None, f"actions must be {self.count:,} whole numbers, one for each game"
            )
        actions = actions.astype(np.intp)
        actions[self._stopped] = 0
        in_range = actions.view(np.uintp) < self._action_count  # negative ones become huge
        allowed = self.legal.ravel().take(actions + self._rows, mode="clip") & in_range
        allowed[self._stopped] = True
        if not allowed.all():
            row = int(allowed.argmin())
            raise self._illegal_move(row, int(actions[row]))
        return actions

    def _illegal_move(self, row: int, action: int) -> IllegalMove:
        position, actions = self.position(row), self.game.actions
        if not 0 <= action < len(actions):
            why = f"there is no action {action}: they are 0 to {len(actions) - 1}"
            return IllegalMove(action, position, why, f"game {row}: {why}")
        move = actions[action]
        try:
            self.game.play(position, move)
        except IllegalMove as error:
            return IllegalMove(move, position, error.why, f"game {row}: {error}")
        raise AssertionError(f"the arrays of {self.game.title} differ from its rules")


make = Batch


def check_count(name: str, count: object, game: Game[Any]) -> None:
    """Raise SettingsError if `count` is not a valid number of games, or too large."""
    max_count = MAX_VECTOR_ENTRIES // max(len(game.actions), game.encoding.length)
    if type(count) is not int or not 1 <= count <= max_count:
        allowed = f"a whole number from 1 to {max_count:,}"
        raise SettingsError(f"{name} must be {allowed}, not {quoted(count)}")


class LoopState(NamedTuple):
    positions: Any
    mover: Any
    winner: Any


class LoopRules(ArrayRules):
    """Array rules for games that have none of their own: a loop over positions."""

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game, np, word_bits=64)

    def begin(self, first: Any) -> LoopState:
        return self._state_of([self.game.begin(seat) for seat in first.tolist()])

    def moves(self, state: LoopState) -> Bitset:
        first_move = self.game.actions.start
        legal = ([move - first_move for move in self.game.moves(one)] for one in state.positions)
        return self.sets.table(legal)

    def after(self, state: LoopState, action: Any) -> LoopState:
        game = self.game
        moves = (game.actions[one] for one in action.tolist())
        return self._state_of(
            [
                game.after(position, move) if game.allows(position, move) else position
                for position, move in zip(state.positions, moves, strict=True)
            ]
        )

    def _state_of(self, positions: list[Any]) -> LoopState:
        array = np.empty(len(positions), object)
        for row, position in enumerate(positions):  # np.array would unpack tuples
            array[row] = position
        outcomes = [self.game.outcome(position) for position in positions]
        winners = [0 if one is None else one.winner or NOBODY for one in outcomes]
        movers = [position.mover for position in positions]
        return LoopState(array, np.array(movers, np.int8), np.array(winners, np.int8))

    def encode(self, state: LoopState) -> Any:
        return np.array([self.game.encode(one) for one in state.positions], self.encoded)

    def position(self, state: LoopState) -> Any:
        return state.positions


def numpy_rules(game: Game[Any]) -> ArrayRules:
    """Return the rules of a game over NumPy arrays: its own, or a loop."""
    return game.array_rules(np, word_bits=64) or LoopRules(game)


def starting_states(rules: ArrayRules, seats: Any) -> Any:
    """Return the states in which these seats move first, as writable arrays."""
    return map_arrays(np.array, rules.begin(np.asarray(seats, np.int8)))
