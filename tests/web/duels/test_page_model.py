"""The page of a duel: the board of any game, whose turn it is, and how it ended."""

import pytest
from tests.toy_games import Nim

import numduel
from numduel.play.event import Ask, Move, Next, Resign
from numduel.play.setup import Setup
from numduel.web.cookies import Preferences
from numduel.web.duels.page_model import Coaching, GamePage
from numduel.web.duels.record import DuelRecord, Terms
from numduel.web.html import render
from numduel.web.reviews.page_model import replay_at

NOBODY, ONE, TWO, BOTH = map(frozenset, ((), {1}, {2}, {1, 2}))
KEYS = [key for key, _, _ in numduel.games()]


def new(game, *moves, players=("human", "human"), coach=False, **setup):
    usual = {"first": 1, "rounds": 1, "swap": False, "turn_limit": 50, "seed": 7, "started": ""}
    made = Setup(game=game, players=players, **{**usual, **setup})
    duel = DuelRecord("name", Terms(made, ("one", "two"), coach))
    for move in moves:
        duel.apply(Move(move))
    return duel


def shown(duel, seats, look=None, **given):
    return GamePage(duel, seats, look, **given)


def html(duel, seats, look=None):
    """Return the HTML of the page."""
    given = {"request": None, "server": True, "notice": "", "follows": ("", 0)}
    return render("game.html", page=shown(duel, seats, look), **given).decode()


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
def test_moves_on_a_board_that_is_too_large_to_draw_are_typed(key, size, drawn):
    duel = new(numduel.new(key, size=size))
    assert bool(shown(duel, ONE).board.squares) == drawn
    assert ('id="typed"' in html(duel, ONE)) != drawn
    assert ('id="m7"' in html(duel, ONE)) == drawn
    assert 'id="typed"' not in html(duel, TWO)
    assert len(html(duel, ONE)) < 200_000


def test_moves_of_a_game_from_elsewhere_are_typed_until_they_fit_a_menu():
    duel = new(Nim(stones=500))
    board = shown(duel, ONE).board
    assert (board.squares, board.options, board.offers) == ([], [], (("Available", "1-500"),))
    assert 'id="typed"' in html(duel, ONE)
    assert "Available: 1-500" in html(duel, TWO)
    duel.apply(Move(480))
    assert [option.label for option in shown(duel, TWO).board.options][:2] == [
        "1",
        "2",
    ]
    assert 'value="20"' in html(duel, TWO)
    duel.apply(Move(20))
    assert shown(duel, TWO).sentence == "You win!"
    assert shown(duel, ONE).sentence == "Player 2 wins: took"
    assert shown(duel, ONE).why == "took"
    assert [move.words for move in shown(duel, ONE).history] == ["480", "20"]


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
    assert (page.tone, page.sentence) == (tone, sentence)
    below = 2 if seats == TWO else 1  # the visitor sits below
    assert [player.seat for player in page.players] == [3 - below, below]
    assert [player.seat for player in page.players if player.turn] == [1]
    assert {player.seat for player in page.players if player.you} == (
        seats if len(seats) == 1 else set()
    )
    assert page.can_move == (1 in seats)


def test_the_computer_is_named():
    duel = new(numduel.new("double-or-add"), 1, players=("human", "hard"))
    page = shown(duel, ONE)
    assert (page.sentence, page.thinking) == ("Cal is thinking", True)
    assert [(player.name, player.level) for player in page.players] == [
        ("Cal", "hard"),
        ("You", ""),
    ]
    assert "Player 2" not in html(duel, ONE)
    assert 'aria-label="Cal thinks"' in html(duel, ONE)
    unnamed = new(numduel.new("double-or-add"), 1, players=("human", "level:3"))
    assert shown(unnamed, ONE).sentence == "The computer is thinking"


def test_the_face_of_the_computer_thinks_gulps_and_bows():
    duel = new(numduel.new("double-or-add", target=5), 1, 2, players=("human", "hard"))
    assert shown(duel, ONE).players[0].look == "ready"
    assert shown(duel, ONE, coaching=Coaching(slipped=True)).players[0].look == "gulps"
    duel.apply(Move(2))
    assert shown(duel, ONE).players[0].look == "thinks"
    duel.apply(Resign(2))
    assert [player.look for player in shown(duel, ONE).players] == ["bows", "ready"]


def test_the_news_says_what_the_computer_did_and_whose_turn_it_is():
    duel = new(numduel.new("double-or-add"), 1, 2, players=("human", "hard"))
    assert shown(duel, ONE).news == "Cal adds one: 2 → 3. Your turn"
    assert shown(duel, NOBODY).news == "Cal adds one: 2 → 3. Player 1's turn"
    duel.apply(Move(1))
    assert shown(duel, ONE).news == "Your move: Double → 6."


def test_an_end_against_the_computer_says_why():
    duel = new(numduel.new("operation-duel", start=9), 1, 2, players=("human", "hard"))
    assert shown(duel, ONE).sentence == "Cal wins: 10 × 2 = 20"
    assert shown(duel, ONE).players[0].won
    assert "confetti" not in html(duel, ONE)
    won = new(numduel.new("operation-duel", start=10), 2, players=("human", "hard"))
    assert shown(won, ONE).sentence == "You win!"
    assert 'class="confetti"' in html(won, ONE)
    lost = new(numduel.new("operation-duel", start=15), 2, players=("human", "hard"))
    assert shown(lost, ONE).why == "You went past 20: 15 × 2 = 30"


def test_the_numbers_that_a_player_holds_and_lacks_stand_beside_the_name():
    duel = new(numduel.new("divisor-line"), 4, 5, 9)
    assert [(player.held, player.open) for player in shown(duel, ONE).players] == [
        ([5], 2),
        ([4, 9], 1),
    ]
    assert shown(new(numduel.new("multiplicity"), 4), ONE).players[0].open == 0


