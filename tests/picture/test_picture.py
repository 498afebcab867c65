"""Pictures: any Scene as SVG, for a page and on its own."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

import numduel
from numduel.core.scene import Cell, Dial, Fact, Link, Scene, Step, Track
from numduel.core.theory import Explanation
from numduel.core.verdict import Verdict
from numduel.core.words import replay_moves
from numduel.picture import mini, picture, standalone
from numduel.picture.cells import answers_over, columns_of, links_over

MOVES = {
    "divisor-duel": (1, 2, 1),
    "operation-duel": (1, 2, 1),
    "divisor-line": (4, 5, 9, 10, 12),
    "double-or-add": (1, 2, 1),
    "multiplicity": (36, 4, 12),
}


def scene(key, moves=None, **settings):
    game = numduel.new(key, **settings)
    return game.words.scene(*replay_moves(game, 1, MOVES[key] if moves is None else moves))


def parse(text):
    """Return a picture as a tree, without the SVG namespace."""
    return ElementTree.fromstring(re.sub(' xmlns="[^"]+"', "", str(text)))


def with_classes(tree, *classes):
    """Return the elements that have all of these classes."""
    return [one for one in tree.iter() if {*classes} <= {*one.get("class", "").split()}]


def texts(tree):
    return ["".join(one.itertext()) for one in tree.iter("text")]


@pytest.mark.parametrize("shape", ["wide", "narrow", "low"])
@pytest.mark.parametrize("key", MOVES)
def test_every_game_has_a_picture_that_says_what_it_shows(key, shape):
    tree = parse(picture(scene(key), shape=shape))
    assert tree.get("role") == "img"
    assert tree.find("title").text.endswith(".")
    assert "Player 1" in tree.find("desc").text
    assert not [
        one for one in tree.iter() if "style" in one.attrib or one.tag in ("script", "style")
    ]


@pytest.mark.parametrize("settings", [{"target": 6}, {"target": 31}, {"target": 10**9}])
def test_a_small_picture_of_a_race_has_its_number_its_goal_and_an_arc_for_each_choice(settings):
    tree = parse(mini(scene("double-or-add", (1, 2), **settings)))
    goal = str(settings["target"]) if settings["target"] < 10**6 else "…"
    assert texts(tree)[-2:] == [goal, "3"] and len(with_classes(tree, "arc", "ghost")) == 2
    circles = [float(one.get("cx")) for one in tree.iter("circle")]
    assert circles[0] - circles[1] >= 2 * 24  # they do not cover each other
    assert len(with_classes(tree, "tick")) == {6: 6, 31: 7, 10**9: 2}[settings["target"]]


@pytest.mark.parametrize("shape", ["wide", "narrow", "low"])
@pytest.mark.parametrize(("start", "target"), [(2, 30), (22, 57)])
def test_the_signs_of_a_race_do_not_cover_each_other(shape, start, target):
    operations = {"operations": "+1,+3,+4,+5,x2"}
    tree = parse(
        picture(scene("operation-duel", (), start=start, target=target, **operations), shape=shape)
    )
    places = [(float(one.get("x")), float(one.get("y"))) for one in with_classes(tree, "strong")]
    assert len(places) >= 4
    for (x1, y1), (x2, y2) in combinations(places, 2):
        assert abs(x1 - x2) >= 28 or abs(y1 - y2) >= 24


def test_only_one_of_the_deciding_links_is_labelled():
    decided = scene("divisor-line", (9, 1, 3, 2, 18), size=24, goal="chain")
    layers = str(links_over(decided, 12, "wide"))
    assert re.findall(r"<text[^>]*>([^<]+)<", layers) == ["9 divides 18"]


def test_a_small_board_has_short_rows_and_no_words():
    tree = parse(mini(scene("divisor-line", size=24)))
    assert tree.get("viewBox") == "0 0 480 180" and not with_classes(tree, "pill")
    assert with_classes(parse(picture(scene("divisor-line", size=24))), "pill")


@pytest.mark.parametrize(
    ("moves", "settings"),
    [
        ((1,), {"target": 10**400, "operations": "+1,x2"}),
        ((), {"target": 10**3, "operations": f"+1,x{10**400}"}),
        ((2,), {"target": 10**3, "operations": f"+1,x{10**400}"}),
        ((1,), {"start": 10**320, "target": 10**320 + 40, "operations": "+1,+2"}),
        ((), {"start": 10**320, "target": 10**320 + 40, "operations": "+1,x2"}),
        ((2,), {"start": 10**320, "target": 10**320 + 40, "operations": "+1,x2"}),
    ],
    ids=["goal", "choice", "overshot", "both", "far choice", "far past"],
)
def test_a_small_picture_can_have_numbers_of_any_length(moves, settings):
    drawn = scene("operation-duel", moves, **settings)
    assert "nan" not in mini(drawn) and "inf" not in mini(drawn)
    for shape in ("wide", "narrow", "low"):
        parse(picture(drawn, shape=shape))


def test_a_race_has_an_arc_for_each_step_and_a_ghost_for_each_choice():
    tree = parse(picture(scene("double-or-add"), {1: "win", 2: "loss"}, ("You", "The computer")))
    assert tree.find("desc").text == "Steps: You ×2 to 2, The computer +1 to 3, You ×2 to 6."
    assert len(with_classes(tree, "arc", "seat1")) == 2
    assert len(with_classes(tree, "arc", "seat2", "ghost")) == 2
    [last] = with_classes(tree, "arc", "last")
    assert "seat1" in last.get("class")
    [now] = with_classes(tree, "stone", "now")
    assert texts(now) == ["6"]
    assert [texts(one) for one in with_classes(tree, "stone", "end")] == [["7"], ["12"]]
    assert [one.get("data-to") for one in with_classes(tree, "stone", "win")] == ["1"]
    assert len(with_classes(tree, "sign", "win")) == len(with_classes(tree, "sign", "loss")) == 1
    assert texts(tree).count("31") == 1


@pytest.mark.parametrize("target", [100, 10**6, 10**300, 10**1000 - 1])
def test_a_long_race_has_a_window(target):
    tree = parse(picture(scene("double-or-add", (1, 1, 2, 1, 1), target=target)))
    [now] = with_classes(tree, "stone", "now")
    assert texts(now) == ["20"]
    assert len(with_classes(tree, "stone")) == 7
    assert with_classes(tree, "beam")


def test_a_step_past_the_end_and_one_back_are_drawn():
    tree = parse(picture(scene("double-or-add", (1, 1, 1, 1, 1))))
    assert with_classes(tree, "arc", "last")
    assert not with_classes(tree, "now")
    back = scene("operation-duel", (1,), operations="-3,+1", start=5)
    assert parse(picture(back)).find("desc").text == "Steps: Player 1 −3 to 2."


@pytest.mark.parametrize("divisor", [1, 2, 13, 60, 10**1000 - 1])
def test_a_dial_of_any_size_shows_the_hand_the_goal_and_the_choices(divisor):
    tree = parse(picture(scene("divisor-duel", (1,), divisor=divisor, start=30)))
    assert "remainder" in texts(tree)
    assert with_classes(tree, "spot", "goal")
    assert with_classes(tree, "spot", "now")
    assert len(with_classes(tree, "hand", "ghost")) == (0 if divisor == 1 else 2)
    assert len(with_classes(tree, "spot")) <= 24


def test_a_dial_shows_verdicts_and_the_way_of_the_last_step():
    tree = parse(picture(scene("divisor-duel"), {1: "endless", 2: "loss"}))
    assert len(with_classes(tree, "sign")) == 2
    assert len(with_classes(tree, "swept", "seat1")) == 1


def test_a_line_shows_owners_and_the_link_that_decided():
    tree = parse(picture(scene("divisor-line")))
    assert [texts(one) for one in with_classes(tree, "owned", "seat2")] == [["5"], ["10"]]
    assert [texts(one) for one in with_classes(tree, "square", "won")] == [["4"], ["12"]]
    assert len(with_classes(tree, "link", "won")) == 1
    assert "4 divides 12" in texts(tree)
    assert "4 divides 12." in tree.find("desc").text


def test_used_numbers_are_listed_even_if_no_player_used_them():
    cells = (Cell(1, chosen=True), Cell(2), Cell(3, chosen=True, by=1), Cell(4, current=True))
    tree = parse(picture(Scene("", cells=cells), names=("Ann", "Bob")))
    assert tree.find("desc").text == "Used: 1, 4. Ann: 3."
    assert parse(picture(Scene("", cells=(Cell(2),)))).find("desc").text == "No number is taken."


def test_a_walk_shows_its_path_and_the_factor_of_its_last_step():
    tree = parse(picture(scene("multiplicity"), {24: "win"}))
    assert len(with_classes(tree, "link", "step")) == 3
    assert len(with_classes(tree, "link", "last")) == 1
    assert "× 3" in texts(tree)
    assert "× 36" not in texts(tree)
    assert with_classes(tree, "sign", "win")
    assert [texts(one) for one in with_classes(tree, "used", "seat2")] == [["4"]]


def test_the_pairs_of_a_scene_are_drawn():
    drawn = scene("multiplicity")._replace(links=(Link(2, 26, "pair"), Link(7, 7 + 1, "pair")))
    assert len(with_classes(parse(picture(drawn)), "link", "pair")) == 2


def test_an_overlay_of_a_board_has_only_links():
    line = scene("divisor-line", (4, 5, 9, 10))
    assert (columns_of(line), columns_of(line, narrow=True)) == (10, 5)
    over = parse(f"<div>{links_over(line, 10, 'wide')}</div>")
    assert len(with_classes(over, "link", "divides")) == 1
    aimed = [one for one in with_classes(over, "link", "threat") if one.get("data-aim") == "12"]
    assert len(aimed) == 1
    [pair] = with_classes(over, "link", "divides")  # within a row, through the gap below it
    assert pair.get("d").startswith("M4.5 1C") and pair.get("d").endswith("9.5 1")
    [other] = aimed  # from row to row
    assert other.get("d").startswith("M3.5 1C") and other.get("d").endswith("1.5 1.75")
    grid = parse(f"<div>{links_over(scene('multiplicity'), 10, 'wide')}</div>")
    assert len(with_classes(grid, "link")) == 3
    assert texts(grid) == ["× 3"]
    assert columns_of(scene("multiplicity", (), size=400)) == 20


def test_a_scene_with_nothing_to_draw_is_shown_by_its_number_or_a_fact():
    assert "7" in texts(parse(picture(Scene("A turn", number=Fact("Left", "7")))))
    assert "8" in texts(parse(picture(Scene("A turn", facts=(Fact("Left", "8"),)))))
    assert "A turn" in texts(parse(picture(Scene("A turn"))))


@pytest.mark.parametrize("shape", ["wide", "narrow", "low"])
@pytest.mark.parametrize("digits", [9, 310, 6_000])
def test_numbers_of_any_length_are_drawn(digits, shape):
    start, goal = 10**digits, 2 * 10**digits
    steps = (Step(start, start + 1, 1, "+1"), Step(start + 1, start + 2, 2, "+1"))
    choices = (Step(start + 2, start + 3, 1, "+1", 1), Step(start + 2, goal, 1, "x2", 2))
    for high in (goal, start + 20):
        track = Track(start, high, start + 2, high, steps, choices, good=(start + 3,))
        assert (
            parse(picture(Scene("", track=track), shape=shape)).get("class").startswith("picture")
        )


def test_words_from_a_game_are_escaped():
    cells = (Cell(1), Cell(2))
    link = Link(1, 2, "divides", 1, "<b>&", decides=True)
    for text in (
        picture(Scene("<i>", cells=cells, links=(link,), line=True), names=("<", ">")),
        picture(Scene("<i>", track=Track(0, 5, 1, 5, (Step(0, 1, 1, "<+"),)))),
        picture(Scene("<i>", dial=Dial(5, 1, (Step(0, 1, 1, "<+"),)))),
        links_over(Scene("", cells=cells, links=(link,), line=True), 1, "wide"),
    ):
        assert "<i>" not in text
        assert "<b>" not in text
        assert "<+" not in text


@pytest.mark.parametrize("key", MOVES)
def test_a_standalone_picture_has_its_own_colours(key):
    text = standalone(scene(key))
    assert 'xmlns="http://www.w3.org/2000/svg"' in text
    assert "var(" not in text
    assert "#0b6478" in text
    assert parse(text).find("style").text


def test_the_reason_for_a_move_is_drawn():
    game = numduel.new("double-or-add", start=14)
    scene = game.words.scene(game.start())
    found = game.theory.explanation(game.start(), 2)
    assert str(picture(scene)).count('class="rung"') == 0
    ladder = str(picture(game.words.explained(scene, 2, found)))
    assert ladder.count('class="rung"') == 8  # from 15 by twos to 31
    assert "Good to land on: 15, 17, 19," in ladder
    game = numduel.new("divisor-duel", start=6)
    scene = game.words.scene(game.start())
    dial = game.words.explained(scene, 1, game.theory.explanation(game.start(), 1))
    assert str(picture(dial)).count('class="sign loss"') == 1 + str(picture(scene)).count(
        "sign loss"
    )
    game = numduel.new("multiplicity", size=14, start=7)
    scene = game.words.scene(game.start())
    pairs = Explanation("pairs", Verdict("win", 3), pairs=((3, 6),))
    assert str(picture(game.words.explained(scene, 14, pairs))).count("linked") == 2


def test_the_number_of_answers_is_in_the_corner_of_a_cell():
    for key, layers in (("multiplicity", ["wide", "narrow"]), ("divisor-line", ["wide", "narrow"])):
        drawn = parse(f"<svg>{answers_over(scene(key, ()), {2: 9, 12: 3})}</svg>")
        tags = [one for one in drawn if "tags" in one.get("class")]
        assert [one.get("class").split()[-1] for one in tags] == layers
        for layer in tags:
            assert texts(layer) == ["9", "3"]
            assert [one.get("data-to") for one in with_classes(layer, "votes")] == ["2", "12"]
