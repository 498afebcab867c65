"""Inspect: whole games and single positions as tasks, scored by the exact verdicts.

`inspect eval numduel/whole_game -T game=multiplicity -T size=20 --model …`
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from math import nan
from statistics import fmean
from typing import Any

from numduel.agents.common import not_installed, told_in_words, truth
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
"""The names of the marks that answers have in games and in single positions."""


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
    asked = {"opponent": opponent, "seat": seat, "legal": legal}
    played = {"game": game, "settings": settings, **asked}
    begun: Sequence[Sequence[int] | None] = [None] * games
    if balanced:
        begun = openings(game, settings, seed, games, seat)
    samples = [
        Sample(id=chance, input=_opening(chance, opening, **played), metadata={"opening": opening})
        for chance, opening in enumerate(begun, seed * games)
    ]
    name = f"{game}_game"
    return Task(
        name=name,
        dataset=MemoryDataset(samples, name=name),
        solver=player(verdicts, **played),
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

    The game `bench` is Numduel-Bench. No two positions go on alike: there may be fewer than asked.
    """
    found = list(problems(game, settings, seed, positions))
    chance = fmean(one.chance for one in found)
    samples = [
        Sample(
            id=number,
            input=one.asked(legal=legal),
            target=[str(move) for move in one.gold],
            metadata=one.described(verdicts),
        )
        for number, one in enumerate(found)
    ]
    name = f"{game}_positions"
    return Task(
        name=name,
        dataset=MemoryDataset(samples, name=name),
        solver=generate(),
        scorer=position_scorer(chance),
    )


@task
def bench(positions: int = 10_000, file: str = "", legal: bool = False) -> Task:
    """Numduel-Bench, or a set of positions of one's own from a file."""
    return single_position(BENCH, positions, legal=legal, file=file)


def _text_game_of(
    chance: int, opening: Sequence[int] | None, game: str, settings: dict[str, Any], **asked: Any
) -> TextGame:
    rules = told_in_words(game, settings)
    return TextGame(rules, seed=chance, opening=opening, judged=True, **asked)


def _ended(output: Any) -> str | None:
    """Return why an answer ended, in Inspect's word, if there is one."""
    return output.choices[0].stop_reason if output.choices else None


def _opening(chance: int, opening: Sequence[int] | None, **played: Any) -> str:
    with closing(_text_game_of(chance, opening, **played)) as text_game:
        return text_game.question()


@solver
def player(verdicts: bool, **played: Any) -> Solver:
    """Play a game to its end, answer by answer. The sample's id is the seed."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        known = []
        opening = state.metadata["opening"]
        with closing(_text_game_of(int(state.sample_id), opening, **played)) as text_game:
            while text_game.outcome is None:
                if verdicts and not text_game.fault.fault:
                    known.append(truth(text_game.game, text_game.position))
                    state.store.set("verdicts", known)
                state = await generate(state)
                text_game.answer(state.output.completion, _ended(state.output))
                if text_game.outcome is None:
                    state.messages.append(ChatMessageUser(content=text_game.question()))
        state.store.set("seat", text_game.seat)
        state.store.set("fault", text_game.fault.fault)
        found = text_game.marks(text_game.seat)
        if not found["cut"]:
            found["result"] = (text_game.reward + 1) / 2
        state.store.set("marks", found)
        state.store.set("moves", text_game.moves)
        state.store.set("ending", text_game.ending())
        return state

    return solve


@scorer(metrics=dict.fromkeys(("result", *MARK_NAMES), METRICS))
def game_scorer() -> Scorer:
    """Score the result (1, ½, 0) and the marks of a game, each apart.

    What there is none of is nan, which Inspect leaves out of the mean.
    """

    async def score(state: TaskState, target: Target) -> Score:
        held = state.store
        value = dict.fromkeys(("result", *MARK_NAMES), nan) | held.get("marks", {})
        moves = ", ".join(map(str, held.get("moves", [])))
        return Score(value=value, answer=moves, explanation=held.get("ending", "unfinished"))

    return score


@scorer(metrics=dict.fromkeys(("right", "skill", *MARK_NAMES), METRICS))
def position_scorer(mean_chance: float) -> Scorer:
    """Score the marks of an answer (`Problem.marks`), each apart; nan as in whole games."""

    async def score(state: TaskState, target: Target) -> Score:
        told, output = state.metadata, state.output
        asked = problem_at(told["game"], told["settings"], told["moves"])
        given = asked.read(output.completion, _ended(output))
        none = dict.fromkeys(("right", "skill", *MARK_NAMES), nan)
        return Score(
            value=none | asked.marks(given, mean_chance),
            answer="" if given.move is None else str(given.move),
            explanation=given.why or f"sound: {', '.join(target)}",
        )

    return score
