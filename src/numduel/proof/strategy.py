"""Checking strategies, for any game: one that wins, and one that holds out as long as can be."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core.errors import CertificateError
from numduel.core.game import Game, other
from numduel.core.numerals import quoted
from numduel.core.proof import Parts, is_whole, take, take_list
from numduel.core.settings import LARGEST_NUMBER
from numduel.core.verdict import Verdict
from numduel.proof.effort import Effort

MOST_NODES = 200_000

MOST_MOVES = 500_000

LONGEST_GAME = 1_000
"""Games of more moves than this are not followed."""

REST = "*"
"""In a node's answers: whatever is not named."""


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
    if timed and not is_whole(verdict.distance, 1, LONGEST_GAME):
        raise CertificateError(f"it takes a distance from 1 to {LONGEST_GAME:,} to hold out for")
    winner = position.mover if verdict.value == "win" else other(position.mover)
    effort = Effort(game, position, MOST_MOVES)
    wins = _nodes(proof, "wins")
    within = verdict.distance if timed and verdict.distance else LONGEST_GAME
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
    given = take_list(proof, name, MOST_NODES)
    for place, node in enumerate(given):
        if type(node) is not list or len(node) != 2 or type(node[1]) is not dict:
            raise CertificateError(f"node {place} of {name} must be a move and its answers")
        move, then = node
        if move is not None and not is_whole(move, -LARGEST_NUMBER, LARGEST_NUMBER):
            raise CertificateError(f"node {place} of {name} has no move: {quoted(move)}")
        if not all(is_whole(to, place + 1, len(given) - 1) for to in then.values()):
            raise CertificateError(f"node {place} of {name} must lead to later nodes")
        found.append(Node(move, then))
    if not found:
        raise CertificateError(f"there are no nodes in {name}")
    return found


def _line(game: Game[Any], position: Any) -> str:
    return game.notation(position)[:60]
