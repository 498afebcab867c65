"""Who sends a request; and the names of games, secrets of seats and codes of rooms.

The security middleware makes the client of a request, and the pages pass it on.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
from collections.abc import Iterable
from functools import lru_cache

from starlette.requests import Request

MAX_KEY_LENGTH = 64
"""Maximum number of characters of a name or a secret."""

FORM = f"^[A-Za-z0-9_-]{{1,{MAX_KEY_LENGTH}}}$"
"""The regular expression of a name, a code, a secret or a game's key in a path."""

Key = str
"""A text of this form, which was checked when the request was routed."""

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which look like 1 and 0
_CODE_LENGTH = 5
_BETWEEN = "."  # which no secret contains


def new_name() -> str:
    """Return a new public name for a game; with it one can watch."""
    return secrets.token_urlsafe(9)


def is_name(text: str) -> bool:
    """Return whether a text has the form of a name or a key."""
    return re.fullmatch(FORM, text) is not None


def new_secret() -> str:
    """Return a new secret for a seat; with it one can move."""
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """Return the hash that is stored of a secret; a plain one, as secrets are random and long."""
    return hashlib.sha256(secret.encode()).hexdigest()


def joined(*secrets: str | None) -> str:
    """Join secrets in one text, as a cookie holds those of both seats of a game."""
    return _BETWEEN.join(dict.fromkeys(filter(None, secrets)))


def parted(text: str) -> list[str]:
    """Return the secrets of such a text, two at most."""
    return text.split(_BETWEEN, 2)[:2]


def new_code() -> str:
    """Return a new short code for a room, to be read from a board."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))


def read_code(typed: str) -> str:
    """Return the code that a pupil typed, in its one form."""
    return "".join(typed.split()).upper()[: _CODE_LENGTH + 1]


_SECRET_COOKIES = ("seat", "pupil", "teacher")
_BEARER = "bearer "
_TICKET = "/join/"  # in front of the ticket of a room
_MAX_COOKIES = 50
_COOKIE = re.compile(rb"(?:^|;)[ \t]*([a-z]{1,20})=([A-Za-z0-9_.-]{1,500})[ \t]*(?=;|$)")


class Client:
    """The sender of a request.

    Many people can share one address, so those who have shown the right secret of a seat in a
    duel or of a place in a room are told apart by it.
    """

    def __init__(self, prefix: str, shown: Iterable[str] = (), *, head_only: bool = False) -> None:
        self.prefix = prefix  # the address, or the network for IPv6
        self.shown = frozenset(shown)  # hashes of the secrets in the request, right or wrong
        self.proven: set[tuple[str, str]] = set()  # a duel's name or a room's code, and a hash
        self.head_only = head_only  # whether only the headers of the answer are asked for

    @property
    def person(self) -> str:
        """The hash of a proven secret, which a pupil has in all games of a room; may be empty."""
        return min((secret for _, secret in self.proven), default="")

    def prove(self, where: str, right: Iterable[str | None]) -> None:
        """Record which of the right hashes of a duel or a room the request has shown."""
        self.proven.update((where, one) for one in self.shown.intersection(right) if one)

    def grant(self, where: str, secrets: str) -> None:
        """Record that the client is given secrets of a duel or a room by the answer."""
        self.proven.update((where, hashed(secret)) for secret in parted(secrets))


SERVER = Client("")
"""The client for whom the server does what nobody has asked for."""


def client_of(request: Request) -> Client:
    """Return the sender of a request."""
    client: Client = request.state.client
    return client


def sender_of(request: Request, head_only: bool) -> Client:
    """Make the client of a new request, with the secrets that it shows."""
    given = request.headers.get("authorization", "")
    texts = [given[len(_BEARER) :]] if given[: len(_BEARER)].lower() == _BEARER else []
    texts += [request.cookies[name] for name in _SECRET_COOKIES if name in request.cookies]
    if request.scope["path"].startswith(_TICKET):
        texts.append(request.scope["path"].removeprefix(_TICKET))
    shown = (hashed(secret) for text in texts for secret in parted(text))
    host = request.client.host if request.client else ""
    return Client(client_prefix(host), shown, head_only=head_only)


@lru_cache(10_000)
def client_prefix(host: str) -> str:
    """Return the address, or for IPv6 the /64 network, by which a client is counted."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host


def our_cookies(header: bytes) -> bytes:
    """Return the pairs of a Cookie header that may be ours: plain names, and plain values.

    Others may have been set by another site on the same host, and some take long to parse.
    """
    pairs = (match.expand(rb"\1=\2") for match in _COOKIE.finditer(header))
    return b"; ".join(pair for pair, _ in zip(pairs, range(_MAX_COOKIES), strict=False))
