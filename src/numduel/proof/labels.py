"""Checking the labels of all positions that can be reached, each by its neighbours: any game."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core.errors import CertificateError
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.proof import Parts, is_whole, take, take_list
from numduel.core.verdict import Verdict, ended_verdict
from numduel.proof.effort import Effort

MOST_LABELS = 200_000

MOST_MOVES = 5_000_000

_HIGH = 10**9  # above every distance and rank that there can be


class Label(NamedTuple):
    """The verdict of a position; where nobody wins, how each seat comes to an end, if it can."""

    verdict: Verdict
    ranks: tuple[int | None, int | None] = (None, None)


_Way = tuple[bool, Label | int]
"""A move: whether the same player moves again, and where to: an end, or the place of a label."""


def check_labels(game: Game[Any], position: Any, proof: Parts, _: Verdict) -> Verdict:
    """The verdict of the first of labels that each agree with those of the next positions."""
    take(proof, "labels")
    labels = [_label(given) for given in take_list(proof, "labels", MOST_LABELS)]
    if not labels:
        raise CertificateError("there are no labels")
    met, ways = _reached(game, position, len(labels))
    if len(met) < len(labels):
        raise CertificateError(f"there are {len(met):,} positions, and {len(labels):,} labels")
    for here, label, ways_on in zip(met, labels, ways, strict=True):
        steps = [(same, to if isinstance(to, Label) else labels[to]) for same, to in ways_on]
        why = _disagreement(here.mover, label, steps)
        if why is not None:
            raise CertificateError(f"the label of {game.notation(here)[:60]} is wrong: {why}")
    return labels[0].verdict


def _reached(game: Game[Any], position: Any, most: int) -> tuple[list[Any], list[list[_Way]]]:
    """The positions that can be reached and in which the game goes on, each with its ways on."""
    effort = Effort(game, position, MOST_MOVES)
    places = {position: 0}
    met, ways = [position], []
    for here in met:
        found: list[_Way] = []
        for move in game.moves(here):
            effort.move()
            after = game.after(here, move)
            outcome = game.outcome(after)
            if outcome is not None:
                found.append(
                    (after.mover == here.mover, _ended(ended_verdict(outcome, after.mover)))
                )
                continue
            if after not in places:
                if len(met) >= most:
                    raise CertificateError(f"there are more positions than the {most:,} labels")
                places[after] = len(met)
                met.append(after)
            found.append((after.mover == here.mover, places[after]))
        ways.append(found)
    return met, ways


def _ended(verdict: Verdict) -> Label:
    return Label(verdict, (0, 0) if verdict.value == "draw" else (None, None))


def _label(given: object) -> Label:
    """A label from a list that may hold anything."""
    if isinstance(given, list) and given and given[0] in ("win", "loss", "draw", "endless"):
        value, *rest = given
        if value in ("win", "loss") and len(rest) == 1 and is_whole(rest[0], 1, _HIGH):
            return Label(Verdict(value, rest[0]))
        if len(rest) == 3 and all(one is None or is_whole(one, 0, _HIGH) for one in rest):
            distance, *ranks = rest
            drawn = None not in ranks and is_whole(distance, 1, _HIGH)
            endless = None in ranks and distance is None
            if (value == "draw" and drawn) or (value == "endless" and endless):
                return Label(Verdict(value, distance), (ranks[0], ranks[1]))
    raise CertificateError(f"{quoted(given)} is not a label")


def _disagreement(mover: int, label: Label, steps: list[tuple[bool, Label]]) -> str | None:
    """What is wrong with a label, given those that the moves lead to; None if it is right."""
    seen = [to.verdict.before(same) for same, to in steps]
    wins = [verdict.distance or 0 for verdict in seen if verdict.value == "win"]
    losses = [verdict.distance or 0 for verdict in seen if verdict.value == "loss"]
    value, distance = label.verdict
    if not steps:
        return "there is no move"
    if wins:
        right = value == "win" and distance == min(wins)
        return None if right else f"it is a win in {min(wins)}"
    if len(losses) == len(seen):
        right = value == "loss" and distance == max(losses)
        return None if right else f"it is a loss in {max(losses)}"
    if value in ("win", "loss"):
        return "nothing is decided"
    quiet = [to for _, to in steps if to.verdict.value in ("draw", "endless")]
    for seat, rank in enumerate(label.ranks, 1):
        after = [to.ranks[seat - 1] for to in quiet]
        if rank is None:
            right = all(one is None for one in after) if seat == mover else None in after
        else:
            lower = [one is not None and one < rank for one in after]
            right = any(lower) if seat == mover else all(lower)
        if not right:
            return f"the rank of seat {seat} does not fit"
    drawn = [to.verdict.distance or 0 for to in quiet if to.verdict.value == "draw"]
    if value == "draw" and distance != 1 + min(drawn, default=-1):
        return "the distance of the draw does not fit"
    return None
