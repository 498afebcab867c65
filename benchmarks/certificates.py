"""Making and checking a certificate of a million numbers, compared with solving."""

from __future__ import annotations

from collections.abc import Iterator

import numduel
from benchmarks.clock import gigabytes, seconds
from numduel.proof import standalone
from numduel.proof.certificate import Certificate, loads

SIZE = 1_000_000


def measure() -> Iterator[str]:
    """Time a won and a lost position. Nothing is cached but the compiled code."""
    numduel.certify(*_begun(30_000, 2))
    for start, standing in ((2, "won"), (720_720, "lost")):
        made: list[Certificate] = []
        solving = seconds(lambda start=start: numduel.solve(*_begun(SIZE, start)))
        making = seconds(
            lambda start=start, made=made: made.append(numduel.certify(*_begun(SIZE, start)))
        )
        data = made[0].dumps()
        checking = seconds(lambda data=data: numduel.verify(loads(data)))
        alone = seconds(lambda data=data: standalone.check(data))
        yield (
            f"{SIZE:,} numbers, {standing}: solving {solving:.1f} s; making {making:.1f} s, "
            f"{making / solving:.2f} of that (at most 2); checking {checking:.1f} s, "
            f"{checking / solving:.2f} of that (at most 1); alone {alone:.1f} s; "
            f"{len(data) / 1e6:.1f} MB"
        )
    yield f"memory: {gigabytes():.2f} GB (under 2)"


def _begun(size: int, start: int) -> tuple[numduel.Game, object]:
    game = numduel.new("multiplicity", size=size, start=start)
    return game, game.start()
