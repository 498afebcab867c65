"""The coach after a move: what was good or bad about it; and its closing remark after a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.game import OUTSIDE_REASONS, Game, Outcome, P
from numduel.core.theory import Explanation
from numduel.core.verdict import Verdict
from numduel.core.words import Last
from numduel.play.coach import Hint, chanceless_turn, describe_trap, has_choice, hint, telling_traps
from numduel.players import Turn
from numduel.players.evaluation import IMMEDIATE_LOSS, evaluate_moves
from numduel.players.perfect import Trap, decide
from numduel.solver import theory_of

MAX_JUDGED_MOVES = 400
"""Maximum number of moves of a game that gets a closing remark for the loser."""


def judge_move(game: Game[P], before: P, move: int) -> tuple[Verdict, bool]:
    """Return what a legal move leads to, and whether it is sound. Raises TooLarge."""
    after, theory = game.after(before, move), theory_of(game)
    verdict = theory.solve(after).before(after.mover == before.mover)
    is_forced = len(game.moves(before)) == 1
    return verdict, is_forced or verdict.score >= theory.solve(before).score


class Remark(NamedTuple):
    """What there is to say about a move that was made, and the facts that it rests on."""

    sentences: tuple[str, ...] = ()  # none if there is nothing to say
    explanation: Explanation | None = None  # why the move was good or bad
    best: Hint | None = None  # what would have been better
    trap: Trap | None = None  # of the move that sets the most traps, if every move loses


def remark(game: Game[P], before: P, move: int) -> Remark:
    """Return what there is to say about a move: nothing if there was no choice. Raises TooLarge.

    Moves that lose at once do not count as a choice. Each sentence names the move.
    """
    if not has_choice(game, before) or game.outcome(game.after(before, move)) is not None:
        return Remark()
    turn = chanceless_turn(game, before)
    try:
        verdicts, _ = evaluate_moves(turn)
    except TooLarge:  # to judge all moves takes too long; to judge one may not
        verdicts = {}
    choices = [one for one in verdicts.values() if one != IMMEDIATE_LOSS]
    if len({one.score for one in choices}) == 1:
        is_lost = len(choices) > 1 and choices[0].score == 0
        return _trap_remark(turn, move) if is_lost else Remark()
    _, is_sound = judge_move(game, before, move)
    if is_sound and not choices:
        return Remark()
    words, explanation = game.words, theory_of(game).explanation(before, move)
    if is_sound:
        return Remark((words.praise(before, move, explanation),), explanation)
    best = hint(game, before)
    made, better = words.move_label(before, move), best.label
    comparison = {
        "win": f"{better} instead of {made} would have won.",
        "draw": f"{better} instead of {made} would have kept the draw.",
    }.get(best.decision.verdict.value, f"{better} instead of {made} would have been safe.")
    return Remark((words.because(before, move, explanation), comparison), explanation, best)


def _trap_remark(turn: Turn, move: int) -> Remark:
    """Return what there is to say about a move if every move loses."""
    game, before = turn.game, turn.position
    decision = decide(turn)
    traps = telling_traps(decision)
    if move not in traps:
        return Remark()
    trap = traps[decision.move]
    made, best = (game.words.move_label(before, one) for one in (move, decision.move))
    if traps[move].share == trap.share:
        return Remark((f"{made} sets the most traps: {describe_trap(trap)}.",), trap=trap)
    return Remark(
        (f"{best} would have set more traps than {made}: {describe_trap(trap)}.",), trap=trap
    )


def compared_moves(game: Game[Any], past: Sequence[Last]) -> list[Last]:
    """Return those of a player's moves that a comment on the last one depends on.

    These are the first, those with the same name as the last, and the last.
    """
    *earlier, last = past
    return [*earlier[:1], *(one for one in earlier[1:] if _same_name(game, one, last)), last]


def _same_name(game: Game[Any], one: Last, other: Last) -> bool:
    return game.words.brief(*one) == game.words.brief(*other)


def comment_on_move(game: Game[Any], past: Sequence[Last]) -> str:
    """Return what the coach says about the last of a player's moves; empty if it is nothing.

    No sentence about an earlier move is repeated. If the game is too large for the coach, only
    the comment on the first move says so.
    """
    *earlier, last = past
    try:
        sentences = remark(game, *last).sentences
        similar = [one for one in earlier if sentences and _same_name(game, one, last)]
        known = {sentence for one in similar for sentence in remark(game, *one).sentences}
    except TooLarge as error:
        return "" if earlier else f"I cannot judge this: {error}."
    return " ".join(sentence for sentence in sentences if sentence not in known)


class ClosingRemark(NamedTuple):
    """What the coach says to a player when the game is over."""

    line: str = ""  # empty if there is nothing to say
    turned: int | None = None  # after how many moves the player gave the game away
    best: Hint | None = None  # what would have been better then


def closing_remark(
    game: Game[Any], past: Sequence[Last], outcome: Outcome, seat: int
) -> ClosingRemark:
    """Return the closing remark to the player in a seat, after these moves from the start."""
    if outcome.winner is None or outcome.reason in OUTSIDE_REASONS or not past:
        return ClosingRemark()
    words = game.words
    if outcome.winner == seat:
        return ClosingRemark(
            words.winning_comment(*past[-1]) if past[-1].before.mover == seat else ""
        )
    if len(past) > MAX_JUDGED_MOVES:
        return ClosingRemark()
    try:
        turned = next(
            at
            for at, (before, move) in reversed([*enumerate(past)])
            if before.mover == seat and not judge_move(game, before, move)[1]
        )
        best = hint(game, past[turned].before)
    except TooLarge:
        return ClosingRemark()
    except StopIteration:
        return ClosingRemark("You made no mistake: they could win from the start.")
    label = words.move_label(*past[turned])
    return ClosingRemark(f"So close! It turned when you chose {label}.", turned, best)


class SwapJudgement(NamedTuple):
    """A decision about the first move."""

    seat: int  # who decided
    taken: bool
    verdict: Verdict  # of the position that the first move led to, for the player to move there

    @property
    def sound(self) -> bool:
        """Whether the other decision would have been no better."""
        return self.verdict.score == 0.5 or self.taken == (self.verdict.value == "loss")

    @property
    def line(self) -> str:
        """What the coach says about it."""
        if self.verdict.score == 0.5:
            return "Sound: that first move neither wins nor loses."
        if self.taken:
            if self.sound:
                return "Good: that first move wins."
            return "That first move does not win: it was better to leave it."
        if self.sound:
            return "Good: that first move does not win."
        return "That first move wins: it was better to take it over."


def comment_on_swap(game: Game[P], position: P, taken: bool) -> str:
    """Return what the coach says about the decision on taking over the first move."""
    try:
        verdict = theory_of(game).solve(position)
    except TooLarge as error:
        return f"I cannot judge this: {error}."
    return SwapJudgement(position.mover, taken, verdict).line
