"""The words of the tally games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numduel.core.game import Outcome, other
from numduel.core.numerals import either, parse_whole, quoted, shown
from numduel.core.scene import SHORT, Choice, Dial, Fact, Scene, Step, Track
from numduel.core.words import SEATS, Last, Words, seat_name
from numduel.games.tally.operations import parse_operation
from numduel.games.tally.rules import Tally, TallyGame

_LONG_SUM = 10**6  # a number that is not taken apart for people


class TallyWords(Words[Tally]):
    """What the three games share."""

    game: TallyGame

    def label(self, move: int) -> str:
        """A line of the menu."""
        return self.game.operations[move - 1].label

    def does(self, move: int) -> str:
        """What somebody does who chooses that line."""
        return self.game.operations[move - 1].does

    def shown(self, number: int) -> str:
        """The shared number for people."""
        return shown(number)

    def after(self, position: Tally, move: int) -> str:
        """The number that a move leads to, for people."""
        return self.shown(self.game.steps[move - 1](position.number))

    def describe(self, position: Tally) -> str:
        return f"number {self.shown(position.number)}, {seat_name(position.mover)} to move"

    def allowed(self, position: Tally) -> str:
        return either(self.game.moves(position) or ["nothing"])

    def why_not(self, position: Tally, move: int) -> str:
        if move in self.game.actions:
            return f"{self.label(move)} would go below 1"
        return f"{quoted(move)} is not in the menu"

    def move_label(self, position: Tally, move: int) -> str:
        return f"{self.label(move)} → {self.after(position, move)}"

    def brief(self, position: Tally, move: int) -> str:
        number = self.game.steps[move - 1](position.number)
        return str(number) if number < _LONG_SUM else f"…{number % 10**4:04}"

    def read_move(self, position: Tally, text: str) -> int | None:
        move = parse_whole(text) if not text.strip().startswith("-") else None
        if move is not None:
            return move
        word, operation = " ".join(text.lower().split()), parse_operation(text)
        for move in self.game.actions:
            if word == self.label(move).lower() or operation == self.game.operations[move - 1]:
                return move
        return None

    def moved(self, before: Tally, move: int, after: Tally, who: str) -> str:
        number = self.shown(before.number)
        return f"{who} {self.does(move)}: {number} → {self.shown(after.number)}"

    def result(
        self,
        position: Tally,
        outcome: Outcome,
        last: Last | None = None,
        names: tuple[str, str] = SEATS,
    ) -> str:
        if outcome.reason == "stuck":
            return f"{names[position.mover - 1]} cannot move: every operation goes below 1"
        number = self.shown(position.number)
        made = number
        if last is not None:
            made = self.game.operations[last.move - 1].equation(last.before.number)
        if outcome.reason == "overshot":
            loser = names[other(position.mover) - 1]
            return f"{loser} went past {shown(self.game.ceiling or 0)}: {made}"
        return self.success(made, number)

    def success(self, made: str, number: str) -> str:
        """Why a move won, in numbers."""
        raise NotImplementedError

    def ends(self, position: Tally, move: int) -> str:
        after = self.game.after(position, move)
        return "too far, you lose" if after.ended == "overshot" else super().ends(position, move)

    def menu(self, position: Tally) -> tuple[Choice, ...]:
        return tuple(
            Choice(move, self.label(move), self.after(position, move), self.ends(position, move))
            for move in self.game.moves(position)
        )

    def scene(self, position: Tally, past: Sequence[Last] = ()) -> Scene:
        made = tuple(self.step(*last) for last in past[-SHORT:])
        possible = tuple(self.step(position, move) for move in self.game.moves(position))
        return self.staged(
            position,
            past,
            number=self.number(position),
            facts=self.facts(position),
            choices=self.menu(position),
            aim=self.aim(position),
            **self.picture(position, made, possible),
        )

    def step(self, before: Tally, move: int) -> Step:
        """A move as a step on the number line."""
        number, operation = before.number, self.game.operations[move - 1]
        return Step(number, operation.step(number), before.mover, operation.short, move)

    def aim(self, position: Tally) -> str:
        """What to do, in a sentence or two."""
        raise NotImplementedError

    def picture(
        self, position: Tally, made: tuple[Step, ...], possible: tuple[Step, ...]
    ) -> dict[str, Any]:
        """The part of the Scene that is drawn, with the steps that were made and those that can."""
        raise NotImplementedError

    def number(self, position: Tally) -> Fact:
        """The number that the game stands at."""
        raise NotImplementedError

    # The script.

    def menu_lines(self, position: Tally) -> list[str]:
        """The menu as the documents print it."""
        return [f"{move}. {self.label(move)}" for move in self.game.moves(position)]

    def chose(self, before: Tally, label: str, typed: bool) -> str:
        """Who chose what, as the documents tell whoever typed it."""
        return f"{'You' if typed else seat_name(before.mover)} chose to {label}."


class DivisorDuelWords(TallyWords):
    """As in Divisor Duel's document."""

    def shown(self, number: int) -> str:
        """N, with its remainder where it is too long to show whole."""
        return shown(number, self.game.goal)

    def success(self, made: str, number: str) -> str:
        reached = "" if made == number else f"{made}, and "
        return f"{reached}{shown(self.game.goal)} divides {number}"

    def number(self, position: Tally) -> Fact:
        return Fact("Current N", self.shown(position.number))

    def facts(self, position: Tally) -> tuple[Fact, ...]:
        ceiling = self.game.ceiling
        return (
            Fact("Target Divisor (D)", shown(self.game.goal)),
            Fact("Remainder", shown(position.number % self.game.goal)),
            *(() if ceiling is None else (Fact("Ceiling", shown(ceiling)),)),
        )

    def aim(self, position: Tally) -> str:
        goal, ceiling, number = self.game.goal, self.game.ceiling, position.number
        parts = [f"Make it a multiple of {shown(goal)}."]
        if number < _LONG_SUM:
            times, rest = divmod(number, goal)
            parts.insert(0, f"{number} = {times} × {goal} + {rest}.")
        if ceiling is not None:
            parts.append(f"Past {shown(ceiling)}, you lose.")
        return " ".join(parts)

    def picture(
        self, position: Tally, made: tuple[Step, ...], possible: tuple[Step, ...]
    ) -> dict[str, Any]:
        size = self.game.goal
        made, possible = (
            tuple(step._replace(start=step.start % size, end=step.end % size) for step in steps)
            for steps in (made, possible)
        )
        return {"dial": Dial(size, position.number % size, 0, made, possible)}

    def welcome(self, position: Tally) -> list[str]:
        ceiling = self.game.ceiling
        return [
            "Welcome to Divisor Duel!",
            "",
            f"Target Divisor (D): {shown(self.game.goal)}",
            f"Starting Number (N): {self.shown(position.number)}",
            *([] if ceiling is None else [f"Ceiling: {shown(ceiling)}"]),
            "",
        ]

    def turn(self, position: Tally) -> list[str]:
        return [
            f"{seat_name(position.mover)}'s turn.",
            f"Current N: {self.shown(position.number)}",
            "Choose an operation:",
            *self.menu_lines(position),
        ]

    def prompt(self, position: Tally) -> str:
        return f"Enter choice ({self.allowed(position)}): "

    def follow(self, before: Tally, move: int, after: Tally, *, typed: bool = True) -> list[str]:
        label = self.label(move)
        said = self.chose(before, f"{label[0].lower()}{label[1:]}", typed)
        return [said, f"Updated N: {self.shown(after.number)}", ""]

    def goes_on(self, position: Tally) -> list[str]:
        divisor = shown(self.game.goal)
        return [f"N is not divisible by {divisor}. Game continues.", "", "-" * 40]

    def closing(self, position: Tally, outcome: Outcome, *, typed: bool = True) -> list[str]:
        if outcome.reason == "overshot":
            first = f"N is above the ceiling, {shown(self.game.ceiling or 0)}."
        else:
            hail = "Congratulations! " if typed else ""
            first = f"{hail}N is divisible by {shown(self.game.goal)}."
        return [first, f"{seat_name(outcome.winner or 0)} wins the game!"]


