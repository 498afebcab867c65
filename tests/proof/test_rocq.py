"""Certificates as theorems of Rocq (formerly Coq), which apply the theorems of proofs/."""

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.toy_games import position_after

import numduel
from numduel import CertificateError, TooLarge, Verdict
from numduel.games import OUR_GAMES
from numduel.proof.certificate import as_theorem

PROOFS = Path(__file__).parents[2] / "proofs"

POSITIONS = [
    ("multiplicity", {"size": 40, "opening": "even"}, [], "matching"),
    ("multiplicity", {"size": 40, "opening": "even", "start_open": True}, [], "matching"),
    ("multiplicity", {"size": 46, "opening": "even"}, [], "matching"),
    ("multiplicity", {"size": 50}, [7, 14], "matching"),
    ("multiplicity", {"size": 12}, [6], "strategy"),
    ("multiplicity", {"size": 500, "opening": "even"}, [], "primes"),
    ("multiplicity", {"size": 10**6, "start_open": True}, [], "primes"),
    ("multiplicity", {"size": 20}, [7, 14, 2, 4, 8, 16], "over"),
    ("divisor-line", {"size": 20}, [], "pair"),
    ("divisor-line", {"size": 20}, [4, 7, 9], "pair"),
    ("divisor-line", {"size": 16, "goal": "chain"}, [], "strategy"),
    ("divisor-line", {"size": 16, "goal": "chain"}, [5, 1], "strategy"),
    ("divisor-line", {"size": 16, "goal": "chain"}, [1, 5, 2, 6, 4], "over"),
    ("double-or-add", {}, [], "race"),
    ("double-or-add", {"target": 10**300 + 7}, [], "race"),
    ("operation-duel", {"target": 40}, [], "race"),
    ("operation-duel", {"target": 20, "operations": "+1,-2,x3"}, [], "numbers"),
    ("operation-duel", {"target": 9, "start": 4, "operations": "-2"}, [], "numbers"),
    ("divisor-duel", {}, [], "divisor"),
    ("divisor-duel", {"divisor": 8, "start": 3}, [], "remainders"),
    ("divisor-duel", {"divisor": 10**40}, [1, 2, 2], "divisor"),
    ("divisor-duel", {"divisor": 10, "ceiling": 40}, [], "numbers"),
    ("double-or-add", {"target": 4}, [1, 1], "over"),
    ("operation-duel", {"target": 5}, [1, 2, 2], "over"),
]


def certificate_of(key, settings, moves):
    game = numduel.new(key, **settings)
    return numduel.certify(game, position_after(game, *moves))


@pytest.mark.parametrize(("key", "settings", "moves", "kind"), POSITIONS)
def test_every_kind_of_proof_is_written(key, settings, moves, kind):
    made = certificate_of(key, settings, moves)
    text = as_theorem(made)
    assert kind in [proof["kind"] for proof in made.proofs]
    value, distance = made.verdict
    verb = {"win": "wins", "loss": "loses", "endless": "is_endless"}[value]
    claim = f"({verb}_in_ {distance})" if made.proves == "distance" else verb
    assert claim in text and text.count("Theorem verdict : means (") == 1


def test_a_strategy_without_a_distance():
    made = certificate_of("divisor-line", {"size": 16, "goal": "chain"}, [])
    [proof] = made.proofs
    wins = ({"kind": "strategy", "wins": proof["wins"]},)
    text = as_theorem(made._replace(proves="value", proofs=wins))
    assert "(wins_somehow)." in text and "strategy_checked" in text


def test_a_proof_without_a_theorem_is_refused(monkeypatch):
    monkeypatch.setitem(OUR_GAMES, "fifteen", "fifteen:Fifteen")
    game = numduel.new("fifteen")
    position = position_after(game, 5, 2, 8, 1, 6)
    with pytest.raises(CertificateError, match="by labels cannot be checked by Rocq"):
        as_theorem(numduel.certify(game, position))
    for key, settings in (("divisor-line", {}), ("multiplicity", {}), ("double-or-add", {})):
        made = certificate_of(key, settings, [])
        labels = made._replace(proves="value", proofs=({"kind": "labels", "labels": []},))
        with pytest.raises(CertificateError, match="by labels cannot be checked"):
            as_theorem(labels)


def test_rocq_does_not_count_to_a_million():
    made = certificate_of("divisor-line", {"size": 10**6}, [])
    with pytest.raises(TooLarge, match="up to 1,000, not 1,000,000"):
        as_theorem(made)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A function that lets Rocq check a theorem against the statements of proofs/."""
    if shutil.which("rocq") is None and shutil.which("coqc") is None:
        pytest.skip("no Rocq")
    folder = tmp_path_factory.mktemp("proofs")
    for file in PROOFS.glob("*.v"):
        shutil.copy(file, folder)
    compile_ = ["rocq", "compile"] if shutil.which("rocq") else ["coqc"]
    depend = ["rocq", "dep"] if shutil.which("rocq") else ["coqdep"]

    def run(*command):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    ordered = run(*depend, "-Q", ".", "Numduel", "-sort", "Certificates.v")[1].split()
    for file in ordered:  # the proofs of these are what `make proofs` checks
        status, said = run(*compile_, "-q", "-vos", "-Q", ".", "Numduel", file)
        assert status == 0, said

    def check(text):
        (folder / "Given.v").write_text(text)
        status, said = run(*compile_, "-q", "-vok", "-Q", ".", "Numduel", "Given.v")
        assert status in (0, 1), said
        return status == 0

    return check


@pytest.mark.soak
def test_rocq_accepts_what_is_true_and_refuses_what_is_false(compiled):
    texts = [as_theorem(certificate_of(*one[:3])) for one in POSITIONS]
    header = texts[0].partition("Theorem verdict")[0]
    theorems = [text.partition("Theorem verdict")[2] for text in texts]
    assert compiled(header + "".join(f"Theorem verdict_{n}{t}" for n, t in enumerate(theorems)))

    for kind in ("matching", "primes", "strategy", "pair", "race", "numbers"):
        made = certificate_of(*next(one[:3] for one in POSITIONS if one[3] == kind))
        value, distance = made.verdict
        wrong = [Verdict({"win": "loss", "loss": "win", "endless": "win"}[value], distance)]
        if made.proves == "distance":
            wrong.append(Verdict(value, distance + 2))
        for verdict in wrong:
            assert not compiled(as_theorem(made._replace(verdict=verdict))), (kind, verdict)
