"""The plan of an arena: every game that is to be played, by its number, all chance included."""

from __future__ import annotations

from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from numduel.arena.asked import MOST_GAMES, Asked, check, label, settled
from numduel.core.errors import SettingsError, TooLarge
from numduel.core.game import Game
from numduel.solver import theory_of

TRIES = 300
"""Games at random in which a decided position is looked for."""

LONGEST_OPENING = 40
"""Moves of an opening."""

SECONDS = 1.0
"""Positions that take longer to solve, on a slow machine, are no openings."""


class Planned(NamedTuple):
    """A game that is to be played. Seat 1 begins."""

    number: int
    game: Game[Any]
    players: tuple[str, str]  # who sits in seat 1 and in seat 2
    opening: tuple[int, ...]
    round: int
    seed: int


class Plan:
    """The games of an arena: `plan[number]`, from 0 on. The rounds come one after the other."""

    def __init__(self, asked: Asked) -> None:
        self.asked = check(asked)
        self.games = settled(asked.games)
        self.pairs = tuple(combinations(asked.players, 2))
        if len(self) > MOST_GAMES:
            raise SettingsError(f"that is {len(self):,} games, more than {MOST_GAMES:,}")
        self._opening = lru_cache(4096)(self._sampled)

    def __len__(self) -> int:
        return self.asked.rounds * self._a_round

    @cached_property
    def _a_round(self) -> int:
        return len(self.games) * len(self._seats)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Each game at its settings, as it is asked for."""
        return tuple(map(label, self.games))

    @cached_property
    def _seats(self) -> tuple[tuple[str, str], ...]:
        return tuple(seats for one, two in self.pairs for seats in ((one, two), (two, one)))

    def seats(self, number: int) -> tuple[str, str]:
        """Who sits in seat 1 and in seat 2 of a game."""
        return self._seats[number % len(self._seats)]

    def label(self, number: int) -> str:
        """The game that is played, and its settings, as they are asked for."""
        return self.labels[number % self._a_round // len(self._seats)]

    def __getitem__(self, number: int) -> Planned:
        at, rest = divmod(number, self._a_round)
        setting, turn = divmod(rest, len(self._seats))
        players = self._seats[turn]
        opening = self._opening(setting, at) if self.asked.decided else ()
        seed = self._chance(self.labels[setting], at, *players)
        return Planned(number, self.games[setting], players, opening, at, seed)

    def _chance(self, *of: object) -> int:
        """A seed for something: the same whatever else is played in this arena."""
        text = f"{self.asked.seed} {of}"
        return int.from_bytes(sha256(text.encode()).digest()[:8], "big")

    def _sampled(self, setting: int, at: int) -> tuple[int, ...]:
        """The opening of a round at a setting: the same for every pair, from both seats."""
        rng = Random(self._chance(self.labels[setting], at, "opening"))
        found = decided_opening(self.games[setting], rng)
        if found is None:
            raise SettingsError(f"no decided position is found in {self.labels[setting]}")
        return found


def decided_opening(game: Game[Any], rng: Random) -> tuple[int, ...] | None:
    """Moves at random to a position that one side can win, but not at once; None if none is found.

    Whatever is found as often as not: positions early and late in a game, won and lost.
    """
    for _ in range(TRIES):
        moves = _playout(game, rng)
        moves = moves[: rng.randrange(len(moves) + 1)]
        position = game.start()
        for move in moves:
            position = game.after(position, move)
        if game.outcome(position) is None and _is_decided(game, position):
            return moves
    return None


def _playout(game: Game[Any], rng: Random) -> tuple[int, ...]:
    moves: tuple[int, ...] = ()
    position = game.start()
    while len(moves) < LONGEST_OPENING and game.outcome(position) is None:
        moves += (rng.choice(game.moves(position)),)
        position = game.after(position, moves[-1])
    return moves


def _is_decided(game: Game[Any], position: Any) -> bool:
    theory = theory_of(game)
    cost = theory.cost(position)
    if cost.once + cost.solve > SECONDS:
        return False
    try:
        value, distance = theory.solve(position)
    except TooLarge:
        return False
    return value in ("win", "loss") and (distance is None or distance > 1)
