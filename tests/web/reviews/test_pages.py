"""The pages of finished games: the replay, its analysis, and uploads and downloads of records."""

import json
import re
from html import unescape

import pytest
from tests.web.forms import legal_moves

import numduel
from numduel import Record
from numduel.core.record import loads
from numduel.play.analysis import analyze_record
from numduel.play.puzzle import judge_answer

KEYS = [key for key, _, _ in numduel.games()]


def record_of(key="double-or-add", moves=(1, 2, 1), **settings):
    game = numduel.new(key, **settings)
    position = game.start(1)
    for move in moves:
        position = game.play(position, move)
    return Record(
        key,
        dict(game.settings.values),
        ("human", "easy"),
        1,
        tuple(moves),
        game.outcome(position),
        "2026-01-02T03:04:05+00:00",
    )


def finished(visitor, key="double-or-add", **form):
    """Play two moves of a game and resign it; return the path of its page."""
    path = visitor.post(f"/play/{key}", data={"opponent": "here", **form}).headers["location"]
    for _ in range(2):
        visitor.post(f"{path}/move", data={"move": legal_moves(visitor.get(path).text)[0]})
    assert visitor.post(f"{path}/resign").status_code == 303
    return path


def test_a_finished_game_has_a_page_to_share(visit):
    for key in KEYS:
        path = finished(visit(), key)
        text = visit().get(f"{path}/round/1").text
        assert "After move 2 of 2" in text
        assert "Player 2 wins: Player 1 resigned." in text
        assert f'value="http://testserver{path}/round/1"' in text
        assert f'href="{path}/round/1/record.json"' in text
        assert 'aria-label="Who was winning"' in text
        assert re.search(r"<h1>(Player \d|Nobody) was winning .*\.</h1>", text)


def test_the_page_says_where_the_game_turned_and_shows_the_analysis_as_a_bar(visit):
    one = visit()
    path = finished(one, opponent="easy", first="1")
    text = one.get(f"{path}/round/1").text
    assert "You against Dot" in text
    assert "Dot wins: You resigned." in text
    record = loads(one.get(f"{path}/round/1/record.json").text)
    analysis = analyze_record(numduel.new("double-or-add"), record)
    names = ("You", "Dot")
    assert f"<h1>{analysis.story(names, 1)}</h1>" in one.get(f"{path}/round/1").text
    text = visit().get(f"{path}/round/1").text
    assert f"<h1>{analysis.story(('Player 1', names[1]))}</h1>" in text
    bar = re.findall(r'<li class="seat(\d)( mistake)? wide', text)
    assert [int(seat) for seat, _ in bar] == [*analysis.leads]
    assert sum(bool(wrong) for _, wrong in bar) == len(analysis.turning_points)


# The moves of a game in which at least one is a mistake.
MISTAKEN = {"double-or-add": (1, 1, 1, 2), "multiplicity": (5, 10, 2)}


@pytest.mark.parametrize("key", MISTAKEN)
def test_a_mistake_is_tried_again_and_a_right_answer_shows_why(visit, key):
    record = record_of(key, MISTAKEN[key])
    game = numduel.new(key)
    step = analyze_record(game, record).turning_points[0]
    path = visit().post("/analyze", data={"text": record.dumps()}).headers["location"]
    there = f"{path}?move={step.turn - 1}"
    text = unescape(visit().get(there).text)
    assert f"Player 1 played {step.label}." in text or "Dot played" in text
    assert f"{step.better_label} was better. {step.reason}" in text
    position = [*record.positions(game)][step.turn - 1]
    assert legal_moves(text) == [*game.moves(position)]

    for move, words in ((step.move, "Not that one either."), (step.better, "Right!")):
        answer = visit().post(path, data={"at": step.turn - 1, "move": move})
        assert answer.headers["location"] == f"{there}&tried={move}"
        text = unescape(visit().get(answer.headers["location"]).text)
        assert words in text
        assert judge_answer(game, position, move).line in text
    assert 'name="move"' not in text
    text = visit().get(f"{there}&tried=x").text
    assert "is not a move that can be made here." in text


@pytest.mark.parametrize("colours", ["on", "off"])
def test_a_person_who_played_the_computer_is_called_you(visit, colours):
    one = visit(cookies={"colours": colours})
    path = finished(one, "divisor-line", opponent="easy", first="1")
    text = one.get(f"{path}/round/1?move=2").text
    assert ", You</span>" in text and ", Dot</span>" in text
    assert "Player" not in text


def test_the_computer_keeps_its_name_when_a_mistake_is_tried_again(visit):
    record = record_of("divisor-line", (13, 12, 11, 5))
    step = analyze_record(numduel.new("divisor-line"), record).turning_points[-1]
    path = visit().post("/analyze", data={"text": record.dumps()}).headers["location"]
    for tried in ("", f"&tried={step.move}", f"&tried={step.better}"):
        text = visit().get(f"{path}?move={step.turn - 1}{tried}").text
        assert ", Dot</span>" in text and "Player 2" not in text


def test_a_visitor_can_play_on_from_any_position_but_the_last(visit):
    record = record_of(moves=(1, 1), target=4)
    path = visit().post("/analyze", data={"text": record.dumps()}).headers["location"]
    for query, offered in (("?move=1", True), ("", False)):
        assert ("Play on from here" in visit().get(f"{path}{query}").text) == offered


