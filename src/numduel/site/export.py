"""The exported site: every file of it, made from what is installed and from Pyodide.

The documentation among it is built by Sphinx, from a checkout.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution, entry_points
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numduel
from numduel.core.errors import NumduelError, SettingsError
from numduel.core.numerals import quoted
from numduel.games import GAME_GROUP, hide_games_except
from numduel.picture import png
from numduel.play.puzzle import today
from numduel.site.app import BrowserApp, rebased
from numduel.site.pyodide import VERSION
from numduel.site.storage import MemoryStorage
from numduel.web.html import STATIC
from numduel.web.security import HEADERS

PACKAGES = ("anyio", "idna", "jinja2", "markupsafe", "python-multipart", "starlette")
"""The distributions that the pages need beside ours, all of them Python alone."""

PAGE_HEADERS = {
    **HEADERS,
    "content-security-policy": HEADERS["content-security-policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'; manifest-src 'self'"
    ),
    "x-frame-options": "SAMEORIGIN",
}
"""The headers of each page: as on a server, but the documentation may show games in a frame."""

_DOCUMENT_POLICY = (
    "default-src 'none'; script-src 'self' {}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; "
    "form-action 'self'"
)

_OURS = Path(numduel.__file__).parent
SCRIPTS = Path(__file__).parent / "static"
"""Where the scripts of the site are."""

_LEFT_OUT = (
    *("agents/", "arena/", "lab/", "site/static/", "terminal/"),
    *("web/api/", "web/database/", "web/rooms/", "web/static/fonts/"),
)
_SUFFIXES = (".py", ".html", ".css", ".json", ".svg", ".toml", ".txt")
_ICON_PIXELS = (192, 512)  # that the installed app has
_WAITING = (
    '<p id="waiting" class="notice" role="status" data-made="{}">Getting the games ready. '
    "<span>The first time this fetches about {:.0f} MB; after that they work without the internet."
    "</span><noscript> They need JavaScript.</noscript></p>\n"
)

DOCUMENTS = Path(numduel.__file__).parents[2] / "docs"
"""Where the documents are in a checkout; what is installed elsewhere has none."""

Files = dict[str, bytes]
"""What files hold, by their names in the folder."""


def site_files(pyodide: Files, games: Iterable[str] = (), documented: bool = False) -> Files:
    """Return every file of the site; `games` are keys of games of other packages.

    If it is `documented`, its pages link to the documentation below `docs/`. Raises SettingsError
    if one of the games cannot be taken along.
    """
    games, scripts = tuple(games), ("engine.js", "site.js", "storage.js")
    icon = (STATIC / "icon.svg").read_text()
    found = {
        **{f"static/{name}": data for name, data in tree(STATIC) if not name.endswith(".ttf")},
        **{f"static/icon-{size}.png": png(icon, size) for size in _ICON_PIXELS},
        **{name: (SCRIPTS / name).read_bytes() for name in scripts},
        **{f"python/{name}": data for name, data in pyodide.items()},
        "python/numduel.zip": _zipped({**_ours(), **_packages(), **_games(games)}),
        "manifest.webmanifest": _manifest(),
        "licences.txt": _licences(),
    }
    wasm = found.pop("python/pyodide.asm.wasm")  # not every web space packs it on its way
    found["python/pyodide.asm.wasm.gz"] = gzip.compress(wasm, 9, mtime=0)
    with hide_games_except(games):
        found["index.html"] = _first_page(sum(map(len, found.values())) / 1e6, documented)
    found["service-worker.js"] = _service_worker(found, documented)
    return found


def tree(folder: Path) -> Iterable[tuple[str, bytes]]:
    """Return the files below a folder in order, by their paths there."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _ours() -> Files:
    """Return this package as far as the pages need it, with its metadata."""
    return {
        f"numduel/{name}": data
        for name, data in tree(_OURS)
        if name.endswith(_SUFFIXES) and not name.startswith(_LEFT_OUT)
    }


def _packages() -> Files:
    found = {}
    for name in PACKAGES:
        for path in distribution(name).files or ():
            if path.suffix == ".py" and ".." not in path.parts:
                found[path.as_posix()] = path.read_binary()
    return found


def _games(keys: Iterable[str]) -> Files:
    """Return the packages that register these games, and their registration."""
    found: Files = {}
    for key in keys:
        points = [point for point in entry_points(group=GAME_GROUP) if point.name == key]
        if not points:
            known = sorted(point.name for point in entry_points(group=GAME_GROUP))
            others = f"they are {', '.join(known)}" if known else "none is installed"
            raise SettingsError(f"no other package has the game {quoted(key)}; {others}", "with")
        point = points[0]
        found |= _module(key, point.module.partition(".")[0])
        registered = (
            f"{found.get(_POINTS, b'').decode() or f'[{GAME_GROUP}]'}\n{key} = {point.value}"
        )
        found[_POINTS] = registered.encode()
        if point.dist is not None and (needed := _needed(point.dist)):
            raise SettingsError(f"the game {key} needs {needed}, which is not taken along", "with")
    return found


_POINTS = "numduel_games-1.0.dist-info/entry_points.txt"


