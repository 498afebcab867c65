"""What is asked in words, how an answer is read, and what it is worth: one wording for all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from statistics import fmean
from typing import Any, Literal, NamedTuple

from numduel.agents.ground import MOST_ACTIONS, refusal
from numduel.core.errors import SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.numerals import parse_whole, quoted
from numduel.core.verdict import SCORES
from numduel.core.words import Last, seat_name
from numduel.games import new
from numduel.solver import theory_of

HOW_TO_ANSWER = "Your answer ends with a line that holds your move, a whole number, like `Move: 7`."

MOST_GAMES = 200
"""Random games in which a problem is looked for."""

LONGEST_GAME = 60
"""Moves of such a game."""

SECONDS = 5.0
"""Positions that take longer to judge, on a slow machine, are not asked about."""


def spoken(key: str, settings: dict[str, Any]) -> Game[Any]:
    """The game at these settings; SettingsError where it is too large to be spoken of.

    Numbers may grow without bound, as words carry them.
    """
    return _fit(new(key, **settings))


@lru_cache(maxsize=16)
def _fit(game: Game[Any]) -> Game[Any]:
    """The same for all who ask, who share what is known about it."""
    try:
        most = len(game.actions)
    except TooLarge as error:
        raise refusal(game, str(error)) from None
    if most > MOST_ACTIONS:
        raise refusal(game, f"it has {most:,} actions, at most {MOST_ACTIONS:,} are allowed")
    return game


def rules(game: Game[Any], how_to_answer: str = HOW_TO_ANSWER) -> str:
    """How the game is played at these settings, and how to answer."""
    settings = [f"- {s.name}: {s.text(value)} ({s.help})" for s, value in game.settings]
    parts = [f"{game.title}, a game for two players.", game.rules.strip()]
    if settings:
        parts.append("\n".join(["It is played with these settings:", *settings]))
    return "\n\n".join([*parts, how_to_answer])


def question(
    game: Game[Any], position: Any, past: Sequence[Last] = (), *, legal: bool = False
) -> str:
    """How a position came about, what there is, and whose move it is; `legal`: and the moves."""
    scene = game.words.scene(position)
    facts = [*([] if scene.number is None else [scene.number]), *scene.facts]
    lines = [told(game, last) for last in past]
    lines += [f"{label}: {value}" for label, value in facts]
    lines += [f"Move {choice.move}: {choice.label}" for choice in scene.choices]
    lines.append(f"Position in notation: {game.notation(position)}")
    if legal:
        lines.append(f"Legal moves: {', '.join(map(str, game.moves(position)))}")
    return "\n".join([*lines, f"You are {seat_name(position.mover)}. What is your move?"])


def told(game: Game[Any], last: Last) -> str:
    """A move that was made, as a sentence."""
    before, move = last
    after = game.after(before, move)
    return f"{game.words.moved(before, move, after, seat_name(before.mover))}."


class Answer(NamedTuple):
    """An answer, read: a legal move, or what is wrong."""

    move: int | None
    fault: Literal["", "unreadable", "illegal"] = ""
    why: str = ""  # one line, without full stop


def read_answer(game: Game[Any], position: Any, text: str) -> Answer:
    """The move in the last line of an answer, `Move: 7` or a number alone, and nothing else."""
    line = text.strip().rpartition("\n")[2].strip()
    move = parse_whole(line.removeprefix("Move:"))
    if move is None:
        return Answer(None, "unreadable", f"a move is given like `Move: 7`, not {quoted(line)}")
    if not game.allows(position, move):
        return Answer(None, "illegal", game.words.why_not(position, move))
    return Answer(move)


def scores(game: Game[Any], position: Any) -> dict[int, float]:
    """What each legal move is worth with best play: 1 for a win, ½, or 0; TooLarge."""
    theory = theory_of(game)
    cost = theory.cost(position)
    if cost.once + cost.values > SECONDS:
        raise TooLarge(f"{game.title} takes too long to judge at these settings")
    return {move: SCORES[value] for move, value in theory.values(position).items()}


def regret(game: Game[Any], position: Any, move: int) -> float:
    """What a legal move gives away of the score that there was: 0 where it is sound."""
    worth = scores(game, position)
    return max(worth.values()) - worth[move]


def marks(lost: Sequence[float], at_fault: bool, *, sound: str = "sound") -> dict[str, float]:
    """The share of sound moves, by that name, and the mean regret; faults, apart, have neither."""
    moved = {sound: fmean(not one for one in lost), "regret": fmean(lost)} if lost else {}
    return {**moved, "fault": float(at_fault)}


class Problem(NamedTuple):
    """A position in which some moves are sound and some are not."""

    game: Game[Any]
    position: Any
    worth: dict[int, float]  # of each legal move

    @property
    def gold(self) -> tuple[int, ...]:
        """The sound moves."""
        best = max(self.worth.values())
        return tuple(move for move, worth in self.worth.items() if worth == best)

    def asked(self, *, legal: bool = False) -> str:
        """The rules and the question; `legal`: with the legal moves."""
        return f"{rules(self.game)}\n\n{question(self.game, self.position, legal=legal)}"

    def mark(self, text: str) -> float:
        """1 for a sound move, less for what gives something away, 0 for what is no move."""
        move = read_answer(self.game, self.position, text).move
        return 0.0 if move is None else 1 - max(self.worth.values()) + self.worth[move]


def problem(game: Game[Any], seed: object) -> Problem:
    """A problem met in games at random, the same for the same seed; SettingsError if none."""
    rng = Random(f"{game.key} {game.settings} {seed}")
    for _ in range(MOST_GAMES):
        met = _met(game, rng)
        if met:
            return rng.choice(met)
    raise SettingsError(
        f"{game.title} has no problems at these settings: no position was met in which some "
        "moves are sound and some are not"
    )


def _met(game: Game[Any], rng: Random) -> list[Problem]:
    position, met = game.start(rng.choice((1, 2))), []
    for _ in range(LONGEST_GAME):
        moves = game.moves(position)
        if not moves:
            break
        worth = scores(game, position)
        if len({*worth.values()}) > 1:
            met.append(Problem(game, position, worth))
        position = game.after(position, rng.choice(moves))
    return met