def test_a_mistake_in_a_round_of_a_duel_is_tried_again(visit):
    one = visit()
    path = finished(one)
    answer = one.post(f"{path}/round/1", data={"at": "0", "move": "2"})
    assert answer.headers["location"] == f"{path}/round/1?move=0&tried=2"
    assert one.get(answer.headers["location"]).status_code == 200


def test_a_round_that_is_not_finished_has_no_page(visit):
    visitor = visit()
    path = finished(visitor, rounds="2")
    for number in ("0", "2", "-1", "x", "1x", "9" * 64):
        assert visitor.get(f"{path}/round/{number}").status_code == 404
        assert visitor.get(f"{path}/round/{number}/record.json").status_code == 404
    assert visitor.get("/game/none/round/1").status_code == 404


def test_a_record_is_downloaded_as_the_terminal_reads_it(visit):
    path = finished(visit(), "multiplicity", **{"set-size": "20"})
    answer = visit().get(f"{path}/round/1/record.json")
    assert answer.headers["content-type"] == "application/json"
    disposition = answer.headers["content-disposition"]
    assert disposition == 'attachment; filename="numduel-multiplicity.json"'
    record = loads(answer.text)
    assert (record.settings["size"], record.outcome) == (20, (2, "resigned"))
    assert [*record.positions(numduel.new("multiplicity", size=20))]


@pytest.mark.parametrize("way", ["file", "text"])
def test_a_record_is_uploaded_and_gets_a_page_and_comes_back_the_same(visit, way):
    record = record_of(moves=(1, 2, 1, 2))
    if way == "file":
        sent = {"files": {"record": ("game.json", record.dumps(), "application/json")}}
    else:
        sent = {"data": {"text": record.dumps()}}
    answer = visit().post("/analyze", **sent)
    assert answer.status_code == 303
    path = answer.headers["location"]
    assert re.fullmatch(r"/record/[\w-]{12}", path)
    text = visit().get(path).text
    assert "The game is not finished." in text
    assert "Player 1 against Dot, 2026-01-02" in text
    assert loads(visit().get(f"{path}/record.json").text) == record


def changed(**fields):
    return json.dumps({**json.loads(record_of().dumps()), **fields})


REFUSED = {
    "": "Choose a file, or paste its text.",
    "x": "Line 1: not JSON",
    "[]": "Not a JSON object.",
    "[" * 20_000: "JSON has at most 100 lists and objects here.",
    changed(format="else"): "Field &#39;format&#39; must be &#39;numduel-record/1&#39;",
    changed(moves=[9]): "Field &#39;moves&#39;: move 1: 9 is not in the menu",
    changed(moves=[1] * 2001, settings={"target": 10**900, "start": 1}): "at most 2,000 moves",
    changed(game="chess"): "There is no game &#39;chess&#39;",
    changed(game="multiplicity", settings={"size": 10_001}): "Size must be at most 10,000 here",
    changed(outcome={"winner": 1, "reason": "reached"}): "the moves lead to an unfinished game",
    changed(settings={"target": 10**1001}): "Target must be a whole number",
    changed(players=["program:ls", 7]): "Field &#39;players&#39;",
    changed(players=["\ud800", "human"]): "Half of a surrogate pair",
    changed(settings={"\ud800": 1}): "Half of a surrogate pair",
    changed(more=1): "Field &#39;more&#39; is unknown.",
}


def test_an_invalid_record_is_refused_in_one_line(visit):
    for text, why in REFUSED.items():
        for sent in ({"data": {"text": text}}, {"files": {"record": ("x", text.encode())}}):
            answer = visit().post("/analyze", **sent)
            assert answer.status_code == 422
            [line] = re.findall(r'<p class="notice" role="alert">(.*)</p>', answer.text)
            assert why in line
    assert visit().post("/analyze", files={"record": ("x", b"\xff\xfe{}")}).status_code == 422


def test_the_texts_of_a_record_are_escaped_on_the_page(visit):
    evil = '"><script>alert(1)</script>😀\x00'
    record = record_of()._replace(players=(evil, evil), started=evil)
    path = visit().post("/analyze", data={"text": record.dumps()}).headers["location"]
    text = visit().get(path).text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert loads(visit().get(f"{path}/record.json").text) == record


def test_a_game_that_cannot_be_analysed_is_shown_without_a_bar(visit):
    settings = {"set-target": "9" * 300, "set-operations": "+1,-1,x2"}
    path = finished(visit(), "operation-duel", **settings)
    text = visit().get(f"{path}/round/1").text
    assert "It is not known who was winning: the numbers up to " in text
    assert 'class="bar"' not in text


def test_an_uploaded_record_that_cannot_be_analysed_is_refused(visit):
    record = record_of("operation-duel", target=10**300, operations="+1,-1,x2")
    answer = visit().post("/analyze", data={"text": record.dumps()})
    assert answer.status_code == 422
    assert "The numbers up to " in answer.text


@pytest.mark.parametrize("path", ["/record/none", "/record/none/record.json"])
def test_an_unknown_record_is_not_found(visit, path):
    answer = visit().get(path)
    assert answer.status_code == 404
    assert "There is no such record here, or it was deleted." in answer.text
