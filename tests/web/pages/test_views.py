"""What the pages show of a duel: any game's board, whose turn it is, and who was winning."""

from typing import NamedTuple

import pytest

import numduel
from numduel import Outcome, Verdict
from numduel.core.game import Game
from numduel.core.scene import Cell, Choice, Fact, Link, Scene
from numduel.core.settings import Settings, Whole
from numduel.core.verdict import SCORES
from numduel.play.analysis import Analysis, Step, analyze
from numduel.play.event import Ask, Move, Next, Resign
from numduel.play.setup import Setup
from numduel.web.data.hosted import Hosted, Terms
from numduel.web.pages import board as drawn
from numduel.web.pages import views
from numduel.web.pages.html import page

NOBODY, ONE, TWO, BOTH = map(frozenset, ((), {1}, {2}, {1, 2}))
KEYS = [key for key, _, _ in numduel.games()]


class Left(NamedTuple):
    left: int
    mover: int


class CountdownSettings(Settings):
    size = Whole(500, "where it begins", high=1000)


class Countdown(Game[Left]):
    """A game from elsewhere, which brings no words and, while many moves are left, no menu."""

    key = "countdown"
    title = "Countdown"
    summary = "Whoever takes the last wins."
    rules = "Take as many as you like."
    settings_type = CountdownSettings

    def begin(self, first):
        return Left(self.settings.size, first)

    def moves(self, position):
        return tuple(range(1, position.left + 1))

    def after(self, position, move):
        return Left(position.left - move, 3 - position.mover)

    def outcome(self, position):
        return None if position.left else Outcome(3 - position.mover, "emptied")


def new(game, *moves, players=("human", "human"), coach=False, **setup):
    usual = {"first": 1, "rounds": 1, "swap": False, "turn_limit": 50, "seed": 7, "started": ""}
    made = Setup(game=game, players=players, **{**usual, **setup})
    duel = Hosted("name", Terms(made, ("one", "two"), coach))
    for move in moves:
        duel.apply(Move(move))
    return duel


def shown(duel, seats, look=None):
    return views.game_page(duel, seats, look)


def html(duel, seats, look=None):
    """The page itself."""
    links = {"watch": "", "seats": {}, "invite": ""}
    told = {"notice": "", "links": links, "comment": "", "hint": ""}
    return page(None, "game.html", **told, **shown(duel, seats, look)).body.decode()


# Boards.


@pytest.mark.parametrize(
    ("cell", "css", "said", "mark"),
    [
        (Cell(7), "plain", "", 0),
        (Cell(7, owner=1, chosen=True), "owned seat1", "You", 1),
        (Cell(7, owner=2, legal=True), "owned seat2", "The computer", 2),
        (Cell(7, current=True, chosen=True, by=2), "now seat2", "the number now", 0),
        (Cell(7, legal=True), "legal", "", 0),
        (Cell(7, chosen=True), "used nobody", "used", 0),
        (Cell(7, chosen=True, by=1), "used seat1", "used by You", 1),
    ],
)
def test_a_square_says_what_it_is(cell, css, said, mark):
    [square] = drawn.board(Scene("", cells=(cell,)), names=("You", "The computer")).squares
    assert (square.number, square.css, square.said, square.mark) == (7, css, said, mark)


def test_the_last_move_is_marked_and_gone_to_where_there_is_no_current_number():
    cells = (Cell(1, owner=1), Cell(2, owner=2), Cell(3, current=True))
    squares = drawn.board(Scene("", cells=cells[:2], last=2)).squares
    assert [(square.css, square.here) for square in squares] == [
        ("owned seat1", False),
        ("owned seat2 last", True),
    ]
    squares = drawn.board(Scene("", number=Fact("N", "3"), cells=cells, last=2)).squares
    assert [square.here for square in squares] == [False, False, True]


