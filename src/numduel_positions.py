"""Where verifiers finds single positions with gold answers: `vf-eval numduel-positions`."""

from numduel.agents.verifiers import PositionEnv, PositionTaskset, Talk

__all__ = ["PositionEnv", "PositionTaskset", "Talk"]
