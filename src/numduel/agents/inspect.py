"""Inspect: whole games and single positions as tasks, with the truth as the scorer.

`inspect eval numduel/whole_game -T game=multiplicity -T size=20 --model …`
"""

from __future__ import annotations

from contextlib import closing
from math import nan
from typing import Any

from numduel.agents.asking import Problem, marks, problem, read_answer, regret, spoken
from numduel.agents.ground import not_installed, truth
from numduel.agents.sitting import Sitting

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageUser
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
except ModuleNotFoundError as error:
    raise not_installed("inspect", error) from None

METRICS = [mean(), stderr()]


@task
def whole_game(
    game: str = "multiplicity",
    opponent: str = "medium",
    games: int = 10,
    seed: int = 0,
    seat: int | None = None,
    legal: bool = False,
    verdicts: bool = False,
    **settings: Any,
) -> Task:
    """Games against a player of ours.

    `legal`: the legal moves are listed; `verdicts`: the truth of each turn goes into the store.
    """
    played = {"game": game, "opponent": opponent, "seat": seat, **settings}
    samples = [
        Sample(id=chance, input=_opening(chance, legal, **played))
        for chance in range(seed * games, (seed + 1) * games)
    ]
    name = f"{game}_game"
    return Task(
        name=name,
        dataset=MemoryDataset(samples, name=name),
        solver=player(legal=legal, verdicts=verdicts, **played),
        scorer=game_scorer(),
    )


@task
def single_position(
    game: str = "multiplicity",
    positions: int = 50,
    seed: int = 0,
    legal: bool = False,
    verdicts: bool = False,
    **settings: Any,
) -> Task:
    """Positions in which some moves are sound and some are not; the targets are the sound ones."""
    rules = spoken(game, settings)
    samples = [
        _sample(number, problem(rules, f"{seed} {number}"), legal, verdicts)
        for number in range(positions)
    ]
    name = f"{game}_positions"
    return Task(
        name=name,
        dataset=MemoryDataset(samples, name=name),
        solver=generate(),
        scorer=position_scorer(game, **settings),
    )


def _sample(number: int, found: Problem, legal: bool, verdicts: bool) -> Sample:
    notation = found.game.notation(found.position)
    known = truth(found.game, found.position) if verdicts else {}
    return Sample(
        id=number,
        input=found.asked(legal=legal),
        target=[str(move) for move in found.gold],
        metadata={"notation": notation, **known},
    )


def _sat(chance: int, game: str, opponent: str, seat: int | None, **settings: Any) -> Sitting:
    rules = spoken(game, settings)
    return Sitting(rules, opponent, seat=seat, seed=chance, judged=True)


def _opening(chance: int, legal: bool, **played: Any) -> str:
    with closing(_sat(chance, **played)) as sitting:
        return sitting.question(legal=legal)


@solver
def player(legal: bool, verdicts: bool, **played: Any) -> Solver:
    """Plays a game to its end, answer by answer; the sample's id is the seed."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        lost, known = [], []
        with closing(_sat(int(state.sample_id), **played)) as sitting:
            while sitting.outcome is None:
                if verdicts:
                    known.append(truth(sitting.game, sitting.position))
                    state.store.set("verdicts", known)
                state = await generate(state)
                given_away = sitting.answer(state.output.completion)
                if not sitting.fault.fault:
                    lost.append(given_away)
                if sitting.outcome is None:
                    asked = sitting.question(legal=legal)
                    state.messages.append(ChatMessageUser(content=asked))
        state.store.set("seat", sitting.seat)
        state.store.set("lost", lost)
        state.store.set("fault", sitting.fault.fault)
        state.store.set("result", (sitting.reward + 1) / 2)
        state.store.set("moves", sitting.moves)
        state.store.set("ending", sitting.ending())
        return state

    return solve


@scorer(metrics={"result": METRICS, "sound": METRICS, "regret": METRICS, "fault": METRICS})
def game_scorer() -> Scorer:
    """The result (1, ½, 0), and apart from it the share of sound moves, regret, and faults."""

    async def score(state: TaskState, target: Target) -> Score:
        held = state.store
        lost = held.get("lost", [])
        value = {"result": held.get("result", nan), **_marks(lost, held.get("fault", ""))}
        moves = ", ".join(map(str, held.get("moves", [])))
        return Score(value=value, answer=moves, explanation=held.get("ending", "unfinished"))

    return score


@scorer(metrics={"sound": METRICS, "regret": METRICS, "fault": METRICS})
def position_scorer(game: str, **settings: Any) -> Scorer:
    """Whether the move was sound, what it gave away, and apart from that whether it was none."""
    rules = spoken(game, settings)

    async def score(state: TaskState, target: Target) -> Score:
        position = rules.read(state.metadata["notation"])
        given = read_answer(rules, position, state.output.completion)
        lost = [] if given.move is None else [regret(rules, position, given.move)]
        return Score(
            value=_marks(lost, given.fault),
            answer="" if given.move is None else str(given.move),
            explanation=given.why or f"sound: {', '.join(target)}",
        )

    return score


def _marks(lost: list[float], fault: str) -> dict[str, float]:
    """Where there is no move Inspect is to leave the sample out of the mean, which nan says."""
    return {"sound": nan, "regret": nan, **marks(lost, bool(fault))}
