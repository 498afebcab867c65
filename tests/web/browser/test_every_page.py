"""Every page in every state: axe finds nothing, and it fits a phone, a desk and a projector.

With SCREENSHOTS=FOLDER a picture of each is put there (`make screenshots`).
"""

import json
import os
import re
from datetime import date

import pytest
from playwright.sync_api import expect

from numduel import games
from numduel.play.puzzle import daily

GAMES = [key for key, _, _ in games()]

NAMES = (
    *("Ada", "Emmy", "Sofja", "Maryam", "Olga", "Hypatia", "Srinivasa", "Carl", "Leonhard", "Paul"),
    *("Kurt", "Alan", "Grace", "Katherine", "Dorothy", "Mary", "Sophie", "Evariste", "Niels"),
    *("Bernhard", "Georg", "David", "Henri", "Blaise", "Pierre", "Rene", "Isaac", "Gottfried"),
    *("Johanna", "Julia"),
)
"""A class of thirty."""


def friends(visit, key="divisor-line", **form):
    """Return two people who play by a link."""
    one = visit().begin(key, opponent="link", **form)
    two = visit().open(one.page.locator("#invite").input_value())
    two.button("Play").click()
    return one, two


def at_home(visit):
    return visit().open()


def at_problem(visit):
    return visit().open("/game/nowhere")


def at_new_with_error(visit):
    one = visit().open("/new/divisor-line").fill(set_size=3)
    one.page.locator("[data-play]").click()
    expect(one.notice).to_contain_text("Size must be")
    return one


def at_first_move(visit, key):
    one = visit().play(key)
    expect(one.turn).to_have_text("Your turn")
    return one


def at_third_move(visit, key):
    one = visit().begin(key, opponent="random", coach=True)
    one.move()
    expect(one.page.locator(".coach .comment")).to_be_visible()
    one.may_move()
    return one


def at_verdicts(visit, key):
    one = at_third_move(visit, key)
    one.page.locator("#switch-colours").click()
    expect(one.page.locator("button .sign, .ending").first).to_be_visible()
    return one


def at_hint(visit):
    one = visit().begin("multiplicity", opponent="here", coach=True)
    for number in (36, 4, 12, 3, 15, 5):
        one.move(number)
    one.ask_for_hint()
    return one


def at_invitation(visit):
    return visit().begin("multiplicity", opponent="link", rounds=3)


def at_waiting(visit):
    one, _ = friends(visit)
    one.move(4)
    return one


def at_watching(visit):
    one, two = friends(visit)
    one.move(4)
    two.move(6)
    return visit().open(one.page.url)


def at_looking_back(visit):
    one, two = friends(visit, "operation-duel")
    one.move()
    two.move()
    one.page.locator(".history a").nth(1).click()
    expect(one.page.locator(".lookback")).to_be_visible()
    return one


def at_asking(visit):
    one, _ = friends(visit)
    one.move(4)
    one.act(one.button("Ask to take back"))
    return one


def at_being_asked(visit):
    one, two = friends(visit)
    one.move(4)
    one.act(one.button("Ask to take back"))
    expect(two.page.locator(".ask")).to_be_visible()
    return two


def at_swap(visit):
    one = visit().begin("multiplicity", opponent="here", swap=True)
    one.move(12)
    expect(one.button("Yes, take it over")).to_be_visible()
    return one


def at_typing(visit):
    return visit().begin("multiplicity", opponent="here", set_size=1000)


def at_refused_move(visit):
    one = at_typing(visit)
    one.page.locator("#typed").fill("1001")
    one.button("Play").click()
    expect(one.notice).to_be_visible()
    return one


def at_long_number(visit):
    start = "9" * 300
    return visit().begin("divisor-duel", opponent="here", set_start=start)


def at_end_of_round(visit):
    one = visit().begin("double-or-add", opponent="here", rounds=3)
    one.resign()
    return one


def at_end(visit, key):
    one = visit().begin(key, opponent="random")
    one.play_on(6)
    return one


