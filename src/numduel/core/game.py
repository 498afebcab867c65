"""What a game is: rules over positions that are values, and the words to play it with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from numduel.core.errors import IllegalMove, SettingsError
from numduel.core.numerals import LONGEST_SHOWN, quoted, ranges, runs, shown
from numduel.core.scene import Choice, Fact, Scene
from numduel.core.settings import Settings
from numduel.core.theory import Theory


class Position(Protocol):
    """A moment of a game: immutable, hashable, compared by content."""

    @property
    def mover(self) -> int:
        """The seat whose turn it is, 1 or 2; after the end, whose turn it would be."""


P = TypeVar("P", bound=Position)


class Outcome(NamedTuple):
    """How a game ended."""

    winner: int | None  # the seat, 1 or 2; None where nobody won
    reason: str  # one of REASONS


RULED = ("divisible", "reached", "overshot", "relation", "stuck")
"""The reasons that rules give. A game from elsewhere may name its own."""

CALLED = ("resigned", "turn-limit")
"""The reasons that end a game from outside its rules."""

REASONS = (*RULED, *CALLED)


def other(seat: int) -> int:
    """The opposite seat."""
    return 3 - seat


class Game(ABC, Generic[P]):
    """One game at fixed settings.

    A subclass gives `key`, `title`, `summary`, `rules`, its `Settings`, and four methods:
    `begin`, `moves`, `after` and `outcome`. Everything else has a plain default; the words
    (`welcome` to `ended`) and `scene` are there to be replaced.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]  # one sentence
    rules: ClassVar[str]  # for players, a few short paragraphs
    settings_type: ClassVar[type[Settings]] = Settings
    settings: Settings

    def __init__(self, /, **settings: object) -> None:
        self.settings = self.settings_type(**settings)

    # The rules.

    def start(self, first: int = 1) -> P:
        """The position in which seat `first` is to make the first move."""
        if first not in (1, 2):
            raise SettingsError(f"first must be 1 or 2, not {quoted(first)}")
        return self.begin(int(first))

    def play(self, position: P, move: int) -> P:
        """The position after a move; IllegalMove if the rules do not allow it."""
        if not self.allows(position, move):
            raise self._refusal(position, move)
        return self.after(position, move)

    @abstractmethod
    def begin(self, first: int) -> P:
        """`start`, with `first` known to be a seat."""

    @abstractmethod
    def moves(self, position: P) -> tuple[int, ...]:
        """The legal moves, ascending; none when the game is over."""

    @abstractmethod
    def after(self, position: P, move: int) -> P:
        """`play`, with the move known to be legal."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """None while the game goes on."""

    def allows(self, position: P, move: int) -> bool:
        """Whether a move is legal."""
        return type(move) is int and move in self.moves(position)

    def why_not(self, position: P, move: int) -> str:
        """Why a move is not legal, in the game's own terms."""
        return f"{quoted(move)} is not a legal move"

    def _refusal(self, position: P, move: object) -> IllegalMove:
        if self.outcome(position) is not None:
            why = f"{quoted(move)} cannot be played: the game is over"
            return IllegalMove(move, position, why, f"{why} ({self.describe(position)})")
        if type(move) is int:
            why = self.why_not(position, move)
        else:
            why = f"{quoted(move)} is not a whole number"
        allowed = self.allowed(position)
        return IllegalMove(
            move, position, why, f"{why} ({self.describe(position)}; allowed: {allowed})"
        )

    @cached_property
    def theory(self) -> Theory[P] | None:
        """The game's exact solution; None leaves it to the reference solver."""
        return None

    # The words.

    def describe(self, position: P) -> str:
        """The position in a few words."""
        parts = [f"{fact.label} {fact.value}" for fact in self.fields(position)]
        return ", ".join([*parts, f"Player {position.mover} to move"])

    def fields(self, position: P) -> tuple[Fact, ...]:
        """What a position that is a named tuple holds beside its mover."""
        values: dict[str, object] = getattr(position, "_asdict", dict)()
        return tuple(
            Fact(name, shown(value) if type(value) is int else str(value)[:LONGEST_SHOWN])
            for name, value in values.items()
            if name != "mover"
        )

    def allowed(self, position: P) -> str:
        """The legal moves in one short line."""
        return ranges(runs(self.moves(position))) or "nothing"

    def welcome(self, position: P) -> list[str]:
        """The lines before the first turn."""
        return [
            f"Welcome to {self.title}!",
            "",
            *(f"{s.name}: {s.text(v)}" for s, v in self.settings),
            "",
        ]

    def turn(self, position: P) -> list[str]:
        """The lines that open a turn, up to the prompt."""
        return [
            f"Player {position.mover}'s turn.",
            *(f"{label}: {value}" for label, value in self.fields(position)),
            f"Allowed: {self.allowed(position)}",
        ]

    def prompt(self, position: P) -> str:
        """What the mover is asked."""
        return "Enter your move: "

    def moved(self, before: P, move: int, after: P) -> list[str]:
        """The lines that follow a move."""
        return [f"Player {before.mover} played {move}.", ""]

    def ended(self, position: P, outcome: Outcome) -> list[str]:
        """The lines that close a game that ended by its rules."""
        if outcome.winner is None:
            return [f"Nobody wins ({outcome.reason})."]
        return [f"Player {outcome.winner} wins the game ({outcome.reason})!"]

    def scene(self, position: P) -> Scene:
        """What a front end draws."""
        settings = (Fact(setting.name, setting.text(value)) for setting, value in self.settings)
        facts = (*self.fields(position), *settings)
        return self.staged(position, facts=facts, choices=self.menu(position))

    def menu(self, position: P) -> tuple[Choice, ...]:
        """The legal moves as a menu, where they are few enough for one."""
        moves = self.moves(position)
        return tuple(Choice(m, f"Play {m}", "") for m in moves) if len(moves) <= 20 else ()

    def staged(self, position: P, **parts: Any) -> Scene:
        """A Scene with its sentence and its legal moves filled in."""
        outcome = self.outcome(position)
        if outcome is None:
            sentence, allowed = f"Player {position.mover}'s turn.", self.allowed(position)
        else:
            sentence, allowed = self.ended(position, outcome)[-1], ""
        empty: dict[str, Any] = {"facts": (), "cells": (), "choices": ()}
        return Scene(**{**empty, "sentence": sentence, "allowed": allowed, **parts})

    # Games are compared, and pickled, by content.

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.settings == self.settings

    def __hash__(self) -> int:
        return hash((type(self), self.settings))

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (type(self), self.settings.values)  # without what was worked out about it

    def __repr__(self) -> str:
        changed = ", ".join(f"{name}={value!r}" for name, value in self.settings.changed().items())
        return f"{type(self).__name__}({changed})"


def _made(kind: type[Game[P]], settings: dict[str, Any]) -> Game[P]:
    return kind(**settings)
