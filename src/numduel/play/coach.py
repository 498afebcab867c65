"""The coach before a move: a hint in steps, each of which says more, up to the move and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from numduel.core.errors import TooLarge
from numduel.core.game import Game, P, other
from numduel.core.theory import Explanation
from numduel.core.verdict import Verdict
from numduel.core.words import seat_name
from numduel.players import Turn
from numduel.players.evaluation import IMMEDIATE_LOSS, IMMEDIATE_WIN, solved
from numduel.players.perfect import Decision, Trap, decide
from numduel.solver import theory_of

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

T = TypeVar("T")


class Hint(NamedTuple):
    """The move that the perfect player would make, in steps that each say more."""

    decision: Decision
    label: str  # the move as players speak of it
    found: Explanation  # why it is as good as it is
    steps: tuple[str, ...]  # how many moves win, the idea, two candidates, the move and why
    candidates: tuple[int, ...]  # the moves that the third step names
    notes: tuple[str, ...]  # what a picture would show of the reason
    why: str  # the same in whole sentences

    @property
    def move(self) -> int:
        """The advised move."""
        return self.decision.move

    @property
    def line(self) -> str:
        """The last step."""
        return self.steps[-1]

    @property
    def idea(self) -> str:
        """The step before a move is named; where there is but one move, how many there are."""
        return self.steps[min(1, len(self.steps) - 1)]


def hint(game: Game[P], position: P) -> Hint:
    """Return the coach's advice; the game is not over. Raises TooLarge."""
    return _hint(turn_of(game, position))


def why(game: Game[P], position: P, move: int) -> str:
    """Return why a move is as good as it is, in whole sentences; TooLarge."""
    return game.words.because(position, move, theory_of(game).explanation(position, move))


def has_choice(game: Game[Any], position: Any) -> bool:
    """Return whether the moves lead to different positions."""
    first, *others = game.moves(position)
    after = game.after(position, first)
    return any(game.after(position, one) != after for one in others)


def turn_of(game: Game[Any], position: Any) -> Turn:
    """Return a turn in which nothing is left to chance."""
    return Turn(game, position, position.mover, (), _NoChance())


class _NoChance(Random):
    """Always takes the first of equal choices, so that the advice is always the same."""

    def choice(self, seq: SupportsLenAndGetItem[T]) -> T:
        return seq[0]

    def sample(
        self, population: Sequence[T], k: int, *, counts: Iterable[int] | None = None
    ) -> list[T]:
        return list(population[:k])


def _hint(turn: Turn) -> Hint:
    game, position = turn.game, turn.position
    decision = decide(turn._replace(rng=_NoChance()))
    move, words = decision.move, game.words
    label = words.move_label(position, move)
    found = theory_of(game).explanation(position, move)
    because = words.because(position, move, found)
    if not has_choice(game, position):
        only = len(game.moves(position)) == 1
        step = f"{label} is your only move." if only else "It is all the same: choose any move."
        return Hint(decision, label, found, (step,), (), (), because)
    candidates = _candidates(decision)
    labels = [words.move_label(position, one) for one in candidates]
    told = telling_traps(decision).get(move)
    if decision.verdict.value == "loss":
        idea = "Set a trap: leave them as many wrong answers as you can."
        if told is None:
            idea = "Make the game last: they may still make a mistake."
        last, notes = _resistance(decision, label, told), []
    else:
        trap = "" if told is None else f" It sets a trap: {share(told)}."
        idea, last = words.idea(position, move, found), f"Play {label}. {because}{trap}"
        notes = words.reason_notes(position, move, found)
    steps = (_count(decision), idea, _look(decision, candidates, labels), last)
    return Hint(
        decision, label, found, tuple(filter(None, steps)), candidates, tuple(notes), because
    )


def telling_traps(decision: Decision) -> dict[int, Trap]:
    """Return the trap that each move sets; none if the one decided on does not stand out.

    To lose at once is no trap: nobody has to be told.
    """
    found = {
        move: Trap(trap.mistakes - trap.at_once, trap.replies - trap.at_once)
        for move, trap in decision.traps.items()
        if trap.replies  # else the game is over, or the same player moves again
    }
    shares = [trap.share for trap in found.values()]
    stands_out = found and found[decision.move].share == max(shares) > min(shares)
    return found if stands_out else {}


def _resistance(decision: Decision, label: str, trap: Trap | None) -> str:
    if trap is not None:
        return f"Play {label}. It sets the most traps: {share(trap)}."
    distances = [verdict.distance or 0 for verdict in decision.verdicts.values()]  # 0: not known
    shortest, longest = min(distances, default=0), max(distances, default=0)
    if 0 < shortest == longest:
        return f"Play {label}. Your moves are equally good here."
    if shortest and decision.verdict.distance == longest:
        return f"Play {label}. It holds out longest."
    return f"Play {label}. No other move is known to be better."


