"""How to install an extra, from wherever numduel itself was installed."""

from __future__ import annotations


def install_command(extra: str) -> str:
    """Return the command to type, such as `python -m pip install 'numduel[web]'`.

    >>> install_command("web").split()[1:4]
    ['-m', 'pip', 'install']
    """
    import json  # only who lacks something needs these
    import shlex
    import sys
    from contextlib import suppress
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit

    origin = {}
    with suppress(PackageNotFoundError):  # where the source is used without being installed
        origin = json.loads(distribution("numduel").read_text("direct_url.json") or "{}")
    wanted = [f"numduel[{extra}]"]
    if origin.get("dir_info", {}).get("editable"):
        wanted = ["-e", f"{unquote(urlsplit(origin['url']).path)}[{extra}]"]
    elif origin:
        wanted = [f"numduel[{extra}] @ {origin['url']}"]
    return shlex.join([sys.executable, "-m", "pip", "install", *wanted])
