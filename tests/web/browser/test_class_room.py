"""A class: a teacher and pupils, each with a browser of their own."""

import re
from contextlib import ExitStack

import httpx2
import pytest
from playwright.sync_api import expect

from numduel import games

PROJECTOR = {"width": 1920, "height": 1080}

NAMES = ["Ada", "Emmy", "Sofja", "Maryam"]


def open_room(visit, **settings):
    teacher = visit().open("/class")
    teacher.link("Double or Add").click()
    teacher.fill(**settings).enter("Open the room", "/room/")
    teacher.mark()
    return teacher


def manage(visit, teacher):
    """The teacher's other page, as in another window."""
    managing = visit()
    managing.context.add_cookies(teacher.context.cookies())
    return managing.open(f"{teacher.page.url}/manage")


def join(visit, teacher, name, **options):
    code = teacher.page.locator("h1 .code").inner_text()
    assert re.fullmatch("[A-Z]{5}", code)
    pupil = visit(**options).open()
    pupil.link("Join a class").click()
    pupil.page.get_by_label("The code of the room").fill(f" {code.lower()}")
    pupil.page.get_by_label("Your first name").fill(name)
    return pupil.enter("Join", f"/room/{code}")


def paired(teacher):
    """Who plays whom, as the room shows it."""
    lines = teacher.page.locator(".tile > .unseen").all_text_contents()
    return {frozenset(line.strip().split(" – ")) for line in lines}


def standing(visitor):
    return visitor.page.locator(".standing tbody tr, .ranks li")


class Guest:
    """A pupil without a browser, who asks for pages and sends forms."""

    def __init__(self, client, teacher, name):
        self.client = client
        self.room = teacher.page.url.removeprefix(teacher.site)
        form = {"code": self.room.rpartition("/")[2], "name": name}
        assert self.client.post("/join", data=form).status_code == 200

    def lose(self):
        """Go beyond the target, in the game of this round, where it is their turn."""
        game = self.client.get(f"{self.room}/play")
        assert "/game/" in game.url.path
        if 'id="m1"' in game.text:
            at = re.search('name="at" value="([0-9]+)"', game.text)[1]
            path = f"{game.url.path}/move"
            assert self.client.post(path, data={"at": at, "move": "1"}).status_code == 200


@pytest.fixture
def guest():
    """A guest who joins the teacher's room: guest(teacher, name)."""
    with ExitStack() as clients:

        def guest(teacher, name):
            options = {"timeout": 180, "trust_env": False, "follow_redirects": True}
            client = clients.enter_context(httpx2.Client(base_url=teacher.site, **options))
            return Guest(client, teacher, name)

        yield guest


def play_round(pupils, guests=()):
    """Everybody plays to the end; the seat that begins loses, by going beyond the target."""
    for pupil in pupils:  # who is carried into the game
        expect(pupil.page).to_have_url(re.compile("/game/"))
        expect(pupil.turn).to_contain_text("turn")
    for guest in guests:
        guest.lose()
    for pupil in pupils:
        if pupil.moves.count():  # who begins
            pupil.move(1)
    for pupil in pupils:
        expect(pupil.turn).to_contain_text(re.compile(" wins|You win!"))
        assert "Rematch" not in pupil.main.inner_text()
        pupil.link("Back to the room").click()
        expect(pupil.turn).to_contain_text("Well played")


