"""What all tests share: how much is run, and the program, in this process or at a terminal."""

import contextlib
import gc
import io
import os
import re
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar
from unittest import mock

import pexpect
import pytest
from hypothesis import settings

from numduel.terminal.main import main

T = TypeVar("T")

# Whatever the day's puzzle is, the tests do the same: it is one with as many options as there are.
TODAY = os.environ.setdefault("NUMDUEL_TODAY", "2026-12-11")

# No clock decides whether a test passes, and in `make test` and in CI no chance either.
_in_ci = bool(os.environ.get("CI"))
settings.register_profile("test", deadline=None, max_examples=20, derandomize=True)
settings.register_profile(
    "soak", deadline=None, max_examples=200, derandomize=_in_ci, print_blob=True
)


def pytest_addoption(parser: pytest.Parser) -> None:
    long = "run only the tests that have a longer form, and these in full (make soak)"
    parser.addoption("--soak", action="store_true", help=long)
    part = "with --soak: run one part in SHARE of its cases, another one each day"
    parser.addoption("--share", type=int, default=1, help=part)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("soak" if config.getoption("soak") else "test")
    config.addinivalue_line(
        "markers",
        "soak(keep=0): `make test` runs only this many cases of the test, `make soak` all of them",
    )


@pytest.fixture(scope="session")
def many(pytestconfig: pytest.Config) -> Callable[[T, T], T]:
    """Return the first of two amounts in `make test`, the second in `make soak`: many(4, 100)."""
    return lambda few, lots: lots if pytestconfig.getoption("soak") else few


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    selected: list[pytest.Item] = []
    for _, group in groupby(items, lambda item: item.nodeid.partition("[")[0]):
        cases = [*group]
        mark = cases[0].get_closest_marker("soak")
        if config.getoption("soak"):
            selected += cases if mark or _has_longer_form(cases[0]) else []
        elif mark:
            keep = min(mark.kwargs.get("keep", 0), len(cases))
            selected += [cases[len(cases) * n // keep] for n in range(keep)]
        else:
            selected += cases
    share = config.getoption("share")
    if config.getoption("soak"):
        selected = selected[date.today().toordinal() % share :: share]
    kept = {*selected}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = selected


def _has_longer_form(item: pytest.Item) -> bool:
    """Whether the test does more in `make soak`: more repetitions or more random examples."""
    drawn = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    return drawn or "many" in getattr(item, "fixturenames", ())


def pytest_collection_finish() -> None:
    gc.freeze()  # the collected tests stay: the garbage collector need not visit them


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where CI is set, everything that the tests need must be there: a skip is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter and reporter.stats.get("skipped"):
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED


NUMDUEL = str(Path(sys.executable).with_name("numduel"))
TIMEOUT_SECONDS = 180  # until something that hangs is given up

_ESCAPE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[()][0-9A-Za-z]|[=>])")


def _for_python(variables: dict[str, str]) -> bool:
    """Whether Python itself reads one of the variables when it starts."""
    return any(name.startswith("PYTHON") for name in variables)


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # which a shell's background job ignores


class Ran(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str


class Terminal:
    """The program at a pseudo-terminal."""

    def __init__(self, command: list[str], columns: int, lines: int, **options: Any) -> None:
        self.child = pexpect.spawn(
            command[0],
            command[1:],
            dimensions=(lines, columns),
            encoding="utf-8",
            codec_errors="replace",
            timeout=TIMEOUT_SECONDS,
            **options,
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
    """The program's environment: nothing of ours."""
    return {
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "NUMDUEL_HOME": str(home),
        "NUMDUEL_TODAY": TODAY,
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
    }


@pytest.fixture
def run_process(environment: dict[str, str], tmp_path: Path) -> Callable[..., Ran]:
    """Run a command in a process of its own: run_process("games", stdout=file)."""

    def run_process(
        *arguments: object, typed: str | bytes = b"", env: Any = (), **options: Any
    ) -> Ran:
        done = subprocess.run(
            [NUMDUEL, *map(str, arguments)],
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
            input=typed.encode() if isinstance(typed, str) else typed,
            env={**environment, **dict(env)},
            cwd=tmp_path,
            timeout=TIMEOUT_SECONDS,
        )
        ran = Ran(done.returncode, *((text or b"").decode() for text in (done.stdout, done.stderr)))
        assert "Traceback" not in ran.err, ran.err
        return ran

    return run_process


@pytest.fixture
def run(
    environment: dict[str, str], tmp_path: Path, run_process: Callable[..., Ran]
) -> Callable[..., Ran]:
    """Run a command in this process: run("play", "multiplicity", typed="7\n").

    Variables that are for Python itself need a process of their own.
    """

    def run(*arguments: object, typed: str | bytes = b"", env: Any = ()) -> Ran:
        variables = {**environment, **dict(env)}
        if _for_python(variables):
            return run_process(*arguments, typed=typed, env=env)
        given = io.BytesIO(typed.encode() if isinstance(typed, str) else typed)
        out, err = io.BytesIO(), io.BytesIO()
        stdin, stdout, stderr = (io.TextIOWrapper(each, "utf-8") for each in (given, out, err))
        with (
            contextlib.chdir(tmp_path),
            mock.patch.dict(os.environ, variables, clear=True),
            mock.patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr, __stdout__=stdout),
            warnings.catch_warnings(action="default", category=UserWarning),
            pytest.raises(SystemExit) as left,
        ):
            main([*map(str, arguments)])
        return Ran(left.value.code, out.getvalue().decode(), err.getvalue().decode())

    return run


@pytest.fixture
def start(
    environment: dict[str, str], tmp_path: Path
) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start a process of the program, with pipes; it is killed when the test has ended."""
    with contextlib.ExitStack() as processes:

        def start(*arguments: object, **options: Any) -> subprocess.Popen[bytes]:
            pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
            process = subprocess.Popen(
                [NUMDUEL, *map(str, arguments)],
                env=environment,
                cwd=tmp_path,
                preexec_fn=_heed_interrupts,
                **{**pipes, **options},
            )
            processes.callback(_end, process)
            return process

        yield start


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):  # what it was to read is lost
                pipe.close()
    process.wait()


def _main_at_terminal(arguments: list[str], environment: dict[str, str]) -> NoReturn:
    """Be the program, in the process that pexpect has forked: nothing is imported again."""
    os.closerange(3, 1024)  # pexpect waits until its pipe is closed, as exec would do
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    status: Any = 1
    try:
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        warnings.simplefilter("default", UserWarning)
        main(arguments)
    except SystemExit as left:
        status = left.code
    finally:
        os._exit(status)


@pytest.fixture
def spawn(environment: dict[str, str]) -> Iterator[Callable[..., Terminal]]:
    """Run a command at a pseudo-terminal: spawn("play", "multiplicity", columns=40).

    It is a fork of this process, which need not import anything again; the installed program where
    there are variables for Python itself.
    """
    terminals: list[Terminal] = []
    signal.signal(signal.SIGWINCH, signal.SIG_IGN)  # pexpect sets the size: nothing to redraw yet

    def spawn(*arguments: object, columns: int = 80, lines: int = 24, env: Any = ()) -> Terminal:
        words = [*map(str, arguments)]
        variables = {**environment, **dict(env)}
        begin = partial(_main_at_terminal, words, variables)
        terminals.append(
            Terminal(
                [NUMDUEL, *words],
                columns,
                lines,
                env=variables,
                preexec_fn=_heed_interrupts if _for_python(variables) else begin,
            )
        )
        return terminals[-1]

    yield spawn
    for terminal in terminals:
        terminal.child.close(force=True)


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A provider of models on this machine, which misbehaves as their names say."""
    from tests.stub_provider import StubProvider

    monkeypatch.setattr("numduel.players.provider.FIRST_RETRY_SECONDS", 0.01)
    server = StubProvider()
    yield server
    server.close()


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
