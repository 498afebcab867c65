"""How hypothesis runs, what a skip means, and the real program: piped, and at a terminal."""

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pexpect
import pytest
from hypothesis import settings

settings.register_profile("numduel", deadline=None, max_examples=60, print_blob=True)
settings.load_profile("numduel")  # no clock decides whether a test passes


def _skips(config: pytest.Config) -> list[str]:
    """Why tests were skipped, each reason once; nothing in a worker, which reports to another."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter else []
    return sorted({report.longrepr[2].removeprefix("Skipped: ") for report in reports})


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where `CI` is set all must be there that the tests need: a skip is a failure."""
    if os.environ.get("CI") and _skips(session.config) and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if skips := _skips(config):
        verdict = "a failure, as CI is set" if os.environ.get("CI") else "skipped"
        terminalreporter.write_line(f"{verdict}: {'; '.join(skips)}")


NUMDUEL = str(Path(sys.executable).with_name("numduel"))
PATIENCE = 180  # seconds until something that hangs is given up

_ESCAPE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[()][0-9A-Za-z]|[=>])")


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # which a shell's background job ignores


class Ran(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str


class Terminal:
    """The program at a pseudo-terminal."""

    def __init__(self, command: list[str], columns: int, lines: int, env: dict[str, str]) -> None:
        self.child = pexpect.spawn(
            command[0],
            command[1:],
            dimensions=(lines, columns),
            env=env,
            encoding="utf-8",
            codec_errors="replace",
            timeout=PATIENCE,
            preexec_fn=_heed_interrupts,
        )
        self.child.delaybeforesend = None
        self._seen = io.StringIO(newline="")
        self.child.logfile_read = self._seen
        self._at = 0  # how far the text was waited for

    @property
    def raw(self) -> str:
        """All that was printed, escapes included."""
        return self._seen.getvalue()

    @property
    def text(self) -> str:
        """All that was printed, without escapes."""
        return _ESCAPE.sub("", self.raw).replace("\r\n", "\n")

    def shows(self, *texts: str) -> None:
        """Wait until each of the texts was printed, in order; escapes do not count."""
        for text in texts:
            while (found := self.text.find(text, self._at)) < 0:
                self.child.expect(r"(?s).+")  # whatever comes next
            self._at = found + len(text)

    def type(self, prompt: str, *lines: str) -> None:
        """At each prompt, type a line."""
        for line in lines:
            self.shows(prompt)
            self.child.send(f"{line}\r")

    def keys(self, prompt: str, keys: str) -> None:
        """At the prompt, press keys, as they come from a keyboard."""
        self.shows(prompt)
        self.child.send(keys)

    def interrupt(self, prompt: str) -> int:
        """At the prompt, press Ctrl-C; the status.

        Python misses one that falls into the instant between the prompt and the waiting for
        keys, until the next key; so it is pressed again, as a person would.
        """
        self.shows(prompt)
        self.child.send("\x03")
        while self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=5):
            self.child.send("\x03")
        return self.ends()

    def ends(self) -> int:
        """Wait until it ends; its status, or the signal that ended it, negated."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        assert "Traceback" not in self.text
        if self.child.exitstatus is None:
            return -int(self.child.signalstatus)
        return int(self.child.exitstatus)

    def kill(self) -> None:
        """As a power cut would."""
        self.child.kill(9)
        assert self.ends() == -9


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where the program keeps its games in this test."""
    return tmp_path / "home"


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    """What the program sees of the environment: nothing of ours."""
    return {
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "NUMDUEL_HOME": str(home),
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
    }


@pytest.fixture
def run(environment: dict[str, str], tmp_path: Path) -> Callable[..., Ran]:
    """Run the program through pipes: run("play", "multiplicity", typed="7\n")."""

    def run(*arguments: object, typed: str | bytes = b"", env: Any = (), **kwargs: Any) -> Ran:
        if isinstance(typed, str):
            typed = typed.encode()
        done = subprocess.run(
            [NUMDUEL, *map(str, arguments)],
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "input": typed, **kwargs},
            env={**environment, **dict(env)},
            cwd=tmp_path,
            timeout=PATIENCE,
        )
        ran = Ran(done.returncode, *((text or b"").decode() for text in (done.stdout, done.stderr)))
        assert "Traceback" not in ran.err, ran.err
        return ran

    return run


@pytest.fixture
def start(environment: dict[str, str], tmp_path: Path) -> Callable[..., subprocess.Popen[bytes]]:
    """Start the program through pipes, without waiting for it."""

    def start(*arguments: object, **kwargs: Any) -> subprocess.Popen[bytes]:
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(
            [NUMDUEL, *map(str, arguments)],
            env=environment,
            cwd=tmp_path,
            preexec_fn=_heed_interrupts,
            **{**pipes, **kwargs},
        )

    return start


@pytest.fixture
def spawn(environment: dict[str, str]) -> Iterator[Callable[..., Terminal]]:
    """Run the program at a pseudo-terminal: spawn("play", "multiplicity", columns=40)."""
    terminals: list[Terminal] = []

    def spawn(*arguments: object, columns: int = 80, lines: int = 24, env: Any = ()) -> Terminal:
        command = [NUMDUEL, *map(str, arguments)]
        terminals.append(Terminal(command, columns, lines, {**environment, **dict(env)}))
        return terminals[-1]

    yield spawn
    for terminal in terminals:
        terminal.child.close(force=True)


@pytest.fixture
def package(tmp_path: Path, environment: dict[str, str]) -> Callable[..., None]:
    """A folder on the path, as an installed package would be; registers what it is given."""
    folder = tmp_path / "site"
    folder.mkdir()
    environment["PYTHONPATH"] = str(folder)

    def package(name: str, source: str, **games: str) -> None:
        (folder / f"{name}.py").write_text(source)
        info = folder / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        points = "".join(f"{key} = {name}:{target}\n" for key, target in games.items())
        (info / "entry_points.txt").write_text(f"[numduel.games]\n{points}")

    return package