def test_pupils_are_named():
    duel = new(numduel.new("double-or-add"), names=("Ada", "Bo"))
    assert shown(duel, TWO).sentence == "Ada's turn"
    assert [player.name for player in shown(duel, TWO).players] == ["Ada", "You"]
    assert [player.name for player in shown(duel, NOBODY).players] == ["Bo", "Ada"]


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        (ONE, "Player 2 may take over what was played"),
        (TWO, "Do you want to take over what was played?"),
        (BOTH, "Do you want to take over what was played?"),
    ],
)
def test_the_swap_is_asked_about(seats, sentence):
    page = shown(new(numduel.new("double-or-add"), 1, swap=True), seats)
    assert (page.sentence, page.can_swap) == (sentence, 2 in seats)
    assert not page.can_move


def test_the_sentence_at_the_end_says_who_won_and_how():
    duel = new(numduel.new("double-or-add"))
    duel.apply(Resign(2))
    assert shown(duel, ONE).sentence == "You win!"
    assert shown(duel, TWO).sentence == "Player 1 wins: You resigned"
    for seats in (BOTH, NOBODY):
        assert shown(duel, seats).sentence == "Player 1 wins: Player 2 resigned"
    page = shown(duel, ONE)
    assert (page.tone, page.duel.match.over) == ("over", True)
    assert (page.won, page.why) == ("You win!", "Player 2 resigned")
    duel = new(numduel.new("double-or-add"), 1, turn_limit=1)
    assert shown(duel, ONE).sentence == "Nobody wins: the limit of 1 turn is reached"


def test_a_match_has_a_score_and_a_result():
    duel = new(numduel.new("double-or-add"), rounds=2)
    assert shown(duel, ONE).score == "Score: You: 0, Player 2: 0"
    duel.apply(Resign(2))
    assert shown(duel, ONE).result == ""
    duel.apply(Next())
    duel.apply(Resign(2))
    assert shown(duel, ONE).result == "You are the champion, 2 to 0!"
    assert shown(duel, TWO).result == "Player 1 is the champion, 2 to 0!"
    assert 'href="/game/name/round/1"' in html(duel, ONE)
    assert shown(new(numduel.new("double-or-add")), ONE).score == ""


def test_a_request_is_shown_to_the_other_player():
    duel = new(numduel.new("double-or-add"), 1)
    duel.apply(Ask(1))
    assert (shown(duel, TWO).asked_by, shown(duel, TWO).asking) == (1, False)
    assert (shown(duel, ONE).asked_by, shown(duel, ONE).asking) == (None, True)
    assert not shown(duel, ONE).can_undo
    assert "asks to take back" in html(duel, TWO)
    assert "asks to take back" not in html(duel, ONE)


def test_the_mover_can_ask_for_a_hint_if_there_is_a_coach():
    duel = new(numduel.new("double-or-add"), coach=True)
    assert [shown(duel, seats).can_hint for seats in (ONE, TWO, NOBODY)] == [True, False, False]
    assert not shown(new(numduel.new("double-or-add")), ONE).can_hint


# Looking back.


@pytest.mark.parametrize("look", [0, 1, 2])
def test_looking_back_shows_an_earlier_board_and_lets_nobody_move(look):
    duel = new(numduel.new("double-or-add"), 1, 2, 1)
    page = shown(duel, TWO, look)
    assert (page.looking, page.can_move) == (look, False)
    assert page.board.number == ("Current Number", str([1, 2, 3][look]))


@pytest.mark.parametrize("look", [-1, 3, 10**100])
def test_there_is_nothing_to_look_back_at(look):
    page = shown(new(numduel.new("double-or-add"), 1, 2, 1), TWO, look)
    assert (page.looking, page.can_move) == (None, True)


def test_the_history_is_in_words_where_there_is_a_menu_and_shows_the_latest():
    duel = new(
        numduel.new("operation-duel", target=10**9, operations="+1,x2"), 2, 1, turn_limit=500
    )
    assert [move.words for move in shown(duel, ONE).history] == [
        "Multiply by 2 → 2",
        "Add 1 → 3",
    ]
    for _ in range(130):
        duel.apply(Move(1))
    history = shown(duel, ONE).history
    assert (len(history), history[0].turn, history[-1].turn) == (100, 33, 132)
    assert [move.seat for move in history[:2]] == [1, 2]


@pytest.mark.parametrize("resigned", [False, True])
def test_no_page_of_a_long_game_replays_it(monkeypatch, resigned):
    game = numduel.new("divisor-line", size=4_000)
    duel = new(game, *range(2_001, 2_901), turn_limit=2_000)
    if resigned:
        duel.apply(Resign(1))
    made, after = [], type(game).after
    monkeypatch.setattr(type(game), "after", lambda *args: made.append(1) or after(*args))
    assert shown(duel, NOBODY, 898).board and shown(duel, NOBODY, 898).history
    replay_at(duel.table, duel.match.record(), 449)
    assert len(made) < 898  # as many as the first page alone would take


def test_the_coach_is_for_people_who_play_alone_or_agreed_on_it():
    alone = new(numduel.new("double-or-add"), players=("human", "easy"))
    for prefers, coach in ((None, False), (True, True), (False, False)):
        page = GamePage(alone, ONE, None, Preferences(coach=prefers))
        assert (page.can_coach, page.coach, page.can_hint) == (True, coach, True)
    friends = new(numduel.new("double-or-add"))
    page = GamePage(friends, ONE, None, Preferences(coach=True))
    assert (page.can_coach, page.coach, page.can_hint) == (False, False, False)
