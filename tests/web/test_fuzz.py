"""Random bodies and forms, over a thousand in `make soak`: whatever is sent, nothing breaks."""

import gc
import json
import re
from collections import Counter
from random import Random
from urllib.parse import quote_from_bytes, urlencode

import pytest

import numduel
from numduel.play.duel import WISH_WORDS

KEYS = [key for key, _, _ in numduel.games()]
PARTS = 2

WORDS = [
    *("game", "settings", "players", "first", "rounds", "swap", "best_of", "names", "turn_limit"),
    *("seed", "at", "move", "moves", "taken", "opponent", "turn-limit", "coach", "code", "name"),
    *("pupil", "record", "round", "text", "format", "outcome", "started", "set-size", "set-start"),
    *("set-target", "set-goal", "set-operations", "set-divisor", "set-ceiling", "set-opening"),
    *("size", "target", "winner"),
]
VALUES = [
    *KEYS,
    *("human", "easy", "perfect", "here", "link", "random", "program:true", "numduel-record/1"),
    *("1", "2", "yes", "on", "true", "none", "", " ", "-1", "0", "10001", "9" * 1001, "1e9", "½"),
    *("\x00", "\ud800", "é", "<b>", "{{7*7}}", "../..", "%s%n", "'; DROP TABLE duels; --", "\r\n"),
    *("+1,x2", "-1", "x" * 3000, "resigned", "chain", "even"),
]
KINDS = [
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=xx",
    "text/plain",
    "application/octet-stream",
]

RECORD = {"format": "numduel-record/1", "game": "multiplicity", "settings": {"size": 20}}
RECORD |= {"players": ["Ada", "Bo"], "first": 1, "moves": [7, 14], "outcome": None, "started": ""}
MEANT = {
    "duels": {"game": "multiplicity", "settings": {"size": 20}, "players": ["human", "easy"]},
    "solve": {"game": "divisor-duel", "first": 2, "moves": [1, 2]},
    "analyze": RECORD,
    "move": {"move": 1},
    "swap": {"taken": True},
}


class Fuzz:
    """Random requests, the same for the same seed."""

    def __init__(self, seed):
        self.rng = Random(seed)

    def value(self, depth=0):
        rng = self.rng
        kind = rng.randrange(10 if depth < 4 else 7)
        if kind < 3:
            return rng.choice(VALUES)
        if kind < 5:
            return rng.choice([0, 1, 2, 3, 7, 20, -1, 2**31, 10**30, 1.0, 1.5, 1e300])
        if kind < 7:
            return rng.choice([True, False, None])
        if kind < 8:
            return [self.value(depth + 1) for _ in range(rng.randrange(4))]
        return {
            rng.choice([*WORDS, *VALUES]): self.value(depth + 1) for _ in range(rng.randrange(4))
        }

    def meant(self, what):
        """What is meant there, often with something wrong in it."""
        body = dict(MEANT.get(what, {}))
        if self.rng.random() < 0.5:
            body[self.rng.choice([*body, self.rng.choice(WORDS)])] = self.value()
        return body

    def form(self):
        rng = self.rng
        fields = {
            "opponent": rng.choice(["easy", "here", "link", "random"]),
            "move": rng.choice(["1", "2", "7", "20", "9" * 900]),
            "at": rng.choice(["", "0", "1", "x"]),
            "swap": rng.choice(["yes", "no"]),
            "name": rng.choice(["Ada", "Bo", *VALUES]),
            "code": rng.choice(VALUES),
            "text": json.dumps(self.meant("analyze")),
            "rounds": rng.choice(["1", "2", "51"]),
        }
        kept = rng.sample([*fields.items()], rng.randrange(len(fields)))
        return [*kept, *((rng.choice(WORDS), rng.choice(VALUES)) for _ in range(rng.randrange(4)))]

    def body(self, path):
        """A body for that path, and its kind."""
        rng = self.rng
        way = rng.randrange(7)
        if way == 0:
            kind, body = KINDS[0], json.dumps(self.value()).encode()
        elif way in (1, 6):
            kind, body = KINDS[0], json.dumps(self.meant(path.rpartition("/")[2])).encode()
        elif way == 2:
            fields = [(name, value.encode("utf-8", "replace")) for name, value in self.form()]
            kind, body = KINDS[1], urlencode(fields).encode()
        elif way == 3:
            kind, body = KINDS[2], self.multipart()
        elif way == 4:
            kind, body = rng.choice(KINDS), rng.randbytes(rng.randrange(200))
        else:
            kind, body = KINDS[1], quote_from_bytes(rng.randbytes(60), safe="=&%").encode()
        if rng.random() < 0.1:
            kind = rng.choice(KINDS)
        if body and rng.random() < 0.1:  # cut off, or spoilt
            at = rng.randrange(len(body))
            body = body[:at] + rng.choice([b"", rng.randbytes(3) + body[at:]])
        return kind, body

    def multipart(self):
        rng, parts = self.rng, []
        for name, value in self.form():
            file = rng.choice(['; filename="x.json"', '; filename=""', "", "", ""])
            head = f'--xx\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n{value}\r\n'
            parts.append(head.encode("utf-8", "replace"))
        return b"".join(parts) + rng.choice([b"--xx--\r\n", b"--xx", b""])


