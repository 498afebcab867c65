"""The application as a browser runs it, here without a browser."""

import json
import re
from urllib.parse import urlencode

import pytest

from numduel.core.errors import TooLarge
from numduel.games import OUR_GAMES
from numduel.play.puzzle import daily, today
from numduel.site.app import BrowserApp, InlineThinking, rebased
from numduel.site.storage import MemoryStorage
from numduel.web.identity import SERVER

pytestmark = pytest.mark.anyio
FORM = "application/x-www-form-urlencoded"


class Visitor:
    """A browser with pages of one application."""

    def __init__(self, base="", storage=None):
        self.base = base
        self.app = BrowserApp(storage or MemoryStorage(), base)
        self.status, self.headers, self.text = 0, {}, ""

    async def ask(self, path, method="GET", **form):
        """Request a page and follow redirections. Return the path of the page that is shown."""
        parts = []

        def begin(status, headers):
            self.status, self.headers = status, dict(json.loads(headers))

        def send(part, more):
            parts.append(part)
            return True

        url = f"http://localhost{self.base}{path}"
        body = urlencode(form).encode()
        await self.app.answer(method, url, FORM if form else "", body, begin, send)
        self.text = b"".join(parts).decode()
        if "location" not in self.headers:
            return path
        return await self.ask(self.headers["location"].removeprefix(self.base))


async def test_a_game_is_played_with_the_same_pages_as_on_a_server():
    visitor = Visitor()
    path = await visitor.ask("/play/multiplicity", "POST", opponent="easy", coach="on")
    assert path.startswith("/game/") and "Your turn" in visitor.text
    move = re.search(r'name="move" value="(\d+)"', visitor.text)[1]
    await visitor.ask(f"{path}/move", "POST", move=move)
    assert visitor.status == 200 and "No moves yet" not in visitor.text
    await visitor.ask(f"{path}/resign", "POST")
    assert 'id="review"' in visitor.text
    await visitor.ask(f"{path}/round/1")
    assert visitor.status == 200 and "aria-label" in visitor.text
    await visitor.ask("/")
    assert "set-cookie" not in visitor.headers


async def test_games_outlive_the_application():
    storage = MemoryStorage()
    first = Visitor(storage=storage)
    path = await first.ask("/play/divisor-line", "POST", opponent="easy")
    again = Visitor(storage=storage)
    await again.ask("/")
    assert ">Continue</a>" in again.text
    await again.ask(path)
    assert 'name="move"' in again.text  # and the seat is still theirs


async def test_features_that_need_others_are_not_shown():
    visitor = Visitor()
    for path in ("/", "/new/multiplicity"):
        await visitor.ask(path)
        assert not re.search("class|link", re.sub("<[^>]*>", "", visitor.text), re.IGNORECASE)
    await visitor.ask("/class/multiplicity")
    assert (visitor.status, "no such page" in visitor.text) == (404, True)


async def test_shared_links_begin_at_the_first_page():
    visitor = Visitor("/sub")
    await visitor.ask("/challenge/multiplicity?position=1:1/1&set-size=20")
    link = "http://localhost/sub/?to=/challenge/multiplicity?position=1:1/1"
    assert link in visitor.text.replace("&amp;", "&")
    path = await visitor.ask("/?to=/challenge/multiplicity?position=1:1/1&set-size=20")
    assert path == "/challenge/multiplicity?position=1:1/1&set-size=20"
    assert await visitor.ask("/?to=//elsewhere.example/") == "/elsewhere.example/"


async def test_all_links_lead_below_the_base_path():
    visitor = Visitor("/sub")
    path = await visitor.ask("/play/double-or-add", "POST", opponent="here")
    for page in ("/", path, "/puzzles", "/chain", "/analyze", "/verify", "/rules/divisor-duel"):
        await visitor.ask(page)
        found = re.findall(r'(?:href|src|action|data-events)="(/[^"]*)"', visitor.text)
        assert visitor.status == 200 and found
        assert all(link.startswith("/sub/") for link in found)
    assert rebased(b'<a href="/x"> <a href="//y"> <a href="z">', ".") == (
        b'<a href="./x"> <a href="//y"> <a href="z">'
    )


async def test_full_storage_is_reported_on_the_page():
    storage = MemoryStorage()
    visitor = Visitor(storage=storage)
    path = await visitor.ask("/play/double-or-add", "POST", opponent="here")
    storage.max_characters = 0
    await visitor.ask(f"{path}/move", "POST", move="2")
    assert (visitor.status, "no room left" in visitor.text) == (507, True)
    puzzle = daily(today())
    moves = ",".join(str(last.move) for last in puzzle.answers)
    await visitor.ask(f"/puzzle/{today()}?moves={moves}")
    assert (visitor.status, "no room left to remember" in visitor.text) == (507, True)
    storage.max_characters = float("inf")
    await visitor.ask(path)
    assert "No moves yet" in visitor.text


async def test_pictures_are_drawings():
    visitor = Visitor()
    await visitor.ask("/challenge/multiplicity/picture.png?position=1:1/1&set-size=20")
    assert visitor.headers["content-type"] == "image/svg+xml"
    assert (
        visitor.text.startswith("<svg") and "numduel.svg" in visitor.headers["content-disposition"]
    )


async def test_a_stream_ends_when_nobody_is_listening():
    visitor = Visitor()
    path = await visitor.ask("/play/double-or-add", "POST", opponent="here")
    heard = []

    def send(part, more):
        heard.append(part)
        return len(heard) < 2

    url = f"http://localhost{path}/events"
    await visitor.app.answer("GET", url, "", b"", lambda status, headers: None, send)
    assert b"event: version" in b"".join(heard)
    assert not visitor.app._app.state.services.notifications._topics


@pytest.mark.parametrize(
    ("error", "line"),
    [(KeyboardInterrupt, "more than the 5 seconds"), (MemoryError, "more memory than")],
)
async def test_questions_that_take_too_much_time_or_memory_are_refused(error, line):
    limits = []

    def think():
        raise error

    with pytest.raises(TooLarge, match=line):
        await InlineThinking(5, limits.append).ask(SERVER, think)
    assert limits == [5, 0]


@pytest.mark.parametrize("key", OUR_GAMES)
async def test_every_page_of_a_game_is_there(key):
    visitor = Visitor()
    for path in (
        f"/new/{key}",
        f"/rules/{key}",
        f"/puzzle/{key}/7",
        f"/new/{key}?settings=document",
    ):
        await visitor.ask(path)
        assert visitor.status == 200, path
