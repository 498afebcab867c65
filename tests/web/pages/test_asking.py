"""A position posed to a class: asked, answered, shown and revealed."""

import re

import pytest

import numduel
from numduel.play.puzzle import daily, puzzle, today

KEYS = [key for key, _, _ in numduel.games()]
NAMES = ("Xaver", "Yasmin", "Zoltan")  # which no page holds by chance


class Class:
    """A room with pupils."""

    def __init__(self, visit, key="divisor-line", **form):
        self.teacher = visit()
        self.path = self.teacher.post(f"/rooms/{key}", data=form).headers["location"]
        self.pupils = [visit() for _ in NAMES]
        for pupil, name in zip(self.pupils, NAMES, strict=True):
            pupil.post("/join", data={"code": self.path[6:], "name": name})

    def ask(self, position, key="divisor-line", **settings):
        return self.do("ask", game=key, position=position, **settings)

    def do(self, deed, **form):
        return self.teacher.post(f"{self.path}/{deed}", data=form)

    def answer(self, pupil, move):
        number = re.search(r'name="question" value="(\d+)"', pupil.get(self.path).text)
        form = {"question": number[1] if number else "1", "move": move}
        return pupil.post(f"{self.path}/answer", data=form)

    def seen(self, visitor=None):
        return (visitor or self.teacher).get(self.path).text


def bars(text):
    """The answers as they are shown: of each move, how many."""
    body = text.partition('<table class="bars">')[2].partition("</table>")[0]
    rows = re.findall(r"<th scope=\"row\">(.+?)</th>.*?</td>\s*<td>(\d+)(.*?)</td>", body, re.S)
    plain = [tuple(re.sub("<[^>]+>", "", cell).strip() for cell in row) for row in rows]
    return {move: (int(count), said) for move, count, said in plain}


def test_pupils_answer_and_the_projector_shows_first_how_many_then_what(visit):
    room = Class(visit)
    assert room.ask("10,14:1,17/1", **{"set-goal": "chain"}).status_code == 303
    one, two, three = room.pupils
    assert "Player 1 is to move: what would you play?" in room.seen(one)
    for pupil, move in ((one, 2), (two, 20), (one, 5)):
        assert room.answer(pupil, move).headers["location"] == room.path
    text = room.seen()
    assert "<strong>2</strong> of 3 have answered" in text and bars(text) == {}
    assert "You answered <strong>5</strong>. You can change your mind" in room.seen(one)
    assert "You answered" not in room.seen(three)
    room.do("show")
    assert bars(room.seen()) == {"5": (1, ""), "20": (1, "")}
    assert bars(room.seen(one)) == {"5 (yours)": (1, ""), "20": (1, "")}
    room.do("reveal")
    text = room.seen()
    assert bars(text) == {"5": (1, "✗ loses"), "20": (1, "✓ wins")}
    assert re.findall(r'<rect class="votes (\w+)" x="([\d.]+)"', text)[:2] == [
        ("loss", "4.1"),  # above the 5, the fifth of the row
        ("win", "19.1"),
    ]
    assert "1 of 2 found it: 20." in text
    for shown in (text, room.teacher.get(f"{room.path}/manage").text.partition(">Pupils (")[0]):
        assert not any(name in shown for name in NAMES)  # beside no answer, right or wrong
    room.do("put-away")
    assert "found it" not in room.seen() and "found it" not in room.seen(one)


@pytest.mark.parametrize("key", KEYS)
def test_any_game_is_asked_about_at_its_own_settings(visit, key):
    room = Class(visit)
    form = room.teacher.get(f"{room.path}/ask?game={key}").text
    start = re.search(r'name="position" value="([^"]*)"', form)[1]
    assert start == numduel.new(key).notation(numduel.new(key).start())
    assert room.ask(start, key).status_code == 303
    game = numduel.new(key)
    [move, *_] = game.moves(game.start())
    room.answer(room.pupils[0], move)
    room.do("reveal")
    assert sum(count for count, _ in bars(room.seen()).values()) == 1


def test_the_position_of_a_game_can_be_taken(visit):
    room = Class(visit, "multiplicity", **{"set-size": "12"})
    room.do("round", round=1)
    path = room.pupils[0].get(f"{room.path}/play").headers["location"]
    for pupil in room.pupils:
        pupil.get(f"{room.path}/play")
        pupil.post(f"{path}/move", data={"move": "6"})
    listed = room.teacher.get(f"{room.path}/ask").text
    link = f"{room.path}/ask?duel={path.removeprefix('/game/')}"
    assert f'href="{link}"' in listed
    for other in ("nowhere", "%00", "x" * 5000):
        assert 'value="1:1/1"' in room.teacher.get(f"{room.path}/ask?duel={other}").text
    form = room.teacher.get(link).text
    assert re.search(r'name="position" value="6:1,6/[12]"', form) and 'value="12"' in form


def test_the_position_of_a_finished_game_can_be_taken_before_its_last_move(visit):
    room = Class(visit, "double-or-add", **{"set-target": "4"})
    room.do("round", round=1)
    path = room.pupils[0].get(f"{room.path}/play").headers["location"]
    for pupil in (*room.pupils, *room.pupils):
        pupil.get(f"{room.path}/play")
        pupil.post(f"{path}/move", data={"move": "2"})
    link = f"{room.path}/ask?duel={path.removeprefix('/game/')}"
    assert f'href="{link}"' in room.teacher.get(f"{room.path}/ask").text
    position = re.search(r'name="position" value="([^"]*)"', room.teacher.get(link).text)[1]
    assert room.ask(position, "double-or-add", **{"set-target": "4"}).status_code == 303


