"""How much is run, what a skip means, and the real program: piped, and at a terminal."""

import gc
import io
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, NamedTuple, TypeVar

import pexpect
import pytest
from hypothesis import settings

import numduel

T = TypeVar("T")

# Whose own tests reach every branch of what is measured; tracing the others would only slow them.
_MEASURED = {"core", "games", "play", "players", "proof", "solver", "test_conformance.py"}

# No clock decides whether a test passes, and in `make test` no chance either.
settings.register_profile("test", deadline=None, max_examples=20, derandomize=True)
settings.register_profile("soak", deadline=None, max_examples=200, print_blob=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    long = "run only the tests that have a long share, and these at full length (make soak)"
    parser.addoption("--soak", action="store_true", help=long)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("soak" if config.getoption("soak") else "test")
    config.addinivalue_line(
        "markers",
        "soak(keep=None): of all the cases of this test, `make test` runs only so many, as "
        "different as possible (by default: until each value was there; of a test without cases "
        "nothing), and `make soak` all",
    )


def pytest_xdist_auto_num_workers() -> int:
    """More than there are cores: many a test waits for a process or a browser."""
    return 2 * (os.cpu_count() or 1)


@pytest.fixture(scope="session")
def many(pytestconfig: pytest.Config) -> Callable[[T, T], T]:
    """How much of it: many(4, 100) is 4 in `make test`, and 100 in `make soak`."""
    return lambda few, lots: lots if pytestconfig.getoption("soak") else few


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("soak"):
        kept = {item for item in items if _is_long(item)}
    else:
        cases: dict[str, list[pytest.Item]] = {}
        for item in items:
            marked = item.get_closest_marker("soak") is not None
            cases.setdefault(item.nodeid.partition("[")[0] if marked else "", []).append(item)
        kept = {*cases.pop("", ()), *(item for each in cases.values() for item in _share(each))}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]
    if config.pluginmanager.has_plugin("_cov"):
        for item in items:
            if not {*item.nodeid.partition("::")[0].split("/")} & _MEASURED:
                item.add_marker("no_cover")
        # Now, when all is traced: what a test imports that is not measured would be lost.
        for module in walk_packages(numduel.__path__, "numduel."):
            if module.name.split(".")[1] in _MEASURED:
                import_module(module.name)


def pytest_collection_finish() -> None:
    """Thousands of tests are there to stay: who looks for garbage need not look at them."""
    gc.freeze()


def _is_long(item: pytest.Item) -> bool:
    """Whether `make soak` runs it: it has more cases, more turns or more examples there."""
    drawn = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    turns = "many" in getattr(item, "fixturenames", ())
    return drawn or turns or item.get_closest_marker("soak") is not None


def _share(cases: list[Any]) -> list[Any]:
    """What `make test` runs of the cases of a test: next always the one that is most different."""
    keep = cases[0].get_closest_marker("soak").kwargs.get("keep")
    values = {
        case: [(name, id(value)) for name, value in case.callspec.params.items()]
        for case in cases
        if hasattr(case, "callspec")  # a test without cases is left to the soak
    }
    seen: Counter[tuple[str, int]] = Counter()

    def known(case: Any) -> tuple[int, int]:
        counts = [seen[value] for value in values[case]]
        return sum(map(bool, counts)), sum(counts)

    kept: list[Any] = []
    while len(kept) < len(values) and len(kept) != keep:
        case = min((case for case in values if case not in kept), key=known)
        if keep is None and all(seen[value] for value in values[case]):
            break
        seen.update(values[case])
        kept.append(case)
    return kept


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
        self.child.ptyproc.delayafterclose = 0
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
        self.child.wait()  # or closing would hang up on what is just leaving
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
