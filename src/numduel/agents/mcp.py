"""The games for whatever speaks the Model Context Protocol, over standard input and output."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal, cast

import anyio
from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, InputRequiredResult, TextContent
from pydantic import Field, ValidationError

from numduel import __version__
from numduel.agents.tables import Tables, looked_back
from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import quoted
from numduel.core.record import loads
from numduel.games import described
from numduel.games import games as known_games
from numduel.players import HUMAN, choices

LONGEST_MESSAGE = 2**20
"""A message of more bytes ends the connection."""

INSTRUCTIONS = (
    "Two-player number games. `games` tells their rules; `start` begins one, in which you are "
    "Player 1; `play` makes your move, a whole number, and the opponent answers at once."
)

Table = Annotated[int, Field(description="the number of the table, as `start` gives it")]


def server(hints: bool = False) -> Server:
    """A server for one client; `hints`: whether it tells what is best while a game goes on."""
    tables = Tables()
    made = Server("numduel", version=__version__, instructions=INSTRUCTIONS, log_level="CRITICAL")

    @made.tool()
    async def games() -> dict[str, Any]:
        """The games with their rules and settings, and the opponents."""
        listed = [described(one.key) for one in known_games()]
        return {"games": listed, "opponents": choices(served=True)}

    @made.tool()
    async def start(
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
        return tables.start(game, settings, opponent, str(first), seed)

    @made.tool()
    async def see(table: Table) -> dict[str, Any]:
        """A game as it stands."""
        return tables.see(table)

    @made.tool()
    async def picture(table: Table) -> Image:
        """The board as a picture."""
        return Image(data=tables.picture(table), format="png")

    @made.tool()
    async def play(
        table: Table, move: Annotated[int, Field(description="one of those that are `legal`")]
    ) -> dict[str, Any]:
        """Make a move; the opponent answers."""
        return tables.play(table, move)

    @made.tool()
    async def resign(table: Table) -> dict[str, Any]:
        """Give a game up."""
        return tables.resign(table)

    @made.tool()
    async def analyze(
        table: Annotated[int | None, Field(description="where the game was played")] = None,
        record: Annotated[
            dict[str, Any] | None, Field(description="or the game on paper, as `see` gives it")
        ] = None,
    ) -> dict[str, Any]:
        """Look back on a finished game: each move judged, and where it turned."""
        if tables.under_way and not hints:
            under_way = ", ".join(map(str, tables.under_way))
            raise SettingsError(f"first finish or resign what is under way: table {under_way}")
        if table is not None and record is None:
            found = looked_back(tables.record(table))
        elif table is None and record is not None:
            found = looked_back(loads(json.dumps(record)))
        else:
            raise SettingsError("analyze one game: give its table, or its record")
        return {"says": found.story(), **found.as_dict()}

    if hints:

        @made.tool()
        async def hint(table: Table) -> dict[str, Any]:
            """The move that the coach advises, and why."""
            advice = tables.hint(table)
            return {"move": advice.move, "says": advice.line}

        @made.tool()
        async def verdict(table: Table) -> dict[str, Any]:
            """What best play leads to, from here and after each move, for who is to move."""
            return tables.truth(table)

    return made


def serve(hints: bool = False) -> None:
    """Serve the client at standard input and output until it hangs up, or Ctrl-C."""
    # The reader below waits for a line, whatever happens; and nothing is kept that could be lost.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    made = server(hints)
    made.run()
    if made.overrun:
        raise NumduelError(f"a message has at most {LONGEST_MESSAGE:,} bytes")


class Server(MCPServer[Any]):
    """The SDK's, with errors of one line and messages of bounded length."""

    overrun = False  # whether a message was too long

    async def run_stdio_async(self) -> None:
        """Serve until the input ends."""
        inner = self._lowlevel_server
        async with stdio_server(stdin=cast(Any, self._lines())) as (read, write):
            await inner.run(read, write, inner.create_initialization_options())

    async def _lines(self) -> AsyncIterator[str]:
        read = sys.stdin.buffer.readline
        while line := await anyio.to_thread.run_sync(read, LONGEST_MESSAGE + 1):
            if len(line) > LONGEST_MESSAGE:
                self.overrun = True
                return
            yield line.decode("utf-8", "replace")

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """The answer of a tool, or what was wrong."""
        try:
            await self._check_names(name, arguments)
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            line = _line(error.__cause__ or error)
            return CallToolResult(content=[TextContent(type="text", text=line)], is_error=True)

    async def _check_names(self, name: str, arguments: dict[str, Any]) -> None:
        """Refuse arguments that the tool does not have, which the SDK would pass over."""
        for tool in await self.list_tools():
            known = tool.input_schema.get("properties", {})
            for unknown in sorted(arguments.keys() - known) if tool.name == name else ():
                words = ", ".join(known) or "none"
                raise ToolError(f"{name} has no {quoted(unknown)}; its arguments are: {words}")


def _line(error: BaseException) -> str:
    if isinstance(error, NumduelError | ToolError):
        return " ".join(str(error).split())
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return f"something is broken inside: {type(error).__name__}: {error}"
