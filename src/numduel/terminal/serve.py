"""`numduel serve`, the browser front end; `backup` and `restore`, its games; and `numduel mcp`."""

from __future__ import annotations

import ipaddress
import json
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from numduel.core.errors import NumduelError, SettingsError
from numduel.play.files import make_private_folder
from numduel.terminal.command import command, needing
from numduel.terminal.options import number_option
from numduel.terminal.saved_games import home

if TYPE_CHECKING:
    import uvicorn

    from numduel.web.thinking.processes import Thinkers

log = logging.getLogger("numduel.web")

MAX_SERVER_WORKERS = 64
_EVERYWHERE = {
    "0.0.0.0": (socket.AF_INET, "192.0.2.1"),
    "::": (socket.AF_INET6, "2001:db8::1"),
}
"""The hosts that mean every address of this machine, each with an address that nobody has."""

SHUTDOWN_SECONDS = 10
WORKER_SECONDS = 20
"""Time that requests have to finish when the server stops, and a worker to start or answer."""

_DATABASE = click.option(
    "--database",
    metavar="URL",
    envvar="NUMDUEL_DATABASE",
    help="Where the games are kept: sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME. Unless "
    "NUMDUEL_DATABASE names one, it is a file in your data folder.",
)


@click.command(
    "serve",
    help="Start a web server, to play in a browser.",
    epilog="Example: numduel serve --open",
)
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="The address to listen on.")
@number_option("--port", 0, 65535, "The port to listen on; 0: any free one.", default=8000)
@_DATABASE
@click.option(
    "--direct-database",
    metavar="URL",
    help="PostgreSQL's own address, for live events, if --database is that of a pooler.",
)
@number_option("--workers", 1, MAX_SERVER_WORKERS, "How many processes share the work.", default=1)
@number_option(
    "--keep-days",
    1,
    3650,
    "Unfinished games are deleted when nobody has moved for N days.",
    default=30,
)
@number_option(
    "--keep-finished",
    1,
    3650,
    "Finished games are deleted after N days.",
    default=365,
)
@number_option("--metrics-port", 1, 65535, "The port for Prometheus metrics, on this machine only.")
@click.option(
    "--allow-host",
    "allowed",
    metavar="NAME",
    multiple=True,
    help="Another host name for the server; may be repeated.",
)
@click.option(
    "--check", is_flag=True, help="Say what is wrong with the server's setup, and do not start it."
)
@click.option("--open", "open_", is_flag=True, help="Open the page in a browser.")
def serve(
    host: str,
    port: int,
    database: str | None,
    direct_database: str | None,
    workers: int,
    keep_days: int,
    keep_finished: int,
    metrics_port: int | None,
    allowed: tuple[str, ...],
    check: bool,
    open_: bool,
) -> None:
    if check:
        _check(database or default_database(), direct_database or "", workers, allowed)
        listen(host, port).close()
        return
    if metrics_port is not None and workers > 1:  # then all count in one folder
        folder = click.get_current_context().with_resource(TemporaryDirectory(prefix="numduel-"))
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder  # read when their library is imported
    _check_installed()
    from numduel.web.thinking.processes import Thinkers

    thinkers = Thinkers()
    click.get_current_context().call_on_close(thinkers.close)
    _prepare(
        allowed,
        database=default_database() if database is None else database,
        direct_database=direct_database or "",
        keep_days=keep_days,
        keep_finished_days=keep_finished,
        hosts=[*allowed, *_names(host)],
        thinkers=thinkers.socket if workers > 1 else "",  # a single worker has its own
    )
    listening = listen(host, port)
    if metrics_port is not None:
        from numduel.web import metrics

        with _explaining("127.0.0.1", metrics_port):
            metrics.serve_metrics(metrics_port)
    address = _address(host, listening.getsockname()[1])
    click.echo(f"Numduel is at {address} (Ctrl-C stops it).")
    if not _on_loopback(host):
        click.echo(
            "Warning: anybody who can reach this machine over the network can play here; "
            "see docs/serving.md for a server with TLS.",
            err=True,
        )
    if open_:
        webbrowser.open(address)
    _run(workers, listening, thinkers)


def _check(*settings: Any) -> None:
    """Print what is right, in doubt and wrong; NumduelError if anything is wrong."""
    _check_installed()
    from numduel.web.check import Doubt, findings

    is_wrong = False
    for what, line, error in findings(*settings):
        sign = "ok" if error is None else "DOUBT" if isinstance(error, Doubt) else "WRONG"
        click.echo(f"{sign:5} {what}: {line}")
        is_wrong = is_wrong or sign == "WRONG"
    if is_wrong:
        raise NumduelError("what is marked as wrong keeps this server from running well")


def _check_installed() -> None:
    """Raise NumduelError if the extra `web` is not installed."""
    with needing("web", "serving"):
        import numduel.web.app
        import numduel.web.connections  # noqa: F401


