"""The page of a game in a real browser: first paint, bytes, and how soon a move is shown.

Each page is compared with an empty one of the same server, since absolute times say little.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

import numduel
from benchmarks.siege.server import Server, running

TIMES = 5
MAX_PAGE_BYTES = 150_000  # with everything that it loads

_PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
_LOADED = """() => performance.getEntries()
  .reduce((sum, entry) => sum + (entry.encodedBodySize ?? 0), 0)"""
_CHANGED = """version => new Promise(done => {
  const look = () => document.querySelector('#main').dataset.version === version
    ? requestAnimationFrame(look) : done(performance.now() - window.clicked)
  look()
})"""


def measure() -> Iterator[str]:
    """Yield a row for each game."""
    names = ("chromium", "chromium-headless-shell", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        yield "no browser is on this machine"
        return
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        with running(Server(folder, f"sqlite:///{folder}/games.sqlite")) as server:
            site = f"http://127.0.0.1:{server.port}"
            empty = median(_paint(browser, f"{site}/healthz")[0] for _ in range(TIMES))
            yield f"an empty page: {empty:.0f} ms to the first paint"
            for listed in numduel.games():
                yield _row(browser, site, listed.key, empty)
        browser.close()


def _row(browser: Browser, site: str, key: str, empty: float) -> str:
    page = browser.new_context().new_page()
    page.goto(f"{site}/new/{key}")
    page.locator("[data-play]").click()
    page.wait_for_url("**/game/**")
    painted, size = zip(*(_paint(browser, page.url) for _ in range(TIMES)), strict=True)
    shown = _click(page)
    return (
        f"{key:15} first paint {median(painted):4.0f} ms ({median(painted) / empty:.1f} times an "
        f"empty page), {max(size):7,} bytes (at most {MAX_PAGE_BYTES:,}), "
        f"from the click to the shown move {shown:4.0f} ms"
    )


def _paint(browser: Browser, address: str) -> tuple[float, int]:
    """Return the milliseconds to the first paint, and the bytes of everything that was loaded."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address, wait_until="load")
    page.wait_for_function(_PAINTED)
    painted, size = page.evaluate(_PAINTED), page.evaluate(_LOADED)
    context.close()
    return painted, size


def _click(page: Page) -> float:
    """Return the milliseconds from a click on the first move until the page shows it."""
    version = page.locator("#main").get_attribute("data-version")
    move = page.locator("button[name=move][value]:enabled").first
    move.evaluate("button => button.addEventListener('click', () => clicked = performance.now())")
    move.click()
    return float(page.evaluate(_CHANGED, version))
