"""Certificates as files: they round-trip, and malformed ones are refused."""

import gzip
import json
import subprocess
import zlib

import pytest
from tests.proof.checkers import (
    CHECKERS,
    JAVASCRIPT,
    certify_and_check,
    common_verdict,
    verify_with_javascript,
)

import numduel
from numduel import Certificate, CertificateError, Verdict
from numduel.games.tally import theory
from numduel.proof import certificate, standalone
from numduel.proof.certificate import MAX_CERTIFICATE_BYTES, loads

GAME = numduel.new("multiplicity", size=12)
CERTIFICATE = numduel.certify(GAME, GAME.read("6:1,6/2"))
FIELDS = json.loads(CERTIFICATE.dumps())


def refusal(data):
    """Return why Numduel refuses a file, which all checkers must refuse."""
    assert common_verdict(data) is None
    with pytest.raises(CertificateError) as error:
        numduel.verify(loads(data))
    return str(error.value)


def test_a_certificate_holds_the_position_and_its_verdict():
    assert CERTIFICATE.game == "multiplicity"
    assert CERTIFICATE.settings["size"] == 12
    assert CERTIFICATE.position == "6:1,6/2"
    assert CERTIFICATE.verdict == numduel.solve(GAME, GAME.read("6:1,6/2")) == Verdict("loss", 4)
    assert CERTIFICATE.proves == "distance"
    assert numduel.verify(CERTIFICATE) == CERTIFICATE.verdict


def test_a_long_certificate_is_compressed(monkeypatch):
    monkeypatch.setattr(certificate, "MAX_PLAIN_BYTES", 1000)
    game = numduel.new("operation-duel", target=1000, operations="+1,x3")
    made = numduel.certify(game, game.start())
    data = made.dumps()
    assert len(gzip.decompress(data)) > 1000
    assert loads(data) == made
    assert standalone.check(data) == f"{made.verdict.value} in {made.verdict.distance}"


def test_a_position_that_play_cannot_reach_is_not_certified():
    with pytest.raises(numduel.PositionError):
        numduel.certify(GAME, GAME.start()._replace(number=7))


def test_a_certificate_that_would_be_too_long_is_not_made(monkeypatch):
    monkeypatch.setattr(theory, "MAX_NUMBER_LABELS", 100)
    game = numduel.new("operation-duel", target=200, operations="+1,+2")
    with pytest.raises(numduel.TooLarge, match="over 100 numbers"):
        numduel.certify(game, game.start())


@pytest.mark.no_cover
@pytest.mark.parametrize("top", [10**9, 10**999], ids=["9", "999"])
def test_below_a_high_ceiling_only_numbers_near_it_are_certified(top):
    game = numduel.new("operation-duel", target=top, start=top - 60, operations="+1,+4,x3")
    made = numduel.certify(game, game.start())
    checked = standalone.check(made.dumps())
    assert checked == f"{made.verdict.value} in {made.verdict.distance}"
    assert numduel.verify(made) == made.verdict
    game = numduel.new("operation-duel", target=top, start=top // 2, operations="+1,+4,x3")
    with pytest.raises(numduel.TooLarge, match=r"^a proof would need the labels of over [\d,]+ n"):
        numduel.certify(game, game.start())


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_must_be_there(name):
    fields = {key: value for key, value in FIELDS.items() if key != name}
    assert name in refusal(json.dumps(fields).encode())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("format", "numduel-certificate/2"),
        ("more", 1),
        ("game", None),
        ("game", "chess"),
        ("game", "x" * 1001),
        ("settings", []),
        ("settings", {"size": 10**6 + 1}),
        ("settings", {"width": 3}),
        ("position", 5),
        ("position", "7:1,6/2"),
        ("position", "nowhere"),
        ("verdict", "win"),
        ("verdict", {"value": "win"}),
        ("verdict", {"value": [], "distance": None}),
        ("verdict", {"value": "won", "distance": None}),
        ("verdict", {"value": "loss", "distance": -1}),
        ("verdict", {"value": "loss", "distance": 4.0}),
        ("verdict", {"value": "loss", "distance": None}),
        ("verdict", {"value": "win", "distance": 4}),
        ("verdict", {"value": "draw", "distance": 4}),
        ("verdict", {"value": "loss", "distance": 2}),
        ("verdict", {"value": "loss", "distance": 6}),
        ("proves", True),
        ("proves", "nothing"),
        ("proofs", {}),
        ("proofs", []),
        ("proofs", [1]),
        ("proofs", [{"pairs": []}]),
        ("proofs", [{"kind": ["matching"]}]),
        ("proofs", [{"kind": "faith"}]),
        ("proofs", [{"kind": "race", "layer": 0, "odd_from": None}]),
        ("proofs", [{"kind": "over"}]),
        ("proofs", [FIELDS["proofs"][0]]),
        ("proofs", [{"kind": "strategy", "wins": [[None, {"*": 0}]]}]),
        ("proofs", FIELDS["proofs"] * 2),
    ],
)
def test_a_field_with_a_wrong_value_is_refused(name, value):
    refusal(json.dumps({**FIELDS, name: value}).encode())


