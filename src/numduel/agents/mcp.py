"""A server of the Model Context Protocol over standard input and output, with games as tools."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncIterator
from typing import Any, cast

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, InputRequiredResult, TextContent
from pydantic import ValidationError

from numduel import __version__
from numduel.agents.mcp_games import Games
from numduel.core.errors import NumduelError
from numduel.core.numerals import quoted

MAX_MESSAGE_BYTES = 2**20
"""Maximum size of a message. A larger one ends the connection."""

INSTRUCTIONS = (
    "Two-player number games. `games` tells their rules; `start` begins one, in which you are "
    "Player 1; `play` makes your move, a whole number, and the opponent answers at once."
)

TOOLS = ("games", "start", "see", "picture", "play", "resign", "analyze")
HINT_TOOLS = ("hint", "verdict")
"""Tools that reveal good moves of an unfinished game."""


def run_server(hints: bool = False) -> None:
    """Serve one client until it disconnects or Ctrl-C is pressed; `hints`: offer HINT_TOOLS too."""
    # The thread that waits for a line cannot be interrupted. There is no stored data to lose.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    server = BoundedServer(
        "numduel", version=__version__, instructions=INSTRUCTIONS, log_level="CRITICAL"
    )
    games = Games(hints)
    for tool in (*TOOLS, *(HINT_TOOLS if hints else ())):
        server.add_tool(getattr(games, tool))
    server.run()
    if server.got_too_long_message:
        raise NumduelError(f"a message has at most {MAX_MESSAGE_BYTES:,} bytes")


class BoundedServer(MCPServer[Any]):
    """The SDK's server, with one-line error messages and a limit on the size of messages."""

    got_too_long_message = False

    async def run_stdio_async(self) -> None:
        """Serve until the input ends."""
        inner = self._lowlevel_server
        async with stdio_server(stdin=cast(Any, self._input_lines())) as (read, write):
            await inner.run(read, write, inner.create_initialization_options())

    async def _input_lines(self) -> AsyncIterator[str]:
        read = sys.stdin.buffer.readline
        while line := await anyio.to_thread.run_sync(read, MAX_MESSAGE_BYTES + 1):
            if len(line) > MAX_MESSAGE_BYTES:
                self.got_too_long_message = True
                return
            yield line.decode("utf-8", "replace")

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Return the result of a tool, or its error as one line."""
        try:
            await self._check_argument_names(name, arguments)
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            line = _error_line(error.__cause__ or error)
            return CallToolResult(content=[TextContent(type="text", text=line)], is_error=True)

    async def _check_argument_names(self, name: str, arguments: dict[str, Any]) -> None:
        """Raise ToolError for an argument that the tool does not have; the SDK ignores it."""
        schemas = {tool.name: tool.input_schema for tool in await self.list_tools()}
        known = schemas[name].get("properties", {}) if name in schemas else arguments
        for unknown in sorted(arguments.keys() - known):
            names = ", ".join(known) or "none"
            raise ToolError(f"{name} has no {quoted(unknown)}; its arguments are: {names}")


def _error_line(error: BaseException) -> str:
    if isinstance(error, NumduelError | ToolError):
        return " ".join(str(error).split())
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return f"this is a bug in numduel: {type(error).__name__}: {error}"
