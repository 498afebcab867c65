"""Reads Pyodide, which is Python for browsers, from npm or a folder, and checks its hashes."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from numduel.core.errors import NumduelError

VERSION = "314.0.7"

SHA256 = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
}
"""The files that we need, with their hashes."""

NPM_TIMEOUT_SECONDS = 600
_FOLDER_HINT = "or give a folder that has it: --pyodide FOLDER"


def read_pyodide(folder: Path | None) -> dict[str, bytes]:
    """Return the files of Pyodide from a folder, or from npm if there is none.

    Raises NumduelError if a file is missing or is not the expected one.
    """
    files = _files_from_npm() if folder is None else _files_in(folder)
    for name, expected in SHA256.items():
        if hashlib.sha256(files[name]).hexdigest() != expected:
            raise NumduelError(f"{name} is not the one of pyodide {VERSION}; {_FOLDER_HINT}")
    return files


def _files_in(folder: Path) -> dict[str, bytes]:
    try:
        return {name: (folder / name).read_bytes() for name in SHA256}
    except OSError as error:
        line = f"{error.filename}: {error.strerror}; {folder} should have pyodide {VERSION}"
        raise NumduelError(f"{line}, as npm pack pyodide@{VERSION} packs it") from None


def _files_from_npm() -> dict[str, bytes]:
    """Return the files from the package that npm fetches."""
    npm = shutil.which("npm")
    if npm is None:
        raise NumduelError(f"npm is missing: install it (it comes with Node.js), {_FOLDER_HINT}")
    with TemporaryDirectory(prefix="numduel-") as folder:
        command = [npm, "pack", "--silent", f"pyodide@{VERSION}"]
        try:
            ran = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, timeout=NPM_TIMEOUT_SECONDS
            )
        except subprocess.TimeoutExpired:
            raise NumduelError(f"npm did not answer in {NPM_TIMEOUT_SECONDS} seconds") from None
        if ran.returncode:
            why = next(iter(ran.stderr.strip().splitlines()), "no reason given")
            raise NumduelError(f"npm cannot get pyodide {VERSION}: {why}; {_FOLDER_HINT}")
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as archive:
            members = {name: archive.extractfile(f"package/{name}") for name in SHA256}
            return {name: member.read() for name, member in members.items() if member is not None}


if __name__ == "__main__":  # writes the files to a folder, for `--pyodide`
    try:
        folder = Path(sys.argv[1])
        folder.mkdir(exist_ok=True)
        for name, data in read_pyodide(None).items():
            (folder / name).write_bytes(data)
    except NumduelError as error:
        sys.exit(f"numduel: {error}")
