"""Visitors, each with a browser context of their own, of a server that a worker's tests share."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Locator, Page, expect

TIMEOUT_MS = 180_000  # after which a test stops waiting and fails

ENDED = re.compile(" wins|You win!|Nobody wins|So close!|You made no mistake")
"""The headings of a round that is over."""

expect.set_options(timeout=TIMEOUT_MS)

LOOKS = {
    "narrow": ((320, 640), "light"),
    "phone": ((390, 844), "light"),
    "phone-dark": ((390, 844), "dark"),
    "tablet": ((820, 1180), "light"),
    "desk": ((1280, 800), "light"),
    "desk-dark": ((1280, 800), "dark"),
    "projector": ((1920, 1080), "light"),
}
"""The windows and colour schemes in which each page is checked."""

SIZES = {
    "phone": (390, 844),
    "tablet": (820, 1180),
    "laptop": (1280, 800),
    "projector": (1920, 1080),
}
"""The windows of the pictures, each in light and in dark."""

MIN_BUTTON_PIXELS = 40  # the width and the height of a button on a board

AXE_RUN = """async options =>
    (await axe.run({resultTypes: ["violations"], ...options})).violations.map(
        ({id, help, nodes}) => [id, help, nodes.map(node => node.html)])"""


@pytest.fixture(scope="session")
def serve_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Start a real server with environment variables; return its address, without a slash."""
    processes: list[subprocess.Popen[bytes]] = []

    def serve_site(**variables: str) -> str:
        folder = tmp_path_factory.mktemp("site")
        environment = {name: os.environ[name] for name in ("PATH", "NUMDUEL_TODAY")}
        environment |= {"LANG": "C.UTF-8", "NUMDUEL_HOME": str(folder)}
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [Path(sys.executable).with_name("numduel"), "serve", "--port", "0"],
                env={**environment, **variables},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        processes.append(process)
        found = re.search(r"http://[^\s/]+:\d+", process.stdout.readline().decode())
        assert found, (folder / "log").read_text()
        return found[0]

    yield serve_site
    for process in processes:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


@pytest.fixture(scope="session")
def site(serve_site: Callable[..., str]) -> str:
    """The address of the server that all tests of this worker visit."""
    return serve_site()


