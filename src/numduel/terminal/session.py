"""Playing a match at the terminal, from its first turn or from wherever it was left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numduel.core.errors import IllegalMove
from numduel.core.game import other
from numduel.core.numerals import parse_whole, quoted
from numduel.play.coach import advice, comment, comment_swap
from numduel.play.event import Move, Resign, Swap, Undo
from numduel.play.match import ended_lines
from numduel.play.record_file import write_record
from numduel.play.saved import SavedMatch
from numduel.players import HUMAN, Forfeit, player
from numduel.terminal.screen import Screen, rules_of

HELP = {
    "hint": "ask the coach for the best move, and why",
    "undo": "take back your last move (and the answer to it)",
    "rules": "read the rules of this game",
    "save": "say how to go on later (each move is saved as made)",
    "resign": "give this game up",
    "quit": "leave; the game is saved",
    "help": "show this",
}
"""What can be typed at any prompt beside a move."""


class Left(Exception):
    """The person leaves the match."""


class Interrupted(Exception):
    """The input ended or was interrupted in the middle of a match."""


class Session:
    """One saved match at one screen."""

    def __init__(
        self,
        saved: SavedMatch,
        screen: Screen,
        record: Path | None = None,
        coach: bool = False,
    ) -> None:
        self.saved = saved
        self.match = saved.match
        self.screen = screen
        self.players = tuple(player(who) for who in self.match.setup.players)
        self.record = record
        self.coach = coach  # whether each move that a person makes is commented on
        self._forfeited = False  # whether this round ended so, and it has been said
        self._recorded = 0  # the last round that is in its record

    def run(self) -> bool:
        """Play until the match is over (True) or the person leaves (False).

        Interrupted where the input ends or Ctrl-C is pressed; nothing is lost either way.
        """
        try:
            self._rounds()
        except Left:
            self.screen.say([self._resume_line()])
        except (KeyboardInterrupt, EOFError):
            self.screen.say(["", self._resume_line()])
            raise Interrupted from None
        finally:
            for computer in self.players:
                if computer is not None:
                    computer.close()
            self.saved.close()
            self._write_record()
        return self.match.over

    def _rounds(self) -> None:
        match = self.match
        self._open_round()
        while True:
            while match.table.outcome is None:
                self._turn()
            self._close_round()
            if match.over:
                break
            match.next_round()
            self._open_round()
        if match.setup.rounds > 1:
            self.screen.say([match.result_line()])
        if HUMAN in match.setup.players and match.setup.players != (HUMAN, HUMAN):
            line = f"To see where it turned: numduel analyze {self.saved.ident}"
            self.screen.say(["", line])

    def _open_round(self) -> None:
        match, table = self.match, self.match.table
        if match.setup.rounds > 1:
            self.screen.say([match.round_line(), ""])
        if table.moves:
            self.screen.recap(table.game, match.record())
        else:
            self.screen.say(table.game.words.welcome(table.position))

    def _close_round(self) -> None:
        match, table = self.match, self.match.table
        outcome = table.outcome
        assert outcome is not None
        lines = ended_lines(table.game, table.position, outcome, len(table.moves))
        self.screen.say(lines[-1:] if self._forfeited else lines)
        self._forfeited = False
        if match.setup.rounds > 1:
            self.screen.say(["", match.score_line(), ""])
        self._write_record()

    def _turn(self) -> None:
        table = self.match.table
        seat = table.position.mover
        try:
            if table.swap_open:
                self._swap()
            else:
                self._move()
        except Forfeit as error:
            self.screen.say(["", f"Player {seat} forfeits: {error}."])
            self._forfeited = True
            self.saved.apply(Resign(seat))

    def _move(self) -> None:
        table = self.match.table
        computer = self.players[table.position.mover - 1]
        self.screen.turn(table.game, table.position)
        if computer is None:
            move = self._ask_move()
            if move is None:
                return
        else:
            move = computer.choose(self.match.turn())
            self.screen.chosen(table.game, table.position, self.match.mover, move)
        before = table.position
        self.saved.apply(Move(move))
        self.screen.moved(table.game, before, move, table.position)
        if self.coach and computer is None and not table.swap_open:
            self._comment(before, move)

    def _comment(self, before: Any, move: int) -> None:
        self.screen.say([f"Coach: {comment(self.match.table.game, before, move)}", ""])

    def _ask_move(self) -> int | None:
        """A legal move; None where something else happened and the turn opens anew."""
        table = self.match.table
        while True:
            typed = self.screen.ask(table.game.words.prompt(table.position)).strip()
            move = parse_whole(typed)
            if move is None:
                if self._command(typed, table.game.words.allowed(table.position)):
                    return None
            elif table.game.allows(table.position, move):
                return move
            else:
                why = table.game.words.why_not(table.position, move)
                allowed = table.game.words.allowed(table.position)
                self.screen.say([f"{why}: type {allowed}, or help."])

    def _command(self, typed: str, choices: str) -> bool:
        """Do what a command says, or say what there is; whether the turn must open anew."""
        game, word = self.match.table.game, typed.lower()
        if word == "undo":
            return self._undo()
        if word == "resign":
            self.saved.apply(Resign(self.match.table.position.mover))
            return True
        if word == "quit":
            raise Left
        if word == "hint":
            lines = [advice(self.match.turn(), self.match.table.swap_open)]
        elif word == "save":
            lines = [self._resume_line()]
        elif word == "rules":
            self.screen.say([""])
            self.screen.prose(rules_of(game))
            return False
        elif word == "help":
            commands = (f"  {name:7} {text}" for name, text in HELP.items())
            lines = [f"Type {choices}, or one of:", *commands]
        else:
            got = quoted(typed) if typed else "An empty line"
            lines = [f"{got} is not a choice: type {choices}, or help."]
        self.screen.say(lines)
        return False

    def _undo(self) -> bool:
        count = self.match.undo_count()
        try:
            self.saved.apply(Undo(count))
        except IllegalMove:
            self.screen.say(["There is nothing to undo yet."])
            return False
        self.screen.say([f"Took back {count} move{'s' if count > 1 else ''}.", ""])
        self.screen.recap(self.match.table.game, self.match.record())
        return True

    def _swap(self) -> None:
        table = self.match.table
        second = table.position.mover
        computer = self.players[second - 1]
        question = f"Player {second}, do you take over the first move? (yes or no): "
        if computer is None:
            self.screen.turn(table.game, table.position)
            taken = self._ask_swap(question)
            if taken is None:
                return
        else:
            taken = computer.swaps(self.match.turn())
            self.screen.say([f"{question}{'yes' if taken else 'no'}"])
        if self.coach and computer is None:
            self.screen.say([f"Coach: {comment_swap(table.game, table.position, taken)}"])
        self.saved.apply(Swap(taken))
        if taken:
            line = f"The first move is now Player {second}'s. Player {other(second)} goes on."
            self.screen.say([line])
        self.screen.say([""])

    def _ask_swap(self, question: str) -> bool | None:
        while True:
            typed = self.screen.ask(question).strip()
            if typed.lower() in ("yes", "y", "no", "n"):
                return typed.lower().startswith("y")
            if self._command(typed, "yes or no"):
                return None

    def _resume_line(self) -> str:
        ident = self.saved.ident
        return f"Game {ident} is saved. Go on with: numduel resume {ident}"

    def _write_record(self) -> None:
        path, count = self.record, self.match.round
        if path is None or self._recorded == count:
            return
        if count > 1:
            path = path.with_stem(f"{path.stem}-{count}")
        write_record(path, self.match.record())
        self._recorded = count
