"""Nothing that only POSIX has is needed on the way to a game, here or in a browser."""

import socket
import urllib.request
from contextlib import closing

import pytest

POSIX = ("fcntl", "termios", "tty", "pty", "readline", "resource", "pwd", "grp", "posix1e")

WITHOUT = f"""
import os, signal, sys

for name in {POSIX!r}:
    sys.modules[name] = None  # as if there were none
for name in ("nice", "killpg", "setsid", "getpgid", "getuid", "geteuid", "fchmod", "set_blocking"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("pthread_sigmask", "SIGKILL", "SIGHUP", "SIGALRM", "setitimer"):
    if hasattr(signal, name):
        delattr(signal, name)
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, environment):
    """A Python as other systems have it."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(WITHOUT)
    environment["PYTHONPATH"] = str(folder)


def test_it_is_another_system(environment):
    import subprocess
    import sys

    for name in POSIX[:8]:
        program = [sys.executable, "-c", f"import {name}"]
        assert subprocess.run(program, env=environment, capture_output=True).returncode == 1


def test_a_game_is_played_saved_resumed_and_looked_back_on(run):
    ran = run("play", "double-or-add", "--p2", "hard", "--seed", 1, typed="1\nquit\n")
    assert (ran.status, ran.err) == (0, "")
    ran = run("resume", "--record", "game.json", typed="resign\nyes\n")
    assert (ran.status, ran.err) == (0, "")
    for command in (["history"], ["replay", 1], ["analyze", 1], ["analyze", "game.json"]):
        ran = run(*command)
        assert (ran.status, ran.err) == (0, "")
    assert run("history", "--delete", 1).status == 0


def test_a_game_is_played_at_a_terminal(spawn):
    terminal = spawn("play", "divisor-line", "--p2", "random")
    terminal.type(", your move: ", "7", "hint", "q")
    assert terminal.ends() == 0


def test_a_server_of_one_worker_is_started(start):
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    server = start("serve", "--port", port)
    try:
        assert server.stdout.readline().startswith(b"Numduel is at http://127.0.0.1:")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as page:
            assert b"Multiplicity" in page.read()
        form = b"game=double-or-add&players=human&players=hard"
        assert form  # see tests/web for what a page can do
    finally:
        server.terminate()
        _, err = server.communicate()
    assert b"Traceback" not in err, err.decode()