def at_won(visit, key):
    """The first move wins."""
    form, move = {
        "multiplicity": ({}, 47),
        "divisor-duel": ({"set_start": 12}, 1),
        "operation-duel": ({"set_start": 19}, 1),
        "double-or-add": ({"set_start": 14, "set_target": 28}, 1),
    }[key]
    one = visit().begin(key, opponent="easy", coach=True, **form)
    one.move(move)
    expect(one.turn).to_have_text("You win!")
    return one


def at_challenge(visit):
    one = at_mistake(visit)
    one.link("Play on from here").click()
    expect(one.page).to_have_url(re.compile("/challenge/"))
    return one


def at_friend_here(visit):
    one, _ = friends(visit, "multiplicity")
    expect(one.turn).to_have_text("Your turn")
    return one


def at_large_board(visit):
    one = visit().begin("multiplicity", opponent="here", set_size=400)
    for number in (6, 300, 2, 128):
        one.move(number)
    return one


def at_large_race(visit):
    one = visit().begin("double-or-add", opponent="here", set_target=1_000_000, coach=True)
    for move in (1, 1, 2, 1, 1, 1, 2, 1):
        one.move(move)
    return one


def at_pairs(visit):
    """A hint whose reason is a pairing."""
    one = visit().begin("multiplicity", opponent="easy", coach=True)
    one.ask_for_hint()
    return one


def at_review(visit, key):
    one = at_end(visit, key)
    one.look_back()
    expect(one.page.locator("#replay")).to_be_visible()
    return one


def at_review_start(visit):
    one = at_review(visit, "divisor-line")
    one.link("First").click()
    expect(one.page.locator("#replay")).to_have_text("The start")
    return one


def at_mistake(visit):
    """A game with the move from 1 to 5, which is a mistake."""
    game = {"game": "multiplicity", "settings": {"size": 50}, "players": ["human", "easy"]}
    record = {**game, "format": "numduel-record/1", "first": 1, "moves": [5, 10], "outcome": None}
    one = visit().open("/analyze")
    one.page.locator("#text").fill(json.dumps({**record, "started": "2026-01-01T00:00:00+00:00"}))
    one.enter("Analyse", "/record/")
    one.page.locator(".bar .mistake a").click()
    one.page.locator("#m34").click()
    expect(one.page.locator("#turned")).to_have_text("Not that one either.")
    return one


def at_puzzle_solved(visit, day="2026-11-10"):
    one = visit().open(f"/puzzle/{day}")
    one.page.locator(f"#m{daily(date.fromisoformat(day)).answer}").click()
    expect(one.page.locator("#task")).to_have_text("Right!")
    return one


def at_puzzle_missed(visit, day="2026-11-14"):
    one = visit().open(f"/puzzle/{day}")
    right = daily(date.fromisoformat(day)).answer
    one.page.locator(f"[data-board] button:not(#m{right})").first.click()
    expect(one.page.locator("#task")).to_have_text("Not that one.")
    return one


def at_chain(visit):
    one = visit().open("/chain?n=30")
    for number in (5, 10, 30):
        one.page.locator(f"#m{number}").click()
        expect(one.page.locator(".cells .now")).to_contain_text(str(number))
    return one


def at_analyze_with_error(visit):
    one = visit().open("/analyze")
    one.page.locator("#text").fill("{}")
    one.button("Analyse").click()
    expect(one.notice).to_be_visible()
    return one


def at_prepare_with_error(visit):
    one = visit().open("/class/divisor-line").fill(set_size=3)
    one.button("Open the room").click()
    expect(one.notice).to_contain_text("Size must be")
    return one


def at_join_with_error(visit):
    one = visit().open("/join?code=QQQQQ")
    one.page.locator("#name").fill("Ada")
    one.button("Join").click()
    expect(one.notice).to_be_visible()
    return one


def class_room(visit, names=("Ada", "Emmy", "Sofja"), key="divisor-line"):
    teacher = visit().open(f"/class/{key}").enter("Open the room", "/room/")
    pupils = []
    for name in names:
        pupil = visit().open(f"/join?code={teacher.page.url.rpartition('/')[2]}")
        pupil.page.locator("#name").fill(name)
        pupils.append(pupil.enter("Join", "/room/"))
    if names:
        expect(teacher.page.locator(".names li")).to_have_count(len(names))
    return teacher, pupils


