"""Playing a match at the terminal, from its first turn or from wherever it was left."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import click

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


class Session:
    """One saved match at one screen."""

    def __init__(
        self, saved: SavedMatch, screen: Screen, record: Path | None = None, coach: bool = False
    ) -> None:
        """Play a saved match. `coach`: the coach comments, even if the match began without it."""
        self.saved = saved
        self.match = saved.match
        self.screen = screen
        self.prompt = MovePrompt(saved, screen)
        self.players = tuple(player(who) for who in self.match.setup.players)
        self.record = record
        self.coach = coach or self.match.setup.coach
        self._forfeit_shown = False  # whether this round ended by a forfeit that was shown
        self._recorded_round = 0  # the last round whose record is written
        self._turned_at: int | None = None  # after how many moves a person gave the game away
        self._past: list[Last] = []  # the latest moves, as many as a board shows

    def run(self) -> bool:
        """Play until the match is over (True) or the person leaves (False).

        Exits with status 130 if the input ends or Ctrl-C is pressed. Nothing is ever lost.
        """
        try:
            self._play_rounds()
        except Left:
            self.screen.say([self.prompt.resume_line()])
        except (KeyboardInterrupt, EOFError):
            self.screen.say(["", self.prompt.resume_line()])
            raise click.exceptions.Exit(130) from None
        finally:
            for computer in self.players:
                if computer is not None:
                    computer.close()
            if self.match.played:
                self.saved.close()
            else:
                self.saved.discard()
            self._write_record()
        if self._turned_at is not None and at_terminal():
            return self._try_again()
        return self.match.over

    def _try_again(self) -> bool:
        """Offer a game from where this one turned. Return whether the last game is over."""
        try:
            if not agrees(self.screen, "Try again from there?"):
                return True
        except (KeyboardInterrupt, EOFError):
            return True
        saved = create_saved(self.match.setup)
        for move in self.match.table.moves[: self._turned_at]:
            saved.apply(Move(move))
        return Session(saved, self.screen, coach=True).run()

    def _play_rounds(self) -> None:
        match = self.match
        self._set_players()
        while True:
            self._open_round()
            self._play_round()
            self._close_round()
            if match.over:
                break
            match.next_round()
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
                self._show_step(*step)
            if table.outcome is None:
                self._ask_person()

    def _show_turn(self, turn: Turn) -> None:
        """Show the board to those who watch a computer player."""
        if not self.match.table.swap_open:
            self.screen.show_turn(
                turn.game, turn.position, self._past, asked=None not in self.players
            )

    def _is_person(self, seat: int) -> bool:
        return self.players[seat - 1] is None

    def _find_past(self) -> None:
        """Read the latest moves from the table, after an undo, a swap or a resume."""
        table = self.match.table
        self._past = table.past(max(0, len(table.moves) - MAX_BOARD_CELLS))

    def _open_round(self) -> None:
        match, table = self.match, self.match.table
        self._find_past()
        if match.setup.rounds > 1:
            self.screen.say([match.round_line(), ""])
        if table.moves:
            self._repeat_move()
        else:
            self.screen.show_welcome(table.game, table.position)

    def _close_round(self) -> None:
        match, table = self.match, self.match.table
        end = record_ending(table.game, match.record())
        assert end is not None
        if self._forfeit_shown and end.outcome.winner:
            self.screen.say([f"{self.screen.names[end.outcome.winner - 1]} wins."])
        else:
            typed = bool(table.movers) and self._is_person(table.movers[-1])
            self.screen.show_end(table.game, end, self._past, typed)
        self._forfeit_shown = False
        self._say_last_word()
        if match.setup.rounds > 1:
            self.screen.say(["", score_line(match.wins, self.screen.names), ""])
        self._write_record()

    def _say_last_word(self) -> None:
        """Let the coach say the last word if only one person played."""
        table, setup = self.match.table, self.match.setup
        people = [seat for seat, who in enumerate(self.players, 1) if who is None]
        if self.coach and len(people) == 1 and table.outcome is not None:
            word = closing_remark(table.game, table.past(), table.outcome, *people)
            if word.line:
                self.screen.say([f"Coach: {word.line}"])
            self._turned_at = None if setup.rounds > 1 or setup.swap else word.turned

    def _ask_person(self) -> None:
        table = self.match.table
        before = table.position
        self.screen.show_turn(table.game, before, self._past)
        event = self.prompt.decision()
        self.screen.clear()
        self.saved.apply(event)
        self._show_event(event, before)

    def _show_step(self, before: Any, event: Event, failure: Failure | None) -> None:
        if failure is not None:
            self.screen.say(["", f"{self.screen.names[failure.seat - 1]} forfeits: {failure.why}."])
            self._forfeit_shown = True
        self._set_players()  # a program may just have said its name
        if isinstance(event, Move):
            self.screen.show_choice(self.match.table.game, before, event.move)
        elif isinstance(event, Swap):
            question = self.prompt.swap_question(before.mover)
            self.screen.say([f"{question}{'yes' if event.taken else 'no'}"])
        self._show_event(event, before)

    def _show_event(self, event: Event, before: Any) -> None:
        """Show what has happened."""
        table = self.match.table
        if isinstance(event, Move):
            self._past = [*self._past[1 - MAX_BOARD_CELLS :], Last(before, event.move)]
        else:
            self._find_past()
        coached = self.coach and self._is_person(before.mover)
        match event:
            case Move(move):
                self._show_move(before, move, table.position)
                if coached and not table.swap_undecided:
                    people = [last for last in self._past if self._is_person(last.before.mover)]
                    if line := comment_on_move(table.game, people):
                        self.screen.say([f"Coach: {line}", ""])
            case Undo(count):
                self.screen.say([pluralize(count, "Took back {} move.", "Took back {} moves."), ""])
                self._repeat_move()
            case Swap(taken):
                if coached:
                    self.screen.say([f"Coach: {comment_on_swap(table.game, before, taken)}"])
                names, second = self.screen.names, before.mover
                line = f"{names[second - 1]} takes it over. {names[2 - second]} goes on."
                self.screen.say([line, ""] if taken else [""])
            case _:
                pass  # the end of the round says who resigned

    def _show_move(self, before: Any, move: int, after: Any) -> None:
        table = self.match.table
        typed = self._is_person(before.mover)
        self.screen.show_move(table.game, before, move, after, typed)
        if table.outcome is None:
            self.screen.show_continuation(table.game, after)

    def _repeat_move(self) -> None:
        """Show the last move again, after an undo or a resume."""
        record = self.match.record()
        *before, after = deque(record.positions(self.match.table.game), maxlen=2)
        if before:
            self._show_move(before[0], record.moves[-1], after)

    def _set_players(self) -> None:
        """Give the screen the names of the players."""
        one, two = (
            None if computer is None else printable(computer.name) for computer in self.players
        )
        self.screen.set_players(self.match.setup.names, (one, two))

    def _write_record(self) -> None:
        count = self.match.round
        if self.record is not None and self._recorded_round != count:
            write_record(round_path(self.record, count), self.match.record())
            self._recorded_round = count


def round_path(path: Path, count: int) -> Path:
    """Return the path of the record of a round: game.json, then game-2.json."""
    return path if count == 1 else path.with_stem(f"{path.stem}-{count}")
