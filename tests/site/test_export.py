"""The files of the exported site, with small files instead of Pyodide."""

import base64
import hashlib
import io
import json
import re
import sys
import zipfile

import pytest

from numduel.core.errors import NumduelError
from numduel.games import _registered_games, game_type
from numduel.site import pyodide
from numduel.site.export import DEPENDENCIES, _with_script_policy, policy_hash, site_files
from numduel.site.single_file import single_file

FAKE = {name: f"export default 1; // {name}".encode() for name in pyodide.SHA256}


@pytest.fixture(scope="module")
def files():
    return site_files(FAKE)


def text_of(html):
    return re.sub(r"<[^>]*>", " ", html)


def test_the_first_page_is_rendered_and_has_a_policy(files):
    page = files["index.html"].decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "unsafe" not in policy
    for title in ("Divisor Duel", "Multiplicity", "Today’s puzzle"):
        assert title in text_of(page)
    assert "<svg" in page and "localhost" not in page


def test_a_page_of_the_documentation_runs_only_its_own_scripts():
    page = _with_script_policy(
        b"<head></head><script>one</script><script src='a.js'></script>"
    ).decode()
    assert f"script-src 'self' {policy_hash('one')}; " in page and page.count("sha256-") == 1


def test_the_first_page_works_at_any_address(files):
    page = files["index.html"].decode()
    links = re.findall(r'\s(?:href|src|action)="([^"#]+)', page)
    assert links and not [link for link in links if link.startswith(("/", "http"))]
    named = {re.sub(r"[?#].*", "", link)[2:] for link in links if "." in link[2:]}
    assert named <= files.keys()


def test_the_service_worker_lists_every_file_and_has_their_hash(files):
    def site(files):
        return json.loads(re.search(rb"const SITE = (\{.*\});", files["service-worker.js"])[1])

    assert {*site(files)["files"]} == files.keys() - {"service-worker.js"}
    other = site_files({**FAKE, "pyodide.mjs": b"another"})
    assert site(other)["version"] != site(files)["version"]
    assert site_files(FAKE) == files  # and nothing else
    assert "frame-ancestors 'self'" in site(files)["headers"]["content-security-policy"]


def test_the_included_packages_are_pure_python_and_have_licences(files):
    archive = zipfile.ZipFile(io.BytesIO(files["python/numduel.zip"]))
    names = archive.namelist()
    assert not [name for name in names if name.endswith((".so", ".pyd"))]
    assert {name.partition("/")[0] for name in names} == {
        *(package.replace("-", "_") for package in DEPENDENCIES),
        "multipart",
        "numduel",
    }
    licences = files["licences.txt"].decode()
    for name in ("Numduel", *DEPENDENCIES, "Pyodide"):
        assert name in licences
    assert licences.count("Copyright") >= len(DEPENDENCIES)


def test_a_single_file_contains_everything(files):
    page = single_file(files).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1]
    assert "script-src 'sha256-" in policy and "blob: 'wasm-unsafe-eval'" in policy
    script = re.search(r'<script type="module">(.*?)</script>', page, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert digest in policy and "import {" not in script and "\nexport " not in script
    assert not re.findall(r'\s(?:src|href)="(?!data:|#|\./)[^"]*"', page)
    assert "fetches about" not in text_of(page)


@pytest.fixture
def registered(package, monkeypatch, tmp_path):
    """Install a package that registers games."""

    def registered(name, source, **points):
        package(name, source, **points)
        monkeypatch.syspath_prepend(str(tmp_path / "site"))
        for cached in caches:
            cached.cache_clear()

    caches = (game_type, _registered_games)
    yield registered
    for cached in caches:
        cached.cache_clear()


GAME = "from take_away import TakeAway as Base\nclass Game(Base):\n    key = 'nimble'\n"


def test_a_game_of_another_package_can_be_included(registered):
    registered("nimble", GAME, nimble="Game")
    files = site_files(FAKE, ["nimble"])
    archive = zipfile.ZipFile(io.BytesIO(files["python/numduel.zip"]))
    assert archive.read("nimble.py").decode() == GAME
    points = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
    assert archive.read(points[0]).decode() == "[numduel.games]\nnimble = nimble:Game"
    assert "Take Away" in text_of(files["index.html"].decode())


def test_a_game_that_is_not_included_is_not_shown(registered):
    registered("nimble", GAME, nimble="Game")
    assert "Take Away" not in text_of(site_files(FAKE)["index.html"].decode())


def test_an_unknown_game_is_refused():
    with pytest.raises(NumduelError, match="no other package has the game 'chess'"):
        site_files(FAKE, ["chess"])


def test_a_game_with_other_requirements_is_refused(registered, tmp_path):
    registered("nimble", GAME, nimble="Game")
    info = tmp_path / "site" / "nimble-1.0.dist-info" / "METADATA"
    info.write_text(info.read_text() + "Requires-Dist: numduel\nRequires-Dist: numpy>=2\n")
    with pytest.raises(NumduelError, match="the game nimble needs numpy>=2, which"):
        site_files(FAKE, ["nimble"])


# Where Pyodide comes from.


@pytest.fixture
def npm(tmp_path, monkeypatch):
    """Put a program called npm on an otherwise empty path."""

    def npm(script):
        program = tmp_path / "bin" / "npm"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!{sys.executable}\n{script}")
        program.chmod(0o755)

    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return npm


PACK = """import io, tarfile
with tarfile.open("pyodide.tgz", "w:gz") as archive:
    for name in {names!r}:
        data = f"of npm: {{name}}".encode()
        info = tarfile.TarInfo("package/" + name); info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
"""


def test_pyodide_is_fetched_by_npm_and_its_hashes_are_checked(npm, monkeypatch):
    npm(PACK.format(names=[*pyodide.SHA256]))
    with pytest.raises(NumduelError, match=r"pyodide.mjs is not the one of pyodide 314\.0\.7"):
        pyodide.read_pyodide(None)
    hashes = {n: hashlib.sha256(f"of npm: {n}".encode()).hexdigest() for n in pyodide.SHA256}
    monkeypatch.setattr(pyodide, "SHA256", hashes)
    assert pyodide.read_pyodide(None)["pyodide.mjs"] == b"of npm: pyodide.mjs"


def test_errors_of_npm_are_reported_in_one_line(npm):
    with pytest.raises(NumduelError, match=r"npm is missing: install it .* --pyodide FOLDER"):
        pyodide.read_pyodide(None)
    npm("import sys; sys.exit('no network\\nat all')")
    with pytest.raises(NumduelError, match=r"npm cannot get pyodide 314.0.7: no network; or"):
        pyodide.read_pyodide(None)


def test_a_folder_without_pyodide_is_refused(tmp_path):
    with pytest.raises(NumduelError, match=r"No such file .* should have pyodide 314.0.7"):
        pyodide.read_pyodide(tmp_path)
