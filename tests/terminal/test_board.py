"""The board: its exact text on a console in memory, and that it never floods a terminal."""

from io import StringIO

import pytest
from rich.console import Console
from tests.terminal.shared import MOVE

import numduel
from numduel import Outcome
from numduel.core.record import Record
from numduel.core.scene import Cell, Choice, Fact, Scene
from numduel.core.words import replay_moves
from numduel.play.table import record_ending
from numduel.terminal import screen as screen_module
from numduel.terminal.board import BoardScreen


def screen(width=80, height=24, colour=False):
    console = Console(
        file=StringIO(),
        width=width,
        height=height,
        highlight=False,
        force_terminal=colour,
        color_system="standard" if colour else None,
    )
    return BoardScreen(console)


def printed(screen):
    return screen.console.file.getvalue()


def lines(screen):
    return printed(screen).splitlines()


def rule(title, width):
    return f"{title} ".ljust(width, "─")


def after(key, *moves, **settings):
    game = numduel.new(key, **settings)
    position = game.start()
    for move in moves:
        position = game.play(position, move)
    return game, position


# Any Scene.


def test_a_scene_with_choices():
    shown = screen(40)
    facts = (Fact("Pot", "12"), Fact("Left", ""))
    choices = (
        Choice(1, "Take", "11"),
        Choice(2, "Take two", "10", "too many, you lose"),
        Choice(12, "Take all", "", "you win"),
    )
    number = Fact("Heap", "9")
    shown.draw("Any Game", "Bob's turn", Scene("", number, facts, choices=choices), 2)
    assert lines(shown) == [
        rule("Any Game: Bob's turn", 40),
        "Heap: 9   Pot: 12   Left: -",
        "  1. Take     → 11",
        "  2. Take two → 10: too many, you",
        "     lose",
        "  12. Take all: you win",
    ]


def test_a_scene_with_neither_cells_nor_choices_says_what_is_available():
    shown = screen(40)
    shown.draw("Any", "Ann's turn", Scene("", offers=(Fact("Available", "1-1000"),)), 1)
    assert lines(shown) == [rule("Any: Ann's turn", 40), "Available: 1-1000"]


def test_a_scene_with_cells():
    shown = screen(20)
    cells = (
        Cell(1, owner=1),
        Cell(2, owner=2),
        Cell(3, legal=True),
        Cell(4, chosen=True),
        Cell(5, current=True, chosen=True),
        Cell(6),
        *(Cell(number) for number in range(7, 12)),
    )
    offers = (Fact("Proper divisors", "3"), Fact("Proper multiples", "7, 8"))
    shown.draw("Any", "Ann's turn", Scene("", cells=cells, offers=offers), 1)
    assert lines(shown)[1:] == [
        " [X] [O]  3   ·  [5]",
        "  6   7   8   9  10 ",
        " 11 ",
        "[5] the number",
        "     now   · used",
        "Proper divisors: 3",
        "Proper multiples: 7,",
        "8",
    ]


def test_cells_have_columns_that_do_not_shift():
    before, now = screen(80), screen(80)
    game, position = after("divisor-line")
    before.show_turn(game, position)
    game, position = after("divisor-line", 9, 10, 20)
    now.show_turn(game, position)
    board = "  1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16  17  18  19  20 "
    assert lines(before)[3] == board
    marked = board.replace("  9 ", " [X]").replace(" 10 ", " [O]").replace(" 20 ", " [X]")
    assert lines(now)[3] == marked


def test_colours_tell_whose_a_cell_is_and_what_can_be_chosen():
    shown = screen(40, colour=True)
    cells = (
        Cell(1, owner=1),
        Cell(2, owner=2),
        Cell(3, legal=True),
        Cell(4, chosen=True),
        Cell(5, current=True),
        Cell(6),
    )
    shown.draw("Any", "Ann's turn", Scene("", cells=cells), 1)
    assert printed(shown).splitlines()[1] == (
        "\x1b[1;36m[X]\x1b[0m\x1b[1;35m[O]\x1b[0m \x1b[1;32m3\x1b[0m  \x1b[2m·\x1b[0m "
        "\x1b[1;33m[5]\x1b[0m \x1b[2m6\x1b[0m "
    )


