"""A class: a teacher with the wall, and pupils, each with a browser of their own."""

import re
from contextlib import ExitStack

import httpx2
import pytest
from playwright.sync_api import expect

from numduel import games

PROJECTOR = {"width": 1920, "height": 1080}
NAMES = ["Ada", "Emmy", "Sofja", "Maryam"]
LEAST_NAME_PIXELS = 40


def open_room(visit, **settings):
    teacher = visit().open("/class")
    teacher.page.get_by_role("link", name="Other settings for Double or Add").click()
    teacher.fill(**settings).enter("Open the room", "/room/")
    teacher.mark()
    return teacher


def join(visit, teacher, name, **options):
    code = teacher.page.url.rpartition("/")[2]
    pupil = visit(**options).open()
    pupil.link("Join a class").click()
    pupil.page.get_by_label("The room's code").fill(f" {code.lower()}")
    pupil.page.get_by_label("Your first name").fill(name)
    return pupil.enter("Join", f"/room/{code}")


def press(teacher, name):
    """Press a button of the wall, and confirm its question if it has one."""
    teacher.act(teacher.button(name))


def choose(teacher, what, name):
    """Open a button of the bar, and press one of the buttons that appear."""
    teacher.page.locator(".wall-bar summary").get_by_text(what, exact=True).click()
    press(teacher, name)


def ask(teacher, offer=0):
    teacher.link("Ask").click()
    teacher.page.locator(".six button").nth(offer).click()
    expect(teacher.page.locator(".count")).to_contain_text("have answered")


class Guest:
    """A pupil without a browser, who requests pages and sends forms."""

    def __init__(self, client, teacher, name):
        self.client = client
        self.room = teacher.page.url.removeprefix(teacher.site)
        form = {"code": self.room.rpartition("/")[2], "name": name}
        assert self.client.post("/join", data=form).status_code == 200

    def lose(self):
        """Lose this round by going beyond the target, if it is their turn."""
        game = self.client.get(f"{self.room}/play")
        assert "/game/" in game.url.path
        if 'id="m1"' in game.text:
            at = re.search('name="at" value="([0-9]+)"', game.text)[1]
            path = f"{game.url.path}/move"
            assert self.client.post(path, data={"at": at, "move": "1"}).status_code == 200

    def answer(self):
        """Answer the question with the first legal move."""
        page = self.client.get(f"{self.room}/play").text  # from any page
        form = dict(re.findall(r'name="(question|move)" value="(\d+)"', page))
        assert self.client.post(f"{self.room}/answer", data=form).status_code == 200

    def chain(self):
        assert "/chain" in self.client.get(self.room).url.path
        form = {"n": 50, "chain": "", "move": "7"}
        assert self.client.post(f"{self.room}/chain", data=form).status_code == 200


@pytest.fixture
def guest():
    """Let a guest join the room of a teacher: guest(teacher, name)."""
    with ExitStack() as clients:

        def guest(teacher, name):
            options = {"timeout": 180, "trust_env": False, "follow_redirects": True}
            client = clients.enter_context(httpx2.Client(base_url=teacher.site, **options))
            return Guest(client, teacher, name)

        yield guest


def play_round(pupils, guests=()):
    """Play all games to the end; whoever begins loses, by going beyond the target."""
    for pupil in pupils:  # whose pages lead to the game
        expect(pupil.page).to_have_url(re.compile("/game/"))
        expect(pupil.turn).to_contain_text("turn")
    for guest in guests:
        guest.lose()
    for pupil in pupils:
        if pupil.moves.count():  # the player who begins
            pupil.move(1)
    for pupil in pupils:
        expect(pupil.turn).to_contain_text(re.compile(" wins|You win!"))
        assert "Rematch" not in pupil.main.inner_text()
        first = pupil.page.locator(".ending .ways > *").first
        expect(first).to_have_text("Back to the class")
        first.click()
        expect(pupil.turn).to_contain_text(re.compile("Well played|You beat"))


