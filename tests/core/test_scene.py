"""The part of a number line that a front end has room for."""

from numduel.core.scene import Track


def test_a_window_contains_the_current_number_and_stays_on_the_track():
    assert Track(0, 9, 4, 9).window(20) == range(10)
    assert Track(0, 100, 50, 100).window(7) == range(47, 54)
    assert Track(0, 100, 1, 100).window(7) == range(7)
    assert Track(0, 100, 50, 100).window(7, behind=2) == range(48, 55)
    assert Track(0, 100, 99, 100).window(7) == range(94, 101)
    assert Track(0, 100, 130, 100).window(7) == range(94, 101)  # too far
    assert 10**999 in Track(0, 10**1000, 10**999, 10**1000).window(5)
