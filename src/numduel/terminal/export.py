"""`numduel export`: the games as a folder of static files, or as one file, to be put anywhere."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from numduel.core.errors import NumduelError
from numduel.play.files import write_whole
from numduel.terminal.command import needing


@click.command(epilog="Example: numduel export site")
@click.argument("target", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--pyodide",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="A folder that has Pyodide, Python for browsers; otherwise npm fetches it.",
)
@click.option(
    "--with",
    "games",
    metavar="GAME",
    multiple=True,
    help="A game of another package to take along; may be repeated.",
)
@click.option("--single-file", is_flag=True, help="Write one HTML file instead of a folder.")
@click.option("--no-docs", is_flag=True, help="Leave the documentation out.")
def export(
    target: Path,
    pyodide: Path | None,
    games: tuple[str, ...],
    single_file: bool,
    no_docs: bool,
) -> None:
    """Write the games as static files to FOLDER, for any web space: no server is needed.

    They run in the browser, offline as well.
    """
    with needing("web", "exporting"):
        from numduel.site.export import documentation, site_files
        from numduel.site.pyodide import read_pyodide
        from numduel.site.single_file import single_file as as_single_file
    _check(target, single_file)
    pages: dict[str, bytes] = {}
    if not (no_docs or single_file):
        with needing("docs", "the documentation"):
            pages = documentation()
    files = site_files(read_pyodide(pyodide), games)
    if single_file:
        write_whole(target, as_single_file(files))
        click.echo(
            f"{target} has the games: {target.stat().st_size / 1e6:.1f} MB. Open it in a browser."
        )
        return
    _write(target, files | pages)
    size = sum(map(len, files.values())) / 1e6
    click.echo(f"{target} has the games: {len(files)} files, {size:.1f} MB.")
    if pages:
        click.echo(f"{target / 'docs'} has the documentation: {len(pages)} files.")
    click.echo(f"Try them: python3 -m http.server --directory {target}")


def _check(target: Path, single_file: bool) -> None:
    """Raise NumduelError if there is something else at that place."""
    if single_file:
        if target.is_dir():
            raise NumduelError(f"{target}: this is a folder, not a file")
    elif target.exists():
        if not target.is_dir():
            raise NumduelError(f"{target}: this is not a folder")
        if any(target.iterdir()) and not (target / _MARK).exists():
            raise NumduelError(f"{target}: this folder is not empty, and has no exported site")


_MARK = "service-worker.js"  # which every exported site has


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Write the files, all or none; what was exported there before is replaced."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".numduel-", dir=folder.parent) as beside:
        made = Path(beside) / "site"
        for name, data in files.items():
            path = made / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)
