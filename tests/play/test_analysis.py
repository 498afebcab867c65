"""The analysis of a finished game."""

import json

import pytest

import numduel
from numduel.core.record import Record
from numduel.play.analysis import Analysis, analyze_record


def analyzed(key, moves, outcome=None, swapped=None, first=1, **settings):
    game = numduel.new(key, **settings)
    record = Record(key, settings, ("a", "b"), first, tuple(moves), outcome, "")
    return analyze_record(game, record, swapped)


def test_the_first_example_of_operation_duel_turns_at_its_last_move():
    # 1, 2, 3, 6, 12, 13, 26: doubling 3 gives nothing away (3 is lost anyway); 12 keeps the win
    # of Player 2; at 13 Player 2 could add one and instead overshoots.
    outcome = numduel.Outcome(1, "overshot")
    analysis = analyzed("operation-duel", [2, 1, 2, 2, 1, 2], outcome)
    assert analysis.leads == (2, 2, 2, 2, 2, 2, 1)
    assert [step.turn for step in analysis.turning_points] == [6]
    turned = analysis.turning_points[0]
    assert (turned.seat, turned.move, turned.better) == (2, 2, 1)
    assert (turned.label, turned.better_label) == ("Multiply by 2 → 26", "Add 1 → 14")
    assert turned.reason.startswith("14 is more than half of 20: ")
    assert analysis.sound_share(1) == 1.0
    assert analysis.sound_share(2) == 2 / 3


@pytest.mark.parametrize(
    ("leads", "you", "story"),
    [
        ((1, 1, 1), 0, "Ann was winning all the way."),
        ((1, 1, 1), 1, "You were winning all the way."),
        ((1, 1, 2, 2), 0, "Ann was winning until move 2."),
        ((1, 1, 2, 2), 1, "You were winning until move 2."),
        ((1, 1, 2, 1, 1), 1, "Ben was winning until move 3."),
        ((0, 0, 2), 2, "You were winning from move 2 on."),
        ((0, 0, 2, 0), 0, "Ben was winning until move 3."),
        ((0, 0), 1, "Nobody was winning all the way."),
    ],
)
def test_where_a_game_turned_for_the_last_time(leads, you, story):
    assert Analysis((), leads).story(("Ann", "Ben"), you) == story


def test_an_endless_game_has_nobody_in_the_lead():
    analysis = analyzed("divisor-duel", [1, 2, 1])
    assert analysis.leads == (0, 0, 0, 0)
    assert analysis.turning_points == []


def test_a_game_of_no_moves_has_no_share():
    analysis = analyzed("divisor-duel", [])
    assert analysis.sound_share(1) is None
    assert analysis.leads == (0,)


def test_the_analysis_is_plain_data():
    analysis = analyzed("multiplicity", [7, 14, 2], size=20)
    data = json.loads(json.dumps(analysis.as_dict()))
    assert [move["move"] for move in data["moves"]] == [7, 14, 2]
    assert data["moves"][0]["verdict"].keys() == {"value", "distance"}
    assert data["leads"] == list(analysis.leads)
    assert data["sound"].keys() == {"1", "2"}
    assert data["moves"][0]["label"] == "7"
    assert data["swap"] is None


def test_a_sound_move_has_nothing_better():
    step = analyzed("operation-duel", [2]).steps[0]
    assert (step.sound, step.better, step.better_label, step.reason) == (True, None, "", "")


def test_the_decision_on_the_swap_is_judged():
    # Of the first moves of a chain, 2 wins and 19 loses.
    chain = {"goal": "chain"}
    for opening, swapped, first, seat, sound in (
        (2, True, 2, 2, True),
        (2, False, 1, 2, False),
        (19, True, 1, 1, False),
        (19, False, 2, 1, True),
    ):
        swap = analyzed("divisor-line", [opening, 8], swapped=swapped, first=first, **chain).swap
        assert (swap.seat, swap.taken, swap.sound) == (seat, swapped, sound)


def test_an_analysis_can_be_stopped_after_any_move():
    asked = []
    whole = analyzed("multiplicity", [7, 14, 2], size=20)
    record = Record("multiplicity", {"size": 20}, ("a", "b"), 1, (7, 14, 2), None, "")
    game = numduel.new("multiplicity", size=20)
    part = analyze_record(game, record, None, lambda judged: asked.append(judged) or judged < 2)
    assert asked == [1, 2]
    assert (part.steps, part.leads) == (whole.steps[:2], whole.leads[:3])


def test_without_being_told_of_the_swap_an_analysis_does_not_judge_it():
    assert analyzed("divisor-line", [2, 8], goal="chain").swap is None
    assert analyzed("divisor-line", [], swapped=True, goal="chain").swap is None


def test_the_swap_is_plain_data_too():
    found = analyzed("divisor-line", [2], swapped=False, goal="chain").as_dict()["swap"]
    assert found == {"seat": 2, "taken": False, "sound": False}
