"""`numduel serve`: the browser front end, on this machine or on the network."""

from __future__ import annotations

import ipaddress
import json
import logging
import os
import socket
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import quoted
from numduel.play.private import make_folder
from numduel.terminal.shelf import home

if TYPE_CHECKING:
    import uvicorn

log = logging.getLogger("numduel.web")

MOST_WORKERS = 64
_EVERYWHERE = {
    "0.0.0.0": (socket.AF_INET, "192.0.2.1"),
    "::": (socket.AF_INET6, "2001:db8::1"),
}
"""The hosts that mean every address of this machine, each with one of nobody's."""

GRACE = 10  # seconds that requests have to finish when the server stops


@click.command(
    "serve",
    help="Open the games to people with a browser.",
    epilog="Example: numduel serve --open",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on; 0: any free one.",
)
@click.option(
    "--database",
    metavar="URL",
    help="Where the games are kept: sqlite:///FILE (the default, in your data folder) or "
    "postgresql+psycopg://USER@HOST/NAME.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    default=1,
    show_default=True,
    help="How many processes share the work.",
)
@click.option(
    "--keep-days",
    type=click.IntRange(1, 3650),
    default=30,
    show_default=True,
    help="Unfinished games that nobody touched for so long are cleared away.",
)
@click.option(
    "--keep-finished",
    "keep_finished_days",
    metavar="DAYS",
    type=click.IntRange(1, 3650),
    default=365,
    show_default=True,
    help="And finished ones, for so long.",
)
@click.option(
    "--metrics-port",
    metavar="PORT",
    type=click.IntRange(1, 65535),
    help="Measures for Prometheus, on this machine alone.",
)
@click.option(
    "--allow-host",
    "allowed",
    metavar="NAME",
    multiple=True,
    help="A name that the server is known by, beside its own; may be given again.",
)
@click.option("--open", "open_", is_flag=True, help="Open the page in a browser.")
def serve(
    host: str,
    port: int,
    database: str | None,
    workers: int,
    keep_days: int,
    keep_finished_days: int,
    metrics_port: int | None,
    allowed: tuple[str, ...],
    open_: bool,
) -> None:
    if metrics_port is not None and workers > 1:  # which count in a folder that they share
        shared = TemporaryDirectory(prefix="numduel-")
        folder = click.get_current_context().with_resource(shared)
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder  # before its library is imported
    try:
        import uvicorn

        from numduel.web import metrics
        from numduel.web.app import ENVIRONMENT
        from numduel.web.connections import AT_ONCE, Connection
        from numduel.web.data.database import prepare
        from numduel.web.hosts import canonical
        from numduel.web.logs import CONFIG
    except ModuleNotFoundError as error:
        raise NumduelError(
            f"serving needs more than is installed ({error.name}): pip install 'numduel[web]'"
        ) from None
    for name in allowed:
        if not canonical(name):
            raise SettingsError(
                f"an allowed host is a name or an address, without a port: not {quoted(name)}"
            )
    url = f"sqlite:///{_default_file()}" if database is None else database
    prepare(url)  # whatever is wrong with the database is said before anything is served
    fields = {
        "database": url,
        "keep_days": keep_days,
        "keep_finished_days": keep_finished_days,
        "hosts": [*allowed, *_names(host)],
    }
    os.environ[ENVIRONMENT] = json.dumps(fields)
    listening = listen(host, port)
    if metrics_port is not None:
        with _said("127.0.0.1", metrics_port):
            metrics.show(metrics_port)
    config = uvicorn.Config(
        "numduel.web.app:from_environment",
        factory=True,
        workers=workers,
        http=Connection,
        ws="none",
        loop="numduel.web.connections:Loop",
        backlog=AT_ONCE,
        log_config=CONFIG,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
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
    if workers == 1:
        uvicorn.Server(config).run(sockets=[listening])
    else:
        _run_workers(config, listening)


def _run_workers(config: uvicorn.Config, listening: socket.socket) -> None:
    from uvicorn.supervisors import Multiprocess

    class Workers(Multiprocess):
        interrupted = False

        def handle_int(self) -> None:
            self.interrupted = True
            super().handle_int()

        def keep_subprocess_alive(self) -> None:
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


def _default_file() -> str:
    folder = home()
    make_folder(folder)
    return str(folder / "web.sqlite")


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; SettingsError where that cannot be."""
    with _said(host, port):
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)  # asyncio sets TCP_NODELAY if it is TCP
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)  # so that whoever comes before we are ready waits
    listening.set_inheritable(True)
    return listening


@contextmanager
def _said(host: str, port: int) -> Iterator[None]:
    """Say in one line where there is no listening."""
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
    """What people call this machine who can reach it; its addresses need no saying."""
    names = [host, "localhost"]
    if not _on_loopback(host):
        whole = socket.gethostname()
        short = whole.partition(".")[0]
        names += [whole, short, f"{short}.local"]
    return names


def _in_the_network(host: str) -> str:
    """The address by which others reach this machine; empty where it has none.

    Telephones seldom know a machine by its name. To connect by UDP sends nothing: it only chooses.
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
