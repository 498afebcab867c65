"""Positions to ask players about, and the marks of their answers by the exact verdicts.

The key `bench` stands for Numduel-Bench, a frozen set of positions of several games.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice, zip_longest
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple
from zlib import crc32

from numduel.agents.common import game_for_text, truth
from numduel.core.errors import SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.numerals import join_or
from numduel.core.verdict import SCORES
from numduel.core.words import replay_from, replay_moves
from numduel.games import new
from numduel.players.answer import Reading
from numduel.players.prompt import Prompt
from numduel.solver import theory_of

BENCH = "bench"

MAX_GAMES_WITHOUT_NEW = 200
"""The search for problems ends after this many random games in a row without a new one."""

MAX_GAME_MOVES = 60
"""Maximum number of moves of such a random game."""

SMALLEST_MOVE_SHARE = 0.3
"""Share of the moves of such a game that are always the smallest legal one."""

MAX_LISTED_POSITIONS = 4_000
"""All problems of a game are listed if it has at most this many positions."""

PARTS = 64
"""Number of parts, a power of two, into which the problems of a larger game are divided by seed."""

MAX_SCORING_SECONDS = 5.0
"""Positions that may take longer to solve are not asked about."""

MAX_PROBLEM_FILE_CHARACTERS = 2**24
"""Maximum size of a file of positions."""

BENCH_FILE = Path(__file__).with_name("numduel-bench-1.jsonl")
"""The positions of Numduel-Bench 1."""


def scores(game: Game[Any], position: Any) -> dict[int, float]:
    """Return the score of each legal move with best play: 1 for a win, ½, or 0.

    Raises TooLarge if that takes too long to compute.
    """
    theory = theory_of(game)
    cost = theory.cost(position)
    if cost.once + cost.values > MAX_SCORING_SECONDS:
        raise TooLarge(f"{game.title} takes too long to judge at these settings")
    return {move: SCORES[value] for move, value in theory.values(position).items()}


def regret(game: Game[Any], position: Any, move: int | None) -> float | None:
    """Return how much of the position's score a move gives away: 0 if it is sound.

    Without a move, all of the score is given away. The regret of a move is None if all moves have
    the same score.
    """
    worth = scores(game, position)
    if move is None:
        return max(worth.values())
    return max(worth.values()) - worth[move] if len({*worth.values()}) > 1 else None


def marks(
    readings: Sequence[Reading],
    regrets: Sequence[float | None],
    fault: str = "",
    *,
    sound: str = "sound",
) -> dict[str, float]:
    """Return the marks of some answers. `fault`: the fault that ended the game, if any.

    `strict` is the share of answers in exactly the requested form. `regret` is the mean regret of
    the moves, and the share of sound moves has the name that `sound` gives; both count only moves
    that could have given something away, and are absent if there are none or if an answer was cut
    off. `cut` is 1 if an answer was cut off, and `fault` is 1 for any other fault; otherwise 0.
    """
    is_cut = fault == "cut"
    strict = {"strict": fmean(one.strict for one in readings)} if readings else {}
    counted = [one for one in regrets if one is not None and not is_cut]
    means = {sound: fmean(not one for one in counted), "regret": fmean(counted)} if counted else {}
    return {**means, **strict, "fault": float(bool(fault) and not is_cut), "cut": float(is_cut)}


class Problem(NamedTuple):
    """A position in which some moves are sound and some are not."""

    game: Game[Any]
    moves: tuple[int, ...]  # from the start, in which seat 1 is to move
    worth: dict[int, float]  # the score of each legal move

    @property
    def position(self) -> Any:
        """The position to which the moves lead."""
        return replay_moves(self.game, 1, self.moves)[0]

    @property
    def gold(self) -> tuple[int, ...]:
        """The sound moves."""
        best = max(self.worth.values())
        return tuple(move for move, worth in self.worth.items() if worth == best)

    @property
    def chance(self) -> float:
        """The probability that a random legal move is sound."""
        return len(self.gold) / len(self.worth)

    def question(self, *, legal: bool = False) -> str:
        """Return the rules and the question. `legal`: list the legal moves."""
        return Prompt(self.game, legal=legal).whole(*replay_moves(self.game, 1, self.moves))

    def read(self, text: str, ended: str | None = None) -> Reading:
        """Return the move in an answer, or its fault. `ended`: why it ended, if that is known."""
        return Prompt(self.game).reader.read(self.position, text, ended)

    def mark(self, reading: Reading) -> float:
        """Return 1 for a sound move, 1 minus its regret for another, 0 for no legal move."""
        move = reading.move
        return 0.0 if move is None else 1 - max(self.worth.values()) + self.worth[move]

    def marks(
        self, reading: Reading, mean_chance: float, *, sound: str = "sound"
    ) -> dict[str, float]:
        """Return those of the function `marks`, and two more unless the answer was cut off.

        `right` is 1 for a sound move, otherwise 0. `skill` corrects it for chance: its mean over
        several problems, whose mean chance is given, is 0 for random moves and 1 for sound ones.
        """
        right = float(reading.move in self.gold)
        own = {"right": right, "skill": (right - self.chance) / (1 - mean_chance)}
        regrets = [] if reading.move is None else [1 - self.mark(reading)]
        shared = marks([reading], regrets, reading.fault, sound=sound)
        return shared if shared["cut"] else {**own, **shared}

    def as_dict(self, verdicts: bool = False) -> dict[str, Any]:
        """Return the game, its settings, the position and the gold answers as plain values.

        `verdicts`: include the exact verdicts.
        """
        known = truth(self.game, self.position) if verdicts else {}
        return {
            "game": self.game.key,
            "settings": dict(self.game.settings.values),
            "moves": list(self.moves),
            "notation": self.game.notation(self.position),
            "gold": list(self.gold),
            "chance": self.chance,
            **known,
        }


def problem_at(key: str, settings: dict[str, Any], moves: Sequence[int]) -> Problem:
    """Return the problem to which these moves lead. Raises IllegalMove if one is not legal."""
    game = game_for_text(key, settings)
    return Problem(game, tuple(moves), scores(game, replay_from(game, game.start(), moves)[0]))


def problems(key: str, settings: dict[str, Any], seed: int, count: int) -> Iterator[Problem]:
    """Yield up to `count` problems, the same for the same arguments, no two of equal essence.

    Those of `bench` are its positions in their order, whatever the seed; its only setting is
    `file`, which names another set of positions. The problems of other games depend on the seed,
    and two seeds share one only if there are too few: a small game has one list of problems, from
    which each seed takes the next `count`, and those of a large game are divided into PARTS parts
    by their essence. Raises SettingsError if there are none.
    """
    if key == BENCH:
        return (problem_at(*one[:3]) for one in _bench_positions(settings)[:count])
    return _problems_of_seed(game_for_text(key, settings), seed, count)


def problem_number(key: str, settings: dict[str, Any], number: int) -> Problem:
    """Return the problem with a number from 0; two numbers share one only if there are too few."""
    if key == BENCH:
        positions = _bench_positions(settings)
        return problem_at(*positions[number % len(positions)][:3])
    return next(problems(key, settings, number, 1))


def _bench_positions(settings: dict[str, Any]) -> tuple[FrozenPosition, ...]:
    if unknown := settings.keys() - {"file"}:
        raise SettingsError(f"{BENCH} has only the setting file, not {join_or(sorted(unknown))}")
    return frozen_positions(**settings)


def openings(
    key: str, settings: dict[str, Any], seed: int, count: int, seat: int | None = None
) -> list[tuple[int, ...]]:
    """Return the moves that lead to up to `count` problems.

    In each of them the given seat is to move; without one, the seats take turns.
    """
    seats = (1 + seed % 2, 2 - seed % 2) if seat is None else (seat,)
    by_mover: dict[int, list[tuple[int, ...]]] = {one: [] for one in seats}
    for one in problems(key, settings, seed, 16 * count):
        found = by_mover.get(one.position.mover, [])
        if len(found) < -(-count // len(seats)):
            found.append(one.moves)
        if sum(map(len, by_mover.values())) >= count + count % len(seats):
            break
    in_turn = chain.from_iterable(zip_longest(*by_mover.values()))
    return [moves for moves in in_turn if moves is not None][:count]


def _problems_of_seed(game: Game[Any], seed: int, count: int) -> Iterator[Problem]:
    scores(game, game.start())  # raises TooLarge before anything else is computed
    listed = _all_problems(game)
    if listed is None:
        yield from islice(_new_problems(game, seed), count)
        return
    if not listed:
        raise SettingsError(
            f"{game.title} has no problems at these settings: no position was found in which "
            "some moves are sound and some are not"
        )
    for number in range(min(count, len(listed))):
        yield listed[(seed * count + number) % len(listed)]


@lru_cache(maxsize=16)
def _all_problems(game: Game[Any]) -> list[Problem] | None:
    """Return all problems of a game in a random order; None if it has too many positions."""
    rng, without_new = Random(f"{game.key} {game.settings}"), 0
    found: dict[str, tuple[Any, tuple[int, ...]]] = {}
    while without_new < MAX_GAMES_WITHOUT_NEW:
        before = len(found)
        for position, moves in random_game(game, rng):
            found.setdefault(game.essence(position), (position, moves))
        if len(found) > MAX_LISTED_POSITIONS:
            return None
        without_new = without_new + 1 if len(found) == before else 0
    each = (Problem(game, moves, scores(game, position)) for position, moves in found.values())
    return [one for one in each if one.chance < 1]


def _new_problems(game: Game[Any], seed: int) -> Iterator[Problem]:
    """Yield a new problem of each random game that has one, first those of the seed's part.

    When that part seems exhausted, the parts are made twice as large.
    """
    rng, seen = Random(f"{game.key} {game.settings} {seed}"), set[str]()
    parts, without_new = PARTS, 0
    while parts:
        without_new += 1
        met = [*random_game(game, rng)]
        for position, moves in rng.sample(met, len(met)):
            essence = game.essence(position)
            if essence in seen or crc32(essence.encode()) % parts != seed % parts:
                continue
            seen.add(essence)
            one = Problem(game, moves, scores(game, position))
            if one.chance < 1:
                without_new = 0
                yield one
                break
        if without_new == MAX_GAMES_WITHOUT_NEW:
            parts, without_new = parts // 2, 0


def random_game(game: Game[Any], rng: Random) -> Iterator[tuple[Any, tuple[int, ...]]]:
    """Yield the unfinished positions of a random game, each with the moves that led to it.

    The smallest legal move is played often, so that players with this habit do not find it still
    open, and right, when they are asked.
    """
    position = game.start()
    moves: tuple[int, ...] = ()
    while (legal := game.moves(position)) and len(moves) < MAX_GAME_MOVES:
        yield position, moves
        move = legal[0] if rng.random() < SMALLEST_MOVE_SHARE else rng.choice(legal)
        position, moves = game.after(position, move), (*moves, move)


class FrozenPosition(NamedTuple):
    """A line of a file of positions."""

    key: str
    settings: dict[str, Any]
    moves: list[int]  # from the start, in which seat 1 is to move
    depth: int  # number of moves to the win, or else to the loss that is to be avoided


@lru_cache(maxsize=4)
def frozen_positions(file: str = "") -> tuple[FrozenPosition, ...]:
    """Return the positions in a file; without one, those of Numduel-Bench 1.

    The first line describes the file, and each other line is a position, as JSON. Raises
    SettingsError if the file has another form.
    """
    path = Path(file) if file else BENCH_FILE
    found: list[FrozenPosition] = []
    try:
        with path.open(encoding="utf-8") as lines:
            text = lines.read(MAX_PROBLEM_FILE_CHARACTERS + 1)
            if len(text) > MAX_PROBLEM_FILE_CHARACTERS:
                raise ValueError(f"it has more than {MAX_PROBLEM_FILE_CHARACTERS:,} characters")
        for line in text.splitlines()[1:]:
            one = FrozenPosition(*json.loads(line))
            game = new(one.key, **one.settings)
            replay_from(game, game.start(), one.moves)
            found.append(one)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        why = " ".join(str(error).split())
        raise SettingsError(
            f"{path}, line {len(found) + 2}, is no position of a set: {why}"
        ) from None
    return tuple(found)
