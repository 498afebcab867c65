"""What the page of a duel shows to one visitor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

from numduel.core.game import Game, Outcome, other
from numduel.core.scene import Scene
from numduel.core.theory import Explanation
from numduel.core.verdict import Verdict
from numduel.core.words import SEATS, YOU, Last
from numduel.play.event import Away, Back, Come, Refuse, Swap
from numduel.play.match import score_line
from numduel.play.path import Tap, earns_medal, stars, step_of
from numduel.play.table import table_ending
from numduel.players import HUMAN, character
from numduel.web.board import (
    LARGE_BOARD_CELLS,
    Board,
    PlayedMove,
    board,
    history,
    past_of,
)
from numduel.web.cookies import DEFAULT_PREFERENCES, Mastered, PathView, Preferences, path_view
from numduel.web.duels.record import DuelRecord

Look = Literal["ready", "thinks", "gulps", "bows"]
"""What a face does: it waits, thinks about its move, has just erred, or has lost."""

_MAX_HELD_NUMBERS = 6  # shown in a player's bar, the largest


class PlayerBar(NamedTuple):
    """A player's bar, above or below the board."""

    seat: int
    place: str  # "them" above, "you" below
    name: str
    level: str  # of a computer player
    look: Look  # what the face of a computer player does
    away: bool  # whether the player is not there just now
    you: bool  # whether it is the visitor's own, and no other is
    turn: bool  # whether the player must move
    won: bool
    held: list[int]  # the numbers that count for the goal, where there is one
    open: int  # how many are missing


class Links(NamedTuple):
    """Addresses that the visitor can send to somebody, or open on another device."""

    watch: str = ""  # of the page itself
    seats: Mapping[int, str] = {}  # opens the seat elsewhere
    invite: str = ""  # takes the other seat, once
    image: str = ""  # of a picture of the position
    challenge: str = ""  # lets anybody play on from the position


class Coaching(NamedTuple):
    """What the coach has found for the visitor."""

    comment: str = ""  # on the last move of a person, or the last word of a game
    turned: int | None = None  # after how many moves the visitor gave the game away
    better: int | None = None  # the move that was better then
    reason: str = ""  # why it was
    hint: str = ""
    step: int = 1  # of the hint
    steps: int = 1  # how many there are
    hinted: tuple[int, ...] = ()  # the moves that the hint names
    label: str = ""  # the advised move as players speak of it, with the last step
    explanation: Explanation | None = None  # of that move
    dominoes: tuple[tuple[int, int], ...] = ()  # the pairs of its explanation
    verdicts: Mapping[int, Verdict] = {}  # of each legal move
    slipped: bool = False  # whether the computer has just given something away


NO_LINKS, NO_COACHING, NOTHING_MASTERED = Links(), Coaching(), Mastered()

FREE = "free"
"""The note of a browser that the lesson of a first game was skipped."""


