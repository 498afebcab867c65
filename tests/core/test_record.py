"""Records are written, read back, and refused if they are damaged in any way."""

import json
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import numduel
from numduel.core.errors import RecordError, SettingsError
from numduel.core.game import OUTSIDE_REASONS, Outcome
from numduel.core.record import (
    MAX_GAME_MOVES,
    MAX_RECORD_BYTES,
    RECORD_FORMAT,
    Record,
    error_at,
    loads,
)

SCHEMA = json.loads((files("numduel.core") / "record.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)

FINISHED = Record(
    game="multiplicity",
    settings={"size": 20, "start": 1, "opening": "any", "start_open": False},
    players=("human", "random"),
    first=1,
    moves=(7, 14, 2, 4, 8, 16),
    outcome=Outcome(2, "stuck"),
    started="2026-01-02T03:04:05+00:00",
)
RECORDS = {
    "finished": FINISHED,
    "unfinished": FINISHED._replace(moves=(7, 14), outcome=None),
    "not begun": FINISHED._replace(moves=(), outcome=None),
    "resigned": FINISHED._replace(moves=(7, 14), outcome=Outcome(2, "resigned")),
    "limited": FINISHED._replace(moves=(7, 14), outcome=Outcome(None, "turn-limit")),
    "second first": FINISHED._replace(first=2, outcome=Outcome(1, "stuck")),
    "defaults": Record("divisor-line", {}, ("", "é\n😀"), 2, (1, 20), None, ""),
    "long numbers": Record(
        "double-or-add",
        {"target": 10**1000 - 1, "start": 10**999},
        ("human", "program:./bot"),
        1,
        (2, 2, 2, 1),
        None,
        "2026",
    ),
    "longest texts": FINISHED._replace(players=("a" * 1000, "😀" * 1000), started="s" * 1000),
}
every_record = pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)


def fields(record=FINISHED):
    """Return the fields of the JSON text of a record."""
    return json.loads(record.dumps())


def replayed(text):
    """Return the positions of the record in a text, after checking it as programs do."""
    record = loads(text)
    try:
        game = numduel.new(record.game, **record.settings)
    except SettingsError as error:
        raise error_at("field 'settings'", error) from None
    return list(record.positions(game))


# Writing and reading.


@every_record
def test_a_record_is_read_back_from_its_text_and_replays(record):
    assert loads(record.dumps()) == record
    assert loads(record.dumps().encode()) == record
    assert len(replayed(record.dumps())) == len(record.moves) + 1


def test_a_record_is_one_line_of_json_with_these_fields():
    text = FINISHED.dumps()
    assert text.endswith("}\n")
    assert text.count("\n") == 1
    assert list(json.loads(text)) == [
        *("format", "game", "settings", "players", "first", "moves", "outcome", "started"),
    ]
    assert json.loads(text)["outcome"] == {"winner": 2, "reason": "stuck"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32", "utf-16-le"])
def test_a_record_is_read_in_any_encoding_of_json(encoding):
    assert loads(FINISHED.dumps().encode(encoding)) == FINISHED


def test_a_game_of_another_package_may_end_without_a_winner():
    drawn = FINISHED._replace(outcome=Outcome(None, "filled up"))
    assert loads(drawn.dumps()) == drawn


# The schema.


def test_the_schema_is_itself_valid_and_agrees_with_the_code():
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert SCHEMA["properties"]["format"] == {"const": RECORD_FORMAT}
    assert SCHEMA["properties"]["moves"]["maxItems"] == MAX_GAME_MOVES
    assert SCHEMA["required"] == list(SCHEMA["properties"]) == ["format", *Record._fields]
    assert SCHEMA["$defs"]["outcome"]["required"] == list(Outcome._fields)
    assert not SCHEMA["additionalProperties"]
    assert not SCHEMA["$defs"]["outcome"]["additionalProperties"]
    assert all(
        reason in json.dumps(SCHEMA["$defs"]["outcome"]["allOf"]) for reason in OUTSIDE_REASONS
    )


@every_record
def test_our_records_validate_against_the_schema(record):
    VALIDATOR.validate(fields(record))


# Damage in one place.


def by_reason(one):
    return one if isinstance(one, str) and len(one) < 100 else ""


NOTHING = object()


def damaged(name, value=NOTHING):
    """Return the fields of a record with one changed, or without it."""
    changed = fields()
    changed.pop(name, None)
    return changed if value is NOTHING else {**changed, name: value}


REFUSED_BY_THE_SCHEMA_TOO = [
    *(
        (damaged(name), f"field '{name}' is missing")
        for name in ("game", "settings", "players", "first", "moves", "outcome", "started")
    ),
    (damaged("format"), "field 'format' must be 'numduel-record/1', not none"),
    (damaged("format", "numduel-record/2"), "must be 'numduel-record/1', not 'numduel-record/2'"),
    (damaged("format", [RECORD_FORMAT]), "field 'format' must be 'numduel-record/1', not a list"),
    (damaged("extra", 1), "field 'extra' is unknown"),
    (damaged("x" * 1000, 1), f"field '{'x' * 59}…' is unknown"),
    (damaged("game", 7), "field 'game' must be text of at most 1,000 characters"),
    (damaged("game", "g" * 1001), "field 'game' must be text of at most 1,000 characters"),
    (damaged("settings", []), "field 'settings' must be an object, not a list"),
    (damaged("players", "human"), "field 'players' must be two names"),
    (damaged("players", ["human"]), "field 'players' must be two names"),
    (damaged("players", ["human", None]), "field 'players' must be text of at most 1,000"),
    (damaged("players", ["human", "p" * 1001]), "field 'players' must be text of at most 1,000"),
    (damaged("first", 3), "field 'first' must be 1 or 2, not 3"),
    (damaged("first", True), "field 'first' must be 1 or 2, not True"),
    (damaged("first", "1"), "field 'first' must be 1 or 2, not '1'"),
    (damaged("moves", None), "field 'moves' must be a list of whole numbers"),
    (damaged("moves", "7,14"), "field 'moves' must be a list of whole numbers"),
    (damaged("moves", [7, "14"]), "field 'moves' must be a list of whole numbers"),
    (damaged("moves", [7, True]), "field 'moves' must be a list of whole numbers"),
    (damaged("moves", [1] * 100_001), "field 'moves' must be at most 100,000 moves, not 100,001"),
    (damaged("outcome", "stuck"), "field 'outcome' must be null, or an object of winner and"),
    (damaged("outcome", {"winner": 2}), "field 'outcome' must be null, or an object of winner"),
    (
        damaged("outcome", {"winner": 2, "reason": "stuck", "how": 1}),
        "field 'outcome' must be null, or an object of winner and reason",
    ),
    (damaged("outcome", {"winner": 3, "reason": "stuck"}), "field 'outcome' must be 1 or 2, not 3"),
    (damaged("outcome", {"winner": "2", "reason": "stuck"}), "field 'outcome' must be 1 or 2"),
    (damaged("outcome", {"winner": 2, "reason": None}), "field 'outcome' must be text of at most"),
    (damaged("outcome", {"winner": 2, "reason": "r" * 1001}), "field 'outcome' must be text of"),
    (
        damaged("outcome", {"winner": 1, "reason": "turn-limit"}),
        "field 'outcome' must have a winner after resigned or forfeited, and none after turn-limit",
    ),
    (
        damaged("outcome", {"winner": None, "reason": "resigned"}),
        "field 'outcome' must have a winner after resigned or forfeited, and none after turn-limit",
    ),
    (damaged("started", 2026), "field 'started' must be text of at most 1,000 characters"),
    (damaged("started", "s" * 1001), "field 'started' must be text of at most 1,000 characters"),
]

REFUSED_BY_THE_RULES = [
    (damaged("game", "chess"), "field 'settings': there is no game 'chess'; the games are"),
    (damaged("game", "divisor-duel"), "field 'settings': there is no setting 'size'; the"),
    (damaged("settings", {"self": 1}), "field 'settings': there is no setting 'self'; the"),
    (damaged("settings", {"size": 0}), "field 'settings': size must be a whole number from 1"),
    (damaged("settings", {"size": 20, "start": 21}), "field 'settings': start must be at most"),
    (damaged("settings", {"size": {"a": [1]}}), "field 'settings': size must be a whole number"),
    (damaged("settings", {"size": 10}), "field 'moves': move 2: 14 cannot be played: the game"),
    (damaged("moves", [7, 15]), "field 'moves': move 2: 15 is neither a multiple nor a divisor"),
    (damaged("moves", [-(10**999)]), "field 'moves': move 1: -100000000000…000000000000 (1,000"),
    (
        damaged("moves", [19, 1]),
        "field 'moves': move 2: 1 cannot be played: the game is over (N = 19",
    ),
    (
        damaged("moves", [7, 14]),
        "field 'outcome': the moves lead to an unfinished game, not Player 2 winning (stuck)",
    ),
    (
        damaged("outcome", None),
        "field 'outcome': the moves lead to Player 2 winning (stuck), not an unfinished game",
    ),
    (
        damaged("outcome", {"winner": 1, "reason": "stuck"}),
        "field 'outcome': the moves lead to Player 2 winning (stuck), not Player 1 winning (stuck)",
    ),
    (
        damaged("outcome", {"winner": 2, "reason": "resigned"}),
        "field 'outcome': the moves lead to Player 2 winning (stuck), not Player 2 winning (resig",
    ),
    (
        damaged("outcome", {"winner": None, "reason": "turn-limit"}),
        "field 'outcome': the moves lead to Player 2 winning (stuck), not nobody winning (turn-li",
    ),
    (
        damaged("outcome", {"winner": 2, "reason": "r" * 1000}),
        "field 'outcome': the moves lead to Player 2 winning (stuck), not Player 2 winning "
        f"({'r' * 60})",
    ),
    (damaged("first", 2), "field 'outcome': the moves lead to Player 1 winning (stuck), not Play"),
]


@pytest.mark.parametrize(("changed", "why"), REFUSED_BY_THE_SCHEMA_TOO, ids=by_reason)
def test_a_record_of_the_wrong_form_is_refused_by_us_and_by_the_schema(changed, why):
    assert not VALIDATOR.is_valid(changed)
    with pytest.raises(RecordError) as caught:
        loads(json.dumps(changed))
    assert why in str(caught.value)


@pytest.mark.parametrize(("changed", "why"), REFUSED_BY_THE_RULES, ids=by_reason)
def test_a_record_that_breaks_the_rules_is_refused_with_the_field(changed, why):
    with pytest.raises(RecordError) as caught:
        replayed(json.dumps(changed))
    assert str(caught.value).startswith(why)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1: not JSON (Expecting value)"),
        ("nonsense", "line 1: not JSON"),
        ('{\n"format": \n}', "line 3: not JSON"),
        (FINISHED.dumps() * 2, "line 2: not JSON (Extra data)"),
        (FINISHED.dumps()[:-3], "line 1: not JSON"),
        ("\ufeff" + FINISHED.dumps(), "line 1: not JSON"),
        ("null", "not a JSON object"),
        (b"\xff\xfe\xfd", "byte "),
        (b'{"format": "\xff"}', "byte 12: not UTF-8 text"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('{"a": ["\\ud800"]}', "half of a surrogate pair"),
        ('{"\\uDFFF": 1}', "half of a surrogate pair"),
        ('{"a": "\udc80"}', "half of a surrogate pair"),
        (b'{"a": "\xed\xa0\x80"}', "byte 7: not UTF-8 text"),
    ],
    ids=by_reason,
)
def test_a_text_that_is_not_a_json_object_is_refused_with_the_line(text, why):
    with pytest.raises(RecordError) as caught:
        loads(text)
    assert str(caught.value).startswith(why)


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ('"moves": [7', "field 'moves' must be a list of whole numbers"),
        ('"first": 1', "field 'first' must be 1 or 2, not a float"),
        ('"size": 20', "field 'settings': size must be a whole number from 1 to 10,000,000, not a"),
        ('"winner": 2', "field 'outcome' must be 1 or 2, not a float"),
    ],
)
@pytest.mark.parametrize("digits", [1001, 5000])
def test_a_number_of_too_many_digits_is_refused_with_the_field(before, why, digits):
    text = FINISHED.dumps()
    assert before in text
    with pytest.raises(RecordError) as caught:
        replayed(text.replace(before, before + "0" * digits))
    assert str(caught.value).startswith(why)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "7.0", "7e0"])
