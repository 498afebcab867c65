"""A finished game looked back on: where it turned, and who was winning when."""

from __future__ import annotations

from typing import Any, NamedTuple

from numduel.core.game import Game, other
from numduel.core.record import Record
from numduel.core.verdict import Verdict
from numduel.play.coach import judge
from numduel.solver import solve


class Step(NamedTuple):
    """One move of the game."""

    turn: int  # the first move is 1
    seat: int  # who made it
    move: int
    verdict: Verdict  # what it led to, for that player
    sound: bool  # whether it kept what there was
    better: int | None  # a move that would have kept it
    reason: str  # why that one would have; empty where the move was sound


class Analysis(NamedTuple):
    """Each move judged."""

    steps: tuple[Step, ...]
    leads: tuple[int, ...]  # who was winning, from the start on: a seat, or 0 for nobody

    @property
    def turning_points(self) -> list[Step]:
        """The moves that gave something away."""
        return [step for step in self.steps if not step.sound]

    def sound_share(self, seat: int) -> float | None:
        """Which part of a player's moves was sound; None where there was none."""
        own = [step.sound for step in self.steps if step.seat == seat]
        return sum(own) / len(own) if own else None

    def as_dict(self) -> dict[str, Any]:
        """For programs."""
        return {
            "moves": [{**step._asdict(), "verdict": step.verdict._asdict()} for step in self.steps],
            "leads": list(self.leads),
            "turning_points": [step.turn for step in self.turning_points],
            "sound": {str(seat): self.sound_share(seat) for seat in (1, 2)},
        }


def analyze(game: Game[Any], record: Record) -> Analysis:
    """Every move of a record judged; RecordError where it breaks the rules."""
    positions = record.positions(game)
    before = next(positions)
    leads = [_leader(game, before)]
    steps = []
    for turn, (move, after) in enumerate(zip(record.moves, positions, strict=False), 1):
        judgement = judge(game, before, move)
        better = (None, "") if judgement.sound else (judgement.best.move, judgement.best.reason)
        steps.append(Step(turn, before.mover, move, judgement.verdict, judgement.sound, *better))
        leads.append(_leader(game, after))
        before = after
    next(positions, None)  # the outcome is checked at the end
    return Analysis(tuple(steps), tuple(leads))


def _leader(game: Game[Any], position: Any) -> int:
    value = solve(game, position).value
    if value == "endless":
        return 0
    mover: int = position.mover
    return mover if value == "win" else other(mover)
