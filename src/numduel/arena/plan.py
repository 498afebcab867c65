"""The plan of an arena: every game to play, with its number and its seed."""

from __future__ import annotations

from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from numduel.agents.problems import frozen_positions
from numduel.arena.spec import MAX_GAMES, Spec, check_spec, game_text, parse_games
from numduel.core.errors import SettingsError, TooLarge
from numduel.core.explore import playout
from numduel.core.game import Game
from numduel.core.words import replay_moves
from numduel.games import new
from numduel.solver import theory_of

MAX_TRIES = 300
"""Maximum number of random games that are searched for a decided position."""

MAX_OPENING_MOVES = 40

MAX_OPENING_SOLVE_SECONDS = 1.0
"""Positions that may take longer to solve are not used as openings."""

FIRST_BENCH = "1"
"""The value of a spec's `bench` that means Numduel-Bench 1 instead of a file."""


class PlannedGame(NamedTuple):
    """A game to play. Seat 1 begins."""

    number: int
    game: Game[Any]
    players: tuple[str, str]  # in seat 1 and in seat 2
    opening: tuple[int, ...]
    round: int
    seed: int


class Plan:
    """The games of an arena, numbered from 0, one round after the other: `plan[number]`."""

    def __init__(self, spec: Spec) -> None:
        check_spec(spec)
        self.spec = spec
        self.games = parse_games(spec.games)
        if len(self) > MAX_GAMES:
            raise SettingsError(f"that is {len(self):,} games, more than {MAX_GAMES:,}")
        self._opening = lru_cache(4096)(self._sample_opening)

    def __len__(self) -> int:
        return self.spec.rounds * self._games_per_round

    @cached_property
    def _games_per_round(self) -> int:
        return len(self.games) * len(self._seats)

    @cached_property
    def game_texts(self) -> tuple[str, ...]:
        """Each game and its settings as text, as in the spec."""
        return tuple(map(game_text, self.games))

    @cached_property
    def _seats(self) -> tuple[tuple[str, str], ...]:
        pairs = combinations(self.spec.players, 2)
        return tuple(seats for one, two in pairs for seats in ((one, two), (two, one)))

    def seats(self, number: int) -> tuple[str, str]:
        """Return the players in seat 1 and in seat 2 of a game."""
        return self._seats[number % len(self._seats)]

    def game_text(self, number: int) -> str:
        """Return a game and its settings as text."""
        return self.game_texts[number % self._games_per_round // len(self._seats)]

    def __getitem__(self, number: int) -> PlannedGame:
        round_, rest = divmod(number, self._games_per_round)
        place = rest // len(self._seats)
        players = self.seats(number)
        opening = self._opening(place, round_) if self.spec.decided else ()
        seed = self._seed(self.game_texts[place], round_, *players)
        return PlannedGame(number, self.games[place], players, opening, round_, seed)

    def extends(self, other: Plan) -> bool:
        """Whether this plan is the other one with players, games or rounds added, or none."""
        mine, theirs = self.spec, other.spec
        added = mine._replace(games=theirs.games, players=theirs.players, rounds=theirs.rounds)
        return (
            added == theirs
            and mine.rounds >= theirs.rounds
            and {*mine.players} >= {*theirs.players}
            and {*self.game_texts} >= {*other.game_texts}
        )

    def number_of(self, number: int, other: Plan) -> int:
        """Return the number in this plan of a game of another plan, which this plan extends."""
        round_ = number // other._games_per_round
        game, seats = self._indices[other.game_text(number)], self._indices[other.seats(number)]
        return round_ * self._games_per_round + game * len(self._seats) + seats

    @cached_property
    def _indices(self) -> dict[object, int]:
        """The index of each game's text in `game_texts`, and of each pair of seats in `_seats`."""
        lists = (self.game_texts, self._seats)
        return {entry: index for entries in lists for index, entry in enumerate(entries)}

    def _seed(self, *values: object) -> int:
        """Return a seed that depends only on the arena's seed and these values."""
        text = f"{self.spec.seed} {values}"
        return int.from_bytes(sha256(text.encode()).digest()[:8], "big")

    def _sample_opening(self, place: int, round_: int) -> tuple[int, ...]:
        """Return the opening of a game in a round. It is the same for all pairs and both seats."""
        rng = Random(self._seed(self.game_texts[place], round_, "opening"))
        return decided_opening(self.games[place], rng)


class BenchPlan(Plan):
    """The games of a bench: each player makes a single move from each position of a set."""

    def __init__(self, spec: Spec) -> None:
        check_spec(spec)
        self.spec = spec
        file = "" if spec.bench == FIRST_BENCH else spec.bench
        self.positions = frozen_positions(file)[: spec.rounds]
        self._position_games = [new(line.key, **line.settings) for line in self.positions]
        self.games = tuple(dict.fromkeys(self._position_games))

    def __len__(self) -> int:
        return len(self.positions) * len(self.spec.players)

    def seats(self, number: int) -> tuple[str, str]:
        who = self.spec.players[number % len(self.spec.players)]
        return who, who

    def game_text(self, number: int) -> str:
        return game_text(self._position_games[number // len(self.spec.players)])

    def __getitem__(self, number: int) -> PlannedGame:
        place, seats = number // len(self.spec.players), self.seats(number)
        game, moves = self._position_games[place], tuple(self.positions[place].moves)
        return PlannedGame(number, game, seats, moves, place, self._seed(place, seats[0]))

    def number_of(self, number: int, other: Plan) -> int:
        place = number // len(other.spec.players)
        [who, _] = other.seats(number)
        return place * len(self.spec.players) + self.spec.players.index(who)


def make_plan(spec: Spec) -> Plan:
    """Return the plan of an arena or of a bench."""
    return BenchPlan(spec) if spec.bench else Plan(spec)


def decided_opening(game: Game[Any], rng: Random) -> tuple[int, ...]:
    """Return random moves to a position, from any part of a game, that one side can win later.

    Raises SettingsError if none is found.
    """
    for _ in range(MAX_TRIES):
        steps = playout(game, rng, game.start(), MAX_OPENING_MOVES)
        moves = tuple(move for _, move in steps if move is not None)
        moves = moves[: rng.randrange(len(moves) + 1)]
        position, _ = replay_moves(game, 1, moves)
        if game.outcome(position) is None and _is_decided(game, position):
            return moves
    raise SettingsError(f"no decided position was found in {game_text(game)}")


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
