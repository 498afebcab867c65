"""The games as Pgx environments, pure functions over arrays that JAX compiles and vectorises.

`make` gives an environment as Pgx has it. Below it lies `rules`, the step alone on compact state.
"""

from __future__ import annotations

from typing import Any

from numduel.agents.ground import not_installed

try:
    from numduel.agents.pgx.bare import rules
    from numduel.agents.pgx.environment import Environment, State
except ModuleNotFoundError as error:
    raise not_installed("pgx", error) from None

__all__ = ["Environment", "State", "make", "rules"]


def make(key: str, /, *, verdicts: bool = False, **settings: Any) -> Environment:
    """The game of that key at these settings; SettingsError where it cannot be carried.

    `verdicts`: each state has the exact `verdict` of its position, and `verdicts` of its moves.
    """
    return Environment(rules(key, verdicts=verdicts, **settings), verdicts)