def test_pupils_are_paired_round_after_round_until_each_sees_a_summary(visit):
    teacher = open_room(visit, set_start=3, set_target=4)
    expect(teacher.button("Begin round 1")).to_be_disabled()
    pupils = [join(visit, teacher, name) for name in NAMES]
    for pupil in pupils:
        expect(pupil.main).to_contain_text("4 are here.")  # those who came later have appeared
        assert pupil.page.evaluate("document.cookie") == ""
    expect(teacher.page.locator(".names li")).to_have_text(NAMES)
    press(teacher, "Begin round 1")
    expect(pupils[0].main).to_contain_text(re.compile("You play (Emmy|Sofja|Maryam)"))
    play_round(pupils)
    expect(teacher.main).to_contain_text("Round 1 is done")
    expect(teacher.main).to_contain_text("A moment from this round")
    points = teacher.page.locator(".points")
    expect(points).to_have_text(["1 point", "1 point", "0 points", "0 points"])

    fifth = join(visit, teacher, "Olga")
    expect(points).to_have_count(5)
    press(teacher, "Begin round 2")
    expect(teacher.page.locator(".duel")).to_have_count(3)
    assert teacher.page.locator(".duel", has_text="Bolt").count() == 1
    watched = visit().open(
        teacher.page.get_by_role("link", name="Watch").first.get_attribute("href")
    )
    expect(watched.turn).to_contain_text("turn")
    teacher.page.locator(".wall-bar summary").get_by_text("Begin round 3", exact=True).click()
    expect(teacher.page.get_by_text("3 games are still being played.")).to_be_visible()

    choose(teacher, "End", "Yes, end the lesson")
    assert teacher.marked
    expect(teacher.page.locator(".wall-bar .button")).to_have_text(
        [" Pupils", " Report", "New lesson"]
    )
    for pupil in pupils:
        expect(pupil.turn).to_have_text(re.compile("You won 1 of 1!|You played 1 game. Well done!"))
    expect(fifth.turn).to_have_text("Thank you, Olga!")
    teacher.link("See the report").click()
    expect(teacher.page.locator(".standing tbody tr")).to_have_count(5)
    teacher.page.get_by_text("Delete it all now").click()
    teacher.enter("Yes, delete it all", "/class")
    for pupil in (*pupils, fifth):
        assert pupil.notice.count() == 0 and pupil.page.locator(".finish").count() == 1
    expect(watched.notice).to_contain_text(re.compile("closed|deleted"))
    fifth.page.reload()
    expect(fifth.main).to_contain_text("This lesson is over.")


@pytest.mark.soak
def test_a_pupil_is_removed_and_let_in_again(visit):
    teacher = open_room(visit)
    pupils = [join(visit, teacher, name) for name in NAMES[:2]]
    expect(teacher.page.locator(".names li")).to_have_count(2)
    teacher.link("Pupils").click()
    press(teacher, "Remove Emmy")
    expect(teacher.page.locator(".pupils li")).to_have_count(1)
    expect(pupils[0].main).to_contain_text("1 is here.")
    expect(pupils[1].turn).to_contain_text("your teacher has removed you")
    expect(pupils[1].main).not_to_contain_text("Ada")  # a removed pupil sees no names
    press(teacher, "Let Emmy in again")
    expect(pupils[1].turn).to_contain_text("Welcome, Emmy")


@pytest.mark.soak
def test_the_page_of_a_waiting_pupil_goes_on_by_itself(visit):
    teacher = open_room(visit)
    wall = teacher.page.url
    teacher.link("Pupils").click()
    press(teacher, "Turn the waiting list on")
    teacher.open(wall)
    pupils = [join(visit, teacher, NAMES[0], java_script_enabled=False)]
    pupils += [join(visit, teacher, name) for name in (NAMES[1], "Bot")]
    for pupil in pupils:
        expect(pupil.turn).to_have_text("Your teacher will let you in.")
    expect(teacher.page.locator(".badge")).to_have_text("3 waiting")
    teacher.page.get_by_role("link", name="Pupils").click()
    press(teacher, "Turn Bot away")
    expect(pupils[2].turn).to_contain_text("You are not in this room")
    press(teacher, "Admit all")
    for pupil, name in zip(pupils[:2], NAMES, strict=False):
        expect(pupil.turn).to_contain_text(f"Welcome, {name}")


