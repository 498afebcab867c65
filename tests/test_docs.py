"""What the documents say is what the program does."""

import doctest
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import numduel
from numduel.games import OURS, game_type

ROOT = Path(__file__).parents[1]
AGENTS = (ROOT / "docs" / "agents.md").read_text()
ADAPTERS = {
    heading: (extra, module)
    for heading, extra, module in re.findall(
        r"^\| \[(.+)\]\(#.+\) \| `(.+)` \| `numduel\.agents\.(.+)` \|$", AGENTS, re.MULTILINE
    )
}


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


def sections() -> dict[str, list[str]]:
    """The Python of each section of the page for programs that can run in this environment.

    That is the one of `make test`, or, with INTEGRATION=EXTRA, one that was made for this extra.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    dev = " ".join(project["optional-dependencies"]["dev"])
    extras = os.environ.get("INTEGRATION") or re.search(r"numduel\[(.*?)\]", dev)[1]
    found = re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", AGENTS, re.MULTILINE)
    blocks = {
        heading: re.findall(r"```python\n(.*?)```", text, re.DOTALL) for heading, text in found
    }
    return {
        heading: code
        for heading, code in blocks.items()
        if code and (heading not in ADAPTERS or ADAPTERS[heading][0] in extras.split(","))
    }


@pytest.mark.parametrize("heading", sections())
def test_the_page_for_programs_runs_as_written(heading, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    beside = Path(sys.executable).parent  # where our command is
    monkeypatch.setenv("PATH", f"{beside}{os.pathsep}{os.environ['PATH']}")
    names = {"__name__": "__main__", "numduel": numduel}
    runner = doctest.DocTestRunner()
    for block in sections()[heading]:
        if ">>>" in block:
            shown = doctest.DocTestParser().get_doctest(block, names, heading, "agents.md", 0)
            runner.run(shown, clear_globs=False)
            names = shown.globs
        else:
            exec(compile(block, "agents.md", "exec"), names)
    assert runner.failures == 0


@pytest.mark.parametrize("heading", ADAPTERS)
def test_the_page_for_programs_tells_of_every_adapter(heading):
    _, module = ADAPTERS[heading]
    agents = ROOT / "src" / "numduel" / "agents"
    written = (agents / f"{module}.py").exists() or (agents / module / "__init__.py").exists()
    assert (f"\n## {heading}\n" in AGENTS) == written


def test_what_is_cited_is_this_release():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert cited["version"] == numduel.__version__
    assert f"\n## {numduel.__version__} " in (ROOT / "CHANGELOG.md").read_text()
    assert {"cff-version", "message", "title", "authors"} <= cited.keys()  # which the form asks for
