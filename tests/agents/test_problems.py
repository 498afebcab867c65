"""Problems have right and wrong moves, and answers are marked by the exact verdicts."""

import json

import pytest

from numduel import SettingsError, TooLarge, evaluate
from numduel.agents import problems as module
from numduel.agents.problems import (
    BENCH,
    BENCH_FILE,
    frozen_positions,
    marks,
    openings,
    problem_at,
    problem_number,
    problems,
    regret,
    scores,
)
from numduel.core.words import replay_moves
from numduel.games import OUR_GAMES, new
from numduel.players.answer import CUT, REFUSED, Reading
from numduel.players.prompt import Prompt


@pytest.mark.parametrize("key", OUR_GAMES)
def test_problems_have_right_and_wrong_moves_and_a_seed_repeats_them(key):
    found = list(problems(key, {}, 3, 5))
    assert found == list(problems(key, {}, 3, 5))
    for one in found:
        game, position = one.game, one.position
        assert (game, position) == (new(key), replay_moves(game, 1, one.moves)[0])
        assert one == problem_at(key, {}, one.moves)
        truth = {m: verdict.score for m, verdict in evaluate(game, position).items()}
        assert one.worth == truth == scores(game, position)
        assert 0 < one.chance == len(one.gold) / len(truth) < 1
        for move, worth in truth.items():
            lost = max(truth.values()) - worth
            assert regret(game, position, move) == lost
            assert one.mark(one.read(f"Move: {move}")) == 1 - lost
            assert (move in one.gold) == (lost == 0)
        assert one.mark(one.read("Move: 0")) == one.mark(one.read("no")) == 0
        past = replay_moves(game, 1, one.moves)[1]
        for legal in (False, True):
            assert one.question(legal=legal) == Prompt(game, legal=legal).whole(position, past)


CASES = [(key, {}) for key in OUR_GAMES] + [
    ("double-or-add", {"target": 12}),
    ("multiplicity", {"size": 10}),
    ("divisor-line", {"size": 6}),
]


@pytest.mark.parametrize(("key", "settings"), CASES, ids=str)
def test_problems_differ_in_essence_and_seeds_share_none_if_there_are_enough(key, settings):
    game = new(key, **settings)
    seeds = {
        seed: {game.essence(one.position) for one in problems(key, settings, seed, 12)}
        for seed in (1, 2, 42)
    }
    everything = module._all_problems(module.game_for_text(key, settings))
    count = 12 if everything is None else min(12, len(everything))
    assert all(len(found) == count for found in seeds.values())
    if everything is None or len(everything) >= 36:
        assert not any(seeds[one] & seeds[two] for one, two in ((1, 2), (1, 42), (2, 42)))
    elif len(everything) >= 12:
        assert len(seeds[1] | seeds[2]) == min(24, len(everything))
    assert problem_number(key, settings, 1) != problem_number(key, settings, 2)


def test_seeds_share_no_problem_at_the_default_size_of_reasoning_gym(many):
    game, count = new("multiplicity", size=50), many(100, 500)
    one, two = (
        {game.essence(one.position) for one in problems(game.key, {"size": 50}, seed, count)}
        for seed in (0, 2)
    )
    assert len(one) == len(two) == count and not one & two


def test_a_seed_that_has_used_its_part_of_a_large_game_takes_from_others(monkeypatch):
    monkeypatch.setattr(module, "MAX_LISTED_POSITIONS", 20)
    monkeypatch.setattr(module, "_all_problems", module._all_problems.__wrapped__)
    game = new("multiplicity", size=11)
    found = [list(problems("multiplicity", {"size": 11}, seed, 10**6)) for seed in (0, 1)]
    essences = [{game.essence(one.position) for one in each} for each in found]
    assert essences[0] == essences[1] and len(found[0]) == len(essences[0]) > 10


def test_openings_lead_to_problems_for_the_given_seat():
    found = [
        problem_at("multiplicity", {"size": 12}, moves)
        for moves in openings("multiplicity", {"size": 12}, 0, 5)
    ]
    assert all(0 < one.chance < 1 for one in found)
    assert [one.position.mover for one in found] == [1, 2, 1, 2, 1]
    for seat in (1, 2):
        [moves] = openings("multiplicity", {"size": 12}, 0, 1, seat)
        assert replay_moves(new("multiplicity", size=12), 1, moves)[0].mover == seat


