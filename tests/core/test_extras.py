"""The command that installs an extra, however numduel was installed."""

import json
import shlex
import sys
from importlib.metadata import Distribution, PackageNotFoundError, PathDistribution

import pytest

from numduel.core.extras import install_command


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
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(Distribution, "from_name", missing)
    assert shlex.split(install_command("pgx"))[-1] == "numduel[pgx]"
