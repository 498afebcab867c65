"""What proves a verdict: what a proof is, and how its parts are read, whatever they are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeGuard

from numduel.core.errors import CertificateError
from numduel.core.numerals import quoted
from numduel.core.verdict import Verdict

Parts = Mapping[str, Any]


class Proof(NamedTuple):
    """A proof of a verdict; docs/certificates.md says what each kind has and means."""

    kind: str
    parts: Parts
    distance: bool  # whether it proves the distance as well


Check = Callable[[Any, Parts, Verdict], Verdict]
"""Given the position, the parts of a proof and the verdict that it is said to prove: what it does
prove, without the distance where that is not proved; CertificateError where it is no proof."""


def take(parts: Parts, *names: str) -> list[Any]:
    """The parts of these names, if there are just these."""
    for name in names:
        if name not in parts:
            raise CertificateError(f"there is no {quoted(name)}")
    for name in parts:
        if name not in names:
            raise CertificateError(f"there is {quoted(name)}, which does not belong there")
    return [parts[name] for name in names]


def take_list(parts: Parts, name: str, most: int) -> list[Any]:
    """The list of that name, of at most so many members."""
    found = parts.get(name)
    if type(found) is not list:
        raise CertificateError(f"{quoted(name)} must be a list, not {quoted(found)}")
    if len(found) > most:
        raise CertificateError(f"{quoted(name)} has {len(found):,} members: more than {most:,}")
    return found


def is_whole(value: object, low: int, high: int) -> TypeGuard[int]:
    """Whether a value, of whatever type, is a whole number between two bounds."""
    return type(value) is int and low <= value <= high
