"""The terms of a duel; a form means the same as the command line."""

import click
import pytest

import numduel
from numduel import SettingsError
from numduel.core.settings import Flag, OptionalWhole, Whole, Word
from numduel.games import game_type
from numduel.play.setup import arrange
from numduel.players import computers
from numduel.terminal.options import game_from, setting_options
from numduel.web.duels.terms import MAX_ROUNDS, OPPONENTS, agree, agree_from_form
from numduel.web.game_settings import MAX_ROUND_MOVES, MAX_SIZE, check_size, game_from_form
from numduel.web.identity import hash_secret, new_code, new_name, new_secret, read_code

GAME = numduel.new("double-or-add")
PEOPLE = ("human", "human")


def refused(**asked):
    """Return the error for terms that are refused."""
    given = {"game": GAME, "players": PEOPLE, **asked}
    with pytest.raises(SettingsError) as caught:
        agree(given.pop("game"), given.pop("players"), **given)
    return str(caught.value)


def test_the_default_is_one_round_without_extras():
    terms, secrets = agree(GAME, PEOPLE)
    setup = terms.setup
    assert (setup.game, setup.players, setup.first, setup.rounds) == (GAME, PEOPLE, 1, 1)
    assert (setup.swap, setup.turn_limit, terms.coach) == (False, MAX_ROUND_MOVES, False)
    assert (setup.names, setup.best_of, terms.room) == ((None, None), False, None)
    assert secrets[0] != secrets[1]


@pytest.mark.parametrize("players", [PEOPLE, ("human", "easy"), ("perfect", "human")])
def test_each_person_gets_a_secret_of_which_only_the_hash_is_in_the_terms(players):
    terms, secrets = agree(GAME, players)
    for who, secret, kept in zip(players, secrets, terms.seats, strict=True):
        assert (secret is None) == (kept is None) == (who != "human")
        assert secret is None or kept == hash_secret(secret)
        assert secret is None or secret not in repr(terms)


@pytest.mark.parametrize(
    "player", ["program:touch /tmp/x", "program:", "PROGRAM:x", "Human", "", "human ", "nobody"]
)
@pytest.mark.parametrize("seat", [1, 2])
def test_a_visitor_runs_no_program_of_the_server(player, seat):
    players = (player, "human") if seat == 1 else ("human", player)
    line = refused(players=players)
    assert line.startswith("a player is human, random, easy, medium, hard, perfect or level:0-10, ")


@pytest.mark.parametrize("one", computers())
def test_two_computer_players_are_refused(one):
    assert refused(players=(one, "random")) == "one of the players must be human"


@pytest.mark.parametrize("first", ["0", "3", "", "Random", "1 "])
def test_the_first_player_must_be_valid(first):
    assert refused(first=first) == f"first must be 1, 2 or random, not {first!r}"


def test_the_seed_determines_how_the_coin_falls():
    for seed in range(8):
        setup = agree(GAME, PEOPLE, first="random", seed=seed).terms.setup
        there = arrange(GAME, first="random", seed=seed)  # as in the terminal
        assert (setup.coin, setup.first) == (True, there.first)
    assert {agree(GAME, PEOPLE, first="random").terms.setup.first for _ in range(100)} == {1, 2}
    assert agree(GAME, PEOPLE, first="2").terms.setup.first == 2


@pytest.mark.parametrize(
    ("name", "most"), [("rounds", MAX_ROUNDS), ("turn_limit", MAX_ROUND_MOVES)], ids=str
)
def test_rounds_and_turns_have_bounds(name, most):
    for fine in (1, most):
        assert getattr(agree(GAME, PEOPLE, **{name: fine}).terms.setup, name) == fine
    flag = name.replace("_", "-")
    for wrong in (0, -1, most + 1, 10**100):
        assert refused(**{name: wrong}).startswith(f"{flag} must be from 1 to {most:,}, not ")


def test_the_seed_has_bounds():
    assert agree(GAME, PEOPLE, seed=0).terms.setup.seed == 0
    for wrong in (-1, 2**64):
        assert refused(seed=wrong).startswith("seed must be from 0 to ")


@pytest.mark.parametrize("key", ["divisor-line", "multiplicity"])
def test_boards_are_served_up_to_a_size(key):
    assert check_size(numduel.new(key, size=MAX_SIZE)).settings.size == 10_000
    for size in (10_001, 1_000_000):
        assert refused(game=numduel.new(key, size=size)) == (
            f"size must be at most 10,000 here, not {size}; larger ones work in the terminal"
        )


@pytest.mark.parametrize("key", ["divisor-duel", "double-or-add", "operation-duel"])
def test_settings_that_are_not_sizes_may_be_large(key):
    name = "divisor" if key == "divisor-duel" else "target"
    assert check_size(numduel.new(key, **{name: 10**999})).settings.values[name] == 10**999


# Forms.


