"""A person at the prompt: what they type, until it decides something."""

from __future__ import annotations

from collections.abc import Iterable

from numduel.core.numerals import quoted, ranges, runs
from numduel.play.coach import advice
from numduel.play.event import Event, Move, Resign, Swap, Undo
from numduel.play.match import Match
from numduel.terminal.command import command
from numduel.terminal.options import did_you_mean
from numduel.terminal.screen import Screen, rules_of

HELP = {
    "hint": "ask the coach for the best move, and why",
    "moves": "list every move that can be made",
    "undo": "take back your last move (and the answer to it)",
    "rules": "read the rules of this game",
    "save": "say how to go on later (each move is saved as made)",
    "resign": "give this game up",
    "quit": "leave; the game is saved (q)",
    "help": "show this (h, ?)",
}
"""What can be typed at any prompt beside a move."""

SHORT = {"?": "help", "h": "help", "q": "quit"}


class Left(Exception):
    """The person leaves the match."""


class Asking:
    """Asks the person whose turn it is in a saved match."""

    def __init__(self, ident: int, match: Match, screen: Screen) -> None:
        self.ident = ident
        self.match = match
        self.screen = screen

    def decision(self) -> Event:
        """What the person decides; Left where they leave."""
        while True:
            typed = self._asked().strip()
            word = SHORT.get(typed.lower(), typed.lower())
            event = self._command(word) if word in HELP else self._answer(typed)
            if event is not None:
                return event

    def swap_question(self) -> str:
        """What the second player is asked after the first move."""
        mover = self.match.table.position.mover
        return f"{self.screen.names[mover - 1]}, do you take over the first move? (yes or no): "

    def resume_line(self) -> str:
        """How to go on later."""
        return f"Game {self.ident} is saved. Go on with: {command(f'resume {self.ident}')}"

    def _asked(self) -> str:
        table = self.match.table
        if table.swap_open:
            return self.screen.ask(self.swap_question())
        return self.screen.ask_move(table.game, table.position)

    def _answer(self, typed: str) -> Event | None:
        """What somebody decides who types no command; None, and a line said, where nothing."""
        table = self.match.table
        game, position, words = table.game, table.position, table.game.words
        if table.swap_open:
            taken = yes_or_no(typed)
            if taken is None:
                self._refuse(typed, "yes or no", ("yes", "no"))
            return None if taken is None else Swap(taken)
        move = words.read_move(position, typed)
        if move is None:
            labels = [choice.label.lower() for choice in words.scene(position).choices]
            self._refuse(typed, words.allowed(position), labels)
        elif game.allows(position, move):
            return Move(move)
        else:
            why, allowed = words.why_not(position, move), words.allowed(position)
            self.screen.say([f"{why}: type {allowed}, or help."])
        return None

    def _refuse(self, typed: str, choices: str, words: Iterable[str]) -> None:
        got = quoted(typed) if typed else "An empty line"
        meant = did_you_mean(typed, [*HELP, *words])
        answer = f"{meant} Type" if meant else "Type"
        self.screen.say([f"{got} is not a choice. {answer} {choices}, or help."])

    def _command(self, word: str) -> Event | None:
        """What a command decides; None where it only says something."""
        if word == "quit":
            raise Left
        if word == "undo":
            return self._undo()
        if word == "resign":
            return self._resign()
        if word == "moves":
            self._moves()
        elif word == "hint":
            self.screen.say([advice(self.match.turn(), self.match.table.swap_open)])
        elif word == "save":
            self.screen.say([self.resume_line()])
        elif word == "rules":
            self.screen.say([""])
            self.screen.prose(rules_of(self.match.table.game))
        else:
            self._help()
        return None

    def _undo(self) -> Event | None:
        count = self.match.undo_count()
        if not count:
            self.screen.say(["There is nothing to undo yet."])
        return Undo(count) if count else None

    def _resign(self) -> Event | None:
        if yes_or_no(self.screen.ask("Give this game up? (yes or no): ")):
            return Resign(self.match.table.position.mover)
        self.screen.say(["Then it goes on."])
        return None

    def _moves(self) -> None:
        """Every legal move, however many."""
        table = self.match.table
        choices = table.game.words.scene(table.position).choices
        with self.screen.paged():
            for choice in choices:
                label = table.game.words.move_label(table.position, choice.move)
                self.screen.entry(f"  {choice.move}. {label}")
            if not choices:
                spans = runs(table.game.moves(table.position))
                self.screen.say([", ".join(ranges([span]) for span in spans)])

    def _help(self) -> None:
        table = self.match.table
        choices = "yes or no" if table.swap_open else table.game.words.allowed(table.position)
        self.screen.say([f"Type {choices}, or one of:"])
        for name, text in HELP.items():
            self.screen.entry(f"  {name:7} {text}", 10)


def yes_or_no(typed: str) -> bool | None:
    """What somebody means who types yes or no; None where it is neither."""
    return {"yes": True, "y": True, "no": False, "n": False}.get(typed.strip().lower())
