"""`numduel serve`, the web server; `backup` and `restore`, for its games; and `numduel mcp`."""

from __future__ import annotations

import ipaddress
import json
import logging
import os
import socket
import sys
import webbrowser
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from numduel.core.errors import NumduelError, SettingsError
from numduel.play.files import make_private_folder
from numduel.terminal.command import command, needing
from numduel.terminal.options import number_option
from numduel.terminal.saved_games import data_folder

if TYPE_CHECKING:
    import uvicorn

    from numduel.web.thinking.processes import Thinkers

log = logging.getLogger("numduel.web")

MAX_SERVER_WORKERS = 64
_EVERYWHERE = {"0.0.0.0": (socket.AF_INET, "192.0.2.1"), "::": (socket.AF_INET6, "2001:db8::1")}
"""The hosts that mean every address of this machine, each with an address reserved for examples."""

SHUTDOWN_SECONDS = 10
"""Time for requests to finish when the server stops."""

WORKER_SECONDS = 20
"""Time for a worker to start or to answer."""


def default_database() -> str:
    """Return the address of the database in this person's data folder, after making the folder."""
    folder = data_folder()
    make_private_folder(folder)
    return f"sqlite:///{folder / 'web.sqlite'}"


def _database_or_default(context: click.Context, _: click.Parameter, url: str | None) -> str | None:
    if url is None and not context.resilient_parsing:  # completion must not make the folder
        return default_database()
    return url


_DATABASE = click.option(
    "--database",
    metavar="URL",
    envvar="NUMDUEL_DATABASE",
    show_envvar=True,
    callback=_database_or_default,
    show_default="a file in your data folder",
    help="The database of the games: sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME.",
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
    default="",
    show_default=False,
    help="The address of PostgreSQL itself, for live events, if --database is that of a pooler.",
)
@number_option("--workers", 1, MAX_SERVER_WORKERS, "How many processes share the work.", default=1)
@number_option(
    "--keep-days", 1, 3650, "Delete unfinished games when nobody has moved for N days.", default=30
)
@number_option("--keep-finished", 1, 3650, "Delete finished games after N days.", default=365)
@number_option("--metrics-port", 1, 65535, "The port for Prometheus metrics, on this machine only.")
@click.option(
    "--allow-host",
    "allowed",
    metavar="NAME",
    multiple=True,
    help="Another host name for the server; may be repeated.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Say what is wrong with the setup of the server, without starting it.",
)
@click.option("--open", "open_", is_flag=True, help="Open the page in a browser.")
def serve(
    host: str,
    port: int,
    database: str,
    direct_database: str,
    workers: int,
    keep_days: int,
    keep_finished: int,
    metrics_port: int | None,
    allowed: tuple[str, ...],
    check: bool,
    open_: bool,
) -> None:
    if check:
        _print_findings(database, direct_database, workers, allowed)
        listen(host, port).close()
        return
    if metrics_port is not None and workers > 1:  # all workers count in one folder
        folder = click.get_current_context().with_resource(TemporaryDirectory(prefix="numduel-"))
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder  # read when prometheus_client is imported
    _check_installed()
    from numduel.web.thinking.processes import Thinkers

    thinkers = Thinkers()
    click.get_current_context().call_on_close(thinkers.close)
    _prepare(
        allowed,
        database=database,
        direct_database=direct_database,
        keep_days=keep_days,
        keep_finished_days=keep_finished,
        hosts=[*allowed, *_host_names(host)],
        thinkers=thinkers.socket if workers > 1 else "",  # a single worker has its own
    )
    listening = listen(host, port)
    if metrics_port is not None:
        from numduel.web import metrics

        listen("127.0.0.1", metrics_port).close()  # raises SettingsError if the port is in use
        metrics.serve_metrics(metrics_port)
    address = _page_address(host, listening.getsockname()[1])
    click.echo(f"Numduel is at {address} (Ctrl-C stops it).")
    if not _on_loopback(host):
        click.echo(
            "Warning: anybody who can reach this machine over the network can play here; "
            "see docs/serving.md for a server with TLS.",
            err=True,
        )
    if open_:
        webbrowser.open(address)
    _run_server(workers, listening, thinkers)


