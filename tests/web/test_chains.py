"""The page on which a chain is built, in a browser without scripts."""

import re
from html import unescape

import pytest

from numduel.play.chain import longest_chain


def moves(text):
    return [int(move) for move in re.findall(r'name="move" value="(\d+)"', text)]


def press(visitor, **form):
    """Press a button, and return the page to which it leads."""
    answer = visitor.post("/chain", data=form)
    assert answer.status_code == 303
    return visitor.get(answer.headers["location"]).text


def test_a_chain_is_built_by_buttons_and_the_best_length_is_remembered(visit):
    visitor = visit()
    text = visitor.get("/chain?n=12").text
    assert moves(text) == [*range(1, 13)]
    text = press(visitor, n=12, chain="", move=6)
    assert moves(text) == [1, 2, 3, 12]
    text = press(visitor, n=12, chain="6", move=3)
    assert "2 numbers. The longest possible chain has 11." in text
    text = press(visitor, n=12, chain="6,3", do="back")
    assert "Your longest so far, with the numbers from 1 to 12: <strong>2</strong>" in text
    assert moves(text) == [1, 2, 3, 12]
    assert moves(press(visitor, n=12, chain="6,3", do="turn")) == [1, 2, 12]
    assert moves(press(visitor, n=12, chain="6,3", do="new")) == [*range(1, 13)]
    assert "from 1 to 13: <strong>0</strong>" in visitor.get("/chain?n=13").text
    assert "from 1 to 12: <strong>0</strong>" in visit().get("/chain?n=12").text


def test_a_longest_chain_is_shown_on_request_and_recognised(visit):
    numbers = ",".join(map(str, longest_chain(20)))
    assert numbers.replace(",", " – ") not in visit().get("/chain?n=20").text
    assert numbers.replace(",", " – ") in visit().get("/chain?n=20&show=longest").text
    assert "17 numbers. No chain is longer!" in visit().get(f"/chain?n=20&chain={numbers}").text
    assert "show=longest" not in visit().get("/chain?n=400").text


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("n=1", "The board has from 2 to 400 numbers, not 1."),
        ("n=401", "The board has from 2 to 400 numbers, not 401."),
        ("n=x", "The board's size is a whole number, not 'x'."),
        ("n=12&chain=5,7", "7 is neither a factor nor a multiple of 5."),
        ("n=12&chain=5,5", "5 is in the chain already."),
        ("n=12&chain=<b>", "A chain is numbers like 3,6,2, not '<b>'."),
    ],
)
def test_an_invalid_chain_is_refused_in_one_line(visit, query, line):
    answer = visit().get(f"/chain?{query}")
    assert answer.status_code == 422
    assert line in unescape(answer.text)
    assert "<b>" not in answer.text


def test_an_illegal_number_leaves_the_chain_unchanged(visit):
    answer = visit().post("/chain", data={"n": 12, "chain": "6,3", "move": 4})
    assert answer.status_code == 422
    assert "4 is neither a factor nor a multiple of 3." in answer.text
    assert moves(answer.text) == [1, 9, 12]
    assert visit().post("/chain", data={"n": 12, "chain": "6,3", "do": "x"}).status_code == 303
    assert visit().post("/chain", data={"n": "x"}).status_code == 422


def test_damaged_parts_of_the_cookie_are_ignored(visit):
    visitor = visit()
    visitor.cookies.set("chains", "x-12.99-9.y-12.3.4-20.5")
    assert "from 1 to 20: <strong>5</strong>" in visitor.get("/chain?n=20").text
