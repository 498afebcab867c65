"""Properties of every game, at random settings and in random play.

`tests/test_conformance.py` also runs the checks that games of other packages should pass.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numduel

KEYS = [listed.key for listed in numduel.games()]

every_game = pytest.mark.parametrize("key", KEYS)


@every_game
@given(data=st.data())
def test_a_move_is_allowed_only_if_it_is_offered(key, random_games, data):
    game, _, _, positions = data.draw(random_games(key))
    size = game.settings.values.get("size", 9)
    for position in positions[-3:]:
        moves = game.moves(position)
        for move in range(-1, size + 3):
            assert game.allows(position, move) == (move in moves)
        for move in (True, False, 1.0, 2.0, "1", None, [1], (1,)):
            assert not game.allows(position, move)


@every_game
@given(data=st.data())
def test_a_move_that_is_not_offered_is_refused_with_the_reason(key, random_games, data):
    game, _, _, positions = data.draw(random_games(key))
    position = data.draw(st.sampled_from(positions))
    move = data.draw(st.integers(-2, 70) | st.sampled_from([10**5000, -(10**5000)]))
    if move in game.moves(position):
        return
    with pytest.raises(numduel.IllegalMove) as caught:
        game.play(position, move)
    assert (caught.value.move, caught.value.position) == (move, position)
    assert str(caught.value).startswith(caught.value.why)
    assert game.words.describe(position) in str(caught.value)


@every_game
@given(data=st.data())
def test_the_repr_of_a_position_and_of_a_game_round_trips(key, random_games, data):
    game, _, _, positions = data.draw(random_games(key))
    for value in (game, *positions):
        assert eval(repr(value), {type(value).__name__: type(value)}) == value


@every_game
@given(data=st.data())
def test_every_position_can_be_described_and_drawn(key, random_games, data):
    game, _, _, positions = data.draw(random_games(key))
    for position in positions:
        outcome, scene = game.outcome(position), game.words.scene(position)
        offered = {choice.move for choice in scene.choices}
        offered |= {cell.number for cell in scene.cells if cell.legal}
        assert offered == set(game.moves(position))
        texts = [game.words.describe(position), *(fact.value for fact in scene.facts)]
        assert all(len(line) < 6000 for line in texts)
        if outcome is None:
            assert scene.sentence == f"Player {position.mover}'s turn"
            assert all(offer.value for offer in scene.offers) and scene.offers
        else:
            assert scene.sentence == f"Player {outcome.winner} wins"
            assert scene.offers == ()
            assert game.words.allowed(position) == "nothing"


@every_game
@given(data=st.data())
def test_every_setting_can_be_read_back_from_its_text(key, random_settings, data):
    game = numduel.new(key, **data.draw(random_settings[key]))
    kind = type(game.settings)
    assert kind(**kind.parse(game.settings.texts())) == game.settings


@every_game
@pytest.mark.parametrize("huge", [10**5000, -(10**5000)], ids=["positive", "negative"])
def test_a_huge_number_for_any_setting_is_a_settings_error(key, huge):
    for setting in type(numduel.new(key)).settings_type.declared:
        with pytest.raises(numduel.SettingsError, match=r"must be .* digits\)$"):
            numduel.new(key, **{setting.name: huge})
        with pytest.raises(numduel.SettingsError, match=f"^{setting.name} must be "):
            setting.parse("9" * 5000)
