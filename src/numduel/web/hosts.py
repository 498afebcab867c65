"""By which names this server is known: a request for another name is meant for another site."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection

_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?")
_HEADER = re.compile(r"(?:\[([^\[\]]*)\]|([^:]*))(?::[0-9]{1,5})?")


def canonical(host: str) -> str:
    """A name or an address in its one form; nothing where it is neither."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        name = host.lower().removesuffix(".")
        return name if _NAME.fullmatch(name) else ""
    return str(getattr(address, "ipv4_mapped", None) or address)


def named(header: str) -> str:
    """Whom a Host header names, whatever the port."""
    found = _HEADER.fullmatch(header)
    return canonical(found[1] or found[2] or "") if found else ""


def is_ours(name: str, reached: str, known: Collection[str]) -> bool:
    """Whether that is us: the address at which we were reached, or a name that we are known by."""
    return bool(name) and (name in known or name == canonical(reached))
