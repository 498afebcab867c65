"""The coach: the best move and why, and what a move that was made has changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from numduel.core.errors import TooLarge
from numduel.core.game import Game, P
from numduel.core.numerals import counted, shown
from numduel.core.verdict import Verdict
from numduel.core.words import seat_name
from numduel.players import Turn
from numduel.players.perfect import Ground, Trap, decide, solved
from numduel.players.sight import IMMEDIATE_WIN
from numduel.solver import theory_of

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

T = TypeVar("T")


class Hint(NamedTuple):
    """The move that the perfect player would make, and why."""

    move: int
    label: str  # as players speak of it
    verdict: Verdict
    ground: Ground
    reason: str  # a clause
    trap: Trap | None = None  # where that is the ground
    forced: bool = False  # whether there is no other move

    @property
    def line(self) -> str:
        """What the coach says."""
        value, label = self.verdict.value, self.label
        if self.forced:
            return f"{label} is the only move: {self.reason}."
        if value == "win":
            advice = f"Only {label} wins" if self.ground == "only" else f"Play {label}"
            return f"{advice}: {self.reason}."
        if value == "loss":
            return f"Every move loses against best play. {label} {self._resists}."
        nobody, kept = {
            "draw": ("Nobody can force a win", "keeps the draw"),
            "endless": ("Nobody can force an end", "is safe"),
        }[value]
        only = "only " if self.ground == "only" else ""
        trap = "" if self.trap is None else f" It sets a trap: {_share(self.trap)}."
        return f"{nobody}; {only}{label} {kept}: {self.reason}.{trap}"

    @property
    def _resists(self) -> str:
        if self.trap is not None:
            return f"sets the best trap: {_share(self.trap)}"
        longest = "holds out longest" if self.ground == "longest" else "is as good as any"
        return f"{longest}: {self.reason}"


def _share(trap: Trap) -> str:
    wrong = "would be a mistake" if trap.mistakes == 1 else "would be mistakes"
    return f"{trap.mistakes:,} of {counted(trap.replies, 'answer')} {wrong}"


def hint(game: Game[P], position: P, seconds: float | None = None) -> Hint:
    """What the coach advises; the game is not over. TooLarge, also where there is no time."""
    return _hint(_turn(game, position, seconds))


def _turn(game: Game[Any], position: Any, seconds: float | None) -> Turn:
    return Turn(game, position, position.mover, (), _NoChance(), seconds=seconds)


class _NoChance(Random):
    """Takes the first of what is as good, so that the advice is always the same."""

    def choice(self, seq: SupportsLenAndGetItem[T]) -> T:
        return seq[0]

    def sample(
        self, population: Sequence[T], k: int, *, counts: Iterable[int] | None = None
    ) -> list[T]:
        return list(population[:k])


def _hint(turn: Turn) -> Hint:
    game, position = turn.game, turn.position
    move, verdict, ground, trap = decide(turn._replace(rng=_NoChance()))
    label = game.words.move_label(position, move)
    reason = theory_of(game).reason(position, move)
    forced = len(game.moves(position)) == 1
    return Hint(move, label, verdict, ground, reason, trap, forced)


class Judgement(NamedTuple):
    """A move that was made, beside the best that could be made."""

    verdict: Verdict  # what the move led to, for the player who made it
    best: Hint | None  # what would have been better; None where nothing was
    forced: bool = False  # whether there was no other move

    @property
    def sound(self) -> bool:
        """Whether the move kept what there was."""
        return self.best is None

    @property
    def line(self) -> str:
        """What the coach says of the move."""
        if self.forced:
            return "It was the only move."
        if self.best is None:
            return {
                "win": "Good: that keeps the win.",
                "draw": "Sound: that keeps the draw.",
                "endless": "Sound: nobody can force an end.",
                "loss": "Nothing could be done: every move loses against best play.",
            }[self.verdict.value]
        if self.best.verdict.value == "win":
            lost, kept = "gave the win away", "kept it"
        elif self.best.verdict.value == "draw":
            lost, kept = "loses", "kept the draw"
        else:
            lost, kept = "loses", "held"
        return f"That {lost}. {self.best.label} would have {kept}: {self.best.reason}."


def judge(game: Game[P], before: P, move: int, seconds: float | None = None) -> Judgement:
    """What a legal move changes."""
    after = game.after(before, move)
    verdict = solved(_turn(game, after, seconds)).before(after.mover == before.mover)
    forced = len(game.moves(before)) == 1
    if forced or verdict.score >= solved(_turn(game, before, seconds)).score:
        return Judgement(verdict, None, forced)
    return Judgement(verdict, hint(game, before, seconds))


def outlook(verdict: Verdict, mover: int) -> str:
    """A verdict in a sentence, with the players named."""
    if verdict.value == "draw":
        return "With best play nobody wins."
    if verdict.value == "endless":
        return "Neither player can force an end."
    winner = seat_name(mover if verdict.value == "win" else 3 - mover)
    if verdict.distance is None:
        return f"{winner} wins with best play."
    moves = "1 move" if verdict.distance == 1 else f"{shown(verdict.distance)} moves"
    return f"{winner} wins in {moves} with best play."


def fairness(game: Game[P], seconds: float | None = None) -> str:
    """Who can win, to those who have not yet agreed on who begins; TooLarge."""
    verdict = solved(_turn(game, game.start(), seconds))
    return {
        "win": "Whoever begins can win.",
        "loss": "Whoever goes second can win.",
        "draw": "With best play nobody wins.",
        "endless": "Neither player can force an end.",
    }[verdict.value]


class Advice(NamedTuple):
    """What the coach says, and what of it can be drawn."""

    line: str
    move: int | None = None  # the move that it advises
    pairs: tuple[tuple[int, int], ...] = ()  # to each answer of the other, one's own


def advice(turn: Turn, swap_open: bool) -> str:
    """What the coach says to the player who is to move, or to decide on the swap."""
    return advised(turn, swap_open).line


def advised(turn: Turn, swap_open: bool) -> Advice:
    """The same, with what of it can be drawn."""
    try:
        if swap_open:
            return Advice(_swap_advice(solved(turn)))
        found = _hint(turn)
    except TooLarge as error:
        return Advice(f"This is beyond the coach: {error}.")
    if turn.swap_ahead and found.verdict != IMMEDIATE_WIN and found.verdict.score != 0.5:
        return Advice(
            "A first move that wins will be taken over, and one that loses will not: "
            "choose one that is hard to judge."
        )
    won = found.verdict.value == "win"
    pairs = theory_of(turn.game).pairs(turn.position, found.move) if won else ()
    return Advice(found.line, found.move, pairs)


def _swap_advice(verdict: Verdict) -> str:
    if verdict.score == 0.5:
        return "Either will do: that move neither wins nor loses."
    return "Yes: that move wins." if verdict.value == "loss" else "No: that move does not win."


def comment(game: Game[P], before: P, move: int, seconds: float | None = None) -> str:
    """What the coach says of a move that was made."""
    try:
        return judge(game, before, move, seconds).line
    except TooLarge as error:
        return f"This is beyond me: {error}."


class Swap(NamedTuple):
    """A decision about the first move."""

    seat: int  # who decided
    taken: bool
    verdict: Verdict  # of the position that the first move led to, for who must move there

    @property
    def sound(self) -> bool:
        """Whether the other answer would have been no better."""
        return self.verdict.score == 0.5 or self.taken == (self.verdict.value == "loss")

    @property
    def line(self) -> str:
        """What the coach says of it."""
        if self.verdict.score == 0.5:
            return "Sound: that first move neither wins nor loses."
        wins = "wins" if self.verdict.value == "loss" else "does not win"
        if self.sound:
            return f"Good: that first move {wins}."
        better = "to leave it" if self.taken else "to take it over"
        return f"That first move {wins}: it was better {better}."


def judge_swap(
    game: Game[P], position: P, seat: int, taken: bool, seconds: float | None = None
) -> Swap:
    """What it meant to take over the first move, which led to the position, or not to."""
    return Swap(seat, taken, solved(_turn(game, position, seconds)))


def comment_swap(game: Game[P], position: P, taken: bool, seconds: float | None = None) -> str:
    """What the coach says of taking over the first move, which led to the position, or not."""
    try:
        return judge_swap(game, position, position.mover, taken, seconds).line
    except TooLarge as error:
        return f"This is beyond me: {error}."