def test_colours_tell_the_players_apart():
    shown = screen(40, colour=True)
    shown.say(["Player 1 waits for Player 2", "Player 12"])
    shown.set_players(("Ann", None), (None, "hard"))
    shown.say(["Ann waits for Cal (hard)", "Anna"])
    assert lines(shown) == [
        "\x1b[1;36mPlayer 1\x1b[0m waits for \x1b[1;35mPlayer 2\x1b[0m",
        "Player 12",
        "\x1b[1;36mAnn\x1b[0m waits for \x1b[1;35mCal (hard)\x1b[0m",
        "Anna",
    ]


def test_what_looks_like_markup_is_shown_as_it_is():
    shown = screen(40)
    shown.say(["'[red]x[/red]' is not a choice"])
    assert printed(shown) == "'[red]x[/red]' is not a choice\n"


def test_facts_share_a_line_only_while_they_fit_it():
    shown = screen(30)
    facts = (Fact("A", "1" * 10), Fact("B", "2" * 11), Fact("C", "3"), Fact("D", "4 " * 20))
    shown.draw("Any", "Ann's turn", Scene("", facts=facts, offers=(Fact("Available", "1"),)), 1)
    assert lines(shown)[1:] == [
        "A: 1111111111   B: 22222222222",
        "C: 3",
        "D: 4 4 4 4 4 4 4 4 4 4 4 4 4 4",
        "4 4 4 4 4 4 ",
        "Available: 1",
    ]


def test_the_middle_of_a_long_fact_is_left_out():
    shown = screen(30)
    facts = (Fact("Held", ",".join(map(str, range(1, 501)))),)
    shown.draw("Any", "Ann's turn", Scene("", facts=facts, offers=(Fact("Available", "1"),)), 1)
    assert "".join(lines(shown)[1:-1]) == (
        "Held: 1,2,3,4,5,6,7,8,9,10,11,12,13,…,494,495,496,497,498,499,500"
    )


@pytest.mark.parametrize(
    ("width", "height", "count", "drawn"),
    [
        (80, 24, 140, True),  # 14 rows of 10
        (80, 24, 224, True),  # 14 rows of 16
        (80, 24, 225, False),
        (40, 24, 113, False),  # 15 rows of 8: a number of three digits needs five columns
        (40, 40, 113, True),
        (10, 10, 16, True),  # 8 rows of 2 are always drawn
        (10, 10, 17, False),
    ],
)
def test_a_board_is_drawn_where_it_leaves_room_on_the_screen(width, height, count, drawn):
    shown = screen(width, height)
    cells = tuple(Cell(number, legal=True) for number in range(1, count + 1))
    offers = (Fact("Available", f"1-{count}"),)
    shown.draw("Any", "Ann's turn", Scene("", cells=cells, offers=offers), 1)
    assert ("Available:" in printed(shown)) is not drawn
    assert (f" {count} " in printed(shown)) is drawn


# The games.


def test_the_turn_of_a_tally_game():
    shown = screen(40)
    shown.show_turn(*after("divisor-duel", 2, 2))
    assert lines(shown) == [
        rule("Divisor Duel: Player 1's turn", 40),
        "Current N: 4   Target Divisor (D): 13",
        "Remainder: 4",
        "  0 …   2   3  [4]  5   6   7   8   9 …",
        "  1. Add 1         → 5",
        "  2. Multiply by 2 → 8",
    ]


