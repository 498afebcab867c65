"""The coach: the best move and why, and what a move that was made has changed."""

from __future__ import annotations

from typing import NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.game import Game, P
from numduel.core.numerals import shown
from numduel.core.verdict import Verdict
from numduel.players import Turn
from numduel.solver import solve, theory_of


class Hint(NamedTuple):
    """The best move, its verdict and the reason."""

    move: int
    verdict: Verdict
    reason: str
    known: bool = True  # whether every distance is known

    @property
    def line(self) -> str:
        """What the coach says."""
        if self.verdict.value == "win":
            return f"Play {self.move}: {self.reason}."
        if self.verdict.value == "endless":
            return f"Nothing wins by force. {self.move} is safe: {self.reason}."
        chosen = "holds out longest" if self.known else "is as good as any"
        return f"Every move loses against best play. {self.move} {chosen}: {self.reason}."


def hint(game: Game[P], position: P) -> Hint:
    """The best move; the game is not over."""
    theory = theory_of(game)
    if theory.cost(position).evaluate < 1:
        verdicts = theory.evaluate(position)
        move = max(verdicts, key=lambda one: verdicts[one].rank)
        verdict = verdicts[move]
        known = all(one.distance is not None for one in verdicts.values())
    else:
        move = theory.sound_move(position)
        verdict = Verdict(theory.solve(position).value)
        known = False
    return Hint(move, verdict, theory.reason(position, move), known)


class Judgement(NamedTuple):
    """A move that was made, beside the best that could be made."""

    verdict: Verdict  # what the move led to, for the player who made it
    best: Hint  # what would have been best

    @property
    def sound(self) -> bool:
        """Whether the move kept what there was."""
        return self.verdict.value == self.best.verdict.value

    def line(self, only: bool = False) -> str:
        """What the coach says of the move; `only`: there was no other."""
        if only:
            return "It was the only move."
        if self.sound:
            return {
                "win": "Good: that keeps the win.",
                "endless": "Sound: nobody can force an end.",
                "loss": "Nothing could be done: every move loses against best play.",
            }[self.verdict.value]
        lost = "gave the win away" if self.best.verdict.value == "win" else "loses"
        kept = "kept it" if self.best.verdict.value == "win" else "held"
        return f"That {lost}. {self.best.move} would have {kept}: {self.best.reason}."


def judge(game: Game[P], before: P, move: int) -> Judgement:
    """What a legal move changes."""
    theory = theory_of(game)
    after = game.after(before, move)
    verdict = theory.solve(after).before(after.mover == before.mover)
    return Judgement(verdict, hint(game, before))


def outlook(verdict: Verdict, mover: int) -> str:
    """A verdict in a sentence, with the players named."""
    if verdict.value == "endless":
        return "Neither player can force an end."
    winner = mover if verdict.value == "win" else 3 - mover
    if verdict.distance is None:
        return f"Player {winner} wins with best play."
    moves = "1 move" if verdict.distance == 1 else f"{shown(verdict.distance)} moves"
    return f"Player {winner} wins in {moves} with best play."


def advice(turn: Turn, swap_open: bool) -> str:
    """What the coach says to the player who is to move, or to decide on the swap."""
    game, position = turn.game, turn.position
    try:
        if swap_open:
            lost = solve(game, position).value == "loss"
            return "Yes: that move wins." if lost else "No: that move does not win."
        found = hint(game, position)
    except TooLarge as error:
        return f"This is beyond the coach: {error}."
    if turn.swap_ahead and found.verdict != Verdict("win", 1):  # which ends the game at once
        return (
            "A first move that wins will be taken over, and one that loses will not: "
            "choose one that is hard to judge."
        )
    return found.line


def comment(game: Game[P], before: P, move: int) -> str:
    """What the coach says of a move that was made."""
    try:
        return judge(game, before, move).line(only=len(game.moves(before)) == 1)
    except TooLarge as error:
        return f"this is beyond me: {error}."


def comment_swap(game: Game[P], position: P, taken: bool) -> str:
    """What the coach says of taking over the first move, which led to the position, or not."""
    try:
        value = solve(game, position).value
    except TooLarge as error:
        return f"this is beyond me: {error}."
    right = value == "endless" or taken == (value == "loss")
    return "Good." if right else "The other answer was better."
