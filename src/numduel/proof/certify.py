"""Making a certificate: the solvers say what proves a verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numduel.core.errors import CertificateError, TooLarge
from numduel.core.game import Game, P
from numduel.core.proof import Proof
from numduel.core.verdict import Verdict
from numduel.proof.certificate import Certificate
from numduel.proof.checks import check_strategy
from numduel.solver import solve, theory_of
from numduel.solver.reference import analysed


def certify(game: Game[P], position: P) -> Certificate:
    """Return the verdict of a position and its proofs.

    Raises TooLarge if they are out of reach, and PositionError if play cannot reach the position.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=4)
    >>> certify(game, game.start()).proofs
    ({'kind': 'race', 'layer': 2, 'odd_from': 2},)
    """
    verdict = solve(game, position)
    if game.outcome(position) is not None:
        proofs: tuple[Proof, ...] = (Proof("over", {}, distance=True),)
    else:
        proofs = theory_of(game).proofs(position) or (label_all(game, position),)
        proofs = tuple(
            kept for proof in proofs for kept in _followed(game, position, proof, verdict)
        )
        if not proofs:
            raise TooLarge("the strategy that proves it is too long to be followed")
    timed = verdict.distance is not None and any(proof.distance for proof in proofs)
    return Certificate(
        game=game.key,
        settings=dict(game.settings.values),
        position=game.notation(position),
        verdict=verdict,
        proves="distance" if timed else "value",
        proofs=tuple({"kind": proof.kind, **proof.parts} for proof in proofs),
    )


def _followed(game: Game[P], position: P, proof: Proof, verdict: Verdict) -> Iterator[Proof]:
    """Yield the proof; of a strategy, only the parts that checkers follow within their bounds."""
    parts = dict(proof.parts)
    while proof.kind == "strategy":
        try:
            check_strategy(game, position, parts, verdict)
        except CertificateError:
            if parts.pop("holds", None) is None:
                return
        else:
            break
    yield proof._replace(
        parts=parts, distance=proof.distance and parts.keys() == proof.parts.keys()
    )


def label_all(game: Game[P], position: P) -> Proof:
    """Return a proof that labels each position that can be reached, in the order of a search."""
    verdicts, first, second = analysed(game, position)

    def label(here: P) -> list[Any]:
        value, distance = verdicts[here]
        if value in ("win", "loss"):
            return [value, distance]
        return [value, distance, first.get(here), second.get(here)]

    met = {position: label(position)}
    waiting = [position]
    for here in waiting:
        for move in game.moves(here):
            after = game.after(here, move)
            if after not in met and game.outcome(after) is None:
                met[after] = label(after)
                waiting.append(after)
    return Proof("labels", {"labels": list(met.values())}, distance=True)
