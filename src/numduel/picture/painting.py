"""Pictures as files: SVG painted as PNG, with the fonts that we ship."""

from __future__ import annotations

from pathlib import Path

import resvg_py

_FONTS = Path(__file__).parents[1] / "web" / "static" / "fonts"


def painted(svg: str, width: int) -> bytes:
    """An SVG of our own as a PNG of so many pixels across."""
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,  # which differ from machine to machine
        font_files=[str(_FONTS / name) for name in ("atkinson-400.ttf", "atkinson-700.ttf")],
        sans_serif_family="Atkinson Hyperlegible Next",
    )
