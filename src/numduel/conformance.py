"""What every game must keep to, as checks that anybody's test suite can run.

    import pytest
    from numduel import conformance
    from take_away import TakeAway

    @pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
    def test_take_away_conforms(check):
        check(TakeAway())

Each check takes a game at some settings and raises AssertionError where the game breaks a rule.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from numduel.core.errors import IllegalMove, SettingsError
from numduel.core.game import CALLED, Game, Outcome, P
from numduel.core.record import Record, loads
from numduel.core.scene import Scene

_GAMES = 20  # random games to look at
_TURNS = 60  # of which at most this many turns each


class Perft(NamedTuple):
    """What lies at one depth of a game."""

    sequences: int  # how many sequences of moves lead there
    positions: int  # how many different positions they reach


def perft(game: Game[P], depth: int) -> list[Perft]:
    """The counts at each depth from 0 to `depth`."""
    level: Counter[P] = Counter([game.start()])
    counts = [Perft(1, 1)]
    for _ in range(depth):
        following: Counter[P] = Counter()
        for position, ways in level.items():
            for move in game.moves(position):
                following[game.play(position, move)] += ways
        level = following
        counts.append(Perft(level.total(), len(level)))
    return counts


def random_game(game: Game[P], rng: Random, turns: int = _TURNS) -> Iterator[tuple[P, int | None]]:
    """Each position of a game of random moves, with the move made there; None at the last."""
    position = game.start(rng.choice((1, 2)))
    for _ in range(turns):
        moves = game.moves(position)
        if not moves:
            break
        move = rng.choice(moves)
        yield position, move
        position = game.play(position, move)
    yield position, None


def _visited(game: Game[P]) -> Iterator[P]:
    for seed in range(_GAMES):
        for position, _ in random_game(game, Random(seed)):
            yield position


def names_itself(game: Game[Any]) -> None:
    """The key is a word for the command line, and there are words for people."""
    assert game.key and game.key == game.key.lower() and " " not in game.key, game.key
    for name in ("title", "summary", "rules"):
        assert getattr(game, name).strip(), f"{name} is empty"


def settings_round_trip(game: Game[Any]) -> None:
    """Each setting's text stands for its value, and unknown settings are refused."""
    kind = type(game)
    assert kind(**kind.settings_type.parse(game.settings.texts())) == game
    assert hash(kind(**game.settings.values)) == hash(game)
    for setting in kind.settings_type.declared:
        assert setting.help and setting.allowed, f"{setting.name} says nothing"
    try:
        kind(no_such_setting=1)
    except SettingsError:
        return
    raise AssertionError("an unknown setting was accepted")


def either_seat_begins(game: Game[Any]) -> None:
    """The seat that is asked for moves first, and the two starts differ in nothing else."""
    assert [game.start(first).mover for first in (1, 2)] == [1, 2]
    assert game.moves(game.start(1)) == game.moves(game.start(2))


def positions_are_values(game: Game[Any]) -> None:
    """Positions are hashable, compare by content, and are not changed by playing on."""
    for seed in range(_GAMES):
        once = [position for position, _ in random_game(game, Random(seed))]
        again = [position for position, _ in random_game(game, Random(seed))]
        assert once == again
        assert [hash(position) for position in once] == [hash(position) for position in again]
        assert [pickle.loads(pickle.dumps(position)) for position in once] == once


def moves_are_ascending(game: Game[Any]) -> None:
    """The legal moves are a tuple of whole numbers in ascending order, none of them twice."""
    for position in _visited(game):
        moves = game.moves(position)
        assert isinstance(moves, tuple) and all(type(move) is int for move in moves), moves
        assert all(low < high for low, high in pairwise(moves)), moves


def offered_moves_are_legal(game: Game[Any]) -> None:
    """Just the moves that are offered can be played."""
    for position in _visited(game):
        moves = game.moves(position)
        for move in moves:
            game.play(position, move)
        beyond = [-1, 0, 1, max(moves, default=0) + 1, 10**9]
        for move in [move for move in beyond if move not in moves]:
            try:
                game.play(position, move)
            except IllegalMove as error:
                assert error.move == move and error.position == position and error.why
            else:
                raise AssertionError(f"{move} was played and is not in {moves} at {position}")


def ends_once(game: Game[Any]) -> None:
    """A game is over just where there are no moves, and then it has one outcome."""
    for position in _visited(game):
        outcome = game.outcome(position)
        assert (outcome is None) == bool(game.moves(position)), position
        if outcome is not None:
            assert isinstance(outcome, Outcome) and outcome.winner in (1, 2, None)
            assert outcome.reason and outcome.reason not in CALLED, outcome
            assert game.outcome(position) == outcome


def records_replay(game: Game[Any]) -> None:
    """A game that was written down and read again leads to the same position."""
    for seed in range(_GAMES):
        steps = list(random_game(game, Random(seed)))
        start, last = steps[0][0], steps[-1][0]
        moves = tuple(move for _, move in steps if move is not None)
        settings = dict(game.settings.values)
        record = Record(
            game.key, settings, ("a", "b"), start.mover, moves, game.outcome(last), "2026-01-01"
        )
        read = loads(record.dumps())
        assert read == record
        assert [*read.positions(type(game)(**read.settings))][-1] == last


def has_words(game: Game[Any]) -> None:
    """Every moment of a game can be drawn and said."""
    for seed in range(_GAMES):
        before: tuple[Any, int] | None = None
        for position, move in random_game(game, Random(seed)):
            scene = game.words.scene(position)
            assert isinstance(scene, Scene) and scene.sentence and "\n" not in scene.sentence
            assert {choice.move for choice in scene.choices} <= set(game.moves(position))
            assert {c.number for c in scene.cells if c.legal} <= set(game.moves(position))
            outcome = game.outcome(position)
            lines = (
                [*game.words.welcome(position), *game.words.turn(position)]
                if outcome is None
                else []
            )
            if outcome is not None:
                lines += game.words.closing(position, outcome)
            else:
                assert game.words.prompt(position).strip() and game.words.allowed(position)
            if before is not None:
                lines += game.words.follow(*before, position)
            assert all(isinstance(line, str) and "\n" not in line for line in lines), lines
            before = None if move is None else (position, move)


CHECKS: tuple[Callable[[Game[Any]], None], ...] = (
    names_itself,
    settings_round_trip,
    either_seat_begins,
    positions_are_values,
    moves_are_ascending,
    offered_moves_are_legal,
    ends_once,
    records_replay,
    has_words,
)
