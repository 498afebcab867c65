"""Five two-player number games, to be played by people and programs."""

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
from numduel.solver import evaluate, solve

__version__ = "0.1.0"

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
    "games",
    "new",
    "solve",
]
