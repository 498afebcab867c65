"""Thousands of games stepped at once, in NumPy.

    batch = make("multiplicity", count=4096, size=50)
    step = batch.reset(seed=1)
    step = batch.step(batch.sample())

A game is played by its rules over arrays (`Game.array_rules`); one that has none, by a loop.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.agents.common import carried, check_seed, not_installed
from numduel.core.array_rules import (
    NOBODY,
    UNKNOWN,
    VALUES,
    ArrayRules,
    Truth,
    at,
    mapped,
    put,
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
"""Maximum number of entries that the vectors of all games may have together."""

REWARDS = np.array([(0, 0), (1, -1), (-1, 1), (0, 0)], np.float32)
"""The rewards of seat 1 and of seat 2, by the winner."""


class StepResult(NamedTuple):
    """Where the games stand and what the last step brought; each game has an entry or a row."""

    observation: Any  # the vectors of `game.encode`
    legal: Any  # whether each of `game.actions` is legal; none is in a game that is over
    mover: Any  # the seat whose turn it is
    rewards: Any  # of seat 1 and of seat 2: 1 for having just won, -1 for having just lost
    terminated: Any  # whether the step ended the game by its rules
    truncated: Any  # whether the step ended it by the limit of turns
    truth: Truth | None  # the exact verdict of each action, if asked for


class Batch:
    """A number of games of one kind, side by side; `game.actions[a]` is the move of action `a`.

    With `auto_reset` a game that has ended begins anew within the same step: rewards and ends are
    those of the old game, everything else is of the new one. Without it, the game stands still
    until `restart`, and its actions are ignored. With `first=None` chance decides who begins.
    """

    def __init__(
        self,
        game: Game[Any],
        count: int,
        *,
        auto_reset: bool = True,
        verdicts: bool = False,
        turn_limit: int = TURN_LIMIT,
        first: int | None = 1,
    ) -> None:
        self.game, self.count = game, count
        self.auto_reset, self.verdicts, self.turn_limit = auto_reset, verdicts, turn_limit
        self.first = first
        self.rules = numpy_rules(game)
        self.rng = np.random.default_rng()
        self._action_count = np.uintp(len(game.actions))
        self._rows = np.arange(count) * len(game.actions)
        self._fresh = self._begun(1)
        self.reset()

    def reset(self, seed: int | None = None) -> StepResult:
        """Begin all games. The same seed repeats who begins and what `sample` returns."""
        check_seed(seed)
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.state = self._begun(self.count)
        self.turns = np.zeros(self.count, np.int32)
        self.truncated = np.zeros(self.count, bool)
        return self._begun_step()

    def restart(self, which: Any) -> StepResult:
        """Begin anew the games that a mask selects."""
        if np.shape(which) != (self.count,):
            raise SettingsError(f"which must be {self.count:,} flags, one for each game")
        self._restart(rows := np.flatnonzero(which))
        self.truncated = self.truncated.copy()
        self.truncated[rows] = False
        return self._begun_step()

    def _begun_step(self) -> StepResult:
        self._standing = np.flatnonzero(self.over)  # the games in which no action is taken
        none = np.zeros(self.count, np.int8)
        return self._step(none, none != 0)

    def _restart(self, rows: Any) -> None:
        put(self.state, rows, self._begun(len(rows)) if self.first is None else self._fresh)
        self.turns[rows] = 0

    def step(self, actions: Any) -> StepResult:
        """Take an action in each game that is not over.

        Raises IllegalMove, and takes none, if one of them is not legal.
        """
        standing = self._standing
        actions, before = self._checked(actions, standing), self.state
        self.state = self.rules.after(before, actions)
        self.turns += 1
        winner = self.state.winner.copy()
        late = (self.turns >= self.turn_limit) & (winner == 0)
        if standing.size:
            put(self.state, standing, at(before, standing))
            winner[standing], late[standing] = 0, False
        ended = np.flatnonzero(winner.astype(bool) | late)
        if self.auto_reset:
            self._restart(ended)
        else:
            self.truncated = self.truncated | late
            self._standing = np.append(standing, ended)
        return self._step(winner, late)

    @property
    def over(self) -> Any:
        """Whether each game is over."""
        return (self.state.winner != 0) | self.truncated

    def sample(self) -> Any:
        """Return a random legal action for each game; 0 for one that is over."""
        legal = self.legal
        if legal.all():
            return self.rng.integers(0, legal.shape[1], self.count)
        counts = np.count_nonzero(legal, axis=1)
        chance = (self.rng.random(self.count) * counts).astype(np.intp)
        found = np.append(np.flatnonzero(legal), 0)  # game after game, and one to be clipped to
        picked = found.take(counts.cumsum() - counts + chance, mode="clip")
        return np.where(counts, picked - self._rows, 0)

    def position(self, row: int) -> Any:
        """Return the position of one of the games."""
        return self.rules.position(at(self.state, row))

    def _begun(self, count: int) -> Any:
        seats = self.rng.integers(1, 3, count) if self.first is None else np.full(count, self.first)
        return begun(self.rules, seats)

    def _step(self, winner: Any, late: Any) -> StepResult:
        self.legal = self.rules.legal(self.state)
        if self.truncated.any():
            self.legal &= ~self.truncated[:, None]
        return StepResult(
            self.rules.encode(self.state),
            self.legal,
            self.state.mover.copy(),
            REWARDS.take(winner, axis=0),
            winner != 0,
            late,
            self._truth() if self.verdicts else None,
        )

    def _truth(self) -> Truth:
        found = self.rules.truth(self.state) or self._asked()
        for array in found:
            array[self.truncated] = UNKNOWN
        return found

    def _asked(self) -> Truth:
        """Return the verdicts that the game's theory gives."""
        positions = [self.position(row) for row in range(self.count)]
        different = list(dict.fromkeys(positions))
        found = theory_of(self.game).evaluate_many(different)
        known = dict(zip(different, found, strict=True))
        actions = self.game.actions
        values = np.full((self.count, len(actions)), UNKNOWN, np.int8)
        distances = np.full(values.shape, UNKNOWN, np.int64)
        for row, position in enumerate(positions):
            for move, (value, distance) in known[position].items():
                values[row, actions.index(move)] = VALUES.index(value)
                if distance is not None:
                    distances[row, actions.index(move)] = distance
        return Truth(values, distances)

    def _checked(self, actions: Any, standing: Any) -> Any:
        actions = np.asarray(actions)
        if actions.shape != (self.count,) or actions.dtype.kind not in "iu":
            raise IllegalMove(
                None, None, f"actions must be {self.count:,} whole numbers, one for each game"
            )
        actions = actions.astype(np.intp)
        if standing.size:
            actions[standing] = 0
        inside = actions.view(np.uintp) < self._action_count  # below 0 is far above it
        allowed = self.legal.ravel().take(actions + self._rows, mode="clip") & inside
        if standing.size:
            allowed[standing] = True
        if not allowed.all():
            row = int(allowed.argmin())
            raise self._refusal(row, int(actions[row]))
        return actions

    def _refusal(self, row: int, action: int) -> IllegalMove:
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


