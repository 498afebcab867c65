"""The sentences of Multiplicity."""

from __future__ import annotations

from collections.abc import Sequence

from numduel.core.game import Outcome
from numduel.core.numerals import join_numbers, join_or, quoted
from numduel.core.scene import MAX_BOARD_CELLS, MAX_DRAWN_ITEMS, Cell, Fact, Link, Scene
from numduel.core.theory import Explanation
from numduel.core.words import MAX_PAIRS, SEATS, Last, Names, Words, seat_name
from numduel.games.divisors import proper_divisors
from numduel.games.multiplicity.rules import Multiplicity, Walk

_MAX_NAMED_REPLIES = 4
"""Maximum number of replies that a sentence names one by one."""


class WalkWords(Words[Walk]):
    game: Multiplicity

    def why_not(self, position: Walk, move: int) -> str:
        number = position.number
        if not 1 <= move <= self.game.size:
            return f"{quoted(move)} is not one of the numbers from 1 to {self.game.size}"
        if move == number or move in position.chosen:
            return f"{move} is already chosen"
        if move % number and number % move:
            return f"{move} is neither a multiple nor a divisor of {number}"
        return f"{move} is odd, and the first move must go to an even number"

    def describe(self, position: Walk) -> str:
        return f"N = {position.number}, {seat_name(position.mover)} to move"

    def position_text(self, position: Walk) -> str:
        used = join_numbers(sorted(position.chosen))
        return (
            f"The numbers go from 1 to {self.game.size}. You are at {position.number}. "
            f"Used: {used}. {self.summary()}"
        )

    def allowed(self, position: Walk) -> str:
        return join_numbers(self.game.moves(position), most=12) or "nothing"

    def moved(self, before: Walk, move: int, after: Walk, who: str) -> str:
        if before.number == 1:
            return f"{who} goes up to {move}"
        if move > before.number:
            return f"{who} goes up to {move}, which is {move // before.number} × {before.number}"
        return f"{who} goes down to {move}, which divides {before.number}"

    def result(
        self, position: Walk, outcome: Outcome, last: Last | None = None, names: Names = SEATS
    ) -> str:
        stuck = names[position.mover - 1]
        return f"{stuck} cannot move: no multiple or divisor of {position.number} is left"

    # What the coach says.

    def because(self, position: Walk, move: int, found: Explanation) -> str:
        if found.kind == "end":
            return f"{move} leaves nothing to choose."
        if found.kind == "answer":
            [answer] = found.moves
            if found.verdict.distance == 2:
                return f"{move} lets them choose {answer}, which leaves you nothing."
            return (
                f"{move} and {answer} are a domino: they can step on {answer}, and then they have "
                "an answer to everything."
            )
        if self._doubles_prime(move, found):
            return f"{move} is twice the prime {move // 2}. {self._prime_rule()}"
        replies = self.game.moves(self.game.after(position, move))
        if len(replies) == 1:
            return f"{move} leaves only {replies[0]}, and you answer with {found.pairs[0][1]}."
        if len(replies) <= _MAX_NAMED_REPLIES:
            return (
                f"{move} leaves them {join_or(replies)}: each is half of a domino, and you step "
                "on the other half."
            )
        return (
            f"Whatever they step on after {move} is half of a domino: you step on the other half."
        )

    def idea(self, position: Walk, move: int, found: Explanation) -> str:
        if found.kind == "end":
            return "Look for a number that leaves them nothing to choose."
        if self._doubles_prime(move, found):
            return f"{self._prime_rule()} Which are they?"
        return (
            "Keep the numbers in pairs: whatever they step on, you need one more step from there."
        )

    def _prime_rule(self) -> str:
        low, high = self.game.size // 4 + 1, self.game.size // 3
        return f"Twice a prime between {low} and {high} always wins here."

    def _doubles_prime(self, move: int, found: Explanation) -> bool:
        """Return whether a move wins because it is twice a prime of the right size."""
        half = move // 2
        return (
            bool(found.landings)
            and self.game.size // 4 < half <= self.game.size // 3
            and move == 2 * half
            and proper_divisors(half) == (1,)
        )

    def praise(self, position: Walk, move: int, found: Explanation) -> str:
        replies = self.game.moves(self.game.after(position, move))
        if len(replies) == 1:
            return f"{move} leaves only {replies[0]}: well spotted."
        if len(replies) <= _MAX_NAMED_REPLIES:
            return f"{move} is right: whether they choose {join_or(replies)}, you have an answer."
        return f"{move} is right: each of the {len(replies)} numbers after it is half of a domino."

    def reason_notes(self, position: Walk, move: int, found: Explanation) -> list[str]:
        if not found.pairs:
            return []
        pairs = ", ".join(f"{low}-{high}" for low, high in map(sorted, found.pairs[:MAX_PAIRS]))
        more = len(found.pairs) - MAX_PAIRS
        return [f"Dominoes: {pairs}" if more <= 0 else f"Dominoes: {pairs}, and {more} more"]

    def winning_comment(self, before: Walk, move: int) -> str:
        return f"You won: {move} left nothing."

    def scene_with_mistake(self, scene: Scene, past: Sequence[Last], at: int, better: int) -> Scene:
        scene = super().scene_with_mistake(scene, past, at, better)
        if not scene.cells:
            return scene
        (before, move), others = past[at], [*past[:at], *past[at + 1 :]]
        marked = (
            _step(before, move)._replace(kind="turned"),
            _step(before, better)._replace(kind="better"),
        )
        return scene._replace(
            links=(*(_step(*last) for last in others[-MAX_DRAWN_ITEMS:]), *marked)
        )

    # What there is to see.

    def moves_by_kind(self, position: Walk) -> dict[str, list[int]]:
        """Return the legal moves as `divisors` and `multiples`, each only if there are any."""
        number, kinds = position.number, dict[str, list[int]]()
        for move in self.game.moves(position):
            kinds.setdefault("divisors" if move < number else "multiples", []).append(move)
        return kinds

    def offers(self, position: Walk) -> tuple[Fact, ...]:
        number = position.number
        return tuple(
            Fact(f"Proper {name} of {number}", join_numbers(numbers, most=40))
            for name, numbers in self.moves_by_kind(position).items()
        )

    def aim(self, position: Walk) -> str:
        """Return what the mover has to do, in a sentence."""
        if self.game.opens_even(position):
            return f"At {position.number}: step to an unused multiple or divisor, an even one."
        return f"At {position.number}: step to an unused multiple or divisor."

    def scene(self, position: Walk, past: Sequence[Last] = ()) -> Scene:
        number, chosen, _ = position
        facts = [
            Fact("Numbers", f"1 to {self.game.size}"),
            Fact("Chosen", join_numbers(sorted(chosen), most=40)),
        ]
        if self.game.opens_even(position):
            facts.append(Fact("Opening", "the first move must go to an even number"))
        cells: tuple[Cell, ...] = ()
        if self.game.size <= MAX_BOARD_CELLS:
            legal = set(self.game.moves(position))
            chosen_by = {last.move: last.before.mover for last in past}
            cells = tuple(
                Cell(n, 0, n in legal, n in chosen, n == number, chosen_by.get(n, 0))
                for n in self.game.actions
            )
        return self.staged(
            position,
            past,
            number=Fact("Current N", str(number)),
            facts=tuple(facts),
            cells=cells,
            aim=self.aim(position),
            links=tuple(_step(*last) for last in past[-MAX_DRAWN_ITEMS:]) if cells else (),
        )

    # The script.

    def welcome(self, position: Walk) -> list[str]:
        return [
            "Welcome to Multiplicity!",
            "",
            f"Available Numbers: 1 to {self.game.size}",
            f"Starting Number (N): {position.number}",
            "",
        ]

    def turn(self, position: Walk) -> list[str]:
        number = position.number
        if not self.game.moves(position):
            choices = ["No valid moves available."]
        elif number == 1 and position.chosen <= {1}:
            kind = "All even numbers" if self.game.opens_even(position) else "All numbers"
            choices = [f"[{kind} from 2 to {self.game.size}]", ""]
        else:
            choices = [
                f"Proper {name} of {number}: [{join_numbers(numbers)}]"
                for name, numbers in self.moves_by_kind(position).items()
            ]
        return [
            f"{seat_name(position.mover)}, it's your turn.",
            f"Current N: {number}",
            "Available numbers to choose from:",
            *choices,
        ]

    def prompt(self, position: Walk) -> str:
        return "Enter your choice: "

    def follow(self, before: Walk, move: int, after: Walk, *, typed: bool = True) -> list[str]:
        return [""]

    def closing(self, position: Walk, outcome: Outcome, *, typed: bool = True) -> list[str]:
        stuck, winner = seat_name(position.mover), seat_name(outcome.winner or 0)
        return [*self.turn(position), f"{stuck} cannot make a valid move. {winner} wins!"]


new_words = WalkWords


def _step(before: Walk, move: int) -> Link:
    """Return a move as a link that is labelled with its factor."""
    number = before.number
    factor = f"× {move // number}" if move > number else f"÷ {number // move}"
    return Link(number, move, "step", before.mover, factor)
