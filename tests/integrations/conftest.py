"""Games, ours and those of other packages, and fixtures for the suites of all frameworks."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from numduel.agents.problems import BENCH, problems

ROOT = Path(__file__).parents[2]
OPENENV = ROOT / ".integrations" / "openenv" / "bin" / "python"
FOLDERS = [
    *map(str, (ROOT / "examples").glob("*/")),
    str(ROOT / "tests" / "agents" / "elsewhere"),
    str(ROOT / "tests" / "integrations" / "others"),  # its entry points register them
]
sys.path += FOLDERS

GAMES = [
    ("divisor-duel", {"divisor": 5, "ceiling": 60}),
    ("operation-duel", {"target": 40}),
    ("divisor-line", {"size": 12}),
    ("double-or-add", {}),
    ("multiplicity", {"size": 16}),
    ("multiplicity", {}),
    ("fifteen", {}),
    ("again", {}),
    ("heaps", {}),
    ("take-away", {"stones": 13}),
]
"""In some of the other packages' games nobody may win, and in one a player may move twice."""


def pytest_generate_tests(metafunc):
    """Run a test that has the arguments `key` and `settings` with all of GAMES."""
    if {"key", "settings"} <= {*metafunc.fixturenames}:
        names = [f"{key}-{number}" for number, (key, _) in enumerate(GAMES)]
        metafunc.parametrize(("key", "settings"), GAMES, ids=names)


FORMS = [
    "Move: {}",
    "I see.\n**MOVE: {}.**\n",
    "[{}]",
    "```\nMove: {}\n```",
    "Not {}, or is it?",
    "{}",
]


@pytest.fixture(scope="session")
def marked_answers():
    """Problems of Numduel-Bench, each with answers and the marks that every harness must give."""
    found = []
    for place, one in enumerate(problems(BENCH, {}, 0, 18)):
        wrong = next(move for move in one.worth if move not in one.gold)
        form = FORMS[place % len(FORMS)]
        answers = [form.format(one.gold[-1]), form.format(wrong), "Move: 0", "I give up"]
        found.append((one, {text: one.mark(one.read(text)) for text in answers}))
    assert {mark for _, answers in found for mark in answers.values()} >= {0, 0.5, 1}
    return found


@pytest.fixture
def environment(environment):
    """The usual environment, in which the games of other packages are installed, too."""
    return {**environment, "PYTHONPATH": os.pathsep.join(FOLDERS)}


@pytest.fixture(scope="session")
def served():
    """The URL of our example server for OpenEnv, which runs in the environment of OpenEnv."""
    with socket.socket() as listener:  # uvicorn inherits it
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        command = [OPENENV, "-m", "uvicorn", "server.app:app", "--fd", str(listener.fileno())]
        folder = ROOT / "examples" / "openenv"
        process = subprocess.Popen(command, cwd=folder, pass_fds=[listener.fileno()])
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    process.terminate()
    process.wait()
