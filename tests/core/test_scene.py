"""What a front end draws: the part of a number line that fits."""

from numduel.core.scene import Track


def test_a_window_on_a_track_is_around_the_number_and_within_its_ends():
    assert Track(0, 9, 4, 9).window(20) == range(10)
    assert Track(0, 100, 50, 100).window(7) == range(47, 54)
    assert Track(0, 100, 1, 100).window(7) == range(7)
    assert Track(0, 100, 50, 100).window(7, behind=2) == range(48, 55)
    assert Track(0, 100, 99, 100).window(7) == range(94, 101)
    assert Track(0, 100, 130, 100).window(7) == range(94, 101)  # too far
    assert 10**999 in Track(0, 10**1000, 10**999, 10**1000).window(5)
