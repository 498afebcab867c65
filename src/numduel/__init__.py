"""Five two-player number games, to be played by people and programs."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from numduel.core.errors import (
    CertificateError,
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
    "Certificate",
    "CertificateError",
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
    "certify",
    "evaluate",
    "evaluate_many",
    "games",
    "new",
    "play_game",
    "solve",
    "verify",
]

_LAZY = {
    "Certificate": "numduel.proof.certificate",
    "certify": "numduel.proof.certify",
    "play_game": "numduel.play.game_loop",
    "verify": "numduel.proof.verify",
}
"""The module of each name that is imported only on first use, so that `import numduel` is quick."""

if TYPE_CHECKING:
    from numduel.play.game_loop import play_game
    from numduel.proof.certificate import Certificate
    from numduel.proof.certify import certify
    from numduel.proof.verify import verify


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
