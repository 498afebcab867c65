"""A dataset whose gold answers score 1, and every other move what it is worth."""

import pytest
from reasoning_gym import create_dataset, get_score_answer_fn

import numduel
import numduel.agents.reasoning_gym


def made(key, settings, **options):
    return create_dataset("numduel", game=key, settings=settings, **{"seed": 1, **options})


def test_every_move_scores_what_it_is_worth(key, settings, many):
    data = made(key, settings, size=many(20, 1000))
    game = numduel.new(key, **settings)
    for entry in data:
        position = game.read(entry["metadata"]["notation"])
        worth = {move: one.score for move, one in numduel.evaluate(game, position).items()}
        best = max(worth.values())
        assert data.score_answer(entry["answer"], entry) == 1
        for move, score in worth.items():
            assert data.score_answer(f"Move: {move}", entry) == 1 - best + score
            assert (move in entry["metadata"]["gold"]) == (score == best)
        assert not any(data.score_answer(text, entry) for text in (None, "", "all", "Move: -3"))


def test_the_same_seed_gives_the_same_entries(key, settings):
    first, second, other = (made(key, settings, seed=seed) for seed in (5, 5, 6))
    assert [first[i] for i in range(5)] == [second[i] for i in range(5)]
    assert first[3] == made(key, settings, seed=5)[3]
    assert [first[i] for i in range(20)] != [other[i] for i in range(20)]


def test_an_entry_is_scored_without_its_dataset():
    entry = made("double-or-add", {"target": 40})[0]
    assert get_score_answer_fn("numduel")(entry["answer"], entry) == 1


def test_verdicts_and_legal_moves_come_where_they_are_asked_for():
    bare, told = made("fifteen", {})[0], made("fifteen", {}, verdicts=True, legal=True)[0]
    assert "verdicts" not in bare["metadata"] and "Legal moves" not in bare["question"]
    assert told["metadata"]["verdict"]["value"] in ("win", "draw")
    assert "Legal moves: " in told["question"]


@pytest.mark.parametrize(
    ("name", "options", "line"),
    [
        ("chess", {}, "there is no game 'chess'"),
        ("multiplicity", {"size": 1_000_000}, "at most 10,000 are allowed"),
        ("multiplicity", {"big": 1}, "there is no setting 'big'"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_line(name, options, line):
    with pytest.raises(numduel.SettingsError, match=line):
        made(name, options)
