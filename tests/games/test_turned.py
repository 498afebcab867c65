"""The scene of a lost game marks the move that lost it, and a better one."""

import numduel
from numduel.core.scene import MAX_DRAWN_ITEMS
from numduel.core.words import replay_moves


def past_and_scene(game, moves):
    position, past = replay_moves(game, 1, moves)
    return past, game.words.scene(position, past)


def test_cells_are_marked_and_in_multiplicity_the_steps_too():
    for key, settings, links in (
        ("divisor-line", {"size": 12}, []),
        ("multiplicity", {"size": 12}, ["turned", "better"]),
    ):
        game = numduel.new(key, **settings)
        past, scene = past_and_scene(game, (6, 12, 4))
        turned = game.words.scene_with_mistake(scene, past, 1, 3)
        marks = {cell.number: cell.mark for cell in turned.cells if cell.mark}
        assert marks == {12: "turned", 3: "better"}
        assert [link.kind for link in turned.links[-2:]] == links


def test_a_board_too_large_to_draw_is_not_marked():
    game = numduel.new("multiplicity", size=500)
    past, scene = past_and_scene(game, (6, 12, 4))
    assert game.words.scene_with_mistake(scene, past, 1, 3) == scene


def test_steps_on_the_track_are_marked_unless_they_were_long_ago():
    game = numduel.new("double-or-add", target=200)
    past, scene = past_and_scene(game, (1, 1, 2))
    track = game.words.scene_with_mistake(scene, past, 1, 2).track
    steps = [(step.start, step.end, step.mark) for step in (*track.steps, *track.choices)]
    assert (2, 4, "turned") in steps and (2, 3, "better") in steps
    past, scene = past_and_scene(game, [2] * (MAX_DRAWN_ITEMS + 1))
    assert game.words.scene_with_mistake(scene, past, 0, 1) == scene


def test_on_the_dial_only_the_move_that_lost_is_drawn():
    game = numduel.new("divisor-duel", divisor=10, start=3, ceiling=40)
    past, scene = past_and_scene(game, (2, 1, 2, 2))  # 6, 7, 14, 28
    dial = game.words.scene_with_mistake(scene, past, 2, 1).dial
    steps = [(step.start, step.end, step.mark) for step in (*dial.steps, *dial.choices)]
    assert dial.at == 7 and steps == [(7, 4, "turned"), (7, 8, "better")]