def at_empty_room(visit):
    teacher, _ = class_room(visit, ())
    return teacher


def at_room_before(visit):
    teacher, _ = class_room(visit)
    return teacher


def at_room_of_teacher(visit):
    teacher, [pupil, *_] = class_room(visit, ("Ada", "Emmy", "Sofja", "Maryam", "Olga"))
    teacher.act(teacher.button("Begin round 1"))
    expect(pupil.turn).to_contain_text("turn")
    pupil.resign()
    expect(teacher.page.locator(".duel .won")).to_be_visible()
    return teacher


def at_begin_anyway(visit):
    teacher, _ = class_room(visit)
    teacher.act(teacher.button("Begin round 1"))
    teacher.page.locator(".wall-bar summary").first.click()
    return teacher


def at_position_of_the_round(visit):
    """Let two people play to the end of a game that has a mistake."""
    teacher, pupils = class_room(visit, ("Ada", "Emmy"), "double-or-add")
    teacher.act(teacher.button("Begin round 1"))
    for pupil in pupils:
        expect(pupil.turn).to_contain_text("turn")
    begins = next(pupil for pupil in pupils if pupil.moves.count())
    other = next(pupil for pupil in pupils if pupil is not begins)
    for pupil, move in ((begins, 1), (other, 1), (begins, 2), (other, 1), (begins, 1)):
        pupil.move(move)  # the last goes past the target
    expect(teacher.main).to_contain_text("A moment from this round")
    return teacher


def at_whole_class(visit):
    """Thirty pupils on the wall; the first of them have moved."""
    teacher, pupils = class_room(visit, NAMES[:4])
    code, guests = teacher.page.url.rpartition("/")[2], visit()
    for name in NAMES[4:]:
        form = {"code": code, "name": name}
        guests.context.request.post(f"{guests.site}/join", form=form, max_redirects=0)
    expect(teacher.page.locator(".names li")).to_have_count(len(NAMES))
    teacher.act(teacher.button("Begin round 1"))
    for turn in range(8):
        pupil = pupils[turn % 4]
        expect(pupil.turn).to_contain_text("turn")
        if pupil.moves.count():
            pupil.move((turn * 3) % 19 + 1)
    expect(teacher.page.locator(".duel .picture")).to_have_count(15)
    return teacher


def at_managing(visit):
    teacher, _ = class_room(visit)
    teacher.act(teacher.button("Begin round 1"))
    wall = teacher.page.url
    teacher.link("Pupils").click()
    teacher.act(teacher.button("Turn the waiting list on"))
    for name in ("Olga", "Maryam"):
        at_waiting_room(visit, wall, name)
    expect(teacher.button("Admit Maryam")).to_be_visible()
    teacher.act(teacher.button("Remove Sofja"))
    return teacher


def at_waiting_room(visit, wall="", name="Ada"):
    if not wall:
        teacher, _ = class_room(visit, ())
        wall = teacher.page.url
        teacher.link("Pupils").click()
        teacher.act(teacher.button("Turn the waiting list on"))
    waiter = visit().open(f"/join?code={wall.rpartition('/')[2]}")
    waiter.page.locator("#name").fill(name)
    return waiter.enter("Join", "/room/")


def at_posing(visit):
    teacher, _ = class_room(visit, key="multiplicity")
    teacher.link("Ask").click()
    for number in (24, 2, 6):
        teacher.page.locator(f".own #m{number}").click()
        expect(teacher.page.locator(".own .now")).to_have_text(re.compile(rf"^{number}\b"))
    return teacher


def asked(visit, key="multiplicity"):
    """A teacher and a pupil who has answered a question."""
    teacher, [pupil, *_] = class_room(visit, key=key)
    teacher.link("Ask").click()
    teacher.page.locator(".six button").first.click()
    expect(pupil.main).to_contain_text("Look up, a question!")
    pupil.page.locator("[data-board] button").first.click()
    expect(teacher.main).to_contain_text("1 of 3")
    return teacher, pupil


