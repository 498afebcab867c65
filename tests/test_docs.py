"""What the documents say is what the program does."""

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from configparser import ConfigParser
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from click import Context
from markdown_it import MarkdownIt
from markdown_it.token import Token

import numduel
from numduel.games import OUR_GAMES, game_type
from numduel.terminal.main import numduel as numduel_command

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "proofs/README.md")),
    *sorted(ROOT.glob("docs/**/*.md")),
]
AGENTS = (ROOT / "docs" / "agents.md").read_text()
ADAPTERS = {
    heading: (extra, module)
    for heading, extra, module in re.findall(
        r"^\| \[(.+)\]\(#.+\) \| `(.+)` \| `numduel\.agents\.(.+)` \|$", AGENTS, re.MULTILINE
    )
}


def test_the_readme_names_every_extra():
    named = re.findall(r"^\| (`.+`) \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    extras = {extra for cell in named for extra in re.findall(r"`([\w-]+)`", cell)}
    assert extras == {*PROJECT["optional-dependencies"]} - {"dev"}


@pytest.mark.parametrize("key", OUR_GAMES)
def test_the_rules_page_has_the_rules_that_the_prompt_shows(key):
    kind = game_type(key)
    page = (ROOT / "docs" / "rules.md").read_text()
    assert f"## {kind.title}\n\n{kind.rules_and_notes()}\n" in page


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


# Links.


def slugify(heading: str) -> str:
    """Return what a link to a heading ends with."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def tokens(path: Path) -> Iterator[Token]:
    for token in MarkdownIt().enable("table").parse(path.read_text()):
        yield token
        yield from token.children or ()


def anchors(path: Path) -> set[str]:
    """What a link to a page can end with."""
    found = [*tokens(path)]
    return {
        slugify(words.content)
        for heading, words in pairwise(found)
        if heading.type == "heading_open"
    }


@pytest.mark.parametrize("path", PAGES, ids=str)
def test_links_lead_somewhere(path):
    for token in tokens(path):
        target = str(token.attrs.get("href") or token.attrs.get("src") or "")
        where, _, anchor = target.partition("#")
        if where.startswith(("http://", "https://")):
            continue
        page = (path.parent / where).resolve() if where else path
        assert page.is_file(), target  # Sphinx refuses a link to a folder
        assert not anchor or anchor in anchors(page), target


def test_every_page_is_listed():
    listed = re.findall(r"^([\w/-]+)$", (ROOT / "docs" / "index.md").read_text(), re.MULTILINE)
    pages = {str(path.relative_to(ROOT / "docs"))[:-3] for path in ROOT.glob("docs/**/*.md")}
    assert {*listed} == pages - {"index"}


# Blocks of code.


def run_python(blocks: list[str], page: str) -> None:
    """Run blocks of Python one after the other; those with prompts must print what they show."""
    names = {"__name__": "__main__", "numduel": numduel, "pytest": pytest}
    runner = doctest.DocTestRunner()
    for block in blocks:
        if ">>>" in block:
            shown = doctest.DocTestParser().get_doctest(block, names, page, page, 0)
            runner.run(shown, clear_globs=False)
            names = shown.globs
        else:
            exec(compile(block, page, "exec"), names)
    assert runner.failures == 0


def blocks(path: Path, kind: str) -> list[str]:
    return [token.content for token in tokens(path) if token.type == "fence" and token.info == kind]


PARSED = {"json": json.loads, "toml": tomllib.loads, "ini": ConfigParser().read_string}
"""How the blocks that are no programs are checked."""


@pytest.mark.parametrize("path", PAGES, ids=str)
def test_every_block_is_of_a_kind_that_is_tested(path):
    directives = r"\{(toctree|include|eval-rst)\}.*"  # which fail when the documentation is built
    for token in tokens(path):
        if token.type != "fence" or re.fullmatch(f"python|sh|text|{directives}", token.info):
            continue
        if token.info.startswith("{play} "):
            assert token.info.split()[1] in OUR_GAMES
        else:
            PARSED[token.info](token.content)


@pytest.mark.parametrize(
    "path", [p for p in PAGES if p.name != "agents.md" and blocks(p, "python")]
)
def test_python_runs_as_written(path):
    run_python(blocks(path, "python"), path.name)


STARTED_ONLY = ("arena", "backup", "bench", "dataset", "export", "restore", "serve")
"""Commands that take long, or a database: what they are asked for is read, and not done."""

NOT_MADE = (["plot", "arena"], ["plot", "record"])
"""What is drawn there is made by these."""


@pytest.mark.parametrize("path", [page for page in PAGES if blocks(page, "sh")], ids=str)
def test_commands_work_as_written(path, run, tmp_path):
    for folder in ("docs", "examples"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for block in blocks(path, "sh"):
        lines = block.replace("\\\n", " ").splitlines()
        for words in filter(None, (shlex.split(line, comments=True) for line in lines)):
            check_command(words, run)


def check_command(words, run):
    program, *rest = words
    if rest[0] == "sweep":
        rest = [re.sub(r"\.\.\d+", "..20", word) for word in rest]  # of fewer games
    if program == "numduel" and (rest[0] in STARTED_ONLY or rest[:2] in NOT_MADE):
        command = numduel_command.get_command(Context(numduel_command), rest[0])
        command.make_context(rest[0], rest[1:])
    elif program == "numduel":
        ran = run(*rest, typed="resign\nyes\n")
        assert ran.status in (0, 130) and not ran.err, words  # 130: nothing more is typed
    elif program == "make":
        assert f"\n{rest[0]}:" in (ROOT / "Makefile").read_text()
    elif program == "pip" and "[" not in rest[1]:
        assert (ROOT / rest[1] / "pyproject.toml").exists(), words
    elif program == "pip":
        extras = re.search(r"\[(.+)\]", rest[1])[1].split(",")
        assert {*extras} <= PROJECT["optional-dependencies"].keys()
    elif program.startswith("python"):
        module = rest[0] == "-m"
        assert find_spec(rest[1]) if module else (ROOT / rest[0]).exists(), words
    else:
        # The one is tried below, another in test_rocq.py, and the third is not ours.
        assert program in ("curl", "proofs/check", "sudo"), words


@pytest.mark.soak
def test_the_api_answers_as_written(start):
    block = next(one for one in blocks(ROOT / "docs" / "serving.md", "sh") if "curl" in one)
    opened, moved, _, solved = re.findall(r"^curl (?:.*\\\n)*.*", block, re.MULTILINE)
    server = start("serve", "--port", "0")
    host = re.search(rb"http://(\S+)/", server.stdout.readline())[1].decode()
    try:
        duel = _said(opened, host)
        given = {"NAME": duel["name"], "SECRET": duel["secrets"]["1"]}
        assert _said(moved, host, given)["moves"][0] == 7
        assert _said(solved, host)["value"]
    finally:
        server.kill()
        server.communicate()


def _said(command, host, given=None):
    for name, value in {"localhost:8000": host, **(given or {})}.items():
        command = command.replace(name, value)
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def sections() -> dict[str, list[str]]:
    """The Python of each section of the page for programs that can run in this environment.

    That is the one of `make test`, or, with INTEGRATION=EXTRA, one that was made for this extra.
    """
    dev = " ".join(PROJECT["optional-dependencies"]["dev"])
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
    run_python(sections()[heading], "agents.md")


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