def test_only_decisions_are_marked_and_faults_are_separate():
    no_fault, one_fault = {"fault": 0, "cut": 0}, {"fault": 1, "cut": 0}
    assert marks([], [0, 0.5, None, 0, 1]) == {"sound": 0.5, "regret": 0.375, **no_fault}
    assert marks([REFUSED], [None], "refused", sound="sound_moves") == {"strict": 0, **one_fault}
    assert marks([Reading(1, strict=True), CUT], [0.5], "cut") == {
        "strict": 0.5, "fault": 0, "cut": 1
    }  # fmt: skip
    game = new("double-or-add", target=4)
    assert regret(game, game.read("3/1"), 1) == 1  # past the target
    assert regret(game, game.read("2/1"), None) == 1
    lost = new("operation-duel", target=20)
    assert regret(lost, lost.start(), 1) is None  # all moves lose


def test_the_mean_of_skill_is_the_share_of_right_moves_above_chance():
    found = list(problems("divisor-line", {}, 1, 20))
    chance = sum(one.chance for one in found) / 20
    each = [
        one.marks(one.read(f"Move: {one.gold[0]}" if place % 3 else "none"), chance)
        for place, one in enumerate(found)
    ]
    right, skill = (sum(one[name] for one in each) / 20 for name in ("right", "skill"))
    assert skill == pytest.approx((right - chance) / (1 - chance))
    assert all(("sound" in one) == bool(place % 3) for place, one in enumerate(each))


def test_a_cut_off_answer_is_not_counted_and_a_refusal_is_wrong():
    one = next(problems("multiplicity", {}, 1, 1))
    right = f"Move: {one.gold[0]}"
    for ended, expected in (
        ("stop", {"right": 1, "sound": 1, "regret": 0, "strict": 1, "fault": 0, "cut": 0}),
        ("length", {"strict": 0, "fault": 0, "cut": 1}),
        ("content_filter", {"right": 0, "strict": 0, "fault": 1, "cut": 0}),
    ):
        reading = one.read(right, ended)
        found = one.marks(reading, one.chance)
        assert one.mark(reading) == (ended == "stop")
        assert found.pop("skill", None) == {"stop": 1, "length": None}.get(
            ended, -one.chance / (1 - one.chance)
        )
        assert found == expected


def test_a_game_without_decisions_has_no_problems():
    with pytest.raises(SettingsError, match="no problems at these settings"):
        next(problems("divisor-duel", {"divisor": 1}, 1, 1))


def test_a_game_that_takes_too_long_to_judge_is_refused():
    game = new("multiplicity", size=1_000_000)
    with pytest.raises(TooLarge, match="too long to judge"):
        scores(game, game.start())


def test_the_positions_of_the_bench_come_in_their_order():
    lines = frozen_positions()
    for place in (0, 1, 500):
        one = problem_number(BENCH, {}, place)
        assert one == problem_number(BENCH, {}, place + len(lines))
        assert [one.game.key, [*one.moves]] == [lines[place].key, lines[place].moves]
    assert [*problems(BENCH, {}, 7, 2)] == [
        problem_number(BENCH, {}, 0),
        problem_number(BENCH, {}, 1),
    ]
    with pytest.raises(SettingsError, match="bench has only the setting file, not size"):
        problems(BENCH, {"size": 3}, 0, 1)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[", "line 2, is no position of a set: Expecting"),
        ("7", "line 2, is no position"),
        ('["chess", {}, [], 1]', "there is no game 'chess'"),
        ('["multiplicity", {"size": 9}, [10], 1]', "10 is not one of the numbers from 1 to 9"),
        ('["multiplicity", [], [], 1]', "line 2, is no position"),
        ('["multiplicity", {}, 7, 1]', "line 2, is no position"),
    ],
)
def test_an_invalid_file_of_positions_is_refused_in_one_line(tmp_path, line, message):
    (tmp_path / "set.jsonl").write_text(f"{{}}\n{line}\n")
    with pytest.raises(SettingsError, match=message) as refused:
        frozen_positions(str(tmp_path / "set.jsonl"))
    assert "\n" not in str(refused.value)


def test_a_file_that_is_missing_or_too_long_is_refused(tmp_path, monkeypatch):
    with pytest.raises(SettingsError, match="No such file"):
        frozen_positions(str(tmp_path / "none.jsonl"))
    monkeypatch.setattr(module, "MAX_PROBLEM_FILE_CHARACTERS", 100)
    (tmp_path / "long.jsonl").write_text(BENCH_FILE.read_text()[:200])
    with pytest.raises(SettingsError, match="more than 100 characters"):
        frozen_positions(str(tmp_path / "long.jsonl"))
    assert json.loads(BENCH_FILE.read_text().partition("\n")[0]).keys() == {"canary", "games"}
