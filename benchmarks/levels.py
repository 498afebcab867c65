"""How strong the levels are: each against the one before, over all games and several settings."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numduel
from numduel.core.game import Game
from numduel.players import COMPUTERS, player
from numduel.players.player import Turn

GAMES = 40
LIMIT = 200

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("divisor-duel", {}),
    ("divisor-duel", {"ceiling": 100}),
    ("divisor-duel", {"divisor": 7, "ceiling": 200}),
    ("operation-duel", {}),
    ("operation-duel", {"target": 50, "operations": "+1,+2,x3"}),
    ("divisor-line", {}),
    ("divisor-line", {"goal": "chain"}),
    ("double-or-add", {}),
    ("double-or-add", {"target": 100, "start": 5}),
    ("multiplicity", {"start": 2}),
    ("multiplicity", {"size": 40, "opening": "even"}),
]


def match(game: Game[Any], strong: str, weak: str, games: int) -> tuple[int, int, int]:
    """Wins of the one, wins of the other, undecided; they begin in turn."""
    players = {1: player(strong), 2: player(weak)}
    counts = {1: 0, 2: 0, None: 0}
    for count in range(games):
        rng = Random(f"{strong} {weak} {count}")
        position = game.start(1 + count % 2)
        turns = 0
        while (outcome := game.outcome(position)) is None and turns < LIMIT:
            chooser = players[position.mover]
            assert chooser is not None
            position = game.play(position, chooser.choose(Turn(game, position, 1, (), rng)))
            turns += 1
        counts[outcome.winner if outcome else None] += 1
    return counts[1], counts[2], counts[None]


def measure() -> Iterator[str]:
    """A row for each setting, a column for each pair of neighbours, and the sums."""
    pairs = list(zip(COMPUTERS[1:], COMPUTERS, strict=False))
    totals = {pair: [0, 0, 0] for pair in pairs}
    yield "wins-losses-undecided: " + ", ".join(f"{a} against {b}" for a, b in pairs)
    for key, settings in SETTINGS:
        game = numduel.new(key, **settings)
        row = [match(game, *pair, GAMES) for pair in pairs]
        for pair, result in zip(pairs, row, strict=True):
            totals[pair] = [old + new for old, new in zip(totals[pair], result, strict=True)]
        results = "  ".join("{}-{}-{}".format(*result) for result in row)
        yield f"{key} {settings or ''}: {results}"
    for (strong, weak), (won, lost, undecided) in totals.items():
        share = (won + undecided / 2) / (won + lost + undecided)
        yield f"all: {strong} scores {share:.0%} against {weak}"
