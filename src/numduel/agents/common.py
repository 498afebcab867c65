"""What adapters share: limits on games, names, rewards, positions as text, exact verdicts."""

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
"""Maximum length of the vector that encodes a position."""


def game_for_vectors(key: str, settings: dict[str, Any]) -> Game[Any]:
    """Return a game whose positions are to be encoded as vectors.

    A bound that the game needs and that is not set is taken from its friendly settings. Raises
    SettingsError if the game is too large for adapters.
    """
    game = new(key, **settings)
    try:
        return shared_game(game)
    except SettingsError:
        values = game.settings.values
        bounds = {name: value for name, value in game.friendly.items() if values[name] is None}
        with suppress(SettingsError):
            return shared_game(new(key, **{**settings, **bounds}))
        raise


def game_for_text(key: str, settings: dict[str, Any]) -> Game[Any]:
    """Return a game whose positions are to be described in words; its numbers may be unbounded.

    Raises SettingsError if it has too many actions.
    """
    return shared_game(new(key, **settings), needs_vectors=False)


@lru_cache(maxsize=32)
def shared_game(game: Game[Any], needs_vectors: bool = True) -> Game[Any]:
    """Return one object for all equal games, so that they share their solution.

    Raises SettingsError if the game has too many actions. If it needs vectors, they must not be too
    long, and their numbers must fit 64 bits.
    """
    try:
        actions = len(game.actions)
        if actions > MAX_ACTIONS:
            raise TooLarge(f"it has {actions:,} actions, at most {MAX_ACTIONS:,} are allowed")
        if needs_vectors and (length := game.encoding.length) > MAX_ENCODING_LENGTH:
            limit = f"at most {MAX_ENCODING_LENGTH:,} are allowed"
            raise TooLarge(f"its vectors have {length:,} entries, {limit}")
        if needs_vectors and smallest_integer(game.encoding) is None:
            raise TooLarge("its numbers do not fit 64 bits")
    except TooLarge as error:
        raise not_supported(game, str(error)) from None
    return game


def playable_game(key: str, settings: dict[str, Any]) -> Game[Any]:
    """Return what `game_for_vectors` does; SettingsError also if it is over before it begins."""
    game = game_for_vectors(key, settings)
    if game.outcome(game.start()) is not None:
        raise not_supported(game, "it is over before it begins")
    return game


def not_supported(game: Game[Any], why: str) -> SettingsError:
    """Return the error for a game that an adapter cannot offer."""
    return SettingsError(f"{game.title} is not supported at these settings: {why}")


def environment_id(key: str) -> str:
    """Return the versioned name of a game: `numduel/DivisorLine-v0`."""
    return f"numduel/{key.title().replace('-', '')}-v0"


def game_name(key: str) -> str:
    """Return the name of a game as an identifier: `numduel_divisor_line`."""
    return f"numduel_{key.replace('-', '_')}"


def not_installed(extra: str, error: ImportError) -> ImportError:
    """Return the error for a framework that is not installed; it names the extra to install."""
    install = install_command(extra)
    line = f"this adapter needs {error.name}, which is not installed; type: {install}"
    return ImportError(line, name=error.name)


def starting_seat(first: object, seed: int) -> int:
    """Return the seat that begins: `first` if it is 1 or 2; the seed decides if it is `random`."""
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


def position_text(game: Game[Any], position: Any) -> str:
    """Return a full description of a position; no two positions of a game have the same one."""
    return f"{GameText(game).describe(position)}\n{game.words.scene(position).sentence}."


def truth(game: Game[Any], position: Any) -> dict[str, Any]:
    """Return the exact verdict of a position and of each of its moves, as plain values."""
    theory = theory_of(game)
    moves = theory.evaluate(position)
    return {
        "verdict": _verdict_fields(theory.solve(position)),
        "verdicts": {move: _verdict_fields(verdict) for move, verdict in moves.items()},
    }


def _verdict_fields(verdict: Verdict) -> dict[str, Any]:
    return {"value": verdict.value, "score": verdict.score, "distance": verdict.distance}