def _print_findings(*settings: Any) -> None:
    """Print what is right, doubtful or wrong. Raises NumduelError if anything is wrong."""
    _check_installed()
    from numduel.web.check import Doubt, findings

    signs = set()
    for what, line, error in findings(*settings):
        sign = "ok" if error is None else "DOUBT" if isinstance(error, Doubt) else "WRONG"
        click.echo(f"{sign:5} {what}: {line}")
        signs.add(sign)
    if "WRONG" in signs:
        raise NumduelError("what is marked as wrong keeps this server from running well")


def _check_installed() -> None:
    """Raise NumduelError if the extra `web` is not installed."""
    with needing("web", "serving"):
        import numduel.web.app
        import numduel.web.connections  # noqa: F401


def _prepare(allowed: tuple[str, ...], database: str, **settings: object) -> None:
    """Check the hosts, prepare the database, and put the settings in the environment of workers."""
    from numduel.web.app import ENVIRONMENT
    from numduel.web.database.migration import migrate
    from numduel.web.security import check_hosts

    check_hosts(allowed)
    migrate(database)
    os.environ[ENVIRONMENT] = json.dumps({"database": database, **settings})


def _run_server(workers: int, listening: socket.socket, thinkers: Thinkers) -> None:
    """Serve until the server is stopped."""
    import uvicorn

    from numduel.web.connections import MAX_ACCEPTED_AT_ONCE, Connection
    from numduel.web.limits import MAX_HEAD_SECONDS
    from numduel.web.log import CONFIG
    from numduel.web.server import GracefulServer

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

    from numduel.web.server import Worker, drop_handshakes

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


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there. Raises SettingsError if that is not possible."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        with ExitStack() as on_error:
            listening = socket.socket(family, kind, protocol)  # TCP, or asyncio sets no TCP_NODELAY
            on_error.callback(listening.close)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(2048)  # clients that connect before the server is ready have to wait
            on_error.pop_all()
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise SettingsError(f"cannot listen on {host[:60]!r}, port {port}: {why}") from None
    listening.set_inheritable(True)
    return listening


def _on_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _host_names(host: str) -> list[str]:
    """Return the names by which this machine can be reached."""
    names = [host, "localhost"]
    if not _on_loopback(host):
        whole = socket.gethostname()
        short = whole.partition(".")[0]
        names += [whole, short, f"{short}.local"]
    return names


def _address_in_network(host: str) -> str:
    """Return the address at which others reach this machine; empty if it has none.

    Phones can seldom find a machine by its name. Connecting by UDP sends nothing: it only chooses
    the address to send from.
    """
    family, elsewhere = _EVERYWHERE[host]
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))
            address = str(probe.getsockname()[0])
    except OSError:
        return ""
    return "" if _on_loopback(address) else address


def _page_address(host: str, port: int) -> str:
    if host in _EVERYWHERE:
        host = _address_in_network(host) or socket.gethostname()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


_FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.command(epilog=f"Example: {command('backup games.backup')}")
@_FILE
@_DATABASE
def backup(file: Path, database: str) -> None:
    """Copy the games of a server to FILE, even while people play."""
    with needing("web"):
        from numduel.web.database.backup import back_up

    back_up(database, file)
    click.echo(f"The games are in {file}. To put them back: {command(f'restore {file}')}")


@click.command(epilog=f"Example: {command('restore games.backup')}")
@_FILE
@_DATABASE
def restore(file: Path, database: str) -> None:
    """Replace the games of a server by those in FILE, a backup. Stop the server first."""
    with needing("web"):
        from numduel.web.database.backup import restore

    restore(database, file)
    click.echo("The games are back.")


@click.command(epilog=f"Example: {command('mcp --hints')}")
@click.option("--hints", is_flag=True, help="Let it ask for hints and verdicts while it plays.")
def mcp(hints: bool) -> None:
    """Let a language model play, by the Model Context Protocol on standard input and output."""
    with needing("mcp"):
        from numduel.agents.mcp import run_server
    if sys.stdin.isatty():
        click.echo("Programs start this command, not people (Ctrl-C stops it).", err=True)
    run_server(hints)
