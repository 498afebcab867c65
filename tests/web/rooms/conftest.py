"""A class as its pages show it: a teacher and pupils, each with a browser of their own."""

import re
from html import unescape

import pytest

from numduel.web.game_settings import form_fields


class Class:
    """A teacher, a room and its pupils."""

    def __init__(self, visit, *names, key="double-or-add", **form):
        self.visit = visit
        self.teacher = visit()
        self.path = self.teacher.post(f"/rooms/{key}", data=form).headers["location"]
        self.code = self.path.removeprefix("/room/")
        self.pupils = {name: self.join(name) for name in names}

    def join(self, name):
        pupil = self.visit()
        answer = pupil.post("/join", data={"code": self.code, "name": name})
        assert answer.headers["location"] == self.path
        return pupil

    def do(self, deed, **form):
        """Press a button of the teacher."""
        return self.teacher.post(f"{self.path}/{deed}", data=form)

    def begin(self, number=1):
        return self.do("round", round=number)

    def ask(self, position, key="divisor-line", **settings):
        return self.do("ask", game=key, position=position, **settings)

    def ask_from_lesson(self, lesson, place):
        """Ask a question of a lesson."""
        game, position = lesson.game, lesson.questions[place].position
        return self.ask(game.notation(position), game.key, **form_fields(game))

    def games(self):
        """Lead each pupil to their game of this round; return the paths of the games."""
        paths = {}
        for name, pupil in self.pupils.items():
            answer = pupil.get(f"{self.path}/play")
            assert answer.status_code == 303
            paths[name] = answer.headers["location"]
        return paths

    def play(self, path, *moves):
        """Make moves in a game, each as the pupil whose turn it is."""
        for move in moves:
            for pupil in self.pupils.values():
                if 'name="move"' in pupil.get(path).text:
                    pupil.post(f"{path}/move", data={"move": move})
                    break

    def answer(self, name, move):
        """Let a pupil answer the question that they see."""
        pupil = self.pupils[name]
        number = re.search(r'name="question" value="(\d+)"', pupil.get(self.path).text)
        form = {"question": number[1] if number else "1", "move": move}
        return pupil.post(f"{self.path}/answer", data=form)

    def chain(self, name, chain, move, size=12):
        """Let a pupil add a number to a chain."""
        form = {"n": size, "chain": chain, "move": move}
        return self.pupils[name].post(f"{self.path}/chain", data=form)

    def seen(self, who=None):
        """Return the page of the room for the teacher, or for a pupil or visitor."""
        visitor = self.pupils[who] if isinstance(who, str) else who or self.teacher
        return visitor.get(self.path, follow_redirects=True).text

    def words(self, who=None):
        """Return the words of that page."""
        return re.sub(r"\s+", " ", re.sub("<[^>]+>", "", unescape(self.seen(who))))

    def managed(self):
        return self.teacher.get(f"{self.path}/manage").text

    def standing(self):
        line = r"<span>(.+) <small>(.+) points? from (.+) games?</small></span>"
        rows = re.findall(line, self.managed())
        return {name: (float(points), int(games)) for name, points, games in rows}


@pytest.fixture
def classroom(visit):
    """Open a room: classroom("Ada", "Bo", key="multiplicity", rounds=2)."""
    return lambda *names, visit=visit, **options: Class(visit, *names, **options)