def make(
    key: str,
    *,
    count: int,
    auto_reset: bool = True,
    verdicts: bool = False,
    turn_limit: int = TURN_LIMIT,
    first: int | None = 1,
    **settings: Any,
) -> Batch:
    """Return `count` games of that key. Raises SettingsError if they do not fit."""
    game = carried(key, settings)
    check_count("count", count, game)
    if type(turn_limit) is not int or turn_limit < 1:
        raise SettingsError(f"turn_limit must be a whole number from 1, not {quoted(turn_limit)}")
    if first not in (1, 2, None):
        raise SettingsError(f"first must be 1, 2 or None, not {quoted(first)}")
    return Batch(
        game,
        count,
        auto_reset=auto_reset,
        verdicts=verdicts,
        turn_limit=turn_limit,
        first=first,
    )


def check_count(name: str, count: object, game: Game[Any]) -> None:
    """Raise SettingsError if `count` is no number of games, or more than there is room for."""
    most = MAX_VECTOR_ENTRIES // max(len(game.actions), game.encoding.length)
    if type(count) is not int or not 1 <= count <= most:
        allowed = f"a whole number from 1 to {most:,}"
        raise SettingsError(f"{name} must be {allowed}, not {quoted(count)}")


class LoopState(NamedTuple):
    positions: Any
    mover: Any
    winner: Any


class LoopRules(ArrayRules):
    """The rules of a game that has none over arrays: one position after the other."""

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game, np, word_bits=64)

    def begin(self, first: Any) -> LoopState:
        return self._state([self.game.begin(seat) for seat in first.tolist()])

    def moves(self, state: LoopState) -> Bitset:
        least = self.game.actions.start
        legal = ([move - least for move in self.game.moves(one)] for one in state.positions)
        return self.sets.table(legal)

    def after(self, state: LoopState, action: Any) -> LoopState:
        game = self.game
        moves = (game.actions[one] for one in action.tolist())
        return self._state(
            [
                game.after(position, move) if game.allows(position, move) else position
                for position, move in zip(state.positions, moves, strict=True)
            ]
        )

    def _state(self, positions: list[Any]) -> LoopState:
        kept = np.empty(len(positions), object)
        for row, position in enumerate(positions):
            kept[row] = position
        outcomes = [self.game.outcome(position) for position in positions]
        winners = [0 if one is None else one.winner or NOBODY for one in outcomes]
        movers = [position.mover for position in positions]
        return LoopState(kept, np.array(movers, np.int8), np.array(winners, np.int8))

    def encode(self, state: LoopState) -> Any:
        return np.array([self.game.encode(one) for one in state.positions], self.encoded)

    def position(self, state: LoopState) -> Any:
        return state.positions


def numpy_rules(game: Game[Any]) -> ArrayRules:
    """Return the rules of a game over NumPy's arrays: its own, or a loop."""
    return game.array_rules(np, word_bits=64) or LoopRules(game)


def begun(rules: ArrayRules, seats: Any) -> Any:
    """Return the states in which these seats move first, in arrays that may be written to."""
    return mapped(np.array, rules.begin(np.asarray(seats, np.int8)))
