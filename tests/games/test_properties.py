"""What holds for every game, at random settings and in random play."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numduel
from numduel.core.record import Record, loads

KEYS = [listed.key for listed in numduel.games()]

every_game = pytest.mark.parametrize("key", KEYS)


@every_game
@given(data=st.data())
def test_every_offered_move_can_be_played_and_gives_the_turn_to_the_other(key, played, data):
    game, _, _, positions = data.draw(played(key))
    for position in positions:
        for move in game.moves(position):
            assert game.play(position, move).mover == 3 - position.mover


@every_game
@given(data=st.data())
def test_a_move_is_allowed_just_where_it_is_offered(key, played, data):
    game, _, _, positions = data.draw(played(key))
    size = game.settings.values.get("size", 9)
    for position in positions[-3:]:
        moves = game.moves(position)
        for move in range(-1, size + 3):
            assert game.allows(position, move) == (move in moves)


@every_game
@given(data=st.data())
def test_a_move_that_is_not_offered_is_refused_with_the_reason(key, played, data):
    game, _, _, positions = data.draw(played(key))
    position = data.draw(st.sampled_from(positions))
    move = data.draw(st.integers(-2, 70) | st.sampled_from([10**5000, -(10**5000)]))
    if move in game.moves(position):
        return
    with pytest.raises(numduel.IllegalMove) as caught:
        game.play(position, move)
    assert caught.value.move == move
    assert caught.value.position == position
    assert str(caught.value).startswith(caught.value.why)
    assert game.words.describe(position) in str(caught.value)


@every_game
@given(data=st.data())
def test_what_is_not_a_whole_number_is_never_a_move(key, played, data):
    game, _, _, positions = data.draw(played(key))
    for position in positions[-2:]:
        for move in (True, False, 1.0, 2.0, "1", None, [1], (1,)):
            assert not game.allows(position, move)
            with pytest.raises(numduel.IllegalMove):
                game.play(position, move)


@every_game
@given(data=st.data())
def test_playing_never_changes_the_position(key, played, data):
    game, _, moves, positions = data.draw(played(key))
    for position, move in zip(positions[:-1], moves, strict=True):
        before = copy.deepcopy(position)
        game.play(position, move)
        assert position == before
        assert hash(position) == hash(before)


@every_game
@given(data=st.data())
def test_a_record_read_back_from_its_text_replays_to_the_same_positions(key, played, data):
    game, first, moves, positions = data.draw(played(key))
    record = Record(
        key,
        dict(game.settings.values),
        ("human", "random"),
        first,
        tuple(moves),
        game.outcome(positions[-1]),
        "2026-01-02T03:04:05+00:00",
    )
    read = loads(record.dumps())
    assert read == record
    assert list(read.positions(numduel.new(read.game, **read.settings))) == positions


@every_game
@given(data=st.data())
def test_positions_compare_and_hash_by_content(key, played, data):
    game, first, moves, positions = data.draw(played(key))
    again = [game.start(first)]
    for move in moves:
        again.append(numduel.new(key, **game.settings.values).play(again[-1], move))
    assert again == positions
    assert [hash(position) for position in again] == [hash(position) for position in positions]
    assert game.start(first) != game.start(3 - first)


@every_game
@given(data=st.data())
def test_the_repr_of_a_position_and_of_a_game_round_trips(key, played, data):
    game, _, _, positions = data.draw(played(key))
    for value in (game, *positions):
        assert eval(repr(value), {type(value).__name__: type(value)}) == value


@every_game
@given(data=st.data())
def test_games_and_positions_survive_pickling(key, played, data):
    game, _, _, positions = data.draw(played(key))
    assert pickle.loads(pickle.dumps((game, positions))) == (game, positions)


@every_game
@given(data=st.data())
def test_a_game_is_over_just_where_there_is_no_move_and_has_one_winner(key, played, data):
    game, _, _, positions = data.draw(played(key))
    *before, last = positions
    assert all(game.outcome(position) is None for position in before)
    assert all(game.moves(position) for position in before)
    outcome = game.outcome(last)
    assert (outcome is None) == bool(game.moves(last))
    if outcome is not None:
        assert outcome.winner in (1, 2)
        assert outcome.reason in ("divisible", "reached", "overshot", "relation", "stuck")
        assert game.outcome(last) == outcome
        assert game.words.allowed(last) == "nothing"
        with pytest.raises(numduel.IllegalMove, match="the game is over"):
            game.play(last, 1)


@every_game
@given(data=st.data())
def test_every_moment_can_be_said_and_drawn(key, played, data):
    game, _, moves, positions = data.draw(played(key))
    words = game.words
    said = words.welcome(positions[0])
    for before, move, after in zip(positions[:-1], moves, positions[1:], strict=True):
        said += words.follow(before, move, after)
        said += [words.move_label(before, move), words.moved(before, move, after, "Ada")]
    for position in positions:
        outcome = game.outcome(position)
        scene = words.scene(position)
        said += [words.describe(position), words.prompt(position), scene.sentence]
        said += [text for fact in (*scene.facts, *scene.offers) for text in fact]
        offered = {choice.move for choice in scene.choices}
        offered |= {cell.number for cell in scene.cells if cell.legal}
        assert offered == set(game.moves(position))
        if outcome is None:
            said += words.turn(position)
            assert scene.sentence == f"Player {position.mover}'s turn"
            assert all(offer.value for offer in scene.offers) and scene.offers
        else:
            said += [*words.closing(position, outcome), words.result(position, outcome)]
            assert scene.sentence == f"Player {outcome.winner} wins"
            assert scene.offers == ()
    assert all("\n" not in line and len(line) < 6000 for line in said)


@every_game
@given(data=st.data())
def test_every_setting_can_be_read_back_from_its_text(key, settings_of, data):
    game = numduel.new(key, **data.draw(settings_of[key]))
    for setting, value in game.settings:
        assert setting.parse(setting.text(value)) == value
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


@every_game
@pytest.mark.parametrize(
    "name", ["colour", "self", "key", "settings", pytest.param("n" * 10**6, id="long")]
)
def test_an_unknown_setting_is_refused_and_the_known_ones_are_named(key, name):
    names = [setting.name for setting in type(numduel.new(key)).settings_type.declared]
    with pytest.raises(numduel.SettingsError) as caught:
        numduel.new(key, **{name: 1})
    assert str(caught.value).startswith("there is no setting '")
    assert str(caught.value).endswith(f"; the settings are {', '.join(names)}")
    assert len(str(caught.value)) < 200
