"""What the suites of all frameworks share: the games, ours and those of others."""

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
    str(ROOT / "tests" / "integrations" / "others"),  # where all of them are registered
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
"""Ours, and games of other packages: in some nobody may win, in one a player may move twice."""


def pytest_generate_tests(metafunc):
    """Whoever asks for a `key` and its `settings` is given all of them."""
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
def agreed():
    """What every harness asks of Numduel-Bench, and what it must give for answers to it.

    A list of problems, each with the answers and their marks.
    """
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
    """As elsewhere, and the other games are installed."""
    return {**environment, "PYTHONPATH": os.pathsep.join(FOLDERS)}


@pytest.fixture(scope="session")
def served():
    """The URL of the example of an OpenEnv server, which runs in the environment of OpenEnv."""
    with socket.socket() as held:  # which uvicorn goes on listening on
        held.bind(("127.0.0.1", 0))
        held.listen()
        command = [OPENENV, "-m", "uvicorn", "server.app:app", "--fd", str(held.fileno())]
        folder = ROOT / "examples" / "openenv"
        process = subprocess.Popen(command, cwd=folder, pass_fds=[held.fileno()])
        yield f"http://127.0.0.1:{held.getsockname()[1]}"
    process.terminate()
    process.wait()
