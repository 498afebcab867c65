"""What the documents say is what the program does."""

import doctest
import re
from pathlib import Path

import pytest

from numduel.games import OURS, game_type

ROOT = Path(__file__).parents[1]


def test_the_readme_game_plays_as_shown():
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("key", OURS)
def test_the_rules_page_has_the_rules_that_the_prompt_shows(key):
    kind = game_type(key)
    page = (ROOT / "docs" / "rules.md").read_text()
    assert f"## {kind.title}\n\n{kind.rules}\n" in page


def test_the_architecture_page_shows_the_whole_example():
    example = (ROOT / "examples" / "take-away" / "take_away.py").read_text()
    assert f"```python\n{example}```" in (ROOT / "docs" / "architecture.md").read_text()


def test_what_the_theory_calls_machine_checked_is_among_the_theorems():
    page = (ROOT / "docs" / "theory.md").read_text()
    named = re.findall(r"`proofs/(\w+\.v)`:((?:\s+`\w+`,?)+)", page)
    assert len(named) == page.count("`proofs/")
    for file, names in named:
        proved = re.findall(r"^Theorem (\w+)", (ROOT / "proofs" / file).read_text(), re.MULTILINE)
        assert set(re.findall(r"\w+", names)) == set(proved)


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/*.md")), ids=str
)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
        assert (path.parent / target).exists(), target
