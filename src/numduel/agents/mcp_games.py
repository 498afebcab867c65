"""The tools of the MCP server: a client's games, each at a numbered table.

The client has seat 1, and the opponent answers at once. There are limits on the number of games, on
their size, and on the time that an answer takes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Image
from pydantic import Field

from numduel.agents.common import game_for_text, truth
from numduel.core.errors import IllegalMove, RecordError, SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.game_text import GameText
from numduel.core.record import Record, loads
from numduel.core.words import Last, seat_name
from numduel.games import describe_game
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
"""Maximum number of games. The oldest finished one is deleted to make room for a new one."""

MAX_ANSWER_SECONDS = 20.0
"""Maximum time to compute an answer."""

MAX_GAME_SOLUTION_BYTES = 10 * 2**20
"""Maximum memory for the exact solution of a game."""

TableNumber = Annotated[int, Field(description="the number of the table, which `start` returns")]


class Games:
    """The games of one client; each public method is a tool."""

    def __init__(self, hints: bool = False) -> None:
        """`hints`: allow hints, verdicts and analyses while games are unfinished."""
        self._hints = hints
        self._matches: dict[int, Match] = {}
        self._started = 0

    async def games(self) -> dict[str, Any]:
        """The games with their rules and settings, and the opponents."""
        games = [describe_game(one.key) for one in known_games()]
        return {"games": games, "opponents": choices(served=True)}

    async def start(
        self,
        game: Annotated[str, Field(description="its key, which `games` returns")],
        settings: Annotated[
            dict[str, bool | int | str | None],
            Field(description="the settings that differ from their defaults", default_factory=dict),
        ],
        opponent: Annotated[
            str, Field(description=f"who plays against you; {HUMAN}: you move for both players")
        ] = "medium",
        first: Annotated[Literal[1, 2, "random"], Field(description="the seat that begins")] = 1,
        seed: Annotated[
            int | None, Field(description="the same seed repeats all random choices")
        ] = None,
    ) -> dict[str, Any]:
        """Start a game. You are Player 1."""
        rules = _check_memory(game_for_text(game, settings))
        check_who(opponent, served=True)  # clients must not run programs here
        check_fit(opponent, rules)
        players = (HUMAN, opponent)
        setup = arrange(rules, players=players, first=str(first), turn_limit=TURN_LIMIT, seed=seed)
        self._make_room()
        self._started += 1
        match = self._matches[self._started] = Match(setup)
        return self._view(self._started, _let_opponent_move(match))

    async def see(self, table: TableNumber) -> dict[str, Any]:
        """The current state of a game."""
        return self._view(table, [])

    async def picture(self, table: TableNumber) -> Image:
        """The board as a picture."""
        match = self._match(table)
        game = match.setup.game
        scene = game.words.scene(match.table.position, match.table.past())
        headline = _result_sentence(match).rstrip(".") or scene.sentence
        data = png(card(scene, headline, f"{game.title}. {scene.aim}"), WIDTH)
        return Image(data=data, format="png")

    async def play(
        self,
        table: TableNumber,
        move: Annotated[int, Field(description="one of the `legal` moves")],
    ) -> dict[str, Any]:
        """Make a move; the opponent answers."""
        match = self._match(table)
        made = Last(match.table.position, move)
        match.apply(Move(move))
        happened = [GameText(match.setup.game).moved(made), *_let_opponent_move(match)]
        return self._view(table, happened)

    async def resign(self, table: TableNumber) -> dict[str, Any]:
        """Resign a game."""
        self._match(table).apply(Resign(1))
        return self._view(table, [])

    async def analyze(
        self,
        table: Annotated[int | None, Field(description="the table of the game")] = None,
        record: Annotated[
            dict[str, Any] | None, Field(description="or a record, which `see` returns")
        ] = None,
    ) -> dict[str, Any]:
        """Analyze a finished game: judge each move, and say where the game turned."""
        if self._unfinished and not self._hints:
            tables = ", ".join(map(str, self._unfinished))
            raise SettingsError(f"first finish or resign the games under way: table {tables}")
        if table is not None and record is None:
            analysis = _analysis(self._match(table).record())
        elif table is None and record is not None:
            analysis = _analysis(loads(json.dumps(record)))
        else:
            raise SettingsError("analyze one game: give its table, or its record")
        return {"says": analysis.story(), **analysis.as_dict()}

    async def hint(self, table: TableNumber) -> dict[str, Any]:
        """The move that the coach advises, and why."""
        match = self._match(table)
        if match.over:
            raise IllegalMove("hint", match.table.position, "the game is over")
        advice = advise(match.table.turn(MAX_ANSWER_SECONDS), swap_open=False)
        return {"move": advice.hint and advice.hint.move, "says": advice.line}

    async def verdict(self, table: TableNumber) -> dict[str, Any]:
        """The exact verdict of the position and of each move, for the player to move."""
        game, position = self._match(table).table.game, self._match(table).table.position
        _check_time(game, [position])
        return truth(game, position)

    @property
    def _unfinished(self) -> list[int]:
        """The tables of unfinished games."""
        return [table for table, match in self._matches.items() if not match.over]

    def _match(self, table: int) -> Match:
        if table not in self._matches:
            known = ", ".join(map(str, self._matches)) or "none yet"
            raise SettingsError(f"there is no such table; the tables are: {known}")
        return self._matches[table]

    def _make_room(self) -> None:
        if len(self._matches) < MAX_KEPT_GAMES:
            return
        if len(self._unfinished) == MAX_KEPT_GAMES:
            raise SettingsError(f"{MAX_KEPT_GAMES} games are under way: finish or resign one first")
        del self._matches[next(table for table, match in self._matches.items() if match.over)]

    def _view(self, table: int, happened: list[str]) -> dict[str, Any]:
        """Return the state of a game, with sentences about what has just happened."""
        match = self._match(table)
        game, position, is_over = match.setup.game, match.table.position, match.over
        return {
            "table": table,
            "happened": happened,
            "game": game.key,
            "settings": dict(game.settings.values),
            "players": {"1": "you", "2": match.setup.players[1]},
            "position": game.notation(position),
            "board": game.words.describe(position),
            "mover": None if is_over else position.mover,
            "legal": [] if is_over else [*game.moves(position)],
            "menu": {str(one.move): one.label for one in game.words.scene(position).choices},
            "moves": [*match.table.moves],
            "result": _result_sentence(match),
            "record": json.loads(match.record().dumps()) if is_over else None,
        }


def _analysis(record: Record) -> Analysis:
    """Return the analysis of a record. Raises RecordError, or TooLarge if it takes too long."""
    if len(record.moves) > TURN_LIMIT:
        raise RecordError(f"a record has at most {TURN_LIMIT:,} moves here")
    game = _check_memory(game_for_text(record.game, record.settings))
    _check_time(game, [*record.positions(game)])
    return analyze_record(game, record)


def _check_memory(game: Game[Any]) -> Game[Any]:
    """Return the game. Raises TooLarge if its exact solution takes too much memory."""
    if theory_of(game).cost(game.start()).bytes > MAX_GAME_SOLUTION_BYTES:
        raise TooLarge(
            f"the exact solution of {game.title} takes too much memory at these settings"
        )
    return game


def _check_time(game: Game[Any], positions: Sequence[Any]) -> None:
    """Raise TooLarge if it takes too long to evaluate all of these positions."""
    costs = [theory_of(game).cost(position) for position in positions]
    if costs[0].once + sum(2 * cost.solve + cost.evaluate for cost in costs) > MAX_ANSWER_SECONDS:
        raise TooLarge(f"{game.title} takes too long to solve at these settings")


def _let_opponent_move(match: Match) -> list[str]:
    """Let the opponent move for as long as it is its turn, and return sentences about its moves."""
    opponent = player(match.setup.players[1])
    if opponent is None:
        return []
    sentences = []
    with closing(opponent):
        steps = play_on(match.table, (None, opponent), MAX_ANSWER_SECONDS, match.apply)
        for before, event, failure in steps:
            if failure is not None:
                sentences.append(f"{seat_name(failure.seat)} forfeits: {failure.why}.")
            elif isinstance(event, Move):
                sentences.append(GameText(match.setup.game).moved(Last(before, event.move)))
    return sentences


def _result_sentence(match: Match) -> str:
    """Return a sentence that says who won and why; empty while the game goes on."""
    end = table_ending(match.table, match.table.outcome)
    return "" if end is None else end.sentence(match.setup.game)
