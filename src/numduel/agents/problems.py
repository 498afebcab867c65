"""Positions to be asked about, and what an answer is worth by the exact verdicts.

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

from numduel.agents.common import told_in_words, truth
from numduel.core.errors import SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.numerals import either
from numduel.core.verdict import SCORES
from numduel.core.words import played, retraced
from numduel.games import new
from numduel.players.answer import Reading
from numduel.players.prompt import Prompt
from numduel.solver import theory_of

BENCH = "bench"

MAX_GAMES_WITHOUT_NEW = 200
"""When so many random games in a row have had no new problem, there are no more of their kind."""

MAX_GAME_MOVES = 60
"""Maximum number of moves of such a game."""

SMALLEST_MOVE_SHARE = 0.3
"""How often a move of such a game is the smallest one that is legal."""

MAX_LISTED = 4_000
"""Maximum number of positions of a game all of whose problems are listed."""

MAX_PARTS = 64
"""Number of parts, a power of two, that the problems of a large game are parted into, by seeds."""

MAX_SCORING_SECONDS = 5.0
"""Positions that may take longer to solve are not asked about."""

MAX_PROBLEM_FILE_CHARACTERS = 2**24
"""Maximum size of a file of positions."""

FROZEN = Path(__file__).with_name("bench-1.jsonl")
"""Numduel-Bench 1."""


def scores(game: Game[Any], position: Any) -> dict[int, float]:
    """Return what each legal move is worth with best play: 1 for a win, ½, or 0.

    Raises TooLarge if that would take too long.
    """
    theory = theory_of(game)
    cost = theory.cost(position)
    if cost.once + cost.values > MAX_SCORING_SECONDS:
        raise TooLarge(f"{game.title} takes too long to judge at these settings")
    return {move: SCORES[value] for move, value in theory.values(position).items()}


def regret(game: Game[Any], position: Any, move: int | None) -> float | None:
    """Return how much of the position's score a move gives away: 0 if it is sound.

    It is None where no move could give anything away. A fault, which is no move, gives away all.
    """
    worth = scores(game, position)
    if move is None:
        return max(worth.values())
    return max(worth.values()) - worth[move] if len({*worth.values()}) > 1 else None


def marks(
    given: Sequence[Reading],
    regrets: Sequence[float | None],
    fault: str = "",
    *,
    sound: str = "sound",
) -> dict[str, float]:
    """Return the marks of some answers, of which `fault` ended the game, if it was one.

    These are the share of answers in exactly the form that was asked for, the share of sound moves
    by the name `sound`, the mean regret, and 1 or 0 for a fault and for an answer that was cut off.
    Only moves count that could have given something away; where an answer was cut off, none do.
    """
    is_cut = fault == "cut"
    strict = {"strict": fmean(one.strict for one in given)} if given else {}
    counted = [one for one in regrets if one is not None and not is_cut]
    means = {sound: fmean(not one for one in counted), "regret": fmean(counted)} if counted else {}
    return {**means, **strict, "fault": float(bool(fault) and not is_cut), "cut": float(is_cut)}


class Problem(NamedTuple):
    """A position in which some moves are sound and some are not."""

    game: Game[Any]
    moves: tuple[int, ...]  # that led to it from the start, at which seat 1 was to move
    worth: dict[int, float]  # of each legal move

    @property
    def position(self) -> Any:
        """The position itself."""
        return retraced(self.game, 1, self.moves)[0]

    @property
    def gold(self) -> tuple[int, ...]:
        """The sound moves."""
        best = max(self.worth.values())
        return tuple(move for move, worth in self.worth.items() if worth == best)

    @property
    def chance(self) -> float:
        """The chance with which a random legal move is sound."""
        return len(self.gold) / len(self.worth)

    def asked(self, *, legal: bool = False) -> str:
        """Return the rules and the question; `legal`: list the legal moves."""
        return Prompt(self.game, legal=legal).whole(*retraced(self.game, 1, self.moves))

    def read(self, text: str, ended: str | None = None) -> Reading:
        """Return an answer as it is read. `ended`: why it ended, if that is known."""
        return Prompt(self.game).reader.read(self.position, text, ended)

    def mark(self, given: Reading) -> float:
        """Return 1 for a sound move, 1 less the regret for another, 0 for what is no legal move."""
        return 0.0 if given.move is None else 1 - max(self.worth.values()) + self.worth[given.move]

    def marks(
        self, given: Reading, mean_chance: float, *, sound: str = "sound"
    ) -> dict[str, float]:
        """Return all marks of an answer.

        `right` is 1 for a sound move, else 0; its mean over some problems, less their mean chance
        and divided by the room above it, is that of `skill`: 0 is random, 1 is perfect. An answer
        that was cut off has neither.
        """
        right = float(given.move in self.gold)
        scored = {"right": right, "skill": (right - self.chance) / (1 - mean_chance)}
        lost = [] if given.move is None else [1 - self.mark(given)]
        found = marks([given], lost, given.fault, sound=sound)
        return found if found["cut"] else {**scored, **found}

    def described(self, verdicts: bool = False) -> dict[str, Any]:
        """Return the game, its settings, the position and the gold answers as plain values.

        `verdicts`: the exact verdicts as well.
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
    game = told_in_words(key, settings)
    return Problem(game, tuple(moves), scores(game, played(game, game.start(), moves)[0]))


