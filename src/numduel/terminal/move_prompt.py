"""The prompt at which a person makes a move or types a command."""

from __future__ import annotations

from collections.abc import Iterable

from numduel.core.game import Game, P
from numduel.core.numerals import format_ranges, quoted, runs
from numduel.play.coach import Advice, advise
from numduel.play.event import Event, Move, Resign, Swap, Undo
from numduel.play.saved import SavedMatch
from numduel.players import HUMAN
from numduel.terminal.command import command
from numduel.terminal.options import did_you_mean
from numduel.terminal.screen import Screen, rules_of
from numduel.terminal.streams import command_word

COMMAND_HELP = {
    "hint": "ask the coach; ask again to hear more",
    "moves": "list every move that can be made",
    "undo": "take back your last move (and the answer to it)",
    "rules": "read the rules of this game",
    "save": "show how to go on later (every move is saved at once)",
    "resign": "give this game up",
    "quit": "leave; the game is saved (q)",
    "help": "show this (h, ?)",
}
"""The commands that can be typed instead of a move."""

ONE_KEY_HELP = "The number of a move is enough: do not press Enter after it."


class Left(Exception):
    """The person leaves the match."""


class MovePrompt:
    """Asks the person whose turn it is in a saved match for a decision."""

    def __init__(self, saved: SavedMatch, screen: Screen) -> None:
        self.ident = saved.ident
        self.match = saved.match
        self.screen = screen
        self._hinted_at: object = None  # the position and question of the latest hint
        self._advice = Advice(("",))
        self._step = 0  # the latest step of the advice that was said

    def decision(self) -> Event:
        """Return what the person decides. Raises Left if they leave."""
        while True:
            typed = self._ask()
            word = command_word(typed)
            event = self._run(word) if word in COMMAND_HELP else self._parse(typed.strip())
            if event is not None:
                return event

    def swap_question(self, seat: int) -> str:
        """Return the question to the second player after the first turn."""
        second, first = self.screen.names[seat - 1], self.screen.names[2 - seat]
        return f"{second}, do you want to take over what {first} has played? (yes or no): "

    def resume_line(self) -> str:
        """Return the line that says how to go on later."""
        if not self.ident:
            return "This game is not saved."
        if not self.match.played:
            return "No move has been made, so there is nothing to save."
        return f"Game {self.ident} is saved. Go on with: {command(f'resume {self.ident}')}"

    def _ask(self) -> str:
        table = self.match.table
        if table.swap_open:
            return self.screen.ask(self.swap_question(table.position.mover))
        return self.screen.ask_move(table.game, table.position)

    def _parse(self, typed: str) -> Event | None:
        """Return the decision that was typed. If it is none, say why and return None."""
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
        """Say what can be typed instead, and which of the words may have been meant."""
        subject = quoted(typed) if typed else "An empty line"
        guess = did_you_mean(typed, [*COMMAND_HELP, *words])
        answer = f"{guess} Type" if guess else "Type"
        self.screen.say([f"{subject} is not a choice. {answer} {choices}, or help."])

    def _run(self, word: str) -> Event | None:
        """Carry out a command. Return the decision, or None if the command decides nothing."""
        if word == "quit":
            raise Left
        if word == "undo":
            return self._undo()
        if word == "resign":
            return self._resign()
        if self.match.table.swap_open and word in ("help", "hint", "rules"):
            self._explain_swap()
        if word == "moves":
            list_moves(self.screen, self.match.table.game, self.match.table.position)
        elif word == "hint":
            self._hint()
        elif word == "save":
            self.screen.say([self.resume_line()])
        elif word == "rules":
            self.screen.say([""])
            self.screen.say_prose(rules_of(self.match.table.game))
        else:
            self._help()
        return None

    def _explain_swap(self) -> None:
        first = self.screen.names[self.match.table.first - 1]
        line = f"Yes: what {first} has played counts as yours, and {first} moves next."
        self.screen.say([line, f"No: it stays {first}'s, and you move next."])

    def _hint(self) -> None:
        """Say the next step of the coach's advice."""
        table = self.match.table
        here = table.position, table.swap_open
        if self._hinted_at != here:
            self._hinted_at, self._step = here, 0
            self._advice = advise(table.turn(), table.swap_open)
        self._step = min(self._step + 1, len(self._advice.steps))
        self.screen.say([self._advice.steps[self._step - 1], *self._advice.notes(self._step)])
        if self._step < len(self._advice.steps):
            self.screen.say(["Type hint again to hear more."])

    def _undo(self) -> Event | None:
        count = self.match.undo_count()
        if not count:
            self.screen.say(["There is nothing to undo yet."])
            return None
        if self.match.setup.players != (HUMAN, HUMAN):
            return Undo(count)
        mover = self.match.table.movers[-count]
        name, other_name = self.screen.names[mover - 1], self.screen.names[2 - mover]
        if agrees(self.screen, f"{other_name}, may {name} take that move back?"):
            return Undo(count)
        self.screen.say(["The move stands."])
        return None

    def _resign(self) -> Event | None:
        if agrees(self.screen, "Give this game up?"):
            return Resign(self.match.table.position.mover)
        self.screen.say(["The game goes on."])
        return None

    def _help(self) -> None:
        table = self.match.table
        choices = "yes or no" if table.swap_open else table.game.words.allowed(table.position)
        self.screen.say([f"Type {choices}, or one of:"])
        for name, text in COMMAND_HELP.items():
            self.screen.say_entry(f"  {name:7} {text}", 10)
        if not table.swap_open and self.screen.move_keys(table.game, table.position):
            self.screen.say([ONE_KEY_HELP])


def list_moves(screen: Screen, game: Game[P], position: P) -> None:
    """List every legal move, however many there are."""
    choices = game.words.scene(position).choices
    with screen.paged():
        for choice in choices:
            label = game.words.move_label(position, choice.move)
            number = str(choice.move)
            screen.say_entry(f"  {number}" if label == number else f"  {number}. {label}")
        if not choices:
            screen.say([", ".join(format_ranges([span]) for span in runs(game.moves(position)))])


def agrees(screen: Screen, question: str) -> bool:
    """Ask until the answer is yes or no. Return True for yes."""
    while (answer := yes_or_no(screen.ask(f"{question} (yes or no): "))) is None:
        screen.say(["Type yes or no."])
    return answer


def yes_or_no(typed: str) -> bool | None:
    """Return True for yes, False for no, and None for anything else."""
    return {"yes": True, "y": True, "no": False, "n": False}.get(typed.strip().lower())
