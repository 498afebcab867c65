"""The sentences of Divisor Line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, pairwise

from numduel.core.game import Outcome, other
from numduel.core.numerals import format_ranges, gaps, join_numbers, quoted
from numduel.core.scene import (
    MAX_BOARD_CELLS,
    MAX_DRAWN_ITEMS,
    SEAT_MARKS,
    Cell,
    Fact,
    Link,
    LinkKind,
    Scene,
)
from numduel.core.theory import Explanation
from numduel.core.words import SEATS, Last, Names, Words, seat_name
from numduel.games.divisor_line.rules import DivisorLine, Line, related

_MAX_ROW_LENGTH = 80  # characters

_FORK_DISTANCE = 5  # the distance of a win whose next move is a fork

_GOALS = {
    "pair": "three numbers, one of which divides another",
    "chain": "three numbers, each dividing the next",
}


class LineWords(Words[Line]):
    game: DivisorLine

    def why_not(self, position: Line, move: int) -> str:
        for seat in (1, 2):
            if move in position.owned(seat):
                return f"{move} is occupied by {seat_name(seat)}"
        return f"{quoted(move)} is not on the line from 1 to {self.game.size}"

    def describe(self, position: Line) -> str:
        sides = (sorted(held) for held in (position.crosses, position.noughts))
        x, o = (format_ranges([(n, n) for n in numbers]) or "nothing" for numbers in sides)
        return f"X on {x}, O on {o}, {seat_name(position.mover)} to move"

    def summary(self) -> str:
        return f"Claim numbers on a line; win with {_GOALS[self.game.settings.goal]}."

    def position_text(self, position: Line) -> str:
        mine, theirs = (join_numbers(sorted(held)) or "nothing" for held in position.sides)
        mark, other_mark = SEAT_MARKS[position.mover], SEAT_MARKS[other(position.mover)]
        return (
            f"The line goes from 1 to {self.game.size}. You play {mark} and hold {mine}. "
            f"Your opponent plays {other_mark} and holds {theirs}. "
            f"To win, be the first to hold {_GOALS[self.game.settings.goal]}."
        )

    def allowed(self, position: Line) -> str:
        if position.won:
            return "nothing"
        return format_ranges(gaps(position.crosses | position.noughts, self.game.size))

    def moved(self, before: Line, move: int, after: Line, who: str) -> str:
        return f"{who} claims {move}"

    def result(
        self, position: Line, outcome: Outcome, last: Last | None = None, names: Names = SEATS
    ) -> str:
        return relation_sentence(self.deciding_numbers(position, last))

    def deciding_numbers(self, position: Line, last: Last | None = None) -> tuple[int, ...]:
        """Return the numbers that decided the game, each dividing the next.

        The last move is among them, unless the third number of a pair won.
        """
        held = position.owned(other(position.mover))
        relation = self.game.relation(held)
        if last is None:
            return relation
        related_to_last = [n for n in sorted(held) if n != last.move and related(n, last.move)]
        for others in combinations(related_to_last, len(relation) - 1):
            numbers = tuple(sorted((*others, last.move)))
            if all(large % small == 0 for small, large in pairwise(numbers)):
                return numbers
        return relation  # the first two of three numbers, which were related

    # What the coach says.

    def because(self, position: Line, move: int, found: Explanation) -> str:
        distance = found.verdict.distance
        if found.kind == "end":
            numbers = self.deciding_numbers(self.game.after(position, move), Last(position, move))
            return f"{move} wins: {relation_sentence(numbers)}."
        if found.kind == "answer" and distance == 2:
            return f"{move} lets them claim {found.moves[0]} and win."
        if found.kind == "answer":
            return f"{move} is too slow: they can claim {found.moves[0]} and be first."
        if found.kind == "fork":
            one, two = found.moves
            return f"{move} makes a fork: {one} and {two} both win, and they can stop only one."
        if found.kind == "block":
            return f"They needed {move}: without it they are too late."
        if found.kind == "threat":
            return f"{move} threatens {found.moves[0]}: they must take it, and you still win."
        if distance == _FORK_DISTANCE:
            return f"Whatever they claim after {move}, you make a fork next: two numbers that win."
        return (
            f"After {move} you win {self.in_moves(distance, whatever=True)}, whatever they claim."
        )

    def idea(self, position: Line, move: int, found: Explanation) -> str:
        return {
            "end": "Look at what you hold: one more number wins. Which?",
            "fork": "Make a fork: two numbers that both win, so that they can stop only one.",
            "block": "Look at what they hold: which number must they not get?",
            "threat": "Make a threat, so that they have to answer it.",
        }.get(found.kind, "Take a number that divides many others, or that many others divide.")

    def winning_comment(self, before: Line, move: int) -> str:
        numbers = self.deciding_numbers(self.game.after(before, move), Last(before, move))
        return f"You won: {relation_sentence(numbers)}."

    # What there is to see.

    def cells(self, position: Line) -> tuple[Cell, ...]:
        """Return a cell for each number, with its owner."""
        crosses, noughts, _, won = position
        owners = ((n, 1 if n in crosses else 2 if n in noughts else 0) for n in self.game.actions)
        return tuple(Cell(n, owner, legal=not owner and not won) for n, owner in owners)

    def links(self, position: Line, last: Last | None = None) -> Iterator[Link]:
        """Yield links for the relation that decided the game, all that are held, and threats."""
        mover = position.mover
        decisive = set(pairwise(self.deciding_numbers(position, last))) if position.won else set()
        for small, large in sorted(decisive):
            yield _link(small, large, "divides", other(mover), decides=True)
        for seat in (1, 2):
            for small, large in combinations(sorted(position.owned(seat)), 2):
                if large % small == 0 and (small, large) not in decisive:
                    yield _link(small, large, "divides", seat)
        if self.game.size <= MAX_DRAWN_ITEMS:
            held = position.owned(mover)
            for move in self.game.moves(position):
                numbers = self.game.relation(held | {move})
                for small, large in pairwise(numbers):
                    if move in (small, large):
                        yield _link(small, large, "threat", mover)

    def scene(self, position: Line, past: Sequence[Last] = ()) -> Scene:
        facts = (
            Fact("Number line", f"1 to {self.game.size}"),
            Fact("Goal", _GOALS[self.game.settings.goal]),
            *(
                Fact(f"{seat_name(seat)} ({SEAT_MARKS[seat]})", ",".join(map(str, sorted(owned))))
                for seat, owned in ((1, position.crosses), (2, position.noughts))
            ),
        )
        small = self.game.size <= MAX_BOARD_CELLS
        last = past[-1] if past else None
        return self.staged(
            position,
            past,
            facts=facts,
            cells=self.cells(position) if small else (),
            line=True,
            aim=f"Hold {_GOALS[self.game.settings.goal]}.",
            links=tuple(islice(self.links(position, last), MAX_DRAWN_ITEMS)) if small else (),
            needed=3,
        )

    # The script.

    def welcome(self, position: Line) -> list[str]:
        if self.game.settings.goal == "pair":
            return []
        return ["Goal: a chain of three, each dividing the next.", ""]

    def turn(self, position: Line) -> list[str]:
        allowed = self.allowed(position)
        return [f"{seat_name(position.mover)}'s turn. Available numbers: {allowed}"]

    def prompt(self, position: Line) -> str:
        return "Enter a number to occupy: "

    def follow(self, before: Line, move: int, after: Line, *, typed: bool = True) -> list[str]:
        return ["", "Number line:", *self.line_rows(after), ""]

    def closing(self, position: Line, outcome: Outcome, *, typed: bool = True) -> list[str]:
        winner = seat_name(other(position.mover))
        numbers = ",".join(map(str, sorted(position.owned(other(position.mover)))))
        hail = f"Congratulations, {winner}! You have" if typed else f"{winner} has"
        return [
            f"{winner} has occupied numbers: {numbers}",
            "",
            f"{hail} won the game by occupying numbers with divisor relationships.",
        ]

    def line_rows(self, position: Line) -> list[str]:
        """Return the line in rows of text, or a summary in one row if the line is long."""
        if self.game.size > MAX_BOARD_CELLS:
            return [self._short_row(position)]
        width = max(3, len(str(self.game.size))) + 1
        columns = _MAX_ROW_LENGTH // width
        cells = [
            (f"[{SEAT_MARKS[cell.owner]}]" if cell.owner else str(cell.number)).ljust(width)
            for cell in self.cells(position)
        ]
        rows = (cells[at : at + columns] for at in range(0, len(cells), columns))
        return ["".join(row).rstrip() for row in rows]

    def _short_row(self, position: Line) -> str:
        """Return the free numbers as ranges, and each claimed number with its mark."""
        parts = [
            (low, format_ranges([(low, high)]))
            for low, high in gaps(position.crosses | position.noughts, self.game.size)
        ]
        for seat in (1, 2):
            parts += [(n, f"{n}[{SEAT_MARKS[seat]}]") for n in position.owned(seat)]
        return " ".join(text for _, text in sorted(parts))


new_words = LineWords


def _link(small: int, large: int, kind: LinkKind, seat: int, *, decides: bool = False) -> Link:
    return Link(small, large, kind, seat, relation_sentence((small, large)), decides)


def relation_sentence(numbers: tuple[int, ...]) -> str:
    """Return how numbers are related: `4 divides 8`, or `2 divides 4 and 4 divides 12`."""
    return " and ".join(f"{small} divides {large}" for small, large in pairwise(numbers))
