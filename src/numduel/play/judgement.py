"""The coach after a move: what was good or bad about it, and the last word of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.game import OUTSIDE_REASONS, Game, Outcome, P
from numduel.core.theory import Explanation
from numduel.core.verdict import Verdict
from numduel.core.words import Last
from numduel.play.coach import Hint, has_choice, hint, share, telling_traps, turn_of
from numduel.players import Turn
from numduel.players.evaluation import IMMEDIATE_LOSS, evaluated
from numduel.players.perfect import Trap, decide
from numduel.solver import theory_of

MAX_JUDGED_MOVES = 400
"""Maximum number of moves that the last word of a game looks back on."""


class Judgement(NamedTuple):
    """A move that was made, beside the best that could be made."""

    verdict: Verdict  # what the move led to, for the player who made it
    best: Hint | None  # what would have been better; None where nothing was


def judge(game: Game[P], before: P, move: int) -> Judgement:
    """Judge a legal move. Raises TooLarge."""
    verdict, sound = _judged(game, before, move)
    return Judgement(verdict, None if sound else hint(game, before))


def _judged(game: Game[P], before: P, move: int) -> tuple[Verdict, bool]:
    """Return what a move leads to, and whether it keeps what there was."""
    after, theory = game.after(before, move), theory_of(game)
    verdict = theory.solve(after).before(after.mover == before.mover)
    forced = len(game.moves(before)) == 1
    return verdict, forced or verdict.score >= theory.solve(before).score


class Remark(NamedTuple):
    """What there is to say of a move that was made, with the values that it rests on."""

    sentences: tuple[str, ...] = ()  # none where there is nothing to say
    found: Explanation | None = None  # why the move was good or bad
    best: Hint | None = None  # what would have been better
    trap: Trap | None = None  # of the move that sets the most traps, where every move loses


def remark(game: Game[P], before: P, move: int) -> Remark:
    """Return what there is to say of a move: nothing where there was no choice. Raises TooLarge.

    To lose at once is no choice. Each sentence names the move.
    """
    if not has_choice(game, before) or game.outcome(game.after(before, move)) is not None:
        return Remark()
    turn = turn_of(game, before)
    try:
        verdicts = evaluated(turn).verdicts
    except TooLarge:  # each move is too much; one may not be
        verdicts = {}
    choices = [one for one in verdicts.values() if one != IMMEDIATE_LOSS]
    if len({one.score for one in choices}) == 1:
        lost = len(choices) > 1 and choices[0].score == 0
        return _trap_remark(turn, move) if lost else Remark()
    best = judge(game, before, move).best
    if best is None and not choices:
        return Remark()
    words, found = game.words, theory_of(game).explanation(before, move)
    if best is None:
        return Remark((words.praise(before, move, found),), found)
    made, better = words.move_label(before, move), best.label
    said = {
        "win": f"{better} instead of {made} would have won.",
        "draw": f"{better} instead of {made} would have kept the draw.",
    }.get(best.decision.verdict.value, f"{better} instead of {made} would have been safe.")
    return Remark((words.because(before, move, found), said), found, best)


def _trap_remark(turn: Turn, move: int) -> Remark:
    """Return what there is to say of a move where every move loses."""
    game, before = turn.game, turn.position
    decision = decide(turn)
    traps = telling_traps(decision)
    if move not in traps:
        return Remark()
    trap = traps[decision.move]
    made, best = (game.words.move_label(before, one) for one in (move, decision.move))
    if traps[move].share == trap.share:
        return Remark((f"{made} sets the most traps: {share(trap)}.",), trap=trap)
    return Remark((f"{best} would have set more traps than {made}: {share(trap)}.",), trap=trap)


def alike(game: Game[Any], past: Sequence[Last]) -> list[Last]:
    """Return those of a player's moves that matter to a comment on the last.

    These are the first, those that are called the same as the last, and the last.
    """
    *earlier, last = past
    return [*earlier[:1], *(one for one in earlier[1:] if _sound_alike(game, one, last)), last]


def _sound_alike(game: Game[Any], one: Last, last: Last) -> bool:
    return game.words.brief(*one) == game.words.brief(*last)


def comment(game: Game[Any], past: Sequence[Last]) -> str:
    """Return what the coach says of the last of a player's moves; empty if that is nothing.

    A sentence that was said of an earlier move is not said again. That the game is beyond the
    coach is said of the first move.
    """
    *earlier, last = past
    try:
        found = remark(game, *last).sentences
        same = [one for one in earlier if found and _sound_alike(game, one, last)]
        said = {sentence for one in same for sentence in remark(game, *one).sentences}
    except TooLarge as error:
        return "" if earlier else f"I cannot judge this: {error}."
    return " ".join(sentence for sentence in found if sentence not in said)


class LastWord(NamedTuple):
    """What the coach says to a player when the game is over."""

    line: str = ""  # empty where there is nothing to say
    turned: int | None = None  # after how many moves the player gave the game away
    best: Hint | None = None  # what would have been better then


def last_word(game: Game[Any], past: Sequence[Last], outcome: Outcome, seat: int) -> LastWord:
    """Return the last word to the player in a seat, after these moves from the start."""
    if outcome.winner is None or outcome.reason in OUTSIDE_REASONS or not past:
        return LastWord()
    words = game.words
    if outcome.winner == seat:
        return LastWord(words.winning_comment(*past[-1]) if past[-1].before.mover == seat else "")
    if len(past) > MAX_JUDGED_MOVES:
        return LastWord()
    try:
        turned = next(
            at
            for at, (before, move) in reversed([*enumerate(past)])
            if before.mover == seat and not _judged(game, before, move)[1]
        )
        best = hint(game, past[turned].before)
    except TooLarge:
        return LastWord()
    except StopIteration:
        return LastWord("You made no mistake: they could win from the start.")
    label = words.move_label(*past[turned])
    return LastWord(f"So close! It turned when you chose {label}.", turned, best)


class SwapJudgement(NamedTuple):
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
        if self.taken:
            if self.sound:
                return "Good: that first move wins."
            return "That first move does not win: it was better to leave it."
        if self.sound:
            return "Good: that first move does not win."
        return "That first move wins: it was better to take it over."


def judge_swap(game: Game[P], position: P, seat: int, taken: bool) -> SwapJudgement:
    """Judge the decision on taking over the first move, which led to the position."""
    return SwapJudgement(seat, taken, theory_of(game).solve(position))


def comment_swap(game: Game[P], position: P, taken: bool) -> str:
    """Return what the coach says of the decision on taking over the first move."""
    try:
        return judge_swap(game, position, position.mover, taken).line
    except TooLarge as error:
        return f"I cannot judge this: {error}."
