"""The tree of errors, and the command that installs an extra."""

import json
import pickle
import shlex
import sys
from importlib.metadata import Distribution, PackageNotFoundError, PathDistribution

import pytest

import numduel
from numduel.core import errors
from numduel.core.errors import install_command
from numduel.games.tally.rules import Tally


@pytest.mark.parametrize(
    "name", ["SettingsError", "IllegalMove", "PositionError", "RecordError", "TooLarge"]
)
def test_every_error_is_a_numduel_error_and_public(name):
    assert issubclass(getattr(errors, name), numduel.NumduelError)
    assert getattr(numduel, name) is getattr(errors, name)
    assert issubclass(numduel.NumduelError, ValueError)


@pytest.mark.parametrize("line", [None, "why (and where)"])
def test_an_illegal_move_survives_pickling(line):
    error = errors.IllegalMove(3, Tally(1, 2), "why", line)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is errors.IllegalMove
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


@pytest.mark.parametrize(
    ("origin", "wanted"),
    [
        (None, ["numduel[web]"]),
        ({"url": "file:///a%20b", "dir_info": {"editable": True}}, ["-e", "/a b[web]"]),
        ({"url": "file:///a%20b", "dir_info": {}}, ["numduel[web] @ file:///a%20b"]),
        ({"url": "file:///n.whl", "archive_info": {}}, ["numduel[web] @ file:///n.whl"]),
    ],
)
def test_an_extra_comes_from_where_numduel_came_from(monkeypatch, origin, wanted):
    text = origin and json.dumps(origin)
    monkeypatch.setattr(PathDistribution, "read_text", lambda *_: text)
    typed = shlex.split(install_command("web"))
    assert typed == [sys.executable, "-m", "pip", "install", *wanted]


def test_an_extra_is_named_where_numduel_is_not_installed(monkeypatch):
    def not_found(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(Distribution, "from_name", not_found)
    assert shlex.split(install_command("pgx"))[-1] == "numduel[pgx]"
