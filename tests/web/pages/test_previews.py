"""What every page says of itself, and the way back from the rules."""

import re
from html import unescape

import pytest

PAGES = (
    "/",
    "/analyze",
    "/chain",
    "/class",
    "/class/multiplicity",
    "/join",
    "/new/multiplicity",
    "/nothing-here",
    "/puzzle",
    "/puzzles",
    "/rules/multiplicity",
)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_a_title_a_description_and_a_preview(visit, path):
    text = visit().get(path).text
    title = re.search("<title>([^<]+)</title>", text)[1]
    [described] = re.findall('<meta name="description" content="([^"]+)">', text)
    assert f'<meta property="og:title" content="{title}">' in text
    assert f'<meta property="og:description" content="{described}">' in text
    assert len(unescape(described)) > 20


@pytest.mark.parametrize(
    ("back", "led"),
    [
        ("/game/abc", True),
        ("/puzzle/2026-11-15", True),
        ("/room/ABCDE", True),
        ("", False),
        ("//elsewhere.example", False),
        ("https://elsewhere.example/game/abc", False),
        ("/game/../evil", False),
    ],
)
def test_the_rules_lead_back_to_pages_of_ours_alone(visit, back, led):
    text = visit().get("/rules/multiplicity", params={"back": back}).text
    assert (f'href="{back}">Back' in text) == led
    assert (">Back" in text) == led
