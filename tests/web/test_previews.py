"""The titles, descriptions and pictures of pages, and the way back from the rules."""

import re
import struct
from html import unescape

PAGES = (
    *("/", "/analyze", "/chain", "/class", "/class/multiplicity", "/join", "/new/multiplicity"),
    *("/nothing-here", "/puzzle", "/puzzles", "/rules/multiplicity"),
)


def image_of(answer):
    """Check the title and the description of a page; return the picture of its preview, if any."""
    text = answer.text
    title = re.search("<title>([^<]+)</title>", text)[1]
    [described] = re.findall('<meta name="description" content="([^"]+)">', text)
    assert f'<meta property="og:title" content="{title}">' in text
    assert f'<meta property="og:description" content="{described}">' in text
    assert len(unescape(described)) > 20
    return re.findall('<meta property="og:image" content="([^"]+)">', text)


def test_every_page_has_a_title_and_a_description(visit):
    for path in PAGES:
        image_of(visit().get(path))


def test_pages_that_people_share_have_a_picture(visit):
    one = visit()
    game = one.post("/play/double-or-add", data={"opponent": "here"}).headers["location"]
    one.post(f"{game}/move", data={"move": 1})
    for path in (game, "/challenge/divisor-line?position=4:7/1"):
        [image] = image_of(visit().get(path))
        assert "/picture.png?" in image
    one.post(f"{game}/resign")
    for path in (game, f"{game}/round/1", f"{game}/round/1?move=0"):
        [image] = image_of(visit().get(path))
        answer = visit().get(unescape(image))
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
        assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
        assert image.endswith("?move=0") == path.endswith("?move=0")


def test_a_room_and_a_sheet_have_titles_of_their_own(visit):
    teacher, pupil = visit(), visit()
    room = teacher.post("/rooms/multiplicity").headers["location"]
    pupil.post("/join", data={"code": room[6:], "name": "Ada"})
    for visitor in (teacher, pupil, visit()):
        assert image_of(visitor.get(room)) == []
    for path in (f"{room}/manage", f"{room}/ask", "/puzzles/sheet/1"):
        assert image_of(teacher.get(path)) == []


def test_the_rules_lead_back_only_to_our_own_pages(visit):
    for back in ("/game/abc", "/puzzle/2026-11-15", "/room/ABCDE"):
        text = visit().get("/rules/multiplicity", params={"back": back}).text
        assert f'href="{back}">Back' in text
    for back in ("", "//elsewhere.example", "https://elsewhere.example/game/abc", "/game/../evil"):
        assert ">Back" not in visit().get("/rules/multiplicity", params={"back": back}).text
