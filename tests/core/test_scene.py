"""A Scene is a plain value."""

from numduel.core.scene import MARKS, Cell, Choice, Fact, Scene


def test_the_marks_are_the_documents():
    assert MARKS == {1: "X", 2: "O"}


def test_a_cell_is_free_until_said_otherwise():
    assert Cell(7) == (7, 0, False, False, False)


def test_scenes_hash_and_compare_by_content():
    def scene(value):
        choices = (Choice(1, "Add 1", "2"),)
        return Scene("Player 1's turn", Fact("Current N", value), cells=(Cell(1),), choices=choices)

    assert scene("1") == scene("1")
    assert hash(scene("1")) == hash(scene("1"))
    assert scene("1") != scene("2")