def test_the_turn_of_multiplicity():
    shown = screen(40)
    shown.show_turn(*after("multiplicity", 7, 14, size=20))
    assert lines(shown) == [
        rule("Multiplicity: Player 1's turn", 40),
        "Current N: 14   Numbers: 1 to 20",
        "Chosen: 1, 7, 14",
        "  ·   2   3   4   5   6   ·   8   9  10 ",
        " 11  12  13 [14] 15  16  17  18  19  20 ",
        "[14] the number now   · used",
        "Proper divisors of 14: 2",
    ]


@pytest.mark.parametrize(
    ("width", "size", "columns"),
    [(40, 50, 10), (80, 50, 20), (100, 50, 20), (100, 20, 20), (200, 50, 50), (30, 50, 5)],
)
def test_rows_are_of_tens_where_ten_fit(width, size, columns):
    shown = screen(width, 40)
    shown.show_turn(*after("divisor-line", size=size))
    rows = [line.split() for line in lines(shown) if line.split()[0].isdigit()]
    assert [row[0] for row in rows] == [str(n) for n in range(1, size + 1, columns)]


@pytest.mark.parametrize(
    ("width", "settings", "line"),
    [
        (80, {"target": 12}, "  0   1   2   3   4   5  [6]  7   8   9  10  11  12"),
        (30, {"target": 12}, "…   4   5  [6]  7   8 …  12"),
        (56, {"target": 10**6}, "…        4        5       [6]       7 …  1000000"),
        (40, {"target": 10**900}, None),
    ],
)
def test_a_number_line_shows_the_goal_and_as_much_after_the_number_as_fits(width, settings, line):
    game = numduel.new("double-or-add", **settings)
    position, past = replay_moves(game, 1, (1, 2, 1))
    shown = screen(width)
    shown.show_turn(game, position, past)
    drawn = [one for one in lines(shown) if "[6]" in one]
    assert drawn == ([] if line is None else [line])


def test_marks_have_a_legend_and_players_their_names():
    shown = screen(80)
    shown.set_players(("Ann", "Bob"), (None, None))
    game = numduel.new("multiplicity", size=20)
    shown.show_turn(game, *replay_moves(game, 1, (7, 14, 2)))
    assert "[2] the number now   x Ann   o Bob   · used" in lines(shown)
    shown = screen(80)
    shown.set_players(("Ann", None), (None, "hard"))
    game = numduel.new("divisor-line")
    shown.show_turn(game, *replay_moves(game, 1, (4, 9)))
    assert "Ann (X): 4   Cal (hard) (O): 9" in lines(shown)
    assert "(O) the last move" in lines(shown)


def test_a_number_line_is_coloured_by_who_came_where():
    game = numduel.new("double-or-add", target=9)
    position, past = replay_moves(game, 1, (1, 2, 1))
    shown = screen(60, colour=True)
    shown.show_turn(game, position, past)
    drawn = next(line for line in lines(shown) if "[6]" in line)
    assert "\x1b[1;36m2\x1b[0m" in drawn
    assert "\x1b[1;35m3\x1b[0m" in drawn
    assert "\x1b[1;32m7\x1b[0m" in drawn


def test_marks_tell_the_last_move_and_who_used_a_number():
    game = numduel.new("divisor-line")
    shown = screen(80)
    shown.show_turn(game, *replay_moves(game, 1, (9, 10)))
    assert " [X] (O) 11 " in lines(shown)[3]
    game = numduel.new("multiplicity", size=20)
    shown = screen(40)
    shown.show_turn(game, *replay_moves(game, 1, (7, 14)))
    assert lines(shown)[3] == "  ·   2   3   4   5   6   x   8   9  10 "


def test_a_move_is_told_in_the_third_person_whoever_made_it():
    shown = screen(60)
    shown.set_players((None, None), ("hard", "hard"))
    assert shown.names == ("Player 1 (hard)", "Player 2 (hard)")
    shown.set_players((None, None), (None, "hard"))
    game, before = after("double-or-add", 1)
    for typed in (True, False):
        shown.show_move(game, before, 1, game.play(before, 1), typed)
    assert lines(shown) == ["Cal (hard) doubles: 2 → 4.", ""] * 2