class Visitor:
    """Somebody with a browser: a page, what they do there, and the complaints of the browser."""

    def __init__(self, browser: Browser, site: str, **options: Any) -> None:
        self.site = site
        self.context = browser.new_context(
            **{"base_url": site, "reduced_motion": "reduce", **options}
        )
        self.context.set_default_timeout(TIMEOUT_MS)
        self.addresses: list[str] = []
        self.complaints: list[str] = []
        self.context.on("request", lambda request: self.addresses.append(request.url))
        self.context.on("response", self._check_response)
        self.context.on("console", self._check_message)
        self.context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        self.page: Page = self.context.new_page()

    def _check_response(self, response: Any) -> None:
        """Complain of server errors and missing files; a page may refuse a request."""
        refused = response.status >= 400 and response.request.resource_type in ("document", "fetch")
        if response.status >= 500 or (response.status >= 400 and not refused):
            self.complaints.append(f"{response.status} {response.url}")

    def _check_message(self, message: Any) -> None:
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.complaints.append(message.text)

    # Parts of the page.

    @property
    def main(self) -> Locator:
        return self.page.locator("#main")

    @property
    def turn(self) -> Locator:
        return self.page.locator("#turn")

    @property
    def history(self) -> Locator:
        """The moves so far, without the start."""
        return self.page.locator(".history li[class]")

    @property
    def moves(self) -> Locator:
        """The buttons of the legal moves."""
        return self.page.locator("button[name=move][value]")

    @property
    def notice(self) -> Locator:
        return self.page.locator(".notice")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def link(self, name: str) -> Locator:
        return self.page.get_by_role("link", name=name, exact=True)

    @property
    def secrets(self) -> list[str]:
        """The cookies of the browser, among them the secrets of seats and rooms."""
        return [cookie["value"] for cookie in self.context.cookies()]

    # Actions.

    def open(self, address: str = "/") -> "Visitor":
        self.page.goto(address)
        return self

    def play(self, key: str) -> "Visitor":
        """Begin a game against an easy computer player, at friendly settings."""
        self.open(f"/new/{key}?opponent=easy").page.locator("[data-play]").click()
        expect(self.page).to_have_url(re.compile("/game/"))
        expect(self.turn).to_be_visible()
        return self

    def begin(self, key: str, coach: bool = False, swap: bool = False, **form: object) -> "Visitor":
        """Begin a game at its original settings through the form; set_NAME gives a setting."""
        friend = {"opponent": form["opponent"]} if form.get("opponent") in ("here", "link") else {}
        query = urlencode({"settings": "document", **friend})
        self.open(f"/new/{key}?{query}").fill(coach, swap, **{"first": "1", **form})
        self.page.locator("[data-play]").click()
        expect(self.page).to_have_url(re.compile("/game/"))
        return self

    def fill(self, coach: bool = False, swap: bool = False, **form: object) -> "Visitor":
        self.page.locator("[name=swap]").wait_for(state="attached")  # the page with the form
        more = self.page.locator("details.more:not([open]) > summary")
        if more.count():
            more.click()
        for name, value in form.items():
            field = self.page.locator(f"[name='{name.replace('_', '-', 1)}']")
            if field.first.get_attribute("type") == "radio":  # which its label covers
                chosen = field.and_(self.page.locator(f"[value='{value}']"))
                chosen.locator("xpath=..").click()
            else:
                field.fill(str(value))
        for name, wanted in (("coach", coach), ("swap", swap)):
            self.page.locator(f"[name={name}]").set_checked(wanted)
        return self

    def enter(self, button: str, address: str) -> "Visitor":
        """Press a button that leads to another address."""
        self.button(button).click()
        expect(self.page).to_have_url(re.compile(re.escape(f"{self.site}{address}")))
        return self

    def act(self, what: Locator) -> None:
        """Press a button of a game or a room, and wait until it has changed."""
        expect(what).to_be_enabled()
        version = self.main.get_attribute("data-version")
        what.click()
        expect(self.main).not_to_have_attribute("data-version", version)

    def move(self, number: int | None = None) -> None:
        """Make a move: the first legal one, unless a number is given."""
        buttons = self.moves
        self.act(buttons.first if number is None else self.page.locator(f"#m{number}"))

    def may_move(self) -> bool:
        """Return whether there are legal moves; wait until there are, or the game is over."""
        expect(self.page.locator("button[name=move], .ending").first).to_be_visible()
        return self.moves.count() > 0

    def ask_for_hint(self) -> None:
        """Ask the coach, step by step, up to the move."""
        self.link("Hint").click()
        for step in (2, 3, 4):
            expect(self.page.locator(".coach .hint")).to_be_visible()
            if self.page.locator("#more-hint").count():
                self.page.locator("#more-hint").click()
                expect(self.page).to_have_url(re.compile(f"hint={step}$"))

    def look_back(self) -> None:
        """Open the page of the finished game."""
        self.link("Look back").click()
        expect(self.page.locator("#replay")).to_be_visible()

    def resign(self) -> None:
        self.page.locator(".more > summary").click()
        self.page.locator(".resign summary").click()
        self.act(self.button("Yes, give up this round"))

    def play_on(self, most: int) -> None:
        """Play against the computer to the end; resign after `most` moves."""
        for _ in range(most):
            if not self.may_move():
                break
            self.move()
        if self.may_move():
            self.resign()
        expect(self.turn).to_contain_text(ENDED)

    # Whether the page was loaded again.

    def mark(self) -> None:
        self.page.evaluate("window.marked = true")

    @property
    def marked(self) -> bool:
        return bool(self.page.evaluate("window.marked === true"))


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Callable[..., Visitor]]:
    """Return a new visitor: visit(), visit(java_script_enabled=False).

    Whatever a test does, no page loads anything from elsewhere, and no browser complains.
    """
    visitors: list[Visitor] = []

    def visit(to: str = site, **options: Any) -> Visitor:
        visitors.append(Visitor(browser, to, **options))
        return visitors[-1]

    yield visit
    for visitor in visitors:
        visitor.context.close()
    for visitor in visitors:
        elsewhere = [at for at in visitor.addresses if not at.startswith(f"{visitor.site}/")]
        assert (elsewhere, visitor.complaints) == ([], [])


@pytest.fixture
def check_page(many: Callable[..., list[str]]) -> Callable[[Page, str], None]:
    """Check a page: all of it fits a phone, a desk and a projector, and axe finds nothing.

    With SCREENSHOTS=FOLDER its pictures are put there instead.
    """
    folder = os.environ.get("SCREENSHOTS")

    def check_page(page: Page, name: str) -> None:
        if folder:
            photograph(page, Path(folder) / name)
            return
        page.evaluate(AXE_SCRIPT)
        for look in many(["phone", "desk-dark"], [*LOOKS]):
            size, scheme = LOOKS[look]
            show(page, size, scheme)
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], look
            small = page.locator("[data-board] button").evaluate_all(
                """(buttons, least) => buttons.map(button => button.getBoundingClientRect())
                   .filter(box => box.width && Math.min(box.width, box.height) < least).length""",
                MIN_BUTTON_PIXELS,
            )
            assert small == 0, look
            clipped = page.locator(".button").evaluate_all(
                """buttons => buttons.filter(one => one.checkVisibility())
                   .filter(one => one.scrollWidth > one.clientWidth + 1)
                   .map(one => one.textContent.trim())"""
            )
            assert clipped == [], look
            if look in ("phone", "desk-dark"):
                # in the dark only the colours differ
                options = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
                assert page.evaluate(AXE_RUN, options) == [], look

    return check_page


def show(page: Page, size: tuple[int, int], scheme: Any) -> None:
    """Show the page in a window of that size, in light or dark."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")


def photograph(page: Page, path: Path) -> None:
    """Take pictures of the whole page, for which the window grows; parts outside would be blank."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark"):
            show(page, (width, height), scheme)
            tall = page.evaluate("document.documentElement.scrollHeight")
            show(page, (width, max(height, tall)), scheme)
            page.screenshot(path=path.with_name(f"{path.name}-{size}-{scheme}.png"))
