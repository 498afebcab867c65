"""The levels: how often each errs where it matters, in every game, and whether they differ."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import numduel
from numduel.core.game import Game
from numduel.players import Turn
from numduel.players.levels import RATES, STRICT, Level
from numduel.solver import theory_of

DECISIONS = 2000
"""Of each level at each setting."""

POSITIONS = 100
"""As many as are looked for at each setting."""

GAMES = 1000
"""Between two levels that are told apart."""

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("divisor-duel", {}),
    ("divisor-duel", {"ceiling": 100}),
    ("divisor-duel", {"divisor": 7, "ceiling": 200}),
    ("operation-duel", {}),
    ("operation-duel", {"target": 50, "operations": "+1,+2,x3"}),
    ("operation-duel", {"target": 40, "operations": "+1,-2,x2"}),
    ("divisor-line", {}),
    ("divisor-line", {"goal": "chain"}),
    ("divisor-line", {"size": 30, "goal": "chain"}),
    ("double-or-add", {}),
    ("double-or-add", {"target": 100, "start": 5}),
    ("multiplicity", {}),
    ("multiplicity", {"size": 20, "start": 2}),
    ("multiplicity", {"size": 40, "opening": "even"}),
]


class Matter(NamedTuple):
    """A position in which some moves keep what there is, and some do not."""

    position: Any
    moves: tuple[int, ...]  # that led there
    errors: set[int]


def matters(game: Game[Any], rng: Random) -> Iterator[Matter]:
    """Positions that matter, from games at random, in which each level has a free choice."""
    theory = theory_of(game)
    while True:
        position, moves = game.start(), ()
        for _ in range(rng.randint(0, 12)):
            if game.outcome(position) is None:
                moves += (rng.choice(game.moves(position)),)
                position = game.play(position, moves[-1])
        if game.outcome(position) is not None:
            continue
        verdicts = theory.evaluate(position)
        best = max(verdict.score for verdict in verdicts.values())
        errors = {move for move, verdict in verdicts.items() if verdict.score < best}
        spared = not moves and any(verdict.distance == 1 for verdict in verdicts.values())
        if errors and not spared:  # where the lower levels do not win with the first move
            yield Matter(position, moves, errors)


def rate(game: Game[Any], level: Level, found: list[Matter], decisions: int = DECISIONS) -> float:
    """How often the level errs in positions that matter."""
    erred = 0
    for count in range(decisions):
        position, moves, errors = found[count % len(found)]
        turn = Turn(game, position, 1, moves, Random(f"{game} {level.level} {count}"))
        erred += level.choose(turn) in errors
    return erred / decisions


def score(game: Game[Any], strong: Level, weak: Level, games: int = GAMES) -> float:
    """What share of their games the one wins; they begin in turn."""
    won = 0.0
    for count in range(games):
        record = numduel.play_game(game, (strong, weak), first=1 + count % 2, seed=count)
        assert record.outcome is not None
        won += {1: 1.0, 2: 0.0, None: 0.5}[record.outcome.winner]
    return won / games


def measure() -> Iterator[str]:
    """A row for each setting, a column for each level; then neighbours against each other."""
    levels = [Level(number) for number in range(len(RATES))]
    yield "errors in percent, nominal:  " + "  ".join(f"{100 * one:4.1f}" for one in RATES)
    worst = 0.0
    for key, settings in SETTINGS:
        game = numduel.new(key, **settings)
        found = matters(game, Random(1))
        positions = [next(found) for _ in range(POSITIONS)]
        row = [rate(game, level, positions) for level in levels]
        worst = max(worst, *(abs(one - level.rate) for one, level in zip(row, levels, strict=True)))
        yield f"{'  '.join(f'{100 * one:4.1f}' for one in row)}  {key} {settings or ''}"
    yield f"farthest from nominal: {100 * worst:.1f} points, of {DECISIONS:,} decisions each"
    named = [levels[0], levels[4], levels[STRICT], levels[-1]]
    for settings in ({}, {"goal": "chain"}):
        line = numduel.new("divisor-line", **settings)
        for weak, strong in pairwise(named):
            share = score(line, strong, weak)
            yield f"Divisor Line {settings or ''}: {strong.name} scores {share:.0%} of {weak.name}"
