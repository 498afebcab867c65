"""Confetti, for whoever has won. It falls where movement is welcome, and lies still elsewhere."""

from __future__ import annotations

from functools import cache
from random import Random

from markupsafe import Markup

from numduel.picture.svg import n

_PIECES = 48
_COLOURS = 5
_SHAPES = (
    '<rect x="-5" y="-8" width="10" height="16" rx="2"',
    '<circle r="6"',
    '<path d="M-8 6L0-8L8 6Z"',
    '<path class="curl" d="M-10 0q5-8 10 0t10 0"',
)


@cache
def confetti() -> Markup:
    """Pieces all over the top of a board, placed in percent, so that they keep their size."""
    rng = Random(7)
    pieces = []
    for place in range(_PIECES):
        at = f'x="{n(rng.uniform(1, 99))}%" y="{n(3 + 94 * rng.random() ** 1.4)}%"'
        turned = f'transform="rotate({rng.randrange(360)})"'
        shape = f"{_SHAPES[place % len(_SHAPES)]} {turned}/>"
        pieces.append(f'<svg class="c{place % _COLOURS}" {at}>{shape}</svg>')
    return Markup(f'<svg class="confetti" aria-hidden="true">{"".join(pieces)}</svg>')
