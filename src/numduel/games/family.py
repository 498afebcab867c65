"""The base class of games that belong to a family.

A family is a package with the modules

- `rules`, with the game classes,
- `theory`, with `new_theory(game)`,
- `words`, with `new_words(game)`,
- `proof`, with `PROOF_CHECKS` by the kind of proof, and `rocq_term(game, position, kind, …)`,
- `disguise`, with `STORIES`, `new_disguise(game, *story)` and `new_bare_graph(game, seed)`,
- `array_rules`, with `new_rules(game, xp, word_bits)`.

Each module is imported when it is first needed: loading the rules loads none of the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, cast

from numduel.core.game import Game, P
from numduel.core.game_text import GameText
from numduel.core.proof_parts import Check, Parts
from numduel.core.theory import Theory
from numduel.core.words import Words

if TYPE_CHECKING:
    from numduel.core.array_rules import ArrayRules
    from numduel.core.rocq import Term
    from numduel.core.verdict import Verdict


class FamilyGame(Game[P]):
    """A game that takes its theory, words and so on from the modules of its family."""

    family: ClassVar[str]  # the full name of the package

    def _family_module(self, module: str) -> Any:
        return import_module(f"{self.family}.{module}")

    @cached_property
    def theory(self) -> Theory[P]:
        return cast("Theory[P]", self._family_module("theory").new_theory(self))

    @cached_property
    def words(self) -> Words[P]:
        return cast("Words[P]", self._family_module("words").new_words(self))

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        checks = self._family_module("proof").PROOF_CHECKS
        return {kind: partial(check, self) for kind, check in checks.items()}

    def rocq_term(self, position: P, kind: str, parts: Parts, verdict: Verdict) -> Term | None:
        return cast(
            "Term | None",
            self._family_module("proof").rocq_term(self, position, kind, parts, verdict),
        )

    def disguises(self, seed: int) -> tuple[GameText[P], ...]:
        disguise = self._family_module("disguise")
        return tuple(disguise.new_disguise(self, *story) for story in disguise.STORIES)

    def bare_graph(self, seed: int) -> GameText[P]:
        return cast("GameText[P]", self._family_module("disguise").new_bare_graph(self, seed))

    def array_rules(self, xp: Any, word_bits: int = 32) -> ArrayRules:
        return cast("ArrayRules", self._family_module("array_rules").new_rules(self, xp, word_bits))
