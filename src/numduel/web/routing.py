"""The routes of pages, which need only Starlette: the exported site has no FastAPI."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import Scope

from numduel.web.identity import is_name

Page = Callable[..., Awaitable[Response]]
"""A function that takes a request and, as keyword arguments, the keys in its path."""


class PageRoute(Route):
    """A route that adds itself to the scope of a request, for metrics and the log."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return whether the route answers a request, and what it adds to the scope."""
        match, added = super().matches(scope)
        return match, {**added, "route": self}


class PageRouter:
    """The routes of one feature. A path with a malformed key is not found."""

    def __init__(self) -> None:
        self.routes: list[PageRoute] = []

    def get(self, path: str) -> Callable[[Page], Page]:
        """Return a decorator: the page answers GET requests to that path."""
        return partial(self._add, path, "GET")

    def post(self, path: str) -> Callable[[Page], Page]:
        """Return a decorator: the page answers POST requests to that path."""
        return partial(self._add, path, "POST")

    def _add(self, path: str, method: str, page: Page) -> Page:
        endpoint = _endpoint(page)
        self.routes.append(PageRoute(path, endpoint, methods=[method], include_in_schema=False))
        return page


def _endpoint(page: Page) -> Callable[[Request], Awaitable[Response]]:
    parameters = [*inspect.signature(page).parameters][1:]

    async def endpoint(request: Request) -> Response:
        keys = request.path_params
        if not all(map(is_name, keys.values())):
            raise HTTPException(404)
        return await page(request, **{name: keys[name] for name in parameters})

    return endpoint
