"""The exported site in a real browser: its size, how soon one can play, how fast it computes."""

from __future__ import annotations

import gzip
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright

from benchmarks.clock import seconds
from numduel.site.export import site_files
from numduel.site.pyodide import read_pyodide

MAX_COLD_SECONDS, MAX_CACHED_SECONDS = 5, 2  # until the first move is possible
STARTS = 3
_TIMEOUT_MS = 300_000
_PYODIDE = Path(sys.prefix) / "pyodide"

WORK = {
    "Multiplicity 100, every move": (
        "game = new('multiplicity', size=100); evaluate(game, game.start())"
    ),
    "Divisor Line 20 chain, every move": (
        "game = new('divisor-line', goal='chain'); evaluate(game, game.start())"
    ),
    "a picture of Multiplicity 50": (
        "game = new('multiplicity'); picture(game.words.scene(game.start()))"
    ),
}
_NAMES = "from numduel import evaluate, new\nfrom numduel.picture import picture\n"
_PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
_WORKED = """async ([names, code]) => {
  python.runPython(names + code);
  const begun = performance.now();
  python.runPython(names + code);
  return (performance.now() - begun) / 1000;
}"""


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def measure() -> Iterator[str]:
    """Yield sizes and then times. `cached`: the browser is started again without a network."""
    browser = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if browser is None or not _PYODIDE.exists():
        yield "no browser, or no Pyodide, is on this machine"
        return
    files = site_files(read_pyodide(_PYODIDE))
    sent = {name: min(len(data), len(gzip.compress(data))) for name, data in files.items()}
    whole, packed = (sum(sizes) / 1e6 for sizes in (map(len, files.values()), sent.values()))
    yield f"{len(files)} files, {whole:.1f} MB; {packed:.1f} MB if the host compresses them"
    for name, size in sorted(sent.items(), key=lambda item: -item[1])[:5]:
        yield f"  {name}: {size / 1e6:.2f} MB"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for name, data in files.items():
            path = Path(folder) / "site" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        handler = partial(_Files, directory=f"{folder}/site")
        host = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=host.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{host.server_port}/"
        launch = partial(_launch, playwright, browser)
        yield from (_started(launch(f"{folder}/{n}"), address, "cold", n) for n in range(STARTS))
        host.shutdown()
        host.server_close()
        yield from (_started(launch(f"{folder}/{n}"), address, "cached", n) for n in range(STARTS))
        context = launch(f"{folder}/0")
        page = _ready(context, address)
        yield f"a move is shown {_move(page):.2f} s after the click"
        for what, code in WORK.items():
            taken = context.service_workers[-1].evaluate(_WORKED, [_NAMES, code])
            native = seconds(partial(exec, _NAMES + code, {}), 2)
            yield f"{what}: {taken:.3f} s, {taken / native:.1f} times as long as natively"
        context.close()


def _launch(playwright: Playwright, browser: str, profile: str) -> BrowserContext:
    return playwright.chromium.launch_persistent_context(
        profile, executable_path=browser, args=["--no-sandbox"], reduced_motion="reduce"
    )


def _ready(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("body:not(:has(#waiting)) button[name=move]", timeout=_TIMEOUT_MS)
    return page


def _started(context: BrowserContext, address: str, kind: str, number: int) -> str:
    page = context.new_page()
    begun = time.perf_counter()
    page.goto(address)
    painted = page.wait_for_function(_PAINTED).json_value()
    page.wait_for_selector("body:not(:has(#waiting)) button[name=move]", timeout=_TIMEOUT_MS)
    taken = time.perf_counter() - begun
    context.close()
    most = MAX_COLD_SECONDS if kind == "cold" else MAX_CACHED_SECONDS
    first = f"first move possible after {taken:.1f} s (at most {most})"
    return f"{kind} start {number + 1}: first paint {painted:.0f} ms, {first}"


def _move(page: Page) -> float:
    page.locator("form[action='/path/multiplicity/1'] button").click()
    page.wait_for_selector("#main[data-version] button[name=move]", timeout=_TIMEOUT_MS)
    version = page.locator("#main").get_attribute("data-version")
    begun = time.perf_counter()
    page.locator("button[name=move]").first.click()
    page.wait_for_selector(f"#main:not([data-version='{version}'])", timeout=_TIMEOUT_MS)
    return time.perf_counter() - begun
