"""The words of Divisor Line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, islice, pairwise

from numduel.core.game import Outcome, other
from numduel.core.numerals import gaps, listed, quoted, ranges
from numduel.core.scene import MARKS, MAX_BOARD_CELLS, MAX_DRAWN, Cell, Fact, Link, LinkKind, Scene
from numduel.core.theory import Explanation
from numduel.core.words import SEATS, Last, Names, Words, seat_name
from numduel.games.divisor_line.rules import DivisorLine, Line, related

_PLAIN_WIDTH = 80

_UNTIL_FORK = 5  # moves to a win in which the first answer to anything is a fork

_GOALS = {
    "pair": "three numbers, one of which divides another",
    "chain": "three numbers, each dividing the next",
}


class LineWords(Words[Line]):
    """As in Divisor Line's document."""

    game: DivisorLine

    def why_not(self, position: Line, move: int) -> str:
        for seat in (1, 2):
            if move in position.owned(seat):
                return f"{move} is occupied by {seat_name(seat)}"
        return f"{quoted(move)} is not on the line from 1 to {self.game.size}"

    def describe(self, position: Line) -> str:
        x, o = (ranges(_singles(position.owned(seat))) or "nothing" for seat in (1, 2))
        return f"X on {x}, O on {o}, {seat_name(position.mover)} to move"

    def summary(self) -> str:
        return f"Claim numbers on a line; win with {_GOALS[self.game.settings.goal]}."

    def told(self, position: Line) -> str:
        mine, theirs = (listed(sorted(held)) or "nothing" for held in position.sides)
        mark, other_mark = MARKS[position.mover], MARKS[other(position.mover)]
        return (
            f"The line goes from 1 to {self.game.size}. You play {mark} and hold {mine}. "
            f"Your opponent plays {other_mark} and holds {theirs}. "
            f"To win, be the first to hold {_GOALS[self.game.settings.goal]}."
        )

    def allowed(self, position: Line) -> str:
        if position.won:
            return "nothing"
        return ranges(gaps(position.crosses | position.noughts, self.game.size))

    def moved(self, before: Line, move: int, after: Line, who: str) -> str:
        return f"{who} claims {move}"

    def result(
        self, position: Line, outcome: Outcome, last: Last | None = None, names: Names = SEATS
    ) -> str:
        return divides_in_words(self.deciding(position, last))

    def deciding(self, position: Line, last: Last | None = None) -> tuple[int, ...]:
        """Return the numbers that decided the game, each dividing the next, with the last move."""
        held = position.owned(other(position.mover))
        found = self.game.relation(held)
        if last is None:
            return found
        beside = [n for n in sorted(held) if n != last.move and related(n, last.move)]
        for others in combinations(beside, len(found) - 1):
            numbers = tuple(sorted((*others, last.move)))
            if all(large % small == 0 for small, large in pairwise(numbers)):
                return numbers
        return found  # of three, the first two were related

    # What the coach says.

    def because(self, position: Line, move: int, found: Explanation) -> str:
        distance = found.verdict.distance
        if found.kind == "end":
            deciding = self.deciding(self.game.after(position, move), Last(position, move))
            return f"{move} wins: {divides_in_words(deciding)}."
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
        if distance == _UNTIL_FORK:
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

    def won(self, before: Line, move: int) -> str:
        deciding = self.deciding(self.game.after(before, move), Last(before, move))
        return f"You won: {divides_in_words(deciding)}."

    # What there is to see.

    def cells(self, position: Line) -> tuple[Cell, ...]:
        """Return each number with its owner."""
        crosses, noughts, _, won = position
        owners = ((n, 1 if n in crosses else 2 if n in noughts else 0) for n in self.game.actions)
        return tuple(Cell(n, owner, legal=not owner and not won) for n, owner in owners)

    def links(self, position: Line, last: Last | None = None) -> Iterator[Link]:
        """Yield what decided the game, the pairs that are held, and those that would win."""
        mover = position.mover
        decisive = set(pairwise(self.deciding(position, last))) if position.won else set()
        for small, large in sorted(decisive):
            yield _link(small, large, "divides", other(mover), decides=True)
        for seat in (1, 2):
            for small, large in combinations(sorted(position.owned(seat)), 2):
                if large % small == 0 and (small, large) not in decisive:
                    yield _link(small, large, "divides", seat)
        if self.game.size <= MAX_DRAWN:
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
                Fact(f"{seat_name(seat)} ({MARKS[seat]})", ",".join(map(str, sorted(owned))))
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
            links=tuple(islice(self.links(position, last), MAX_DRAWN)) if small else (),
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
        return ["", "Number line:", *self.drawn(after), ""]

    def closing(self, position: Line, outcome: Outcome, *, typed: bool = True) -> list[str]:
        winner = seat_name(other(position.mover))
        numbers = ",".join(map(str, sorted(position.owned(other(position.mover)))))
        hail = f"Congratulations, {winner}! You have" if typed else f"{winner} has"
        return [
            f"{winner} has occupied numbers: {numbers}",
            "",
            f"{hail} won the game by occupying numbers with divisor relationships.",
        ]

    def drawn(self, position: Line) -> list[str]:
        """Return the line in columns that never shift; a long one in short."""
        if self.game.size > MAX_BOARD_CELLS:
            return [self._in_short(position)]
        width = max(3, len(str(self.game.size))) + 1
        a_row = _PLAIN_WIDTH // width
        cells = [
            (f"[{MARKS[cell.owner]}]" if cell.owner else str(cell.number)).ljust(width)
            for cell in self.cells(position)
        ]
        rows = (cells[at : at + a_row] for at in range(0, len(cells), a_row))
        return ["".join(row).rstrip() for row in rows]

    def _in_short(self, position: Line) -> str:
        parts = [
            (low, ranges([(low, high)]))
            for low, high in gaps(position.crosses | position.noughts, self.game.size)
        ]
        for seat in (1, 2):
            parts += [(n, f"{n}[{MARKS[seat]}]") for n in position.owned(seat)]
        return " ".join(text for _, text in sorted(parts))


new_words = LineWords


def _link(small: int, large: int, kind: LinkKind, seat: int, *, decides: bool = False) -> Link:
    return Link(small, large, kind, seat, divides_in_words((small, large)), decides)


def divides_in_words(numbers: tuple[int, ...]) -> str:
    """Return numbers in words: `4 divides 8`, or `2 divides 4 and 4 divides 12`."""
    return " and ".join(f"{small} divides {large}" for small, large in pairwise(numbers))


def _singles(numbers: Collection[int]) -> list[tuple[int, int]]:
    return [(number, number) for number in sorted(numbers)]