def _prepare(allowed: tuple[str, ...], database: str, **settings: object) -> None:
    """Check the settings, prepare the database, and pass all on to the processes that serve."""
    from numduel.web.app import ENVIRONMENT
    from numduel.web.database.migration import migrate
    from numduel.web.security import check_hosts

    check_hosts(allowed)
    migrate(database)
    os.environ[ENVIRONMENT] = json.dumps({"database": database, **settings})


def _run(workers: int, listening: socket.socket, thinkers: Thinkers) -> None:
    """Serve until the server is stopped."""
    import uvicorn

    from numduel.web.connections import MAX_ACCEPTED_AT_ONCE, Connection, GracefulServer
    from numduel.web.limits import MAX_HEAD_SECONDS
    from numduel.web.log import CONFIG

    config = uvicorn.Config(
        "numduel.web.app:from_environment",
        factory=True,
        workers=workers,
        http=Connection,
        ws="none",
        loop="numduel.web.connections:Loop",
        backlog=MAX_ACCEPTED_AT_ONCE,
        log_config=CONFIG,
        access_log=False,
        server_header=False,
        timeout_keep_alive=MAX_HEAD_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        timeout_worker_healthcheck=WORKER_SECONDS,
    )
    if workers == 1:
        GracefulServer(config).run(sockets=[listening])
    else:
        _run_workers(config, listening, thinkers)


def _run_workers(config: uvicorn.Config, listening: socket.socket, thinkers: Thinkers) -> None:
    from uvicorn.supervisors import multiprocess

    from numduel.web.connections import Worker, drop_handshakes

    multiprocess.Process = Worker  # type: ignore[misc]

    class Workers(multiprocess.Multiprocess):
        interrupted = False

        def terminate_all(self) -> None:
            drop_handshakes(listening)
            listening.close()
            super().terminate_all()

        def handle_int(self) -> None:
            self.interrupted = True
            super().handle_int()

        def keep_subprocess_alive(self) -> None:
            thinkers.ensure()
            before = [*self.processes]
            super().keep_subprocess_alive()
            for old, new in zip(before, self.processes, strict=True):
                if old is not new:
                    cause = f"a worker has ended, or no longer answered ({old.exitcode})"
                    log.warning("replaced", extra={"cause": cause})

    workers = Workers(config, sockets=[listening])
    workers.run()
    if workers.interrupted:
        raise KeyboardInterrupt  # as it is with one worker


def default_database() -> str:
    """Return the address of the database that is served unless another is named."""
    folder = home()
    make_private_folder(folder)
    return f"sqlite:///{folder / 'web.sqlite'}"


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; raises SettingsError if that cannot be."""
    with _explaining(host, port):
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)  # asyncio sets TCP_NODELAY if it is TCP
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(2048)  # a client that comes before the server is ready waits
        except OSError:
            listening.close()
            raise
    listening.set_inheritable(True)
    return listening


@contextmanager
def _explaining(host: str, port: int) -> Iterator[None]:
    """Raise SettingsError, in one line, if that address and port cannot be used."""
    try:
        yield
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise SettingsError(f"cannot listen on {host[:60]!r}, port {port}: {why}") from None


def _on_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _names(host: str) -> list[str]:
    """Return the names by which this machine can be reached, beside its addresses."""
    names = [host, "localhost"]
    if not _on_loopback(host):
        whole = socket.gethostname()
        short = whole.partition(".")[0]
        names += [whole, short, f"{short}.local"]
    return names


def _in_the_network(host: str) -> str:
    """Return the address by which others reach this machine; empty if it has none.

    Telephones seldom know a machine by its name. Connecting by UDP sends nothing: it only chooses
    the address to send from.
    """
    family, elsewhere = _EVERYWHERE[host]
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((elsewhere, 9))
            found = str(way.getsockname()[0])
    except OSError:
        return ""
    return "" if _on_loopback(found) else found


def _address(host: str, port: int) -> str:
    if host in _EVERYWHERE:
        host = _in_the_network(host) or socket.gethostname()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


_FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.command(epilog=f"Example: {command('backup games.backup')}")
@_FILE
@_DATABASE
def backup(file: Path, database: str | None) -> None:
    """Copy a server's games to FILE, also while people play."""
    with needing("web"):
        from numduel.web.database.backup import back_up

    back_up(database or default_database(), file)
    click.echo(f"The games are in {file}. To put them back: {command(f'restore {file}')}")


@click.command(epilog=f"Example: {command('restore games.backup')}")
@_FILE
@_DATABASE
def restore(file: Path, database: str | None) -> None:
    """Replace a server's games by those of a copy, FILE; stop the server first."""
    with needing("web"):
        from numduel.web.database.backup import restore

    restore(database or default_database(), file)
    click.echo("The games are back.")


@click.command(epilog=f"Example: {command('mcp --hints')}")
@click.option("--hints", is_flag=True, help="Let it ask for hints and verdicts while it plays.")
def mcp(hints: bool) -> None:
    """Let a language model play, with the Model Context Protocol on standard input and output."""
    with needing("mcp"):
        from numduel.agents.mcp import run_server
    if sys.stdin.isatty():
        click.echo("Programs start this command, not people (Ctrl-C stops it).", err=True)
    run_server(hints)
