"""The coach before a move: a hint in steps, each saying more, up to the move and its reason."""

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
from numduel.players.evaluation import IMMEDIATE_LOSS, IMMEDIATE_WIN, solve_position
from numduel.players.perfect import Decision, Trap, decide
from numduel.solver import theory_of

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

T = TypeVar("T")


class Hint(NamedTuple):
    """The move that the perfect player would make, told in steps that each say more."""

    decision: Decision
    label: str  # the move as players speak of it
    explanation: Explanation  # why it is as good as it is
    steps: tuple[str, ...]  # how many moves win, the idea, two candidates, the move and why
    candidates: tuple[int, ...]  # the moves that the third step names
    notes: tuple[str, ...]  # what a picture would show of the reason, as lines
    why: str  # the reason in sentences

    @property
    def move(self) -> int:
        """The advised move."""
        return self.decision.move

    @property
    def idea(self) -> str:
        """The last step that names no move. If there is no choice, it is the only step."""
        return self.steps[min(1, len(self.steps) - 1)]


def hint(game: Game[P], position: P) -> Hint:
    """Return the coach's hint. The game is not over. Raises TooLarge."""
    return _hint_for_turn(chanceless_turn(game, position))


def reason_for(game: Game[P], position: P, move: int) -> str:
    """Return why a move is as good as it is, in sentences. Raises TooLarge."""
    return game.words.because(position, move, theory_of(game).explanation(position, move))


def has_choice(game: Game[Any], position: Any) -> bool:
    """Return whether the moves lead to different positions."""
    first, *others = game.moves(position)
    after = game.after(position, first)
    return any(game.after(position, one) != after for one in others)


def chanceless_turn(game: Game[Any], position: Any) -> Turn:
    """Return a turn in which the perfect player's choice does not depend on chance."""
    return Turn(game, position, position.mover, (), _NoChance())


class _NoChance(Random):
    """Always chooses the first item, so that the advice is always the same."""

    def choice(self, seq: SupportsLenAndGetItem[T]) -> T:
        return seq[0]

    def sample(
        self, population: Sequence[T], k: int, *, counts: Iterable[int] | None = None
    ) -> list[T]:
        return list(population[:k])


def _hint_for_turn(turn: Turn) -> Hint:
    game, position = turn.game, turn.position
    decision = decide(turn._replace(rng=_NoChance()))
    move, words = decision.move, game.words
    label = words.move_label(position, move)
    explanation = theory_of(game).explanation(position, move)
    because = words.because(position, move, explanation)
    if not has_choice(game, position):
        is_only = len(game.moves(position)) == 1
        step = f"{label} is your only move." if is_only else "It is all the same: choose any move."
        return Hint(decision, label, explanation, (step,), (), (), because)
    candidates = _candidates(decision)
    labels = [words.move_label(position, one) for one in candidates]
    trap = telling_traps(decision).get(move)
    notes: Sequence[str] = ()
    if decision.verdict.value == "loss":
        idea = "Make the game last: they may still make a mistake."
        if trap is not None:
            idea = "Set a trap: leave them as many wrong answers as you can."
        last_step = _resistance(decision, label, trap)
    else:
        idea = words.idea(position, move, explanation)
        sets_trap = "" if trap is None else f" It sets a trap: {describe_trap(trap)}."
        last_step = f"Play {label}. {because}{sets_trap}"
        notes = words.reason_notes(position, move, explanation)
    steps = (_choice_count(decision), idea, _candidates_step(decision, candidates, labels))
    told = (*filter(None, steps), last_step)
    return Hint(decision, label, explanation, told, candidates, tuple(notes), because)


def telling_traps(decision: Decision) -> dict[int, Trap]:
    """Return the traps that the moves set; none if the chosen move's trap does not stand out.

    Mistakes that lose at once are not counted: everybody sees them.
    """
    traps = {
        move: Trap(trap.mistakes - trap.at_once, trap.replies - trap.at_once)
        for move, trap in decision.traps.items()
        if trap.replies  # otherwise the game is over, or the same player moves again
    }
    shares = [trap.share for trap in traps.values()]
    stands_out = traps and traps[decision.move].share == max(shares) > min(shares)
    return traps if stands_out else {}


def _resistance(decision: Decision, label: str, trap: Trap | None) -> str:
    """Return the last step in a lost position."""
    if trap is not None:
        return f"Play {label}. It sets the most traps: {describe_trap(trap)}."
    distances = [verdict.distance or 0 for verdict in decision.verdicts.values()]  # 0: not known
    shortest, longest = min(distances, default=0), max(distances, default=0)
    if 0 < shortest == longest:
        return f"Play {label}. Your moves are equally good here."
    if shortest and decision.verdict.distance == longest:
        return f"Play {label}. It holds out longest."
    return f"Play {label}. No other move is known to be better."


def describe_trap(trap: Trap) -> str:
    """Return how many answers would be mistakes, as the end of a sentence."""
    if trap.mistakes == 1:
        return f"1 of {trap.replies:,} answers to it is wrong"
    return f"{trap.mistakes:,} of {trap.replies:,} answers to it are wrong"


def _choice_count(decision: Decision) -> str:
    """Return the step that says how many moves win, or do not lose."""
    value, verdicts = decision.verdict.value, decision.verdicts
    if not verdicts:
        return {"win": "You can win from here.", "loss": "They can win, whatever you do."}.get(
            value, "Nobody can force a win from here."
        )
    good, moves = _good_count(decision), len(verdicts)
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


def _good_count(decision: Decision) -> int:
    """Return how many moves are as good as the chosen one, which is one of them."""
    return sum(one.score == decision.verdict.score for one in decision.verdicts.values())


def _candidates(decision: Decision) -> tuple[int, ...]:
    """Return the chosen move and another one, if possible a worse one that is not easily seen.

    A move that loses at once is easily seen, and is returned only if there is no other.
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


def _candidates_step(decision: Decision, candidates: tuple[int, ...], labels: list[str]) -> str:
    """Return the step that names the two candidates; empty if there are none."""
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
    if _good_count(decision) == 1:
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
    when = game.words.in_moves(verdict.distance, "their")
    is_later = verdict.distance is not None and verdict.distance > 2
    return f"{winner} wins {when} with best play." if is_later else f"{winner} wins {when}."


class Advice(NamedTuple):
    """What the coach says to the player who is to decide, in steps that each say more."""

    steps: tuple[str, ...]
    hint: Hint | None = None  # the hint that these steps come from, if any

    @property
    def line(self) -> str:
        """The last step, which says everything."""
        return self.steps[-1]

    def notes(self, step: int) -> tuple[str, ...]:
        """Return the notes to show with a step. Only the last step has any."""
        return self.hint.notes if self.hint and step >= len(self.steps) else ()


def advise(turn: Turn, swap_open: bool) -> Advice:
    """Return the coach's advice to the player who is to move, or to decide on the swap."""
    try:
        if swap_open:
            return Advice((_swap_advice(solve_position(turn)),))
        hint = _hint_for_turn(turn)
    except TooLarge as error:
        return Advice((f"The coach cannot help here: {error}.",))
    verdict = hint.decision.verdict
    if turn.swap_ahead and verdict != IMMEDIATE_WIN and verdict.score != 0.5:
        return Advice(
            (
                "A first move that wins will be taken over, and one that loses will not: "
                "choose one that is hard to judge.",
            )
        )
    return Advice(hint.steps, hint)


def _swap_advice(verdict: Verdict) -> str:
    if verdict.score == 0.5:
        return "Either will do: that move neither wins nor loses."
    return "Yes: that move wins." if verdict.value == "loss" else "No: that move does not win."
