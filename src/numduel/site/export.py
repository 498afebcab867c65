"""Makes every file of the exported site, from the installed packages and Pyodide.

Its documentation is built by Sphinx from a checkout.
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

DEPENDENCIES = ("anyio", "idna", "jinja2", "markupsafe", "python-multipart", "starlette")
"""The other distributions that the pages need. All of them are pure Python."""

PAGE_HEADERS = {
    **HEADERS,
    "content-security-policy": HEADERS["content-security-policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'; manifest-src 'self'"
    ),
    "x-frame-options": "SAMEORIGIN",
}
"""The headers of each page, as on a server, except that the documentation may embed the games."""

_DOCUMENT_POLICY = (
    "default-src 'none'; script-src 'self' {}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; "
    "form-action 'self'"
)

_PACKAGE_FOLDER = Path(numduel.__file__).parent
SCRIPTS = Path(__file__).parent / "static"

_EXCLUDED = (
    *("agents/", "arena/", "lab/", "site/static/", "terminal/"),
    *("web/api/", "web/database/", "web/rooms/", "web/static/fonts/"),
)
_INCLUDED_SUFFIXES = (".py", ".html", ".css", ".json", ".svg", ".toml", ".txt")
_ICON_PIXELS = (192, 512)  # the sizes that an installed app needs
_WAITING_NOTICE = (
    '<p id="waiting" class="notice" role="status" data-made="{}">Getting the games ready. '
    "<span>The first time this fetches about {:.0f} MB; after that they work without the internet."
    "</span><noscript> They need JavaScript.</noscript></p>\n"
)

DOCUMENTS = Path(numduel.__file__).parents[2] / "docs"
"""The sources of the documentation in a checkout. An installed package has none."""

Files = dict[str, bytes]
"""The contents of files by their paths below a folder."""


def site_files(pyodide: Files, games: Iterable[str] = (), documented: bool = False) -> Files:
    """Return every file of the site. `games` are keys of games that other packages register.

    If `documented`, its pages link to the documentation below `docs/`. Raises SettingsError if one
    of the games cannot be included.
    """
    games, scripts = tuple(games), ("engine.js", "site.js", "storage.js")
    icon = (STATIC / "icon.svg").read_text()
    files = {
        **{
            f"static/{name}": data
            for name, data in files_below(STATIC)
            if not name.endswith(".ttf")
        },
        **{f"static/icon-{size}.png": png(icon, size) for size in _ICON_PIXELS},
        **{name: (SCRIPTS / name).read_bytes() for name in scripts},
        **{f"python/{name}": data for name, data in pyodide.items()},
        "python/numduel.zip": _zip(
            {**_package_files(), **_dependency_files(), **_game_files(games)}
        ),
        "manifest.webmanifest": _manifest(),
        "licences.txt": _licences(),
    }
    wasm = files.pop("python/pyodide.asm.wasm")  # not every host compresses what it sends
    files["python/pyodide.asm.wasm.gz"] = gzip.compress(wasm, 9, mtime=0)
    with hide_games_except(games):
        files["index.html"] = _first_page(sum(map(len, files.values())) / 1e6, documented)
    files["service-worker.js"] = _service_worker(files, documented)
    return files


def files_below(folder: Path) -> Iterable[tuple[str, bytes]]:
    """Yield the path of each file below a folder, in order, with its contents."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _package_files() -> Files:
    """Return those files of this package that the pages need."""
    return {
        f"numduel/{name}": data
        for name, data in files_below(_PACKAGE_FOLDER)
        if name.endswith(_INCLUDED_SUFFIXES) and not name.startswith(_EXCLUDED)
    }


def _dependency_files() -> Files:
    files = {}
    for name in DEPENDENCIES:
        for path in distribution(name).files or ():
            if path.suffix == ".py" and ".." not in path.parts:
                files[path.as_posix()] = path.read_binary()
    return files


def _game_files(keys: Iterable[str]) -> Files:
    """Return the modules that have these games, and the entry points that register them."""
    files: Files = {}
    lines = [f"[{GAME_GROUP}]"]
    for key in keys:
        points = [point for point in entry_points(group=GAME_GROUP) if point.name == key]
        if not points:
            known = sorted(point.name for point in entry_points(group=GAME_GROUP))
            others = f"they are {', '.join(known)}" if known else "none is installed"
            raise SettingsError(f"no other package has the game {quoted(key)}; {others}", "with")
        point = points[0]
        files |= _module_files(key, point.module.partition(".")[0])
        lines.append(f"{key} = {point.value}")
        if point.dist is not None and (needed := _other_requirements(point.dist)):
            raise SettingsError(f"the game {key} needs {needed}, which is not included", "with")
    if len(lines) > 1:
        files["numduel_games-1.0.dist-info/entry_points.txt"] = "\n".join(lines).encode()
    return files


