"""Nothing that only POSIX has is needed on the way to a game, here or in a browser."""

import json
import re
import urllib.request

import pytest

MODULES = ("fcntl", "termios", "tty", "pty", "readline", "resource", "pwd", "grp")

WITHOUT = f"""
import os, signal, sys

for name in {MODULES!r}:
    sys.modules[name] = None
for name in ("nice", "killpg", "getuid", "fork"):
    delattr(os, name)
for name in ("pthread_sigmask", "SIGKILL", "SIGHUP", "SIGALRM", "setitimer"):
    delattr(signal, name)
"""

SOFT = "numduel: only soft file lock is available\n"  # which no real system is left with


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, environment):
    """A Python as other systems have it."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(WITHOUT)
    environment["PYTHONPATH"] = str(folder)


def test_a_game_is_played_saved_resumed_and_looked_back_on(run):
    ran = run("play", "double-or-add", "--p2", "hard", "--seed", 1, typed="1\nquit\n")
    assert (ran.status, ran.err) == (0, SOFT)
    ran = run("resume", "--record", "game.json", typed="resign\nyes\n")
    assert (ran.status, ran.err) == (0, SOFT)
    for command in (["history"], ["replay", 1], ["analyze", 1], ["analyze", "game.json"]):
        assert run(*command).status == 0
    assert run("history", "--delete", 1).status == 0


def test_a_game_is_played_at_a_terminal(spawn):
    terminal = spawn("play", "divisor-line", "--p2", "random")
    terminal.type(", your move: ", "7", "hint", "q")
    assert terminal.ends() == 0


def test_a_server_of_one_worker_is_started_and_its_computer_plays(start):
    server = start("serve", "--port", 0)
    try:
        said = server.stdout.readline().decode()
        address = re.match(r"Numduel is at (\S+) ", said)[1]
        with urllib.request.urlopen(address, timeout=60) as page:
            assert b"Multiplicity" in page.read()
        asked = json.dumps({"game": "double-or-add", "players": ["hard", "human"]}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{address}api/duels", asked, headers)
        with urllib.request.urlopen(request, timeout=60) as opened:
            name = json.load(opened)["name"]
        with urllib.request.urlopen(f"{address}api/duels/{name}", timeout=60) as duel:
            assert len(json.load(duel)["moves"]) == 1
    finally:
        server.terminate()
        _, err = server.communicate()
    assert b"Traceback" not in err, err.decode()
