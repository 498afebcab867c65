"""The module in which verifiers finds games between two models: `vf-eval numduel-game`."""

from numduel.agents.verifiers import GameEnv, GameTaskset, Talk

__all__ = ["GameEnv", "GameTaskset", "Talk"]
