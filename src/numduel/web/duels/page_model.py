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
from numduel.play.table import table_ending, with_reason
from numduel.players import HUMAN, character
from numduel.web.board import LARGE_BOARD_CELLS, Board, PlayedMove, board, history, past_of
from numduel.web.cookies import DEFAULT_PREFERENCES, Mastered, PathView, Preferences, path_view
from numduel.web.duels.record import DuelRecord

Look = Literal["ready", "thinks", "gulps", "bows"]
"""What a face does: it waits, thinks about its move, has just erred, or has lost."""

_MAX_HELD_NUMBERS = 6  # in a player's bar: the largest ones


class PlayerBar(NamedTuple):
    """A player's bar, above or below the board."""

    seat: int
    place: str  # "them" above, "you" below
    name: str
    level: str  # of a computer player
    look: Look  # what the face of a computer player does
    away: bool  # whether the player has left the page for the moment
    you: bool  # whether this seat, and no other, is the visitor's
    turn: bool  # whether the player must move
    won: bool
    held: list[int]  # the numbers that count for the goal, if there is one
    open: int  # how many more numbers the goal needs


class Links(NamedTuple):
    """Addresses that the visitor can send to somebody, or open on another device."""

    watch: str = ""  # of the page itself
    seats: Mapping[int, str] = {}  # opens the seat elsewhere
    invite: str = ""  # takes the other seat, once
    image: str = ""  # of a picture of the position
    challenge: str = ""  # lets anybody play on from the position


class Coaching(NamedTuple):
    """What the coach tells the visitor."""

    comment: str = ""  # on a person's last move, or on the whole game when it is over
    turned: int | None = None  # the number of moves before the visitor's decisive mistake
    better: int | None = None  # the move that would have been better there
    reason: str = ""  # why it would have been better
    hint: str = ""
    step: int = 1  # which step of the hint is shown
    steps: int = 1  # number of steps of the hint
    hinted: tuple[int, ...] = ()  # the moves that the hint names
    label: str = ""  # the advised move as players speak of it; given with the last step
    explanation: Explanation | None = None  # why that move is good
    dominoes: tuple[tuple[int, int], ...] = ()  # the pairs of numbers in the explanation
    verdicts: Mapping[int, Verdict] = {}  # of each legal move
    slipped: bool = False  # whether the computer has just made a mistake


NO_LINKS, NO_COACHING, NOTHING_MASTERED = Links(), Coaching(), Mastered()

FREE = "free"
"""The note in a browser's cookie that the visitor has skipped the lesson of a first game."""


