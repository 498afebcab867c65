"""What the suites of all frameworks share: the games, ours and those of others."""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FOLDERS = [
    *map(str, (HERE.parents[1] / "examples").glob("*/")),
    str(HERE / "others"),  # where the games of the other two folders are registered
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
    ("once-more", {}),
    ("take-away", {"stones": 13}),
]
"""Ours; one that can be drawn, one in which a player moves twice, one without words of its own."""


def pytest_generate_tests(metafunc):
    """Whoever asks for a `key` and its `settings` is given all of them."""
    if {"key", "settings"} <= {*metafunc.fixturenames}:
        names = [f"{key}-{number}" for number, (key, _) in enumerate(GAMES)]
        metafunc.parametrize(("key", "settings"), GAMES, ids=names)


@pytest.fixture
def environment(environment):
    """As elsewhere, and the other games are installed."""
    return {**environment, "PYTHONPATH": os.pathsep.join(FOLDERS)}
