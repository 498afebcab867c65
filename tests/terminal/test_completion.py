"""Completion, in the shells themselves where they are there, and as they ask for it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

CASES = [
    ("numduel pla", {"play"}),
    ("numduel ", {"play", "resume", "history", "completion"}),
    ("numduel play mul", {"multiplicity"}),
    ("numduel play divisor-line --goal ", {"pair", "chain"}),
    ("numduel play multiplicity --p2 pe", {"perfect"}),
    ("numduel play multiplicity --name", {"--name1", "--name2"}),
    ("numduel play multiplicity --first ", {"1", "2", "random"}),
    ("numduel play multiplicity ru", {"rules"}),
    ("numduel solve op", {"operation-duel"}),
    ("numduel resume ", {"1", "2"}),
    ("numduel history --delete ", {"1", "2"}),
    ("numduel completion ", {"bash", "zsh", "fish"}),
    ("numduel play chess --", {"--help"}),
]

BASH = """
eval "$(numduel completion bash)"
IFS=' ' read -ra COMP_WORDS <<< "$1"
[[ "$1" == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_numduel_completion numduel
printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = "numduel completion fish | source; complete --do-complete $argv[1]"


@pytest.fixture
def environment(environment):
    """With the command on the path, and two games."""
    return {**environment, "PATH": f"{Path(sys.executable).parent}:{environment['PATH']}"}


@pytest.fixture(autouse=True)
def _games(run):
    for _ in range(2):
        run("play", "double-or-add", typed="1\n")


def there(*shells):
    """Those of the shells that this machine has."""
    return [shell for shell in shells if shutil.which(shell)]


def offered(shell, line, environment):
    command = {"bash": ["bash", "-c", BASH, "bash", line], "fish": ["fish", "-c", FISH, line]}
    done = subprocess.run(command[shell], env=environment, capture_output=True, check=True)
    assert done.stderr == b""
    return {part.split("\t")[0] for part in done.stdout.decode().splitlines()} - {""}


@pytest.mark.soak(keep=3)
@pytest.mark.parametrize("shell", there("bash", "fish"))
@pytest.mark.parametrize(("line", "words"), CASES)
def test_a_shell_offers_what_can_follow(environment, shell, line, words):
    found = offered(shell, line, environment)
    assert words <= found
    if words != {"play", "resume", "history", "completion"}:
        assert found == words


@pytest.mark.parametrize("shell", there("zsh"))
def test_zsh_completes_what_can_only_be_one(environment, shell):
    zsh = pexpect.spawn(shell, ["-f", "-i"], env=environment, encoding="utf-8", timeout=60)
    zsh.sendline('PS1="> "; autoload -U compinit; compinit -u -D')
    zsh.sendline('eval "$(numduel completion zsh)"; echo rea""dy')
    zsh.expect_exact("ready")
    zsh.send("numduel pla\t")
    zsh.expect_exact("play")
    zsh.send("mul\t")
    zsh.expect_exact("multiplicity")
    zsh.send("--p2 per\t")
    zsh.expect_exact("perfect")
    zsh.close(force=True)


@pytest.mark.parametrize(
    ("shell", "asked"), [("zsh", {"COMP_WORDS": "numduel play mul", "COMP_CWORD": "2"})]
)
def test_a_shell_that_is_not_there_is_answered_as_it_would_ask(run, shell, asked):
    out = run(env={"_NUMDUEL_COMPLETE": f"{shell}_complete", **asked}).out
    assert out.startswith("plain\nmultiplicity\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_what_a_shell_needs_is_printed(run, shell):
    ran = run("completion", shell)
    assert (ran.status, ran.err) == (0, "")
    assert f"_NUMDUEL_COMPLETE={shell}_complete" in ran.out
    assert f"numduel completion {shell}" in run("completion", "--help").out


def test_another_shell_is_refused(run):
    assert run("completion", "tcsh").status == 2
