"""The screen at a terminal: a board drawn from a Scene, and sentences in colour."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from numduel.core.game import Game, P
from numduel.core.numerals import shorten
from numduel.core.scene import SEAT_MARKS, Cell, Fact, Scene, Track
from numduel.core.words import SEATS, YOU, Last
from numduel.play.setup import GivenNames
from numduel.play.table import Ending
from numduel.terminal.screen import SIGNS, Screen, called, page, titled
from numduel.terminal.streams import spelled

VERDICTS = {"win": "green", "draw": "yellow", "endless": "yellow", "loss": "red"}
SEAT_STYLES = {1: "bold cyan", 2: "bold magenta"}
_OTHER_LINES = 10  # of the screen, beside the board
_INDENT = 5
_MORE = "… "  # at the end of a number line that goes on
_MIN_NUMBERS = 4  # of a number line, beside the goal
_BEHIND = 2  # numbers of a number line before the one now
_MAX_LINES = 2  # of a fact; the middle of a longer one is left out


class BoardScreen(Screen):
    """A board that fits the width of the terminal, in colour unless NO_COLOR is set.

    It is drawn in place, unless earlier turns are to scroll away above it.
    """

    def __init__(self, console: Console | None = None, scroll: bool = False) -> None:
        self.console = console or Console(highlight=False)
        self.scroll = scroll

    @property
    def width(self) -> int:
        return self.console.width

    # Words.

    def say(self, lines: Iterable[str]) -> None:
        for line in lines:
            text = Text(spelled(line))
            for name, style in zip(self.names, SEAT_STYLES.values(), strict=True):
                text.highlight_regex(rf"(?<!\w){re.escape(name)}(?!\w)", style)
            self.console.print(text)

    def verdict(self, value: str, line: str) -> None:
        self._hang(Text(spelled(f"{SIGNS[value]} {line}"), VERDICTS[value]))

    @contextmanager
    def paged(self) -> Iterator[None]:
        with self.console.capture() as captured:
            yield
        page(captured.get())

    def cells(self, cells: tuple[Cell, ...]) -> bool:
        return self._board(Scene("", cells=cells))

    # A game.

    def seat(self, people: GivenNames, computers: GivenNames) -> None:
        self.names = called(people, computers)

    def welcome(self, game: Game[P], position: P, asked: bool = True) -> None:
        if asked:
            self.say([f"{titled(game, changed=True)}. Type help to see what can be typed.", ""])

    def turn(
        self, game: Game[P], position: P, past: Sequence[Last] = (), asked: bool = True
    ) -> None:
        if asked:  # a computer's move is told in a sentence, and the next turn draws the board
            name = self.names[position.mover - 1]
            heading = "Your turn" if name == YOU else f"{name}'s turn"
            self.draw(game.title, heading, game.words.scene(position, past), position.mover)

    def decided(self) -> None:
        if not self.scroll:
            self.console.clear()

    def ask_move(self, game: Game[P], position: P, alone: bool = False) -> str:
        keys = [str(choice.move) for choice in game.words.scene(position).choices]
        by_key = all(len(key) == 1 for key in keys)
        prompt = "Your move: " if alone else f"{self.names[position.mover - 1]}, your move: "
        return self.ask(prompt, keys if by_key else ())

    def chosen(self, game: Game[P], position: P, move: int) -> None:
        """Print nothing: `moved` names the player."""

    def moved(self, game: Game[P], before: P, move: int, after: P, typed: bool) -> None:
        who = self.names[before.mover - 1]
        line = f"{game.words.moved(before, move, after, who)}."
        self.say([line, ""])

    def goes_on(self, game: Game[P], position: P) -> None:
        """Print nothing: the next turn draws the board."""

    def closed(self, game: Game[P], end: Ending, past: Sequence[Last], typed: bool) -> None:
        if end.ruled and end.outcome.winner is not None:
            self._board(game.words.scene(end.position, past))
        self.say([end.sentence(game, self.names)])

    # Any Scene.

    def draw(self, title: str, heading: str, scene: Scene, mover: int) -> None:
        """Draw a Scene of any game."""
        style = SEAT_STYLES[mover]
        named = Text.assemble(title, ": ", (spelled(heading), style))
        self.console.rule(named, align="left", style=style)
        facts = (scene.number, *scene.facts) if scene.number else scene.facts
        for line in self._facts(facts):
            self.console.print(line)
        self._number_line(scene)
        drawn = self._board(scene)
        if drawn:
            self._legend(scene.cells, scene.last)
        self._choices(scene)
        unclear = any(not (c.legal or c.owner or c.chosen or c.current) for c in scene.cells)
        if not scene.choices and (unclear or not drawn):
            for label, value in scene.offers:
                told = self._shortened(value)
                self.console.print(_assembled((f"{label}: ", "dim"), (told, "bold green")))

    def _choices(self, scene: Scene) -> None:
        width = max((len(choice.label) for choice in scene.choices), default=0)
        for move, label, gives, ends in scene.choices:
            end = f": {ends}" if ends else ""
            if label == str(move):  # a move that has no other name
                parts = [(f"  {move}", "bold")]
            elif gives:
                parts = [(f"  {move}. ", "bold"), (label.ljust(width), "")]
                parts.append((f" → {gives}", "bold green"))
            else:
                parts = [(f"  {move}. ", "bold"), (label, "")]
            self._hang(_assembled(*parts, (end, "bold yellow")))

    def _hang(self, text: Text) -> None:
        """Print a line. If it is broken, the rest is indented."""
        for count, part in enumerate(text.wrap(self.console, max(1, self.width - _INDENT))):
            part.rstrip()
            self.console.print(Text(" " * _INDENT if count else "").append_text(part))

    def _facts(self, facts: tuple[Fact, ...]) -> list[Text]:
        """Return the facts in as few lines as possible, none of them broken."""
        lines: list[Text] = []
        for label, value in facts:
            for seat, name in zip(SEATS, self.names, strict=True):
                label = label.replace(seat, name)
            text = _assembled((f"{label}: ", "dim"), (self._shortened(value) or "-", "bold"))
            if lines and len(lines[-1]) + 3 + len(text) <= self.width:
                lines[-1].append("   ").append_text(text)
            else:
                lines.append(text)
        return lines

    def _shortened(self, line: str) -> str:
        """Return the line, without its middle if it is too long."""
        kept = self.width * _MAX_LINES // 2
        if len(line) <= 2 * kept:
            return line
        head, tail = line[:kept].rstrip("0123456789"), line[-kept:].lstrip("0123456789")
        return f"{head}…{tail}"  # no number is cut in two

    def _number_line(self, scene: Scene) -> None:
        """Draw a track or a dial as a line of numbers around the one now."""
        if scene.track is not None:
            track = scene.track
        elif scene.dial is not None:
            dial = scene.dial
            track = Track(0, dial.size - 1, dial.at, 0, dial.steps, dial.choices)
        else:
            return
        width = len(shorten(track.high)) + 2
        fitting = self.width // width
        if track.high - track.low >= fitting:
            fitting = (self.width - 2 * len(_MORE)) // width - 1  # beside the goal
            if fitting < _MIN_NUMBERS:
                return
        numbers = track.window(fitting, _BEHIND)
        goal = _line_number(track.goal, track, width)
        line = Text()
        if track.goal < numbers[0]:
            line.append_text(goal)
        if numbers[0] > track.low:
            line.append(spelled(_MORE), "dim")
        for number in numbers:
            line.append_text(_line_number(number, track, width))
        if numbers[-1] < track.high:
            line.append(spelled(_MORE), "dim")
        if track.goal > numbers[-1]:
            line.append_text(goal)
        line.rstrip()
        self.console.print(line)

    def _board(self, scene: Scene) -> bool:
        """Draw the cells in columns that never shift. Return False if they do not fit."""
        cells = scene.cells
        if not cells:
            return False
        width = len(str(cells[-1].number)) + 2
        fitting = max(1, self.width // width)
        most_rows = max(8, self.console.height - _OTHER_LINES)
        sizes = (_columns(fitting), fitting)
        a_row = next((size for size in sizes if len(cells) <= size * most_rows), 0)
        if not a_row:
            return False
        for at in range(0, len(cells), a_row):
            drawn = (_cell(cell, width, scene.last) for cell in cells[at : at + a_row])
            self.console.print(Text("").join(drawn))
        return True

    def _legend(self, cells: tuple[Cell, ...], last: int | None) -> None:
        """Say what the marks on the board mean, those that are there."""
        one, two = self.names
        now = next((cell.number for cell in cells if cell.current), 0)
        owner = next((cell.owner for cell in cells if cell.number == last), 0)
        marks = {
            f"[{now}] the number now": now,
            f"({SEAT_MARKS.get(owner)}) the last move": owner,
            f"x {one}": any(cell.by == 1 and not cell.current for cell in cells),
            f"o {two}": any(cell.by == 2 and not cell.current for cell in cells),
            "· used": any(cell.chosen and not (cell.by or cell.current) for cell in cells),
        }
        told = "   ".join(mark for mark, is_there in marks.items() if is_there)
        if told:
            self._hang(_assembled((told, "dim")))


def _columns(fitting: int) -> int:
    """Return the number of cells in a row: tens if they fit, so that columns share a digit."""
    if fitting >= 10:
        return fitting // 10 * 10
    return next(count for count in (5, 2, 1) if count <= max(1, fitting))


def _assembled(*parts: tuple[str, str]) -> Text:
    return Text.assemble(*((spelled(text), style) for text, style in parts))


def _cell(cell: Cell, width: int, last: int | None) -> Text:
    if cell.owner:
        left, right = "()" if cell.number == last else "[]"
        return Text(f"{left}{SEAT_MARKS[cell.owner]}{right}".rjust(width), SEAT_STYLES[cell.owner])
    if cell.current:
        return Text(f"[{cell.number}]".rjust(width), "bold yellow")
    if cell.chosen:
        number, style = spelled("·"), "dim"
        if cell.by:
            number, style = SEAT_MARKS[cell.by].lower(), SEAT_STYLES[cell.by]
    else:
        number, style = str(cell.number), "bold green" if cell.legal else "dim"
    return Text.assemble(" " * (width - 1 - len(number)), (number, style), " ")


def _line_number(number: int, track: Track, width: int) -> Text:
    """Return a number of a number line, in the style of what it is."""
    if number == track.at:
        return Text(f"[{number}]".rjust(width), "bold yellow")
    came = [step.seat for step in track.steps if step.end == number]
    style = "bold" if number == track.goal else SEAT_STYLES[came[-1]] if came else "dim"
    if any(step.end == number for step in track.choices):
        style = "bold green"
    return Text.assemble(" " * (width - 1 - len(str(number))), (str(number), style), " ")