def _module_files(key: str, name: str) -> Files:
    """Return the file of a module, or all files of a package."""
    spec = find_spec(name)
    assert spec is not None and spec.origin is not None, name
    origin = Path(spec.origin)
    if not spec.submodule_search_locations:
        files = {origin.name: origin.read_bytes()}
    else:
        files = {f"{name}/{path}": data for path, data in files_below(origin.parent)}
    if any(path.endswith((".so", ".pyd")) for path in files):
        raise SettingsError(f"the game {key} is not pure Python", "with")
    return files


def _other_requirements(dist: Distribution) -> str:
    """Return the requirements of a distribution other than Numduel, as one line."""
    required = [text for text in dist.requires or () if "extra ==" not in text]
    return ", ".join(text for text in required if not text.startswith("numduel"))


def _zip(files: Files) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


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
    """Return the licences of everything in the site."""
    parts = [f"Numduel {numduel.__version__}\n\n{_licence(distribution('numduel'))}"]
    parts += [f"{name}\n\n{_licence(distribution(name))}" for name in DEPENDENCIES]
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
    """Return the first page as a file. A click on it has to wait until Python is ready."""
    html = asyncio.run(_render_first_page(documented)).decode()
    policy = PAGE_HEADERS["content-security-policy"].replace("frame-ancestors 'self'; ", "")
    html = with_policy(html, policy)
    waiting = _WAITING_NOTICE.format(today(), megabytes)
    html, count = re.subn("<main ", f"{waiting}<main ", html, count=1)
    assert count == 1
    return rebased(html.encode(), ".")


def with_policy(html: str, policy: str) -> str:
    """Return a page with its content security policy in a tag, since no server sends a header."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return html.replace("<head>", f"<head>\n{meta}", 1)


async def _render_first_page(documented: bool) -> bytes:
    parts: list[bytes] = []

    def send(part: bytes, more: bool) -> bool:
        parts.append(part)
        return True

    app = BrowserApp(MemoryStorage(), documented=documented)
    await app.answer("GET", "http://localhost/", "", b"", lambda status, head: None, send)
    return b"".join(parts)


def _service_worker(files: Files, documented: bool) -> bytes:
    """Return the service worker. It has the list of files, and their hash as a version."""
    hashed = hashlib.sha256()
    for name, data in sorted(files.items()):
        hashed.update(f"{name} {hashlib.sha256(data).hexdigest()}\n".encode())
    site = {
        "version": f"{numduel.__version__}-{hashed.hexdigest()[:16]}",
        "files": sorted(files),
        "headers": PAGE_HEADERS,
        "documented": documented,
    }
    script = (SCRIPTS / "service-worker.js").read_text()
    assert "const SITE = {};" in script
    return script.replace("const SITE = {};", f"const SITE = {json.dumps(site)};", 1).encode()


def documentation() -> Files:
    """Return the files of the documentation; none if its sources are not there.

    Raises NumduelError if it cannot be built.
    """
    if not (DOCUMENTS / "conf.py").exists():
        return {}
    import sphinx  # noqa: F401  # if it is missing, the caller says how to install it

    with TemporaryDirectory(prefix="numduel-") as folder:
        output = Path(folder) / "html"
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
        command += ["-d", f"{folder}/doctrees", str(DOCUMENTS), str(output)]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            first = next(iter(ran.stderr.strip().splitlines()), "no reason given")
            raise NumduelError(f"the documentation cannot be built: {first}")
        return {
            f"docs/{name}": _with_script_policy(data) if name.endswith(".html") else data
            for name, data in files_below(output)
            if name != ".buildinfo"
        }


def _with_script_policy(page: bytes) -> bytes:
    """Return a page of the documentation with a policy that allows only its own inline scripts."""
    html = page.decode()
    inline = re.findall(r"(?s)<script(?![^>]* src=)[^>]*>(.+?)</script>", html)
    return with_policy(html, _DOCUMENT_POLICY.format(" ".join(map(policy_hash, inline)))).encode()


def policy_hash(text: str) -> str:
    """Return the hash by which a content security policy allows a script or a style."""
    hashed = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{hashed}'"
