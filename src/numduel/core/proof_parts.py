"""A proof of a verdict, and functions that read its parts from untrusted input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeGuard

from numduel.core.errors import CertificateError
from numduel.core.numerals import quoted
from numduel.core.verdict import Verdict

Parts = Mapping[str, Any]


class Proof(NamedTuple):
    """A proof of a verdict. docs/certificates.md describes each kind and its parts.

    >>> import numduel
    >>> game = numduel.new("double-or-add", target=4)
    >>> game.theory.proofs(game.start())
    (Proof(kind='race', parts={'layer': 2, 'odd_from': 2}, distance=True),)
    """

    kind: str
    parts: Parts
    distance: bool  # whether it proves the distance as well


Check = Callable[[Any, Parts, Verdict], Verdict]
"""A function of the position, the parts of a proof and the claimed verdict.

It returns the verdict that the parts prove, without a distance if they do not prove the distance.
It raises `CertificateError` if they prove nothing.
"""


def take_parts(parts: Parts, *names: str) -> list[Any]:
    """Return the parts with these names. Raises `CertificateError` if one is missing or unknown.

    >>> take_parts({"layer": 2, "odd_from": 4}, "odd_from", "layer")
    [4, 2]
    """
    for name in names:
        if name not in parts:
            raise CertificateError(f"the part {quoted(name)} is missing")
    for name in parts:
        if name not in names:
            raise CertificateError(f"the part {quoted(name)} is unknown")
    return [parts[name] for name in names]


def take_list(parts: Parts, name: str, most: int) -> list[Any]:
    """Return the list with this name. Raises `CertificateError` if it is not a list or too long.

    >>> take_list({"pairs": [[1, 2]]}, "pairs", most=100)
    [[1, 2]]
    """
    found = parts.get(name)
    if type(found) is not list:
        raise CertificateError(f"{quoted(name)} must be a list, not {quoted(found)}")
    if len(found) > most:
        raise CertificateError(f"{quoted(name)} has {len(found):,} members: more than {most:,}")
    return found


def is_whole(value: object, low: int, high: int) -> TypeGuard[int]:
    """Return whether a value of any type is a whole number from `low` to `high`.

    >>> is_whole(3, 1, 10), is_whole(11, 1, 10), is_whole(True, 1, 10)
    (True, False, False)
    """
    return type(value) is int and low <= value <= high
