"""The command line of the siege: which attacks, on which databases, for how long."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Iterator

from benchmarks.siege import faults, hour
from benchmarks.siege.attacks import ATTACKS
from benchmarks.siege.disorder import FAULTS, Testbed
from benchmarks.siege.oddities import HEADER as ODDITIES_HEADER
from benchmarks.siege.oddities import ODDITIES
from benchmarks.siege.run import HEADER, PLAYERS, besiege, serving
from benchmarks.siege.server import Server, initdb

CALM = "calm"  # people play, and nobody attacks
EXTRA_SECONDS = 120.0  # an attack that takes this much longer than planned is given up


def main() -> int:
    """Run the chosen attacks or faults. Return 1 if a limit was exceeded."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.siege", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="ATTACK")
    parser.add_argument("--seconds", type=float, help="for each attack (10; 3 if short)")
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--on", choices=["sqlite", "postgresql"], action="append")
    parser.add_argument("--faults", action="store_true", help="failures instead of attacks")
    parser.add_argument("--oddities", action="store_true", help="odd input instead of heavy load")
    parser.add_argument("--hour", action="store_true", help="a long time without an attack")
    short = "less of each, each attack on one database; response times are shown but not checked"
    parser.add_argument("--short", action="store_true", help=short)
    parser.add_argument("--list", action="store_true", help="only print the names")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # which ends what we have started
    if options.list:
        for name, one in {**ATTACKS, **FAULTS}.items():
            print(f"{name:20} {(one.act.__doc__ or '').splitlines()[0]}")
        return 0
    kinds = options.on or ["sqlite", "postgresql"]
    if "postgresql" in kinds and not initdb():
        print("no PostgreSQL: skipped there")
        if "CI" in os.environ:
            return 1
        kinds.remove("postgresql")
    if options.oddities:
        return _oddities(options.names or [*ODDITIES])
    if options.faults:
        return _faults(options.names or [*FAULTS], kinds, options.players, options.short)
    seconds = options.seconds or (3.0 if options.short else 10.0)
    if options.hour:
        return _hour(kinds, seconds, options.players)
    return _attacks(options.names, kinds, seconds, options.players, options.short)


def _attacks(names: list[str], kinds: list[str], seconds: float, players: int, short: bool) -> int:
    """Run each attack. If a limit was exceeded, run it again on a new server, which decides."""
    broken = []
    for kind in kinds:
        print(f"\n## {kind}, {players} players, {seconds:g} seconds each\n\n{HEADER}", flush=True)
        again: list[tuple[int, str]] = []
        how = seconds, players, short
        for files, group in _groups(names, kind, short):
            with serving(kind, files) as server:
                again += [(files, name) for name in group if _attack_once(name, server, *how)]
        for files, name in again:
            with serving(kind, files) as server:
                found = _attack_once(name, server, *how)
            broken += [f"{kind}, {name}: {each}" for each in found]
    print("\n" + "\n".join(broken or ["No limit was exceeded."]))
    return int(bool(broken))


def _attack_once(name: str, server: Server, seconds: float, players: int, short: bool) -> list[str]:
    """Attack once. Return the limits that were exceeded."""
    work = besiege(name, server, ATTACKS.get(name), seconds, players, short)
    try:
        result = asyncio.run(asyncio.wait_for(work, seconds + EXTRA_SECONDS))
    except (AssertionError, OSError, RuntimeError) as error:  # a TimeoutError is an OSError
        print(f"| {name} | could not be run: {error!r} |", flush=True)
        return [repr(error)]
    print(result.row(), flush=True)
    return [*result.broken, *(() if short else result.slow)]


def _groups(names: list[str], kind: str, short: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield attacks for one server each, and how many files it may have open.

    If it is short, attacks share a server.
    """
    if not short:
        for name in names or [CALM, *ATTACKS]:
            yield (8192 if name == CALM else ATTACKS[name].files), [name]
        return
    chosen = names or [name for name, one in ATTACKS.items() if kind in one.on]
    for files in sorted({ATTACKS[name].files for name in chosen}):
        yield files, [name for name in chosen if ATTACKS[name].files == files]


def _faults(names: list[str], kinds: list[str], players: int, short: bool) -> int:
    """Cause each fault. If something was wrong, cause it again on a new server, which decides."""
    broken = []
    for kind in kinds:
        print(f"\n## {kind}, {players} players\n\n{faults.HEADER}", flush=True)
        those = [name for name in names if kind in FAULTS[name].databases]
        again = []
        for group in [those] if short else [[name] for name in those]:
            with faults.running_testbed(kind, short) as testbed:
                again += [name for name in group if _strike_once(name, testbed, players)]
        for name in again:
            with faults.running_testbed(kind, short) as testbed:
                found = _strike_once(name, testbed, players)
            broken += [f"{kind}, {name}: {each}" for each in found]
    print("\n" + "\n".join(broken or ["No acknowledged move was lost, and all games went on."]))
    return int(bool(broken))


def _strike_once(name: str, testbed: Testbed, players: int) -> list[str]:
    """Cause a fault once. Return what was wrong."""
    try:
        outcome = faults.strike(name, testbed, players)
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
            failures += asyncio.run(hour.run_hour(server, seconds, players))
    print(f"\n{failures} failures")
    return int(bool(failures))


def _oddities(names: list[str]) -> int:
    print(ODDITIES_HEADER)
    replies = {name: ODDITIES[name]() for name in names}
    for name, one in replies.items():
        print(f"| {name} | {one.text} | {'yes' if one.is_clear else 'NO'} |")
    return int(not all(one.is_clear for one in replies.values()))


if __name__ == "__main__":
    sys.exit(main())
