"""The end of a server: nobody begins anything on a connection that will not last."""

from __future__ import annotations

import asyncio

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from numduel.web.problems import Busy, status_of


class Parting:
    """While the server stops, each answer is the last on its connection."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_parting(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                # A connection that came in the very moment of the end was not told by uvicorn.
                if self.app.state.site.stopping:
                    MutableHeaders(scope=message)["connection"] = "close"
            await send(message)

        try:
            await self.app(scope, receive, send_parting)
        except asyncio.CancelledError:  # it took longer than the end may
            if started:
                raise
            problem = Busy("The server is stopping.")
            busy = JSONResponse({"error": str(problem)}, status_of(problem))
            await busy(scope, receive, send_parting)
