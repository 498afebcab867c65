"""The exported site in a real browser, from a plain file server that is switched off."""

import json
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from os.path import normpath
from pathlib import Path
from random import Random
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from playwright.sync_api import Error, expect
from tests.waiting import until

from numduel.core.explore import playout
from numduel.games import OUR_GAMES, game_type, new
from numduel.play.chain import longest_chain
from numduel.play.friendly_settings import friendly_game
from numduel.play.puzzle import daily, today
from numduel.proof.certify import certify
from numduel.site.export import documentation, site_files
from numduel.site.pyodide import read_pyodide
from numduel.site.single_file import single_file
from numduel.solver import evaluate, solve
from numduel.web.game_settings import game_from_form

PYODIDE = Path(sys.prefix) / "pyodide"  # where `make` puts it
GAMES = [*OUR_GAMES]


class Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class Host:
    """A plain file server that can be switched off."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=folder))
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def switch_off(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="session")
def files() -> dict[str, bytes]:
    if not PYODIDE.exists():
        pytest.skip("no Pyodide here (`make setup` fetches it by npm)")
    return site_files(read_pyodide(PYODIDE))


@pytest.fixture
def host(files: dict[str, bytes], tmp_path: Path) -> Iterator[Host]:
    for name, data in files.items():
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    host = Host(tmp_path / "site")
    yield host
    host.switch_off()


def arrive(visitor, path="/"):
    """Open the site for the first time, and wait until Python runs."""
    visitor.open(path)
    expect(visitor.page.locator("#waiting")).to_have_count(0)
    return visitor


def position_of(visitor):
    """Return the game and the position of a page, from the link that it offers to share."""
    link = urlsplit(visitor.page.locator("#challenge").input_value().partition("?to=")[2])
    fields = dict(parse_qsl(link.query))
    game = game_from_form(link.path.split("/")[2], fields)
    return game, game.read(fields["position"])


def play(visitor, key, opponent, best):
    """Play against the computer by the best or the worst moves; return whether that wins."""
    visitor.open(f"/new/{key}").fill(opponent=opponent, first="auto")
    visitor.page.locator("[data-play]").click()
    expect(visitor.page).to_have_url(re.compile("/game/"))
    while visitor.may_move():
        game, position = position_of(visitor)
        verdicts = evaluate(game, position)
        visitor.move((max if best else min)(verdicts, key=lambda move: verdicts[move].rank))
    expect(visitor.page.locator(".ending")).to_be_visible()
    return visitor.page.locator(".ending.won-it").count() == 1


def stop_service_worker(visitor):
    """End Python, as a browser does when nothing happens for a while."""
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("ServiceWorker.enable")
    session.send("ServiceWorker.stopAllWorkers")


def positions(count):
    """Yield random positions of every game, at its original and at friendly settings."""
    rng = Random(1)
    for number in range(count):
        kind = game_type(GAMES[number % 5])
        game = friendly_game(kind) if number % 2 else kind()
        yield game, rng.choice([position for position, _ in playout(game, rng, most=12)])


VERDICTS = """
import json
from numduel import evaluate, new, solve

def verdicts(text):
    found = []
    for key, settings, notation in json.loads(text):
        game = new(key, **settings)
        position = game.read(notation)
        found.append([solve(game, position), [*evaluate(game, position).items()]])
    return json.dumps(found)

