"""Playing a match at the terminal, from its first turn or from wherever it was left."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

from numduel.core.game import other
from numduel.core.numerals import counted
from numduel.core.scene import LARGEST_BOARD
from numduel.core.words import Last, retraced
from numduel.play.coach import comment, comment_swap
from numduel.play.ending import ending
from numduel.play.event import Event, Move, Resign, Swap, Undo
from numduel.play.record_file import write_record
from numduel.play.saved import SavedMatch
from numduel.players import HUMAN, Forfeit, player
from numduel.terminal.asking import Asking, Left
from numduel.terminal.command import command
from numduel.terminal.prompt import printable
from numduel.terminal.screen import Screen


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
        self.asking = Asking(saved.ident, self.match, screen)
        self.players = tuple(player(who) for who in self.match.setup.players)
        self.record = record
        self.coach = coach  # whether each move that a person makes is commented on
        self._forfeited = False  # whether this round ended so, and it has been said
        self._recorded = 0  # the last round that is in its record
        self._past: list[Last] = []  # the moves that led here, as many as a board shows

    def run(self) -> bool:
        """Play until the match is over (True) or the person leaves (False).

        Interrupted where the input ends or Ctrl-C is pressed; nothing is lost either way.
        """
        try:
            self._rounds()
        except Left:
            self.screen.say([self.asking.resume_line()])
        except (KeyboardInterrupt, EOFError):
            self.screen.say(["", self.asking.resume_line()])
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
        self._seat()
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
            self.screen.say([match.result_line(self.screen.names)])
        if HUMAN in match.setup.players and match.setup.players != (HUMAN, HUMAN):
            line = f"To see where it turned: {command(f'analyze {self.saved.ident}')}"
            self.screen.say(["", line])

    def _retrace(self) -> None:
        """Find the moves that led here anew, where one was taken back or the game taken up."""
        table = self.match.table
        _, past = retraced(table.game, table.first, table.moves)
        self._past = past[-LARGEST_BOARD:]

    def _open_round(self) -> None:
        match, table = self.match, self.match.table
        self._retrace()
        if match.setup.rounds > 1:
            self.screen.say([match.round_line(), ""])
        if table.moves:
            self._recap()
        else:
            self.screen.welcome(table.game, table.position)

    def _close_round(self) -> None:
        match, table = self.match, self.match.table
        end = ending(table.game, match.record())
        assert end is not None
        if self._forfeited and end.outcome.winner:
            self.screen.say([f"{self.screen.names[end.outcome.winner - 1]} wins."])
        else:
            typed = bool(table.movers) and self.players[table.movers[-1] - 1] is None
            self.screen.closed(table.game, end, typed)
        self._forfeited = False
        if match.setup.rounds > 1:
            self.screen.say(["", match.score_line(self.screen.names), ""])
        self._write_record()

    def _turn(self) -> None:
        table = self.match.table
        before = table.position
        try:
            event = self._decision()
        except Forfeit as error:
            self.screen.say(["", f"{self.screen.names[before.mover - 1]} forfeits: {error}."])
            self._forfeited = True
            event = Resign(before.mover)
        self._seat()  # a program may have told its name just now
        self.saved.apply(event)
        if isinstance(event, Move):
            self._past = [*self._past[1 - LARGEST_BOARD :], Last(before, event.move)]
        else:
            self._retrace()
        self._tell(event, before)

    def _decision(self) -> Event:
        """What the mover decides, a person or not."""
        table, turn = self.match.table, self.match.turn()
        game, position = table.game, table.position
        computer = self.players[position.mover - 1]
        if computer is None:
            self.screen.turn(game, position, self._past)
            return self.asking.decision()
        if table.swap_open:
            taken = computer.swaps(turn)
            self.screen.say([f"{self.asking.swap_question()}{'yes' if taken else 'no'}"])
            return Swap(taken)
        self.screen.turn(game, position, self._past, asked=None not in self.players)
        move = computer.choose(turn)
        self.screen.chosen(game, position, move)
        return Move(move)

    def _tell(self, event: Event, before: Any) -> None:
        """Say what has happened."""
        table = self.match.table
        coached = self.coach and self.players[before.mover - 1] is None
        match event:
            case Move(move):
                self._moved(before, move, table.position)
                if coached and not table.swap_open:
                    self.screen.say([f"Coach: {comment(table.game, before, move)}", ""])
            case Undo(count):
                self.screen.say([f"Took back {counted(count, 'move')}.", ""])
                self._recap()
            case Swap(taken):
                if coached:
                    self.screen.say([f"Coach: {comment_swap(table.game, before, taken)}"])
                self._swapped(before.mover, taken)
            case _:
                pass  # how a game that was resigned ended is said at its end

    def _moved(self, before: Any, move: int, after: Any) -> None:
        table = self.match.table
        typed = self.players[before.mover - 1] is None
        self.screen.moved(table.game, before, move, after, typed)
        if table.outcome is None:
            self.screen.goes_on(table.game, after)

    def _swapped(self, second: int, taken: bool) -> None:
        if taken:
            names = self.screen.names
            owner, mover = names[second - 1], names[other(second) - 1]
            self.screen.say([f"The first move is now {owner}'s. {mover} goes on."])
        self.screen.say([""])

    def _recap(self) -> None:
        """Say again what the last move led to, where a game is taken up in the middle."""
        record = self.match.record()
        *before, after = deque(record.positions(self.match.table.game), maxlen=2)
        if before:
            self._moved(before[0], record.moves[-1], after)

    def _seat(self) -> None:
        """Let the screen know who plays."""
        one, two = (
            None if computer is None else printable(computer.name) for computer in self.players
        )
        self.screen.seat(self.match.setup.names, (one, two))

    def _write_record(self) -> None:
        path, count = self.record, self.match.round
        if path is None or self._recorded == count:
            return
        write_record(round_path(path, count), self.match.record())
        self._recorded = count


def round_path(path: Path, count: int) -> Path:
    """Where the record of a round goes: game.json, then game-2.json."""
    return path if count == 1 else path.with_stem(f"{path.stem}-{count}")