@pytest.mark.parametrize(
    ("verdict", "words", "when"),
    [
        (Verdict("win", 1), "wins now", "now"),
        (Verdict("win", 3), "wins in 3", "in 3"),
        (Verdict("loss", 4), "loses in 4", "in 4"),
        (Verdict("loss", 10**30), "loses", ""),
        (Verdict("win"), "wins", ""),
        (Verdict("draw", 5), "draws", ""),
        (Verdict("endless"), "is safe", ""),
    ],
)
def test_verdicts_stand_beside_the_moves_that_have_one(verdict, words, when):
    scene = Scene(
        "",
        number=Fact("N", "1"),
        cells=(Cell(1, legal=True), Cell(2)),
        choices=(Choice(1, "Add", "2", "you win"),),
    )
    board = drawn.board(scene, {1: verdict, 7: Verdict("draw")})
    shown = (verdict.value, words, when)
    assert [square.verdict for square in board.squares] == [shown, None]
    assert board.squares[0].said == words
    assert board.options == [(1, "Add", "2", "you win", shown)]
    assert board.legend == [(verdict.value, drawn.LEGEND[verdict.value])]
    assert drawn.board(scene).options[0].verdict is None
    assert drawn.board(scene).legend == []


def test_every_verdict_has_a_meaning():
    assert drawn.MEANINGS.keys() == drawn.LEGEND.keys() == SCORES.keys()


@pytest.mark.parametrize("key", KEYS)
def test_every_game_has_a_picture_which_is_the_same_each_time(key):
    scene = drawn.sample(key)
    assert scene == drawn.sample(key)
    assert scene.track or scene.dial or scene.links or scene.cells


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("seats", [NOBODY, ONE, TWO, BOTH])
def test_every_legal_move_is_a_button_for_the_mover_alone(key, seats):
    game = numduel.new(key)
    duel = new(game)
    text = html(duel, seats)
    for move in game.moves(duel.table.position):
        assert (f'name="move" value="{move}"' in text) == (1 in seats)


@pytest.mark.parametrize("key", ["divisor-line", "multiplicity"])
@pytest.mark.parametrize(("size", "drawn"), [(400, True), (401, False), (10_000, False)])
def test_a_board_that_is_too_large_to_draw_is_typed(key, size, drawn):
    duel = new(numduel.new(key, size=size))
    assert bool(shown(duel, ONE)["board"].squares) == drawn
    assert ('id="typed"' in html(duel, ONE)) != drawn
    assert ('id="m7"' in html(duel, ONE)) == drawn
    assert 'id="typed"' not in html(duel, TWO)
    assert len(html(duel, ONE)) < 200_000


def test_a_game_from_elsewhere_is_typed_until_its_moves_fit_a_menu():
    duel = new(Countdown())
    board = shown(duel, ONE)["board"]
    assert (board.squares, board.options, board.offers) == ([], [], (("Available", "1-500"),))
    assert 'id="typed"' in html(duel, ONE)
    assert "Available: 1-500" in html(duel, TWO)
    duel.apply(Move(480))
    assert [option.label for option in shown(duel, TWO)["board"].options][:2] == [
        "Play 1",
        "Play 2",
    ]
    assert 'value="20"' in html(duel, TWO)
    duel.apply(Move(20))
    assert shown(duel, TWO)["sentence"] == "You win!"
    assert shown(duel, ONE)["sentence"] == "Player 2 wins: emptied"
    assert shown(duel, ONE)["why"] == "emptied"
    assert [move.words for move in shown(duel, ONE)["history"]] == ["480", "20"]


# Whose turn it is.


@pytest.mark.parametrize(
    ("seats", "tone", "sentence"),
    [
        (ONE, "yours", "Your turn"),
        (TWO, "waiting", "Player 1's turn"),
        (BOTH, "yours", "Player 1's turn"),
        (NOBODY, "watching", "Player 1's turn"),
    ],
)
def test_whose_turn_it_is(seats, tone, sentence):
    page = shown(new(numduel.new("double-or-add")), seats)
    assert (page["tone"], page["sentence"]) == (tone, sentence)
    below = 2 if seats == TWO else 1  # whoever looks at the table sits below
    assert [player["seat"] for player in page["players"]] == [3 - below, below]
    assert [player["seat"] for player in page["players"] if player["turn"]] == [1]
    assert {player["seat"] for player in page["players"] if player["you"]} == (
        seats if len(seats) == 1 else set()
    )
    assert page["can_move"] == (1 in seats)