KEY_TWICE = [
    ('"size":12', '"size":41,"size":12'),
    ('"proves":"distance"', '"proves":"value","proves":"distance"'),
    ('"value":"loss"', '"value":"win","value":"loss"'),
    ('"kind":"matching"', '"kind":"over","kind":"matching"'),
    ('{"*":', '{"*":1,"*":'),
]


@pytest.mark.parametrize(("once", "twice"), KEY_TWICE)
def test_a_repeated_key_is_refused(once, twice):
    text = CERTIFICATE.dumps().decode()
    assert once in text and common_verdict(text.encode()) == "loss in 4"
    assert refusal(text.replace(once, twice, 1).encode()) == "an object has a key twice"


def test_an_ended_game_has_no_proof_but_over():
    settings = {"divisor": 13, "start": 1, "ceiling": None}
    false = Certificate(
        "divisor-duel",
        settings,
        "26!/2",
        Verdict("win", 1),
        "distance",
        ({"kind": "divisor", "remainder": 0},),
    )
    assert refusal(false.dumps()) == "proof 1, 'divisor': the game is over"
    true = false._replace(verdict=Verdict("loss", 0), proofs=({"kind": "over"},))
    assert common_verdict(true.dumps()) == "loss in 0"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"{",
        b"[]",
        b"null",
        b'{"format": NaN}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"9" * 5000,
        b" " * (MAX_CERTIFICATE_BYTES + 1),
        b"\x1f\x8b",
        b"\x1f\x8b" + b"x" * 100,
        gzip.compress(b"{}")[:-3],
        gzip.compress(b"{}") + b"more",
        gzip.compress(b" " * (MAX_CERTIFICATE_BYTES + 1)),
        gzip.compress(gzip.compress(CERTIFICATE.dumps())),
        zlib.compress(CERTIFICATE.dumps()),
    ],
    ids=range(17),
)
def test_a_file_that_is_no_certificate_is_refused(data):
    refusal(data)


@pytest.mark.skipif(verify_with_javascript not in CHECKERS, reason="no Node.js")
def test_the_checker_in_javascript_is_a_program(tmp_path):
    for data, status, said in (
        (CERTIFICATE.dumps(), 0, "proved: loss in 4\n"),
        (b"{", 1, "refused"),
    ):
        (tmp_path / "file").write_bytes(data)
        command = ["node", str(JAVASCRIPT), str(tmp_path / "file")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == status and done.stdout.startswith(said)


def test_a_claimed_distance_needs_no_proof_if_only_the_value_is_proved():
    said = CERTIFICATE._replace(
        proves="value", proofs=CERTIFICATE.proofs[:1], verdict=Verdict("loss", 40)
    )
    assert numduel.verify(said) == Verdict("loss")
    with pytest.raises(CertificateError, match="the distance is not proved"):
        numduel.verify(said._replace(proves="distance"))


def test_a_wrong_distance_is_refused_even_if_only_the_value_is_proved():
    game = numduel.new("double-or-add")
    made = numduel.certify(game, game.start())
    for proves in ("value", "distance"):
        wrong = made._replace(verdict=Verdict("loss", 28), proves=proves)
        assert refusal(wrong.dumps()) == "proof 1, 'race': it proves loss in 30, not loss in 28"


def test_an_ended_game_is_over():
    game = numduel.new("double-or-add", target=4)
    over = game.play(game.play(game.start(), 1), 1)
    made = numduel.certify(game, over)
    assert made == Certificate(
        "double-or-add",
        {"target": 4, "start": 1},
        "4!/1",
        Verdict("loss", 0),
        "distance",
        ({"kind": "over"},),
    )
    race = ({"kind": "race", "layer": 0, "odd_from": 2},)
    with pytest.raises(CertificateError, match="proof 1, 'race': the game is over"):
        numduel.verify(made._replace(proofs=race))


def test_an_endless_game_has_no_distance():
    game = numduel.new("divisor-duel")
    made = numduel.certify(game, game.start())
    assert (made.verdict, made.proves) == (Verdict("endless"), "value")
    why = refusal(made._replace(verdict=Verdict("win")).dumps())
    assert why == "proof 1, 'divisor': it proves endless, not win"


def test_positions_without_moves_need_no_label():
    game = numduel.new("operation-duel", target=9, start=4, operations="-2")
    made = certify_and_check(game, game.start())
    assert (made.verdict, made.proofs[0]["labels"]) == (Verdict("win", 1), [[4, 1]])


def test_settings_have_one_form():
    game = numduel.new("operation-duel")
    made = numduel.certify(game, game.start())
    loose = made._replace(settings={**made.settings, "operations": "+01, x2"})
    assert refusal(loose.dumps()) == "operations must be written '+1,x2'"
