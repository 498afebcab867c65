"""Visitors: each with a browser context of their own, at a server that a module's tests share."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Locator, Page, expect

PATIENCE = 180_000  # milliseconds until something that does not come is given up

ENDED = re.compile(" wins|You win!|Nobody wins")
"""Whose turn it is, when it is nobody's any more."""

expect.set_options(timeout=PATIENCE)

LOOKS = {
    "phone": ((320, 640), "light"),
    "phone-dark": ((320, 640), "dark"),
    "desk": ((1280, 800), "light"),
    "desk-dark": ((1280, 800), "dark"),
    "projector": ((1920, 1080), "light"),
}
"""How each page is looked over."""

SIZES = {"phone": (390, 844), "laptop": (1280, 800), "projector": (1920, 1080)}
"""The windows that pictures are taken of, each in light and in dark."""

SMALLEST = 40  # pixels of what is tapped on a board

AXE_RUN = """async options =>
    (await axe.run({resultTypes: ["violations"], ...options})).violations.map(
        ({id, help, nodes}) => [id, help, nodes.map(node => node.html)])"""


@pytest.fixture(scope="module")
def installed() -> dict[str, str]:
    """What is on the server's path beside Numduel, as a variable of its environment."""
    return {}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, installed: dict[str, str]) -> Iterator[str]:
    """The address of a real server, without a slash at its end."""
    folder = tmp_path_factory.mktemp("site")
    path = {"PATH": os.environ["PATH"], **installed}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [Path(sys.executable).with_name("numduel"), "serve", "--port", "0"],
            env={**path, "LANG": "C.UTF-8", "NUMDUEL_HOME": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
    said = process.stdout.readline().decode()
    found = re.search(r"http://[^\s/]+:\d+", said)
    try:
        assert found, (folder / "log").read_text()
        yield found[0]
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


class Visitor:
    """Somebody with a browser: a page, what to do there, and what the browser complained of."""

    def __init__(self, browser: Browser, site: str, **options: Any) -> None:
        self.site = site
        self.context = browser.new_context(
            **{"base_url": site, "reduced_motion": "reduce", **options}
        )
        self.context.set_default_timeout(PATIENCE)
        self.addresses: list[str] = []
        self.complaints: list[str] = []
        self.context.on("request", lambda request: self.addresses.append(request.url))
        self.context.on("response", self._look_at)
        self.context.on("console", self._hear)
        self.context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        self.page: Page = self.context.new_page()

    def _look_at(self, response: Any) -> None:
        """A page may answer with a clear refusal; a stylesheet or a script may not be missing."""
        refused = response.status >= 400 and response.request.resource_type in ("document", "fetch")
        if response.status >= 500 or (response.status >= 400 and not refused):
            self.complaints.append(f"{response.status} {response.url}")

    def _hear(self, message: Any) -> None:
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.complaints.append(message.text)

    # Where things are.

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
        """The buttons that make a move."""
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
        """What the browser keeps for itself: the secrets of its seats and rooms."""
        return [cookie["value"] for cookie in self.context.cookies()]

    # What to do.

    def open(self, address: str = "/") -> "Visitor":
        self.page.goto(address)
        return self

    def play(self, key: str) -> "Visitor":
        """Begin a game against the computer from the first page."""
        self.open().page.locator(f"form[action='/play/{key}'] button").click()
        expect(self.page).to_have_url(re.compile("/game/"))
        expect(self.turn).to_be_visible()
        return self

    def begin(self, key: str, coach: bool = False, swap: bool = False, **form: object) -> "Visitor":
        """Begin a game through the form; a setting is given as set_NAME."""
        return self.open(f"/new/{key}").fill(coach, swap, **form).enter("Start the game", "/game/")

    def fill(self, coach: bool = False, swap: bool = False, **form: object) -> "Visitor":
        more = self.page.locator("details.more:not([open]) > summary")
        if more.count():
            more.click()
        for name, value in form.items():
            field = self.page.locator(f"[name='{name.replace('_', '-', 1)}']")
            if field.first.get_attribute("type") == "radio":
                self.page.locator(f"[name='{name}'][value='{value}']").check()
            elif field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(str(value))
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
        """Make a move, the first that there is unless told which."""
        buttons = self.moves
        self.act(buttons.first if number is None else self.page.locator(f"#m{number}"))

    def may_move(self) -> bool:
        """Whether there are moves to make; waits until there are, or it is over."""
        expect(self.page.locator("button[name=move], .ending").first).to_be_visible()
        return self.moves.count() > 0

    def resign(self) -> None:
        self.page.locator(".more > summary").click()
        self.page.locator(".resign summary").click()
        self.act(self.button("Yes, give this round up"))

    def play_on(self, most: int) -> None:
        """Play against the computer to the end; resign after so many moves."""
        for _ in range(most):
            if not self.may_move():
                break
            self.move()
        if self.may_move():
            self.resign()
        expect(self.turn).to_contain_text(ENDED)

    # That nothing was loaded anew.

    def mark(self) -> None:
        self.page.evaluate("window.marked = true")

    @property
    def marked(self) -> bool:
        return bool(self.page.evaluate("window.marked === true"))


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Callable[..., Visitor]]:
    """A visitor: visit(), visit(java_script_enabled=False).

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
def look_over(many: Callable[..., list[str]]) -> Callable[[Page, str], None]:
    """Look a page over: it fits a phone, a desk and a projector, and axe finds nothing.

    With SCREENSHOTS=FOLDER its pictures are put there instead.
    """
    folder = os.environ.get("SCREENSHOTS")

    def look_over(page: Page, name: str) -> None:
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
                   .filter(box => Math.min(box.width, box.height) < least).length""",
                SMALLEST,
            )
            assert small == 0, look
            if look != "projector":
                # in the dark only the colours are others
                options = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
                assert page.evaluate(AXE_RUN, options) == [], look

    return look_over


def show(page: Page, size: tuple[int, int], scheme: Any) -> None:
    """Show the page in a window of that size, in light or dark."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")


def photograph(page: Page, path: Path) -> None:
    """Pictures of the whole page, for which the window grows: what it does not show is blank."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark"):
            show(page, (width, height), scheme)
            tall = page.evaluate("document.documentElement.scrollHeight")
            show(page, (width, max(height, tall)), scheme)
            page.screenshot(path=path.with_name(f"{path.name}-{size}-{scheme}.png"))