def share(trap: Trap) -> str:
    """Return how many answers would be mistakes, for the end of a sentence."""
    if trap.mistakes == 1:
        return f"1 of {trap.replies:,} answers to it is wrong"
    return f"{trap.mistakes:,} of {trap.replies:,} answers to it are wrong"


def _count(decision: Decision) -> str:
    """Return how many moves win, or do not lose."""
    value, verdicts = decision.verdict.value, decision.verdicts
    if not verdicts:
        return {"win": "You can win from here.", "loss": "They can win, whatever you do."}.get(
            value, "Nobody can force a win from here."
        )
    good, moves = _good(decision), len(verdicts)
    if value == "loss":
        if moves == 2:
            return "Neither of your moves wins if they play their best."
        return f"None of your {moves:,} moves wins if they play their best."
    if value == "win":
        if good == moves:
            return "Both of your moves win." if moves == 2 else f"All of your {moves:,} moves win."
        if good == 1:
            return f"1 of your {moves:,} moves wins."
        return f"{good:,} of your {moves:,} moves win."
    if good == moves == 2:
        return "Neither of your moves loses, and neither wins if they play their best."
    if good == moves:
        return f"None of your {moves:,} moves loses, and none wins if they play their best."
    if good == 1:
        return f"1 of your {moves:,} moves is safe."
    return f"{good:,} of your {moves:,} moves are safe."


def _good(decision: Decision) -> int:
    """Return how many moves are as good as the one decided on."""
    return sum(one.score == decision.verdict.score for one in decision.verdicts.values())


def _candidates(decision: Decision) -> tuple[int, ...]:
    """Return the move and another one, if possible one that is worse but hard to tell from it.

    One that loses at once is easy to tell from it, and is named only where there is no other.
    """
    best, verdicts = decision.verdict.score, decision.verdicts
    others = {move: one for move, one in verdicts.items() if move != decision.move}
    if not others:
        return ()
    worse = {
        move: one for move, one in others.items() if one.score < best and one != IMMEDIATE_LOSS
    }
    other = max(worse or others, key=lambda move: others[move].rank)
    return tuple(sorted((decision.move, other)))


def _look(decision: Decision, candidates: tuple[int, ...], labels: list[str]) -> str:
    """Return the sentence on the two candidates."""
    if not candidates:
        return ""
    one, two = labels
    value = decision.verdict.value
    if value == "loss":
        return f"Look at {one} and {two}."
    if all(decision.verdicts[move].score == decision.verdict.score for move in candidates):
        if value == "win":
            return f"Both of these win: {one} and {two}."
        return f"Both of these are safe: {one} and {two}."
    if _good(decision) == 1:
        return f"It is {one} or {two}."
    if value == "win":
        return f"One of these wins: {one} or {two}."
    return f"One of these is safe: {one} or {two}."


def outlook(game: Game[Any], verdict: Verdict, mover: int) -> str:
    """Return a verdict as a sentence that names the players."""
    if verdict.value == "draw":
        return "With best play nobody wins."
    if verdict.value == "endless":
        return "Neither player can force an end."
    winner = seat_name(mover if verdict.value == "win" else other(mover))
    soon = game.words.in_moves(verdict.distance, "their")
    known = verdict.distance is not None and verdict.distance > 2
    return f"{winner} wins {soon} with best play." if known else f"{winner} wins {soon}."


class Advice(NamedTuple):
    """What the coach says to the player who is to decide, in steps that each say more."""

    steps: tuple[str, ...]
    hint: Hint | None = None  # what it rests on, if that is one

    @property
    def line(self) -> str:
        """The last step, which says all."""
        return self.steps[-1]

    def notes(self, step: int) -> tuple[str, ...]:
        """Return what a picture would show, as lines: only with the last step."""
        return self.hint.notes if self.hint and step >= len(self.steps) else ()


def advised(turn: Turn, swap_open: bool) -> Advice:
    """Return the coach's advice to the player who is to move, or to decide on the swap."""
    try:
        if swap_open:
            return Advice((_swap_advice(solved(turn)),))
        found = _hint(turn)
    except TooLarge as error:
        return Advice((f"The coach cannot help here: {error}.",))
    verdict = found.decision.verdict
    if turn.swap_ahead and verdict != IMMEDIATE_WIN and verdict.score != 0.5:
        return Advice(
            (
                "A first move that wins will be taken over, and one that loses will not: "
                "choose one that is hard to judge.",
            )
        )
    return Advice(found.steps, found)


def _swap_advice(verdict: Verdict) -> str:
    if verdict.score == 0.5:
        return "Either will do: that move neither wins nor loses."
    return "Yes: that move wins." if verdict.value == "loss" else "No: that move does not win."