def test_the_position_of_a_puzzle_can_be_taken(visit):
    room = Class(visit)
    form = room.teacher.get(f"{room.path}/ask").text
    some = re.search(r'\?puzzle=divisor-line/(\d+)"', form)[1]
    assert f'href="{room.path}/ask?puzzle={today()}">Today' in form
    numbered = puzzle("divisor-line", int(some))
    for which, one in ((today(), daily(today())), (f"divisor-line/{some}", numbered)):
        form = room.teacher.get(f"{room.path}/ask?puzzle={which}").text
        assert f'name="game" value="{one.game.key}"' in form
        assert f'name="position" value="{one.game.notation(one.position)}"' in form
    for which in ("soon", "2020-01-01", "chess/1", "divisor-line/x", "%00", "x" * 5000):
        assert room.teacher.get(f"{room.path}/ask?puzzle={which}").status_code == 404


def test_the_same_puzzle_is_offered_until_another_is_wanted_or_something_was_asked(visit):
    room = Class(visit)

    def offered(of=room, query=""):
        form = of.teacher.get(f"{of.path}/ask{query}").text
        return re.search(r'\?puzzle=divisor-line/(\d+)">(Some|Another) puzzle of', form).groups()

    first, label = offered()
    assert offered() == (first, "Some") and label == "Some"
    assert offered(Class(visit)) != (first, "Some")
    another, label = offered(query=f"?puzzle=divisor-line/{first}")
    assert another != first and label == "Another"
    assert offered(query="?puzzle=divisor-line/1000000000") == ("1", "Another")
    room.ask("2:3/1")
    second, _ = offered()
    assert second != first
    room.answer(room.pupils[0], 4)
    assert offered() == (second, "Some")  # an answer changes nothing
    room.do("put-away")
    assert offered() != (first, "Some")


def test_what_was_wrong_stands_beside_its_field_and_what_was_typed_is_kept_whole(visit):
    room, long = Class(visit), "9," * 15_000
    for position, settings, field in (
        (long, {}, "position"),
        ("-:-/1", {"set-size": "x"}, "set-size"),
    ):
        text = room.ask(position, **settings).text
        assert f'value="{position}"' in text
        assert re.findall(r'<strong id="([\w-]+)-wrong" class="wrong">', text) == [field]
    assert 'class="wrong"' not in room.teacher.get(f"{room.path}/ask").text


@pytest.mark.parametrize(
    ("position", "settings", "why"),
    [
        ("", {}, "A question needs a position."),
        ("nonsense", {}, "A position of Divisor Line is written like"),
        ("1-3:4-5/1", {}, "play must be able to reach it"),
        ("9" * 30000, {}, "A position of Divisor Line is written like"),
        ("1,3,7:4-5!/2", {}, "the game is over: there is nothing to answer."),
        ("-:-/1", {"set-size": "401"}, "A position to be posed has at most 400 moves."),
        ("-:-/1", {"set-size": "10001"}, "Size must be at most 10,000 here"),
        ("-:-/1", {"set-size": "x"}, "Size must be"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_form(visit, position, settings, why):
    room = Class(visit)
    answer = room.ask(position, **settings)
    assert answer.status_code == 422
    assert why in answer.text and f'action="{room.path}/ask"' in answer.text
    assert "what would you play" not in room.seen()


def test_an_answer_is_a_legal_move_and_comes_in_time(visit):
    room = Class(visit)
    room.ask("2:3/1")
    pupil = room.pupils[0]
    for move in ("", "x", "2", "0", "-1", "21", "9" * 1001):
        answer = room.answer(pupil, move)
        assert answer.status_code == 422 and 'role="alert"' in answer.text, move
    assert visit().post(f"{room.path}/answer", data={"move": "4"}).status_code == 403
    room.do("show")
    late = room.answer(pupil, 4)
    assert (late.status_code, 'class="notice"' in late.text) == (409, True)
    room.do("put-away")
    assert room.answer(pupil, 4).status_code == 409
    for deed in ("reveal", "show"):
        room.do(deed)
    assert "There is no question." in room.do("reveal").text


def test_only_the_teacher_asks(visit):
    room = Class(visit)
    for visitor in (room.pupils[0], visit()):
        assert visitor.get(f"{room.path}/ask").status_code == 403
        for deed in ("ask", "show", "reveal", "put-away"):
            form = {"game": "divisor-line", "position": "-:-/1"}
            assert visitor.post(f"{room.path}/{deed}", data=form).status_code == 403
    assert "what would you play" not in room.seen()


def test_a_pupil_in_a_game_answers_first_and_then_plays_on(visit):
    room = Class(visit, "double-or-add")
    room.do("round", round=1)
    pupil = room.pupils[0]
    game = pupil.get(f"{room.path}/play").headers["location"]
    room.ask("2:3/1")
    assert "what would you play" in room.seen(pupil)
    room.answer(pupil, 4)
    assert pupil.get(room.path).headers["location"] == f"{room.path}/play"
    pupil.post(f"{game}/resign")
    room.ask("-:-/1")
    assert pupil.get(game).headers["location"] == room.path  # from a game that is over
