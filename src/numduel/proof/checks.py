"""Checking the two kinds of proof that any game can have: labels and strategies.

docs/certificates.md says what is asked of them. What comes from outside must not keep a checker
busy for ever, so both refuse after a bounded number of moves.
"""

from __future__ import annotations

import re
from collections.abc import Sized
from typing import Any, NamedTuple

from numduel.core.errors import CertificateError
from numduel.core.game import Game, other
from numduel.core.numerals import quoted
from numduel.core.proof import Parts, is_whole, take, take_list
from numduel.core.settings import MAX_NUMBER
from numduel.core.verdict import Verdict, ended_verdict
from numduel.core.words import position_fields

MAX_POSITION_LABELS = 200_000

MAX_LABEL_MOVES = 5_000_000

_HIGH = 10**9  # above every distance and rank that there can be

MAX_CHECKED_NODES = 200_000

MAX_STRATEGY_MOVES = 500_000

MAX_FOLLOWED_MOVES = 1_000
"""Maximum length of the games that are followed."""

REST = "*"
"""In a node's answers: whatever is not named."""

_ANSWERED = re.compile(r"\*|0|-?[1-9][0-9]{0,999}")
"""What the keys of a node's answers are: moves in decimal digits, and the rest."""

_LIGHT = 200
"""Number of values held and moves in a position above which a move counts for more than one."""


class Effort:
    """Counts moves made; those of large positions count for more."""

    def __init__(self, game: Game[Any], position: Any, most: int) -> None:
        held = [one for one in position_fields(position).values() if isinstance(one, Sized)]
        self._each = 1 + (sum(map(len, held)) + len(game.moves(position))) // _LIGHT
        self._left = most
        self._most = most

    def move(self) -> None:
        """Count a move. Raises CertificateError if there are too many."""
        self._left -= self._each
        if self._left < 0:
            raise CertificateError(f"it takes more than the {self._most:,} moves that are tried")


# Labels: one for each position that can be reached.


class Label(NamedTuple):
    """The verdict of a position; where nobody wins, how each seat comes to an end, if it can."""

    verdict: Verdict
    ranks: tuple[int | None, int | None] = (None, None)


_Way = tuple[bool, Label | int]
"""A move: whether the same player moves again, and where to: an end, or the place of a label."""


def check_labels(game: Game[Any], position: Any, proof: Parts, _: Verdict) -> Verdict:
    """The verdict of the first of labels that each agree with those of the next positions."""
    take(proof, "labels")
    labels = [_label(given) for given in take_list(proof, "labels", MAX_POSITION_LABELS)]
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
    effort = Effort(game, position, MAX_LABEL_MOVES)
    places = {position: 0}
    met, ways = [position], []
    for here in met:
        found: list[_Way] = []
        for move in game.moves(here):
            effort.move()
            after = game.after(here, move)
            outcome = game.outcome(after)
            if outcome is not None:
                ranks = (0, 0) if outcome.winner is None else (None, None)
                label = Label(ended_verdict(outcome, after.mover), ranks)
                found.append((after.mover == here.mover, label))
                continue
            if after not in places:
                if len(met) >= most:
                    raise CertificateError(f"there are more positions than the {most:,} labels")
                places[after] = len(met)
                met.append(after)
            found.append((after.mover == here.mover, places[after]))
        ways.append(found)
    return met, ways


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
    """Return what is wrong with the label of a position; None if it is right.

    Each of the `steps` is a move: whether the same seat is to move after it, and the label there.
    """
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


# Strategies: one that wins, and one that holds out as long as can be.


class Node(NamedTuple):
    """A move, and the place of the next node after each answer to it."""

    move: int | None
    then: dict[str, int]


def check_strategy(game: Game[Any], position: Any, proof: Parts, verdict: Verdict) -> Verdict:
    """The verdict that a winning strategy proves, and its distance, if one that holds is there."""
    timed = "holds" in proof
    take(proof, "wins", *(["holds"] if timed else []))
    if verdict.value not in ("win", "loss"):
        raise CertificateError("a strategy proves a win or a loss")
    if timed and not is_whole(verdict.distance, 1, MAX_FOLLOWED_MOVES):
        raise CertificateError(
            f"it takes a distance from 1 to {MAX_FOLLOWED_MOVES:,} to hold out for"
        )
    winner = position.mover if verdict.value == "win" else other(position.mover)
    effort = Effort(game, position, MAX_STRATEGY_MOVES)
    wins = _nodes(proof, "wins")
    within = verdict.distance if timed and verdict.distance else MAX_FOLLOWED_MOVES
    _follow(game, position, wins, winner, winner, within, effort)
    if not timed:
        return Verdict(verdict.value)
    holds = _nodes(proof, "holds")
    if within > 1:
        _follow(game, position, holds, other(winner), winner, within - 1, effort)
    return verdict


def _follow(
    game: Game[Any],
    position: Any,
    nodes: list[Node],
    seat: int,
    winner: int,
    most: int,
    effort: Effort,
) -> None:
    """Follow the strategy of a seat for at most so many moves.

    The winner wins in all games if it is the winner's, and in none if it is the other's.
    """
    waiting = [(position, 0, 0)]
    while waiting:
        here, place, made = waiting.pop()
        ours = here.mover == seat
        moves = (_move(game, here, nodes[place]),) if ours else game.moves(here)
        for move in moves:
            effort.move()
            after = game.after(here, move)
            outcome = game.outcome(after)
            if outcome is not None:
                if (outcome.winner == winner) != (seat == winner):
                    raise CertificateError(f"{_line(game, after)} is not how it should end")
            elif made + 1 < most:
                following = place if ours else _answer(nodes[place], move)
                waiting.append((after, following, made + 1))
            elif seat == winner:
                raise CertificateError(f"{_line(game, after)} is not won after {most:,} moves")


def _move(game: Game[Any], position: Any, node: Node) -> int:
    if node.move is None or not game.allows(position, node.move):
        raise CertificateError(f"{quoted(node.move)} is no move in {_line(game, position)}")
    return node.move


def _answer(node: Node, move: int) -> int:
    place = node.then.get(str(move), node.then.get(REST))
    if place is None:
        raise CertificateError(f"there is no answer to {move}")
    return place


def _nodes(proof: Parts, name: str) -> list[Node]:
    found = []
    given = take_list(proof, name, MAX_CHECKED_NODES)
    for place, node in enumerate(given):
        if type(node) is not list or len(node) != 2 or type(node[1]) is not dict:
            raise CertificateError(f"node {place} of {name} must be a move and its answers")
        move, then = node
        if move is not None and not is_whole(move, -MAX_NUMBER, MAX_NUMBER):
            raise CertificateError(f"node {place} of {name} has no move: {quoted(move)}")
        for key in then:
            if not _ANSWERED.fullmatch(key):
                raise CertificateError(f"node {place} of {name} answers {quoted(key)}, no move")
        if not all(is_whole(to, place + 1, len(given) - 1) for to in then.values()):
            raise CertificateError(f"node {place} of {name} must lead to later nodes")
        found.append(Node(move, then))
    if not found:
        raise CertificateError(f"there are no nodes in {name}")
    return found


def _line(game: Game[Any], position: Any) -> str:
    return game.notation(position)[:60]
