"""`numduel games`."""

import json

import numduel


def test_every_game_is_listed_with_its_settings(run):
    ran = run("games")
    assert (ran.status, ran.err) == (0, "")
    for key, title, settings in numduel.games():
        assert f"{key}: {title}. " in ran.out
        for setting in settings:
            default = setting.text(setting.default).replace("false", "no")
            assert f"    {setting.flag} ({default})  {setting.help}\n" in ran.out
    assert ran.out.endswith("Play one with: numduel play GAME\n")


def test_the_same_for_programs(run):
    listed = json.loads(run("games", "--json").out)
    assert [game["key"] for game in listed] == [game.key for game in numduel.games()]
    multiplicity = listed[-1]
    assert multiplicity["title"] == "Multiplicity"
    assert [setting["name"] for setting in multiplicity["settings"]] == [
        "size",
        "start",
        "opening",
        "start_open",
    ]
    assert multiplicity["settings"][3] == {
        "name": "start_open",
        "flag": "--start-open",
        "default": False,
        "allowed": "true or false",
        "help": "the start number can still be chosen, once",
    }
