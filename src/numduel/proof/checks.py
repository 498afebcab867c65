"""The checks of the two kinds of proof that any game can have: labels and strategies.

docs/certificates.md defines these proofs. As certificates come from outside, both checks refuse
those that would take too many moves.
"""

from __future__ import annotations

import re
from collections.abc import Sized
from typing import Any, NamedTuple

from numduel.core.errors import CertificateError
from numduel.core.game import Game, other
from numduel.core.numerals import quoted
from numduel.core.proof_parts import Parts, is_whole, take_list, take_parts
from numduel.core.settings import MAX_NUMBER
from numduel.core.verdict import Verdict, ended_verdict
from numduel.core.words import position_fields

MAX_POSITION_LABELS = 200_000

MAX_LABEL_MOVES = 5_000_000

MAX_RANK = 10**9
"""Maximum distance or rank in a label. No game comes near it."""

MAX_CHECKED_NODES = 200_000

MAX_STRATEGY_MOVES = 500_000

MAX_FOLLOWED_MOVES = 1_000
"""Maximum length of the games that are followed."""

ANY_OTHER_MOVE = "*"
"""The key in the answers of a node that stands for all moves not named."""

_ANSWER_KEY = re.compile(r"\*|0|-?[1-9][0-9]{0,999}")

_VALUES_PER_UNIT = 200
"""Number of values and legal moves in a position for which a move costs one unit more."""


class MoveBudget:
    """A limit on the moves that a check makes. Moves from large positions cost more."""

    def __init__(self, game: Game[Any], position: Any, most: int) -> None:
        sets = [field for field in position_fields(position).values() if isinstance(field, Sized)]
        size = sum(map(len, sets)) + len(game.moves(position))
        self._move_cost = 1 + size // _VALUES_PER_UNIT
        self._left = self._most = most

    def spend_move(self) -> None:
        """Count a move. Raises CertificateError if there were too many."""
        self._left -= self._move_cost
        if self._left < 0:
            raise CertificateError(f"it takes more than the {self._most:,} moves that are allowed")


# Labels: one for each reachable position.


class Label(NamedTuple):
    """The verdict of a position, and the rank of each seat unless somebody wins.

    A seat that can bring the game to an end has a rank, which falls on the way to the end.
    """

    verdict: Verdict
    ranks: tuple[int | None, int | None] = (None, None)


_Step = tuple[bool, Label | int]
"""A move: whether the same player moves again, and the label after it or its place."""


def check_labels(game: Game[Any], position: Any, proof: Parts, _: Verdict) -> Verdict:
    """Return the verdict of the position, after checking that all labels agree with each other."""
    take_parts(proof, "labels")
    labels = [_read_label(given) for given in take_list(proof, "labels", MAX_POSITION_LABELS)]
    if not labels:
        raise CertificateError("there are no labels")
    met, steps_from = _reachable(game, position, len(labels))
    if len(met) < len(labels):
        raise CertificateError(f"there are {len(met):,} positions, but {len(labels):,} labels")
    for here, label, steps in zip(met, labels, steps_from, strict=True):
        after = [(same, to if isinstance(to, Label) else labels[to]) for same, to in steps]
        error = _label_error(here.mover, label, after)
        if error:
            raise CertificateError(f"the label of {_notation(game, here)} is wrong: {error}")
    return labels[0].verdict


def _reachable(game: Game[Any], position: Any, most: int) -> tuple[list[Any], list[list[_Step]]]:
    """Return the reachable positions in which the game goes on, and the steps from each."""
    budget = MoveBudget(game, position, MAX_LABEL_MOVES)
    places = {position: 0}
    met, steps_from = [position], []
    for here in met:
        steps: list[_Step] = []
        for move in game.moves(here):
            budget.spend_move()
            after = game.after(here, move)
            outcome = game.outcome(after)
            if outcome is not None:
                ranks = (0, 0) if outcome.winner is None else (None, None)
                label = Label(ended_verdict(outcome, after.mover), ranks)
                steps.append((after.mover == here.mover, label))
                continue
            if after not in places:
                if len(met) >= most:
                    raise CertificateError(f"there are more positions than the {most:,} labels")
                places[after] = len(met)
                met.append(after)
            steps.append((after.mover == here.mover, places[after]))
        steps_from.append(steps)
    return met, steps_from


def _read_label(given: object) -> Label:
    """Return the label that a list stands for. Raises CertificateError if it is malformed."""
    if isinstance(given, list) and given and given[0] in ("win", "loss", "draw", "endless"):
        value, *rest = given
        if value in ("win", "loss") and len(rest) == 1 and is_whole(rest[0], 1, MAX_RANK):
            return Label(Verdict(value, rest[0]))
        if len(rest) == 3 and all(one is None or is_whole(one, 0, MAX_RANK) for one in rest):
            distance, *ranks = rest
            drawn = None not in ranks and is_whole(distance, 1, MAX_RANK)
            endless = None in ranks and distance is None
            if (value == "draw" and drawn) or (value == "endless" and endless):
                return Label(Verdict(value, distance), (ranks[0], ranks[1]))
    raise CertificateError(f"{quoted(given)} is not a label")


