"""The games of a client that is no person: numbered tables, with an opponent who answers at once.

The client sits in seat 1. What it asks for is bounded: how many games, how large, and what an
answer may take.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from numduel.agents.ground import MOST_ACTIONS, TURN_LIMIT, truth
from numduel.core.errors import IllegalMove, RecordError, SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.record import Record
from numduel.core.words import retraced, seat_name
from numduel.games import new
from numduel.picture.card import WIDTH, card
from numduel.picture.painting import painted
from numduel.play import coach
from numduel.play.analysis import Analysis, analyze
from numduel.play.arrange import arrange
from numduel.play.ending import table_ending
from numduel.play.event import Move, Resign
from numduel.play.match import Match
from numduel.players import HUMAN, check_fit, check_who, player
from numduel.solver import theory_of

MOST_TABLES = 100
"""So many games are kept; a finished one makes room for the next."""

SECONDS = 20.0
"""What an answer may take."""

MOST_BYTES = 10 * 2**20
"""What the exact solution of a game may take of memory."""


class Tables:
    """The games of one client."""

    def __init__(self) -> None:
        self._matches: dict[int, Match] = {}
        self._started = 0

    def start(
        self, key: str, settings: dict[str, Any], opponent: str, first: str, seed: int | None
    ) -> dict[str, Any]:
        """Start a game; the table, after what the opponent did if it begins."""
        game = self._known(_carried(new(key, **settings)))
        check_who(opponent, served=True)  # no program is run for a client
        check_fit(opponent, game)
        players = (HUMAN, opponent)
        match = Match(arrange(game, players=players, first=first, turn_limit=TURN_LIMIT, seed=seed))
        self._make_room()
        self._started += 1
        self._matches[self._started] = match
        return self._shown(self._started, _answer(match))

    def see(self, table: int) -> dict[str, Any]:
        """A table as it is."""
        return self._shown(table, [])

    def play(self, table: int, move: int) -> dict[str, Any]:
        """Make a move, which the opponent answers; IllegalMove."""
        match = self._at(table)
        return self._shown(table, [_moved(match, move), *_answer(match)])

    def resign(self, table: int) -> dict[str, Any]:
        """Give a game up; IllegalMove where it is over."""
        self._at(table).apply(Resign(1))
        return self._shown(table, [])

    def picture(self, table: int) -> bytes:
        """The board as PNG."""
        match = self._at(table)
        game, laid = match.setup.game, match.table
        scene = game.words.scene(*retraced(game, laid.first, laid.moves))
        headline = _result(match).rstrip(".") or scene.sentence
        return painted(card(scene, headline, f"{game.title}. {scene.aim}"), WIDTH)

    def hint(self, table: int) -> coach.Advice:
        """What the coach advises who is to move."""
        match = self._at(table)
        if match.over:
            raise IllegalMove("hint", match.table.position, "the game is over")
        return coach.advised(match.turn()._replace(seconds=SECONDS), swap_open=False)

    def truth(self, table: int) -> dict[str, Any]:
        """The verdict of the position, and of each move."""
        match = self._at(table)
        _check_reach(match.setup.game, [match.table.position])
        return truth(match.setup.game, match.table.position)

    def record(self, table: int) -> Record:
        """The game on paper."""
        return self._at(table).record()

    @property
    def under_way(self) -> list[int]:
        """The tables at which a game is not finished."""
        return [table for table, match in self._matches.items() if not match.over]

    def _at(self, table: int) -> Match:
        if table not in self._matches:
            known = ", ".join(map(str, self._matches)) or "none yet"
            raise SettingsError(f"there is no such table; the tables are: {known}")
        return self._matches[table]

    def _known(self, game: Game[Any]) -> Game[Any]:
        """The same game of another table, if there is one, with what was found out about it."""
        played = (match.setup.game for match in self._matches.values())
        return next((one for one in played if one == game), game)

    def _make_room(self) -> None:
        if len(self._matches) < MOST_TABLES:
            return
        if len(self.under_way) == MOST_TABLES:
            raise SettingsError(f"{MOST_TABLES} games are under way: finish or resign one first")
        del self._matches[next(at for at, match in self._matches.items() if match.over)]

    def _shown(self, table: int, happened: list[str]) -> dict[str, Any]:
        match = self._at(table)
        game, laid, over = match.setup.game, match.table, match.over
        position = laid.position
        return {
            "table": table,
            "happened": happened,
            "game": game.key,
            "settings": dict(game.settings.values),
            "players": {"1": "you", "2": match.setup.players[1]},
            "position": game.notation(position),
            "board": game.words.describe(position),
            "mover": None if over else position.mover,
            "legal": [] if over else [*game.moves(position)],
            "menu": {str(one.move): one.label for one in game.words.scene(position).choices},
            "moves": [*laid.moves],
            "result": _result(match),
            "record": json.loads(match.record().dumps()) if over else None,
        }


def looked_back(record: Record) -> Analysis:
    """Each move of a record judged; RecordError, or TooLarge where that takes too much."""
    if len(record.moves) > TURN_LIMIT:
        raise RecordError(f"a record has at most {TURN_LIMIT:,} moves here")
    game = _carried(new(record.game, **record.settings))
    _check_reach(game, [*record.positions(game)])
    return analyze(game, record)


def _carried(game: Game[Any]) -> Game[Any]:
    """The game, if it is not too large for a client."""
    if len(game.actions) > MOST_ACTIONS:
        raise SettingsError(
            f"{game.title} has {len(game.actions):,} moves at these settings; "
            f"here at most {MOST_ACTIONS:,} are allowed"
        )
    if theory_of(game).cost(game.start()).bytes > MOST_BYTES:
        raise TooLarge(
            f"the exact solution of {game.title} takes too much memory at these settings"
        )
    return game


def _check_reach(game: Game[Any], positions: Sequence[Any]) -> None:
    """Raise TooLarge where it would take too long to judge all of them."""
    costs = [theory_of(game).cost(position) for position in positions]
    if costs[0].once + sum(2 * cost.solve + cost.evaluate for cost in costs) > SECONDS:
        raise TooLarge(f"{game.title} takes too long to work out at this size")


def _moved(match: Match, move: int) -> str:
    """Make a move; what was done, in a sentence."""
    before = match.table.position
    match.apply(Move(move))
    words, who = match.setup.game.words, seat_name(before.mover)
    return f"{words.moved(before, move, match.table.position, who)}."


def _answer(match: Match) -> list[str]:
    """Let the opponent move for as long as it is to; what it did, in sentences."""
    said = []
    while not match.over and (opponent := player(match.mover)) is not None:
        with closing(opponent):
            try:
                move = opponent.choose(match.turn()._replace(seconds=SECONDS))
                said.append(_moved(match, move))
            except Exception as error:  # whatever somebody else's player raises
                said.append(f"{seat_name(2)} forfeits: {error}.")
                match.apply(Resign(2))
    return said


def _result(match: Match) -> str:
    """Who won, and why; empty while the game goes on."""
    end = table_ending(match.table, match.table.outcome)
    return "" if end is None else end.sentence(match.setup.game)