def at_question_of_pupil(visit):
    return asked(visit)[1]


def at_revealed(visit, key="multiplicity"):
    teacher, _ = asked(visit, key)
    teacher.act(teacher.button("Show the answers"))
    teacher.act(teacher.button("Show what is right"))
    expect(teacher.page.locator(".why-card").first).to_contain_text("Why ")
    return teacher


def at_played_out(visit):
    teacher = at_revealed(visit)
    teacher.page.get_by_role("link", name="Play it out").first.click()
    expect(teacher.page.locator(".strip")).to_be_visible()
    return teacher


def at_asked_on_wall(visit):
    return asked(visit)[0]


def at_revealed_to_pupil(visit):
    teacher, pupil = asked(visit, "double-or-add")
    teacher.act(teacher.button("Show the answers"))
    teacher.act(teacher.button("Show what is right"))
    expect(pupil.main).to_contain_text("found it: ")  # or nobody did
    return pupil


def making_chains(visit):
    """A teacher, and a pupil who has made a chain."""
    teacher, [pupil, *_] = class_room(visit)
    teacher.page.locator(".wall-bar summary").get_by_text("Chain").click()
    teacher.act(teacher.button("1 to 50"))
    for number in (25, 50, 10, 30, 15, 45, 9, 27, 3, 36):
        pupil.page.locator(f"#m{number}").click()
        expect(pupil.page.locator(".cells .now")).to_contain_text(str(number))
    return teacher, pupil


def at_chain_of_pupil(visit):
    return making_chains(visit)[1]


def at_chain_of_class(visit):
    teacher, _ = making_chains(visit)
    expect(teacher.main).to_contain_text("Ada has the longest chain: 10 of")
    return teacher


def at_meeting(visit):
    teacher, [pupil, *_] = class_room(visit)
    teacher.act(teacher.button("Begin round 1"))
    expect(pupil.page.locator(".versus")).to_be_visible()
    pupil.page.evaluate("stop(); clearTimeout(soon)")  # it would go on by itself
    return pupil


def at_game_of_pupil(visit):
    teacher, [pupil, *_] = class_room(visit)
    teacher.act(teacher.button("Begin round 1"))
    expect(pupil.turn).to_contain_text("turn")
    return pupil


def at_room_of_pupil(visit):
    pupil = at_game_of_pupil(visit)
    pupil.resign()
    pupil.link("Back to the class").click()
    expect(pupil.main).to_contain_text("Round 2 comes by itself.")
    return pupil


def ended(visit):
    """A teacher and a pupil at the end of a lesson."""
    teacher, [pupil, *_] = class_room(visit)
    teacher.act(teacher.button("Begin round 1"))
    expect(pupil.turn).to_contain_text("turn")
    pupil.resign()
    teacher.page.locator(".wall-bar summary").get_by_text("End").click()
    teacher.act(teacher.button("Yes, end the lesson"))
    expect(pupil.turn).to_contain_text("You played 1 game")
    return teacher, pupil


def at_end_of_lesson(visit):
    return ended(visit)[0]


def at_end_of_pupil(visit):
    return ended(visit)[1]


def at_report(visit):
    teacher, _ = ended(visit)
    teacher.link("See the report").click()
    expect(teacher.page.locator(".standing")).to_be_visible()
    return teacher


def at_lesson_plan(visit):
    one = visit().open("/lesson/11")
    one.page.locator("summary").first.click()
    return one


def at_room_of_stranger(visit):
    teacher, _ = class_room(visit)
    return visit().open(teacher.page.url)


def at_home_again(visit):
    """A visitor who comes back, with stars and a game under way."""
    one = visit().play("divisor-line")
    stars = {"name": "stars", "value": "1.multiplicity_3323200000_01.double-or-add_33_0"}
    one.context.add_cookies([{**stars, "url": one.site}])
    return one.open()


def at_path(visit, key):
    one = visit()
    stars = {"name": "stars", "value": f"1.{key}_33232_01", "url": one.site}
    one.context.add_cookies([stars])
    return one.open(f"/path/{key}")


