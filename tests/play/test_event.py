"""Events and their lines, in both directions, and lines that are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel import RecordError
from numduel.play.event import (
    Ask,
    Come,
    Leave,
    Move,
    Next,
    Refuse,
    Rematch,
    Resign,
    Swap,
    Undo,
    dump,
    event_word,
    load,
)

LINES = [
    (Move(7), '{"move": 7}'),
    (Swap(True), '{"swap": true}'),
    (Swap(False), '{"swap": false}'),
    (Undo(2), '{"undo": 2}'),
    (Resign(1), '{"resign": 1}'),
    (Next(), '{"next": true}'),
    (Rematch(), '{"rematch": true}'),
    (Ask(2), '{"ask": 2}'),
    (Refuse(2), '{"refuse": 2}'),
    (Leave(1), '{"leave": 1}'),
    (Come(2), '{"come": 2}'),
]


@pytest.mark.parametrize(("event", "line"), LINES)
def test_an_event_is_a_line_and_the_line_is_the_event(event, line):
    assert dump(event) == line
    assert load(line) == load(line.encode()) == event
    assert line.startswith(f'{{"{event_word(event)}": ')


@given(st.integers(-(10**999), 10**999))
def test_every_number_is_a_move(number):
    assert load(dump(Move(number))) == Move(number)


def test_events_of_different_kinds_are_never_equal():
    assert len({event for event, _ in LINES}) == len(LINES)
    assert Move(1) != Resign(1) != Ask(1) != Refuse(1)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "line 1: not JSON"),
        ("[]", "not a JSON object"),
        (
            "{}",
            "must be one of move, swap, undo, resign, forfeited, next, rematch, ask, refuse, lea",
        ),
        ('{"move": 1, "undo": 1}', "must be one of move"),
        ('{"dance": 1}', "must be one of move"),
        ('{"move": true}', "field 'move' must be of type int, not True"),
        ('{"swap": 1}', "field 'swap' must be of type bool, not 1"),
        ('{"undo": "1"}', "field 'undo' must be of type int, not '1'"),
        ('{"resign": 3}', "field 'resign' must be 1 or 2, not 3"),
        ('{"ask": true}', "field 'ask' must be 1 or 2, not True"),
        ('{"refuse": 0}', "field 'refuse' must be 1 or 2, not 0"),
        ('{"next": false}', "field 'next' must be true"),
        ('{"rematch": 1}', "field 'rematch' must be true"),
    ],
)
def test_a_line_that_is_no_event_is_refused_with_the_reason(line, why):
    with pytest.raises(RecordError) as refused:
        load(line)
    assert str(refused.value).startswith(why)
