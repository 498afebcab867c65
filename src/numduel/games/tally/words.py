"""The sentences of the tally games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numduel.core.game import Outcome, other
from numduel.core.numerals import join_numbers, join_or, parse_whole, quoted, shorten
from numduel.core.scene import MAX_DRAWN_ITEMS, Choice, Dial, Fact, Scene, Step, Track
from numduel.core.theory import Explanation
from numduel.core.words import SEATS, Last, Names, Words, seat_name
from numduel.games.tally.operations import parse_operation
from numduel.games.tally.rules import Tally, TallyGame

_MAX_FULL_NUMBER = 10**6 - 1  # that is written in full, or as a sum
_MAX_NAMED_NUMBERS = 4  # that a sentence names one by one
_SPOKEN_OPERATIONS = {"add one": "+1", "double": "x2", "triple": "x3"}


class TallyWords(Words[Tally]):
    """The sentences that the three games share, and the board and aim of the two races."""

    game: TallyGame

    def label(self, move: int) -> str:
        """Return a choice of the menu: `Add 1`."""
        return self.game.operations[move - 1].label

    def does(self, move: int) -> str:
        """Return what a player does who chooses it: `adds 1`."""
        return self.game.operations[move - 1].does

    def text(self, number: int) -> str:
        """Return the shared number as people read it."""
        return shorten(number)

    def text_after(self, position: Tally, move: int) -> str:
        """Return the number that a move leads to, as people read it."""
        return self.text(self.game.steps[move - 1](position.number))

    def describe(self, position: Tally) -> str:
        return f"number {self.text(position.number)}, {seat_name(position.mover)} to move"

    def position_text(self, position: Tally) -> str:
        return f"The number is {self.text(position.number)}. {self.aim(position)}"

    def allowed(self, position: Tally) -> str:
        return join_or(self.game.moves(position) or ["nothing"])

    def why_not(self, position: Tally, move: int) -> str:
        if move in self.game.actions:
            return f"{self.label(move)} would go below 1"
        return f"{quoted(move)} is not in the menu"

    def move_label(self, position: Tally, move: int) -> str:
        return f"{self.label(move)} → {self.text_after(position, move)}"

    def brief(self, position: Tally, move: int) -> str:
        number = self.game.steps[move - 1](position.number)
        return str(number) if number <= _MAX_FULL_NUMBER else f"…{number % 10**4:04}"

    def read_move(self, position: Tally, text: str) -> int | None:
        move = parse_whole(text) if not text.strip().startswith("-") else None
        if move is not None:
            return move
        word = " ".join(text.lower().split())
        typed = parse_operation(_SPOKEN_OPERATIONS.get(word, word))
        matches = []
        for move, operation in enumerate(self.game.operations, 1):
            label = operation.label.lower()
            if typed == operation or word in (label, label.split()[0]):
                matches.append(move)
        return matches[0] if len(matches) == 1 else None

    def offers(self, position: Tally) -> tuple[Fact, ...]:
        return (Fact("Available", self.allowed(position)),)

    def moved(self, before: Tally, move: int, after: Tally, who: str) -> str:
        number = self.text(before.number)
        return f"{who} {self.does(move)}: {number} → {self.text(after.number)}"

    def result(
        self, position: Tally, outcome: Outcome, last: Last | None = None, names: Names = SEATS
    ) -> str:
        if outcome.reason == "stuck":
            return f"{names[position.mover - 1]} cannot move: every operation goes below 1"
        number, equation = self.text(position.number), ""
        if last is not None:
            equation = self.game.operations[last.move - 1].equation(last.before.number)
        if outcome.reason == "overshot":
            loser = names[other(position.mover) - 1]
            return f"{loser} went past {shorten(self.game.ceiling or 0)}: {equation or number}"
        return self.success(number, equation)

    def success(self, number: str, equation: str = "") -> str:
        """Return why a move to a number won. The equation is that of the move, if it is known."""
        return equation or f"{number} is the target"

    # What the coach says.

    def because(self, position: Tally, move: int, found: Explanation) -> str:
        after, number = self.game.after(position, move), self.text_after(position, move)
        if found.kind == "end":
            if after.ended == "overshot":
                return f"{number} is past {shorten(self.game.ceiling or 0)}: that loses at once."
            if after.ended:
                return f"{self.success(number)}: you win."
            return f"{number} leaves them no move."
        if found.kind == "answer":
            answer = self.text_after(after, found.moves[0])
            if found.verdict.distance == 2:
                return f"From {number} they can go to {answer} and win."
            return f"From {number} they can go to {answer}, a good number to land on."
        if found.kind == "verdict":
            return f"{number} is safe: they cannot force a win from there."
        pairs = [
            (self.text_after(after, reply), self.text_after(self.game.after(after, reply), answer))
            for reply, answer in found.pairs
        ]
        match pairs:
            case []:
                return f"From {number} every move goes past {shorten(self.game.ceiling or 0)}."
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
                f"Leave a number from which every move goes past {shorten(self.game.ceiling or 0)}."
            )
        if 1 <= len(answers) <= _MAX_NAMED_NUMBERS:
            numbers = join_or([self.text(number) for number in sorted(answers)])
            return f"Leave a number from which you always get to {numbers}."
        return super().idea(position, move, found)

    def praise(self, position: Tally, move: int, found: Explanation) -> str:
        number = self.text_after(position, move)
        if found.kind == "pairs":
            return f"{number} is a good number: you can answer all that they do."
        return f"Well chosen: {number} is safe, and not every number was."

    def reason_notes(self, position: Tally, move: int, found: Explanation) -> list[str]:
        numbers = [number for number, _ in found.landings]
        return [f"Good numbers to land on: {join_numbers(numbers, 12)}"] if len(numbers) > 1 else []

    def winning_comment(self, before: Tally, move: int) -> str:
        number, after = self.text_after(before, move), self.game.after(before, move)
        if not after.ended:
            return f"You won: {number} left them no move."
        if after.number == self.game.goal:
            return f"You won: you landed on {number}."
        return f"You won: {self.success(number)}."

    def ends(self, position: Tally, move: int) -> str:
        after = self.game.after(position, move)
        return "too far, you lose" if after.ended == "overshot" else super().ends(position, move)

    def menu(self, position: Tally) -> tuple[Choice, ...]:
        return tuple(
            Choice(
                move, self.label(move), self.text_after(position, move), self.ends(position, move)
            )
            for move in self.game.moves(position)
        )

    def operations(self) -> dict[int, str]:
        return {move: self.label(move) for move in self.game.actions}

    def scene(self, position: Tally, past: Sequence[Last] = ()) -> Scene:
        steps = tuple(self.step(*last) for last in past[-MAX_DRAWN_ITEMS:])
        choices = tuple(self.step(position, move) for move in self.game.moves(position))
        return self.staged(
            position,
            past,
            number=self.number(position),
            facts=self.facts(position),
            choices=self.menu(position),
            aim=self.aim(position),
            **self.picture(position, steps, choices),
        )

    def step(self, before: Tally, move: int) -> Step:
        """Return a move as a step that is drawn."""
        number, operation = before.number, self.game.operations[move - 1]
        return Step(number, operation.step(number), before.mover, operation.short, move)

    def scene_with_mistake(self, scene: Scene, past: Sequence[Last], at: int, better: int) -> Scene:
        steps = [self.step(*last) for last in past[-MAX_DRAWN_ITEMS:]]
        place = at - (len(past) - len(steps))
        if place < 0:
            return scene
        steps[place] = steps[place]._replace(mark="turned")
        choice = self.step(past[at].before, better)._replace(mark="better")
        end = self.game.after(*past[-1])
        return scene._replace(**self.picture(end, (*steps,), (choice,)))

    def number(self, position: Tally) -> Fact:
        return Fact("Current Number", shorten(position.number))

    def facts(self, position: Tally) -> tuple[Fact, ...]:
        return (Fact("Target Number", shorten(self.game.goal)),)

    def aim(self, position: Tally) -> str:
        """Return what the players try to do, in a sentence or two."""
        return f"Land on {shorten(self.game.goal)} exactly. Past it, you lose."

    def picture(
        self, position: Tally, steps: tuple[Step, ...], choices: tuple[Step, ...]
    ) -> dict[str, Any]:
        """Return the part of the Scene that is drawn: the steps made, and the choices."""
        goal, start = self.game.goal, self.game.starting_number
        is_near = goal - start < MAX_DRAWN_ITEMS < goal and not self.game.subtracts
        low = start if is_near else 0
        return {"track": Track(low, goal, position.number, goal, steps, choices)}

    # The script.

    def menu_lines(self, position: Tally) -> list[str]:
        """Return the menu as numbered lines."""
        return [f"{move}. {self.label(move)}" for move in self.game.moves(position)]

    def choice_line(self, before: Tally, label: str, typed: bool) -> str:
        """Return which operation was chosen: by the reader if it was `typed`."""
        return f"{'You' if typed else seat_name(before.mover)} chose to {label}."


class DivisorDuelWords(TallyWords):
    def scene_with_mistake(self, scene: Scene, past: Sequence[Last], at: int, better: int) -> Scene:
        before = past[at].before  # later steps would cover it on a dial
        step = self.step(*past[at])._replace(mark="turned")
        choice = self.step(before, better)._replace(mark="better")
        return scene._replace(**self.picture(before, (step,), (choice,)))

    def text(self, number: int) -> str:
        """Return N, with its remainder if it is too long to show in full."""
        return shorten(number, self.game.goal)

    def success(self, number: str, equation: str = "") -> str:
        goal = shorten(self.game.goal)
        if equation:
            return f"{equation}, and {goal} divides {number}"
        return f"{number} is the divisor" if number == goal else f"{goal} divides {number}"

    def idea(self, position: Tally, move: int, found: Explanation) -> str:
        remainders = {
            self.game.after(position, choice).number % self.game.goal
            for choice in self.game.moves(position)
        }
        bad = [r for r, value in found.landings if value == "loss" and r in remainders]
        if found.kind == "end":
            return f"Can you make a multiple of {shorten(self.game.goal)} now?"
        if found.verdict.value != "endless" or not bad:
            return super().idea(position, move, found)
        return f"Do not leave the remainder {join_or(bad)}: from there they can win."

    def reason_notes(self, position: Tally, move: int, found: Explanation) -> list[str]:
        if self.game.ceiling is not None:
            return super().reason_notes(position, move, found)
        if found.kind == "end":
            return []
        good, bad = ([r for r, v in found.landings if v == value] for value in ("win", "loss"))
        lines = [f"Good remainders to leave: {join_numbers(good)}"] if good else []
        return [*lines, f"Bad remainders to leave: {join_numbers(bad)}"] if bad else lines

    def explained(self, scene: Scene, move: int, found: Explanation) -> Scene:
        if self.game.ceiling is not None:
            return scene  # the remainder alone decides nothing
        return super().explained(scene, move, found)

    def number(self, position: Tally) -> Fact:
        return Fact("Current N", self.text(position.number))

    def facts(self, position: Tally) -> tuple[Fact, ...]:
        ceiling = self.game.ceiling
        return (
            Fact("Target Divisor (D)", shorten(self.game.goal)),
            Fact("Remainder", shorten(position.number % self.game.goal)),
            *(() if ceiling is None else (Fact("Ceiling", shorten(ceiling)),)),
        )

    def aim(self, position: Tally) -> str:
        goal, ceiling, number = self.game.goal, self.game.ceiling, position.number
        parts = [f"Make it a multiple of {shorten(goal)}."]
        times, rest = divmod(number, goal)
        if times and number <= _MAX_FULL_NUMBER:
            parts.insert(0, f"{number} = {times} × {goal} + {rest}.")
        if ceiling is not None:
            parts.append(f"Past {shorten(ceiling)}, you lose.")
        return " ".join(parts)

    def picture(
        self, position: Tally, steps: tuple[Step, ...], choices: tuple[Step, ...]
    ) -> dict[str, Any]:
        size = self.game.goal
        steps, choices = (
            tuple(step._replace(start=step.start % size, end=step.end % size) for step in group)
            for group in (steps, choices)
        )
        return {"dial": Dial(size, position.number % size, steps, choices)}

    def welcome(self, position: Tally) -> list[str]:
        ceiling = self.game.ceiling
        return [
            "Welcome to Divisor Duel!",
            "",
            f"Target Divisor (D): {shorten(self.game.goal)}",
            f"Starting Number (N): {self.text(position.number)}",
            *([] if ceiling is None else [f"Ceiling: {shorten(ceiling)}"]),
            "",
        ]

    def turn(self, position: Tally) -> list[str]:
        return [
            f"{seat_name(position.mover)}'s turn.",
            f"Current N: {self.text(position.number)}",
            "Choose an operation:",
            *self.menu_lines(position),
        ]

    def prompt(self, position: Tally) -> str:
        return f"Enter choice ({self.allowed(position)}): "

    def follow(self, before: Tally, move: int, after: Tally, *, typed: bool = True) -> list[str]:
        line = self.choice_line(before, ("add 1", "multiply by 2")[move - 1], typed)
        return [line, f"Updated N: {self.text(after.number)}", ""]

    def goes_on(self, position: Tally) -> list[str]:
        divisor = shorten(self.game.goal)
        return [f"N is not divisible by {divisor}. Game continues.", "", "-" * 40]

    def closing(self, position: Tally, outcome: Outcome, *, typed: bool = True) -> list[str]:
        if outcome.reason == "overshot":
            first = f"N is above the ceiling, {shorten(self.game.ceiling or 0)}."
        else:
            hail = "Congratulations! " if typed else ""
            first = f"{hail}N is divisible by {shorten(self.game.goal)}."
        return [first, f"{seat_name(outcome.winner or 0)} wins the game!"]


class RaceWords(TallyWords):
    def because(self, position: Tally, move: int, found: Explanation) -> str:
        number, goal = self.game.steps[move - 1](position.number), self.game.goal
        if found.kind == "pairs" and self.game.adds_or_doubles:
            if 2 * number > goal:
                return (
                    f"{shorten(number)} is more than half of {shorten(goal)}: doubling goes past "
                    f"it, so both of you add one, and you land on {shorten(goal)}."
                )
            if goal % 2:
                return (
                    f"{shorten(number)} is odd: whatever they do makes it even, "
                    "and you make it odd again."
                )
        return super().because(position, move, found)

    def idea(self, position: Tally, move: int, found: Explanation) -> str:
        if found.kind == "end" and found.verdict.value == "win":
            return f"Can you land on {shorten(self.game.goal)} now?"
        if found.kind == "pairs" and self.game.adds_or_doubles:
            is_odd = self.game.after(position, move).number % 2
            results = [self.game.after(position, choice) for choice in self.game.moves(position)]
            if sum(each.number % 2 == is_odd and not each.ended for each in results) == 1:
                return "Leave an odd number." if is_odd else "Leave an even number."
        return super().idea(position, move, found)

    def praise(self, position: Tally, move: int, found: Explanation) -> str:
        if found.kind == "pairs":
            return (
                f"{self.text_after(position, move)} is on your ladder to {shorten(self.game.goal)}."
            )
        return super().praise(position, move, found)

    def follow(self, before: Tally, move: int, after: Tally, *, typed: bool = True) -> list[str]:
        line = self.choice_line(before, self.label(move), typed)
        return [line, f"New Current Number: {shorten(after.number)}", ""]


class OperationDuelWords(RaceWords):
    def welcome(self, position: Tally) -> list[str]:
        return [
            f"Starting Number is {shorten(position.number)}.",
            f"Target Number is {shorten(self.game.goal)}.",
            f"{seat_name(position.mover)} begins.",
            "",
        ]

    def turn(self, position: Tally) -> list[str]:
        return [
            f"{seat_name(position.mover)}'s Turn:",
            f"Current Number: {shorten(position.number)}",
            "Choose an operation:",
            *self.menu_lines(position),
        ]

    def prompt(self, position: Tally) -> str:
        return f"Enter your choice ({self.allowed(position)}): "

    def closing(self, position: Tally, outcome: Outcome, *, typed: bool = True) -> list[str]:
        reason = {
            "overshot": f"{seat_name(other(position.mover))} exceeded the target number!",
            "reached": f"{seat_name(other(position.mover))} reached the target number!",
            "stuck": f"{seat_name(position.mover)} has no operation left that stays above 0!",
        }
        return [
            f"Current Number: {shorten(position.number)}",
            reason[outcome.reason],
            f"{seat_name(outcome.winner or 0)} wins the game!",
        ]


class DoubleOrAddWords(RaceWords):
    def label(self, move: int) -> str:
        return ("Double", "Add One")[move - 1]

    def does(self, move: int) -> str:
        return ("doubles", "adds one")[move - 1]

    def welcome(self, position: Tally) -> list[str]:
        is_default = "target" not in self.game.settings.changed()
        return [] if is_default else [f"Target Number: {shorten(self.game.goal)}", ""]

    def turn(self, position: Tally) -> list[str]:
        return [
            f"Current Number: {shorten(position.number)}",
            f"{seat_name(position.mover)}, choose your action:",
            *self.menu_lines(position),
        ]

    def prompt(self, position: Tally) -> str:
        return f"Enter {self.allowed(position)}: "

    def closing(self, position: Tally, outcome: Outcome, *, typed: bool = True) -> list[str]:
        number = f"Current Number: {shorten(position.number)}"
        winner = f"{seat_name(outcome.winner or 0)} wins the game!"
        if outcome.reason == "reached":
            return [f"{number} is the target.", winner]
        loser = f"{seat_name(other(position.mover))} loses!"
        return [f"{number} exceeds {shorten(self.game.goal)}.", loser, winner]


def new_words(game: TallyGame) -> TallyWords:
    kinds = {"operation-duel": OperationDuelWords, "double-or-add": DoubleOrAddWords}
    return kinds.get(game.key, DivisorDuelWords)(game)
