"""The application in a browser: its pages, and how it answers the browser's requests."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.routing import BaseRoute
from starlette.types import Message, Scope

from numduel.core.errors import NumduelError, TooLarge
from numduel.site.storage import (
    BrowserDuelStore,
    BrowserRecordStore,
    CookieJar,
    MemoryStorage,
    Storage,
    StorageFull,
)
from numduel.web import certificates, chains, cookies, home, lessons
from numduel.web.duels import pages as duels
from numduel.web.duels import setup_pages
from numduel.web.html import answer_bug, answer_error
from numduel.web.identity import Client, client_from
from numduel.web.notifications import Notifications
from numduel.web.puzzles import challenges
from numduel.web.puzzles import pages as puzzles
from numduel.web.reviews import pages as reviews
from numduel.web.services import MAX_ANALYSIS_SECONDS, MAX_MOVE_SECONDS, Services
from numduel.web.thinking import too_slow

T = TypeVar("T")

PAGES = (
    *(home, puzzles, chains, challenges, setup_pages, duels),
    *(cookies, reviews, lessons, certificates),
)
"""The features that need no other person."""

ENTRY = "/?to="
"""Precedes the path of a page in a link, because only the first page exists as a file."""

_LINKS = re.compile(rb' (href|src|action|data-events)="/(?!/)')
_PAUSE_SECONDS = 0.01  # before we compute: lets an answer that is ready be sent

SetTimeout = Callable[[float], object]
"""Interrupts Python after this number of seconds; never if it is 0."""


class InlineThinking:
    """Answers questions in the only thread that there is: see Thinking."""

    def __init__(self, seconds: float, set_timeout: SetTimeout) -> None:
        self.seconds = seconds  # time limit of an answer
        self._set_timeout = set_timeout

    async def ask(self, client: Client, about: Callable[..., T], *arguments: object) -> T:
        await asyncio.sleep(_PAUSE_SECONDS)
        self._set_timeout(self.seconds)
        try:
            return about(*arguments)
        except KeyboardInterrupt:
            raise too_slow(self.seconds) from None
        except (MemoryError, RecursionError):
            raise TooLarge("it takes more memory than is allowed here") from None
        finally:
            self._set_timeout(0)


class BrowserSite(Services):
    """What all pages share, in a browser."""

    is_server = False
    entry = ENTRY

    def __init__(self, storage: Storage, set_timeout: SetTimeout) -> None:
        super().__init__(
            BrowserDuelStore(storage),
            BrowserRecordStore(storage),
            Notifications(),
            quick=InlineThinking(MAX_MOVE_SECONDS, set_timeout),
            slow=InlineThinking(MAX_ANALYSIS_SECONDS, set_timeout),
        )


def rebased(html: bytes, base: str) -> bytes:
    """Return a page with all of its links below the path `base`."""
    return _LINKS.sub(rb' \1="%s/' % base.encode(), html)


class BrowserApp:
    """The application below the path `base`, such as `/numduel`, or at the root if it is empty."""

    def __init__(
        self,
        storage: Storage,
        base: str = "",
        set_timeout: SetTimeout = lambda seconds: None,
        documented: bool = False,
    ) -> None:
        self.base = base
        self._cookies = CookieJar(storage)
        routes: list[BaseRoute] = [route for pages in PAGES for route in pages.router.routes]
        handlers = {NumduelError: answer_error, HTTPException: answer_error, Exception: answer_bug}
        self._app = Starlette(routes=routes, exception_handlers=handlers)
        self._app.state.services = BrowserSite(storage, set_timeout)
        self._app.state.services.documented = documented

    async def answer(
        self,
        method: str,
        url: str,
        content_type: str,
        body: bytes,
        begin: Callable[[int, str], object],
        send: Callable[[bytes, bool], object],
    ) -> None:
        """Answer a request: call `begin` with the status and the headers as JSON, and then `send`.

        `send` is called with each part of the body, and whether more parts follow. It returns False
        if nobody is listening any more.
        """
        target = urlsplit(url)
        if target.path == f"{self.base}/" and target.query.startswith("to=/"):
            to = url.partition(ENTRY)[2].lstrip("/")
            begin(HTTPStatus.SEE_OTHER, json.dumps([["location", f"{self.base}/{to}"]]))
            send(b"", False)
            return
        is_html, storage_error = False, None
        received: list[Message] = [{"type": "http.request", "body": bytes(body)}]

        async def receive() -> Message:
            return received.pop() if received else await asyncio.Future()  # never disconnects

        async def reply(message: Message) -> None:
            nonlocal is_html, storage_error
            if storage_error is not None:  # we send this error instead, see below
                return
            if message["type"] == "http.response.start":
                headers = [(name.decode(), value.decode()) for name, value in message["headers"]]
                try:
                    cookies = [value for name, value in headers if name == "set-cookie"]
                    await self._cookies.store(cookies)
                except StorageFull as error:
                    storage_error = error
                    return
                is_html = dict(headers).get("content-type", "").startswith("text/html")
                begin(message["status"], json.dumps([*map(self._rebased, headers)]))
                return
            part = message.get("body", b"")
            if is_html and self.base:
                part = rebased(part, self.base)
            if not send(part, message.get("more_body", False)):
                raise OSError("nobody is listening")

        scope = await self._scope(method, url, content_type)
        with suppress(ClientDisconnect):
            await self._app(scope, receive, reply)
        if storage_error is not None:
            response, storage_error = await answer_error(Request(scope), storage_error), None
            await response(scope, receive, reply)

    async def _scope(self, method: str, url: str, content_type: str) -> Scope:
        target = urlsplit(url)
        cookies = await self._cookies.header(target.path.removeprefix(self.base))
        headers = {"host": target.netloc, "content-type": content_type, "cookie": cookies}
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": method,
            "scheme": target.scheme,
            "path": unquote(target.path),
            "raw_path": target.path.encode(),
            "root_path": self.base,
            "query_string": target.query.encode(),
            "headers": [(name.encode(), text.encode()) for name, text in headers.items() if text],
            "server": (target.hostname, target.port),
            "client": None,
            "state": {},
            "app": self._app,
        }
        request = Request(scope)
        request.state.client = client_from(request, head_only=False)
        return scope

    def _rebased(self, header: tuple[str, str]) -> tuple[str, str]:
        name, value = header
        is_own = name == "location" and value.startswith("/")
        return name, f"{self.base}{value}" if is_own else value


async def warm_up() -> None:
    """Render the first page once, so that all it needs is imported and cached."""
    app = BrowserApp(MemoryStorage())
    url = "http://localhost/"
    await app.answer("GET", url, "", b"", lambda status, headers: None, lambda part, more: True)