def test_a_move_must_be_a_whole_number(number):
    text = FINISHED.dumps().replace("[7,", f"[{number},")
    with pytest.raises(RecordError, match="field 'moves' must be a list of whole numbers"):
        loads(text)


def test_a_record_of_the_maximum_number_of_bytes_is_read_and_a_longer_one_refused():
    assert loads(FINISHED.dumps().ljust(MAX_RECORD_BYTES)) == FINISHED
    with pytest.raises(RecordError, match=r"^a record has at most 16,777,216 bytes$"):
        loads(b" " * (MAX_RECORD_BYTES + 1))


def test_a_record_of_the_longest_game_is_read():
    longest = Record("divisor-duel", {}, ("a", "b"), 1, (2,) * MAX_GAME_MOVES, None, "")
    assert len(loads(longest.dumps()).moves) == MAX_GAME_MOVES


# Damage anywhere.

json_value = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 60)
    | st.sampled_from([10**1500, 1.0, 7.5, float("inf"), float("nan")])
    | st.text(max_size=5)
    | st.sampled_from(["stuck", "resigned", "turn-limit", "even", RECORD_FORMAT, "divisor-line"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["size", "winner", "reason", "self", "x"]), inner, max_size=3
        )
    ),
    max_leaves=5,
)


def places(value, path=()):
    """Yield the path to every part of a JSON value."""
    yield path
    if isinstance(value, dict):
        children = value.items()
    else:
        children = enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


