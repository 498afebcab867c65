"""The documentation as pages of the exported site, built by Sphinx from a checkout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numduel
from numduel.core.errors import NumduelError
from numduel.site.export import Files, tree

SOURCE = Path(numduel.__file__).parents[2] / "docs"
"""Where the documents are in a checkout; what is installed elsewhere has none."""


def documentation() -> Files:
    """Return the pages below `docs/`; none where their source is not there.

    Raises NumduelError if they cannot be built.
    """
    if not (SOURCE / "conf.py").exists():
        return {}
    import sphinx  # noqa: F401  # whoever lacks it is told how to install it

    with TemporaryDirectory(prefix="numduel-") as folder:
        made = Path(folder) / "html"
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
        command += ["-d", f"{folder}/read", str(SOURCE), str(made)]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            first = next(iter(ran.stderr.strip().splitlines()), "no reason given")
            raise NumduelError(f"the documentation cannot be built: {first}")
        return {f"docs/{name}": data for name, data in tree(made) if name != ".buildinfo"}