def _label_error(mover: int, label: Label, steps: list[tuple[bool, Label]]) -> str:
    """Return what is wrong with the label of a position, or nothing if it is right.

    Each step is a move: whether the same seat moves again, and the label after it.
    """
    seen = [to.verdict.before(same) for same, to in steps]
    wins = [verdict.distance or 0 for verdict in seen if verdict.value == "win"]
    losses = [verdict.distance or 0 for verdict in seen if verdict.value == "loss"]
    value, distance = label.verdict
    if not steps:
        return "there is no move"
    if wins:
        right = value == "win" and distance == min(wins)
        return "" if right else f"it is a win in {min(wins)}"
    if len(losses) == len(seen):
        right = value == "loss" and distance == max(losses)
        return "" if right else f"it is a loss in {max(losses)}"
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
    return ""


# Strategies: one that wins, and one that holds out as long as possible.


class Node(NamedTuple):
    move: int | None  # None if the opponent is to move first
    answers: dict[str, int]  # the place of the next node, by the move of the opponent


def check_strategy(game: Game[Any], position: Any, proof: Parts, verdict: Verdict) -> Verdict:
    """Return the verdict that a winning strategy proves, with its distance if another holds out."""
    has_distance = "holds" in proof
    take_parts(proof, "wins", *(["holds"] if has_distance else []))
    if verdict.value not in ("win", "loss"):
        raise CertificateError("a strategy proves a win or a loss")
    if has_distance and not is_whole(verdict.distance, 1, MAX_FOLLOWED_MOVES):
        raise CertificateError(f"the distance must be from 1 to {MAX_FOLLOWED_MOVES:,} moves")
    winner = position.mover if verdict.value == "win" else other(position.mover)
    budget = MoveBudget(game, position, MAX_STRATEGY_MOVES)
    wins = _read_nodes(proof, "wins")
    most = verdict.distance if has_distance and verdict.distance else MAX_FOLLOWED_MOVES
    _follow(game, position, wins, winner, winner, most, budget)
    if not has_distance:
        return Verdict(verdict.value)
    holds = _read_nodes(proof, "holds")
    if most > 1:
        _follow(game, position, holds, other(winner), winner, most - 1, budget)
    return verdict


def _follow(
    game: Game[Any],
    position: Any,
    nodes: list[Node],
    seat: int,
    winner: int,
    most: int,
    budget: MoveBudget,
) -> None:
    """Follow the strategy of a seat in every game that it allows, for at most `most` moves.

    The winner must win all of these games with its own strategy, and none with the opponent's.
    """
    waiting = [(position, 0, 0)]
    while waiting:
        here, place, made = waiting.pop()
        is_ours = here.mover == seat
        moves = (_strategy_move(game, here, nodes[place]),) if is_ours else game.moves(here)
        for move in moves:
            budget.spend_move()
            after = game.after(here, move)
            outcome = game.outcome(after)
            if outcome is not None:
                if (outcome.winner == winner) != (seat == winner):
                    raise CertificateError(f"{_notation(game, after)} is the wrong end")
            elif made + 1 < most:
                next_place = place if is_ours else _next_place(nodes[place], move)
                waiting.append((after, next_place, made + 1))
            elif seat == winner:
                raise CertificateError(f"{_notation(game, after)} is not won after {most:,} moves")


def _strategy_move(game: Game[Any], position: Any, node: Node) -> int:
    if node.move is None or not game.allows(position, node.move):
        raise CertificateError(
            f"{quoted(node.move)} is not a legal move in {_notation(game, position)}"
        )
    return node.move


def _next_place(node: Node, move: int) -> int:
    place = node.answers.get(str(move), node.answers.get(ANY_OTHER_MOVE))
    if place is None:
        raise CertificateError(f"there is no answer to {move}")
    return place


def _read_nodes(proof: Parts, name: str) -> list[Node]:
    nodes = []
    given = take_list(proof, name, MAX_CHECKED_NODES)
    for place, node in enumerate(given):
        if type(node) is not list or len(node) != 2 or type(node[1]) is not dict:
            raise CertificateError(f"node {place} of {name} must be a move and its answers")
        move, answers = node
        if move is not None and not is_whole(move, -MAX_NUMBER, MAX_NUMBER):
            raise CertificateError(f"node {place} of {name} has no move: {quoted(move)}")
        for key in answers:
            if not _ANSWER_KEY.fullmatch(key):
                raise CertificateError(f"node {place} of {name} answers {quoted(key)}, not a move")
        if not all(is_whole(to, place + 1, len(given) - 1) for to in answers.values()):
            raise CertificateError(f"node {place} of {name} must lead to later nodes")
        nodes.append(Node(move, answers))
    if not nodes:
        raise CertificateError(f"there are no nodes in {name}")
    return nodes


def _notation(game: Game[Any], position: Any) -> str:
    return game.notation(position)[:60]
