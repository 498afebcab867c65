"""A whole game of each against the computer, from the home page; with the coach; by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from numduel import games
from numduel.core.record import loads

GAMES = [key for key, _, _ in games()]

ENDED = re.compile(" wins|You win!|So close!|You made no mistake")

MAX_MOVES = 30  # of a game that might not end

each_game = pytest.mark.parametrize("key", GAMES)


@pytest.mark.soak(keep=1)
@each_game
def test_a_game_is_two_clicks_away_and_ends_on_a_page_of_its_own(visit, tmp_path, key):
    one = visit().open()
    one.page.locator(f"form[action='/path/{key}/1'] button").first.click()
    expect(one.page).to_have_url(re.compile("/game/"))
    one.moves.first.click()  # the second click is a move
    expect(one.history).to_have_count(2)  # the move and the answer of the computer
    one.play(key).play_on(MAX_MOVES)
    won = 1 if "You win!" in one.turn.inner_text() else 2

    count = one.history.count()
    one.look_back()  # at the move where it turned, or at the end
    replay, history = one.page.locator("#replay"), one.page.locator(".history")
    for step, shown in (
        ("Last", f"After move {count} of {count}"),
        ("First", "The start"),
        ("Next", f"After move 1 of {count}"),
        ("Last", f"After move {count} of {count}"),
        ("Back", f"After move {count - 1} of {count}"),
    ):
        one.link(step).click()
        expect(replay).to_have_text(shown)
    history.get_by_role("link").nth(2).click()
    expect(replay).to_have_text(f"After move 2 of {count}")

    with one.page.expect_download() as download:
        one.link("Download the record").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    record = loads(path.read_text())
    assert (record.game, len(record.moves)) == (key, count)
    assert won == record.outcome.winner

    ending, bar = seen(one)
    assert ending.startswith("You win" if won == 1 else "Dot")
    ending, uploaded_bar = uploaded(visit(), path)
    assert ending.startswith(f"Player {won} wins") and uploaded_bar == bar


def seen(visitor):
    """Return how a finished game ended, and who was winning after each move."""
    visitor.link("Last").click()
    bar = visitor.page.locator(".bar li")
    expect(bar.first).to_be_visible()
    ending = visitor.page.locator("h1 + p").inner_text()
    return ending, bar.evaluate_all("moves => moves.map(move => move.className)")


def uploaded(visitor, path):
    visitor.open("/analyze").page.locator("#record").set_input_files(path)
    visitor.enter("Analyse", "/record/")
    return seen(visitor)


@pytest.mark.soak(keep=1)
@each_game
def test_the_coach_speaks_hints_and_shows_what_each_move_leads_to(visit, key):
    one = visit().begin(key, opponent="random", coach=True)
    one.move()
    expect(one.page.locator(".coach .comment")).to_contain_text(re.compile("."))
    if not one.may_move():
        return  # it was the last move
    one.ask_for_hint()
    expect(one.page.locator(".coach .hint")).to_contain_text(re.compile(r"\d"))
    one.page.locator("#switch-colours").click()  # verdicts are off at first
    signs = one.moves.locator(".sign")
    expect(signs.first).to_be_visible()
    assert signs.count() == one.moves.count() > 0
    said = one.moves.evaluate_all("all => all.map(one => one.ariaLabel || one.textContent)")
    signed = signs.evaluate_all("all => all.map(one => one.classList[1])")
    meanings = {"win": "wins", "loss": "loses", "endless": "is safe"}
    for verdict, words in zip(signed, said, strict=True):
        assert meanings[verdict] in words
    expect(one.page.locator(".legend")).to_be_visible()
    one.page.locator("#switch-colours").click()  # off again at a click
    expect(signs).to_have_count(0)
    expect(one.page.locator(".legend")).to_have_count(0)


def test_the_move_is_shown_before_the_answer(visit):
    one = visit(reduced_motion="no-preference").begin("divisor-line", opponent="easy")
    one.mark()
    one.page.evaluate(
        """() => { window.seen = [];
             new MutationObserver(() => seen.push(document.querySelectorAll(".owned").length))
               .observe(document.body, {childList: true}) }"""
    )
    one.page.locator("#m7").click()
    expect(one.history).to_have_count(2)
    counts = one.page.evaluate("[...new Set(seen)]")
    assert counts == [1, 2]
    expect(one.page.locator("#news")).to_contain_text(re.compile("Dot claims .* Your turn"))
    expect(one.page.locator(".cells .last")).to_have_count(1)
    assert one.marked


@pytest.mark.soak(keep=1)
@pytest.mark.parametrize(("motion", "moves"), [("no-preference", "fall"), ("reduce", "none")])
def test_a_win_is_celebrated_without_motion_if_that_is_preferred(visit, motion, moves):
    one = visit(reduced_motion=motion)
    one.begin("double-or-add", opponent="easy", set_target=2)
    one.moves.first.click()
    expect(one.turn).to_have_text("You win!")
    expect(one.page.locator(".confetti")).to_be_visible()
    expect(one.page.locator(".confetti > *").first).to_have_css("animation-name", moves)


def test_sound_is_heard_only_if_it_is_switched_on(visit):
    one = visit()
    one.page.add_init_script(
        """window.heard = 0;
           window.AudioContext = class extends AudioContext {
             createOscillator() { heard += 1; return super.createOscillator(); } }"""
    )
    one.begin("multiplicity", opponent="here")
    one.move(36)
    assert one.page.evaluate("heard") == 0
    offer = one.page.locator("[data-offer]")
    expect(offer).to_have_count(0)  # before the end of a game
    one.resign()
    offer.get_by_role("button", name="Yes").click()
    expect(offer).to_have_count(0)  # the offer is made once
    one.begin("multiplicity", opponent="here")
    one.page.reload()
    one.move(36)
    assert one.page.evaluate("heard") == 1
    one.page.locator(".more > summary").click()
    one.page.locator("#switch-sound").click()
    expect(one.page.locator("#switch-sound")).to_have_attribute("aria-checked", "false")
    one.move(4)
    assert one.page.evaluate("heard") == 1


@pytest.mark.soak
def test_after_a_hundred_moves_the_page_is_no_taller(visit):
    one = visit(viewport={"width": 1280, "height": 800})
    one.begin("divisor-duel", opponent="here", set_divisor=1009)
    for at in range(120):
        form = {"at": str(at), "move": str(1 + at % 2)}
        assert one.context.request.post(f"{one.page.url}/move", form=form).ok
    one.page.reload()
    expect(one.history.last).to_be_in_viewport()
    assert one.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_digits_and_arrows_move_and_the_page_says_so(visit):
    one = visit().begin("multiplicity", opponent="here")
    expect(one.page.locator(".keys")).to_contain_text("type a number, then Enter")
    one.page.keyboard.type("36")
    expect(one.page.locator("#m36")).to_be_focused()
    one.page.keyboard.press("Enter")
    expect(one.history).to_have_count(1)
    expect(one.page.locator("[data-board] button:focus")).to_be_visible()
    one.begin("double-or-add", opponent="here")
    expect(one.page.locator(".keys")).to_contain_text("1 Double, 2 Add One")
    one.page.keyboard.press("ArrowRight")  # from anywhere
    expect(one.page.locator("#m1")).to_be_focused()
    one.page.keyboard.press("2")
    expect(one.history).to_have_text([re.compile("Add One → 2")])


def test_each_event_is_read_out_once(visit):
    one = visit().begin("multiplicity", opponent="random", set_size=20, set_start=6)
    one.page.evaluate(
        """() => { window.said = [];
             new MutationObserver(() => said.push(document.querySelector("#news").textContent))
               .observe(document.querySelector("#news"), {childList: true}) }"""
    )
    one.move(18)
    expect(one.history).to_have_count(2)
    said = one.page.evaluate("said")
    assert said[0] == "Your move: 18." and said[1].startswith("Pip goes") and len(said) == 2
    assert said[1].endswith("Your turn")
    one.resign()
    assert one.page.evaluate("said.length") == 3


def test_pointing_at_a_move_shows_what_it_would_join(visit):
    one = visit().begin("divisor-line", opponent="here")
    for number in (4, 5, 9, 10):
        one.move(number)
    words = one.page.locator(".wide .pill.threat", has_text="4 divides 12")
    expect(words).to_be_hidden()
    one.page.locator("#m12").hover()
    expect(words).to_be_visible()
    one.move(12)
    expect(one.page.locator(".wide .pill.won", has_text="4 divides 12")).to_be_visible()
    expect(one.page.locator(".cells .won")).to_have_count(2)


def test_a_large_board_stays_at_the_current_number(visit):
    one = visit().begin("multiplicity", opponent="here", set_size=400)
    one.move(398)
    expect(one.page.locator("#here")).to_be_in_viewport()
    one.move(2)
    expect(one.page.locator("#here")).to_have_text(re.compile("^2,"))
    expect(one.page.locator("#here")).to_be_in_viewport()
    one.page.locator("#switch-allowed").click()
    expect(one.page.locator(".cells li")).to_have_count(one.moves.count() + 1)
    height = one.page.evaluate("document.documentElement.scrollHeight")
    assert height <= one.page.viewport_size["height"]


def press_until(page, key, selector):
    """Press a key until the focused element matches, at most as often as the page has elements."""
    for _ in range(200):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} is not reached by {key}")


@pytest.mark.soak(keep=1)
@each_game
def test_a_whole_game_by_keyboard_alone(visit, key):
    one = visit().open(f"/new/{key}")
    keys = one.page.keyboard
    press_until(one.page, "Tab", "[name=opponent]")
    press_until(one.page, "ArrowLeft", "[value=easy]")
    press_until(one.page, "Tab", "[data-play]")
    keys.press("Enter")
    expect(one.turn).to_be_focused()
    for turn in range(MAX_MOVES):
        if not one.may_move():
            break  # it is over
        press_until(one.page, "Tab", "[data-board] button")
        for arrow in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
            keys.press(arrow)
            assert one.page.evaluate("document.activeElement.matches('[data-board] button')")
        version = one.main.get_attribute("data-version")
        keys.press("Enter" if turn % 2 else "Space")
        expect(one.main).not_to_have_attribute("data-version", version)
        expect(one.page.locator("#main:not([data-thinking])")).to_be_visible()
        # the focus stays on the board; at the end it is at the next button
        stays = "[data-board] button:focus, .ending .button:focus"
        expect(one.page.locator(stays)).to_be_visible()
    if one.may_move():
        press_until(one.page, "Tab", ".more > summary")
        keys.press("Enter")
        press_until(one.page, "Tab", ".resign summary")
        keys.press("Enter")
        press_until(one.page, "Tab", "#resign")
        keys.press("Enter")
    expect(one.turn).to_contain_text(ENDED)
    press_until(one.page, "Tab", "#rematch")
    version = one.main.get_attribute("data-version")
    keys.press("Enter")
    expect(one.main).not_to_have_attribute("data-version", version)


def test_the_keyboard_focus_is_outlined(visit):
    one = visit().open()
    seen = set()
    while True:
        one.page.keyboard.press("Tab")
        focused = one.page.evaluate(
            """() => { const at = document.activeElement; return [
                 at.outerHTML.slice(0, 100) + at.getBoundingClientRect().top,
                 at === document.body ? "" : getComputedStyle(at).outlineStyle] }"""
        )
        if focused[0] in seen or not focused[1]:
            break
        assert focused[1] == "solid", focused
        seen.add(focused[0])
    assert len(seen) > 3 * len(GAMES)


def test_the_skip_link_leads_past_the_header(visit):
    one = visit().open()
    one.page.keyboard.press("Tab")
    expect(one.link("Skip to the content")).to_be_focused()
    one.page.keyboard.press("Enter")
    expect(one.main).to_be_focused()
