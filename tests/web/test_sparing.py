"""The log cannot be flooded: of what repeats a few lines, and then how many were left out."""

import logging

import pytest

from numduel.web.sparing import Share, Sparing


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def sparing(clock):
    return Sparing(Share(3, 1), Share(1, 0.1), clock)


def line(said="request", level=logging.INFO, **details):
    return logging.makeLogRecord({"name": "x", "msg": said, "levelno": level, **details})


def passed(sparing, count, *arguments, **details):
    return sum(sparing.filter(line(*arguments, **details)) for _ in range(count))


def test_of_one_kind_a_share_passes(sparing, clock):
    assert passed(sparing, 100) == 3
    clock.now = 2
    assert passed(sparing, 100) == 2
    clock.now = 1_000
    assert passed(sparing, 100) == 3


def test_the_next_that_passes_says_how_many_did_not(sparing, clock):
    passed(sparing, 100)
    clock.now = 1
    after = [line(), line(), line()]
    assert [sparing.filter(one) for one in after] == [True, False, False]
    assert after[0].left_out == 97
    clock.now = 2
    last = line()
    assert sparing.filter(last) and last.left_out == 2
    fresh = line()
    clock.now = 3
    assert sparing.filter(fresh) and not hasattr(fresh, "left_out")


def test_kinds_do_not_take_from_each_other(sparing):
    for details in ({}, {"status": 200}, {"status": 429}, {"status": 429, "route": "/"}):
        assert passed(sparing, 10, **details) == 3
    assert passed(sparing, 10, "another") == 3


def test_what_differs_only_below_its_first_line_is_one_kind(sparing):
    said = [f"out of files\nsocket {number}" for number in range(10)]
    assert sum(sparing.filter(line(one)) for one in said) == 3


def test_warnings_have_a_smaller_share(sparing, clock):
    assert passed(sparing, 10, level=logging.ERROR) == 1
    clock.now = 5
    assert passed(sparing, 10, level=logging.ERROR) == 0
    clock.now = 20
    assert passed(sparing, 10, level=logging.ERROR) == 1


def test_kinds_without_end_take_no_memory_without_end(sparing):
    for number in range(5_000):
        assert sparing.filter(line(str(number)))
    assert len(sparing._kinds) == 1_000
