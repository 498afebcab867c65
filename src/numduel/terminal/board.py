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
from numduel.terminal.screen import SIGNS, Screen, names_of, print_paged, title_of
from numduel.terminal.streams import as_printed, can_bind_keys

VERDICTS = {"win": "green", "draw": "yellow", "endless": "yellow", "loss": "red"}
SEAT_STYLES = {1: "bold cyan", 2: "bold magenta"}

_LINES_BESIDE_BOARD = 10
_INDENT_COLUMNS = 5  # of the second part of a line that is broken
_MAX_FACT_LINES = 2  # the middle of a longer fact is left out
_MORE = "… "  # at an end of a number line that goes on
_MIN_NUMBERS = 4  # on a number line, beside the goal
_NUMBERS_BEHIND = 2  # on a number line, before the current number


class BoardScreen(Screen):
    """A board that fits the width of the terminal, in colour unless NO_COLOR is set."""

    def __init__(self, console: Console | None = None, scroll: bool = False) -> None:
        """With `scroll`, earlier turns stay above the board; otherwise it is drawn in place."""
        self.console = console or Console(highlight=False)
        self.scroll = scroll

    @property
    def width(self) -> int:
        return self.console.width

    # Words.

    def say(self, lines: Iterable[str]) -> None:
        for line in lines:
            text = Text(as_printed(line))
            for name, style in zip(self.names, SEAT_STYLES.values(), strict=True):
                text.highlight_regex(rf"(?<!\w){re.escape(name)}(?!\w)", style)
            self.console.print(text)

    def say_verdict(self, value: str, line: str) -> None:
        self._print_indented(Text(as_printed(f"{SIGNS[value]} {line}"), VERDICTS[value]))

    @contextmanager
    def paged(self) -> Iterator[None]:
        with self.console.capture() as captured:
            yield
        print_paged(captured.get())

    # A game.

    def set_players(self, people: GivenNames, computers: GivenNames) -> None:
        self.names = names_of(people, computers)

    def show_welcome(self, game: Game[P], position: P, asked: bool = True) -> None:
        if asked:
            self.say([f"{title_of(game, changed=True)}. Type help to see what can be typed.", ""])

    def show_turn(
        self, game: Game[P], position: P, past: Sequence[Last] = (), asked: bool = True
    ) -> None:
        if asked:  # a sentence tells the move of a computer, and the next turn draws the board
            name = self.names[position.mover - 1]
            heading = "Your turn" if name == YOU else f"{name}'s turn"
            self.draw(game.title, heading, game.words.scene(position, past), position.mover)

    def clear(self) -> None:
        if not self.scroll:
            self.console.clear()

    def move_keys(self, game: Game[P], position: P) -> list[str]:
        keys = [str(choice.move) for choice in game.words.scene(position).choices]
        return keys if all(len(key) == 1 for key in keys) and can_bind_keys() else []

    def ask_move(self, game: Game[P], position: P, alone: bool = False) -> str:
        prompt = "Your move: " if alone else f"{self.names[position.mover - 1]}, your move: "
        return self.ask(prompt, self.move_keys(game, position))

    def show_choice(self, game: Game[P], position: P, move: int) -> None:
        """Print nothing: `show_move` names the player."""

    def show_move(self, game: Game[P], before: P, move: int, after: P, typed: bool) -> None:
        who = self.names[before.mover - 1]
        line = f"{game.words.moved(before, move, after, who)}."
        self.say([line, ""])

    def show_continuation(self, game: Game[P], position: P) -> None:
        """Print nothing: the next turn draws the board."""

    def show_end(self, game: Game[P], end: Ending, past: Sequence[Last], typed: bool) -> None:
        if end.ruled and end.outcome.winner is not None:
            scene = game.words.scene(end.position, past)
            self.draw_cells(scene.cells, scene.last)
        self.say([end.sentence(game, self.names)])

    # Any Scene.

    def draw(self, title: str, heading: str, scene: Scene, mover: int) -> None:
        """Draw a Scene of any game."""
        style = SEAT_STYLES[mover]
        named = Text.assemble(title, ": ", (as_printed(heading), style))
        self.console.rule(named, align="left", style=style)
        facts = (scene.number, *scene.facts) if scene.number else scene.facts
        for line in self._fact_lines(facts):
            self.console.print(line)
        self._draw_number_line(scene)
        drawn = self.draw_cells(scene.cells, scene.last)
        if drawn:
            self._print_legend(scene.cells, scene.last)
        self._print_choices(scene)
        unclear = any(not (c.legal or c.owner or c.chosen or c.current) for c in scene.cells)
        if not scene.choices and (unclear or not drawn):
            for label, value in scene.offers:
                text = self._shortened(value)
                self.console.print(_assembled((f"{label}: ", "dim"), (text, "bold green")))

    def _print_choices(self, scene: Scene) -> None:
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
            self._print_indented(_assembled(*parts, (end, "bold yellow")))

    def _print_indented(self, text: Text) -> None:
        """Print a line. If it is broken, the rest is indented."""
        parts = text.wrap(self.console, max(1, self.width - _INDENT_COLUMNS))
        for count, part in enumerate(parts):
            part.rstrip()
            self.console.print(Text(" " * _INDENT_COLUMNS if count else "").append_text(part))

    def _fact_lines(self, facts: tuple[Fact, ...]) -> list[Text]:
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
        kept = self.width * _MAX_FACT_LINES // 2
        if len(line) <= 2 * kept:
            return line
        head, tail = line[:kept].rstrip("0123456789"), line[-kept:].lstrip("0123456789")
        return f"{head}…{tail}"  # no number is cut in two

    def _draw_number_line(self, scene: Scene) -> None:
        """Draw a track or a dial as a line of numbers around the current one."""
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
        numbers = track.window(fitting, _NUMBERS_BEHIND)
        goal = _number_on_line(track.goal, track, width)
        line = Text()
        if track.goal < numbers[0]:
            line.append_text(goal)
        if numbers[0] > track.low:
            line.append(as_printed(_MORE), "dim")
        for number in numbers:
            line.append_text(_number_on_line(number, track, width))
        if numbers[-1] < track.high:
            line.append(as_printed(_MORE), "dim")
        if track.goal > numbers[-1]:
            line.append_text(goal)
        line.rstrip()
        self.console.print(line)

    def draw_cells(self, cells: tuple[Cell, ...], last: int | None = None) -> bool:
        """Draw the cells in columns that never shift. Return False if they do not fit.

        `last` is the number of the last move, which has a mark of its own.
        """
        if not cells:
            return False
        width = len(str(cells[-1].number)) + 2
        fitting = max(1, self.width // width)
        max_rows = max(8, self.console.height - _LINES_BESIDE_BOARD)
        sizes = (_round_row_size(fitting), fitting)
        row_size = next((size for size in sizes if len(cells) <= size * max_rows), 0)
        if not row_size:
            return False
        for at in range(0, len(cells), row_size):
            row = (_cell(cell, width, last) for cell in cells[at : at + row_size])
            self.console.print(Text("").join(row))
        return True

    def _print_legend(self, cells: tuple[Cell, ...], last: int | None) -> None:
        """Print the meaning of the marks that are on the board."""
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
        legend = "   ".join(mark for mark, is_there in marks.items() if is_there)
        if legend:
            self._print_indented(_assembled((legend, "dim")))


def _round_row_size(fitting: int) -> int:
    """Return the number of cells in a row: tens if ten fit, so that columns share a digit."""
    if fitting >= 10:
        return fitting // 10 * 10
    return next(count for count in (5, 2, 1) if count <= max(1, fitting))


def _assembled(*parts: tuple[str, str]) -> Text:
    return Text.assemble(*((as_printed(text), style) for text, style in parts))


def _cell(cell: Cell, width: int, last: int | None) -> Text:
    if cell.owner:
        left, right = "()" if cell.number == last else "[]"
        return Text(f"{left}{SEAT_MARKS[cell.owner]}{right}".rjust(width), SEAT_STYLES[cell.owner])
    if cell.current:
        return Text(f"[{cell.number}]".rjust(width), "bold yellow")
    if cell.chosen:
        number, style = as_printed("·"), "dim"
        if cell.by:
            number, style = SEAT_MARKS[cell.by].lower(), SEAT_STYLES[cell.by]
    else:
        number, style = str(cell.number), "bold green" if cell.legal else "dim"
    return Text.assemble(" " * (width - 1 - len(number)), (number, style), " ")


def _number_on_line(number: int, track: Track, width: int) -> Text:
    """Return a number of a number line in its style."""
    if number == track.at:
        return Text(f"[{number}]".rjust(width), "bold yellow")
    came = [step.seat for step in track.steps if step.end == number]
    style = "bold" if number == track.goal else SEAT_STYLES[came[-1]] if came else "dim"
    if any(step.end == number for step in track.choices):
        style = "bold green"
    return Text.assemble(" " * (width - 1 - len(str(number))), (str(number), style), " ")
