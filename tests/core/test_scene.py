"""A Scene is a plain value."""

from numduel.core.scene import MARKS, Cell, Choice, Fact, Scene, Track


def test_the_marks_are_the_documents():
    assert MARKS == {1: "X", 2: "O"}


def test_a_cell_is_free_until_said_otherwise():
    assert Cell(7) == (7, 0, False, False, False, 0, "")


def test_scenes_hash_and_compare_by_content():
    def scene(value):
        choices = (Choice(1, "Add 1", "2"),)
        return Scene("Player 1's turn", Fact("Current N", value), cells=(Cell(1),), choices=choices)

    assert scene("1") == scene("1")
    assert hash(scene("1")) == hash(scene("1"))
    assert scene("1") != scene("2")


def test_a_window_on_a_track_is_around_the_number_and_within_its_ends():
    assert Track(0, 9, 4, 9).window(20) == range(10)
    assert Track(0, 100, 50, 100).window(7) == range(47, 54)
    assert Track(0, 100, 1, 100).window(7) == range(7)
    assert Track(0, 100, 50, 100).window(7, behind=2) == range(48, 55)
    assert Track(0, 100, 99, 100).window(7) == range(94, 101)
    assert Track(0, 100, 130, 100).window(7) == range(94, 101)  # too far
    assert 10**999 in Track(0, 10**1000, 10**999, 10**1000).window(5)