@pytest.fixture
def places(visit):
    """Where to post to, each with the secret that opens it, if any."""
    visitor, teacher, pupil = visit(), visit(), visit()
    wishes = ["move", "swap", *WISH_WORDS, "nothing"]
    posts = dict.fromkeys(["/analyze", "/join", "/api/duels", "/api/solve", "/api/analyze"], "")
    posts |= {f"/{what}/{key}": "" for what in ("play", "rooms") for key in (*KEYS, "chess")}
    posts |= {f"/{way}/none/{wish}": "" for way in ("game", "api/duels") for wish in wishes}
    for key in KEYS:
        form = {"opponent": "here", "coach": "on", "swap": "on", "rounds": "50"}
        answer = visitor.post(f"/play/{key}", data=form)
        secret = re.search("seat=([^;]+)", answer.headers["set-cookie"])[1]
        name = answer.headers["location"].removeprefix("/game/")
        for way in ("game", "api/duels"):
            posts |= {f"/{way}/{name}/{wish}": secret for wish in wishes}
    answer = teacher.post("/rooms/double-or-add")
    secret = re.search("teacher=([^;]+)", answer.headers["set-cookie"])[1]
    room = answer.headers["location"]
    for deed in ("round", "remove", "admit", "lock", "ask", "answer", "show", "reveal", "nothing"):
        posts |= {f"{room}/{deed}": secret, f"/room/NONE/{deed}": ""}
    for name in ("Ada", "Bo", "Cy"):
        pupil.post("/join", data={"code": room[6:], "name": name})
    return posts


@pytest.mark.filterwarnings("ignore:Unclosed file:ResourceWarning")  # of a form that breaks off
@pytest.mark.soak(keep=1)
@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_is_sent_nothing_breaks(visit, places, many, part):
    fuzz, visitor, statuses = Fuzz(part), visit(), Counter()
    for number in range(many(100, 600)):
        path = fuzz.rng.choice([*places])
        right = fuzz.rng.random() < 0.7
        secret = places[path] if right else fuzz.rng.choice([*places.values()])
        kind, body = fuzz.body(path)
        headers = {
            "Content-Type": kind,
            "Cookie": "; ".join(f"{name}={secret}" for name in ("seat", "teacher", "pupil")),
            "Authorization": f"Bearer {fuzz.rng.choice(secret.split('.'))}",
        }
        answer = visitor.post(path, content=body, headers=headers)
        sent = part, number, path, headers, body
        assert answer.status_code < 500 or answer.status_code == 503, (sent, answer.text)
        if path.startswith("/api/") and answer.status_code >= 400:
            assert answer.json().keys() == {"error"}, sent
        statuses[int(answer.status_code)] += 1
        visitor.cookies.clear()
    gc.collect()
    assert statuses.keys() >= many({404, 422}, {200, 303, 400, 401, 403, 404, 409, 422}), statuses
    assert visit().get("/healthz").json() == {"status": "ok"}
    asked = {"game": "multiplicity", "players": ["easy", "human"]}
    assert visit().post("/api/duels", json=asked).status_code == 201