@st.composite
def mutated(draw):
    """A record in which up to three parts were replaced, removed or added."""
    holders = [fields(draw(st.sampled_from(list(RECORDS.values()))))]
    for _ in range(draw(st.integers(1, 3))):
        *path, last = draw(st.sampled_from([(0, *path) for path in places(holders[0])]))
        holder = holders
        for key in path:
            holder = holder[key]
        change = draw(st.sampled_from(["replace", "remove", "add"]))
        target = holder[last]
        if change == "add" and isinstance(target, dict):
            target[draw(st.text(max_size=5))] = draw(json_value)
        elif change == "add" and isinstance(target, list):
            target.insert(draw(st.integers(0, len(target))), draw(json_value))
        elif change == "remove" and path:
            del holder[last]
        else:
            holder[last] = draw(json_value)
    return holders[0]


def is_refused(text):
    """Return whether a text is refused. It fails if the text is neither refused nor replays."""
    try:
        positions = replayed(text)
    except RecordError as error:
        assert str(error)
        assert len(str(error)) < 500
        return True
    assert len(positions) == len(loads(text).moves) + 1
    return False


@pytest.mark.no_cover
@given(mutated())
def test_a_mutated_record_is_refused_or_replays_and_agrees_with_the_schema(changed):
    refused = is_refused(json.dumps(changed))
    if not VALIDATOR.is_valid(changed):
        assert refused


@given(st.data())
def test_a_record_with_damaged_bytes_is_refused_or_replays(data):
    text = data.draw(st.sampled_from([record.dumps().encode() for record in RECORDS.values()]))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 20, len(text))))
    is_refused(text[:start] + data.draw(st.binary(max_size=10)) + text[end:])