@dataclass(frozen=True)
class GamePage:
    """The page of a duel: what it is made of, and what follows for the template."""

    duel: DuelRecord
    seats: frozenset[int]  # those that the visitor holds; empty: they watch
    look: int | None = None  # look back at the position after so many moves
    preferences: Preferences = DEFAULT_PREFERENCES
    links: Links = NO_LINKS
    coaching: Coaching = NO_COACHING
    mastered: Mastered = NOTHING_MASTERED  # of this game, in this browser
    helped: frozenset[str] = frozenset()  # the notes of this browser on this duel

    # The game and its players.

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return self.duel.table.game

    @cached_property
    def names(self) -> tuple[str, str]:
        """The name of each player in a sentence: You, a given name, the computer."""
        setup = self.duel.match.setup
        one, two = (
            YOU
            if self.seats == {seat}
            else name or character(who) or (SEATS[seat - 1] if who == HUMAN else "The computer")
            for seat, who, name in zip((1, 2), setup.players, setup.names, strict=True)
        )
        return one, two

    @cached_property
    def players(self) -> list[PlayerBar]:
        """The bars of the two players: the opponent's above, the visitor's below."""
        below = min(self.seats, default=1)
        return [self._player(other(below), "them"), self._player(below, "you")]

    def _player(self, seat: int, place: str) -> PlayerBar:
        scene, who = self.scene, self.duel.match.setup.players[seat - 1]
        name = self.names[seat - 1]
        held = [cell.number for cell in scene.cells if scene.needed and cell.owner == seat]
        return PlayerBar(
            seat=seat,
            place=place,
            name="Computer" if name == "The computer" else name,
            level="" if who == HUMAN else who,
            look=self._look(seat),
            away=seat in self.duel.away and seat not in self.seats,
            you=self.seats == {seat},
            turn=self.duel.deciding == seat,
            won=self.outcome is not None and self.outcome.winner == seat,
            held=held[-_MAX_HELD_NUMBERS:],
            open=max(0, scene.needed - len(held)),
        )

    def _look(self, seat: int) -> Look:
        if self.outcome is not None:
            return "bows" if self.outcome.winner == other(seat) else "ready"
        if self.thinking:
            return "thinks"
        return "gulps" if self.coaching.slipped else "ready"

    # The match.

    @property
    def round(self) -> str:
        """Which round of the match is played; empty where there is one only."""
        match = self.duel.match
        return match.round_line() if match.setup.rounds > 1 else ""

    @property
    def coin(self) -> bool:
        """Whether to say that a coin has decided who begins."""
        match = self.duel.match
        return match.setup.coin and match.round == 1 and self.count < 2

    @property
    def begins(self) -> str:
        """Who begins, in a sentence."""
        first = self.duel.table.first
        return "You begin" if self.seats == {first} else f"{self.names[first - 1]} begins"

    @property
    def score(self) -> str:
        """The score of a match of several rounds, or of a single one and its rematches."""
        match = self.duel.match
        if match.setup.rounds > 1:
            return score_line(match.wins, self.names)
        if len(self.duel.rounds) <= match.over:
            return ""
        outcomes = (record.outcome for record in self.duel.rounds)
        wins = Counter(one.winner for one in outcomes if one and one.winner)
        return score_line(wins, self.names)

    @property
    def result(self) -> str:
        """Who won a match of several rounds; empty while it goes on."""
        match = self.duel.match
        return match.result_line(self.names) if match.over and match.setup.rounds > 1 else ""

    # The board.

    @cached_property
    def looking(self) -> int | None:
        """After how many moves the shown position was; None: it is the present one."""
        return self.look if self.look is not None and 0 <= self.look < self.count else None

    @property
    def count(self) -> int:
        """Number of moves so far."""
        return len(self.duel.table.moves)

    @cached_property
    def _past(self) -> list[Last]:
        return past_of(self.duel.table, self.count)

    @cached_property
    def scene(self) -> Scene:
        """The shown position."""
        table, at = self.duel.table, self.looking
        past = self._past if at is None else past_of(table, at)
        position = table.position if at is None else table.position_at(at)
        return self.game.words.scene(position, past)

    @cached_property
    def board(self) -> Board:
        """The board, with what the coach has found."""
        table, coaching = self.duel.table, self.coaching
        position = table.position if self.looking is None else table.position_at(self.looking)
        scene, explanation, words = self.scene, coaching.explanation, self.game.words
        if explanation is not None:
            scene = words.explained(scene, coaching.hinted[0], explanation)
        elif coaching.turned is not None and coaching.better is not None and self.looking is None:
            scene = words.turned(scene, self._past, coaching.turned, coaching.better)
        return board(
            scene,
            coaching.verdicts,
            self.names,
            seat=position.mover,
            hinted=coaching.hinted,
            allowed=self.allowed,
        )

    @property
    def large(self) -> bool:
        """Whether the board does not fit a screen."""
        return len(self.scene.cells) >= LARGE_BOARD_CELLS

    @property
    def allowed(self) -> bool:
        """Whether only the legal moves are shown of a large board."""
        return bool(self.preferences.allowed) and self.large and self.outcome is None

    @cached_property
    def history(self) -> list[PlayedMove]:
        """The latest moves in words."""
        return history(self.duel.table, self._past)

    # What the visitor can do.

    @property
    def _is_to_decide(self) -> bool:
        return self.duel.deciding in self.seats and self.looking is None

    @property
    def can_move(self) -> bool:
        """Whether the visitor must move."""
        return self._is_to_decide and not self.duel.table.swap_open

    @property
    def can_swap(self) -> bool:
        """Whether the visitor must decide on taking over the first move."""
        return self._is_to_decide and self.duel.table.swap_open

    @property
    def can_hint(self) -> bool:
        """Whether the visitor can ask for a hint."""
        return self._is_to_decide and (self.coach or self.can_coach)

    @property
    def can_coach(self) -> bool:
        """Whether the visitor can switch the coach on and off: nobody else plays."""
        people = self.duel.match.setup.players.count(HUMAN)
        return bool(self.seats) and people == 1 and self.duel.terms.room is None

    @property
    def coach(self) -> bool:
        """Whether the coach is on."""
        chosen = self.preferences.coach
        return self.duel.terms.coach if chosen is None or not self.can_coach else chosen

    @property
    def can_undo(self) -> bool:
        """Whether the visitor can take a move back, or ask to."""
        return (
            bool(self.seats) and self.duel.undo_count(self.seats) > 0 and self.duel.asking is None
        )

    @property
    def asking(self) -> bool:
        """Whether the visitor waits for the answer."""
        return self.duel.asking in self.seats

    @property
    def asked_by(self) -> int | None:
        """The seat of another player who asks to take a move back."""
        return None if self.asking else self.duel.asking

    @property
    def fresh(self) -> bool:
        """Whether no other player has moved yet."""
        return not any(seat in self.duel.table.movers for seat in {1, 2} - self.seats)

    # The path.

    @cached_property
    def step(self) -> int:
        """The number of the step of the path that is played; 0: none."""
        return step_of(self.duel.match.setup) if self.can_coach else 0

    @property
    def hint_note(self) -> str:
        """The note that a hint was given in this round."""
        return f"h{len(self.duel.rounds) - (self.outcome is not None)}"

    @property
    def earned(self) -> Mastered:
        """What the visitor has mastered with this game."""
        setup = self.duel.match.setup
        if not (self.can_coach and self.yours_won):
            return NOTHING_MASTERED
        hinted = self.hint_note in self.helped
        won = stars(setup, undone=self.duel.undone, hinted=hinted) if self.step else 0
        beaten = setup.players[1] if earns_medal(setup) and character(setup.players[1]) else ""
        return Mastered((*[0] * (self.step - 1), won), frozenset(filter(None, [beaten])))

    @cached_property
    def path(self) -> PathView | None:
        """The path of the game, if one of its steps is played."""
        return path_view(type(self.game), self.mastered, self.step) if self.step else None

    @cached_property
    def taps(self) -> tuple[Tap, ...]:
        """The moves that a lesson still asks for; none where there is no lesson."""
        taps = self.path.here.step.taps if self.path else ()
        table = self.duel.table
        made = [move for move, seat in zip(table.moves, table.movers, strict=True) if seat == 1]
        planned = made == [tap.move for tap in taps[: len(made)]]
        is_on = planned and self.outcome is None and FREE not in self.helped
        return taps[len(made) :] if is_on and self.looking is None else ()

    @property
    def tap(self) -> Tap | None:
        """The move that a lesson asks for now."""
        return self.taps[0] if self.taps and self.can_move else None

    @property
    def offers_sound(self) -> bool:
        """Whether sounds are offered: once, after the first game."""
        return bool(self.seats and self.outcome) and self.preferences.sound is None

    # What is said.

    @cached_property
    def outcome(self) -> Outcome | None:
        """The outcome of the round; None while it goes on."""
        return self.duel.table.outcome

    @property
    def yours_won(self) -> bool:
        """Whether the visitor has won the round."""
        return self.outcome is not None and self.outcome.winner in self.seats

    @property
    def thinking(self) -> bool:
        """Whether the computer is to decide."""
        return self.duel.computer is not None and self.looking is None

    @property
    def tone(self) -> str:
        """How the visitor is concerned: "over", "watching", "yours" or "waiting"."""
        if self.duel.deciding is None:
            return "over"
        if not self.seats:
            return "watching"
        return "yours" if self.duel.deciding in self.seats else "waiting"

    @property
    def won(self) -> str:
        """Who won the round; empty while it goes on."""
        if self.outcome is None:
            return ""
        winner = self.outcome.winner
        if winner is None:
            return "Nobody wins"
        return "You win!" if self.seats == {winner} else f"{self.names[winner - 1]} wins"

    @property
    def headline(self) -> str:
        """How the round ended, to the visitor."""
        return self.coaching.comment if self.coaching.turned is not None else self.won

    @cached_property
    def why(self) -> str:
        """How the round ended."""
        end = table_ending(self.duel.table, self.outcome)
        return "" if end is None else end.why(self.game, self.names)

    @cached_property
    def sentence(self) -> str:
        """Whose turn it is, or how the round ended."""
        seat, swap_open = self.duel.deciding, self.duel.table.swap_open
        if seat is None:
            return self.won if self.won.endswith("!") else f"{self.won}: {self.why}"
        if seat in self.seats and swap_open:
            return "Do you want to take over what was played?"
        if self.seats == {seat}:
            return "Your turn"
        name = self.names[seat - 1]
        if self.duel.computer is not None:
            return f"{name} is thinking"
        return f"{name} may take over what was played" if swap_open else f"{name}'s turn"

    @cached_property
    def told(self) -> str:
        """What happened last, if the board does not show it."""
        return "" if self.looking is not None else self._latest

    @property
    def _latest(self) -> str:
        table = self.duel.table
        match self.duel.latest:
            case Come(seat) if self.seats and seat not in self.seats:
                return f"{self.duel.terms.setup.names[seat - 1] or 'Your friend'} is here."
            case Away(seat) if self.seats and seat not in self.seats:
                return f"{self.names[seat - 1]} has gone away for a moment."
            case Back(seat) if self.seats and seat not in self.seats:
                return f"{self.names[seat - 1]} is back."
            case Refuse(seat) if seat in self.seats:
                return f"{self.names[2 - seat]} said no: the move stands."
            case Swap(taken):
                seat = table.first if taken else other(table.first)  # who has decided
                if seat in self.seats:
                    return "It is yours now." if taken else ""
                if taken:
                    return f"{self.names[seat - 1]} has taken it over."
                return f"{self.names[seat - 1]} does not take it over."
        return ""

    @property
    def news(self) -> str:
        """What has just happened, to be read out by a screen reader."""
        duel, table, told = self.duel, self.duel.table, [] if self.thinking else [self.sentence]
        if self.outcome is not None and self.won.endswith("!"):
            told.append(f"{self.why}.")
        if self._past and not isinstance(duel.latest, Away | Back):
            last, seat, words = self._past[-1], table.movers[-1], self.game.words
            mine, name = self.seats == {seat}, self.names[seat - 1]
            made = f"Your move: {words.move_label(*last)}"
            told.insert(0, f"{made if mine else words.moved(*last, table.position, name)}.")
        if self._latest:
            told.insert(0, self._latest)
        if self.asked_by:
            told.append(self.asked)
        return " ".join(told)

    @property
    def asked(self) -> str:
        """What the other player asks for, in a sentence."""
        name = self.names[(self.asked_by or 1) - 1]
        if self.duel.match.over:
            return f"{name} wants a rematch."
        return f"{name} asks to take back their last move."
