"""What is said about a game: sentences for any front end, and the script of plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from numduel.core.numerals import (
    LONGEST_SHOWN,
    counted,
    parse_whole,
    quoted,
    ranges,
    runs,
    shown,
)
from numduel.core.scene import Choice, Fact, Scene

if TYPE_CHECKING:
    from numduel.core.game import Game, Outcome, Position

    P = TypeVar("P", bound=Position)
else:
    P = TypeVar("P")

LONGEST_MENU = 20
"""More moves than this are not shown as a menu."""

SEATS = ("Player 1", "Player 2")
"""What the players are called where they have no names."""

YOU = "You"
"""What whoever reads it is called."""


class Last(NamedTuple):
    """The last move that was made, and the position that it was made in."""

    before: Any
    move: int


def retraced(game: Game[Any], first: int, moves: Iterable[int]) -> tuple[Any, list[Last]]:
    """The position that legal moves lead to, and each move with the position before it."""
    position, past = game.start(first), []
    for move in moves:
        past.append(Last(position, move))
        position = game.after(position, move)
    return position, past


def seat_name(seat: int) -> str:
    """What the player of a seat is called where they have no name."""
    return SEATS[seat - 1]


def position_fields(position: object) -> dict[str, object]:
    """What a position holds beside its mover: the fields of a named tuple or a dataclass."""
    if hasattr(position, "_asdict"):
        held = position._asdict()
    else:
        from dataclasses import fields, is_dataclass  # slow to import, and rarely needed

        held = {}
        if is_dataclass(position) and not isinstance(position, type):
            held = {field.name: getattr(position, field.name) for field in fields(position)}
    return {name: value for name, value in held.items() if name != "mover"}


class Words(Generic[P]):
    """The words of one game at its settings. Each has a plain default, there to be replaced."""

    def __init__(self, game: Game[P]) -> None:
        self.game = game

    # Sentences, each whole: nobody cuts them.

    def describe(self, position: P) -> str:
        """The position in a few words."""
        parts = [f"{fact.label} {fact.value}" for fact in self.facts(position)]
        return ", ".join([*parts, f"{seat_name(position.mover)} to move"])

    def allowed(self, position: P) -> str:
        """The legal moves in one short line."""
        return ranges(runs(self.game.moves(position))) or "nothing"

    def why_not(self, position: P, move: int) -> str:
        """Why a move is not legal, in the game's own terms."""
        return f"{quoted(move)} is not a legal move"

    def move_label(self, position: P, move: int) -> str:
        """A move as players speak of it: `Double → 32`, `12`."""
        return shown(move)

    def brief(self, position: P, move: int) -> str:
        """A move in the fewest words, as in a row of many: the number chosen, or led to."""
        return shown(move)

    def read_move(self, position: P, text: str) -> int | None:
        """The move that somebody typed, as its number or in words; None if it is none."""
        return parse_whole(text)

    def moved(self, before: P, move: int, after: P, who: str) -> str:
        """What a player did, without a full stop: `Player 2 doubles: 5 → 10`."""
        return f"{who} plays {self.move_label(before, move)}"

    def result(
        self,
        position: P,
        outcome: Outcome,
        last: Last | None = None,
        names: tuple[str, str] = SEATS,
    ) -> str:
        """Why a game that its rules ended ended so, in numbers: `4 divides 8`."""
        return outcome.reason

    def called(self, outcome: Outcome, turns: int, names: tuple[str, str] = SEATS) -> str:
        """Why a game ended that was ended from outside its rules."""
        if outcome.winner is None:
            return f"the limit of {counted(turns, 'turn')} is reached"
        return f"{names[2 - outcome.winner]} resigned"

    def ends(self, position: P, move: int) -> str:
        """How a move would end the game, to the player who makes it; empty where it goes on."""
        outcome = self.game.outcome(self.game.after(position, move))
        if outcome is None:
            return ""
        if outcome.winner is None:
            return "nobody wins"
        return "you win" if outcome.winner == position.mover else "you lose"

    # What there is to see.

    def facts(self, position: P) -> tuple[Fact, ...]:
        """What a position holds beside its mover."""
        return tuple(
            Fact(name, shown(value) if type(value) is int else str(value)[:LONGEST_SHOWN])
            for name, value in position_fields(position).items()
        )

    def menu(self, position: P) -> tuple[Choice, ...]:
        """The legal moves as a menu, where they are few enough for one."""
        moves = self.game.moves(position)
        if len(moves) > LONGEST_MENU:
            return ()
        return tuple(
            Choice(move, f"Play {self.move_label(position, move)}", "", self.ends(position, move))
            for move in moves
        )

    def offers(self, position: P) -> tuple[Fact, ...]:
        """The legal moves by their kind."""
        return (Fact("Available", self.allowed(position)),)

    def scene(self, position: P, past: Sequence[Last] = ()) -> Scene:
        """What a front end draws; `past`: the moves that led here, where they are known."""
        settings = (Fact(s.name, s.text(value)) for s, value in self.game.settings)
        facts = (*self.facts(position), *settings)
        return self.staged(position, past, facts=facts, choices=self.menu(position))

    def staged(self, position: P, past: Sequence[Last] = (), **parts: Any) -> Scene:
        """A Scene with its sentence, its legal moves and the last move filled in."""
        if past:
            parts = {"last": past[-1].move, **parts}
        outcome = self.game.outcome(position)
        if outcome is None:
            parts = {"offers": self.offers(position), **parts}
            return Scene(f"{seat_name(position.mover)}'s turn", **parts)
        sentence = "Nobody wins" if outcome.winner is None else f"{seat_name(outcome.winner)} wins"
        return Scene(sentence, **parts)

    # The script: the lines of plain text, as a game's document has them.

    def welcome(self, position: P) -> list[str]:
        """The lines before the first turn."""
        settings = (f"{s.name}: {s.text(value)}" for s, value in self.game.settings)
        return [f"Welcome to {self.game.title}!", "", *settings, ""]

    def turn(self, position: P) -> list[str]:
        """The lines that open a turn, up to the prompt."""
        return [
            f"{seat_name(position.mover)}'s turn.",
            *(f"{label}: {value}" for label, value in self.facts(position)),
            f"Allowed: {self.allowed(position)}",
        ]

    def prompt(self, position: P) -> str:
        """What the mover is asked."""
        return "Enter your move: "

    def follow(self, before: P, move: int, after: P, *, typed: bool = True) -> list[str]:
        """The lines that follow a move; `typed`: by the person who reads them."""
        return [f"{self.moved(before, move, after, seat_name(before.mover))}.", ""]

    def goes_on(self, position: P) -> list[str]:
        """The lines after those, where the game goes on."""
        return []

    def closing(self, position: P, outcome: Outcome, *, typed: bool = True) -> list[str]:
        """The lines that close a game that ended by its rules; `typed`: by a person's move."""
        why = self.result(position, outcome)
        if outcome.winner is None:
            return [f"Nobody wins ({why})."]
        return [f"{seat_name(outcome.winner)} wins the game ({why})!"]