class RaceWords(TallyWords):
    """What the two races share."""

    def success(self, made: str, number: str) -> str:
        return f"{number} is the target" if made == number else made

    def number(self, position: Tally) -> Fact:
        return Fact("Current Number", shown(position.number))

    def facts(self, position: Tally) -> tuple[Fact, ...]:
        return (Fact("Target Number", shown(self.game.goal)),)

    def aim(self, position: Tally) -> str:
        return f"Land on {shown(self.game.goal)} exactly. Past it, you lose."

    def picture(
        self, position: Tally, made: tuple[Step, ...], possible: tuple[Step, ...]
    ) -> dict[str, Any]:
        goal, start = self.game.goal, self.game.starting_number
        near = goal - start < SHORT < goal and not self.game.subtracts
        low = start if near else 0
        return {"track": Track(low, goal, position.number, goal, made, possible)}

    def follow(self, before: Tally, move: int, after: Tally, *, typed: bool = True) -> list[str]:
        said = self.chose(before, self.label(move), typed)
        return [said, f"New Current Number: {shown(after.number)}", ""]


class OperationDuelWords(RaceWords):
    """As in Operation Duel's document."""

    def welcome(self, position: Tally) -> list[str]:
        return [
            f"Starting Number is {shown(position.number)}.",
            f"Target Number is {shown(self.game.goal)}.",
            f"{seat_name(position.mover)} begins.",
            "",
        ]

    def turn(self, position: Tally) -> list[str]:
        return [
            f"{seat_name(position.mover)}'s Turn:",
            f"Current Number: {shown(position.number)}",
            "Choose an operation:",
            *self.menu_lines(position),
        ]

    def prompt(self, position: Tally) -> str:
        return f"Enter your choice ({self.allowed(position)}): "

    def closing(self, position: Tally, outcome: Outcome, *, typed: bool = True) -> list[str]:
        happened = {
            "overshot": f"{seat_name(other(position.mover))} exceeded the target number!",
            "reached": f"{seat_name(other(position.mover))} reached the target number!",
            "stuck": f"{seat_name(position.mover)} has no operation left that stays above 0!",
        }
        return [
            f"Current Number: {shown(position.number)}",
            happened[outcome.reason],
            f"{seat_name(outcome.winner or 0)} wins the game!",
        ]


class DoubleOrAddWords(RaceWords):
    """As in Double or Add's document."""

    def label(self, move: int) -> str:
        return ("Double", "Add One")[move - 1]

    def does(self, move: int) -> str:
        return ("doubles", "adds one")[move - 1]

    def welcome(self, position: Tally) -> list[str]:
        default = "target" not in self.game.settings.changed()
        return [] if default else [f"Target Number: {shown(self.game.goal)}", ""]

    def turn(self, position: Tally) -> list[str]:
        return [
            f"Current Number: {shown(position.number)}",
            f"{seat_name(position.mover)}, choose your action:",
            *self.menu_lines(position),
        ]

    def prompt(self, position: Tally) -> str:
        return f"Enter {self.allowed(position)}: "

    def closing(self, position: Tally, outcome: Outcome, *, typed: bool = True) -> list[str]:
        number = f"Current Number: {shown(position.number)}"
        winner = f"{seat_name(outcome.winner or 0)} wins the game!"
        if outcome.reason == "reached":
            return [f"{number} is the target.", winner]
        loser = f"{seat_name(other(position.mover))} loses!"
        return [f"{number} exceeds {shown(self.game.goal)}.", loser, winner]