def problems(key: str, settings: dict[str, Any], seed: int, count: int) -> Iterator[Problem]:
    """Yield up to `count` problems of which no two go on alike, the same for the same arguments.

    Those of `bench` are the frozen positions in their order, whatever the seed; `file` is its only
    setting, for a set of one's own. Of another game no two seeds share a problem as long as it has
    others: those of a small game are in one order, of which each seed has the next `count`; those
    of a large one are in MAX_PARTS parts, by their essence. Raises SettingsError if there are none.
    """
    if key == BENCH:
        return (problem_at(*one[:3]) for one in _bench(settings)[:count])
    return _of_seed(told_in_words(key, settings), seed, count)


def numbered(key: str, settings: dict[str, Any], number: int) -> Problem:
    """Return one problem for each number, from 0 on: different ones as long as there are others."""
    if key == BENCH:
        lines = _bench(settings)
        return problem_at(*lines[number % len(lines)][:3])
    return next(problems(key, settings, number, 1))


def _bench(settings: dict[str, Any]) -> tuple[Frozen, ...]:
    if unknown := settings.keys() - {"file"}:
        raise SettingsError(f"{BENCH} has only the setting file, not {either(sorted(unknown))}")
    return frozen(**settings)


def openings(
    key: str, settings: dict[str, Any], seed: int, count: int, seat: int | None = None
) -> list[tuple[int, ...]]:
    """Return the moves to up to `count` problems, in which the seat is to move, or each in turn."""
    seats = (1 + seed % 2, 2 - seed % 2) if seat is None else (seat,)
    led: dict[int, list[tuple[int, ...]]] = {one: [] for one in seats}
    for one in problems(key, settings, seed, 16 * count):
        if len(mine := led.get(one.position.mover, [])) < -(-count // len(seats)):
            mine.append(one.moves)
        if sum(map(len, led.values())) >= count + count % len(seats):
            break
    in_turn = chain.from_iterable(zip_longest(*led.values()))
    return [moves for moves in in_turn if moves is not None][:count]


def _of_seed(game: Game[Any], seed: int, count: int) -> Iterator[Problem]:
    scores(game, game.start())  # TooLarge, before anything else is computed
    listed = _all_problems(game)
    if listed is not None:
        if not listed:
            raise SettingsError(
                f"{game.title} has no problems at these settings: no position was met in which "
                "some moves are sound and some are not"
            )
        for number in range(min(count, len(listed))):
            yield listed[(seed * count + number) % len(listed)]
        return
    yield from islice(_met(game, seed), count)


@lru_cache(maxsize=16)
def _all_problems(game: Game[Any]) -> list[Problem] | None:
    """Return all problems of a game in a random order; None if it has too many positions."""
    rng, empty = Random(f"{game.key} {game.settings}"), 0
    found: dict[str, tuple[Any, tuple[int, ...]]] = {}
    while empty < MAX_GAMES_WITHOUT_NEW:
        before = len(found)
        for position, moves in random_game(game, rng):
            found.setdefault(game.essence(position), (position, moves))
        if len(found) > MAX_LISTED:
            return None
        empty = empty + 1 if len(found) == before else 0
    each = (Problem(game, moves, scores(game, position)) for position, moves in found.values())
    return [one for one in each if one.chance < 1]


def _met(game: Game[Any], seed: int) -> Iterator[Problem]:
    """Yield a new problem of each random game that has one: of the seed's part, then of others."""
    rng, met = Random(f"{game.key} {game.settings} {seed}"), set[str]()
    parts, empty = MAX_PARTS, 0
    while parts:
        empty += 1
        played = [*random_game(game, rng)]
        for position, moves in rng.sample(played, len(played)):
            essence = game.essence(position)
            if essence not in met and crc32(essence.encode()) % parts == seed % parts:
                met.add(essence)
                one = Problem(game, moves, scores(game, position))
                if one.chance < 1:
                    empty = 0
                    yield one
                    break
        if empty == MAX_GAMES_WITHOUT_NEW:
            parts, empty = parts // 2, 0


def random_game(game: Game[Any], rng: Random) -> Iterator[tuple[Any, tuple[int, ...]]]:
    """Yield the positions of a random game in which it goes on, each with the moves so far.

    The smallest move is played often: what a habit would take is gone when it is asked for.
    """
    position = game.start()
    moves: tuple[int, ...] = ()
    while (legal := game.moves(position)) and len(moves) < MAX_GAME_MOVES:
        yield position, moves
        move = legal[0] if rng.random() < SMALLEST_MOVE_SHARE else rng.choice(legal)
        position, moves = game.after(position, move), (*moves, move)


class Frozen(NamedTuple):
    """A line of a file of positions."""

    key: str
    settings: dict[str, Any]
    moves: list[int]  # from the start, at which seat 1 is to move
    depth: int  # how many moves away the win is, or else the loss that is to be avoided


@lru_cache(maxsize=4)
def frozen(file: str = "") -> tuple[Frozen, ...]:
    """Return the positions of a file; without one, those of Numduel-Bench 1.

    Its first line says what it is, and each other one is a position, as JSON. Raises SettingsError
    if it is of another form.
    """
    path = Path(file) if file else FROZEN
    found: list[Frozen] = []
    try:
        with path.open(encoding="utf-8") as lines:
            text = lines.read(MAX_PROBLEM_FILE_CHARACTERS + 1)
            if len(text) > MAX_PROBLEM_FILE_CHARACTERS:
                raise ValueError(f"it has more than {MAX_PROBLEM_FILE_CHARACTERS:,} characters")
        for line in text.splitlines()[1:]:
            one = Frozen(*json.loads(line))
            game = new(one.key, **one.settings)
            played(game, game.start(), one.moves)
            found.append(one)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        why = " ".join(str(error).split())
        raise SettingsError(
            f"{path}, line {len(found) + 2}, is no position of a set: {why}"
        ) from None
    return tuple(found)
