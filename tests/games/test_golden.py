"""Complete games, byte for byte as the plain mode prints them.

Each file under tests/data/golden holds the command, the input (separated by spaces), and the
output.
"""

import shlex
from pathlib import Path

import pytest

import numduel

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
FILES = sorted(GOLDEN.glob("*/*.txt"))


def read_golden(path):
    """Return the arguments of the command, the lines of input, and the output."""
    command, typed, output = path.read_text(encoding="utf-8").split("\n", 2)
    assert command.startswith("$ numduel play ")
    assert typed.startswith("> ")
    return shlex.split(command)[2:], typed.split()[1:], output


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_command_line_prints_the_game_to_the_byte(path, run):
    words, typed, output = read_golden(path)
    assert words[:2] == ["play", path.parent.name]
    code, printed, errors = run(*words, typed="".join(f"{line}\n" for line in typed))
    assert (printed, errors, code) == (output, "", 0)


@pytest.mark.parametrize("key", [listed.key for listed in numduel.games()])
def test_every_registered_game_has_a_golden_game(key):
    assert list((GOLDEN / key).glob("*.txt"))
