"""Small games for tests, which have only rules, a simple player, and what players are asked."""

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from numduel.core.game import Game, Outcome, other
from numduel.core.settings import Flag, OptionalWhole, Settings, Whole
from numduel.core.theory import Cost, Theory
from numduel.core.words import replay_moves
from numduel.players import Player, Turn
from numduel.solver.reference import Reference


class Pile(NamedTuple):
    stones: int
    mover: int


@dataclass(frozen=True)
class Heap:
    stones: int
    mover: int


class NimSettings(Settings):
    stones = Whole(5, "how many stones there are", high=1000)
    most = OptionalWhole("how many may be taken at once")
    even = Flag("only even numbers of stones may be taken")


class Nim(Game[Any]):
    """Take stones; whoever takes the last one wins, and nobody where one is left over."""

    key = "nim"
    title = "Nim"
    summary = "Take stones."
    rules = "Take stones."
    settings_type = NimSettings
    kind: type[Any] = Pile

    def begin(self, first):
        return self.kind(self.settings.stones, first)

    def moves(self, position):
        most = self.settings.most or position.stones
        step = 2 if self.settings.even else 1
        return tuple(range(step, min(most, position.stones) + 1, step))

    def after(self, position, move):
        return self.kind(position.stones - move, other(position.mover))

    def outcome(self, position):
        if self.moves(position):
            return None
        return (
            Outcome(None, "left over") if position.stones else Outcome(3 - position.mover, "took")
        )


class HeapNim(Nim):
    """The same with positions that are frozen dataclasses."""

    kind = Heap


class Stand(NamedTuple):
    place: Any
    mover: int


class Places(Game[Stand]):
    """Moves lead from place to place; the mover at "won" has won, at "lost" lost, or it is drawn.

    Unless told otherwise: from a, move 1 draws and 2 loses; 3 goes to b, where they must draw and
    could lose.
    """

    key = "places"
    title = "Places"
    summary = rules = "For tests."

    def __init__(self, **ways: dict[int, str]) -> None:
        super().__init__()
        self.ways = ways or {"a": {1: "drawn", 2: "won", 3: "b"}, "b": {4: "drawn", 5: "won"}}

    def begin(self, first):
        return Stand("a", first)

    def moves(self, position):
        return tuple(self.ways.get(position.place, ()))

    def after(self, position, move):
        return Stand(self.ways[position.place][move], 3 - position.mover)

    def outcome(self, position):
        winner = {"drawn": None, "won": position.mover, "lost": 3 - position.mover}
        return Outcome(winner[position.place], "stuck") if position.place in winner else None


class GraphGame(Game[Stand]):
    """A walk along arrows, which may go round; some places end the game, some of them drawn."""

    key = "graph"
    title = "Graph"
    summary = rules = "Walk."

    def __init__(
        self, arrows: dict[int, tuple[int, ...]], ends: dict[int, str], again: int | None = None
    ) -> None:
        super().__init__()
        self.arrows = arrows
        self.ends = ends  # the place: whether its mover has won, lost, or nobody has
        self.again = again  # whoever leaves this place moves again

    def begin(self, first: int) -> Stand:
        return Stand(0, first)

    def moves(self, position: Stand) -> tuple[int, ...]:
        return () if position.place in self.ends else self.arrows[position.place]

    def after(self, position: Stand, move: int) -> Stand:
        stays = position.place == self.again
        return Stand(move, position.mover if stays else 3 - position.mover)

    def outcome(self, position: Stand) -> Outcome | None:
        end = self.ends.get(position.place)
        if end is None:
            return None
        winner = {"won": position.mover, "lost": 3 - position.mover, "drawn": None}[end]
        return Outcome(winner, "stuck")


def random_graph(seed: int) -> GraphGame:
    rng = Random(seed)
    size = rng.randint(4, 9)
    ends = {place: rng.choice(["won", "lost", "drawn"]) for place in range(size - 3, size)}
    arrows = {
        place: tuple(sorted(rng.sample(range(size), rng.randint(1, 3))))
        for place in range(size - 3)
    }
    return GraphGame(arrows, ends, again=rng.choice([None, 1]))


class Maze(Game[Stand]):
    """Places that lead to each other, each with its own mover; in some of them the game ends."""

    key = "maze"
    title = "Maze"
    summary = rules = "Walk."

    def __init__(self, ways: dict[int, list[tuple[int, int]]], ends: dict[int, int | None]) -> None:
        super().__init__()
        self.ways = ways  # by place: where the moves 0, 1, … lead, and who moves there
        self.ends = ends  # by place: who wins, or None

    def begin(self, first: int) -> Stand:
        return Stand(0, first)

    def moves(self, position: Stand) -> tuple[int, ...]:
        if position.place in self.ends:
            return ()
        return tuple(range(len(self.ways[position.place])))

    def after(self, position: Stand, move: int) -> Stand:
        return Stand(*self.ways[position.place][move])

    def outcome(self, position: Stand) -> Outcome | None:
        if position.place not in self.ends:
            return None
        return Outcome(self.ends[position.place], "there")


class Priced(Theory[Stand]):
    """The exact solution of a graph, at a declared price, with a count of the questions."""

    price = Cost(0.0, 0.0, 0.0)

    def __init__(self, game: Game[Stand]) -> None:
        super().__init__(game)
        self.truth = Reference(game)
        self.asked: Counter[str] = Counter()

    def cost(self, position: Stand) -> Cost:
        return self.price

    def solve(self, position: Stand) -> Any:
        self.asked["solve"] += 1
        return self.truth.solve(position)

    def evaluate(self, position: Stand) -> Any:
        self.asked["evaluate"] += 1
        return self.truth.evaluate(position)

    def values(self, position: Stand) -> Any:
        self.asked["values"] += 1
        return self.truth.values(position)

    def sound_move(self, position: Stand) -> int:
        self.asked["sound_move"] += 1
        return self.truth.sound_move(position)


class PricedGame(GraphGame):
    """A graph whose theory declares the price of its answers."""

    def __init__(self, *arguments: Any, price: Cost) -> None:
        super().__init__(*arguments)
        self.priced = Priced(self)
        self.priced.price = price

    @property
    def theory(self) -> Theory[Stand]:  # type: ignore[override]
        return self.priced


class Lowest(Player):
    """Always makes the lowest legal move."""

    name = "lowest"

    def choose(self, turn: Turn) -> int:
        return turn.game.moves(turn.position)[0]


def position_after(game: Game[Any], *moves: int) -> Any:
    """Return the position after these moves from the start."""
    return replay_moves(game, 1, moves)[0]


def asked(game: Game[Any], *moves: int, seed: int = 1, **given: Any) -> Turn:
    """Return what a player is asked after these moves from the start."""
    return Turn(game, position_after(game, *moves), 1, moves, Random(seed), **given)
