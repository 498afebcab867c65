"""Inspect: whole games and single positions as tasks, scored by the exact verdicts.

`inspect eval numduel/whole_game -T game=multiplicity -T size=20 --model …`
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from math import nan
from statistics import fmean
from typing import Any

from numduel.agents.common import game_for_text, not_installed, truth
from numduel.agents.problems import BENCH, openings, problem_at, problems
from numduel.agents.text_game import TextGame

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageUser
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
except ModuleNotFoundError as error:
    raise not_installed("inspect", error) from None

METRICS = [mean(), stderr()]

MARK_NAMES = ("sound", "regret", "strict", "fault", "cut")
"""The marks of answers in whole games as well as in single positions."""

GAME_SCORES = ("result", *MARK_NAMES)
POSITION_SCORES = ("right", "skill", *MARK_NAMES)


@task
def whole_game(
    game: str = "multiplicity",
    opponent: str = "medium",
    games: int = 10,
    seed: int = 0,
    seat: int | None = None,
    balanced: bool = True,
    legal: bool = False,
    verdicts: bool = False,
    **settings: Any,
) -> Task:
    """Games against a player of ours.

    `balanced`: each begins where the model has something to decide; otherwise at the start.
    `legal`: list the legal moves; `verdicts`: put the exact verdicts of each turn into the store.
    """
    seats = {"opponent": opponent, "seat": seat}
    options = {"game": game, "settings": settings, "legal": legal, **seats}
    starts: Sequence[Sequence[int] | None] = [None] * games
    if balanced:
        starts = openings(game, settings, seed, games, seat)
    samples = [
        Sample(
            id=game_seed,
            input=_first_question(game_seed, opening, **options),
            metadata={"opening": opening},
        )
        for game_seed, opening in enumerate(starts, seed * games)
    ]
    name = f"{game}_game"
    return Task(
        name=name,
        dataset=MemoryDataset(samples, name=name),
        solver=player(verdicts, **options),
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
    """Positions in which some moves are sound and some are not; the targets are the sound ones.

    The game `bench` is Numduel-Bench. There may be fewer positions than requested, since no two
    have equal essence.
    """
    found = list(problems(game, settings, seed, positions))
    mean_chance = fmean(one.chance for one in found)
    samples = [
        Sample(
            id=number,
            input=one.question(legal=legal),
            target=[str(move) for move in one.gold],
            metadata=one.as_dict(verdicts),
        )
        for number, one in enumerate(found)
    ]
    name = f"{game}_positions"
    return Task(
        name=name,
        dataset=MemoryDataset(samples, name=name),
        solver=generate(),
        scorer=position_scorer(mean_chance),
    )


@task
def bench(positions: int = 10_000, file: str = "", legal: bool = False) -> Task:
    """Numduel-Bench, or another set of positions from a file."""
    return single_position(BENCH, positions, legal=legal, file=file)


def _text_game_of(
    seed: int, opening: Sequence[int] | None, game: str, settings: dict[str, Any], **options: Any
) -> TextGame:
    rules = game_for_text(game, settings)
    return TextGame(rules, seed=seed, opening=opening, judged=True, **options)


def _first_question(seed: int, opening: Sequence[int] | None, **options: Any) -> str:
    with closing(_text_game_of(seed, opening, **options)) as text_game:
        return text_game.question()


def _stop_reason(output: Any) -> str | None:
    """Return why an answer ended, in Inspect's words; None if that is not known."""
    return output.choices[0].stop_reason if output.choices else None


@solver
def player(verdicts: bool, **options: Any) -> Solver:
    """Play a game to its end, answer by answer. The sample's id is the seed."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        known = []
        opening = state.metadata["opening"]
        with closing(_text_game_of(int(state.sample_id), opening, **options)) as text_game:
            while text_game.outcome is None:
                if verdicts and not text_game.fault.fault:
                    known.append(truth(text_game.game, text_game.position))
                    state.store.set("verdicts", known)
                state = await generate(state)
                text_game.answer(state.output.completion, _stop_reason(state.output))
                if text_game.outcome is None:
                    state.messages.append(ChatMessageUser(content=text_game.question()))
        marks = text_game.marks(text_game.seat)
        if not marks["cut"]:
            marks["result"] = (text_game.reward + 1) / 2
        state.store.set("seat", text_game.seat)
        state.store.set("fault", text_game.fault.fault)
        state.store.set("marks", marks)
        state.store.set("moves", text_game.moves)
        state.store.set("ending", text_game.ending())
        return state

    return solve


@scorer(metrics=dict.fromkeys(GAME_SCORES, METRICS))
def game_scorer() -> Scorer:
    """Score a game by its result (1, ½, 0) and by each mark.

    A missing score is nan, which Inspect leaves out of the mean.
    """

    async def score(state: TaskState, target: Target) -> Score:
        store = state.store
        value = dict.fromkeys(GAME_SCORES, nan) | store.get("marks", {})
        moves = ", ".join(map(str, store.get("moves", [])))
        return Score(value=value, answer=moves, explanation=store.get("ending", "unfinished"))

    return score


@scorer(metrics=dict.fromkeys(POSITION_SCORES, METRICS))
def position_scorer(mean_chance: float) -> Scorer:
    """Score an answer by each of its marks (`Problem.marks`); a missing one is nan."""

    async def score(state: TaskState, target: Target) -> Score:
        metadata, output = state.metadata, state.output
        problem = problem_at(metadata["game"], metadata["settings"], metadata["moves"])
        reading = problem.read(output.completion, _stop_reason(output))
        return Score(
            value=dict.fromkeys(POSITION_SCORES, nan) | problem.marks(reading, mean_chance),
            answer="" if reading.move is None else str(reading.move),
            explanation=reading.why or f"sound: {', '.join(target)}",
        )

    return score