def test_the_computer_is_named():
    duel = new(numduel.new("double-or-add"), 1, players=("human", "hard"))
    page = shown(duel, ONE)
    assert (page["sentence"], page["thinking"]) == ("The computer is thinking", True)
    assert [(player["name"], player["level"]) for player in page["players"]] == [
        ("Computer", "hard"),
        ("You", ""),
    ]
    assert "Player 2" not in html(duel, ONE)


def test_what_the_computer_did_is_told_with_whose_turn_it_is():
    duel = new(numduel.new("double-or-add"), 1, 2, players=("human", "hard"))
    assert shown(duel, ONE)["news"] == "The computer adds one: 2 → 3. Your turn"
    assert shown(duel, NOBODY)["news"] == "The computer adds one: 2 → 3. Player 1's turn"
    duel.apply(Move(1))
    assert shown(duel, ONE)["news"] == "The computer is thinking"


def test_an_end_against_the_computer_says_why():
    duel = new(numduel.new("operation-duel", start=9), 1, 2, players=("human", "hard"))
    assert shown(duel, ONE)["sentence"] == "The computer wins: 10 × 2 = 20"
    assert shown(duel, ONE)["players"][0]["won"]
    assert "confetti" not in html(duel, ONE)
    won = new(numduel.new("operation-duel", start=10), 2, players=("human", "hard"))
    assert shown(won, ONE)["sentence"] == "You win!"
    assert 'class="confetti"' in html(won, ONE)
    lost = new(numduel.new("operation-duel", start=15), 2, players=("human", "hard"))
    assert shown(lost, ONE)["why"] == "You went past 20: 15 × 2 = 30"


def test_what_a_player_holds_stands_beside_the_name_with_what_is_missing():
    duel = new(numduel.new("divisor-line"), 4, 5, 9)
    assert [(player["held"], player["open"]) for player in shown(duel, ONE)["players"]] == [
        ([5], 2),
        ([4, 9], 1),
    ]
    assert shown(new(numduel.new("multiplicity"), 4), ONE)["players"][0]["open"] == 0


def test_pupils_are_named():
    duel = new(numduel.new("double-or-add"), names=("Ada", "Bo"))
    assert shown(duel, TWO)["sentence"] == "Ada's turn"
    assert [player["name"] for player in shown(duel, TWO)["players"]] == ["Ada", "You"]
    assert [player["name"] for player in shown(duel, NOBODY)["players"]] == ["Bo", "Ada"]


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        (ONE, "Player 2 may take over the first move"),
        (TWO, "Take over the first move?"),
        (BOTH, "Take over the first move?"),
    ],
)
def test_the_swap_is_asked_about(seats, sentence):
    page = shown(new(numduel.new("double-or-add"), 1, swap=True), seats)
    assert (page["sentence"], page["can_swap"]) == (sentence, 2 in seats)
    assert not page["can_move"]


def test_an_end_says_who_won_and_how():
    duel = new(numduel.new("double-or-add"))
    duel.apply(Resign(2))
    assert shown(duel, ONE)["sentence"] == "You win!"
    assert shown(duel, TWO)["sentence"] == "Player 1 wins: You resigned"
    for seats in (BOTH, NOBODY):
        assert shown(duel, seats)["sentence"] == "Player 1 wins: Player 2 resigned"
    page = shown(duel, ONE)
    assert (page["tone"], page["over"], page["match_over"]) == ("over", True, True)
    assert (page["won"], page["why"]) == ("You win!", "Player 2 resigned")
    duel = new(numduel.new("double-or-add"), 1, turn_limit=1)
    assert shown(duel, ONE)["sentence"] == "Nobody wins: the limit of 1 turn is reached"


