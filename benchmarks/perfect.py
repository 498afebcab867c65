"""The perfect player: 1,000 wins of 1,000 from won positions, and no loss of an endless one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numduel
from numduel.core.game import Game
from numduel.players.perfect import Perfect
from numduel.players.player import Player, RandomPlayer, Turn

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


def play_out(game: Game[Any], position: Any, players: dict[int, Player], rng: Random) -> int | None:
    """Who wins from a position; None after 1,000 turns."""
    for _ in range(LIMIT):
        outcome = game.outcome(position)
        if outcome is not None:
            return outcome.winner
        turn = Turn(game, position, 1, (), rng)
        position = game.play(position, players[position.mover].choose(turn))
    return None


def positions(game: Game[Any], value: str, rng: Random) -> Iterator[Any]:
    """Random positions of that value for the player to move."""
    while True:
        position = game.start()
        for _ in range(rng.randint(0, 8)):
            moves = game.moves(position)
            if moves:
                position = game.play(position, rng.choice(moves))
        if game.outcome(position) is None and numduel.solve(game, position).value == value:
            yield position


def measure() -> Iterator[str]:
    """Against random players from won positions; against itself from endless ones."""
    perfect = Perfect()
    for key, settings in SETTINGS:
        game, rng = numduel.new(key, **settings), Random(1)
        found = positions(game, "win", rng)
        won = 0
        for _ in range(GAMES):
            position = next(found)
            players: dict[int, Player] = {1: RandomPlayer(), 2: RandomPlayer()}
            players[position.mover] = perfect
            won += play_out(game, position, players, rng) == position.mover
        yield f"{key} {settings or ''}: {won} of {GAMES} won positions won"
    game, rng = numduel.new("divisor-duel"), Random(2)
    endless = positions(game, "endless", rng)
    ended = sum(
        play_out(game, next(endless), {1: perfect, 2: perfect}, rng) is not None for _ in range(20)
    )
    yield f"perfect against perfect from 20 endless positions: {ended} ended within {LIMIT} turns"
