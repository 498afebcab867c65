"""A skipped test is a skipped test; where `CI` is set it is a failure."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

IN_THE_TEST = """
import pytest

@pytest.fixture(scope="session")
def browser():
    pytest.skip("no browser")

def test_skipped(browser): ...
def test_skipped_too(browser): ...
def test_passed(): ...
@pytest.mark.xfail
def test_expected_to_fail(): raise ValueError
"""
IN_A_MARK = """
import pytest

@pytest.mark.skip(reason="no browser")
def test_skipped(): ...
def test_passed(): ...
"""
IN_THE_MODULE = """
import pytest

pytest.skip("no browser", allow_module_level=True)
"""


@pytest.fixture
def suite(tmp_path):
    """Run a suite of one file, and one other test, under the conftest of this one."""
    conftest = Path(__file__).with_name("conftest.py").read_text()
    (tmp_path / "conftest.py").write_text(conftest)
    (tmp_path / "test_passing.py").write_text("def test_passed(): ...\n")

    def suite(source, *arguments, ci):
        (tmp_path / "test_some.py").write_text(source)
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "xdist.plugin", *arguments, tmp_path],
            cwd=tmp_path,
            env={**os.environ, "CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True,
            text=True,
        )

    return suite


@pytest.mark.soak(keep=2)
@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
@pytest.mark.parametrize(
    "source", [IN_THE_TEST, IN_A_MARK, IN_THE_MODULE], ids=["test", "mark", "module"]
)
def test_a_skip_fails_only_where_ci_is_set(suite, source, workers):
    for ci, status, line in [
        ("", 0, "skipped: no browser"),
        ("true", 1, "a failure, as CI is set: no browser"),
    ]:
        ran = suite(source, *workers, ci=ci)
        assert ran.returncode == status, ran.stdout
        assert ran.stdout.splitlines().count(line) == 1, ran.stdout


def test_nothing_is_said_of_a_run_without_skips(suite):
    ran = suite("def test_passed(): ...", ci="true")
    assert ran.returncode == 0 and "CI" not in ran.stdout
