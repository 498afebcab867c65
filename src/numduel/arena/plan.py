"""The plan of an arena: every game that is to be played, by its number, with its seed."""

from __future__ import annotations

from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from numduel.agents.problems import frozen_positions
from numduel.arena.spec import MAX_GAMES, Spec, check, label, parse_games
from numduel.core.errors import SettingsError, TooLarge
from numduel.core.explore import playout
from numduel.core.game import Game
from numduel.core.words import retraced
from numduel.games import new
from numduel.solver import theory_of

MAX_TRIES = 300
"""Maximum number of random games in which a decided position is looked for."""

MAX_OPENING_MOVES = 40
"""Maximum number of moves of an opening."""

MAX_OPENING_SOLVE_SECONDS = 1.0
"""Positions that may take longer to solve are not used as openings."""

FIRST_BENCH = "1"
"""Stands for Numduel-Bench 1 in a spec, in place of the file of a set."""


class Planned(NamedTuple):
    """A game that is to be played. Seat 1 begins."""

    number: int
    game: Game[Any]
    players: tuple[str, str]  # who sits in seat 1 and in seat 2
    opening: tuple[int, ...]
    round: int
    seed: int


class Plan:
    """The games of an arena: `plan[number]`, from 0 on, one round after the other."""

    def __init__(self, spec: Spec) -> None:
        self.spec = check(spec)
        self.games = parse_games(spec.games)
        self.pairs = tuple(combinations(spec.players, 2))
        if len(self) > MAX_GAMES:
            raise SettingsError(f"that is {len(self):,} games, more than {MAX_GAMES:,}")
        self._opening = lru_cache(4096)(self._sampled)

    def __len__(self) -> int:
        return self.spec.rounds * self._a_round

    @cached_property
    def _a_round(self) -> int:
        return len(self.games) * len(self._seats)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The text of each game and its settings, as in the spec."""
        return tuple(map(label, self.games))

    @cached_property
    def _seats(self) -> tuple[tuple[str, str], ...]:
        return tuple(seats for one, two in self.pairs for seats in ((one, two), (two, one)))

    def seats(self, number: int) -> tuple[str, str]:
        """Return who sits in seat 1 and in seat 2 of a game."""
        return self._seats[number % len(self._seats)]

    def label(self, number: int) -> str:
        """Return the text of the game and its settings."""
        return self.labels[number % self._a_round // len(self._seats)]

    def __getitem__(self, number: int) -> Planned:
        at, rest = divmod(number, self._a_round)
        setting, turn = divmod(rest, len(self._seats))
        players = self._seats[turn]
        opening = self._opening(setting, at) if self.spec.decided else ()
        seed = self._chance(self.labels[setting], at, *players)
        return Planned(number, self.games[setting], players, opening, at, seed)

    def extends(self, other: Plan) -> bool:
        """Whether it has all games of another plan; more players, games or rounds at the most."""
        mine, theirs = self.spec, other.spec
        added = mine._replace(games=theirs.games, players=theirs.players, rounds=theirs.rounds)
        return (
            added == theirs
            and mine.rounds >= theirs.rounds
            and {*mine.players} >= {*theirs.players}
            and {*self.labels} >= {*other.labels}
        )

    def number_of(self, number: int, other: Plan) -> int:
        """Return the number that a game of another plan, which this one extends, has here."""
        setting, seats = self._places[other.label(number)], self._places[other.seats(number)]
        return number // other._a_round * self._a_round + setting * len(self._seats) + seats

    @cached_property
    def _places(self) -> dict[object, int]:
        """The place of each game at its settings, and of each pair of seats."""
        return {one: at for many in (self.labels, self._seats) for at, one in enumerate(many)}

    def _chance(self, *of: object) -> int:
        """Return a seed that depends on nothing but the arena's seed and these values."""
        text = f"{self.spec.seed} {of}"
        return int.from_bytes(sha256(text.encode()).digest()[:8], "big")

    def _sampled(self, setting: int, at: int) -> tuple[int, ...]:
        """Return the opening of a round at a setting, the same for every pair and both seats."""
        rng = Random(self._chance(self.labels[setting], at, "opening"))
        found = decided_opening(self.games[setting], rng)
        if found is None:
            raise SettingsError(f"no decided position is found in {self.labels[setting]}")
        return found


class BenchPlan(Plan):
    """Each player is asked about each position of a set: games of one move, against itself."""

    def __init__(self, spec: Spec) -> None:
        self.spec = check(spec)
        self.positions = frozen_positions("" if spec.bench == FIRST_BENCH else spec.bench)[
            : spec.rounds
        ]
        self._of_each = [new(one.key, **one.settings) for one in self.positions]
        self.games = tuple(dict.fromkeys(self._of_each))

    def __len__(self) -> int:
        return len(self.positions) * len(self.spec.players)

    def seats(self, number: int) -> tuple[str, str]:
        who = self.spec.players[number % len(self.spec.players)]
        return who, who

    def label(self, number: int) -> str:
        return label(self._of_each[number // len(self.spec.players)])

    def __getitem__(self, number: int) -> Planned:
        at, seats = number // len(self.spec.players), self.seats(number)
        moves = tuple(self.positions[at].moves)
        return Planned(number, self._of_each[at], seats, moves, at, self._chance(at, seats[0]))

    def number_of(self, number: int, other: Plan) -> int:
        at = number // len(other.spec.players)
        [who, _] = other.seats(number)
        return at * len(self.spec.players) + self.spec.players.index(who)


def plan_of(spec: Spec) -> Plan:
    """Return the plan of an arena, or of a run of a bench."""
    return BenchPlan(spec) if spec.bench else Plan(spec)


def decided_opening(game: Game[Any], rng: Random) -> tuple[int, ...] | None:
    """Return random moves to a position that one side can win, but not at once; None if none.

    Such positions come from all parts of a game, won and lost for who is to move.
    """
    for _ in range(MAX_TRIES):
        steps = playout(game, rng, game.start(), MAX_OPENING_MOVES)
        moves = tuple(move for _, move in steps if move is not None)
        moves = moves[: rng.randrange(len(moves) + 1)]
        position, _ = retraced(game, 1, moves)
        if game.outcome(position) is None and _is_decided(game, position):
            return moves
    return None


def _is_decided(game: Game[Any], position: Any) -> bool:
    theory = theory_of(game)
    cost = theory.cost(position)
    if cost.once + cost.solve > MAX_OPENING_SOLVE_SECONDS:
        return False
    try:
        value, distance = theory.solve(position)
    except TooLarge:
        return False
    return value in ("win", "loss") and (distance is None or distance > 1)
