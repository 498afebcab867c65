"""Where a setup is arranged, for every front end: the usual, the coin, and the bounds."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Any

from numduel.core.errors import SettingsError
from numduel.core.game import Game
from numduel.core.numerals import either, quoted
from numduel.play.setup import Names, Setup, check_setup
from numduel.players import HUMAN

COIN = "random"
FIRST = ("1", "2", COIN)
"""Who can begin: a seat, or whom the coin falls for."""


def arrange(
    game: Game[Any],
    *,
    players: tuple[str, str] = (HUMAN, HUMAN),
    names: Names = (None, None),
    first: str = "1",
    rounds: int = 1,
    best_of: bool = False,
    swap: bool = False,
    turn_limit: int | None = None,
    seed: int | None = None,
) -> Setup:
    """A setup that starts now; SettingsError says what is not allowed.

    All chance comes from the seed, the coin as well. Whether each player can play this game is
    the caller's to ask, for it may take long: `players.check_fit`.
    """
    if first not in FIRST:
        raise SettingsError(f"first must be {either(FIRST)}, not {quoted(first)}", "first")
    seed = secrets.randbits(32) if seed is None else seed
    return check_setup(
        Setup(
            game=game,
            players=players,
            first=1 + seed % 2 if first == COIN else int(first),
            rounds=rounds,
            swap=swap,
            turn_limit=turn_limit,
            seed=seed,
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            names=names,
            best_of=best_of,
            coin=first == COIN,
        )
    )


def coin_line(setup: Setup) -> str:
    """How the coin fell; empty where there was none."""
    return f"The coin falls for Player {setup.first}." if setup.coin else ""
