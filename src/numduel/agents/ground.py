"""What all adapters stand on: a game that can be carried, its bounds, rewards, words and truth."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from numduel.core.arrays import kept_in
from numduel.core.errors import SettingsError, TooLarge
from numduel.core.game import Game, Outcome, is_seat
from numduel.core.numerals import quoted
from numduel.core.verdict import Verdict
from numduel.games import new
from numduel.solver import evaluate, solve

MOST_ACTIONS = 10_000
"""A game of more actions is not carried."""

MOST_LENGTH = 20_000
"""Nor one of longer vectors."""

TURN_LIMIT = 1000
"""After so many moves a game is called off, and nobody has won."""


def carried(key: str, settings: dict[str, Any]) -> Game[Any]:
    """The game at these settings; SettingsError where it is too large to be carried."""
    return fit(new(key, **settings))


@lru_cache(maxsize=16)
def fit(game: Game[Any]) -> Game[Any]:
    """A game that can be carried: the same for all who ask, who share what is known about it."""
    try:
        actions, length = len(game.actions), game.encoding.length
    except TooLarge as error:
        raise refusal(game, str(error)) from None
    if actions > MOST_ACTIONS:
        raise refusal(game, f"it has {actions:,} actions, at most {MOST_ACTIONS:,} are allowed")
    if length > MOST_LENGTH:
        raise refusal(game, f"its vectors are {length:,} long, at most {MOST_LENGTH:,} is allowed")
    if kept_in(game.encoding) is None:
        raise refusal(game, "its numbers do not fit 64 bits")
    return game


def playable(key: str, settings: dict[str, Any]) -> Game[Any]:
    """`carried`, where somebody can move: most frameworks know no game that is over at once."""
    game = carried(key, settings)
    if game.outcome(game.start()) is not None:
        raise refusal(game, "it is over before it begins")
    return game


def refusal(game: Game[Any], why: str) -> SettingsError:
    """What is raised where a game is not carried."""
    return SettingsError(f"{game.title} cannot be carried at these settings: {why}")


def environment_id(key: str) -> str:
    """A game's name in frameworks that count versions: `numduel/DivisorLine-v0`."""
    return f"numduel/{key.title().replace('-', '')}-v0"


def not_installed(extra: str, error: ImportError) -> ImportError:
    """What is raised where an adapter's framework is not there: one line that says what to do."""
    need = f"this adapter needs {error.name}, which is not installed"
    return ImportError(f"{need}: pip install 'numduel[{extra}]'", name=error.name)


def beginner(first: object, rng: Random) -> int:
    """The seat that begins, where `first` is 1, 2 or random."""
    if first == "random":
        return rng.choice((1, 2))
    if not is_seat(first):
        raise SettingsError(f"first must be 1, 2 or random, not {quoted(first)}")
    return first


def check_seed(seed: object) -> None:
    """SettingsError for what is neither a whole number from 0 nor None."""
    if seed is not None and (type(seed) is not int or seed < 0):
        raise SettingsError(f"seed must be a whole number from 0, not {quoted(seed)}")


def reward(outcome: Outcome | None, seat: int) -> float:
    """1 to who won, -1 to who lost, 0 to both in any other case."""
    if outcome is None or outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner == seat else -1.0


def told(game: Game[Any], position: Any) -> str:
    """A position as plain text: the lines of its turn, or those that close the game."""
    outcome = game.outcome(position)
    words = game.words
    lines = words.turn(position) if outcome is None else words.closing(position, outcome)
    return "\n".join(lines).strip()


def truth(game: Game[Any], position: Any) -> dict[str, Any]:
    """The exact verdict of a position and of each of its moves, as what goes into an info."""
    moves = evaluate(game, position)
    return {
        "verdict": _plain(solve(game, position)),
        "verdicts": {move: _plain(verdict) for move, verdict in moves.items()},
    }


def _plain(verdict: Verdict) -> dict[str, Any]:
    return {"value": verdict.value, "score": verdict.score, "distance": verdict.distance}
