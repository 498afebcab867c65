"""`numduel serve` at the command line: what it says, and what it refuses."""

import os
import re
import signal
import socket
import sqlite3
import time
import urllib.request

import pytest

from numduel.core.errors import install_command
from numduel.terminal import serve
from numduel.terminal.serve import listen

PATIENCE = 180


def has_ipv6():
    """Whether this machine has an address ::1; in a container there may be none."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


IPV6 = ["::1"] if has_ipv6() else []


@pytest.fixture
def served(start):
    """Start the server; its process and the first line that it prints."""
    processes = []

    def served(*arguments):
        process = start("serve", *arguments, start_new_session=True)
        processes.append(process)
        return process, process.stdout.readline().decode()

    yield served
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def address(line):
    return re.fullmatch(r"Numduel is at (http://[^/]+:\d+/) \(Ctrl-C stops it\)\.\n", line)[1]


def fetched(url):
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(url, timeout=PATIENCE) as answer:
        return answer.status


def refused(run, *arguments, status=1):
    """The one line with which it ends."""
    ran = run("serve", *arguments)
    assert (ran.status, ran.out) == (status, "")
    assert re.fullmatch(r"numduel: [^\n]+\n", ran.err), ran.err
    return ran.err.removeprefix("numduel: ").rstrip("\n")


def test_an_address_that_is_not_ours_or_a_port_in_use_is_refused(run):
    for host in ("192.0.2.1", "x" * 300, "a..b"):
        why = f"cannot listen on '{host[:60]}', port 0: "
        assert refused(run, "--host", host, "--port", 0).startswith(why)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = refused(run, "--port", port)
    assert line == f"cannot listen on '127.0.0.1', port {port}: Address already in use"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", *IPV6])
def test_no_answer_waits_for_the_next_packet(host):
    """Where a socket does not say that it is TCP, asyncio leaves Nagle's algorithm on: 40 ms."""
    with listen(host, 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP


MEANT = "the database must be sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME"


def test_a_database_that_cannot_be_used_is_refused_before_anything_is_served(run):
    for database, why in (
        ("", MEANT),
        ("postgresql://user@host:port/name", MEANT),
        (os.fsdecode(b"sqlite:///\xff"), MEANT),
        ("sqlite:///:memory:", "the database must be a file: sqlite:///FILE"),
        ("sqlite:////no/such/folder/x", "the database cannot be used: unable to open database"),
        ("sqlite:////bin/sh", "the database cannot be used: file is not a database"),
        ("postgresql://nobody@127.0.0.1:1/none", "the database cannot be used: connection failed"),
    ):
        assert refused(run, "--port", 0, "--database", database).startswith(why)
    database = "postgresql://u:hunter2@127.0.0.1:1/x"
    assert "hunter2" not in refused(run, "--port", 0, "--database", database)


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize("workers", [2, 1])
def test_it_says_where_it_is_and_keeps_its_games_with_the_others(served, home, workers):
    process, line = served("--port", 0, "--workers", workers)
    assert address(line).startswith("http://127.0.0.1:")
    assert fetched(address(line)) == 200
    process.terminate()
    out, err = process.communicate(timeout=PATIENCE)
    assert out == b""
    assert b"Warning" not in err
    assert b"Traceback" not in err
    with sqlite3.connect(home / "web.sqlite") as database:
        assert database.execute("SELECT count(*) FROM duels").fetchone() == (0,)
    database.close()


def test_ctrl_c_stops_it_as_it_stops_the_rest(served):
    process, line = served("--port", 0)
    assert fetched(f"{address(line)}healthz") == 200
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"Traceback" not in err


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize("host", ["0.0.0.0", "localhost", "127.0.0.2", *IPV6])
def test_it_warns_where_it_is_opened_to_the_network(served, host):
    process, line = served("--port", 0, "--host", host)
    shown, _, port = address(line).rpartition(":")
    everywhere = host == "0.0.0.0"  # of which one can make no address: it is that in the network
    assert (shown == f"http://{'[::1]' if host == '::1' else host}") != everywhere
    near = f"http://127.0.0.1:{port}" if everywhere else f"{shown}:{port}"
    assert fetched(near) == 200
    process.terminate()
    _, err = process.communicate(timeout=PATIENCE)
    warned = b"Warning: anybody who can reach this machine over the network can play here" in err
    assert warned == everywhere


def status_of(port, host):
    """How a page is answered that is asked for by that name."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as visitor:
        visitor.sendall(f"GET /join HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        return int(visitor.makefile("rb").readline().split()[1])


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize(
    ("options", "answered", "refused"),
    [
        (
            ("--host", "0.0.0.0", "--allow-host", "a.example", "--allow-host", "B.example"),
            ("127.0.0.1", "localhost:1", socket.gethostname(), "a.example", "b.example:443"),
            ("c.example", "192.0.2.1"),
        ),
        ((), ("127.0.0.1", "localhost"), ("a.example", "192.0.2.1", "127.0.0.2")),
    ],
    ids=["to the network", "here"],
)
def test_it_answers_to_its_own_names_and_those_that_are_allowed(served, options, answered, refused):
    _, line = served("--port", 0, *options)
    port = int(address(line).rstrip("/").rpartition(":")[2])
    assert {host: status_of(port, host) for host in answered} == dict.fromkeys(answered, 200)
    assert {host: status_of(port, host) for host in refused} == dict.fromkeys(refused, 421)


class Way:
    """A UDP socket of a machine that has such an address in its network."""

    def __init__(self, found):
        self.found = found

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def connect(self, address):
        if not self.found:
            raise OSError("Network is unreachable")

    def getsockname(self):
        return (self.found, 50000)


def test_it_says_the_address_by_which_others_reach_it(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "classroom")
    for host, found, shown in (
        ("0.0.0.0", "192.168.1.5", "192.168.1.5"),
        ("::", "2001:db8::5", "[2001:db8::5]"),
        ("0.0.0.0", "", "classroom"),
        ("0.0.0.0", "127.0.0.1", "classroom"),
        ("10.0.0.7", "192.168.1.5", "10.0.0.7"),
    ):
        monkeypatch.setattr("socket.socket", lambda *kind, found=found: Way(found))
        assert serve._page_address(host, 8000) == f"http://{shown}:8000/"


def test_an_allowed_host_is_a_name(run):
    for name in ("", "http://a.example", "a.example:80", "a b", "*", "é.example"):
        meant = "an allowed host is a name or an address, without a port: not "
        assert refused(run, "--allow-host", name) == f"{meant}{name!r}"


def test_open_opens_the_page_in_a_browser(served, environment, tmp_path):
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new && mv {opened}.new {opened}\n')
    browser.chmod(0o755)
    environment["BROWSER"] = str(browser)
    _, line = served("--port", 0, "--open")
    end = time.monotonic() + PATIENCE
    while not opened.exists():
        assert time.monotonic() < end, "no browser was opened"
        time.sleep(0.05)
    assert opened.read_text() == f"{address(line)}\n"


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize("name", ["uvicorn", "sqlalchemy", "alembic"])
def test_without_the_extra_one_line_says_what_to_install(run, environment, tmp_path, name):
    (tmp_path / "site").mkdir()
    missing = f"raise ModuleNotFoundError('there is none', name={name!r})\n"
    (tmp_path / "site" / f"{name}.py").write_text(missing)
    environment["PYTHONPATH"] = str(tmp_path / "site")
    assert refused(run) == (
        f"serving needs {name}, which is not installed; type: {install_command('web')}"
    )
    assert run("games").status == 0  # everything else works


def test_the_web_is_not_imported_for_anything_else(run, environment, tmp_path):
    (tmp_path / "site").mkdir()
    for name in ("uvicorn", "fastapi", "starlette", "sqlalchemy", "pydantic", "jinja2", "mcp"):
        (tmp_path / "site" / f"{name}.py").write_text("raise SystemExit(99)\n")
    environment["PYTHONPATH"] = str(tmp_path / "site")
    assert run("games").status == 0
    assert run("play", "double-or-add", typed="1\n").status == 130
    assert run("mcp", "--help").status == 0
    help_text = " ".join(run("serve", "--help").out.split())
    assert "[default: 8000; 0 to 65535]" in help_text and "<=" not in help_text


def test_completion_of_its_options_makes_no_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMDUEL_HOME", str(tmp_path / "home"))
    serve.serve.make_context("serve", [], resilient_parsing=True)
    assert not (tmp_path / "home").exists()
    serve.serve.make_context("serve", [])
    assert (tmp_path / "home").exists()