def test_an_empty_form_is_a_game_against_the_computer():
    terms, secrets = agree_from_form("multiplicity", {})
    assert terms.setup.game == numduel.new("multiplicity")
    assert terms.setup.players == ("human", "medium")
    assert secrets[1] is None


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_every_opponent_can_be_chosen(opponent):
    terms, secrets = agree_from_form("multiplicity", {"opponent": opponent})
    assert terms.setup.players == ("human", opponent if opponent in computers() else "human")
    assert (secrets[1] is None) == (opponent in computers())


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"opponent": "program:ls"}, "the opponent must be random, easy, medium, hard, perfect, "),
        ({"opponent": "human"}, "the opponent must be "),
        ({"opponent": ""}, "the opponent must be "),
        ({"rounds": "two"}, "rounds must be a whole number, not 'two'"),
        ({"rounds": "9" * 1001}, "rounds must be a whole number, not '999"),
        ({"rounds": "0"}, "rounds must be from 1 to 50, not 0"),
        ({"turn-limit": "2001"}, "turn-limit must be from 1 to 2,000, not 2001"),
        ({"turn-limit": "½"}, "turn-limit must be a whole number, not '½'"),
        ({"rounds": "2", "best-of": "on"}, "best-of must be an odd number of rounds, not 2"),
        ({"name1": "medium"}, "'medium' is the name of a computer player"),
        ({"name1": "x" * 21}, "a name has 1 to 20 printable characters, not 'xxx"),
        ({"first": "me"}, "first must be 1, 2 or random, not 'me'"),
        ({"set-size": "10001"}, "size must be at most 10,000 here, not 10001; larger ones"),
        ({"set-size": "1e3"}, "size must be a whole number from 1 to 10,000,000, not '1e3'"),
        ({"set-opening": "odd"}, "opening must be any or even, not 'odd'"),
        ({"set-start": "99"}, "start "),
    ],
)
def test_an_invalid_form_is_refused_in_one_line(form, why):
    with pytest.raises(SettingsError) as caught:
        agree_from_form("multiplicity", form)
    assert str(caught.value).startswith(why)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_a_blank_field_has_its_default():
    form = {"rounds": " ", "turn-limit": "", "set-size": "  ", "set-unknown": "7", "else": "x"}
    assert agree_from_form("multiplicity", form).terms.setup.game == numduel.new("multiplicity")


def test_a_form_sets_the_rest():
    form = {"first": "2", "rounds": "3", "swap": "on", "coach": "on", "turn-limit": "9"}
    terms = agree_from_form("double-or-add", {**form, "opponent": "hard"}).terms
    assert terms.coach
    assert terms.setup[1:6] == (("human", "hard"), 2, 3, True, 9)


def test_only_people_have_names_and_a_match_may_end_early():
    form = {"name1": " Ada ", "name2": "Bo", "best-of": "on", "rounds": "3"}
    setup = agree_from_form("double-or-add", {**form, "opponent": "here"}).terms.setup
    assert (setup.names, setup.best_of, setup.rounds) == (("Ada", "Bo"), True, 3)
    setup = agree_from_form("double-or-add", {**form, "opponent": "easy", "name1": " "}).terms.setup
    assert setup.names == (None, None)


def _texts(setting):
    """Yield texts for a setting: allowed ones, bounds, and invalid ones."""
    yield from ("", " ", "none", "x", "-1", "0", "1", "7", " 9 ", "+1,x2", "-1,*3", "9" * 1001)
    if isinstance(setting, Whole):
        yield from (str(setting.low), str(setting.low - 1), str(min(setting.high, 10_000)))
    elif isinstance(setting, OptionalWhole):
        yield from ("50", "None", "²")
    elif isinstance(setting, Word):
        yield from setting.options
    elif isinstance(setting, Flag):
        yield from ("true", "false", "yes", "No", "on")


SETTINGS = [
    pytest.param(key, setting, id=f"{key}-{setting.name}")
    for key, _, settings in numduel.games()
    for setting in settings
]


@pytest.mark.parametrize(("key", "setting"), SETTINGS)
def test_a_form_means_what_the_command_line_means(key, setting):
    kind = game_type(key)
    options = setting_options(kind)
    command = click.Command("x", params=options, callback=lambda **given: given)
    compared = 0
    for text in _texts(setting):
        form = _result_or_error(
            lambda text=text: game_from_form(key, {f"set-{setting.name}": text})
        )
        if not text.strip():
            assert form == numduel.new(key)  # a blank field is like a missing option
            continue
        if isinstance(setting, Flag):  # a flag has no text on the command line
            line = _result_or_error(
                lambda text=text: numduel.new(key, **{setting.name: setting.parse(text)})
            )
        else:
            argument = f"{setting.flag}={text}"
            line = _result_or_error(
                lambda argument=argument: game_from(
                    kind, command.main([argument], standalone_mode=False)
                )
            )
        assert form == line
        compared += 1
    assert compared > 5


def _result_or_error(make):
    try:
        return make()
    except SettingsError as error:
        return str(error)


# Secrets and names.


def test_secrets_and_names_are_long_and_never_the_same():
    secrets = {new_secret() for _ in range(1000)}
    names = {new_name() for _ in range(1000)}
    assert len(secrets) == len(names) == 1000
    assert all(len(secret) == 32 for secret in secrets)  # 24 bytes: 192 bits
    assert all(len(name) == 12 for name in names)  # 9 bytes: 72 bits
    for place in range(32):  # each part differs
        assert len({secret[place] for secret in secrets}) > 30


def test_a_hash_reveals_nothing_of_its_secret():
    one, two = new_secret(), new_secret()
    assert hash_secret(one) == hash_secret(one) != hash_secret(two)
    assert len(hash_secret(one)) == 64
    assert one not in hash_secret(one)


def test_a_code_is_read_in_any_spelling():
    code = new_code()
    assert (len(code), code.isalpha(), code.isupper()) == (5, True, True)
    assert not set("IO") & set("".join(new_code() for _ in range(500)))
    for typed in (code.lower(), f" {code} ", " ".join(code), f"{code[:2]}\n{code[2:]}"):
        assert read_code(typed) == code
    assert len(read_code("A" * 10_000)) == 6
