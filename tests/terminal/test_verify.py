"""`numduel solve --certificate` and `numduel verify`."""

import json

import numduel


def test_what_solve_writes_verify_accepts(run, tmp_path):
    ran = run("solve", "multiplicity", "--size", 20, "--after", "7,14", "--certificate", "proof")
    assert ran.status == 0
    ran = run("verify", "proof")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "Multiplicity (size 20, start 1, opening any)",
        "N = 14, Player 1 to move",
        "+ Player 1 wins in 6 of their moves with best play.",
        "Proved, by the rules of the game alone (matching and strategy).",
    ]
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["proof"]


def test_json_stays_json_beside_a_certificate(run, tmp_path):
    ran = run("solve", "double-or-add", "--json", "--certificate", "proof")
    assert json.loads(ran.out)["verdict"] == {"value": "loss", "distance": 30}
    assert json.loads((tmp_path / "proof").read_text())["verdict"]["distance"] == 30


def test_a_certificate_can_be_a_theorem(run, tmp_path):
    asked = ("solve", "double-or-add", "--coq")
    ran = run(*asked, "--certificate", "proof.v")
    assert (ran.status, ran.err) == (0, "")
    assert "(loses_in_ 30)." in (tmp_path / "proof.v").read_text()
    ran = run(*asked)
    assert ran.status == 2 and "--coq needs --certificate FILE." in ran.err
    line = "numduel: proof.v is a theorem of Rocq: `proofs/check proof.v` checks it\n"
    assert run("verify", "proof.v").err == line


def test_an_ended_game(run):
    assert run("solve", "multiplicity", "--after", "29", "--certificate", "proof").status == 0
    assert "The game is over." in run("verify", "proof").out


def test_a_wrong_certificate_is_refused_in_one_line(run, tmp_path):
    game = numduel.new("double-or-add")
    wrong = numduel.certify(game, game.start())._replace(verdict=numduel.Verdict("win", 30))
    (tmp_path / "proof").write_bytes(wrong.dumps())
    ran = run("verify", "proof")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "numduel: proof: proof 1, 'race': it proves loss in 30, not win in 30\n"


def test_a_file_is_replaced_only_by_force(run, tmp_path):
    (tmp_path / "proof").write_text("precious")
    ran = run("solve", "double-or-add", "--certificate", "proof")
    assert (ran.status, ran.err) == (1, "numduel: proof already exists; --force replaces it\n")
    assert (tmp_path / "proof").read_text() == "precious"
    assert run("solve", "double-or-add", "--certificate", "proof", "--force").status == 0
    assert run("verify", "proof").status == 0


def test_files_that_cannot_be_read_or_written(run):
    assert run("verify", "nothing").err == "numduel: nothing: No such file or directory\n"
    ran = run("solve", "double-or-add", "--certificate", "no/where")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "numduel: no/where: No such file or directory\n"
