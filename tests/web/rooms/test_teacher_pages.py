"""The pages of a teacher: opening a room, the projector, questions, the pupils, the report."""

import asyncio
import csv
import re
import time

import pytest
from tests.web.forms import hidden_fields, legal_moves

import numduel
from numduel import TooLarge
from numduel.play.friendly_settings import friendly_game
from numduel.play.lesson import lessons
from numduel.web.board import settings_words
from numduel.web.errors import Busy
from numduel.web.reviews.service import ReviewService
from numduel.web.rooms import page_model, service
from numduel.web.sharing import qr
from numduel.web.thinking import tasks
from numduel.web.thinking.pool import ThinkingPool

KEYS = [key for key, _, _ in numduel.games()]
NAMES = ("Xaver", "Yasmin", "Zoltan")  # these are on no page by chance
DEEDS = (
    *("round", "remove", "bring-back", "delete", "lock", "unlock", "screen", "unscreen", "admit"),
    *("turn-away", "make-chains", "games", "ask", "show", "reveal", "end"),
)


def test_a_room_is_opened_for_any_game_at_friendly_settings_with_one_press(visit):
    teacher = visit()
    shown = teacher.get("/class").text
    for key in KEYS:
        assert f'action="/rooms/{key}"' in teacher.get(f"/class/{key}").text
        form = shown.partition(f'action="/rooms/{key}"')[2].partition("</form>")[0]
        path = teacher.post(f"/rooms/{key}", data=hidden_fields(form)).headers["location"]
        assert re.fullmatch(r"/room/[A-HJ-NP-Z]{5}", path)
        friendly = friendly_game(type(numduel.new(key)))
        wall = re.sub(r"\s+", " ", teacher.get(f"{path}/manage").text)
        assert f"{friendly.title} · {settings_words(friendly)}" in wall


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"rounds": "51"}, "Rounds must be from 1 to 50, not 51."),
        ({"rounds": "x"}, "Rounds must be a whole number, not "),
        ({"set-size": "10001"}, "Size must be at most 10,000 here, not 10001; larger ones"),
    ],
)
def test_a_room_with_invalid_settings_is_refused_with_its_form(visit, form, why):
    answer = visit().post("/rooms/multiplicity", data=form)
    assert answer.status_code == 422
    assert why in answer.text
    assert next(iter(form.values())) in answer.text


def test_only_the_teacher_leads_the_room(classroom, visit):
    room, other = classroom("Ada", "Bo"), classroom()
    before = room.managed()
    for visitor in (room.pupils["Ada"], visit(), other.teacher):
        for deed in DEEDS:
            form = {"pupil": "Bo", "game": "divisor-line", "position": "-:-/1", "n": 9}
            answer = visitor.post(f"{room.path}/{deed}", data=form)
            assert answer.status_code == 403, deed
            assert "Only the teacher who opened this room can do that." in answer.text
        assert visitor.get(f"{room.path}/ask").status_code == 403
        assert visitor.get(f"{room.path}/report").status_code == 403
        assert visitor.get(f"{room.path}/report.csv").status_code == 403
        assert visitor.get(f"{room.path}/manage").status_code == 403
        assert f'action="{room.path}/' not in room.seen(visitor)
        secret = {"Cookie": "teacher=" + "x" * 32}
        assert visitor.post(f"{room.path}/delete", headers=secret).status_code == 403
    assert room.managed() == before
    for deed in ("open", "join", "events", "play"):  # there is nothing else to do
        assert room.do(deed).status_code == 404


# Rounds.