def test_a_question_reaches_everybody_wherever_they_are_and_then_the_games_go_on(visit):
    teacher = open_room(visit, set_start=1, set_target=21)
    plain = join(visit, teacher, NAMES[0], java_script_enabled=False)
    pupils = [join(visit, teacher, name) for name in NAMES[1:]]
    press(teacher, "Begin round 1")
    for pupil in pupils:
        expect(pupil.page).to_have_url(re.compile("/game/"))
    away = pupils[-1].open("/puzzle")
    away.link("Back to the class").click()
    expect(away.link("Back to the class")).to_have_count(0)
    away.open("/puzzle")
    expect(away.link("Back to the class")).to_be_visible()
    ask(teacher)  # of the lesson: on 20, where adding one wins
    for pupil in pupils:
        expect(pupil.turn).to_have_text("You are on 20. What would you play?")
    plain.page.reload()
    for pupil, move in zip((plain, *pupils), (1, 2, 2, 1), strict=True):
        pupil.page.locator(f"#m{move}").click()
        expect(pupil.main).to_contain_text("Your answer")
    expect(teacher.main).to_contain_text("4 of 4")
    press(teacher, "Show the answers")
    expect(teacher.page.locator(".bars tbody tr")).to_have_count(2)
    press(teacher, "Show what is right")
    expect(pupils[0].turn).to_have_text("You found it!")
    expect(teacher.page.locator("h1")).to_contain_text("2 of you found it: Add One → 21")
    teacher.page.get_by_role("link", name="Play it out").first.click()
    expect(teacher.page.locator(".strip li")).to_have_text([re.compile("You"), re.compile("end")])
    assert not any(name in teacher.main.inner_text() for name in NAMES)
    press(teacher, "Back to the games")
    for pupil in pupils:
        expect(pupil.page).to_have_url(re.compile("/game/"))
        expect(pupil.turn).to_contain_text("turn")


@pytest.mark.soak
def test_a_pupil_who_gets_no_stream_elsewhere_is_called_when_there_is_one_again(visit):
    teacher = open_room(visit, set_start=1, set_target=21)
    away = join(visit, teacher, NAMES[0])
    away.page.route("**/events?calls", lambda route: route.fulfill(status=503), times=2)
    away.open("/puzzle")
    ask(teacher)
    expect(away.turn).to_have_text("You are on 20. What would you play?")
    away.complaints.clear()  # of those two


def all_in_view(teacher, names, count):
    """Check that the wall shows everything without scrolling, and names in large letters."""
    expect(teacher.page.locator(names)).to_have_count(count)
    assert teacher.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for box, size in teacher.page.locator(names).evaluate_all(
        "all => all.map(e => [e.getBoundingClientRect(), getComputedStyle(e).fontSize])"
    ):
        assert box["height"] > 0 and box["bottom"] <= PROJECTOR["height"]
        assert float(size.removesuffix("px")) >= LEAST_NAME_PIXELS


def test_a_game_on_the_wall_stays_in_its_tile_below_no_menu_of_the_site(visit, guest, many):
    for key in many(["divisor-duel"], [key for key, _, _ in games()]):
        teacher = visit().open("/class")
        teacher.page.set_viewport_size(PROJECTOR)
        teacher.page.locator(f"form[action='/rooms/{key}'] button").click()
        expect(teacher.page).to_have_url(re.compile("/room/"))
        assert teacher.page.locator("body > .foot").count() == 0, key
        for name in NAMES[:2]:
            guest(teacher, name)
        press(teacher, "Begin round 1")
        tile, picture = (
            teacher.page.locator(drawn).evaluate("one => one.getBoundingClientRect().toJSON()")
            for drawn in (".duel", ".duel .picture")
        )
        assert tile["top"] < picture["top"] and picture["bottom"] < tile["bottom"], key
        assert picture["right"] < tile["right"], key


@pytest.mark.soak
def test_a_question_of_any_game_is_in_view_on_the_wall(visit):
    teacher = open_room(visit)
    teacher.page.set_viewport_size(PROJECTOR)
    wall = teacher.page.url
    pupil = join(visit, teacher, "Ada")
    for key, title, _ in games():
        teacher.open(f"{wall}/ask?game={key}")
        assert teacher.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), key
        teacher.page.locator(".six button").last.click()
        expect(teacher.page.locator(".said")).to_contain_text(title)
        assert teacher.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), key
        pupil.page.locator("[data-board] button").first.click()
        expect(teacher.main).to_contain_text("1 of 1")
        press(teacher, "Show the answers")
        press(teacher, "Show what is right")
        expect(teacher.page.locator(".why-card h2").first).to_contain_text("Why ")
        assert teacher.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), key


