"""The perfect player: it gives nothing away, and is fast enough at any size."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numduel
from benchmarks.clock import seconds
from numduel.core.explore import playout
from numduel.core.game import Game
from numduel.players import Player, Turn, player
from numduel.players.perfect import Perfect

GAMES = 1000
LIMIT = 1000

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("divisor-duel", {}),
    ("divisor-duel", {"ceiling": 200}),
    ("operation-duel", {"target": 40}),
    ("double-or-add", {"target": 42}),
    ("divisor-line", {}),
    ("divisor-line", {"goal": "chain"}),
    ("multiplicity", {"start": 2}),
]

LARGE: list[tuple[str, dict[str, Any], tuple[int, ...]]] = [
    ("multiplicity", {"size": 300, "start": 6}, ()),
    ("multiplicity", {"size": 5_000, "start": 6}, ()),
    ("multiplicity", {"size": 20_000, "start": 6}, ()),
    ("multiplicity", {"size": 1_000_000}, ()),
    ("multiplicity", {"size": 1_000_000}, (2,)),
    ("divisor-line", {"size": 1_000}, (501, 999, 997)),
    ("divisor-line", {"size": 10_000}, (5_001, 9_999, 9_997)),
    ("divisor-line", {"size": 1_000_000}, (500_001, 999_999, 999_997)),
    ("divisor-line", {"size": 100, "goal": "chain"}, ()),
    ("divisor-line", {"size": 1_000_000, "goal": "chain"}, (8, 2)),
    ("operation-duel", {"target": 100_000, "operations": "+1,-2,x3"}, ()),
    ("operation-duel", {"target": 100_000_000, "operations": "+1,-2,x3"}, ()),
    ("divisor-duel", {"ceiling": 10**900}, ()),
]


def play_out(game: Game[Any], position: Any, players: dict[int, Player], rng: Random) -> int | None:
    """Return the winner of a game from a position; None after LIMIT turns."""
    for _ in range(LIMIT):
        outcome = game.outcome(position)
        if outcome is not None:
            return outcome.winner
        turn = Turn(game, position, 1, (), rng, seconds=2.0)
        position = game.play(position, players[position.mover].choose(turn))
    return None


def positions(game: Game[Any], value: str, rng: Random) -> Iterator[Any]:
    """Yield random positions of this value for the mover."""
    while True:
        *_, (position, _) = playout(game, rng, game.start(), rng.randint(0, 8))
        if game.outcome(position) is None and numduel.solve(game, position).value == value:
            yield position


def first_answer(key: str, settings: dict[str, Any], moves: tuple[int, ...], given: float) -> float:
    """Return the seconds of the first answer in a game for which nothing is cached."""
    game = numduel.new(key, **settings)
    position = game.start()
    for move in moves:
        position = game.play(position, move)
    turn = Turn(game, position, 1, moves, Random(1), seconds=given)
    return seconds(lambda: Perfect().choose(turn))


def measure() -> Iterator[str]:
    """Play against random from won positions and against itself from endless ones; time answers."""
    for key, settings, moves in LARGE:
        took = [first_answer(key, settings, moves, given) for given in (2.0, 0.0)]
        after = f" after {moves}" if moves else ""
        row = f"{took[0]:.2f} s of 2, {took[1]:.2f} s of 0"
        yield f"{key} {settings}{after}: {row}".replace(str(10**900), "10**900")
    rivals = {"perfect": Perfect(), "random": player("random")}
    for key, settings in SETTINGS:
        game, rng = numduel.new(key, **settings), Random(1)
        found = positions(game, "win", rng)
        won = 0
        for _ in range(GAMES):
            position = next(found)
            players: dict[int, Any] = dict.fromkeys((1, 2), rivals["random"])
            players[position.mover] = rivals["perfect"]
            won += play_out(game, position, players, rng) == position.mover
        yield f"{key} {settings or ''}: {won} of {GAMES} won positions won"
    game, rng = numduel.new("divisor-duel"), Random(2)
    endless = positions(game, "endless", rng)
    both: dict[int, Player] = dict.fromkeys((1, 2), Perfect())
    ended = sum(play_out(game, next(endless), both, rng) is not None for _ in range(20))
    yield f"perfect against perfect from 20 endless positions: {ended} ended within {LIMIT} turns"