@dataclass(frozen=True)
class GamePage:
    """The page of a duel: the values it is made from, and what the template shows of them."""

    duel: DuelRecord
    seats: frozenset[int]  # the visitor's seats; empty if they only watch
    look: int | None = None  # show the position after this number of moves instead
    preferences: Preferences = DEFAULT_PREFERENCES
    links: Links = NO_LINKS
    coaching: Coaching = NO_COACHING
    mastered: Mastered = NOTHING_MASTERED  # what this browser has mastered of this game
    helped: frozenset[str] = frozenset()  # this browser's notes on hints in this duel

    # The game and its players.

    @property
    def game(self) -> Game[Any]:
        return self.duel.table.game

    @cached_property
    def names(self) -> tuple[str, str]:
        """What each player is called in a sentence: "You", a given name, or "The computer"."""
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
        """Which round of the match this is; empty if the match has only one."""
        match = self.duel.match
        return match.round_line() if match.setup.rounds > 1 else ""

    @property
    def coin(self) -> bool:
        """Whether to say that a coin toss decided who begins."""
        match = self.duel.match
        return match.setup.coin and match.round == 1 and self.count < 2

    @property
    def begins(self) -> str:
        first = self.duel.table.first
        return "You begin" if self.seats == {first} else f"{self.names[first - 1]} begins"

    @property
    def score(self) -> str:
        """The score of a match of several rounds, or of a single round and its rematches."""
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
        """Who won a match of several rounds; empty until it is over."""
        match = self.duel.match
        return match.result_line(self.names) if match.over and match.setup.rounds > 1 else ""

    # The board.

    @cached_property
    def looking(self) -> int | None:
        """The number of moves before the position that is looked back at; None if it is none."""
        return self.look if self.look is not None and 0 <= self.look < self.count else None

    @property
    def count(self) -> int:
        return len(self.duel.table.moves)

    @cached_property
    def _past(self) -> list[Last]:
        return past_of(self.duel.table, self.count)

    @cached_property
    def _position(self) -> Any:
        table = self.duel.table
        return table.position if self.looking is None else table.position_at(self.looking)

    @cached_property
    def scene(self) -> Scene:
        """The shown position."""
        past = self._past if self.looking is None else past_of(self.duel.table, self.looking)
        return self.game.words.scene(self._position, past)

    @cached_property
    def board(self) -> Board:
        """The board, marked with the coach's verdicts, hint or explanation."""
        coaching, words = self.coaching, self.game.words
        scene, explanation = self.scene, coaching.explanation
        if explanation is not None:
            scene = words.explained(scene, coaching.hinted[0], explanation)
        elif coaching.turned is not None and coaching.better is not None and self.looking is None:
            scene = words.scene_with_mistake(scene, self._past, coaching.turned, coaching.better)
        return board(
            scene,
            coaching.verdicts,
            self.names,
            seat=self._position.mover,
            hinted=coaching.hinted,
            allowed=self.allowed,
        )

    @property
    def large(self) -> bool:
        """Whether the board is too large for a screen."""
        return len(self.scene.cells) >= LARGE_BOARD_CELLS

    @property
    def allowed(self) -> bool:
        """Whether a large board shows only the legal moves."""
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
        """Whether the visitor must decide whether to take over the first move."""
        return self._is_to_decide and self.duel.table.swap_open

    @property
    def can_hint(self) -> bool:
        """Whether the visitor can ask for a hint."""
        return self._is_to_decide and (self.coach or self.can_coach)

    @property
    def can_coach(self) -> bool:
        """Whether the visitor may switch the coach on and off, as the only person who plays."""
        people = self.duel.match.setup.players.count(HUMAN)
        return bool(self.seats) and people == 1 and self.duel.terms.room is None

    @property
    def coach(self) -> bool:
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
        """Whether the visitor has asked for something and waits for the other player's answer."""
        return self.duel.asking in self.seats

    @property
    def asked_by(self) -> int | None:
        """The seat of another player who asks to take back a move, or for a rematch."""
        return None if self.asking else self.duel.asking

    @property
    def fresh(self) -> bool:
        """Whether none of the other players has moved yet."""
        return not any(seat in self.duel.table.movers for seat in {1, 2} - self.seats)

    # The path.

    @cached_property
    def step(self) -> int:
        """The number of the path's step that this match is; 0 if it is none."""
        return step_of(self.duel.match.setup) if self.can_coach else 0

    @property
    def hint_note(self) -> str:
        """The note that a hint was given in this round: "h" and the round's index."""
        return f"h{len(self.duel.rounds) - (self.outcome is not None)}"

    @property
    def earned(self) -> Mastered:
        """The stars and the medal that the visitor has earned with this round."""
        setup = self.duel.match.setup
        if not (self.can_coach and self.yours_won):
            return NOTHING_MASTERED
        hinted = self.hint_note in self.helped
        won = stars(setup, undone=self.duel.undone, hinted=hinted) if self.step else 0
        beaten = setup.players[1] if earns_medal(setup) and character(setup.players[1]) else ""
        return Mastered((*[0] * (self.step - 1), won), frozenset(filter(None, [beaten])))

    @cached_property
    def path(self) -> PathView | None:
        """The path of the game, if this match is one of its steps."""
        return path_view(type(self.game), self.mastered, self.step) if self.step else None

    @cached_property
    def taps(self) -> tuple[Tap, ...]:
        """The moves that the lesson still asks for; empty if this is no lesson."""
        taps = self.path.here.step.taps if self.path else ()
        table = self.duel.table
        moves = [move for move, seat in zip(table.moves, table.movers, strict=True) if seat == 1]
        planned = moves == [tap.move for tap in taps[: len(moves)]]
        is_on = planned and self.outcome is None and FREE not in self.helped
        return taps[len(moves) :] if is_on and self.looking is None else ()

    @property
    def tap(self) -> Tap | None:
        """The move that the lesson asks for now."""
        return self.taps[0] if self.taps and self.can_move else None

    @property
    def offers_sound(self) -> bool:
        """Whether to offer sounds, which happens once, after the first game."""
        return bool(self.seats and self.outcome) and self.preferences.sound is None

    # Sentences.

    @cached_property
    def outcome(self) -> Outcome | None:
        return self.duel.table.outcome

    @property
    def yours_won(self) -> bool:
        return self.outcome is not None and self.outcome.winner in self.seats

    @property
    def thinking(self) -> bool:
        """Whether the computer is to decide."""
        return self.duel.computer is not None and self.looking is None

    @property
    def tone(self) -> str:
        """The state of the page: "over", "watching", "yours" (the visitor's turn) or "waiting"."""
        if self.duel.deciding is None:
            return "over"
        if not self.seats:
            return "watching"
        return "yours" if self.duel.deciding in self.seats else "waiting"

    @property
    def won(self) -> str:
        """Who won the round; empty until it is over."""
        if self.outcome is None:
            return ""
        winner = self.outcome.winner
        if winner is None:
            return "Nobody wins"
        return "You win!" if self.seats == {winner} else f"{self.names[winner - 1]} wins"

    @property
    def headline(self) -> str:
        """The headline of a round that is over: who won, or that the visitor could have won."""
        return self.coaching.comment if self.coaching.turned is not None else self.won

    @cached_property
    def why(self) -> str:
        """Why the round ended; empty until it is over."""
        end = table_ending(self.duel.table, self.outcome)
        return "" if end is None else end.why(self.game, self.names)

    @cached_property
    def sentence(self) -> str:
        """Whose turn it is; when the round is over, who won and why."""
        seat, swap_open = self.duel.deciding, self.duel.table.swap_open
        if seat is None:
            return self.won if self.won.endswith("!") else with_reason(self.won, self.why)
        if seat in self.seats and swap_open:
            return "Do you want to take over what was played?"
        if self.seats == {seat}:
            return "Your turn"
        name = self.names[seat - 1]
        if self.duel.computer is not None:
            return f"{name} is thinking"
        return f"{name} may take over what was played" if swap_open else f"{name}'s turn"

    @property
    def latest_event(self) -> str:
        """The latest event in a sentence; empty if the board shows it, as it shows a move."""
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
                seat = table.first if taken else other(table.first)  # who decided
                if seat in self.seats:
                    return "It is yours now." if taken else ""
                if taken:
                    return f"{self.names[seat - 1]} has taken it over."
                return f"{self.names[seat - 1]} does not take it over."
        return ""

    @property
    def news(self) -> str:
        """What has just happened, for a screen reader."""
        sentences = [self.latest_event] if self.latest_event else []
        if self._past and not isinstance(self.duel.latest, Away | Back):
            last, table, words = self._past[-1], self.duel.table, self.game.words
            seat = table.movers[-1]
            if self.seats == {seat}:
                sentences.append(f"Your move: {words.move_label(*last)}.")
            else:
                moved = words.moved(*last, table.position, self.names[seat - 1])
                sentences.append(f"{moved}.")
        if not self.thinking:
            sentences.append(self.sentence)
        if self.outcome is not None and self.won.endswith("!"):
            sentences.append(f"{self.why}.")
        if self.asked_by:
            sentences.append(self.request)
        return " ".join(sentences)

    @property
    def request(self) -> str:
        """What the other player asks for, in a sentence."""
        name = self.names[(self.asked_by or 1) - 1]
        if self.duel.match.over:
            return f"{name} wants a rematch."
        return f"{name} asks to take back their last move."
