"""A class: a teacher and pupils, each with a browser of their own."""

import re

from playwright.sync_api import expect

NAMES = ["Ada", "Emmy", "Sofja", "Maryam"]


def open_room(visit, **settings):
    teacher = visit().open("/class")
    teacher.link("Double or Add").click()
    teacher.fill(**settings).enter("Open the room", "/room/")
    teacher.mark()
    return teacher


def join(visit, teacher, name, **options):
    code = teacher.page.locator("h1 .code").inner_text()
    assert re.fullmatch("[A-Z]{5}", code)
    pupil = visit(**options).open()
    pupil.link("Join a class").click()
    pupil.page.get_by_label("The code of the room").fill(f" {code.lower()}")
    pupil.page.get_by_label("Your first name").fill(name)
    return pupil.enter("Join", f"/room/{code}")


def paired(teacher):
    """Who plays whom, as the room shows it."""
    lines = teacher.page.locator(".pairings li > span:first-child").all_inner_texts()
    return {frozenset(re.sub(r" ★|\(won\)", "", line).strip().split(" – ")) for line in lines}


def standing(visitor):
    return visitor.page.locator(".standing tbody tr")


def play_round(pupils):
    """Everybody plays to the end; the seat that begins loses, by going beyond the target."""
    for pupil in pupils:
        expect(pupil.turn).to_contain_text("your game is ready")
        pupil.link("Go to your game").click()
        expect(pupil.turn).to_contain_text("turn")
    for pupil in pupils:
        if pupil.moves.count():  # who begins
            pupil.move(1)
    for pupil in pupils:
        expect(pupil.turn).to_contain_text(re.compile(" wins|You win!"))
        assert "Rematch" not in pupil.main.inner_text()
        pupil.link("Back to the room").click()
        expect(pupil.turn).to_contain_text("Well played")


def test_pupils_are_paired_round_after_round_until_the_room_is_closed(visit):
    teacher = open_room(visit, set_start=3, set_target=4)
    expect(teacher.button("Begin round 1")).to_be_disabled()
    pupils = [join(visit, teacher, name) for name in NAMES]
    for pupil in pupils:
        pupil.mark()
        expect(standing(pupil)).to_have_count(4)  # who came later has appeared
        assert pupil.page.evaluate("document.cookie") == ""
        expect(pupil.button("Begin round 1")).to_have_count(0)
    expect(standing(teacher)).to_have_count(4)
    teacher.act(teacher.button("Begin round 1"))
    first = paired(teacher)
    assert len(first) == 2
    play_round(pupils)
    expect(teacher.page.locator(".pairings strong")).to_have_count(2)  # who won
    expect(standing(teacher).locator("td:nth-child(2)")).to_have_text(["1", "1", "0", "0"])
    expect(standing(teacher).locator("td:nth-child(3)")).to_have_text(["1", "1", "1", "1"])

    fifth = join(visit, teacher, "Olga")
    expect(standing(teacher)).to_have_count(5)
    teacher.act(teacher.button("Begin round 2"))
    second = paired(teacher)
    assert len(second) == 3
    assert not first & second
    assert sum("the computer (medium)" in pair for pair in second) == 1
    alone = next(
        visitor
        for visitor, name in zip([*pupils, fifth], [*NAMES, "Olga"], strict=True)
        if frozenset({name, "the computer (medium)"}) in second
    )
    alone.link("Go to your game").click()
    expect(alone.turn).to_contain_text("Your turn")
    assert teacher.marked

    watched = visit().open(
        teacher.page.get_by_role("link", name="Watch").first.get_attribute("href")
    )
    expect(watched.turn).to_contain_text("turn")
    teacher.page.get_by_text("Close the room").click()
    teacher.enter("Close it for good", "/")
    for visitor in (*pupils, fifth, watched):
        expect(visitor.notice).to_contain_text(re.compile("closed|cleared away"))
    for visitor in (alone, watched):
        answer = visitor.page.reload()
        assert answer.status == 404
    assert teacher.page.goto(pupils[0].page.url).status == 404


def test_a_pupil_is_taken_out(visit):
    teacher = open_room(visit)
    pupils = [join(visit, teacher, name) for name in NAMES[:2]]
    expect(standing(teacher)).to_have_count(2)
    teacher.act(teacher.button("Take Emmy out of the room"))
    expect(standing(teacher)).to_have_count(1)
    expect(standing(pupils[0])).to_have_count(1)
    expect(pupils[1].link("Join this room")).to_be_visible()
    expect(pupils[1].main).not_to_contain_text("Ada")  # they are a stranger now


def test_names_are_told_apart_and_codes_checked(visit):
    teacher = open_room(visit)
    join(visit, teacher, "Ada")
    second = visit().open(f"/join?code={teacher.page.url.rpartition('/')[2]}")
    second.page.get_by_label("Your first name").fill("ada")
    second.button("Join").click()
    expect(second.notice).to_contain_text("Ada is in this room already")
    second.page.get_by_label("The code of the room").fill("QQQQQ")
    second.button("Join").click()
    expect(second.notice).to_contain_text("There is no room of that code")
    expect(second.page.get_by_label("Your first name")).to_have_value("ada")


def test_with_scripts_off_a_pupil_joins_and_plays(visit):
    teacher = open_room(visit, set_start=3, set_target=4)
    plain = join(visit, teacher, "Ada", java_script_enabled=False)
    other = join(visit, teacher, "Emmy")
    expect(standing(teacher)).to_have_count(2)
    teacher.act(teacher.button("Begin round 1"))
    play_round([plain, other])  # its page comes anew by itself
    expect(teacher.page.locator(".pairings strong")).to_have_count(1)
