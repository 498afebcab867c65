"""The board of any game: squares, options, verdicts and links, as the templates draw them."""

import pytest

import numduel
from numduel import Verdict
from numduel.core.scene import Cell, Choice, Fact, Link, Scene
from numduel.core.verdict import SCORES
from numduel.web import board as drawn

KEYS = [key for key, _, _ in numduel.games()]


@pytest.mark.parametrize(
    ("cell", "css", "spoken", "mark"),
    [
        (Cell(7), "plain", "", 0),
        (Cell(7, owner=1, chosen=True), "owned seat1", "You", 1),
        (Cell(7, owner=2, legal=True), "owned seat2", "The computer", 2),
        (Cell(7, current=True, chosen=True, by=2), "now seat2", "the number now", 0),
        (Cell(7, legal=True), "legal", "", 0),
        (Cell(7, chosen=True), "used nobody", "used", 0),
        (Cell(7, chosen=True, by=1), "used seat1", "used by You", 1),
    ],
)
def test_a_square_has_its_state_owner_and_mark(cell, css, spoken, mark):
    [square] = drawn.board(Scene("", cells=(cell,)), names=("You", "The computer")).squares
    assert (square.number, square.css, square.spoken, square.mark) == (7, css, spoken, mark)


def test_the_page_scrolls_to_the_current_number_or_else_to_the_last_move():
    cells = (Cell(1, owner=1), Cell(2, owner=2), Cell(3, current=True))
    squares = drawn.board(Scene("", cells=cells[:2], last=2)).squares
    assert [(square.css, square.here) for square in squares] == [
        ("owned seat1", False),
        ("owned seat2 last", True),
    ]
    squares = drawn.board(Scene("", number=Fact("N", "3"), cells=cells, last=2)).squares
    assert [square.here for square in squares] == [False, False, True]


@pytest.mark.parametrize(
    ("verdict", "words", "when"),
    [
        (Verdict("win", 1), "wins now", "now"),
        (Verdict("win", 3), "wins in 2 of your moves", "in 2"),
        (Verdict("loss", 4), "loses in 2 of their moves", "in 2"),
        (Verdict("loss", 10**30), "loses", ""),
        (Verdict("win"), "wins", ""),
        (Verdict("draw", 5), "draws", ""),
        (Verdict("endless"), "is safe", ""),
    ],
)
def test_verdicts_are_shown_beside_their_moves(verdict, words, when):
    scene = Scene(
        "",
        number=Fact("N", "1"),
        cells=(Cell(1, legal=True), Cell(2)),
        choices=(Choice(1, "Add", "2", "you win"),),
        alternates=True,
    )
    board = drawn.board(scene, {1: verdict, 7: Verdict("draw")})
    shown = (verdict.value, words, when)
    assert [square.verdict for square in board.squares] == [shown, None]
    assert board.squares[0].spoken == words
    assert board.options == [(1, "Add", "2", "you win", shown)]
    assert board.legend == [(verdict.value, drawn.LEGEND[verdict.value])]
    assert drawn.board(scene).options[0].verdict is None
    assert drawn.board(scene).legend == []
    # If a player may move twice in a row, moves to the end are not counted.
    [other] = drawn.board(scene._replace(alternates=False), {1: verdict}).options
    assert other.verdict.when == ("now" if when == "now" else "")


def test_every_verdict_has_a_meaning():
    assert drawn.MEANINGS.keys() == drawn.LEGEND.keys() == SCORES.keys()


def test_every_game_has_a_picture_that_is_always_the_same():
    for key in KEYS:
        scene = drawn.sample(key)
        assert scene == drawn.sample(key)
        assert scene.track or scene.dial or scene.links or scene.cells


def test_a_short_line_is_two_rows_and_a_pool_is_a_grid():
    for key, size, rows, columns in (
        ("divisor-line", 20, True, 10),
        ("divisor-line", 39, True, 20),
        ("divisor-line", 41, False, 10),
        ("multiplicity", 20, False, 5),
        ("multiplicity", 21, False, 10),
    ):
        game = numduel.new(key, size=size)
        board = drawn.board(game.words.scene(game.start()))
        assert (board.rows, board.columns, board.large) == (rows, columns, False)


def test_links_on_a_board_too_large_to_be_shown_are_only_spoken():
    shown = drawn.board(Scene("Player 1's turn", links=(Link(7, 49, "divides"),)))
    assert shown.over == ""
    assert [link.end for link, _ in shown.links] == [49]
