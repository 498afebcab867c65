"""Five two-player number games, to be played by people and programs."""

from typing import TYPE_CHECKING, Any

from numduel.core.errors import (
    IllegalMove,
    NumduelError,
    PositionError,
    RecordError,
    SettingsError,
    TooLarge,
)
from numduel.core.game import Game, Outcome, Position
from numduel.core.record import Record
from numduel.core.verdict import Verdict
from numduel.games import games, new
from numduel.solver import evaluate, evaluate_many, solve

__version__ = "0.2.0"

__all__ = [
    "Game",
    "IllegalMove",
    "NumduelError",
    "Outcome",
    "Position",
    "PositionError",
    "Record",
    "RecordError",
    "SettingsError",
    "TooLarge",
    "Verdict",
    "__version__",
    "evaluate",
    "evaluate_many",
    "games",
    "new",
    "play_game",
    "solve",
]

if TYPE_CHECKING:
    from numduel.play.referee import play_game


def __getattr__(name: str) -> Any:
    if name == "play_game":  # who only looks at games need not load the players
        from numduel.play.referee import play_game

        return play_game
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
