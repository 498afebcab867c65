"""The analysis of a finished game: a judgement of each move, and who was winning when."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from numduel.core.game import Game, other
from numduel.core.record import Record
from numduel.core.verdict import Verdict
from numduel.core.words import SEATS
from numduel.play.coach import hint
from numduel.play.judgement import SwapJudgement, judge_move
from numduel.solver import theory_of


class JudgedMove(NamedTuple):
    """One move of the game."""

    turn: int  # the first move is 1
    seat: int  # who made it
    move: int
    label: str  # the move as players speak of it
    verdict: Verdict  # what it led to, for that player
    sound: bool  # whether it kept the score that there was
    better: int | None = None  # a move that would have kept it; None if this one did
    better_label: str = ""  # that move as players speak of it
    reason: str = ""  # why that move would have kept it, in sentences


class Analysis(NamedTuple):
    """The judgement of each move."""

    steps: tuple[JudgedMove, ...]
    leads: tuple[int, ...]  # the seat that was winning at the start and after each move; 0: nobody
    swap: SwapJudgement | None = None  # of the first move; None if it is not known

    @property
    def turning_points(self) -> list[JudgedMove]:
        """The moves that gave something away."""
        return [step for step in self.steps if not step.sound]

    def sound_share(self, seat: int) -> float | None:
        """Return the share of a player's moves that were sound; None if it made no move."""
        own = [step.sound for step in self.steps if step.seat == seat]
        return sum(own) / len(own) if own else None

    def story(self, names: tuple[str, str] = SEATS, you: int = 0) -> str:
        """Return a sentence on who was winning until when. `you` is the seat of the reader."""
        last = self.leads[-1]
        turn = max((t for t, seat in enumerate(self.leads) if seat != last), default=-1) + 1
        before = self.leads[turn - 1] if turn else last
        seat = before or last
        if not seat:
            return "Nobody was winning all the way."
        name = names[seat - 1]
        if not turn:
            always = "You were winning all the way."
            return always if seat == you else f"{name} was winning all the way."
        if before:
            until = f"You were winning until move {turn}."
            return until if seat == you else f"{name} was winning until move {turn}."
        since = f"You were winning from move {turn} on."
        return since if seat == you else f"{name} was winning from move {turn} on."

    def as_dict(self) -> dict[str, Any]:
        """Return the analysis as plain values, for JSON."""
        swap = self.swap
        return {
            "moves": [{**step._asdict(), "verdict": step.verdict._asdict()} for step in self.steps],
            "leads": list(self.leads),
            "turning_points": [step.turn for step in self.turning_points],
            "sound": {str(seat): self.sound_share(seat) for seat in (1, 2)},
            "swap": swap and {"seat": swap.seat, "taken": swap.taken, "sound": swap.sound},
        }


def analyze_record(
    game: Game[Any],
    record: Record,
    swapped: bool | None = None,
    goes_on: Callable[[int], bool] = lambda judged: True,
) -> Analysis:
    """Judge every move of a record. Raises RecordError if it breaks the rules.

    A record does not say whether the first move was taken over, so `swapped` does: True if it was,
    False if that was declined, None if nobody decided. `goes_on` is called after each move with the
    number of moves judged so far. If it returns False, the other moves are left out.
    """
    positions = record.positions(game)
    before = next(positions)
    leads = [_leader(theory_of(game).solve(before), before.mover)]
    steps: list[JudgedMove] = []
    swap: SwapJudgement | None = None
    for turn, (move, after) in enumerate(zip(record.moves, positions, strict=False), 1):
        steps.append(_judged_move(game, turn, before, move))
        leads.append(_leader(steps[-1].verdict, before.mover))
        if swap is None and swapped is not None and after.mover != record.first:
            seat = record.first if swapped else other(record.first)
            swap = SwapJudgement(seat, swapped, theory_of(game).solve(after))
        before = after
        if not goes_on(turn):
            break
    next(positions, None)  # this checks the outcome
    return Analysis(tuple(steps), tuple(leads), swap)


def _judged_move(game: Game[Any], turn: int, before: Any, move: int) -> JudgedMove:
    verdict, is_sound = judge_move(game, before, move)
    label = game.words.move_label(before, move)
    judged = JudgedMove(turn, before.mover, move, label, verdict, is_sound)
    if is_sound:
        return judged
    best = hint(game, before)
    return judged._replace(better=best.move, better_label=best.label, reason=best.why)


def _leader(verdict: Verdict, seat: int) -> int:
    """Return the seat that wins according to the verdict for `seat`; 0 for nobody."""
    return {"win": seat, "loss": other(seat)}.get(verdict.value, 0)
