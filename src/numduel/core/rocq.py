"""Terms of the proof assistant Rocq (formerly Coq). Their names are those of proofs/."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from numduel.core.errors import TooLarge
from numduel.core.proof_parts import Parts
from numduel.core.verdict import Verdict

MAX_UNARY = 1_000
"""Largest number that Rocq counts up to one by one."""

SEAT_TERMS = {1: "first", 2: "second"}


class Term(NamedTuple):
    """A game, a position, and the application of a theorem to the parts of a proof."""

    game: str
    position: str
    check: str


def list_term(values: Iterable[object]) -> str:
    """Return the term of a list.

    >>> list_term([1, 7, 14])
    '[1; 7; 14]'
    """
    return f"[{'; '.join(map(str, values))}]"


def pair_list_term(values: Iterable[Sequence[object]]) -> str:
    """Return the term of a list of pairs.

    >>> pair_list_term([(1, 2), (3, 6)])
    '[(1, 2); (3, 6)]'
    """
    return list_term(f"({one}, {two})" for one, two in values)


def option_term(value: object) -> str:
    """Return the term of a value that may be missing.

    >>> option_term(3), option_term(None)
    ('(Some 3)', 'None')
    """
    return "None" if value is None else f"(Some {value})"


def bool_term(value: bool) -> str:
    """Return the term of a truth value.

    >>> bool_term(True)
    'true'
    """
    return "true" if value else "false"


def claim(verdict: Verdict) -> str:
    """Return what a verdict claims of its position.

    >>> claim(Verdict("win", 3)), claim(Verdict("loss")), claim(Verdict("endless"))
    ('wins_in_ 3', 'loses_somehow', 'is_endless')
    """
    if verdict.value == "endless":
        return "is_endless"
    verb = "wins" if verdict.value == "win" else "loses"
    return f"{verb}_somehow" if verdict.distance is None else f"{verb}_in_ {verdict.distance}"


def check_unary(number: int) -> None:
    """Raise `TooLarge` if Rocq would have to count up to more than MAX_UNARY.

    >>> check_unary(2_000)
    Traceback (most recent call last):
        ...
    numduel.core.errors.TooLarge: Rocq checks such a proof up to 1,000, not 2,000
    """
    if number > MAX_UNARY:
        raise TooLarge(f"Rocq checks such a proof up to {MAX_UNARY:,}, not {number:,}")


def strategy_term(
    game: str, position: str, moves: str, mover: int, parts: Parts, verdict: Verdict
) -> Term:
    """Return a proof by strategies as a term. `moves` is the term of the game's numbered moves.

    >>> parts = {"wins": [[7, {"*": 0}]]}
    >>> strategy_term("nim 9", "9", "moves", 1, parts, Verdict("win")).check
    'strategy_checked (nim 9) moves first 1000%nat (9) [Node 7 [] 0]'
    """
    winner = SEAT_TERMS[mover if verdict.value == "win" else 3 - mover]
    rules, wins = f"({game}) {moves} {winner}", list_term(map(_node, parts["wins"]))
    if "holds" not in parts:
        return Term(game, position, f"strategy_checked {rules} 1000%nat ({position}) {wins}")
    holds = list_term(map(_node, parts["holds"]))
    check = f"strategies_checked {rules} {verdict.distance} ({position}) {wins} {holds}"
    return Term(game, position, check)


def _node(node: list[Any]) -> str:
    move, then = node
    answers = pair_list_term((reply, place) for reply, place in then.items() if reply != "*")
    return f"Node {move or 0} {answers} {then.get('*', 0)}"
