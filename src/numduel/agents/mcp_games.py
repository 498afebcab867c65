"""The tools of the MCP server: numbered games of a client, whose opponent answers at once.

The client has seat 1. What it can ask for is bounded: the number of games, their size, and the
time of an answer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Image
from pydantic import Field

from numduel.agents.common import MAX_ACTIONS, truth
from numduel.core.errors import IllegalMove, RecordError, SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.record import Record, loads
from numduel.core.words import seat_name
from numduel.games import described, new
from numduel.games import games as known_games
from numduel.picture import WIDTH, card, png
from numduel.play.analysis import Analysis, analyze_record
from numduel.play.coach import advise
from numduel.play.event import Move, Resign
from numduel.play.game_loop import play_on
from numduel.play.match import Match
from numduel.play.setup import arrange
from numduel.play.table import TURN_LIMIT, table_ending
from numduel.players import HUMAN, check_fit, check_who, choices, player
from numduel.solver import theory_of

MAX_KEPT_GAMES = 100
"""Maximum number of games that are kept; the oldest finished one makes room for a new one."""

ANSWER_SECONDS = 20.0
"""Maximum time of an answer."""

MAX_GAME_SOLUTION_BYTES = 10 * 2**20
"""Maximum memory for the exact solution of a game."""

TableNumber = Annotated[int, Field(description="the number of the table, as `start` gives it")]


class Games:
    """The games of one client; each public method is a tool."""

    def __init__(self, hints: bool = False) -> None:
        """`hints`: whether the truth may be told while a game goes on."""
        self._hints = hints
        self._matches: dict[int, Match] = {}
        self._started = 0

    async def games(self) -> dict[str, Any]:
        """The games with their rules and settings, and the opponents."""
        listed = [described(one.key) for one in known_games()]
        return {"games": listed, "opponents": choices(served=True)}

    async def start(
        self,
        game: Annotated[str, Field(description="its key, as `games` gives it")],
        settings: Annotated[
            dict[str, bool | int | str | None],
            Field(description="those that are not at their default", default_factory=dict),
        ],
        opponent: Annotated[
            str, Field(description=f"who plays against you; {HUMAN}: you move for both")
        ] = "medium",
        first: Annotated[Literal[1, 2, "random"], Field(description="the seat that begins")] = 1,
        seed: Annotated[int | None, Field(description="repeats what is left to chance")] = None,
    ) -> dict[str, Any]:
        """Start a game. You are Player 1."""
        rules = self._shared(_check_size(new(game, **settings)))
        check_who(opponent, served=True)  # no program is run for a client
        check_fit(opponent, rules)
        players = (HUMAN, opponent)
        setup = arrange(rules, players=players, first=str(first), turn_limit=TURN_LIMIT, seed=seed)
        self._make_room()
        self._started += 1
        match = self._matches[self._started] = Match(setup)
        return self._shown(self._started, _play_on(match))

    async def see(self, table: TableNumber) -> dict[str, Any]:
        """A game as it stands."""
        return self._shown(table, [])

    async def picture(self, table: TableNumber) -> Image:
        """The board as a picture."""
        match = self._match(table)
        game, laid = match.setup.game, match.table
        scene = game.words.scene(laid.position, laid.past())
        headline = _result(match).rstrip(".") or scene.sentence
        data = png(card(scene, headline, f"{game.title}. {scene.aim}"), WIDTH)
        return Image(data=data, format="png")

    async def play(
        self,
        table: TableNumber,
        move: Annotated[int, Field(description="one of those that are `legal`")],
    ) -> dict[str, Any]:
        """Make a move; the opponent answers."""
        match = self._match(table)
        before = match.table.position
        match.apply(Move(move))
        return self._shown(table, [_moved(match, before, move), *_play_on(match)])

    async def resign(self, table: TableNumber) -> dict[str, Any]:
        """Give a game up."""
        self._match(table).apply(Resign(1))
        return self._shown(table, [])

    async def analyze(
        self,
        table: Annotated[int | None, Field(description="where the game was played")] = None,
        record: Annotated[
            dict[str, Any] | None, Field(description="or the game on paper, as `see` gives it")
        ] = None,
    ) -> dict[str, Any]:
        """Look back on a finished game: each move judged, and where it turned."""
        if self._going_on and not self._hints:
            going_on = ", ".join(map(str, self._going_on))
            raise SettingsError(f"first finish or resign what is under way: table {going_on}")
        if table is not None and record is None:
            found = _analysis(self._match(table).record())
        elif table is None and record is not None:
            found = _analysis(loads(json.dumps(record)))
        else:
            raise SettingsError("analyze one game: give its table, or its record")
        return {"says": found.story(), **found.as_dict()}

    async def hint(self, table: TableNumber) -> dict[str, Any]:
        """The move that the coach advises, and why."""
        match = self._match(table)
        if match.over:
            raise IllegalMove("hint", match.table.position, "the game is over")
        advice = advise(match.table.turn(ANSWER_SECONDS), swap_open=False)
        return {"move": advice.hint and advice.hint.move, "says": advice.line}

    async def verdict(self, table: TableNumber) -> dict[str, Any]:
        """What best play leads to, from here and after each move, for who is to move."""
        laid = self._match(table).table
        _check_time(laid.game, [laid.position])
        return truth(laid.game, laid.position)

    @property
    def _going_on(self) -> list[int]:
        """The tables at which a game is not finished."""
        return [table for table, match in self._matches.items() if not match.over]

    def _match(self, table: int) -> Match:
        if table not in self._matches:
            known = ", ".join(map(str, self._matches)) or "none yet"
            raise SettingsError(f"there is no such table; the tables are: {known}")
        return self._matches[table]

    def _shared(self, game: Game[Any]) -> Game[Any]:
        """Return an equal game of another table, if there is one, whose theory is known."""
        played = (match.setup.game for match in self._matches.values())
        return next((one for one in played if one == game), game)

    def _make_room(self) -> None:
        if len(self._matches) < MAX_KEPT_GAMES:
            return
        if len(self._going_on) == MAX_KEPT_GAMES:
            raise SettingsError(f"{MAX_KEPT_GAMES} games are under way: finish or resign one first")
        del self._matches[next(at for at, match in self._matches.items() if match.over)]

    def _shown(self, table: int, happened: list[str]) -> dict[str, Any]:
        match = self._match(table)
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


def _analysis(record: Record) -> Analysis:
    """Judge each move of a record; RecordError, or TooLarge if that takes too long."""
    if len(record.moves) > TURN_LIMIT:
        raise RecordError(f"a record has at most {TURN_LIMIT:,} moves here")
    game = _check_size(new(record.game, **record.settings))
    _check_time(game, [*record.positions(game)])
    return analyze_record(game, record)


def _check_size(game: Game[Any]) -> Game[Any]:
    """Return the game; SettingsError or TooLarge if it is too large for a client."""
    if len(game.actions) > MAX_ACTIONS:
        raise SettingsError(
            f"{game.title} has {len(game.actions):,} moves at these settings; "
            f"here at most {MAX_ACTIONS:,} are allowed"
        )
    if theory_of(game).cost(game.start()).bytes > MAX_GAME_SOLUTION_BYTES:
        raise TooLarge(
            f"the exact solution of {game.title} takes too much memory at these settings"
        )
    return game


def _check_time(game: Game[Any], positions: Sequence[Any]) -> None:
    """Raise TooLarge if it would take too long to judge all of these positions."""
    costs = [theory_of(game).cost(position) for position in positions]
    if costs[0].once + sum(2 * cost.solve + cost.evaluate for cost in costs) > ANSWER_SECONDS:
        raise TooLarge(f"{game.title} takes too long to work out at this size")


def _play_on(match: Match) -> list[str]:
    """Let the opponent move for as long as it is its turn; return what it did, in sentences."""
    opponent = player(match.setup.players[1])
    if opponent is None:
        return []
    said = []
    with closing(opponent):
        steps = play_on(match.table, (None, opponent), ANSWER_SECONDS, match.apply)
        for before, event, failure in steps:
            if failure is not None:
                said.append(f"{seat_name(failure.seat)} forfeits: {failure.why}.")
            elif isinstance(event, Move):
                said.append(_moved(match, before, event.move))
    return said


def _moved(match: Match, before: Any, move: int) -> str:
    """Return the last move in a sentence."""
    words, who = match.setup.game.words, seat_name(before.mover)
    return f"{words.moved(before, move, match.table.position, who)}."


def _result(match: Match) -> str:
    """Return who won, and why; empty while the game goes on."""
    end = table_ending(match.table, match.table.outcome)
    return "" if end is None else end.sentence(match.setup.game)
