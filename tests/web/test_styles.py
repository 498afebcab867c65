"""What the style sheets must hold everywhere."""

import re

import pytest

from numduel.web.html import STATIC

SHEETS = sorted(path.name for path in STATIC.glob("*.css"))


def outside(name, query):
    """A sheet without what it says within `@media (query)`."""
    text = re.sub(r"/\*.*?\*/", "", (STATIC / name).read_text(), flags=re.DOTALL)
    block = rf"@media \({query}\) \{{(?:[^{{}}]|\{{[^{{}}]*\}})*\}}"
    return re.sub(block, "", text)


@pytest.mark.parametrize("name", SHEETS)
def test_hover_is_only_for_who_can_hover(name):
    assert ":hover" not in outside(name, "hover: hover")  # on a touch screen it would stick


@pytest.mark.parametrize("name", SHEETS)
def test_nothing_moves_for_who_asked_for_less_motion(name):
    still = outside(name, "prefers-reduced-motion: no-preference")
    assert not re.search(r"\b(transition|animation)\b", still)
