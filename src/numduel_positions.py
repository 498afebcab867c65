"""The module in which verifiers finds single positions: `vf-eval numduel-positions`."""

from numduel.agents.verifiers import PositionEnv, PositionTaskset, Talk

__all__ = ["PositionEnv", "PositionTaskset", "Talk"]