@pytest.mark.soak
def test_thirty_pupils_ten_of_them_in_browsers_have_a_lesson_and_nobody_is_left_behind(
    visit, guest
):
    teacher = open_room(visit, set_start=3, set_target=4)
    teacher.page.set_viewport_size(PROJECTOR)
    pupils = [join(visit, teacher, f"Pupil {number}") for number in range(10)]
    guests = [guest(teacher, f"Guest {number}") for number in range(20)]
    all_in_view(teacher, ".names li", 30)
    pairs = set()
    for number in (1, 2):
        press(teacher, f"Begin round {number}")
        expect(teacher.page.locator(".said")).to_contain_text("0 of 15 games are done")
        all_in_view(teacher, ".duel .name", 30)
        told = teacher.page.locator(".duel a > .unseen").all_text_contents()
        pairs |= {frozenset(line.removeprefix("Watch ").split(" against ")) for line in told}
        if number == 1:  # a question while all of them play
            ask(teacher)
            for pupil in pupils:
                expect(pupil.main).to_contain_text("Look up, a question!")
                pupil.page.locator("[data-board] button").first.click()
                expect(pupil.main).to_contain_text("Your answer")
            for one in guests:
                one.answer()
            expect(teacher.page.locator(".count")).to_contain_text("30 of 30")
            press(teacher, "Show the answers")
            press(teacher, "Show what is right")
            for pupil in pupils:
                expect(pupil.main).to_contain_text("found it: ")  # or nobody did
            press(teacher, "Back to the games")
        play_round(pupils, guests)
        all_in_view(teacher, ".ranks .name", 30)
        points = teacher.page.locator(".points").all_inner_texts()
        assert sum(int(text.split()[0]) for text in points) == 15 * number
    assert len(pairs) == 30  # nobody meets anybody twice
    choose(teacher, "Chain", "1 to 50")
    for pupil in pupils:
        expect(pupil.page).to_have_url(re.compile("/chain"))
        pupil.page.locator("#m6").click()
        expect(pupil.page.locator(".cells .now")).to_contain_text("6")
    for one in guests:
        one.chain()
    expect(teacher.page.locator(".count")).to_contain_text("30 of 30")
    all_in_view(teacher, ".leaders li span", 5)
    choose(teacher, "End", "Yes, end the lesson")
    for pupil in pupils:
        expect(pupil.turn).to_have_text(re.compile("You won [12] of 2!|You played 2 games"))
    for one in guests:
        ended = one.client.get(f"{one.room}/play")
        assert ended.status_code == 200 and re.search("You won|You played", ended.text)
    teacher.link("See the report").click()
    expect(teacher.page.locator(".standing tbody tr")).to_have_count(30)


PRINTED = {
    **{f"/lesson/{age}": 1 for age in (8, 11, 14)},
    **{f"/grid/{size}": 1 for size in (24, 40, 50, 100)},
    "/puzzles/sheet/739000": 2,  # with the answers
    "/puzzles/sheet/11?game=multiplicity": 2,
    "/puzzles/sheet/14?game=operation-duel": 2,
}


@pytest.mark.soak(keep=2)
@pytest.mark.parametrize("path", sorted(PRINTED))
def test_a_printed_page_fits_a4_and_letter(visit, path):
    one = visit().open(path)
    for paper in ("A4", "Letter"):
        pages = re.findall(rb"/Type\s*/Page\b", one.page.pdf(format=paper))
        assert len(pages) == PRINTED[path], paper
    one.page.emulate_media(media="print")
    one.page.set_viewport_size({"width": 703, "height": 1000})  # 186 mm, as both have
    sheet = one.page.locator(".paper").first
    high, inside = sheet.evaluate("e => [e.getBoundingClientRect().height, e.scrollHeight]")
    assert inside <= high + 1  # nothing is cut off
    if path.startswith("/lesson/"):
        assert high <= 125 / 25.4 * 96  # half a page
