"""The siege as a command: which attacks, on which databases, for how long."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Iterator

from benchmarks.siege import faults, hour
from benchmarks.siege.attacks import ATTACKS
from benchmarks.siege.disorder import FAULTS, Field
from benchmarks.siege.oddities import HEADER as ODD
from benchmarks.siege.oddities import ODDITIES
from benchmarks.siege.run import HEADER, PLAYERS, besiege, serving
from benchmarks.siege.server import Server, initdb

CALM = "calm"  # the same without an attack
HANGS_SECONDS = 120.0  # beyond its own time, after which an attack is given up


def main() -> int:
    """Run what is asked for; 1 where a bound did not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.siege", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="ATTACK")
    parser.add_argument("--seconds", type=float, help="for each attack (10; 3 if short)")
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--on", choices=["sqlite", "postgresql"], action="append")
    parser.add_argument("--faults", action="store_true", help="what breaks, not who attacks")
    parser.add_argument("--oddities", action="store_true", help="what is odd, not heavy")
    parser.add_argument("--hour", action="store_true", help="nobody attacks, and it lasts")
    short = "less of each, each attack on one database; times are shown, and decide nothing"
    parser.add_argument("--short", action="store_true", help=short)
    parser.add_argument("--list", action="store_true", help="the names, and no more")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and so end what we have started
    if asked.list:
        for name, one in {**ATTACKS, **FAULTS}.items():
            print(f"{name:20} {(one.deed.__doc__ or '').splitlines()[0]}")
        return 0
    kinds = asked.on or ["sqlite", "postgresql"]
    if "postgresql" in kinds and not initdb():
        print("no PostgreSQL: skipped there")
        if "CI" in os.environ:
            return 1
        kinds.remove("postgresql")
    if asked.oddities:
        return _oddities(asked.names or [*ODDITIES])
    if asked.faults:
        return _faults(asked.names or [*FAULTS], kinds, asked.players, asked.short)
    seconds = asked.seconds or (3.0 if asked.short else 10.0)
    if asked.hour:
        return _hour(kinds, seconds, asked.players)
    return _attacks(asked.names, kinds, seconds, asked.players, asked.short)


def _attacks(names: list[str], kinds: list[str], seconds: float, players: int, short: bool) -> int:
    """Run each attack; where a bound did not hold, run it again on a new server, which decides."""
    broken = []
    for kind in kinds:
        print(f"\n## {kind}, {players} players, {seconds:g} seconds each\n\n{HEADER}", flush=True)
        again: list[tuple[int, str]] = []
        how = seconds, players, short
        for files, group in _groups(names, kind, short):
            with serving(kind, files) as server:
                again += [(files, name) for name in group if _broken(name, server, *how)]
        for files, name in again:
            with serving(kind, files) as server:
                found = _broken(name, server, *how)
            broken += [f"{kind}, {name}: {each}" for each in found]
    print("\n" + "\n".join(broken or ["Every bound held."]))
    return int(bool(broken))


def _broken(name: str, server: Server, seconds: float, players: int, short: bool) -> list[str]:
    """Attack once; the bounds that did not hold."""
    work = besiege(name, server, ATTACKS.get(name), seconds, players, short)
    try:
        result = asyncio.run(asyncio.wait_for(work, seconds + HANGS_SECONDS))
    except (AssertionError, OSError, RuntimeError) as error:  # a TimeoutError is an OSError
        print(f"| {name} | could not be run: {error!r} |", flush=True)
        return [repr(error)]
    print(result.row(), flush=True)
    return [*result.broken, *(() if short else result.slow)]


def _groups(names: list[str], kind: str, short: bool) -> Iterator[tuple[int, list[str]]]:
    """What is run on one server, and the files that it may have open: all if it is short."""
    if not short:
        for name in names or [CALM, *ATTACKS]:
            yield (8192 if name == CALM else ATTACKS[name].files), [name]
        return
    chosen = names or [name for name, one in ATTACKS.items() if kind in one.on]
    for files in sorted({ATTACKS[name].files for name in chosen}):
        yield files, [name for name in chosen if ATTACKS[name].files == files]


def _faults(names: list[str], kinds: list[str], players: int, short: bool) -> int:
    """Strike with each fault; where something was wrong, again on a new server, which decides."""
    broken = []
    for kind in kinds:
        print(f"\n## {kind}, {players} players\n\n{faults.HEADER}", flush=True)
        those = [name for name in names if kind in FAULTS[name].kinds]
        again = []
        for group in [those] if short else [[name] for name in those]:
            with faults.field_of(kind, short) as field:
                again += [name for name in group if _struck(name, field, players)]
        for name in again:
            with faults.field_of(kind, short) as field:
                found = _struck(name, field, players)
            broken += [f"{kind}, {name}: {each}" for each in found]
    print("\n" + "\n".join(broken or ["Nothing acknowledged was lost, and all went on."]))
    return int(bool(broken))


def _struck(name: str, field: Field, players: int) -> list[str]:
    """Strike once; what must not be."""
    try:
        outcome = faults.strike(name, field, players)
    except PermissionError as error:
        print(f"| {name} | skipped: {error} |", flush=True)
        return [str(error)] if "CI" in os.environ else []
    except (AssertionError, OSError, RuntimeError) as error:
        print(f"| {name} | could not be run: {error!r} |", flush=True)
        return [repr(error)]
    print(outcome.row(), flush=True)
    return outcome.broken


def _hour(kinds: list[str], seconds: float, players: int) -> int:
    failures = 0
    for kind in kinds:
        print(f"\n## {kind}, {players} players\n\n{hour.HEADER}", flush=True)
        with serving(kind, workers=2) as server:
            failures += asyncio.run(hour.last(server, seconds, players))
    print(f"\n{failures} failures")
    return int(bool(failures))


def _oddities(names: list[str]) -> int:
    print(ODD)
    said = {name: ODDITIES[name]() for name in names}
    for name, one in said.items():
        print(f"| {name} | {one.words} | {'yes' if one.clear else 'NO'} |")
    return int(not all(one.clear for one in said.values()))


if __name__ == "__main__":
    sys.exit(main())
