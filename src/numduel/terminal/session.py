"""Playing a match at the terminal, from its first turn or from wherever it was left."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

from numduel.core.numerals import pluralize
from numduel.core.scene import MAX_BOARD_CELLS
from numduel.core.words import Last
from numduel.play.event import Event, Move, Swap, Undo
from numduel.play.files import write_record
from numduel.play.game_loop import Failure, play_on
from numduel.play.judgement import closing_remark, comment_on_move, comment_on_swap
from numduel.play.match import score_line
from numduel.play.saved import SavedMatch
from numduel.play.table import record_ending
from numduel.players import HUMAN, Turn, player
from numduel.terminal.command import command
from numduel.terminal.move_prompt import Left, MovePrompt, agrees
from numduel.terminal.saved_games import create_saved
from numduel.terminal.screen import Screen
from numduel.terminal.streams import at_terminal, printable


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
        """Play a saved match. `coach`: let the coach speak, even if that was not agreed."""
        self.saved = saved
        self.match = saved.match
        self.screen = screen
        self.asking = MovePrompt(saved, screen)
        self.players = tuple(player(who) for who in self.match.setup.players)
        self.record = record
        self.coach = coach or self.match.setup.coach
        self._forfeited = False  # whether this round ended so, and it has been said
        self._recorded = 0  # the last round that is in its record
        self._turned: int | None = None  # after how many moves a person gave the game away
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
            if self.match.played:
                self.saved.close()
            else:
                self.saved.discard()
            self._write_record()
        return self._try_again() if self._turned is not None and at_terminal() else self.match.over

    def _try_again(self) -> bool:
        """Offer a game from where this one turned. Return whether the last game is over."""
        try:
            if not agrees(self.screen, "Try again from there?"):
                return True
        except (KeyboardInterrupt, EOFError):
            return True
        saved = create_saved(self.match.setup)
        for move in self.match.table.moves[: self._turned]:
            saved.apply(Move(move))
        return Session(saved, self.screen, coach=True).run()

    def _rounds(self) -> None:
        match = self.match
        self._seat()
        self._open_round()
        while True:
            self._play_round()
            self._close_round()
            if match.over:
                break
            match.next_round()
            self._open_round()
        if match.setup.rounds > 1:
            self.screen.say([match.result_line(self.screen.names)])
        people = match.setup.players.count(HUMAN)
        if people == 1 and self.saved.ident and match.played:
            line = f"To look back at it: {command(f'analyze {self.saved.ident}')}"
            self.screen.say(["", line])

    def _play_round(self) -> None:
        """Let computers and people decide in turn, until the round is over."""
        table = self.match.table
        while table.outcome is None:
            steps = play_on(
                table, self.players, apply=self.saved.apply, before_turn=self._show_turn
            )
            for step in steps:
                self._computer_decided(*step)
            if table.outcome is None:
                self._person_decides()

    def _show_turn(self, turn: Turn) -> None:
        """Show the board to those who watch a computer player."""
        if not self.match.table.swap_open:
            self.screen.turn(turn.game, turn.position, self._past, asked=None not in self.players)

    def _is_person(self, seat: int) -> bool:
        return self.players[seat - 1] is None

    def _retrace(self) -> None:
        """Find the moves that led here again, after an undo, a swap or a resume."""
        table = self.match.table
        self._past = table.past(max(0, len(table.moves) - MAX_BOARD_CELLS))

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
        end = record_ending(table.game, match.record())
        assert end is not None
        if self._forfeited and end.outcome.winner:
            self.screen.say([f"{self.screen.names[end.outcome.winner - 1]} wins."])
        else:
            typed = bool(table.movers) and self._is_person(table.movers[-1])
            self.screen.closed(table.game, end, self._past, typed)
        self._forfeited = False
        self._say_last_word()
        if match.setup.rounds > 1:
            self.screen.say(["", score_line(match.wins, self.screen.names), ""])
        self._write_record()

    def _say_last_word(self) -> None:
        """Let the coach say the last word, where one person played."""
        table, setup = self.match.table, self.match.setup
        people = [seat for seat, who in enumerate(self.players, 1) if who is None]
        if self.coach and len(people) == 1 and table.outcome is not None:
            said = closing_remark(table.game, table.past(), table.outcome, *people)
            if said.line:
                self.screen.say([f"Coach: {said.line}"])
            self._turned = None if setup.rounds > 1 or setup.swap else said.turned

    def _person_decides(self) -> None:
        table = self.match.table
        before = table.position
        self.screen.turn(table.game, before, self._past)
        event = self.asking.decision()
        self.screen.decided()
        self.saved.apply(event)
        self._tell(event, before)

    def _computer_decided(self, before: Any, event: Event, failure: Failure | None) -> None:
        if failure is not None:
            self.screen.say(["", f"{self.screen.names[failure.seat - 1]} forfeits: {failure.why}."])
            self._forfeited = True
        self._seat()  # a program may have told its name just now
        if isinstance(event, Move):
            self.screen.chosen(self.match.table.game, before, event.move)
        elif isinstance(event, Swap):
            question = self.asking.swap_question(before.mover)
            self.screen.say([f"{question}{'yes' if event.taken else 'no'}"])
        self._tell(event, before)

    def _tell(self, event: Event, before: Any) -> None:
        """Say what has happened."""
        table = self.match.table
        if isinstance(event, Move):
            self._past = [*self._past[1 - MAX_BOARD_CELLS :], Last(before, event.move)]
        else:
            self._retrace()
        coached = self.coach and self._is_person(before.mover)
        match event:
            case Move(move):
                self._moved(before, move, table.position)
                if coached and not table.swap_undecided:
                    people = [last for last in self._past if self._is_person(last.before.mover)]
                    if said := comment_on_move(table.game, people):
                        self.screen.say([f"Coach: {said}", ""])
            case Undo(count):
                taken = pluralize(count, "Took back {} move.", "Took back {} moves.")
                self.screen.say([taken, ""])
                self._recap()
            case Swap(taken):
                if coached:
                    self.screen.say([f"Coach: {comment_on_swap(table.game, before, taken)}"])
                names, second = self.screen.names, before.mover
                line = f"{names[second - 1]} takes it over. {names[2 - second]} goes on."
                self.screen.say([line, ""] if taken else [""])
            case _:
                pass  # how a game that was resigned ended is said at its end

    def _moved(self, before: Any, move: int, after: Any) -> None:
        table = self.match.table
        typed = self._is_person(before.mover)
        self.screen.moved(table.game, before, move, after, typed)
        if table.outcome is None:
            self.screen.goes_on(table.game, after)

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
