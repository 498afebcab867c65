"""Links as QR codes: pictures that stand in the page itself."""

from __future__ import annotations

from functools import lru_cache

import segno
from markupsafe import Markup

_LONGEST = 300  # characters; more would be too fine for a camera across a room


@lru_cache(maxsize=256)
def qr(link: str) -> Markup:
    """The link as an SVG, dark on light in every scheme; nothing where it is too long."""
    if len(link) > _LONGEST:
        return Markup()
    code = segno.make(link, micro=False)
    return Markup(code.svg_inline(border=2, dark="#000", light="#fff", omitsize=True))