verdicts
"""


def test_the_games_work_without_a_network(host, visit, many):
    visitor = arrive(visit(host.address))
    worker = visitor.context.service_workers[-1]
    day = f"import os; os.environ['NUMDUEL_TODAY'] = '{today()}'"
    worker.evaluate("code => python.runPython(code)", day)
    host.switch_off()
    visitor.open()
    for last in daily(today()).answers:
        visitor.page.locator(f"#m{last.move}").click()
        expect(visitor.page).to_have_url(re.compile(f"[=,]{last.move}$"))
    expect(visitor.page.get_by_role("heading", name="Solved!")).to_be_visible()
    asked = [*positions(many(20, 200))]
    texts = [(game.key, dict(game.settings.values), game.notation(p)) for game, p in asked]
    script = "([code, text]) => python.runPython(code)(text)"
    said = json.loads(worker.evaluate(script, [VERDICTS, json.dumps(texts)]))
    native = [[solve(*one), [*evaluate(*one).items()]] for one in asked]
    assert said == json.loads(json.dumps(native))
    for key in many(["double-or-add"], GAMES):
        assert play(visitor, key, "random", best=True)
    for key in many([], GAMES):
        assert not play(visitor, key, "perfect", best=False)
        visitor.open(f"{visitor.page.url.removeprefix(host.address)}/round/1")
        expect(visitor.page.locator("#step-back")).to_be_visible()
    visitor.open("/chain?n=20")
    for number in longest_chain(20)[: many(2, 20)]:
        visitor.page.locator(f"#m{number}").click()
        expect(visitor.page).to_have_url(re.compile(f"[=,]{number}$"))


@pytest.mark.soak
def test_below_a_path_in_two_tabs_with_every_page(host, visit, check_page):
    below = Host(host.folder.parent)  # where the site is the folder `site`
    visitor = visit(f"{below.address}/site")
    page = visitor.page
    page.goto(f"{below.address}/site/?to=/new/divisor-line")
    expect(page).to_have_url(f"{below.address}/site/new/divisor-line")
    below.switch_off()
    page.goto(f"{below.address}/site/new/divisor-line?opponent=here")
    visitor.enter("Start", "/game/")
    check_page(page, "exported-game")
    second = visitor.context.new_page()
    second.goto(page.url)
    visitor.move(6)
    expect(second.locator(".history li[class]")).to_have_count(1)
    second.close()
    stop_service_worker(visitor)
    for path in ("", "puzzle", "puzzles", "puzzles/sheet/7", "chain", "analyze", "verify"):
        page.goto(f"{below.address}/site/{path}")
        expect(page.locator("#waiting")).to_have_count(0)
        check_page(page, f"exported-{path or 'home'}")
    certificate = certify(new("multiplicity", size=20), new("multiplicity", size=20).start())
    page.locator("#text").fill(certificate.dumps().decode())
    visitor.button("Check it").click()
    expect(page.get_by_role("status").filter(has_text="proved")).to_be_visible()


@pytest.mark.soak
def test_two_sites_at_one_address_leave_each_other_alone(host, visit):
    address = Host(host.folder.parent).address
    (host.folder.parent / "other").symlink_to(host.folder)
    visitor = arrive(visit(f"{address}/site"), f"{address}/site/")
    visitor.page.goto(f"{address}/site/new/double-or-add?opponent=here")
    visitor.enter("Start", "/game/")
    visitor.move(2)
    other = visitor.context.new_page()
    other.goto(f"{address}/other/")
    expect(other.locator("#waiting")).to_have_count(0)
    expect(other.locator(".go-on")).to_have_count(0)
    found = other.evaluate("() => caches.keys()")
    assert {name.split(" ")[1] for name in found} == {"/site", "/other"}
    stop_service_worker(visitor)
    visitor.page.reload()
    expect(visitor.history).to_have_count(1)
    other.evaluate(
        "async () => { for (const name of await caches.keys()) await caches.delete(name); }"
    )
    stop_service_worker(visitor)
    visitor.page.reload()  # what is no longer there is fetched
    expect(visitor.history).to_have_count(1)
    visitor.addresses[:] = [at for at in visitor.addresses if f"{address}/other/" not in at]


@pytest.mark.soak
def test_a_game_outlives_a_full_store_and_a_new_version(host, visit):
    visitor = visit(host.address)
    visitor.open()  # what is pressed before Python is there is done as soon as it is
    visitor.page.locator("form[action='./path/multiplicity/1'] button").click()
    expect(visitor.page).to_have_url(re.compile("/game/"))
    visitor.open("/new/double-or-add?opponent=here")
    visitor.enter("Start", "/game/")
    visitor.move(2)
    full = """() => { self.put = IDBObjectStore.prototype.put; IDBObjectStore.prototype.put =
        () => { throw new DOMException("", "QuotaExceededError"); } }"""
    visitor.context.service_workers[-1].evaluate(full)
    visitor.moves.first.click()
    expect(visitor.notice).to_contain_text("no room left")
    empty = "() => { IDBObjectStore.prototype.put = self.put; }"
    visitor.context.service_workers[-1].evaluate(empty)
    visitor.page.reload()
    expect(visitor.history).to_have_count(1)
    visitor.complaints.clear()  # of the refusal
    game = visitor.page.url
    caches = "() => caches.keys()"
    before = visitor.page.evaluate(caches)
    script = host.folder / "service-worker.js"
    script.write_text(script.read_text().replace('"version": "', '"version": "later-', 1))
    registration = "(await navigator.serviceWorker.getRegistration())"
    visitor.page.evaluate(f"async () => {{ await {registration}.update(); }}")
    until(lambda: visitor.page.evaluate(f"async () => !!{registration}.waiting"))
    second = visitor.context.new_page()
    second.goto(host.address)  # the first page, with a game in another tab
    expect(second.locator(".go-on")).to_be_visible()
    visitor.move(2)
    assert {*before} < {*second.evaluate(caches)}
    second.close()
    visitor.open()

    def only_the_later_one_is_left():
        with suppress(Error):  # the page is just shown anew
            return visitor.page.evaluate(caches) == [before[0].replace("  ", "  later-")]

    until(only_the_later_one_is_left)
    expect(visitor.page.locator(".go-on")).to_be_visible()
    visitor.open(game)
    expect(visitor.history).to_have_count(2)


@pytest.mark.soak
def test_one_file_is_enough(files, visit, tmp_path):
    file = tmp_path / "numduel.html"
    file.write_bytes(single_file(files))
    visitor = visit(f"file://{tmp_path}", offline=True)
    visitor.page.goto(f"file://{file}")
    visitor.page.locator("form[action='/path/multiplicity/1'] button").click()
    expect(visitor.page).to_have_url(re.compile("/game/"))  # the first page has moves as well
    for moves in (2, 4):  # with the computer's
        visitor.moves.first.click()
        expect(visitor.history).to_have_count(moves)
    visitor.page.reload()
    expect(visitor.history).to_have_count(4)
    visitor.addresses[:] = [at for at in visitor.addresses if not at.startswith("blob:")]  # its own


class Links(HTMLParser):
    """Return the links, the files and the anchors of a page of the documentation."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids.add(given.get("id") or "")
        (self.links if tag == "a" else self.loaded).append(
            given.get("href") or given.get("src") or ""
        )


