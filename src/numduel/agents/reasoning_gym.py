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
    """The game, its settings, and how it is asked. The game `bench` is Numduel-Bench."""

    game: str = "multiplicity"
    settings: dict[str, Any] = field(default_factory=dict)
    legal: bool = False  # whether the legal moves are listed
    verdicts: bool = False  # whether the exact verdicts go into the metadata
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raise SettingsError for a game that cannot be asked about."""
        next(problems(self.game, self.settings, 0, 1))


class PositionsDataset(ProceduralDataset):
    """Positions from random games in which some moves are sound and some are not.

    No two go on alike as long as there are others; after that they are repeated, in their order.
    """

    def __init__(self, config: PositionsConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        self._coming = problems(config.game, config.settings, self.seed, self.size)
        self._found: list[Problem] = []

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Return a position. Its answer is one of the sound moves, each of which scores 1."""
        self._found += islice(self._coming, max(0, idx + 1 - len(self._found)))
        found = self._found[idx % len(self._found)]
        return {
            "question": found.asked(legal=self.config.legal),
            "answer": str(found.gold[0]),
            "metadata": {
                "source_dataset": NAME,
                "source_index": idx,
                "repeated": idx >= len(self._found),  # and so no new evidence
                **found.described(self.config.verdicts),
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return 1 for a sound move, 1 less the regret for another, 0 for no legal move."""
        if not isinstance(answer, str):
            return 0.0
        told = entry["metadata"]
        asked = problem_at(told["game"], told["settings"], told["moves"])
        return asked.mark(asked.read(answer))


register_dataset(NAME, PositionsDataset, PositionsConfig)
