"""What adapters share: games within bounds, rewards, positions in words, exact verdicts."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Any

from numduel.core.array_rules import smallest_integer
from numduel.core.errors import SettingsError, TooLarge, install_command
from numduel.core.game import Game, Outcome, is_seat
from numduel.core.game_text import GameText
from numduel.core.numerals import quoted
from numduel.core.verdict import Verdict
from numduel.games import new
from numduel.play.chance import coin
from numduel.solver import theory_of

MAX_ACTIONS = 10_000
"""Maximum number of actions of a game that adapters accept."""

MAX_ENCODING_LENGTH = 20_000
"""Maximum length of the vector of a position."""


def carried(key: str, settings: dict[str, Any]) -> Game[Any]:
    """Return the game at these settings; SettingsError if it is too large for adapters.

    A bound that is not given is that of its friendly settings, where one is needed.
    """
    game = new(key, **settings)
    try:
        return fit(game)
    except SettingsError:
        values = game.settings.values
        bounds = {name: value for name, value in game.friendly.items() if values[name] is None}
        with suppress(SettingsError):
            return fit(new(key, **{**settings, **bounds}))
        raise


def told_in_words(key: str, settings: dict[str, Any]) -> Game[Any]:
    """Return the game at these settings, whose numbers may have no bound; SettingsError."""
    return _bounded(new(key, **settings))


@lru_cache(maxsize=16)
def _bounded(game: Game[Any]) -> Game[Any]:
    """Return the game, one object for all equal ones, so that they share what was solved.

    Raises SettingsError if it has too many actions.
    """
    try:
        actions = len(game.actions)
    except TooLarge as error:
        raise refusal(game, str(error)) from None
    if actions > MAX_ACTIONS:
        raise refusal(game, f"it has {actions:,} actions, at most {MAX_ACTIONS:,} are allowed")
    return game


@lru_cache(maxsize=16)
def fit(game: Game[Any]) -> Game[Any]:
    """Return a game that can be carried, one object for all equal ones; SettingsError."""
    game = _bounded(game)
    try:
        length = game.encoding.length
    except TooLarge as error:
        raise refusal(game, str(error)) from None
    if length > MAX_ENCODING_LENGTH:
        raise refusal(
            game, f"its vectors are {length:,} long, at most {MAX_ENCODING_LENGTH:,} is allowed"
        )
    if smallest_integer(game.encoding) is None:
        raise refusal(game, "its numbers do not fit 64 bits")
    return game


def playable(key: str, settings: dict[str, Any]) -> Game[Any]:
    """Return the game as `carried` does; SettingsError also if it is over before it begins."""
    game = carried(key, settings)
    if game.outcome(game.start()) is not None:
        raise refusal(game, "it is over before it begins")
    return game


def refusal(game: Game[Any], why: str) -> SettingsError:
    """Return the error for a game that is not accepted."""
    return SettingsError(f"{game.title} cannot be carried at these settings: {why}")


def environment_id(key: str) -> str:
    """Return a game's name where names have versions: `numduel/DivisorLine-v0`."""
    return f"numduel/{key.title().replace('-', '')}-v0"


def not_installed(extra: str, error: ImportError) -> ImportError:
    """Return the error for a framework that is not installed; it says what to install."""
    install = install_command(extra)
    line = f"this adapter needs {error.name}, which is not installed; type: {install}"
    return ImportError(line, name=error.name)


def beginner(first: object, seed: int) -> int:
    """Return the seat that begins; the seed decides if `first` is random, not 1 or 2."""
    if first == "random":
        first = coin(seed)
    if not is_seat(first):
        raise SettingsError(f"first must be 1, 2 or random, not {quoted(first)}")
    return first


def check_seed(seed: object) -> None:
    """Raise SettingsError unless the seed is None or a whole number from 0."""
    if seed is not None and (type(seed) is not int or seed < 0):
        raise SettingsError(f"seed must be a whole number from 0, not {quoted(seed)}")


def reward(outcome: Outcome | None, seat: int) -> float:
    """Return 1.0 if the seat has won, -1.0 if it has lost, otherwise 0.0."""
    if outcome is None or outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner == seat else -1.0


def told(game: Game[Any], position: Any) -> str:
    """Return the whole position as plain text: no other position of the game has the same."""
    return f"{GameText(game).describe(position)}\n{game.words.scene(position).sentence}."


def truth(game: Game[Any], position: Any) -> dict[str, Any]:
    """Return the exact verdict of a position and of each of its moves, as plain values."""
    theory = theory_of(game)
    moves = theory.evaluate(position)
    return {
        "verdict": _plain(theory.solve(position)),
        "verdicts": {move: _plain(verdict) for move, verdict in moves.items()},
    }


def _plain(verdict: Verdict) -> dict[str, Any]:
    return {"value": verdict.value, "score": verdict.score, "distance": verdict.distance}
