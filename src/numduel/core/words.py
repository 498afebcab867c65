"""The sentences about a game, for any front end, and its script as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from math import inf
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from numduel.core.errors import IllegalMove
from numduel.core.numerals import (
    MAX_SHOWN_DIGITS,
    format_ranges,
    parse_whole,
    pluralize,
    quoted,
    runs,
    shorten,
)
from numduel.core.scene import Choice, Fact, Link, Mark, Scene

if TYPE_CHECKING:
    from numduel.core.game import Game, Outcome, Position
    from numduel.core.theory import Explanation

P = TypeVar("P", bound="Position")

MAX_MENU_MOVES = 20
"""Maximum number of moves in a menu."""

MAX_NUMBERS_IN_LIST = 100
"""Maximum number of moves, or of runs of moves, in a list beside a board."""

MAX_PAIRS = 12
"""Maximum number of pairs of an explanation that are drawn or listed."""

Names = tuple[str, str]

SEATS: Names = ("Player 1", "Player 2")
"""The names of players who have not given a name."""

YOU = "You"
"""The name of a player who is the reader."""

_NEXT = {"your": "with your next move", "their": "with their next move"}

_SOON = {
    ("your", False): "in {} of your moves",
    ("your", True): "in at most {} of your moves",
    ("their", False): "in {} of their moves",
    ("their", True): "in at most {} of their moves",
}


class Last(NamedTuple):
    """A move that was made, and the position before it."""

    before: Any
    move: int


def replay_moves(game: Game[Any], first: int, moves: Iterable[int]) -> tuple[Any, list[Last]]:
    """Return the position after these legal moves from the start, and a `Last` for each move.

    >>> import numduel
    >>> position, past = replay_moves(numduel.new("multiplicity", size=20), 1, [7, 14])
    >>> position.number, [last.move for last in past]
    (14, [7, 14])
    """
    return replay_from(game, game.start(first), moves)


def replay_from(game: Game[P], position: P, moves: Iterable[int]) -> tuple[P, list[Last]]:
    """Return the position after these moves from another one, and a `Last` for each move.

    Raises `IllegalMove` for the first move that is not legal.

    >>> import numduel
    >>> game = numduel.new("multiplicity", size=20)
    >>> replay_from(game, game.start(), [7, 14])[0].number
    14
    >>> replay_from(game, game.start(), [7, 15])
    Traceback (most recent call last):
        ...
    numduel.core.errors.IllegalMove: move 2: 15 is neither a multiple nor a divisor of 7 (...)
    """
    past: list[Last] = []
    for count, move in enumerate(moves, 1):
        past.append(Last(position, move))
        try:
            position = game.play(position, move)
        except IllegalMove as error:
            raise IllegalMove(move, position, f"move {count}: {error}") from None
    return position, past


def seat_name(seat: int) -> str:
    """Return the name of a seat whose player has not given a name.

    >>> seat_name(2)
    'Player 2'
    """
    return SEATS[seat - 1]


def position_fields(position: object) -> dict[str, object]:
    """Return the fields of a named tuple or dataclass by name, without `mover`.

    >>> import numduel
    >>> position_fields(numduel.new("double-or-add").start())
    {'number': 1, 'ended': ''}
    """
    if hasattr(position, "_fields"):
        names = list(position._fields)
    else:
        from dataclasses import fields, is_dataclass  # slow to import and rarely needed

        names = []
        if is_dataclass(position) and not isinstance(position, type):
            names = [field.name for field in fields(position)]
    return {name: getattr(position, name) for name in names if name != "mover"}


def field_label(name: str) -> str:
    """Return the name of a field or setting as people read it.

    >>> field_label("eaten_one")
    'Eaten (one)'
    """
    first, _, rest = name.partition("_")
    first = f"{first[:1].upper()}{first[1:]}"
    return f"{first} ({rest.replace('_', ' ')})" if rest else first


def _field_text(value: object) -> str:
    """Return any value as people read it: a collection as `1, 2, 9`, or `-` if it is empty."""
    if isinstance(value, Set):
        value = sorted(value, key=lambda one: (one, "") if type(one) is int else (inf, str(one)))
    if isinstance(value, tuple | list):
        return ", ".join(map(_field_text, value)) or "-"
    return str(value)


class Words(Generic[P]):
    """The sentences about one game at its settings.

    Every method has a plain default. A game overrides the methods for which it has better words.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=7)
    >>> words, position = game.words, game.read("5/2")
    >>> words.describe(position), words.move_label(position, 1)
    ('number 5, Player 2 to move', 'Double → 10')
    >>> words.moved(position, 1, game.after(position, 1), "Ada"), words.ends(position, 1)
    ('Ada doubles: 5 → 10', 'too far, you lose')
    """

    def __init__(self, game: Game[P]) -> None:
        self.game = game

    # Complete sentences, to be shown as they are.

    def describe(self, position: P) -> str:
        """Return the position in a few words."""
        parts = [f"{fact.label} {fact.value}" for fact in self.facts(position)]
        return ", ".join([*parts, f"{seat_name(position.mover)} to move"])

    def summary(self) -> str:
        """Return the aim of the game at these settings in one sentence."""
        return self.game.summary

    def position_text(self, position: P) -> str:
        """Return the position in complete sentences, which address the player to move."""
        facts = (f"{fact.label}: {fact.value}." for fact in self.facts(position))
        return " ".join([*facts, self.summary()])

    def allowed(self, position: P) -> str:
        """Return the legal moves in one short line."""
        return format_ranges(runs(self.game.moves(position))) or "nothing"

    def why_not(self, position: P, move: int) -> str:
        """Return the reason why a move is not legal, without a full stop."""
        return f"{quoted(move)} is not a legal move"

    def move_label(self, position: P, move: int) -> str:
        """Return the label of a move in a menu or list: `Double → 32`, `12`."""
        return shorten(move)

    def brief(self, position: P, move: int) -> str:
        """Return a move as the number that it chooses or reaches."""
        return shorten(move)

    def read_move(self, position: P, text: str) -> int | None:
        """Return the move that a person typed as a number or in words; None if it is not a move."""
        return parse_whole(text)

    def moved(self, before: P, move: int, after: P, who: str) -> str:
        """Return a report of a move, without a full stop: `Player 2 doubles: 5 → 10`."""
        return f"{who} plays {self.move_label(before, move)}"

    def result(
        self, position: P, outcome: Outcome, last: Last | None = None, names: Names = SEATS
    ) -> str:
        """Return the reason for an end by the rules, without a full stop: `4 divides 8`."""
        return outcome.reason

    def outside_result(self, outcome: Outcome, turns: int, names: Names = SEATS) -> str:
        """Return the reason for an end that is not by the rules, without a full stop."""
        if outcome.winner is None:
            return pluralize(
                turns, "the limit of {} turn is reached", "the limit of {} turns is reached"
            )
        return f"{names[2 - outcome.winner]} {outcome.reason}"

    def ends(self, position: P, move: int) -> str:
        """Return how a move ends the game for the player who makes it; empty if it goes on."""
        outcome = self.game.outcome(self.game.after(position, move))
        if outcome is None:
            return ""
        if outcome.winner is None:
            return "nobody wins"
        return "you win" if outcome.winner == position.mover else "you lose"

    # The coach's sentences. The opponent is "they", and a move is named by `brief`.

    def in_moves(self, distance: int | None, whose: str = "your", *, whatever: bool = False) -> str:
        """Return how soon a side wins, to end a sentence with: `in 3 of your moves`.

        `whatever` is for a win against any play, not just the best: `in at most 3 of your moves`.
        """
        if distance is None:
            return "with best play"
        if distance <= 1:
            return "at once"
        if not self.game.alternates:
            both = "in at most {} moves of both sides" if whatever else "in {} moves of both sides"
            return both.format(shorten(distance))
        own = (distance + 1) // 2
        return _NEXT[whose] if own == 1 else _SOON[whose, whatever].format(shorten(own))

    def because(self, position: P, move: int, found: Explanation) -> str:
        """Return the reason why a move is good or bad, in complete sentences that name the move."""
        name, (value, distance) = self.brief(position, move), found.verdict
        if found.kind == "end":
            return {
                "win": f"{name} wins at once.",
                "loss": f"{name} loses at once.",
            }.get(value, f"{name} ends the game, and nobody wins.")
        if found.kind == "answer":
            answer = self.brief(self.game.after(position, move), found.moves[0])
            if distance == 2:
                return f"{name} lets them win at once with {answer}."
            return f"{name} lets them play {answer}: then they win, whatever you do."
        return {
            "win": f"With {name} you win {self.in_moves(distance, whatever=True)}, "
            "whatever they do.",
            "loss": f"With {name} they win {self.in_moves(distance, 'their')}.",
            "draw": f"After {name} nobody can force a win.",
        }.get(value, f"{name} is safe: they cannot force a win from there.")

    def idea(self, position: P, move: int, found: Explanation) -> str:
        """Return a hint at a move, in a sentence that does not name the move."""
        if found.kind == "end" and found.verdict.value == "win":
            return "You can win with this move."
        if found.verdict.value == "win":
            return "Look for a move that leaves you an answer to everything that they can do."
        return "Try each move in your head: can they win after it?"

    def praise(self, position: P, move: int, found: Explanation) -> str:
        """Return what was good about a move that the player made although other moves lose."""
        return self.because(position, move, found)

    def reason_notes(self, position: P, move: int, found: Explanation) -> list[str]:
        """Return lines of text that replace the picture of an explanation."""
        return []

    def winning_comment(self, before: P, move: int) -> str:
        """Return the coach's final comment to the player whose move has won the game."""
        return f"You won with {self.brief(before, move)}."

    def explained(self, scene: Scene, move: int, found: Explanation) -> Scene:
        """Return the Scene with the explanation of a move drawn into it."""
        good, bad = (
            tuple(number for number, value in found.landings if value == wanted)
            for wanted in ("win", "loss")
        )
        if scene.track is not None:
            return scene._replace(track=scene.track._replace(good=good))
        if scene.dial is not None:
            return scene._replace(dial=scene.dial._replace(good=good, bad=bad))
        links = scene.links
        if found.kind == "pairs":
            links = tuple(Link(min(pair), max(pair), "pair") for pair in found.pairs[:MAX_PAIRS])
        elif found.kind == "fork":
            links = tuple(Link(move, number, "fork") for number in found.moves)
        return scene._replace(links=links)

    def scene_with_mistake(self, scene: Scene, past: Sequence[Last], at: int, better: int) -> Scene:
        """Return the Scene of a lost game with the losing move and a better move marked.

        `past` holds the moves of the game, and `at` is the index of the losing move.
        """
        marks: dict[int, Mark] = {past[at].move: "turned", better: "better"}
        cells = (cell._replace(mark=marks.get(cell.number, "")) for cell in scene.cells)
        return scene._replace(cells=tuple(cells))

    # The Scene that a front end draws.

    def facts(self, position: P) -> tuple[Fact, ...]:
        """Return the facts that both players see of a position."""
        return tuple(
            Fact(
                field_label(name),
                shorten(value) if type(value) is int else _field_text(value)[:MAX_SHOWN_DIGITS],
            )
            for name, value in position_fields(position).items()
        )

    def menu(self, position: P) -> tuple[Choice, ...]:
        """Return a menu of the legal moves. It is empty if there are more than MAX_MENU_MOVES."""
        moves = self.game.moves(position)
        if len(moves) > MAX_MENU_MOVES:
            return ()
        return tuple(
            Choice(move, self.move_label(position, move), "", self.ends(position, move))
            for move in moves
        )

    def operations(self) -> dict[int, str]:
        """Return the name of each move; empty unless the moves number a menu that never changes."""
        return {}

    def offers(self, position: P) -> tuple[Fact, ...]:
        """Return the legal moves by kind, with long lists shortened."""
        return (
            Fact("Available", format_ranges(runs(self.game.moves(position)), MAX_NUMBERS_IN_LIST)),
        )

    def scene(self, position: P, past: Sequence[Last] = ()) -> Scene:
        """Return the Scene of a position. `past` holds the moves that led here, if known."""
        settings = (Fact(field_label(s.name), s.text(value)) for s, value in self.game.settings)
        facts = (*self.facts(position), *settings)
        return self.staged(position, past, facts=facts, choices=self.menu(position))

    def staged(self, position: P, past: Sequence[Last] = (), **parts: Any) -> Scene:
        """Return a Scene with these parts, and with its sentence, offers and last move added."""
        parts["alternates"] = self.game.alternates
        if past:
            parts = {"last": past[-1].move, **parts}
        outcome = self.game.outcome(position)
        if outcome is None:
            parts = {"offers": self.offers(position), **parts}
            return Scene(f"{seat_name(position.mover)}'s turn", **parts)
        sentence = "Nobody wins" if outcome.winner is None else f"{seat_name(outcome.winner)} wins"
        return Scene(sentence, **parts)

    # The script: the lines of a game in plain text.

    def welcome(self, position: P) -> list[str]:
        """Return the lines before the first turn."""
        settings = (f"{field_label(s.name)}: {s.text(value)}" for s, value in self.game.settings)
        return [f"Welcome to {self.game.title}!", "", *settings, ""]

    def turn(self, position: P) -> list[str]:
        """Return the lines at the beginning of a turn, before the prompt."""
        return [
            f"{seat_name(position.mover)}'s turn.",
            *(f"{label}: {value}" for label, value in self.facts(position)),
            f"Allowed: {self.allowed(position)}",
        ]

    def prompt(self, position: P) -> str:
        """Return the prompt of a turn."""
        return "Enter your move: "

    def follow(self, before: P, move: int, after: P, *, typed: bool = True) -> list[str]:
        """Return the lines after a move. `typed` says whether a person typed the move."""
        return [f"{self.moved(before, move, after, seat_name(before.mover))}.", ""]

    def goes_on(self, position: P) -> list[str]:
        """Return the lines that come after those of `follow` if the game goes on."""
        return []

    def closing(self, position: P, outcome: Outcome, *, typed: bool = True) -> list[str]:
        """Return the last lines of a game that ended by its rules. `typed` is as in `follow`."""
        why = self.result(position, outcome)
        if outcome.winner is None:
            return [f"Nobody wins ({why})."]
        return [f"{seat_name(outcome.winner)} wins the game ({why})!"]
