"""Duels with their terms: who holds a seat, and the limits of this server."""

import asyncio
import time

import pytest

from numduel.games import new
from numduel.play.event import Move, Resign
from numduel.web.duels import record as module
from numduel.web.duels.record import DuelRecord, cooperatively
from numduel.web.duels.terms import agree
from numduel.web.errors import NotNow
from numduel.web.identity import hash_secret, join_secrets

NOBODY, ONE, TWO, BOTH = map(frozenset, ((), {1}, {2}, {1, 2}))
GAME = new("double-or-add")


def hosted(players=("human", "human"), room=None):
    """Return a duel, and the secret of each person's seat."""
    terms = agree(GAME, players).terms
    seats = [
        hash_secret(f"secret{n}") if who == "human" else None for n, who in enumerate(players, 1)
    ]
    return DuelRecord("name", terms._replace(seats=tuple(seats), room=room))


def test_a_secret_opens_its_own_seat_and_two_open_both():
    duel = hosted()
    assert duel.seats_of("secret1") == ONE
    assert duel.seats_of("secret2") == TWO
    assert duel.seats_of(join_secrets("secret1", "secret2")) == BOTH
    assert duel.seats_of(join_secrets("secret2", None)) == TWO
    for wrong in ("", "secret", "secret1 ", hash_secret("secret1"), "x.y.secret1", "."):
        assert duel.seats_of(wrong) == NOBODY


def test_nobody_holds_the_seat_of_the_computer():
    duel = hosted(("human", "easy"))
    assert duel.seats_of("secret1") == ONE
    for nothing in ("", "None", "secret2"):
        assert duel.seats_of(nothing) == NOBODY


def test_a_class_has_no_rematch():
    duel = hosted(room="ABCDE")
    duel.apply(Resign(1))
    with pytest.raises(NotNow, match="In a class the next game comes with the next round"):
        duel.event(ONE, "rematch")


def test_the_number_of_events_of_a_duel_is_limited(monkeypatch):
    monkeypatch.setattr(module, "MAX_EVENTS", 2)
    duel = hosted()
    duel.apply(duel.event(ONE, Move(1)))
    duel.apply(duel.event(TWO, Move(1)))
    for wish in (Move(1), "undo", "resign"):
        with pytest.raises(NotNow, match="This duel has had 2 moves: please start a new one"):
            duel.event(ONE, wish)


def test_duels_share_their_game():
    one, two = (
        DuelRecord(name, agree(new("multiplicity", size=77), ("human", "human")).terms)
        for name in "ab"
    )
    assert one.table.game is two.table.game is two.terms.setup.game
    other = DuelRecord("c", agree(new("multiplicity", size=78), ("human", "human")).terms)
    assert other.table.game is not one.table.game


def test_other_tasks_run_while_a_long_log_is_replayed():
    async def run():
        done, turns = [], 0

        async def others():
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(others())
        async for item in cooperatively(range(5)):
            done.append(item)
            time.sleep(0.01)  # work that blocks the event loop
        task.cancel()
        return done, turns

    done, turns = asyncio.run(run())
    assert done == [*range(5)]
    assert turns >= 5