def test_pupils_meet_others_in_each_round_and_the_standing_counts_their_points(classroom):
    room, met = classroom("Ada", "Bo", "Cy", "Di"), []
    for number in range(1, 4):
        room.begin(number)
        met += re.findall(r"Watch (.+?) against (.+?)</span>", room.seen())
        games = room.games()
        for name in ("Bo", "Di", "Cy"):  # who give up, the first of a pair
            room.pupils[name].post(f"{games[name]}/resign")
        assert f"Round {number} is done" in room.seen()
    assert len({*map(frozenset, met)}) == 6  # everybody has met everybody
    standing = room.standing()
    assert standing == {"Ada": (3, 3), "Cy": (2, 3), "Di": (1, 3), "Bo": (0, 3)}
    assert [*standing] == ["Ada", "Cy", "Di", "Bo"]
    ranked = re.findall(r'<span class="name">(\w+)</span> <b class="points">(\d)', room.seen())
    assert ranked == [("Ada", "3"), ("Cy", "2"), ("Di", "1"), ("Bo", "0")]
    room.join("Ed")
    room.begin(4)
    assert "Watch Ed against Bolt" in room.seen()


def test_a_round_begins_once_and_while_games_run_only_after_a_confirmation(classroom):
    room = classroom("Ada")
    assert "A round needs at least two pupils." in room.begin(1).text
    room.pupils["Bo"] = room.join("Bo")
    question = "One game is still being played. A game that ends later counts too."
    assert question not in room.seen()
    for number in ("", 0, 2, -1, "x", "9" * 1001):
        answer = room.begin(number)
        assert (answer.status_code, "The next round is round 1." in answer.text) == (409, True)
    assert room.begin(1).status_code == 303
    assert room.begin(1).status_code == 409  # pressed twice
    assert question in room.seen() and "Yes, begin round 2" in room.seen()
    room.pupils["Ada"].post(f"{room.games()['Ada']}/resign")
    assert question not in room.seen() and "Begin round 2" in room.seen()