def test_a_match_has_a_score_and_a_result():
    duel = new(numduel.new("double-or-add"), rounds=2)
    assert shown(duel, ONE)["score"] == "Score: You: 0, Player 2: 0"
    duel.apply(Resign(2))
    assert shown(duel, ONE)["result"] == ""
    duel.apply(Next())
    duel.apply(Resign(2))
    assert shown(duel, ONE)["result"] == "You are the champion, 2 to 0!"
    assert shown(duel, TWO)["result"] == "Player 1 is the champion, 2 to 0!"
    assert shown(new(numduel.new("double-or-add")), ONE)["score"] == ""


def test_a_question_is_shown_to_the_one_who_is_asked():
    duel = new(numduel.new("double-or-add"), 1)
    duel.apply(Ask(1))
    assert (shown(duel, TWO)["asked_by"], shown(duel, TWO)["asking"]) == (1, False)
    assert (shown(duel, ONE)["asked_by"], shown(duel, ONE)["asking"]) == (None, True)
    assert not shown(duel, ONE)["can_undo"]
    assert "asks to take back" in html(duel, TWO)
    assert "asks to take back" not in html(duel, ONE)


def test_a_hint_is_for_the_mover_where_there_is_a_coach():
    duel = new(numduel.new("double-or-add"), coach=True)
    assert [shown(duel, seats)["can_hint"] for seats in (ONE, TWO, NOBODY)] == [True, False, False]
    assert not shown(new(numduel.new("double-or-add")), ONE)["can_hint"]


# Looking back.


@pytest.mark.parametrize("look", [0, 1, 2])
def test_looking_back_shows_an_earlier_board_and_lets_nobody_move(look):
    duel = new(numduel.new("double-or-add"), 1, 2, 1)
    page = shown(duel, TWO, look)
    assert (page["looking"], page["can_move"]) == (look, False)
    assert page["board"].number == ("Current Number", str([1, 2, 3][look]))


@pytest.mark.parametrize("look", [-1, 3, 10**100])
def test_there_is_nothing_to_look_back_at(look):
    page = shown(new(numduel.new("double-or-add"), 1, 2, 1), TWO, look)
    assert (page["looking"], page["can_move"]) == (None, True)


def test_the_history_is_in_words_where_there_is_a_menu_and_shows_the_latest():
    duel = new(
        numduel.new("operation-duel", target=10**9, operations="+1,x2"), 2, 1, turn_limit=500
    )
    assert [move.words for move in shown(duel, ONE)["history"]] == [
        "Multiply by 2 → 2",
        "Add 1 → 3",
    ]
    for _ in range(130):
        duel.apply(Move(1))
    history = shown(duel, ONE)["history"]
    assert (len(history), history[0].turn, history[-1].turn) == (100, 33, 132)
    assert [move.seat for move in history[:2]] == [1, 2]


def test_a_record_is_stepped_through():
    game = numduel.new("double-or-add")
    duel = new(game, 1, 2, 1)
    record = duel.match.record()
    assert views.round_page(duel.table, record, None)["at"] == 3
    assert views.round_page(duel.table, record, None)["ending"] == "The game is not finished."
    assert views.round_page(duel.table, record, 99)["at"] == 3
    start = views.round_page(duel.table, record, -5)
    assert (start["at"], start["board"].number) == (0, ("Current Number", "1"))
    duel.apply(Resign(1))
    assert (
        views.round_page(duel.table, duel.rounds[0], 0)["ending"]
        == "Player 2 wins: Player 1 resigned."
    )


@pytest.mark.parametrize("resigned", [False, True])
def test_no_page_of_a_long_game_replays_it(monkeypatch, resigned):
    game = numduel.new("divisor-line", size=4_000)
    duel = new(game, *range(2_001, 2_901), turn_limit=2_000)
    if resigned:
        duel.apply(Resign(1))
    made, after = [], type(game).after
    monkeypatch.setattr(type(game), "after", lambda *args: made.append(1) or after(*args))
    shown(duel, NOBODY, 898)
    views.round_page(duel.table, duel.match.record(), 449)
    assert len(made) < 898  # as many as the first of them alone would take


