"""Makes a certificate of the proofs that the solvers give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numduel.core.errors import CertificateError, TooLarge
from numduel.core.game import Game, P
from numduel.core.proof_parts import Proof
from numduel.core.verdict import Verdict
from numduel.proof.certificate import Certificate
from numduel.proof.checks import check_strategy
from numduel.solver import solve, theory_of
from numduel.solver.reference import analyse


def certify(game: Game[P], position: P) -> Certificate:
    """Return a certificate with the verdict of a position and its proofs.

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
            checked for proof in proofs for checked in _checkable(game, position, proof, verdict)
        )
        if not proofs:
            raise TooLarge("the strategy that proves it is too long to be checked")
    has_distance = verdict.distance is not None and any(proof.distance for proof in proofs)
    return Certificate(
        game=game.key,
        settings=dict(game.settings.values),
        position=game.notation(position),
        verdict=verdict,
        proves="distance" if has_distance else "value",
        proofs=tuple({"kind": proof.kind, **proof.parts} for proof in proofs),
    )


def _checkable(game: Game[P], position: P, proof: Proof, verdict: Verdict) -> Iterator[Proof]:
    """Yield the proof, without those strategies that take checkers too many moves to follow."""
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
    """Return a proof that labels every reachable position, in breadth-first order."""
    verdicts, first, second = analyse(game, position)

    def label_of(here: P) -> list[Any]:
        value, distance = verdicts[here]
        if value in ("win", "loss"):
            return [value, distance]
        return [value, distance, first.get(here), second.get(here)]

    labels = {position: label_of(position)}
    queue = [position]
    for here in queue:
        for move in game.moves(here):
            after = game.after(here, move)
            if after not in labels and game.outcome(after) is None:
                labels[after] = label_of(after)
                queue.append(after)
    return Proof("labels", {"labels": list(labels.values())}, distance=True)
