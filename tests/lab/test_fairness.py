"""How fair a game is."""

import numduel
from numduel.lab.fairness import Series, fairer, fairness, nearby, series


def test_the_default_race_is_lost_for_the_beginner():
    found = fairness(numduel.new("operation-duel"), games=6)
    assert (found.verdict.value, found.openings, found.winning_openings) == ("loss", 2, 0)
    assert not found.swap_helps
    perfect = found.series[-1]
    assert (perfect.level, perfect.first, perfect.second, perfect.length) == ("perfect", 0, 1, 14)


def test_a_chain_is_worth_a_swap(many):
    found = fairness(numduel.new("divisor-line", goal="chain"), games=many(1, 4))
    assert (found.openings, found.winning_openings) == (20, 11)
    assert found.swap_helps


def test_an_endless_game_is_undecided_between_good_players():
    one = series(numduel.new("divisor-duel"), "perfect", games=2)
    assert one.undecided == 1
    assert one.lopsided == 1


def test_what_cannot_be_solved_is_played_by_the_levels():
    game = numduel.new("operation-duel", target=10**9, start=10**9 - 9, operations="+1,x3")
    found = fairness(game, games=2)
    assert found.verdict is None
    assert [one.level for one in found.series] == ["random", "easy", "medium", "hard"]


def test_a_pool_too_large_to_count_openings_is_still_solved():
    found = fairness(numduel.new("multiplicity", size=400), games=1)
    assert found.verdict.value == "win"
    assert found.winning_openings is None


def test_nearby_settings_differ_in_one_and_are_allowed():
    game = numduel.new("multiplicity", size=20)
    for near in nearby(game):
        changed = [
            name
            for name, value in near.settings.values.items()
            if value != game.settings.values[name]
        ]
        assert len(changed) == 1


def test_fairer_settings_are_fairer(many):
    game, games = numduel.new("multiplicity", size=many(20, 50)), many(4, 10)
    now = series(game, "medium", games)
    better = fairer(game, games=games)
    assert better
    assert all(one.lopsided < now.lopsided for _, one in better)


def test_a_fair_series_is_not_lopsided():
    assert Series("x", 0.5, 0.5, 10, 4).lopsided == 0
    assert Series("x", 1.0, 0.0, 10, 4).lopsided == 1


def test_a_swap_does_not_help_where_a_first_move_ends_the_game():
    assert not fairness(numduel.new("multiplicity"), games=1).swap_helps


def test_a_line_too_large_to_play_out_is_only_solved():
    found = fairness(numduel.new("divisor-line", size=100_000))
    assert found.verdict.value == "win"
    assert found.series == ()
    assert fairer(numduel.new("divisor-line", size=100_000)) == []
