"""What a person sees at a terminal: the same words in colour, and a board drawn from a Scene."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from numduel.core.game import Game, P
from numduel.core.record import Record
from numduel.core.scene import MARKS, Cell, Fact, Scene
from numduel.terminal.screen import SIGNS, Screen

VERDICTS = {"win": "green", "draw": "yellow", "endless": "yellow", "loss": "red"}
SEATS = {1: "bold cyan", 2: "bold magenta"}
_ROWS = (100, 50, 25, 20, 10, 5, 2, 1)  # how many cells a row may have
_AROUND = 12  # lines of the screen that are not for the board
_MOST_LINES = 2  # what is longer is shown without its middle
_ANSWER = 4  # columns of a prompt's last line that are left for what is typed


class ColourScreen(Screen):
    """Colour, and a board worth looking at, however wide the terminal is."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False)

    @property
    def width(self) -> int:
        return self.console.width

    def say(self, lines: Iterable[str]) -> None:
        for line in lines:
            text = Text(line)
            for seat, style in SEATS.items():
                text.highlight_regex(rf"Player {seat}\b", style)
            text.highlight_regex(
                r"(wins\b.*|won the game\b.*|champion\b.*|Congratulations)", "bold"
            )
            self.console.print(text)

    def verdict(self, value: str, line: str) -> None:
        self.console.print(Text(f"{SIGNS[value]} {line}", VERDICTS[value]))

    def ask(self, prompt: str) -> str:
        """What the person typed; a prompt that is too wide is broken between words."""
        *lines, last = textwrap.wrap(prompt, max(10, self.width - _ANSWER)) or [""]
        self.say(lines)
        return super().ask(f"{last} ")

    def turn(self, game: Game[P], position: P) -> None:
        self.draw(game.title, game.words.scene(position), position.mover)

    def chosen(self, game: Game[P], position: P, who: str, move: int) -> None:
        self.say([f"Player {position.mover} ({who}) chooses {move}."])

    def moved(self, game: Game[P], before: P, move: int, after: P) -> None:
        cells = game.words.scene(after).cells
        if not cells:
            lines = game.words.follow(before, move, after)
            kept = [line for line in lines if line.strip("-") or not line]  # a rule follows
            self.say(map(self._shortened, kept))
        elif game.outcome(after) is None:
            self.console.print()  # the next turn draws the board
        else:
            self._board(cells)

    def recap(self, game: Game[P], record: Record) -> None:
        """Nothing: each turn draws the whole board."""

    def draw(self, title: str, scene: Scene, mover: int) -> None:
        """Any Scene of any game."""
        console = self.console
        console.rule(
            Text.assemble(title, ": ", (scene.sentence, SEATS[mover])),
            align="left",
            style=SEATS[mover],
        )
        facts = (scene.number, *scene.facts) if scene.number else scene.facts
        for line in self._facts(facts):
            console.print(line)
        drawn = self._board(scene.cells)
        width = max((len(choice.label) for choice in scene.choices), default=0)
        for move, label, gives, _ends in scene.choices:
            result = Text(f" → {gives}", "bold green") if gives else Text()
            console.print(Text.assemble((f"  {move}. ", "bold"), label.ljust(width), result))
        unclear = any(not (c.legal or c.owner or c.chosen or c.current) for c in scene.cells)
        if not scene.choices and (unclear or not drawn):
            for label, value in scene.offers:
                console.print(Text.assemble((f"{label}: ", "dim"), (value, "bold green")))

    def _facts(self, facts: tuple[Fact, ...]) -> list[Text]:
        """The facts in as few lines as have room for them, none of them torn apart."""
        lines: list[Text] = []
        for label, value in facts:
            text = Text.assemble((f"{label}: ", "dim"), (self._shortened(value) or "-", "bold"))
            if lines and len(lines[-1]) + 3 + len(text) <= self.width:
                lines[-1].append("   ").append_text(text)
            else:
                lines.append(text)
        return lines

    def _shortened(self, line: str) -> str:
        """The line, without its middle where it would flood the screen."""
        kept = self.width * _MOST_LINES // 2
        if len(line) <= 2 * kept:
            return line
        head, tail = line[:kept].rstrip("0123456789"), line[-kept:].lstrip("0123456789")
        return f"{head}…{tail}"  # no number is cut in two

    def _board(self, cells: tuple[Cell, ...]) -> bool:
        """Draw the cells in aligned columns, if they fit the screen."""
        if not cells:
            return False
        width = len(str(cells[-1].number)) + 2
        fitting = max(1, self.console.width // width)
        a_row = next(count for count in _ROWS if count <= fitting)
        rows = range(0, len(cells), a_row)
        if len(rows) > max(8, self.console.height - _AROUND):
            return False
        for at in rows:
            self.console.print(Text("").join(_cell(cell, width) for cell in cells[at : at + a_row]))
        return True


def _cell(cell: Cell, width: int) -> Text:
    if cell.owner:
        return Text(f"[{MARKS[cell.owner]}]".rjust(width), SEATS[cell.owner])
    if cell.current:
        return Text(f"[{cell.number}]".rjust(width), "bold yellow")
    style = "dim strike" if cell.chosen else "bold green" if cell.legal else "dim"
    number = str(cell.number)
    return Text.assemble(" " * (width - 1 - len(number)), (number, style), " ")
