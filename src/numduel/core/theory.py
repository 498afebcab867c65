"""A theory: the exact solution of a game, its costs, and the reasons for moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, TypeVar

from numduel.core.errors import TooLarge
from numduel.core.proof_parts import Proof
from numduel.core.verdict import Value, Verdict

if TYPE_CHECKING:
    from numduel.core.game import Game, Position

P = TypeVar("P", bound="Position")


class Cost(NamedTuple):
    """About how many seconds each question takes at a position on a slow machine, and memory."""

    solve: float  # the verdict of the position, or a sound move
    values: float  # the value of each move
    evaluate: float  # the verdict of each move, distances and all
    once: float = 0.0  # seconds that the first question takes on top of that
    bytes: float = 0.0  # memory for tables, if they are large


CHEAP = Cost(0.001, 0.001, 0.001)


ExplanationKind = Literal["end", "answer", "pairs", "fork", "threat", "block", "verdict"]
"""The move ends the game; the opponent has an answer that wins; there is an answer to all that the
opponent can do; it makes two threats, or one; it takes what the opponent would have won with; or
only the verdict is known."""


class Explanation(NamedTuple):
    """Why a move is as good as it is, as claims to be checked. `Words` has the sentences."""

    kind: ExplanationKind
    verdict: Verdict  # of the move, for who makes it
    moves: tuple[int, ...] = ()  # the answer that wins, or what is threatened
    pairs: tuple[tuple[int, int], ...] = ()  # moves of the opponent, each with the answer to it
    landings: tuple[tuple[int, Value], ...] = ()  # numbers, and what it is to land there


class FirstMoves(NamedTuple):
    """What the first moves of a game lead to."""

    verdict: Verdict  # of the start
    winning: Sequence[int] | None  # those that win, ascending; None: out of reach
    total: int  # how many there are


class Pairing(NamedTuple):
    """The graph of the numbers that are left, and a largest pairing of them along its edges."""

    edges: Sequence[tuple[int, int]]  # the smaller number first
    pairs: Sequence[tuple[int, int]]
    missed: Collection[int]  # by some largest pairing: a step there wins


class Theory(ABC, Generic[P]):
    """The exact solution of one game at fixed settings.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=10)
    >>> theory, position = game.theory, game.read("4/2")
    >>> theory.solve(position), theory.sound_move(position)
    (Verdict(value='win', distance=3), 1)
    >>> theory.values(position)
    {1: 'win', 2: 'loss'}
    >>> theory.explanation(position, 1).kind
    'pairs'
    """

    _last: tuple[P, dict[int, Verdict]] | None = None  # what `verdicts` remembers

    def __init__(self, game: Game[P]) -> None:
        self.game = game

    @abstractmethod
    def solve(self, position: P) -> Verdict:
        """Return the verdict of a position. Raises `TooLarge` if it is out of reach."""

    def distance(self, position: P) -> int | None:
        """Return the distance of the verdict, with a longer search if `solve` leaves it out.

        None if the position is endless. Raises `TooLarge` if the distance is out of reach.
        """
        return self.solve(position).distance

    def evaluate(self, position: P) -> dict[int, Verdict]:
        """Return the verdict of each legal move, for the player who makes it."""
        found = {}
        for move in self.game.moves(position):
            after = self.game.after(position, move)
            found[move] = self.solve(after).before(after.mover == position.mover)
        return found

    def verdicts(self, position: P) -> Mapping[int, Verdict]:
        """Return `evaluate`, remembered until the next question about another position."""
        last = self._last
        if last is None or last[0] != position:
            last = self._last = position, self.evaluate(position)
        return last[1]

    def evaluate_many(self, positions: Sequence[P]) -> list[dict[int, Verdict]]:
        """Return `evaluate` of each position. A theory may replace this by something quicker."""
        return [self.evaluate(position) for position in positions]

    def values(self, position: P) -> dict[int, Value]:
        """Return the value of each legal move. A theory may replace this by something quicker."""
        return {move: verdict.value for move, verdict in self.evaluate(position).items()}

    def first_moves(self) -> FirstMoves:
        """Return what the first moves lead to. Raises `TooLarge` if the verdict is out of reach."""
        start = self.game.start()
        verdict = self.solve(start)
        winning = None
        with suppress(TooLarge):
            winning = [move for move, value in self.values(start).items() if value == "win"]
        return FirstMoves(verdict, winning, len(self.game.moves(start)))

    def sound_move(self, position: P) -> int:
        """Return a move that keeps the score of the position, found quickly.

        The game must not be over.
        """
        verdicts = self.evaluate(position)
        return max(verdicts, key=lambda move: verdicts[move].rank)

    def cost(self, position: P) -> Cost:
        """Return what questions about this position cost, so that callers can choose what to ask.

        The answer must not depend on earlier questions: players plan by it, and a seed must
        repeat a game.
        """
        return CHEAP

    def explanation(self, position: P, move: int) -> Explanation:
        """Return why a legal move is as good as it is. Raises `TooLarge` if that is out of reach.

        A theory may replace this by something that says more.
        """
        after = self.game.after(position, move)
        verdict = self.solve(after).before(after.mover == position.mover)
        if self.game.outcome(after) is not None:
            return Explanation("end", verdict)
        if verdict.value == "loss" and after.mover != position.mover:
            return Explanation("answer", verdict, (self.sound_move(after),))
        return Explanation("verdict", verdict)

    def pairing(self, position: P) -> Pairing | None:
        """Return the pairing that decides a position; None where the game is not of that kind.

        Raises `TooLarge` if it is too large to be looked at.
        """
        return None

    def proofs(self, position: P) -> tuple[Proof, ...]:
        """Return proofs of the verdict of a position in which the game is not over.

        Without any, a certificate labels every position that can be reached. Raises `TooLarge` if
        a proof is out of reach.
        """
        return ()