def test_pupils_are_paired_round_after_round_until_the_room_is_closed(visit):
    teacher = open_room(visit, set_start=3, set_target=4)
    managing = manage(visit, teacher)
    expect(managing.button("Begin round 1")).to_be_disabled()
    pupils = [join(visit, teacher, name) for name in NAMES]
    for pupil in pupils:
        pupil.mark()
        expect(standing(pupil)).to_have_count(4)  # who came later has appeared
        assert pupil.page.evaluate("document.cookie") == ""
    expect(standing(teacher)).to_have_count(4)
    managing.act(managing.button("Begin round 1"))
    expect(teacher.page.locator(".pairings li")).to_have_count(2)
    first = paired(teacher)
    play_round(pupils)
    expect(teacher.main).to_contain_text("The position of the round")
    teacher.link("All the games").click()
    expect(teacher.page.locator(".pairings strong")).to_have_count(2)  # who won
    expect(standing(teacher).locator(".points")).to_have_text(
        ["1 point", "1 point", "0 points", "0 points"]
    )

    fifth = join(visit, teacher, "Olga")
    expect(standing(teacher)).to_have_count(5)
    managing.act(managing.button("Begin round 2"))
    expect(teacher.page.locator(".pairings li")).to_have_count(3)
    second = paired(teacher)
    assert not first & second
    assert sum("the computer (medium)" in pair for pair in second) == 1
    alone = next(
        visitor
        for visitor, name in zip([*pupils, fifth], [*NAMES, "Olga"], strict=True)
        if frozenset({name, "the computer (medium)"}) in second
    )
    expect(alone.turn).to_contain_text("Your turn")
    assert teacher.marked

    watched = visit().open(
        teacher.page.get_by_role("link", name="Watch").first.get_attribute("href")
    )
    expect(watched.turn).to_contain_text("turn")
    managing.page.get_by_text("Begin round 3", exact=True).click()
    expect(managing.page.get_by_text("3 games are still being played.")).to_be_visible()
    managing.page.get_by_text("Close the room").click()
    managing.enter("Close it for good", "/")
    for visitor in (teacher, *pupils, fifth, watched):
        expect(visitor.notice).to_contain_text(re.compile("closed|cleared away"))
    for visitor in (alone, watched):
        answer = visitor.page.reload()
        assert answer.status == 404
    assert teacher.page.goto(pupils[0].page.url).status == 404


@pytest.mark.soak
def test_a_pupil_is_removed_and_let_in_again(visit):
    teacher = open_room(visit)
    managing = manage(visit, teacher)
    pupils = [join(visit, teacher, name) for name in NAMES[:2]]
    expect(standing(teacher)).to_have_count(2)
    managing.act(managing.button("Remove Emmy"))
    expect(managing.page.locator(".pupils li")).to_have_count(1)
    for visitor in (teacher, pupils[0]):
        expect(standing(visitor)).to_have_count(1)
    expect(pupils[1].turn).to_contain_text("your teacher has removed you")
    expect(pupils[1].main).not_to_contain_text("Ada")  # they are a stranger now
    managing.act(managing.button("Let Emmy in again"))
    expect(pupils[1].turn).to_contain_text("Welcome, Emmy")


@pytest.mark.soak
def test_whoever_waits_goes_on_by_themselves(visit):
    teacher = open_room(visit)
    managing = manage(visit, teacher)
    managing.act(managing.button("Waiting list on"))
    pupils = [join(visit, teacher, NAMES[0], java_script_enabled=False)]
    pupils += [join(visit, teacher, name) for name in (NAMES[1], "Bot")]
    for pupil in pupils:
        expect(pupil.turn).to_have_text("Your teacher will let you in.")
    managing.act(managing.button("Turn Bot away"))
    expect(pupils[2].turn).to_contain_text("You are not in this room")
    managing.act(managing.button("Admit all"))
    for pupil, name in zip(pupils[:2], NAMES, strict=False):
        expect(pupil.turn).to_contain_text(f"Welcome, {name}")


def test_a_position_is_posed_and_answered_with_scripts_and_without(visit):
    teacher = open_room(visit)
    managing = manage(visit, teacher)
    pupils = [join(visit, teacher, NAMES[0], java_script_enabled=False)]
    pupils.append(join(visit, teacher, NAMES[1]))
    managing.link("Pose a position").click()
    managing.link("Divisor Line").click()
    expect(managing.main).to_contain_text("Ask the class: Divisor Line")
    managing.page.get_by_label("Position", exact=True).fill("10,14:1,17/1")
    managing.page.get_by_label("goal").select_option("chain")
    managing.enter("Ask the class", "/room/")
    for pupil, move in zip(pupils, (5, 20), strict=True):
        expect(pupil.turn).to_have_text("Player 1 is to move: what would you play?")
        pupil.page.locator(f"#m{move}").click()
        expect(pupil.main).to_contain_text(f"You answered {move}.")
    expect(teacher.main).to_contain_text("2 of 2 have answered")
    assert teacher.marked
    managing.act(managing.button("Show the answers"))
    expect(teacher.page.locator(".bars tbody tr")).to_have_count(2)
    managing.act(managing.button("Show what each is worth"))
    for visitor in (teacher, *pupils):
        expect(visitor.main).to_contain_text("1 of 2 found it: 20.")
    expect(teacher.page.locator(".bars .loss th")).to_have_text("5")
    expect(teacher.main).not_to_contain_text(NAMES[0])
    managing.act(managing.button("Back to the games"))
    expect(standing(teacher)).to_have_count(2)


