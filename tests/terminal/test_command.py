"""The commands that we print work as the player started us."""

import subprocess
from pathlib import Path

import pytest

import numduel
from numduel.terminal.command import command, with_settings

ROOT = Path(__file__).parents[2]
MAKE = 'make play ARGS="{}"'


@pytest.fixture
def make(environment):
    """`make play` with these words, as typed."""

    def make(words, typed=""):
        return subprocess.run(
            ["make", "--no-print-directory", "-o", ".venv/.base", "play", f"ARGS={words}"],
            cwd=ROOT,
            input=typed.encode(),
            env=environment,
            capture_output=True,
            check=False,
        )

    return make


def test_under_make_a_command_is_one_for_make(make):
    left = make("play double-or-add", "1\nquit\n")
    assert left.returncode == 0
    said = left.stdout.decode().splitlines()[-1]
    assert said == 'Game 1 is saved. Go on with: make play ARGS="resume 1"'
    assert b"Game 1: Double or Add" in make("resume 1", "quit\n").stdout
    assert b'make play ARGS="play GAME"' in make("games").stdout
    assert b'Example: make play ARGS="history --all"' in make("history --help").stdout
    assert b'see: make play ARGS="history"' in make("resume 7").stderr
    assert b'See: make play ARGS="play --help"' in make("play chess").stderr


@pytest.mark.parametrize(
    ("words", "extra"), [("arena --help", "arena"), ("mcp", "mcp"), ("serve --open", "web")]
)
def test_make_installs_what_a_command_needs(words, extra):
    dry = ["make", "--dry-run", "-W", ".venv/.base", "play", f"ARGS={words}"]
    assert f"-e '.[{extra}]'" in subprocess.check_output(dry, cwd=ROOT, text=True)


def test_elsewhere_it_is_the_program_itself(monkeypatch):
    monkeypatch.delenv("NUMDUEL_COMMAND", raising=False)
    assert command("resume 27") == "numduel resume 27"
    monkeypatch.setenv("NUMDUEL_COMMAND", "nonsense")
    assert command("resume 27") == "numduel resume 27"
    monkeypatch.setenv("NUMDUEL_COMMAND", MAKE)
    assert command("resume 27") == 'make play ARGS="resume 27"'


def test_a_command_names_the_settings_that_were_changed(monkeypatch):
    monkeypatch.delenv("NUMDUEL_COMMAND", raising=False)
    game = numduel.new("multiplicity", size=20, start_open=True)
    assert with_settings("fair", game) == "numduel fair multiplicity --size 20 --start-open"
    assert with_settings("fair", numduel.new("divisor-line")) == "numduel fair divisor-line"