@pytest.mark.soak
def test_the_documentation_links_to_what_is_there_and_holds_games(host, visit):
    pages = documentation()
    for name, data in pages.items():
        path = host.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    read = {name: Links(data) for name, data in pages.items() if name.endswith(".html")}
    for name, page in read.items():
        assert not [link for link in page.loaded if link.startswith(("http", "//"))]
        for link in {*page.links, *page.loaded}:
            where, _, anchor = unquote(link).partition("#")
            if where.startswith(("http", "../?to=", "data:")) or where == "../":
                continue
            target = (
                normpath(f"docs/{Path(name).parent.relative_to('docs')}/{where}") if where else name
            )
            target = target.partition("?")[0]
            assert target in pages, (name, link)
            assert not anchor or anchor in read[target].ids, (name, link)
    visitor = visit(host.address)
    visitor.page.goto(f"{host.address}/docs/rules.html")
    for key in GAMES:
        summary = visitor.page.get_by_text(f"Play {game_type(key).title} here")
        summary.click()
        game = visitor.page.frame_locator(f"iframe[title='{game_type(key).title}']")
        game.locator("button[name=move]").first.click()
        expect(game.locator("#main")).to_contain_text(re.compile("turn|win", re.IGNORECASE))
    visitor.page.goto(f"{host.address}/docs/search.html?q=matching")
    expect(visitor.page.locator("#search-results li").first).to_be_visible()
