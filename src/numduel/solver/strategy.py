"""Strategies as lists of nodes, from a search that knows how soon a game can be won.

A node is a move and, for each answer to it, the index of the next node, which is later in the list.
The answer `*` stands for all answers without an index of their own. Equal nodes are stored once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from numduel.core.errors import TooLarge

MAX_STRATEGY_NODES = 20_000
"""Maximum number of nodes of a strategy."""

MAX_ANSWERS = 300_000
"""Maximum number of answers to look at for one strategy."""

S = TypeVar("S")


class Search(Protocol[S]):
    """A game with a search for wins. States must be hashable."""

    def moves(self, state: S) -> Iterable[int]:
        """Return the legal moves, the most promising first; none if the game is over."""

    def after(self, state: S, move: int) -> S:
        """Return the state after a move."""

    def wins(self, state: S, within: int) -> bool:
        """Return whether the mover can win within so many moves."""

    def loses(self, state: S, within: int) -> bool:
        """Return whether the mover must lose within so many moves; for 0, whether it has lost."""


PlanNode = Callable[[Any, int], int]
"""A function that returns the index of the node for a state and a number of moves left."""

StrategyNode = tuple[int | None, tuple[tuple[str, int], ...]]


class Strategies:
    """Writes strategies for the states of one search. Raises `TooLarge` for a long strategy."""

    def __init__(self, search: Search[Any], most: int = MAX_STRATEGY_NODES) -> None:
        self._search = search
        self._most = most
        self._nodes: dict[StrategyNode, int] = {}
        self._known: dict[Any, int] = {}
        self._looks = 0

    def wins(self, state: Any, within: int, mover: bool) -> list[Any]:
        """Return a strategy to win within so many moves, for the mover or for the opponent."""
        return self._write(self._win if mover else self._answering(self._win), state, within)

    def holds(self, state: Any, within: int, mover: bool) -> list[Any]:
        """Return a strategy not to lose within so many moves, for the mover or the opponent."""
        return self._write(self._hold if mover else self._answering(self._hold), state, within)

    def _win(self, state: Any, within: int) -> int:
        return self._go(state, within, self._search.loses, self._win)

    def _hold(self, state: Any, within: int) -> int:
        return self._go(state, within, self._cannot_win, self._hold)

    def _cannot_win(self, state: Any, within: int) -> bool:
        return not self._search.wins(state, within)

    def _go(self, state: Any, within: int, good: Callable[[Any, int], bool], plan: PlanNode) -> int:
        """Return the node of the first good move. There must be one."""
        ways = ((move, self._search.after(state, move)) for move in self._search.moves(state))
        move, after = next(way for way in ways if good(way[1], within - 1))
        return self._node(move, self._answers(after, within - 1, plan))

    def _answering(self, plan: PlanNode) -> PlanNode:
        """Return a plan for a state in which the opponent is to move."""
        return lambda state, within: self._node(None, self._answers(state, within, plan))

    def _answers(self, state: Any, within: int, plan: PlanNode) -> dict[int, int]:
        """Return the node after each answer; nothing if too few moves are left to need one."""
        if within < 2:
            return {}
        found = {}
        for move in self._search.moves(state):
            self._looks += 1
            if self._looks > MAX_ANSWERS:
                raise TooLarge(f"the strategy has more than {MAX_ANSWERS:,} answers")
            after = self._search.after(state, move)
            key = plan, after, within - 1
            if key not in self._known:
                self._known[key] = plan(after, within - 1)
            found[move] = self._known[key]
        return found

    def _node(self, move: int | None, answers: dict[int, int]) -> int:
        """Store a node, unless there is an equal one, and return its index."""
        then: tuple[tuple[str, int], ...] = ()
        if answers:
            ((rest, _),) = Counter(answers.values()).most_common(1)
            named = ((str(answer), to) for answer, to in answers.items() if to != rest)
            then = (("*", rest), *named)
        if len(self._nodes) >= self._most:
            raise TooLarge(f"the strategy has more than {self._most:,} nodes")
        return self._nodes.setdefault((move, then), len(self._nodes))

    def _write(self, plan: PlanNode, state: Any, within: int) -> list[Any]:
        """Return the nodes of a strategy, each before the nodes that it leads to."""
        self._nodes, self._known, self._looks = {}, {}, 0
        last = plan(state, within)
        nodes = list(self._nodes)[: last + 1]
        return [
            [move, {answer: last - to for answer, to in then}] for move, then in reversed(nodes)
        ]
