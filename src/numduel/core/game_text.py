"""A game in words alone: its rules, its positions, and how moves are reported and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice, product
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from numduel.core.errors import TooLarge
from numduel.core.numerals import parse_whole
from numduel.core.words import Last, seat_name

if TYPE_CHECKING:
    from numduel.core.game import Game, Position

P = TypeVar("P", bound="Position")

BARE_GRAPH_TITLE = "The Bare Graph"
"""The title of a game as a graph, in which the numbers have names that mean nothing.

It is a control for disguises. A model that plays the graph worse than the game relies on its
arithmetic.
"""

MAX_NAMES = 200
"""Maximum number of names. With more, the list of relations would be too long."""

_NAMES = [a + b + c + d for a, b, c, d in product("bdfgklmnprstvz", "aeiou", "dklmnrst", "aiou")]


class GameText(Generic[P]):
    """A game under its own name and in its own words.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=7)
    >>> text = GameText(game)
    >>> print(text.describe(game.start()))
    Current Number: 1
    Target Number: 7
    Position in notation: 1/1
    >>> text.labels(game.start()), text.read(game.start(), "double")
    (['1', '2'], 1)
    """

    def __init__(self, game: Game[P]) -> None:
        self.game = game
        self.title = game.title
        self.rules = game.rules  # with the settings below them
        if settings := [f"- {s.name}: {s.text(value)} ({s.help})" for s, value in game.settings]:
            self.rules += "\n".join(["", "", "It is played with these settings:", *settings])
        self.form = "A move is written as the number that you choose."
        if operations := game.words.operations():
            numbers = ", ".join(f"{move} for {name}" for move, name in operations.items())
            self.form = f"A move is written as its number: {numbers}."

    def describe(self, position: P) -> str:
        """Return the complete position, in words and in notation."""
        scene = self.game.words.scene(position)
        facts = [*([] if scene.number is None else [scene.number]), *scene.facts]
        lines = [f"{label}: {value or 'none'}" for label, value in facts]
        return "\n".join([*lines, f"Position in notation: {self.game.notation(position)}"])

    def moved(self, last: Last) -> str:
        """Return a sentence that says which move was made, and by whom."""
        after = self.game.after(last.before, last.move)
        who = seat_name(last.before.mover)
        return f"{self.game.words.moved(last.before, last.move, after, who)}."

    def why_not(self, position: P, move: int) -> str:
        """Return the reason why a move is not legal, without a full stop."""
        return self.game.words.why_not(position, move)

    def label(self, position: P, move: int) -> str:
        """Return the text of a move."""
        return str(move)

    def labels(self, position: P) -> list[str]:
        """Return the texts of all legal moves."""
        return [self.label(position, move) for move in self.game.moves(position)]

    def read(self, position: P, text: str) -> int | None:
        """Return the move that a text stands for, legal or not; None if it stands for no move."""
        return self.game.words.read_move(position, text)


class Disguise(GameText[P]):
    """A game under another name and in other words.

    `names` has the names of the moves. If it is empty, a move is written as its number. `result`
    returns text that follows the name of a move that was made, and says what the move did.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=7)
    >>> game.disguises(seed=0)[0].describe(game.start())
    'The floor number is 1. Player 1 is to move.'
    """

    def __init__(
        self,
        game: Game[P],
        title: str,
        rules: str,
        form: str,
        describe: Callable[[P], str],
        names: Mapping[int, str],
        result: Callable[[P, int], str] = lambda before, move: "",
    ) -> None:
        super().__init__(game)
        self.title, self.rules, self.form = title, rules, f"A move is written as {form}."
        self._describe, self._names, self._result = describe, names, result

    def describe(self, position: P) -> str:
        who = f"{seat_name(position.mover)} is to move."
        over = " The game is over." if self.game.outcome(position) is not None else ""
        return f"{self._describe(position)} {who}{over}"

    def moved(self, last: Last) -> str:
        label = self.label(last.before, last.move)
        return f"{seat_name(last.before.mover)} plays {label}{self._result(*last)}."

    def why_not(self, position: P, move: int) -> str:
        return f"{self.label(position, move)} is not a legal move"

    def label(self, position: P, move: int) -> str:
        return self._names.get(move, str(move))

    def labels(self, position: P) -> list[str]:
        labels = super().labels(position)
        return sorted(labels) if self._names else labels

    def read(self, position: P, text: str) -> int | None:
        if not self._names:
            return parse_whole(text)
        moves = {name.casefold(): move for move, name in self._names.items()}
        return moves.get(text.strip().casefold())


def number_names(game: Game[Any], numbers: Iterable[int], seed: int) -> dict[int, str]:
    """Return a random name for each number. The seed decides the names.

    Raises `TooLarge` if there are more than MAX_NAMES numbers.

    >>> import numduel
    >>> number_names(numduel.new("double-or-add"), [1, 2], seed=0)
    {1: 'nada', 2: 'kimi'}
    """
    from random import Random  # slow to import and rarely needed

    named = list(islice(numbers, MAX_NAMES + 1))
    if len(named) > MAX_NAMES:
        raise TooLarge(f"{game.title} has over {MAX_NAMES} numbers here, too many to name")
    names = Random(f"{seed} {game.key}").sample(_NAMES, len(named))
    return dict(zip(named, names, strict=True))


def join_names(names: Mapping[int, str], numbers: Iterable[int]) -> str:
    """Return the names of some numbers in alphabetical order, or `none` if there are no numbers.

    >>> join_names({1: "nada", 2: "kimi"}, [1, 2])
    'kimi, nada'
    """
    return ", ".join(sorted(names[number] for number in numbers)) or "none"


def relation_lines(names: Mapping[int, str], related: Mapping[int, Iterable[int]]) -> str:
    """Return a line for each number with its name and the names of the numbers related to it.

    >>> relation_lines({1: "nada", 2: "kimi"}, {1: [2], 2: []}).splitlines()
    ['kimi: none', 'nada: kimi']
    """
    return "\n".join(sorted(f"{names[one]}: {join_names(names, related[one])}" for one in names))
