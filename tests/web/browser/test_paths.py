"""Each game's path in a browser, from its lesson to the strongest opponent."""

import re

import pytest
from playwright.sync_api import expect

import numduel
from numduel.games import game_type
from numduel.play.event import Move
from numduel.play.path import path_of, step_setup
from numduel.play.table import Table
from numduel.web.cookies import parse_progress

GAMES = [key for key, _, _ in numduel.games()]


def win(visitor, key, number):
    """Win the open step by the moves that the solver finds."""
    step = path_of(game_type(key)).steps[number - 1]
    setup = step_setup(game_type(key), step)
    taps = [tap.move for tap in step.taps]
    expect(visitor.page.locator("h1")).to_contain_text(f"step {number}: {step.title}")
    for turn in range(60):
        if not visitor.may_move():
            break
        labels = visitor.history.locator(".unseen").all_inner_texts()
        table = Table(setup.game, setup.first, None, False)
        for label in labels:
            words = label.partition(": ")[2]
            moves = table.game.moves(table.position)
            said = table.game.words.move_label
            table.apply(Move(next(m for m in moves if said(table.position, m) == words)))
        found = numduel.evaluate(table.game, table.position)
        move = taps[turn] if taps else max(found, key=lambda one: found[one].rank)
        visitor.move(move)
    expect(visitor.turn).to_have_text("You win!")


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize("key", sorted(GAMES, key=lambda key: key != "multiplicity"))
def test_a_path_is_played_from_its_first_step_to_its_last(visit, many, key):
    one = visit().open()
    steps = path_of(game_type(key)).steps
    one.page.locator(f"form[action='/path/{key}/1'] button").first.click()
    last = many(3, len(steps))
    for number in range(1, last + 1):
        win(one, key, number)
        if number < last:
            one.act(one.button(f"Next: step {number + 1}"))
    expect(one.page.locator(".onward .here")).to_contain_text(f"{last}")
    one.open(f"/path/{key}")
    expect(one.page.locator(".trek .past, .trek .here .stars")).to_have_count(last)
    kept = {cookie["name"]: cookie["value"] for cookie in one.context.cookies()}
    found = parse_progress(kept).of(key)
    assert found.stars == (3,) * last
    assert len(found.beaten) == sum(not step.sign and not step.taps for step in steps[:last])


def test_a_lesson_is_taught_on_the_board_and_can_be_skipped(visit):
    one = visit().open("/path/divisor-line")
    one.button("Step 1: First game").click()
    says, tap = one.page.locator(".says h2"), one.page.locator(".tap button")
    expect(says).to_have_text("Tap 3.")
    expect(one.moves).to_have_count(1)  # nothing can go wrong
    expect(one.page.locator(".three .here")).to_have_count(1)
    tap.click()
    expect(says).to_have_text("Tap 6.")
    one.button("Skip the lesson").click()
    expect(tap).to_have_count(0)
    expect(one.moves).to_have_count(22)


def test_a_lost_game_begins_again_where_it_turned(visit):
    one = visit().begin("multiplicity", opponent="perfect", set_size=15, set_start=2)
    one.move(4)  # only 10 wins
    while one.may_move():
        one.move()
    expect(one.turn).to_contain_text("So close!")
    again = one.page.get_by_role("button", name=re.compile("Try again from move"))
    expect(again).to_have_class(re.compile("primary"))
    expect(one.page.locator(".cells .turned")).to_have_count(1)
    expect(one.page.locator(".cells .better")).to_have_count(1)
    number = int(again.inner_text().split()[-1])
    lost = one.page.url
    one.link("Look back").click()
    expect(one.page.locator("#turned")).to_contain_text("You played")  # at that move
    one.open(lost)
    again.click()
    expect(one.page).not_to_have_url(lost)
    expect(one.history).to_have_count(number - 1)
    expect(one.turn).to_have_text("Your turn")
