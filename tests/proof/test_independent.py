"""The checkers know the rules, but not how the games are solved."""

import runpy
import shutil
import subprocess
import sys

import pytest

import numduel
from numduel.proof import standalone

GAMES = {
    "multiplicity": {"size": 30, "start": 2},
    "divisor-duel": {"ceiling": 40},
    "operation-duel": {"operations": "+1,-2"},
    "divisor-line": {"size": 7},
    "double-or-add": {},
}
ALLOWED = {  # the type of a theory, and the search for a walk that leads to a position
    "numduel.core.theory",
    "numduel.solver.compiled",
    "numduel.solver.flat_arrays",
    "numduel.solver.hamiltonian_path",
}
CHECK = """
import sys
from pathlib import Path
from numduel.proof.certificate import loads
from numduel.proof.verify import verify
for name in sys.argv[1:]:
    verify(loads(Path(name).read_bytes()))
print(*sorted(sys.modules))
"""


@pytest.fixture
def files(tmp_path):
    for key, settings in GAMES.items():
        game = numduel.new(key, **settings)
        (tmp_path / key).write_bytes(numduel.certify(game, game.start()).dumps())
    return [tmp_path / key for key in GAMES]


def test_the_checker_loads_no_theory_and_no_solver(files):
    ran = subprocess.run([sys.executable, "-c", CHECK, *files], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    loaded = ran.stdout.split()
    assert "numduel.games.multiplicity.proof" in loaded
    assert not [
        name
        for name in loaded
        if name.startswith(("numduel.solver.", "numba", "numpy")) or name.endswith(".theory")
        if name not in ALLOWED
    ]


def test_the_standalone_checker_is_one_file(files, tmp_path):
    copy = shutil.copy(standalone.__file__, tmp_path / "checker.py")
    alone = [sys.executable, "-I", "-S", copy]
    for file in files:
        ran = subprocess.run([*alone, file], capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout.startswith("proved: ")


def test_the_standalone_checker_prints_what_is_proved_or_refused(
    files, monkeypatch, capsys, tmp_path
):
    def main(*arguments):
        monkeypatch.setattr(sys, "argv", ["standalone.py", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            runpy.run_path(standalone.__file__, run_name="__main__")
        return left.value.code, *capsys.readouterr()

    assert main(files[-1]) == (0, "proved: loss in 30\n", "")
    assert main() == (2, "", "usage: python standalone.py FILE\n")
    (tmp_path / "empty").write_text("{}")
    (tmp_path / "wrong").write_text(files[-1].read_text().replace("loss", "draw", 1))
    for name, why in (
        ("empty", "the fields must be: format, "),
        ("wrong", "proof 1, race: it proves another value: loss\n"),
        ("none", "[Errno 2] No such file or directory"),
    ):
        status, out, err = main(tmp_path / name)
        assert (status, out, err.count("\n")) == (1, "", 1)
        assert err.startswith(f"refused: {why}")
