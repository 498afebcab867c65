"""The siege as a command: which attacks, on which databases, for how long."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys

from benchmarks.siege import faults, hour
from benchmarks.siege.attacks import ATTACKS
from benchmarks.siege.disorder import FAULTS
from benchmarks.siege.oddities import HEADER as ODD
from benchmarks.siege.oddities import ODDITIES
from benchmarks.siege.run import HEADER, PLAYERS, Result, besiege, serving
from benchmarks.siege.server import initdb

CALM = "calm"  # the same without an attack


def main() -> int:
    """Run what is asked for; 1 where a bound did not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.siege", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="ATTACK")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--on", choices=["sqlite", "postgresql"], action="append")
    parser.add_argument("--faults", action="store_true", help="what breaks, not who attacks")
    parser.add_argument("--oddities", action="store_true", help="what is odd, not heavy")
    parser.add_argument("--hour", action="store_true", help="nobody attacks, and it lasts")
    untimed = "times are shown, and decide nothing: on a busy machine they say little"
    parser.add_argument("--untimed", action="store_true", help=untimed)
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
        return _faults(asked.names or [*FAULTS], kinds, asked.players)
    if asked.hour:
        return _hour(kinds, asked.seconds, asked.players)
    names = asked.names or [CALM, *ATTACKS]
    return _attacks(names, kinds, asked.seconds, asked.players, asked.untimed)


def _attacks(
    names: list[str], kinds: list[str], seconds: float, players: int, untimed: bool
) -> int:
    broken = []
    for kind in kinds:
        print(f"\n## {kind}, {players} players, {seconds:g} seconds each\n\n{HEADER}", flush=True)
        for name in names:
            try:
                result = _attacked(name, kind, seconds, players, untimed)
            except (AssertionError, OSError, RuntimeError) as error:
                broken.append(f"{kind}, {name}: {error!r}")
                print(f"| {name} | could not be run: {error!r} |", flush=True)
                continue
            print(result.row(), flush=True)
            words = [*result.broken, *(() if untimed else result.slow)]
            broken += [f"{kind}, {name}: {each}" for each in words]
    print("\n" + "\n".join(broken or ["Every bound held."]))
    return int(bool(broken))


def _faults(names: list[str], kinds: list[str], players: int) -> int:
    broken = []
    for kind in kinds:
        print(f"\n## {kind}, {players} players\n\n{faults.HEADER}", flush=True)
        for name in (name for name in names if kind in FAULTS[name].kinds):
            try:
                outcome = faults.strike(name, kind, players)
            except PermissionError as error:
                print(f"| {name} | skipped: {error} |", flush=True)
                if "CI" in os.environ:
                    broken.append(f"{kind}, {name}: {error}")
                continue
            except (AssertionError, OSError, RuntimeError) as error:
                broken.append(f"{kind}, {name}: {error!r}")
                print(f"| {name} | could not be run: {error!r} |", flush=True)
                continue
            print(outcome.row(), flush=True)
            broken += [f"{kind}, {name}: {words}" for words in outcome.broken]
    print("\n" + "\n".join(broken or ["Nothing acknowledged was lost, and all went on."]))
    return int(bool(broken))


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


def _attacked(name: str, kind: str, seconds: float, players: int, untimed: bool) -> Result:
    attack = None if name == CALM else ATTACKS[name]
    with serving(kind, 8192 if attack is None else attack.files) as server:
        return asyncio.run(besiege(name, server, attack, seconds, players, untimed))


if __name__ == "__main__":
    sys.exit(main())
