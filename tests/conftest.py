"""Fixtures for all tests: how many cases to run, and the program, in this process or another."""

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

# All tests have the same puzzle of the day, one with as many options as possible.
TODAY = os.environ.setdefault("NUMDUEL_TODAY", "2026-12-11")

# No test depends on a clock. In `make test` and in CI, no test depends on chance either.
_in_ci = bool(os.environ.get("CI"))
settings.register_profile("test", deadline=None, max_examples=20, derandomize=True)
settings.register_profile(
    "soak", deadline=None, max_examples=200, derandomize=_in_ci, print_blob=True
)


def pytest_addoption(parser: pytest.Parser) -> None:
    soak = "run only the tests that have a longer form, in that form (make soak)"
    parser.addoption("--soak", action="store_true", help=soak)
    share = "with --soak: run one of SHARE parts of the cases, another part each day"
    parser.addoption("--share", type=int, default=1, help=share)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("soak" if config.getoption("soak") else "test")
    config.addinivalue_line(
        "markers",
        "soak(keep=0): `make test` runs only this many cases of the test, `make soak` all of them",
    )


@pytest.fixture(scope="session")
def many(pytestconfig: pytest.Config) -> Callable[[T, T], T]:
    """Return a function: many(4, 100) returns 4 in `make test` and 100 in `make soak`."""
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
    """Return whether `make soak` runs more repetitions or more random examples of a test."""
    is_random = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    return is_random or "many" in getattr(item, "fixturenames", ())


def pytest_collection_finish() -> None:
    gc.freeze()  # the garbage collector need not visit the collected tests, which stay


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail in CI if a test was skipped: everything that the tests need must be installed there."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter and reporter.stats.get("skipped"):
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED


NUMDUEL = str(Path(sys.executable).with_name("numduel"))
TIMEOUT_SECONDS = 180  # to wait for a program that hangs

_ESCAPE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[()][0-9A-Za-z]|[=>])")


def _configure_python(variables: dict[str, str]) -> bool:
    """Return whether Python itself reads one of the variables when it starts."""
    return any(name.startswith("PYTHON") for name in variables)


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # background jobs of a shell ignore interrupts


class Ran(NamedTuple):
    """The result of a command."""

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
        self._at = 0  # the end of the text that `shows` has found

    @property
    def raw(self) -> str:
        """Everything that was printed, with escape sequences."""
        return self._seen.getvalue()

    @property
    def text(self) -> str:
        """Everything that was printed, without escape sequences."""
        return _ESCAPE.sub("", self.raw).replace("\r\n", "\n")

    def shows(self, *texts: str) -> None:
        """Wait until the texts have been printed in this order, ignoring escape sequences."""
        for text in texts:
            while (found := self.text.find(text, self._at)) < 0:
                self.child.expect(r"(?s).+")  # any output
            self._at = found + len(text)

    def type(self, prompt: str, *lines: str) -> None:
        """Type each line at the next prompt."""
        for line in lines:
            self.shows(prompt)
            self.child.send(f"{line}\r")

    def keys(self, prompt: str, keys: str) -> None:
        """Press keys at the next prompt."""
        self.shows(prompt)
        self.child.send(keys)

    def interrupt(self, prompt: str) -> int:
        """Press Ctrl-C at the next prompt until the program ends, and return its status.

        Python may miss a Ctrl-C that comes just before it waits for keys, so a person would press
        it again.
        """
        self.shows(prompt)
        self.child.send("\x03")
        while self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=5):
            self.child.send("\x03")
        return self.ends()

    def ends(self) -> int:
        """Wait until the program ends. Return its status, or minus the signal that ended it."""
        self.child.expect(pexpect.EOF)
        self.child.wait()  # otherwise `close` could send a signal to a program that is ending
        self.child.close()
        assert "Traceback" not in self.text
        if self.child.exitstatus is None:
            return -int(self.child.signalstatus)
        return int(self.child.exitstatus)

    def kill(self) -> None:
        """Kill the program, as if by a power cut."""
        self.child.kill(9)
        assert self.ends() == -9


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return the folder in which the program saves its games in this test."""
    return tmp_path / "home"


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    """Return the environment of the program. It has nothing from the environment of the tests."""
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
    """Return a function that runs a command in a new process: run_process("games", stdout=file)."""

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
    r"""Return a function that runs a command in this process: run("play", "tally", typed="7\n").

    With variables that configure Python itself, it runs the command in a new process.
    """

    def run(*arguments: object, typed: str | bytes = b"", env: Any = ()) -> Ran:
        variables = {**environment, **dict(env)}
        if _configure_python(variables):
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
    """Return a function that starts the program with pipes. It is killed when the test ends."""
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
            processes.callback(_kill, process)
            return process

        yield start


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):  # the process will not read its input
                pipe.close()
    process.wait()


def _main_at_terminal(arguments: list[str], environment: dict[str, str]) -> NoReturn:
    """Run the program in the process that pexpect has forked, where everything is imported."""
    os.closerange(3, 1024)  # pexpect waits until exec closes its pipe
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
    """Return a function that runs a command at a terminal: spawn("play", "divisor-line", lines=40).

    It runs in a fork of this process, which need not import anything again. With variables that
    configure Python itself, it is the installed program.
    """
    terminals: list[Terminal] = []
    signal.signal(signal.SIGWINCH, signal.SIG_IGN)  # pexpect sets the size before the program runs

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
                preexec_fn=_heed_interrupts if _configure_python(variables) else begin,
            )
        )
        return terminals[-1]

    yield spawn
    for terminal in terminals:
        terminal.child.close(force=True)


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A provider of models on this machine. The name of a model says how it misbehaves."""
    from tests.stub_provider import StubProvider

    monkeypatch.setattr("numduel.players.provider.FIRST_RETRY_SECONDS", 0.01)
    server = StubProvider()
    yield server
    server.close()


@pytest.fixture
def package(tmp_path: Path, environment: dict[str, str]) -> Callable[..., None]:
    """Return a function that installs a package with the given source and games."""
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
