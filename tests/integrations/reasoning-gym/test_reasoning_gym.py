"""Gold answers score 1, and every other move 1 minus its regret."""

import pytest
from reasoning_gym import create_dataset, get_score_answer_fn

import numduel
import numduel.agents.reasoning_gym
from numduel.core.words import replay_moves
from numduel.players.prompt import Prompt


def dataset(key, settings, **options):
    return create_dataset("numduel", game=key, settings=settings, **{"seed": 1, **options})


def test_every_move_gets_its_score(key, settings, many):
    data = dataset(key, settings, size=many(20, 1000))
    game = numduel.new(key, **settings)
    for entry in data:
        position, past = replay_moves(game, 1, entry["metadata"]["moves"])
        assert game.notation(position) == entry["metadata"]["notation"]
        worth = {move: one.score for move, one in numduel.evaluate(game, position).items()}
        best = max(worth.values())
        assert entry["question"] == Prompt(game).whole(position, past)
        assert data.score_answer(entry["answer"], entry) == 1
        for move, score in worth.items():
            for text in (f"Move: {move}", f"So be it.\n**MOVE: {move}.**\n"):
                assert data.score_answer(text, entry) == 1 - best + score
            assert (move in entry["metadata"]["gold"]) == (score == best)
        assert not any(data.score_answer(text, entry) for text in (None, "", "all", "Move: -3"))


def test_the_same_seed_gives_the_same_entries(key, settings):
    first, second, other = (dataset(key, settings, seed=seed, size=23) for seed in (5, 5, 6))
    assert [first[i] for i in range(5)] == [second[i] for i in range(5)]
    assert first[3] == dataset(key, settings, seed=5, size=23)[3]
    assert [first[i] for i in range(20)] != [other[i] for i in range(20)]


@pytest.mark.parametrize(
    ("name", "options", "seeds"),
    [
        ("multiplicity", {}, (1, 2, 42, 43)),
        ("divisor-line", {}, (1, 2, 42, 43)),
        ("multiplicity", {"size": 20}, (7, 8, 9)),  # which has about 700 problems
    ],
)
def test_no_two_seeds_share_a_problem_if_there_are_enough(name, options, seeds, many):
    game, count = numduel.new(name, **options), many(50, 200)
    seen = []
    for seed in seeds:
        data = dataset(name, options, seed=seed, size=count)
        seen.append({game.essence(game.read(entry["metadata"]["notation"])) for entry in data})
    assert sum(map(len, seen)) == len(set.union(*seen)) == len(seeds) * count


def test_repeated_problems_are_marked_as_such():
    data = dataset("double-or-add", {"target": 12}, size=20)
    repeated = [entry["metadata"]["repeated"] for entry in data]
    different = {entry["metadata"]["notation"] for entry in data}
    assert repeated.count(False) == len(different) < 20


def test_the_bench_is_asked_read_and_scored_as_in_every_harness(marked_answers):
    data = dataset("bench", {}, size=len(marked_answers))
    for entry, (one, answers) in zip(data, marked_answers, strict=True):
        assert entry["question"] == one.question() and entry["metadata"]["gold"] == [*one.gold]
        assert {text: data.score_answer(text, entry) for text in answers} == answers


def test_an_entry_is_scored_without_its_dataset():
    entry = dataset("double-or-add", {"target": 40})[0]
    assert get_score_answer_fn("numduel")(entry["answer"], entry) == 1


def test_verdicts_and_legal_moves_are_given_if_they_are_requested():
    plain, full = dataset("fifteen", {})[0], dataset("fifteen", {}, verdicts=True, legal=True)[0]
    assert "verdicts" not in plain["metadata"] and "Legal moves" not in plain["question"]
    assert full["metadata"]["verdict"]["value"] in ("win", "draw")
    assert "Legal moves: " in full["question"]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("chess", {}, "there is no game 'chess'"),
        ("multiplicity", {"size": 1_000_000}, "at most 10,000 are allowed"),
        ("multiplicity", {"big": 1}, "there is no setting 'big'"),
    ],
)
def test_unsupported_settings_are_refused_in_one_line(name, options, message):
    with pytest.raises(numduel.SettingsError, match=message):
        dataset(name, options)