# Who was winning.


def test_the_bar_has_a_place_for_each_move_and_a_mistake_leads_to_before_it():
    game = numduel.new("double-or-add")
    duel = new(game, 1, 1, 1, 2, 2)
    found = analyze(game, duel.match.record())
    mistakes = [step.turn for step in found.turning_points]
    assert mistakes
    bar = views.bar(found, ("You", "Player 2"), 0)
    assert [one.seat for one in bar] == [*found.leads]
    assert [one.label for one in bar] == ["0", "1", "2", "3", "4", "5"]
    assert [one.move for one in bar] == [t - (t in mistakes) for t in range(6)]
    assert [one.mistake for one in bar] == [t in mistakes for t in range(6)]
    assert [one.here for one in bar] == [True, *[False] * 5]
    assert bar[mistakes[0]].said.startswith("a mistake: ")
    assert {one.said for one in bar} >= {"Player 2 is winning"}


def test_the_bar_says_who_is_winning():
    bar = views.bar(Analysis((), (0, 1, 2)), ("You", "Player 2"), 2)
    assert [one.said for one in bar] == [
        "nobody is winning",
        "You are winning",
        "Player 2 is winning",
    ]


def test_the_bar_of_a_long_game_has_its_mistakes_and_what_lies_between_them():
    step = Step(500, 1, 1, "1", Verdict("loss"), False, 2, "2", "because")
    bar = views.bar(Analysis((step,), (1,) * 500 + (2,) * 500), ("A", "B"), 700)
    assert [one.label for one in bar] == ["0", "499", "500", "700", "999"]
    assert [one.weight for one in bar] == [1, 499, 1, 200, 299]
    steps = tuple(step._replace(turn=turn) for turn in range(1, 999))
    assert len(views.bar(Analysis(steps, (1, 2) * 500), ("A", "B"), 0)) <= 30


@pytest.mark.parametrize(
    ("players", "you", "names"),
    [
        (("human", "easy"), 1, ("You", "The computer (easy)")),
        (("human", "human"), 0, ("Player 1", "Player 2")),
        (("Ada", "program:x"), 0, ("Ada (Player 1)", "The computer (program:x)")),
    ],
)
def test_what_the_players_of_a_record_are_called(players, you, names):
    record = new(numduel.new("double-or-add")).match.record()._replace(players=players)
    assert views.named(record, you) == names


@pytest.mark.parametrize(("key", "line"), [("divisor-line", True), ("multiplicity", False)])
def test_a_line_is_drawn_as_one_and_a_grid_as_another(key, line):
    game = numduel.new(key, size=20)
    assert drawn.board(game.words.scene(game.start())).row == line


def test_a_line_too_long_for_one_row_is_a_grid():
    game = numduel.new("divisor-line", size=21)
    board = drawn.board(game.words.scene(game.start()))
    assert (board.row, board.columns, board.large) == (False, 10, False)


def test_the_coach_is_for_who_plays_alone_or_agreed_on_it():
    alone = new(numduel.new("double-or-add"), players=("human", "easy"))
    for prefers, coach in ((None, False), (True, True), (False, False)):
        page = views.game_page(alone, ONE, None, views.Prefers(coach=prefers))
        assert (page["can_coach"], page["coach"], page["can_hint"]) == (True, coach, True)
    friends = new(numduel.new("double-or-add"))
    page = views.game_page(friends, ONE, None, views.Prefers(coach=True))
    assert (page["can_coach"], page["coach"], page["can_hint"]) == (False, False, False)


def test_links_on_a_board_too_large_to_be_shown_are_only_told():
    shown = drawn.board(Scene("Player 1's turn", links=(Link(7, 49, "pair"),)))
    assert shown.over == ""
    assert [link.end for link, _ in shown.links] == [49]