def test_names_are_told_apart_and_codes_checked(visit):
    teacher = open_room(visit)
    join(visit, teacher, "Ada")
    second = visit().open(f"/join?code={teacher.page.url.rpartition('/')[2]}")
    second.page.get_by_label("Your first name").fill("ada")
    second.button("Join").click()
    expect(second.notice).to_contain_text("Ada is in this room already")
    second.page.get_by_label("The code of the room").fill("QQQQQ")
    second.button("Join").click()
    expect(second.notice).to_contain_text("There is no room of that code")
    expect(second.page.get_by_label("Your first name")).to_have_value("ada")


@pytest.mark.soak
def test_with_scripts_off_a_pupil_joins_and_plays(visit):
    teacher = open_room(visit, set_start=3, set_target=4)
    plain = join(visit, teacher, "Ada", java_script_enabled=False)
    other = join(visit, teacher, "Emmy")
    managing = manage(visit, teacher)
    expect(managing.page.locator(".pupils li")).to_have_count(2)
    managing.act(managing.button("Begin round 1"))
    play_round([plain, other])  # its page comes anew by itself
    expect(teacher.main).to_contain_text("1 of 1 games done")


def all_in_view(teacher):
    """On the projector every game and everybody's place in the standing is seen, unscrolled."""
    expect(teacher.page.locator(".tile .picture")).to_have_count(15)
    expect(standing(teacher)).to_have_count(30)
    assert teacher.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    edges = "[...document.querySelectorAll('.tile, .ranks li')].map(e => e.getBoundingClientRect())"
    assert teacher.page.evaluate(f"{edges}.every(e => e.height > 0 && e.bottom <= innerHeight)")
    assert teacher.page.evaluate(
        "[...document.querySelectorAll('.tile .picture')]"
        ".every(e => e.getBoundingClientRect().height > 50)"
    )


@pytest.mark.soak
def test_thirty_pupils_are_in_view_on_the_projector(visit, guest):
    teacher = open_room(visit)
    teacher.page.set_viewport_size(PROJECTOR)
    for number in range(30):
        guest(teacher, f"Pupil {number}")
    managing = manage(visit, teacher)
    managing.act(managing.button("Begin round 1"))
    all_in_view(teacher)


@pytest.mark.soak
def test_a_question_of_any_game_is_in_view_on_the_projector(visit):
    teacher = open_room(visit)
    teacher.page.set_viewport_size(PROJECTOR)
    managing = manage(visit, teacher)
    pupil = join(visit, teacher, "Ada")
    for key, title, _ in games():
        managing.open(f"{teacher.page.url}/ask?game={key}").enter("Ask the class", "/room/")
        expect(teacher.page.locator(".question")).to_contain_text(title)
        assert teacher.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), key
        pupil.page.locator("[data-board] button").first.click()
        expect(teacher.main).to_contain_text("1 of 1 have answered")
        managing.act(managing.button("Show what each is worth"))
        expect(teacher.page.locator(".bars")).to_contain_text("1 answer")
        assert teacher.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), key


@pytest.mark.soak
def test_thirty_pupils_play_two_rounds_ten_of_them_in_browsers(visit, guest):
    teacher = open_room(visit, set_start=3, set_target=4)
    teacher.page.set_viewport_size(PROJECTOR)
    managing = manage(visit, teacher)
    pupils = [join(visit, teacher, f"Pupil {number}") for number in range(10)]
    guests = [guest(teacher, f"Guest {number}") for number in range(20)]
    pairs = []
    for number in (1, 2):
        managing.act(managing.button(f"Begin round {number}"))
        expect(teacher.main).to_contain_text("0 of 15 games done")
        all_in_view(teacher)
        pairs += paired(teacher)
        play_round(pupils, guests)
        expect(teacher.main).to_contain_text("15 of 15 games done")
        expect(teacher.main).to_contain_text("The position of the round")
        assert teacher.page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
        points = standing(teacher).locator(".points").all_inner_texts()
        assert sum(int(text.split()[0]) for text in points) == 15 * number
    assert len({*pairs}) == 30  # nobody meets anybody twice
    assert teacher.marked
