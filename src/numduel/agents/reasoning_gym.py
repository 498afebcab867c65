"""reasoning-gym: positions as a procedural dataset, scored by the exact verdicts.

After `import numduel.agents.reasoning_gym`: `create_dataset("numduel", game="multiplicity", …)`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from numduel.agents.common import not_installed
from numduel.agents.problems import Problem, problem_at, problems

try:
    from reasoning_gym.factory import ProceduralDataset, register_dataset
except ModuleNotFoundError as error:
    raise not_installed("reasoning-gym", error) from None

NAME = "numduel"


@dataclass
class PositionsConfig:
    """What to ask about. The game `bench` is Numduel-Bench."""

    game: str = "multiplicity"
    settings: dict[str, Any] = field(default_factory=dict)
    legal: bool = False  # whether the legal moves are listed
    verdicts: bool = False  # whether the exact verdicts go into the metadata
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raise SettingsError if there are no positions to ask about."""
        next(problems(self.game, self.settings, 0, 1))


class PositionsDataset(ProceduralDataset):
    """Positions from random games in which some moves are sound and some are not.

    No two have equal essence. If there are too few, they are repeated in the same order.
    """

    def __init__(self, config: PositionsConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        self._remaining = problems(config.game, config.settings, self.seed, self.size)
        self._problems: list[Problem] = []

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Return a position. Its answer is one of the sound moves, all of which score 1."""
        self._problems += islice(self._remaining, max(0, idx + 1 - len(self._problems)))
        problem = self._problems[idx % len(self._problems)]
        return {
            "question": problem.question(legal=self.config.legal),
            "answer": str(problem.gold[0]),
            "metadata": {
                "source_dataset": NAME,
                "source_index": idx,
                "repeated": idx >= len(self._problems),
                **problem.as_dict(self.config.verdicts),
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return 1 for a sound move, 1 minus its regret for another, 0 for no legal move."""
        if not isinstance(answer, str):
            return 0.0
        metadata = entry["metadata"]
        problem = problem_at(metadata["game"], metadata["settings"], metadata["moves"])
        return problem.mark(problem.read(answer))


register_dataset(NAME, PositionsDataset, PositionsConfig)
