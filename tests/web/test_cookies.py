"""Progress: set in cookies, parsed with care, copied to another browser, and exported."""

from datetime import date, timedelta

import pytest

from numduel.play.puzzle import FIRST_DAY, today
from numduel.web.cookies import Mastered, Progress, parse_progress

SOME = Progress(
    {
        "double-or-add": Mastered((3, 0, 1), frozenset({"random", "perfect"})),
        "multiplicity": Mastered((2,)),
    },
    frozenset({today(), today() - timedelta(9)}),
)


def test_progress_survives_its_cookies():
    assert parse_progress(SOME.texts) == SOME
    assert parse_progress(Progress().texts) == parse_progress({}) == Progress()
    assert SOME.stars == 6
    assert [*parse_progress(SOME.texts).games] == [*SOME.games]  # in the order of play


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "2.multiplicity_3_",
        "1..",
        "1.multiplicity",
        "1.x_4_",
        "1.x_3_9",
        f"1.x_{'3' * 99}_",
    ],
)
def test_malformed_stars_are_left_out(text):
    assert parse_progress({"stars": text}).games == {}


@pytest.mark.parametrize(
    "text", ["1", "x.1", f"{today().toordinal() + 1}.1", "739570.", f"739570.{'f' * 200}", "-5.1"]
)
def test_malformed_days_are_left_out(text):
    assert parse_progress({"solved": text}).days == frozenset()


def test_days_before_the_first_puzzle_or_over_a_year_ago_are_left_out():
    assert parse_progress({"solved": f"{FIRST_DAY.toordinal()}.3"}).days == {FIRST_DAY}
    long = Progress({}, frozenset(today() - timedelta(back) for back in range(500)))
    assert len(parse_progress(long.texts).days) <= 400


def test_the_cookie_is_bounded_and_keeps_the_latest_games():
    many = Progress({f"game-{n}": Mastered((3,) * 10) for n in range(60)})
    assert len(many.texts["stars"]) < 500
    assert (
        "game-59" in parse_progress(many.texts).games
        and "game-0" not in parse_progress(many.texts).games
    )


def test_merging_takes_the_better_of_both():
    more = SOME.merged(Progress({"double-or-add": Mastered((1, 2), frozenset({"easy"}))}))
    assert more.of("double-or-add") == Mastered((3, 2, 1), frozenset({"random", "perfect", "easy"}))
    assert more.days == SOME.days
    assert [*more.games][-1] == "double-or-add"


def test_a_link_copies_progress_after_a_question(visit):
    one, two = visit(), visit()
    for name, text in SOME.texts.items():
        one.cookies.set(name, text)
    link = one.get("/progress").text.partition('id="share" value="http://testserver')[2]
    link = link.partition('"')[0].replace("&amp;", "&")
    shown = two.get(link)
    assert "Take these along?" in shown.text and "set-cookie" not in shown.headers
    assert two.post("/progress", data=SOME.texts).headers["location"] == "/"
    assert parse_progress(two.cookies) == SOME
    assert two.get("/progress.json").json() == {
        "format": "numduel-progress/1",
        "games": {
            "double-or-add": {"stars": [3, 0, 1], "beaten": ["perfect", "random"]},
            "multiplicity": {"stars": [2], "beaten": []},
        },
        "days": [str(day) for day in sorted(SOME.days)],
    }
    two.post("/progress", data={"forget": "yes"})
    assert parse_progress(two.cookies) == Progress()


def test_a_cookie_of_an_earlier_version_is_still_parsed(visit):
    one = visit()
    one.cookies.set("solved", "739930.5")
    days = {date.fromordinal(739930), date.fromordinal(739928)}
    assert parse_progress(one.cookies).days == days
    assert "Solved days: 2." in one.get("/progress").text