def test_the_turn_of_a_computer_is_not_drawn_where_somebody_else_is_asked():
    shown = screen(60)
    game, position = after("double-or-add", 1)
    shown.show_turn(game, position, asked=False)
    shown.show_choice(game, position, 1)
    shown.show_continuation(game, position)
    assert printed(shown) == ""


def ended(key, *moves, outcome=None, **settings):
    game = numduel.new(key, **settings)
    position, past = replay_moves(game, 1, moves)
    reached = outcome or game.outcome(position)
    record = Record(key, settings, ("human", "human"), 1, moves, reached, "")
    return game, record_ending(game, record), past


def test_at_the_end_the_board_is_drawn_once_more():
    shown = screen(80)
    shown.show_end(*ended("multiplicity", 1, 3, size=3, start=2), typed=True)
    assert lines(shown)[0] == " x  · [3]"
    shown = screen(80)
    shown.show_end(*ended("divisor-line", 4, 7, 8, 9, 12), typed=True)
    assert lines(shown)[0] == (
        "  1   2   3  [X]  5   6  [O] [X] [O] 10  11  (X) 13  14  15  16  17  18  19  20 "
    )


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        (Outcome(None, "turn-limit"), "Nobody wins: the limit of 1 turn is reached."),
        (Outcome(2, "resigned"), "Player 2 wins: Player 1 resigned."),
    ],
)
def test_without_the_board_if_the_rules_did_not_end_it(outcome, sentence):
    shown = screen(80)
    shown.show_end(*ended("divisor-line", 4, outcome=outcome), typed=True)
    assert lines(shown) == [sentence]


def test_a_prompt_that_is_too_wide_is_broken_between_words(monkeypatch):
    shown = screen(30)
    monkeypatch.setattr(
        screen_module, "read_line", lambda prompt, keys=(): f"asked with {prompt!r}"
    )
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    answer = shown.ask("goal, pair: three numbers, one of which divides another [pair]: ")
    assert lines(shown) == ["goal, pair: three numbers,", "one of which divides"]
    assert answer == "asked with 'another [pair]: '"
    assert shown.ask("Enter 1 or 2: ") == "asked with 'Enter 1 or 2: '"


# At a terminal.

PRIMES = [n for n in range(501, 1000) if all(n % d for d in range(2, 32))]


@pytest.mark.soak(keep=5)
@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize(
    ("key", "settings", "moves"),
    [
        ("divisor-line", ["--size", 1000], PRIMES[:40]),
        ("divisor-line", ["--size", 400], range(201, 241)),
        ("multiplicity", ["--size", 1000], [2, 4, 1000, 5, 10, 20, 40, 80]),
        ("multiplicity", ["--size", 400], [2, 4, 400, 5, 10, 20, 40, 80]),
        ("divisor-duel", ["--divisor", "7" * 900], [2] * 4),
    ],
)
def test_a_turn_never_floods_the_screen(spawn, columns, key, settings, moves):
    terminal = spawn("play", key, *settings, columns=columns, lines=24)
    terminal.type(MOVE, *map(str, moves))
    terminal.keys(MOVE, "\x04")
    assert terminal.ends() == 130
    assert max(map(len, terminal.text.splitlines())) <= columns
    turns = terminal.text.split(MOVE)
    assert len(turns) == len(moves) + 2
    assert max(turn.count("\n") for turn in turns) < 24


@pytest.mark.parametrize("columns", [1, 4, 10])
def test_a_terminal_that_is_far_too_narrow_is_no_failure(spawn, home, columns):
    terminal = spawn("play", "divisor-line", "--p1", "random", columns=columns)
    terminal.shows("move:")
    for keys in ("help\r", "rules\r", "x\r", "quit\r"):
        terminal.child.send(keys)
    assert terminal.ends() == 0
    assert (home / "games" / "1.jsonl").exists()