def at_first_game(visit, key):
    one = visit().open(f"/path/{key}")
    one.page.locator(f"form[action='/path/{key}/1'] button").first.click()
    expect(one.page.locator(".tap")).to_be_visible()
    one.page.locator(".tap button, button.tap").click()
    expect(one.history).to_have_count(2)
    return one


def at_step_won(visit):
    """The end of a lesson, which is won after three taps."""
    one = at_first_game(visit, "multiplicity")
    for count in (4, 5):
        one.page.locator(".tap button").click()
        expect(one.history).to_have_count(count)
    expect(one.turn).to_have_text("You win!")
    return one


def at_lost(visit, key):
    """A lost game, with the move at which it turned."""
    form, moves = {
        "double-or-add": ({"set_start": 2}, (1,)),  # adding one would win
        "multiplicity": ({"set_size": 15, "set_start": 2}, (4,)),
    }[key]
    one = visit().begin(key, opponent="perfect", **form)
    for move in moves:
        if one.may_move():
            one.move(move if one.page.locator(f"#m{move}").count() else None)
    while one.may_move():
        one.move()
    expect(one.turn).to_contain_text("So close!")
    return one


def at_lost_game(visit):
    return at_lost(visit, "multiplicity")


def at_lost_race(visit):
    return at_lost(visit, "double-or-add")


def at_revealed_line(visit):
    return at_revealed(visit, "divisor-line")


def at_revealed_race(visit):
    return at_revealed(visit, "double-or-add")


def at_away(visit):
    one, two = friends(visit, name1="Ada")
    expect(two.turn).to_be_visible()
    with two.page.expect_response("**/events"):  # the stream by which it is known who is here
        two.page.reload()
    two.page.close()
    expect(one.page.locator(".gone")).to_have_text("away")
    return one


ADDRESSES = {
    "rules-all": "/rules",
    "choose": "/new/multiplicity",
    "friend": "/new/multiplicity?opponent=link",
    "progress": "/progress?stars=1.multiplicity_33_0",
    "puzzle": "/puzzle",
    "puzzles": "/puzzles",
    "puzzle-sheet": "/puzzles/sheet/7",
    "puzzle-of-game": "/puzzle/multiplicity/7",
    "analyze": "/analyze",
    "class": "/class",
    "rules": "/rules/divisor-duel",
    "prepare": "/class/multiplicity",
    "join": "/join",
    "grid": "/grid/40",
}


def needs_only_a_visit(function):
    return function.__code__.co_argcount == 1 + len(function.__defaults__ or ())


STATES = {
    name.removeprefix("at_").replace("_", "-"): function
    for name, function in [*globals().items()]
    if name.startswith("at_") and needs_only_a_visit(function)
}
"""The functions that lead to a state of a page, by their name after `at_`."""

PAGES_OF_A_GAME = {
    "path": at_path,
    "first-game": at_first_game,
    "new": lambda visit, key: visit().open(f"/new/{key}"),
    "first-move": at_first_move,
    "verdicts": at_verdicts,
    "end": at_end,
    "review": at_review,
}


@pytest.mark.soak(keep=9)
@pytest.mark.parametrize("name", sorted(ADDRESSES.keys() | STATES.keys()))
def test_axe_finds_nothing_and_it_fits(visit, check_page, name):
    one = visit().open(ADDRESSES[name]) if name in ADDRESSES else STATES[name](visit)
    check_page(one.page, name)


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize("key", [key for key in GAMES if key != "divisor-line"])
def test_axe_finds_nothing_where_one_has_won(visit, check_page, key):
    check_page(at_won(visit, key).page, f"won-{key}")


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize(
    ("name", "key"),
    [
        (name, key)
        for place, name in enumerate(PAGES_OF_A_GAME)
        for at, key in enumerate(GAMES)
        if "SCREENSHOTS" in os.environ or at in (place % 5, (place + 2) % 5)
    ],
)
def test_axe_finds_nothing_in_any_game(visit, check_page, name, key):
    check_page(PAGES_OF_A_GAME[name](visit, key).page, f"{name}-{key}")