def test_the_report_says_who_solved_what_until_the_room_is_deleted(classroom):
    room = classroom("Zoë", "=1+1", 'B,"o', key="double-or-add", **{"set-target": "21"})
    room.begin()
    for name, path in room.games().items():
        room.pupils[name].post(f"{path}/resign")
    room.ask_from_lesson(lessons()[0], 0)  # on 20, where adding one wins
    room.answer("Zoë", 2)
    room.answer("=1+1", 1)
    room.do("make-chains", n=12)
    room.chain('B,"o', "", 6)
    room.do("end")
    path = f"{room.path}/report"
    answer = room.teacher.get(f"{path}.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert f'filename="numduel-{room.code}.csv"' in answer.headers["content-disposition"]
    head, *lines = csv.reader(answer.content.decode("utf-8-sig").splitlines())
    assert head[:4] == ["Name", "Points", "Games", "Won"]
    assert head[4:] == ["Answers right", "Answers given", "Question 1", "Chain 1 to 12"]
    rest = {name: line for name, _, _, _, *line in lines}
    assert rest["Zoë"] == ["1", "1", "right", ""]
    assert rest["'=1+1"] == ["0", "1", "wrong", ""] and rest['B,"o'] == ["0", "0", "", "1"]
    assert sorted(points for _, points, *_ in lines) == ["0", "0", "1"]
    page = room.teacher.get(path).text
    assert page.count('aria-label="right"') == page.count('aria-label="not right"') == 1
    assert "Right: Add One → 21." in re.sub(r"\s+", " ", page)
    room.do("delete")
    assert room.teacher.get(path).status_code == room.teacher.get(f"{path}.csv").status_code == 404


# The projector.


@pytest.fixture
def drawn(monkeypatch):
    """Record the small boards that are drawn, and their number when other tasks ran."""
    drawn, usual = [], page_model.mini

    def draw(*asked, **options):
        loop, turns = asyncio.get_running_loop(), []
        drawn.append(turns)
        loop.call_soon(lambda: turns.append(len(drawn)))
        time.sleep(0.01)  # longer than others are to wait
        return usual(*asked, **options)

    monkeypatch.setattr(page_model, "mini", draw)
    return drawn


def test_the_projector_has_a_small_board_for_each_game_and_learns_of_each_move(classroom, drawn):
    room = classroom("Ada", "Emmy", "Sofja", "Maryam", **{"set-target": "9"})
    room.begin()
    before = room.seen()
    assert before.count('class="duel ') == before.count("is to move") == 2
    assert before.count('class="picture') == 2
    assert drawn == [[1], [2]]  # others have their turn in between
    assert room.seen() == before and len(drawn) == 2
    room.play(room.games()["Ada"], 1)
    after = room.seen()
    version, later = (re.search(r'data-version="(\d+)"', text)[1] for text in (before, after))
    assert int(later) == int(version) + 1
    assert before.count("From 1 to 9.") == 4 and "From 2 to 9." in after
    assert len(drawn) == 3  # only the board that has changed is drawn again


def test_no_boards_are_drawn_that_are_not_shown(classroom, drawn):
    room = classroom("Ada", "Emmy")
    room.begin()
    room.ask("3/1", "double-or-add")
    assert "What would you play?" in room.seen() and not drawn
    room.do("games")
    assert 'class="duel ' in room.seen() and len(drawn) == 1


def test_after_a_round_there_is_one_position_to_discuss_that_names_nobody(classroom, monkeypatch):
    room = classroom("Ada", "Emmy", **{"set-target": "4"})
    room.begin()
    [path] = set(room.games().values())
    assert "A moment from this round" not in room.seen()
    room.play(path, 1, 2, 1)  # 1 → 2 → 3 → 6, past the target: there was something better
    monkeypatch.setattr(page_model, "MOMENT_SECONDS", 0)
    assert "data-thinking" in room.seen()  # the page asks again
    monkeypatch.setattr(page_model, "MOMENT_SECONDS", 180)
    text = room.seen()
    assert "A moment from this round" in text
    assert "data-thinking" not in text
    moment = text.partition("A moment from this round")[2].partition("Round 1 is done")[0]
    assert "Ada" not in moment
    assert room.do("ask", **hidden_fields(moment)).headers["location"] == room.path
    assert "You are on 3. What would you play?" in room.seen()


@pytest.mark.parametrize(
    ("error", "thinking", "found"), [(TooLarge("no"), False, True), (Busy("not now"), True, False)]
)
def test_the_moment_of_a_round_comes_from_another_game_or_later(
    classroom, monkeypatch, error, thinking, found
):
    room = classroom("Ada", "Emmy", "Sofja", "Maryam", **{"set-target": "4"})
    room.begin()
    for path in sorted(set(room.games().values())):
        room.play(path, 1, 2, 1)
    usual, failing = ReviewService.analysis, [error]

    async def analysis(*asked):
        if failing:
            raise failing.pop()
        return await usual(*asked)

    monkeypatch.setattr(ReviewService, "analysis", analysis)
    monkeypatch.setattr(page_model, "MOMENT_SECONDS", 180)
    text = room.seen()
    assert ("data-thinking" in text, "A moment from this round" in text) == (thinking, found)
    assert "A moment from this round" in room.seen()


def test_the_wall_shows_an_address_and_the_page_before_warns_if_it_works_only_here(
    classroom, visit
):
    for host, only_here in (
        *(("localhost:8000", True), ("127.0.0.1:8000", True), ("[::1]:8000", True)),
        *(("192.168.1.5:8000", False), ("[2001:db8::5]", False), ("games.example.org", False)),
    ):
        room = classroom(visit=lambda host=host: visit(base_url=f"http://{host}"))
        text = room.seen()
        link, shown = re.search('Open <a href="([^"]+)">([^<]+)</a>', text).groups()
        assert re.match(f"http://{re.escape(host)}/join.code=[A-Z]+&amp;ticket=", link)
        assert shown == f"{host}/join"
        assert ("Only this computer" in room.teacher.get("/class").text) == only_here, host
        assert "--host" not in text and '<nav aria-label="Main"' not in text
        assert qr(link.replace("&amp;", "&")) in text


# Asking the class.


def bars(text):
    """Return how many pupils answered each move, as the page shows it."""
    body = text.partition('<table class="bars">')[2].partition("</table>")[0]
    rows = re.findall(r"<th scope=\"row\">(.+?)</th>.*?</td>\s*<td>(\d+)(.*?)</td>", body, re.S)
    plain = [tuple(re.sub("<[^>]+>", "", cell).strip() for cell in row) for row in rows]
    return {move: (int(count), said) for move, count, said in plain}


def test_the_projector_shows_how_many_answered_then_the_answers_then_the_reasons(classroom):
    room = classroom(*NAMES, key="multiplicity", **{"set-size": "40", "set-opening": "even"})
    assert room.ask_from_lesson(lessons()[1], 2).headers["location"] == room.path
    one, two, three = NAMES
    assert "You are on 36. Which number would you pick?" in room.seen(one)
    for name, move in ((one, 3), (two, 18), (one, 4)):
        assert room.answer(name, move).headers["location"] == room.path
    text = room.words()
    assert "2 of 3 have answered" in text and bars(room.seen()) == {}
    assert "Your answer: 4" in room.words(one) and "Your answer" not in room.words(three)
    room.do("show")
    assert bars(room.seen()) == {"4": (1, ""), "18": (1, "")}
    assert bars(room.seen(one)) == {"4 (yours)": (1, ""), "18": (1, "")}
    assert "Why" not in room.words()
    room.do("reveal")
    text = room.seen()
    assert bars(text) == {"4": (1, "✗ loses"), "18": (1, "✓ wins")}
    assert re.findall(r'class="votes" data-to="(\d+)" x="([\d.]+)%"', text)[:2] == [
        ("4", "38.4"),  # in the corner of the fourth of ten
        ("18", "78.4"),
    ]
    said = room.words()
    assert "1 of you found it: 18" in said and "Why 18?" in said and "And 4?" in said
    assert "1 of you chose it." in said and text.count('class="dominoes"') == 1
    for play, moves in ((1, "18"), (2, "4")):
        played = room.teacher.get(f"{room.path}?play={play}").text
        assert "data-frames" in played and f">You: {moves}<" in played
    assert "You found it!" in room.words(two) and "You found it!" not in room.words(one)
    for shown in (text, played):
        assert not any(name in shown for name in NAMES)  # beside no answer, right or wrong
    room.do("games")
    assert "found it" not in room.seen() and "found it" not in room.seen(one)
    assert "There is no question just now." in room.do("reveal").text


@pytest.mark.parametrize("key", KEYS)
def test_six_positions_are_offered_of_any_game_and_one_press_asks(classroom, key):
    room = classroom("Ada")
    page = room.teacher.get(f"{room.path}/ask?game={key}").text
    assert 'type="text"' not in page and "<input id" not in page  # nobody types a notation
    listed = page.partition('class="six"')[2].partition("</ul>")[0].split("<li>")
    offers = [hidden_fields(one) for one in listed]
    assert len({str(offer) for offer in offers[1:]}) == 6
    assert all(int(offer.get("set-size", 0)) <= 40 - 10 * ("line" in key) for offer in offers)
    assert room.do("ask", **offers[-1]).status_code == 303
    text = room.seen("Ada")
    room.answer("Ada", legal_moves(text)[0])
    room.do("reveal")
    assert sum(count for count, _ in bars(room.seen()).values()) == 1
    assert re.search("(1 of you|Nobody) found it", room.words()) and "Why " in room.words()


def test_the_questions_of_a_lesson_come_first_in_its_room(classroom):
    lesson = lessons()[0]
    form = {f"set-{setting.name}": setting.text(value) for setting, value in lesson.game.settings}
    for room, first in ((classroom(key=lesson.game.key, **form), True), (classroom(), False)):
        page = room.teacher.get(f"{room.path}/ask").text
        asked = re.findall(r"<b>On (\d+):</b> <small>[^<]+ · from the lesson", page)
        assert asked == (["20", "10", "4"] if first else [])


def test_a_teacher_makes_a_position_by_pressing_numbers_on_a_board(classroom, monkeypatch):
    room = classroom("Ada", key="multiplicity", **{"set-size": "12"})
    at = f"{room.path}/ask"
    form = {"game": "multiplicity", "moves": "6", "move": "12"}
    answer = room.teacher.post(at, data=form)
    assert answer.headers["location"] == f"{at}?game=multiplicity&moves=6,12"
    page = room.teacher.get(answer.headers["location"]).text
    assert "Played so far: <b>6, 12</b>" in page and "2 of 3 moves win." in page
    assert f'href="{at}?game=multiplicity&amp;moves=6"' in page  # to take back
    own = page.partition('class="own panel"')[2].partition('<div class="row">')[2]
    assert room.do("ask", **hidden_fields(own.partition("</form>")[0])).status_code == 303
    assert "You are on 12. Which number would you pick?" in room.seen("Ada")
    over = room.teacher.get(f"{at}?moves=11").text
    assert "Here the game is over: there is nothing to answer." in over
    monkeypatch.setattr(service, "MAX_CHOICES", 2)
    assert "A position for the class has at most 2 moves." in room.teacher.get(at).text
    assert "Press moves in the order of play." in room.teacher.get(f"{at}?moves=6,7").text
    friendly = room.teacher.get(f"{at}?game=double-or-add").text
    assert "1 of 2 moves wins." in friendly and 'id="m2"' in friendly


def test_the_page_says_how_much_there_is_to_find_before_the_class_is_asked():
    for values, words in (
        ({}, "Nobody knows which moves are good here."),
        ({1: "draw", 2: "endless"}, "No move is better than another: there is nothing to find."),
        ({1: "win", 2: "loss"}, "1 of 2 moves wins."),
        ({1: "win", 2: "loss", 3: "win"}, "2 of 3 moves win."),
        ({1: "endless", 2: "loss"}, "1 of 2 moves is safe."),
        ({1: "endless", 2: "loss", 3: "draw"}, "2 of 3 moves are safe."),
    ):
        assert page_model.promise(values) == words


def test_an_invalid_question_is_refused_in_one_line(classroom):
    room = classroom(key="divisor-line")
    for form, status, why in (
        ({"position": ""}, 422, "A position of Divisor Line is written like"),
        ({"position": "9," * 15_000}, 422, "A position of Divisor Line is written like"),
        ({"position": "1-3:4-5/1"}, 422, "is not one that play can reach"),
        ({"position": "1,3,7:4-5!/2"}, 422, "Here the game is over: there is nothing to answer."),
        ({"position": "-:-/1", "set-size": "401"}, 422, "has at most 400 moves."),
        ({"position": "-:-/1", "set-size": "10001"}, 422, "Size must be at most 10,000 here"),
        ({"moves": "1", "move": "1"}, 422, "1"),
        ({"moves": "x", "move": "1"}, 422, "1"),
        ({"game": "chess"}, 404, "There is no game"),
    ):
        form = {"game": "divisor-line", **form}
        answer = room.do("ask", **form)
        assert (answer.status_code, why in answer.text) == (status, True), form
    assert "would you" not in room.seen()


def test_a_question_that_nobody_can_judge_shows_its_answers_alone(classroom, monkeypatch):
    room = classroom("Ada")
    usual = ThinkingPool.ask

    async def ask(self, client, about, *asked):
        if about is tasks.move_verdicts:
            raise TooLarge("no")
        return await usual(self, client, about, *asked)

    monkeypatch.setattr(ThinkingPool, "ask", ask)
    assert room.ask("2:3/1").status_code == 303
    room.answer("Ada", 4)
    room.do("show")
    refused = room.do("reveal")
    assert refused.status_code == 409 and "Nobody knows which moves are good here" in refused.text
