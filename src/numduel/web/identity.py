"""The sender of a request; names of games, secrets of seats and codes of rooms.

The security middleware sets the client of each request, and the pages pass it on.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
from collections.abc import Iterable
from functools import lru_cache

from starlette.requests import Request

MAX_KEY_LENGTH = 64  # of a name or a secret

# What a name, a code, a secret or a game's key in a path must match:
KEY_PATTERN = f"^[A-Za-z0-9_-]{{1,{MAX_KEY_LENGTH}}}$"
Key = str  # a text that was checked against this pattern when the request was routed

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which look like 1 and 0
_CODE_LENGTH = 5
_SEPARATOR = "."  # no secret contains it


def new_name() -> str:
    """Return a new public name for a game; whoever knows it can watch."""
    return secrets.token_urlsafe(9)


def is_name(text: str) -> bool:
    """Return whether a text can be a name or a key."""
    return re.fullmatch(KEY_PATTERN, text) is not None


def new_secret() -> str:
    """Return a new secret for a seat; whoever knows it can move."""
    return secrets.token_urlsafe(24)


def hash_secret(secret: str) -> str:
    """Return the hash of a secret to store; without salt, because secrets are long and random."""
    return hashlib.sha256(secret.encode()).hexdigest()


def join_secrets(*secrets: str | None) -> str:
    """Join secrets to one text; a cookie may hold those of both seats of a game."""
    return _SEPARATOR.join(dict.fromkeys(filter(None, secrets)))


def split_secrets(text: str) -> list[str]:
    """Return the secrets in such a text, at most two."""
    return text.split(_SEPARATOR, 2)[:2]


def new_code() -> str:
    """Return a new code for a room, short enough to be read from a board."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))


def read_code(typed: str) -> str:
    """Return the code that a pupil typed in canonical form."""
    return "".join(typed.split()).upper()[: _CODE_LENGTH + 1]


_SECRET_COOKIES = ("seat", "pupil", "teacher")
_BEARER = "bearer "
_TICKET = "/join/"  # before the ticket of a room in a path
_MAX_COOKIES = 50
_COOKIE = re.compile(rb"(?:^|;)[ \t]*([a-z]{1,20})=([A-Za-z0-9_.-]{1,500})[ \t]*(?=;|$)")


class Client:
    """The sender of a request.

    Many people can share one address. Those who have shown the right secret of a seat in a duel, or
    of a place in a room, are distinguished by it.
    """

    def __init__(self, prefix: str, shown: Iterable[str] = (), *, head_only: bool = False) -> None:
        self.prefix = prefix  # the address, or the network for IPv6
        self.shown = frozenset(shown)  # hashes of the secrets in the request, right or wrong
        self.proven: set[tuple[str, str]] = set()  # a duel's name or a room's code, and a hash
        self.head_only = head_only  # whether only the headers of the answer are wanted

    @property
    def person(self) -> str:
        """The hash of a proven secret, or empty; a pupil has the same one in all games."""
        return min((secret for _, secret in self.proven), default="")

    def prove(self, where: str, right: Iterable[str | None]) -> None:
        """Record which of the right hashes of a duel or a room are in the request."""
        self.proven.update((where, one) for one in self.shown.intersection(right) if one)

    def grant(self, where: str, secrets: str) -> None:
        """Record that the answer gives the client secrets of a duel or a room."""
        self.proven.update((where, hash_secret(secret)) for secret in split_secrets(secrets))


SERVER = Client("")  # the client for what the server does of its own accord


def client_of(request: Request) -> Client:
    """Return the sender of a request."""
    client: Client = request.state.client
    return client


def client_from(request: Request, head_only: bool) -> Client:
    """Return a Client for a new request, with the secrets in it."""
    given = request.headers.get("authorization", "")
    texts = [given[len(_BEARER) :]] if given[: len(_BEARER)].lower() == _BEARER else []
    texts += [request.cookies[name] for name in _SECRET_COOKIES if name in request.cookies]
    if request.scope["path"].startswith(_TICKET):
        texts.append(request.scope["path"].removeprefix(_TICKET))
    shown = (hash_secret(secret) for text in texts for secret in split_secrets(text))
    host = request.client.host if request.client else ""
    return Client(client_prefix(host), shown, head_only=head_only)


@lru_cache(10_000)
def client_prefix(host: str) -> str:
    """Return what counts as one client: the address, or for IPv6 its /64 network."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host


def our_cookies(header: bytes) -> bytes:
    """Return the pairs of a Cookie header that can be ours: plain names with plain values.

    Others may come from another site on the same host, and some take long to parse.
    """
    pairs = (match.expand(rb"\1=\2") for match in _COOKIE.finditer(header))
    return b"; ".join(pair for pair, _ in zip(pairs, range(_MAX_COOKIES), strict=False))
