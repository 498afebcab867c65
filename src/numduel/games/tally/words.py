"""The words of the tally games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numduel.core.game import Outcome, other
from numduel.core.numerals import either, listed, parse_whole, quoted, shown
from numduel.core.scene import MAX_DRAWN, Choice, Dial, Fact, Scene, Step, Track
from numduel.core.theory import Explanation
from numduel.core.words import SEATS, Last, Names, Words, seat_name
from numduel.games.tally.operations import parse_operation
from numduel.games.tally.rules import Tally, TallyGame

_LONG_SUM = 10**6  # a number that is not taken apart for people

_FEW = 4  # numbers that are named one by one

_SPOKEN = {"add one": "+1", "double": "x2", "triple": "x3"}
"""Operations that have names."""


class TallyWords(Words[Tally]):
    """What the three games share, and what the two races see and aim at."""

    game: TallyGame

    def label(self, move: int) -> str:
        """Return a line of the menu."""
        return self.game.operations[move - 1].label

    def does(self, move: int) -> str:
        """Return what somebody does who chooses that line."""
        return self.game.operations[move - 1].does

    def shown(self, number: int) -> str:
        """Return the shared number for people."""
        return shown(number)

    def after(self, position: Tally, move: int) -> str:
        """Return the number that a move leads to, for people."""
        return self.shown(self.game.steps[move - 1](position.number))

    def describe(self, position: Tally) -> str:
        return f"number {self.shown(position.number)}, {seat_name(position.mover)} to move"

    def told(self, position: Tally) -> str:
        return f"The number is {self.shown(position.number)}. {self.aim(position)}"

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
        word = " ".join(text.lower().split())
        typed = parse_operation(_SPOKEN.get(word, word))
        meant = []
        for move, operation in enumerate(self.game.operations, 1):
            label = operation.label.lower()
            if typed == operation or word in (label, label.split()[0]):
                meant.append(move)
        return meant[0] if len(meant) == 1 else None

    def offers(self, position: Tally) -> tuple[Fact, ...]:
        return (Fact("Available", self.allowed(position)),)

    def moved(self, before: Tally, move: int, after: Tally, who: str) -> str:
        number = self.shown(before.number)
        return f"{who} {self.does(move)}: {number} → {self.shown(after.number)}"

    def result(
        self, position: Tally, outcome: Outcome, last: Last | None = None, names: Names = SEATS
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
        """Return why a move won, in numbers."""
        return f"{number} is the target" if made == number else made

    # What the coach says.

    def because(self, position: Tally, move: int, found: Explanation) -> str:
        after, number = self.game.after(position, move), self.after(position, move)
        if found.kind == "end":
            if after.ended == "overshot":
                return f"{number} is past {shown(self.game.ceiling or 0)}: that loses at once."
            if after.ended:
                return f"{self.success(number, number)}: you win."
            return f"{number} leaves them no move."
        if found.kind == "answer":
            answer = self.after(after, found.moves[0])
            if found.verdict.distance == 2:
                return f"From {number} they can go to {answer} and win."
            return f"From {number} they can go to {answer}, a good number to land on."
        if found.kind == "verdict":
            return f"{number} is safe: they cannot force a win from there."
        shown_pairs = [
            (self.after(after, reply), self.after(self.game.after(after, reply), answer))
            for reply, answer in found.pairs
        ]
        match shown_pairs:
            case []:
                return f"From {number} every move goes past {shown(self.game.ceiling or 0)}."
            case [(one, answer)]:
                return f"From {number} they must go to {one}, and you go to {answer}."
            case [(one, first), (two, second)] if first == second:
                return f"From {number} they can go to {one} or {two}: you answer both with {first}."
            case [(one, first), (two, second)]:
                return (
                    f"From {number} they can go to {one} or {two}: "
                    f"to {one} you answer {first}, to {two} you answer {second}."
                )
        return f"{number} is a good number: you have an answer to each of their moves."

    def idea(self, position: Tally, move: int, found: Explanation) -> str:
        after = self.game.after(position, move)
        answers = {
            self.game.after(self.game.after(after, reply), answer).number
            for reply, answer in found.pairs
        }
        if found.kind == "pairs" and not answers:
            return (
                f"Leave a number from which every move goes past {shown(self.game.ceiling or 0)}."
            )
        if 1 <= len(answers) <= _FEW:
            named = either([self.shown(number) for number in sorted(answers)])
            return f"Leave a number from which you always get to {named}."
        return super().idea(position, move, found)

    def praise(self, position: Tally, move: int, found: Explanation) -> str:
        number = self.after(position, move)
        if found.kind == "pairs":
            return f"{number} is a good number: you can answer all that they do."
        return f"Well chosen: {number} is safe, and not every number was."

    def notes(self, position: Tally, move: int, found: Explanation) -> list[str]:
        numbers = [number for number, _ in found.landings]
        return [f"Good numbers to land on: {listed(numbers, 12)}"] if len(numbers) > 1 else []

    def won(self, before: Tally, move: int) -> str:
        number, after = self.after(before, move), self.game.after(before, move)
        if not after.ended:
            return f"You won: {number} left them no move."
        if after.number == self.game.goal:
            return f"You won: you landed on {number}."
        return f"You won: {self.success(number, number)}."

    def ends(self, position: Tally, move: int) -> str:
        after = self.game.after(position, move)
        return "too far, you lose" if after.ended == "overshot" else super().ends(position, move)

    def menu(self, position: Tally) -> tuple[Choice, ...]:
        return tuple(
            Choice(move, self.label(move), self.after(position, move), self.ends(position, move))
            for move in self.game.moves(position)
        )

    def operations(self) -> dict[int, str]:
        return {move: self.label(move) for move in self.game.actions}

    def scene(self, position: Tally, past: Sequence[Last] = ()) -> Scene:
        made = tuple(self.step(*last) for last in past[-MAX_DRAWN:])
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
        """Return a move as a step on the number line."""
        number, operation = before.number, self.game.operations[move - 1]
        return Step(number, operation.step(number), before.mover, operation.short, move)

    def turned(self, scene: Scene, past: Sequence[Last], at: int, better: int) -> Scene:
        made = [self.step(*last) for last in past[-MAX_DRAWN:]]
        place = at - (len(past) - len(made))
        if place < 0:
            return scene
        made[place] = made[place]._replace(mark="turned")
        choice = self.step(past[at].before, better)._replace(mark="better")
        end = self.game.after(*past[-1])
        return scene._replace(**self.picture(end, (*made,), (choice,)))

    def number(self, position: Tally) -> Fact:
        """Return the number that the game stands at."""
        return Fact("Current Number", shown(position.number))

    def facts(self, position: Tally) -> tuple[Fact, ...]:
        return (Fact("Target Number", shown(self.game.goal)),)

    def aim(self, position: Tally) -> str:
        """Return what to do, in a sentence or two."""
        return f"Land on {shown(self.game.goal)} exactly. Past it, you lose."

    def picture(
        self, position: Tally, made: tuple[Step, ...], possible: tuple[Step, ...]
    ) -> dict[str, Any]:
        """Return the part of the Scene that is drawn, with the steps made and those possible."""
        goal, start = self.game.goal, self.game.starting_number
        near = goal - start < MAX_DRAWN < goal and not self.game.subtracts
        low = start if near else 0
        return {"track": Track(low, goal, position.number, goal, made, possible)}

    # The script.

    def menu_lines(self, position: Tally) -> list[str]:
        """Return the menu as the documents print it."""
        return [f"{move}. {self.label(move)}" for move in self.game.moves(position)]

    def chose(self, before: Tally, label: str, typed: bool) -> str:
        """Return the sentence that tells which operation was chosen; `typed`: by the reader."""
        return f"{'You' if typed else seat_name(before.mover)} chose to {label}."


class DivisorDuelWords(TallyWords):
    """As in Divisor Duel's document."""

    def turned(self, scene: Scene, past: Sequence[Last], at: int, better: int) -> Scene:
        before = past[at].before  # on a dial later steps would lie upon it
        made = self.step(*past[at])._replace(mark="turned")
        choice = self.step(before, better)._replace(mark="better")
        return scene._replace(**self.picture(before, (made,), (choice,)))

    def shown(self, number: int) -> str:
        """Return N, with its remainder where it is too long to show whole."""
        return shown(number, self.game.goal)

    def success(self, made: str, number: str) -> str:
        goal = shown(self.game.goal)
        if made == number:
            return f"{number} is the divisor" if number == goal else f"{goal} divides {number}"
        return f"{made}, and {goal} divides {number}"

    def idea(self, position: Tally, move: int, found: Explanation) -> str:
        left = {
            self.game.after(position, one).number % self.game.goal
            for one in self.game.moves(position)
        }
        bad = [rest for rest, value in found.landings if value == "loss" and rest in left]
        if found.kind == "end":
            return f"Can you make a multiple of {shown(self.game.goal)} now?"
        if found.verdict.value != "endless" or not bad:
            return super().idea(position, move, found)
        return f"Do not leave the remainder {either(bad)}: from there they can win."

    def notes(self, position: Tally, move: int, found: Explanation) -> list[str]:
        if self.game.ceiling is not None:
            return super().notes(position, move, found)
        if found.kind == "end":
            return []
        good, bad = ([r for r, v in found.landings if v == one] for one in ("win", "loss"))
        said = [f"Good remainders to leave: {listed(good)}"] if good else []
        return [*said, f"Bad remainders to leave: {listed(bad)}"] if bad else said

    def explained(self, scene: Scene, move: int, found: Explanation) -> Scene:
        decides = self.game.ceiling is None  # else the remainder alone decides nothing
        return super().explained(scene, move, found) if decides else scene

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
        times, rest = divmod(number, goal)
        if times and number < _LONG_SUM:
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
        return {"dial": Dial(size, position.number % size, made, possible)}

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
        said = self.chose(before, ("add 1", "multiply by 2")[move - 1], typed)
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
    """What else the two races share."""

    def because(self, position: Tally, move: int, found: Explanation) -> str:
        number, goal = self.game.steps[move - 1](position.number), self.game.goal
        if found.kind == "pairs" and self.game.adds_or_doubles:
            if 2 * number > goal:
                return (
                    f"{shown(number)} is more than half of {shown(goal)}: doubling goes past it, "
                    f"so both of you add one, and you land on {shown(goal)}."
                )
            if goal % 2:
                return (
                    f"{shown(number)} is odd: whatever they do makes it even, "
                    "and you make it odd again."
                )
        return super().because(position, move, found)

    def idea(self, position: Tally, move: int, found: Explanation) -> str:
        if found.kind == "end" and found.verdict.value == "win":
            return f"Can you land on {shown(self.game.goal)} now?"
        if found.kind == "pairs" and self.game.adds_or_doubles:
            after = {one: self.game.after(position, one) for one in self.game.moves(position)}
            odd = after[move].number % 2
            if sum(one.number % 2 == odd and not one.ended for one in after.values()) == 1:
                return "Leave an odd number." if odd else "Leave an even number."
        return super().idea(position, move, found)

    def praise(self, position: Tally, move: int, found: Explanation) -> str:
        if found.kind == "pairs":
            return f"{self.after(position, move)} is on your ladder to {shown(self.game.goal)}."
        return super().praise(position, move, found)

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


def new_words(game: TallyGame) -> TallyWords:
    """Return the words of one of the three games."""
    kinds = {"operation-duel": OperationDuelWords, "double-or-add": DoubleOrAddWords}
    return kinds.get(game.key, DivisorDuelWords)(game)
