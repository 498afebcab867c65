"""`numduel export`: where it writes to, and what it refuses."""

import pytest

from numduel.site import pyodide
from numduel.terminal.export import export


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """A folder with something in the place of Pyodide."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for name in pyodide.SHA256:
        (folder / name).write_text(name)
    monkeypatch.setattr(pyodide, "SHA256", {name: _hash(name) for name in pyodide.SHA256})
    return folder


def _hash(name):
    return pyodide.hashlib.sha256(name.encode()).hexdigest()


def test_a_folder_is_written_and_written_again_and_what_is_not_of_it_stays(
    run, fake, tmp_path, monkeypatch
):
    site = tmp_path / "web" / "site"
    pages = {"docs/old/page.html": b"old", "docs/page.html": b"old"}
    monkeypatch.setattr("numduel.site.export.documentation", lambda: pages)
    ran = run("export", "web/site", "--pyodide", fake)
    assert ran.status == 0 and "web/site has the games" in ran.out
    assert {path.name for path in site.iterdir()} >= {"index.html", ".nojekyll", "docs"}
    assert 'href="./docs/"' in (site / "index.html").read_text()
    (site / ".git").mkdir()
    mine = [site / ".git" / "HEAD", site / "CNAME", site / "docs" / "mine.txt", tmp_path / "mine"]
    for path in mine:
        path.write_text("mine")
    with (site / ".numduel-site").open("a") as listed:
        listed.write("\n../../mine")
    (site / "index.html").write_text("old")
    monkeypatch.chdir(site)
    export.main([".", "--pyodide", str(fake), "--no-docs"], standalone_mode=False)
    page = (site / "index.html").read_text()
    assert page.startswith("<!doctype html>") and "docs/" not in page
    assert [path.read_text() for path in mine] == ["mine"] * 4
    assert [path.name for path in (site / "docs").iterdir()] == ["mine.txt"]
    assert len(list(site.glob(".numduel-*"))) == 1


def test_it_is_said_that_there_is_no_documentation(run, fake, tmp_path, monkeypatch):
    monkeypatch.setattr("numduel.site.export.DOCUMENTS", tmp_path)
    ran = run("export", "site", "--pyodide", fake)
    assert ran.status == 0 and "The documentation is left out" in ran.err


def test_a_single_file_is_written(run, fake, tmp_path):
    ran = run("export", "numduel.html", "--pyodide", fake, "--single-file")
    assert ran.status == 0 and "Open it in a browser" in ran.out
    assert (tmp_path / "numduel.html").read_text().startswith("<!doctype html>")


def test_what_is_there_is_not_overwritten(run, fake, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    for arguments, line in {
        ("full",): "this folder is not empty, and has no exported site",
        ("full/letter.txt",): "this is not a folder",
        ("full", "--single-file"): "this is a folder, not a file",
        ("other", "--with", "chess"): "no other package has the game 'chess'",
        ("other", "--pyodide", "full"): "should have pyodide",
    }.items():
        ran = run("export", "--pyodide", fake, "--no-docs", *arguments)
        assert (ran.status, line in ran.err, ran.err.count("\n")) == (1, True, 1), ran.err
    assert (tmp_path / "full" / "letter.txt").read_text() == "mine"
