"""reasoning-gym: positions as a procedural dataset, whose answers are marked by the truth.

After `import numduel.agents.reasoning_gym`: `create_dataset("numduel", game="multiplicity", …)`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from numduel.agents.asking import Problem, problem, scores, spoken
from numduel.agents.ground import not_installed, truth

try:
    from reasoning_gym.factory import ProceduralDataset, register_dataset
except ModuleNotFoundError as error:
    raise not_installed("reasoning-gym", error) from None

NAME = "numduel"


@dataclass
class PositionsConfig:
    """Which game, at which settings, and how it is asked."""

    game: str = "multiplicity"
    settings: dict[str, Any] = field(default_factory=dict)
    legal: bool = False  # whether the legal moves are listed
    verdicts: bool = False  # whether the truth goes into the metadata
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Refuse what cannot be asked."""
        spoken(self.game, self.settings)


class PositionsDataset(ProceduralDataset):
    """Positions met in games at random, in which some moves are sound and some are not."""

    def __init__(self, config: PositionsConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        self._game = spoken(config.game, config.settings)

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """A position; its answer is one of the sound moves, and the others are as good."""
        found = problem(self._game, f"{self.seed} {idx}")
        known = truth(self._game, found.position) if self.config.verdicts else {}
        return {
            "question": found.asked(legal=self.config.legal),
            "answer": str(found.gold[0]),
            "metadata": {
                "source_dataset": NAME,
                "source_index": idx,
                "game": self._game.key,
                "settings": dict(self.config.settings),
                "notation": self._game.notation(found.position),
                "gold": list(found.gold),
                **known,
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """1 for a sound move, less for one that gives something away, 0 for what is no move."""
        if not isinstance(answer, str):
            return 0.0
        told = entry["metadata"]
        game = spoken(told["game"], told["settings"])
        position = game.read(told["notation"])
        return Problem(game, position, scores(game, position)).mark(answer)


register_dataset(NAME, PositionsDataset, PositionsConfig)