def _module(key: str, name: str) -> Files:
    """Return a module, or a package with all that is in it."""
    spec = find_spec(name)
    assert spec is not None and spec.origin is not None, name
    origin = Path(spec.origin)
    if not spec.submodule_search_locations:
        found = {origin.name: origin.read_bytes()}
    else:
        found = {f"{name}/{path}": data for path, data in tree(origin.parent)}
    if any(path.endswith((".so", ".pyd")) for path in found):
        raise SettingsError(f"the game {key} is not Python alone", "with")
    return found


def _needed(dist: Distribution) -> str:
    """Return what a distribution needs beside ours; empty if it is nothing."""
    plain = [text for text in dist.requires or () if "extra ==" not in text]
    return ", ".join(text for text in plain if not text.startswith("numduel"))


def _zipped(found: Files) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in found.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _manifest() -> bytes:
    sizes = [(f"static/icon-{size}.png", f"{size}x{size}", "image/png") for size in _ICON_PIXELS]
    icons = [("static/icon.svg", "any", "image/svg+xml"), *sizes]
    fields = {
        "name": "Numduel",
        "description": "Five number games for two, solved to the last move.",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#1d4f91",
        "icons": [dict(zip(("src", "sizes", "type"), icon, strict=True)) for icon in icons],
    }
    return json.dumps(fields, indent=2).encode()


def _licences() -> bytes:
    """Return the licences of all that is taken along."""
    parts = [f"Numduel {numduel.__version__}\n\n{_licence(distribution('numduel'))}"]
    parts += [f"{name}\n\n{_licence(distribution(name))}" for name in PACKAGES]
    parts.append(
        f"Pyodide {VERSION}, unchanged from the package `pyodide` of npm, under the Mozilla Public "
        "License 2.0; its source is at https://github.com/pyodide/pyodide. It contains Python, "
        "under the Python Software Foundation License."
    )
    return f"\n\n{'-' * 80}\n\n".join(parts).encode()


def _licence(dist: Distribution) -> str:
    texts = [path for path in dist.files or () if "LICEN" in path.name.upper()]
    return "\n".join(path.read_text() for path in texts)


def _first_page(megabytes: float, documented: bool) -> bytes:
    """Return the first page as a file: what is pressed on it waits until Python is there."""
    html = asyncio.run(_rendered("/", documented)).decode()
    policy = PAGE_HEADERS["content-security-policy"].replace("frame-ancestors 'self'; ", "")
    html = with_policy(html, policy)
    waiting = _WAITING.format(today(), megabytes)
    html, found = re.subn("<main ", f"{waiting}<main ", html, count=1)
    assert found
    return rebased(html.encode(), ".")


def with_policy(html: str, policy: str) -> str:
    """Return a page that says itself what it may load, as no server says it."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return html.replace("<head>", f"<head>\n{meta}", 1)


async def _rendered(path: str, documented: bool) -> bytes:
    parts: list[bytes] = []

    def send(part: bytes, more: bool) -> bool:
        parts.append(part)
        return True

    app = BrowserApp(MemoryStorage(), documented=documented)
    await app.answer("GET", f"http://localhost{path}", "", b"", lambda status, head: None, send)
    return b"".join(parts)


def _service_worker(found: Files, documented: bool) -> bytes:
    """Return the service worker, which names the files and, by their hash, the version."""
    hashed = hashlib.sha256()
    for name, data in sorted(found.items()):
        hashed.update(f"{name} {hashlib.sha256(data).hexdigest()}\n".encode())
    site = {
        "version": f"{numduel.__version__}-{hashed.hexdigest()[:16]}",
        "files": sorted(found),
        "headers": PAGE_HEADERS,
        "documented": documented,
    }
    script = (SCRIPTS / "service-worker.js").read_text()
    assert "const SITE = {};" in script
    return script.replace("const SITE = {};", f"const SITE = {json.dumps(site)};", 1).encode()


def documentation() -> Files:
    """Return the pages below `docs/`; none where their source is not there.

    Raises NumduelError if they cannot be built.
    """
    if not (DOCUMENTS / "conf.py").exists():
        return {}
    import sphinx  # noqa: F401  # whoever lacks it is told how to install it

    with TemporaryDirectory(prefix="numduel-") as folder:
        made = Path(folder) / "html"
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
        command += ["-d", f"{folder}/read", str(DOCUMENTS), str(made)]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            first = next(iter(ran.stderr.strip().splitlines()), "no reason given")
            raise NumduelError(f"the documentation cannot be built: {first}")
        return {
            f"docs/{name}": _guarded(data) if name.endswith(".html") else data
            for name, data in tree(made)
            if name != ".buildinfo"
        }


def _guarded(page: bytes) -> bytes:
    """Return a page of the documentation that says which scripts it may run: those in it."""
    html = page.decode()
    inline = re.findall(r"(?s)<script(?![^>]* src=)[^>]*>(.+?)</script>", html)
    return with_policy(html, _DOCUMENT_POLICY.format(" ".join(map(digest, inline)))).encode()


def digest(text: str) -> str:
    """Return the hash by which a policy allows a script or a style."""
    hashed = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{hashed}'"
