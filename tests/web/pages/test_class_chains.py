"""The longest chain as a class: pupils make chains, and the longest is the class's best."""

import re
from html import unescape

import pytest

NAMES = ("Xaver", "Yasmin")


class Class:
    """A room with pupils, who make chains on a board of 12."""

    def __init__(self, visit, size=12):
        self.teacher = visit()
        self.path = self.teacher.post("/rooms/divisor-line").headers["location"]
        self.pupils = [visit() for _ in NAMES]
        for pupil, name in zip(self.pupils, NAMES, strict=True):
            pupil.post("/join", data={"code": self.path[6:], "name": name})
        self.begun = self.do("make-chains", n=size)

    def do(self, deed, **form):
        return self.teacher.post(f"{self.path}/{deed}", data=form)

    def add(self, pupil, chain, move, size=12):
        form = {"n": size, "chain": chain, "move": move}
        return pupil.post(f"{self.path}/chain", data=form)

    def seen(self, visitor=None):
        """The room as somebody sees it, wherever they are carried."""
        answer = (visitor or self.teacher).get(self.path, follow_redirects=True)
        return re.sub(r"\s+", " ", re.sub("<[^>]+>", "", unescape(answer.text)))


def test_the_longest_chain_of_the_class_is_shown_with_who_made_it_first(visit):
    room = Class(visit)
    one, two = room.pupils
    assert "Who makes the longest chain?" in room.seen()
    assert "Nobody has made a chain yet." in room.seen(one)  # who is carried to the board
    for chain, move in (("", 6), ("6", 3), ("6,3", 9)):
        answer = room.add(one, chain, move)
    assert answer.headers["location"] == f"{room.path}/chain?n=12&chain=6,3,9"
    for chain, move in (("", 8), ("8", 4), ("8,4", 2)):  # no longer, and later
        room.add(two, chain, move)
    assert "The class’s best: 3 of 11, made by Xaver" in room.seen()
    assert "2 of 2 have made a chain" in room.seen()
    assert "The class’s best: 3, made by Xaver." in room.seen(two)
    room.add(two, "8,4,2", 10)
    for visitor in (None, one, two):
        assert "The class’s best: 4" in room.seen(visitor)
    one.post(f"{room.path}/chain", data={"n": 12, "chain": "6,3,9", "do": "back"})
    assert "Your best with 12 numbers: 3" in room.seen(one)  # the longest, not the last
    room.do("remove", pupil="Yasmin")
    assert "The class’s best: 3 of 11, made by Xaver" in room.seen()


def test_games_and_questions_come_before_chains_and_these_end(visit):
    room = Class(visit)
    one, _ = room.pupils
    room.add(one, "", 6)
    room.do("ask", game="divisor-line", position="10,14:1,17/1")
    assert "what would you play?" in room.seen(one)
    room.do("put-away")
    assert "Your chain" in room.seen(one)
    room.do("round", round=1)
    assert "/game/" in str(one.get(room.path, follow_redirects=True).url)
    assert one.get(f"{room.path}/chain").headers["location"] == room.path
    room.do("end-chains")
    assert "chain" not in room.seen()
    assert room.add(one, "6", 3).status_code == 409
    room.do("make-chains", n=20)
    assert "0 of 2 have made a chain" in room.seen()  # the earlier are gone


@pytest.mark.parametrize(
    ("form", "status", "line"),
    [
        ({"chain": "6", "move": "5"}, 422, "5 is neither a factor nor a multiple of 6."),
        (
            {"n": "13", "chain": "6", "move": "3"},
            409,
            "The class makes chains on that board no more.",
        ),
        ({"n": "x"}, 422, "The board's size is a whole number, not 'x'."),
    ],
)
def test_what_is_no_chain_of_the_class_is_one_line(visit, form, status, line):
    room = Class(visit)
    answer = room.pupils[0].post(f"{room.path}/chain", data={"n": "12", **form})
    assert answer.status_code == status
    assert line in unescape(answer.text)


def test_only_pupils_make_chains_and_only_the_teacher_begins_them(visit):
    room = Class(visit)
    assert room.add(visit(), "", 6).status_code == 403
    assert visit().get(f"{room.path}/chain").headers["location"] == room.path
    assert room.pupils[0].post(f"{room.path}/make-chains", data={"n": 9}).status_code == 403
    assert Class(visit, size=1).begun.status_code == 422
    query = f"{room.path}/chain?chain=6,5"
    assert room.pupils[0].get(query).status_code == 422
