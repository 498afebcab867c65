"""What the families of games share: the modules beside the rules, imported when they are needed.

A family is a package. Beside its rules it has the modules

- `theory`, with `new_theory(game)`,
- `words`, with `new_words(game)`,
- `proof`, with `PROOF_CHECKS`, by the kind of proof, and `rocq_term(game, position, kind, …)`,
- `disguise`, with `STORIES`, `told(game, *story)` and `graph(game, seed)`,
- `array_rules`, with `new_rules(game, xp, word_bits)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, cast

from numduel.core.game import Game, P
from numduel.core.game_text import GameText
from numduel.core.proof import Check, Parts
from numduel.core.theory import Theory
from numduel.core.words import Words

if TYPE_CHECKING:
    from numduel.core.array_rules import ArrayRules
    from numduel.core.rocq import Term
    from numduel.core.verdict import Verdict


class FamilyGame(Game[P]):
    """A game of a family. To load its rules takes none of the other modules."""

    family: ClassVar[str]  # the name of the package

    def _beside(self, module: str) -> Any:
        return import_module(f"{self.family}.{module}")

    @cached_property
    def theory(self) -> Theory[P]:
        return cast("Theory[P]", self._beside("theory").new_theory(self))

    @cached_property
    def words(self) -> Words[P]:
        return cast("Words[P]", self._beside("words").new_words(self))

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        checks = self._beside("proof").PROOF_CHECKS
        return {kind: partial(check, self) for kind, check in checks.items()}

    def rocq_term(self, position: P, kind: str, parts: Parts, verdict: Verdict) -> Term | None:
        return cast(
            "Term | None", self._beside("proof").rocq_term(self, position, kind, parts, verdict)
        )

    def disguises(self, seed: int) -> tuple[GameText[P], ...]:
        disguise = self._beside("disguise")
        return tuple(disguise.told(self, *story) for story in disguise.STORIES)

    def bare_graph(self, seed: int) -> GameText[P]:
        return cast("GameText[P]", self._beside("disguise").graph(self, seed))

    def array_rules(self, xp: Any, word_bits: int = 32) -> ArrayRules:
        return cast("ArrayRules", self._beside("array_rules").new_rules(self, xp, word_bits))
