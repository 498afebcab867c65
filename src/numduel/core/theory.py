"""A theory: the exact solution of a game, the cost of asking it, and the reasons for verdicts."""

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
    """Estimates of the seconds that questions about a position take on a slow machine."""

    solve: float  # for the verdict of the position, or a sound move
    values: float  # for the value of each move
    evaluate: float  # for the verdict of each move, with its distance
    once: float = 0.0  # additional seconds for the first question
    bytes: float = 0.0  # the memory for tables, if they are large


CHEAP = Cost(0.001, 0.001, 0.001)

ExplanationKind = Literal["end", "answer", "pairs", "fork", "threat", "block", "verdict"]
"""`end`: the move ends the game. `answer`: the opponent has an answer that wins. `pairs`: the
player can answer every reply. `fork`, `threat`: the move makes several threats, or one. `block`: it
takes the number with which the opponent would have won. `verdict`: only the verdict is known.
"""


class Explanation(NamedTuple):
    """The reason why a move is good or bad, as claims that can be checked.

    `Words` turns it into sentences.
    """

    kind: ExplanationKind
    verdict: Verdict  # of the move, for the player who makes it
    moves: tuple[int, ...] = ()  # the winning answer, or the threatened numbers
    pairs: tuple[tuple[int, int], ...] = ()  # replies of the opponent, each with its answer
    landings: tuple[tuple[int, Value], ...] = ()  # numbers, each with the value of landing there


class FirstMoves(NamedTuple):
    """The verdict of the start of a game, and which first moves win."""

    verdict: Verdict  # of the start
    winning: Sequence[int] | None  # the first moves that win, ascending; None if out of reach
    total: int  # the number of first moves


class Pairing(NamedTuple):
    """The graph of the numbers that are left, and a largest matching of it."""

    edges: Sequence[tuple[int, int]]  # the smaller number first
    pairs: Sequence[tuple[int, int]]
    missed: Collection[int]  # numbers that some largest matching leaves out: a step there wins


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

    _last: tuple[P, dict[int, Verdict]] | None = None  # the latest result of `verdicts`

    def __init__(self, game: Game[P]) -> None:
        self.game = game

    @abstractmethod
    def solve(self, position: P) -> Verdict:
        """Return the verdict of a position. Raises `TooLarge` if it is out of reach."""

    def distance(self, position: P) -> int | None:
        """Return the distance of the verdict. It may take a longer search than `solve`.

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
        """Return `evaluate` of a position. The latest result is cached."""
        if self._last is None or self._last[0] != position:
            self._last = position, self.evaluate(position)
        return self._last[1]

    def evaluate_many(self, positions: Sequence[P]) -> list[dict[int, Verdict]]:
        """Return `evaluate` of each position. A theory may override this with a quicker way."""
        return [self.evaluate(position) for position in positions]

    def values(self, position: P) -> dict[int, Value]:
        """Return the value of each legal move. A theory may override this with a quicker way."""
        return {move: verdict.value for move, verdict in self.evaluate(position).items()}

    def first_moves(self) -> FirstMoves:
        """Return which first moves win. Raises `TooLarge` if the verdict is out of reach."""
        start = self.game.start()
        verdict = self.solve(start)
        winning = None
        with suppress(TooLarge):
            winning = [move for move, value in self.values(start).items() if value == "win"]
        return FirstMoves(verdict, winning, len(self.game.moves(start)))

    def sound_move(self, position: P) -> int:
        """Return a move that keeps the score of the position. The game must not be over.

        A theory may override this with a quicker way.
        """
        verdicts = self.evaluate(position)
        return max(verdicts, key=lambda move: verdicts[move].rank)

    def cost(self, position: P) -> Cost:
        """Return the cost of questions about this position. Players choose by it what to ask.

        It must not depend on earlier questions, so that a seed always repeats the same game.
        """
        return CHEAP

    def explanation(self, position: P, move: int) -> Explanation:
        """Return the reason why a legal move is good or bad.

        Raises `TooLarge` if it is out of reach. A theory may override this to say more.
        """
        after = self.game.after(position, move)
        verdict = self.solve(after).before(after.mover == position.mover)
        if self.game.outcome(after) is not None:
            return Explanation("end", verdict)
        if verdict.value == "loss" and after.mover != position.mover:
            return Explanation("answer", verdict, (self.sound_move(after),))
        return Explanation("verdict", verdict)

    def pairing(self, position: P) -> Pairing | None:
        """Return the pairing that decides a position; None if pairings do not decide this game.

        Raises `TooLarge` if the graph is too large.
        """
        return None

    def proofs(self, position: P) -> tuple[Proof, ...]:
        """Return proofs of the verdict of a position. The game must not be over.

        If there are none, a certificate labels every position that play can reach. Raises
        `TooLarge` if a proof is out of reach.
        """
        return ()
