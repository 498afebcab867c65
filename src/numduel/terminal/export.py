"""`numduel export`: the games as a folder of static files, or as one file, for any web space."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from numduel.core.errors import NumduelError
from numduel.play.files import write_atomically
from numduel.terminal.command import needing


@click.command(epilog="Example: numduel export site")
@click.argument("target", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--pyodide",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="A folder with Pyodide, Python for browsers; without one, npm fetches it.",
)
@click.option(
    "--with",
    "games",
    metavar="GAME",
    multiple=True,
    help="A game from another package to include; may be repeated.",
)
@click.option("--single-file", is_flag=True, help="Write one HTML file instead of a folder.")
@click.option("--no-docs", is_flag=True, help="Leave the documentation out.")
def export(
    target: Path, pyodide: Path | None, games: tuple[str, ...], single_file: bool, no_docs: bool
) -> None:
    """Write the games as static files to FOLDER, for any web space. They need no server.

    They run in the browser, even offline.
    """
    with needing("web", "exporting"):
        from numduel.site.export import documentation, site_files
        from numduel.site.pyodide import read_pyodide
        from numduel.site.single_file import single_file as as_single_file
    _check_target(target, single_file)
    pages: dict[str, bytes] = {}
    if not (no_docs or single_file):
        with needing("docs", "the documentation"):
            pages = documentation()
        if not pages:
            click.echo("The documentation is left out: only a checkout has its source.", err=True)
    files = site_files(read_pyodide(pyodide), games, documented=bool(pages))
    if single_file:
        page = as_single_file(files)
        write_atomically(target, page)
        click.echo(f"{target} has the games: {len(page) / 1e6:.1f} MB. Open it in a browser.")
        return
    _write_site(target, {".nojekyll": b"", **pages, **files})  # GitHub leaves out _static otherwise
    size = sum(map(len, files.values())) / 1e6
    click.echo(f"{target} has the games: {len(files)} files, {size:.1f} MB.")
    if pages:
        click.echo(f"{target / 'docs'} has the documentation: {len(pages)} files.")
    click.echo(f"Try them: python3 -m http.server --directory {target}")


def _check_target(target: Path, single_file: bool) -> None:
    """Raise NumduelError if anything but an exported site would be overwritten."""
    if single_file:
        if target.is_dir():
            raise NumduelError(f"{target}: this is a folder, not a file")
    elif target.exists():
        if not target.is_dir():
            raise NumduelError(f"{target}: this is not a folder")
        marks = (target / _LIST, target / "service-worker.js")  # earlier versions have no list
        if any(target.iterdir()) and not any(mark.exists() for mark in marks):
            raise NumduelError(f"{target}: this folder is not empty, and has no exported site")


_LIST = ".numduel-site"
"""The file in an exported folder that lists the other exported files."""


def _write_site(folder: Path, files: dict[str, bytes]) -> None:
    """Write the files, all to temporary names first; then delete those of an earlier export.

    Files that were never exported are kept.
    """
    folder.mkdir(parents=True, exist_ok=True)
    listed = folder / _LIST
    old = set(listed.read_text().splitlines()) if listed.exists() else set()
    with TemporaryDirectory(prefix=".numduel-", dir=folder) as beside:
        parts = [Path(beside, str(number)) for number in range(len(files))]
        for part, data in zip(parts, files.values(), strict=True):
            part.write_bytes(data)
        write_atomically(listed, "\n".join(sorted(old | files.keys())).encode())
        for part, name in zip(parts, files, strict=True):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            part.replace(folder / name)
    for path in (folder / name for name in old - files.keys()):
        if path.resolve().is_relative_to(folder.resolve()):
            path.unlink(missing_ok=True)
            with suppress(OSError):  # it holds something else
                path.parent.rmdir()
    write_atomically(listed, "\n".join(sorted(files)).encode())
