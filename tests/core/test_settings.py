"""Settings are declared once, checked, and written as text that can be read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numduel
from numduel.core.errors import SettingsError
from numduel.core.settings import (
    MAX_NUMBER,
    Flag,
    OptionalWhole,
    Setting,
    Settings,
    Whole,
    Word,
    values_in_text,
)
from numduel.games import game_type


class Kitchen(Settings):
    plates = Whole(4, "how many plates", low=2, high=12_000)
    guests = Whole(1, "how many guests")
    limit = OptionalWhole("how late it may get", low=3)
    style = Word("plain", "what is cooked", options=("plain", "spicy", "raw"))
    music_on = Flag("whether there is music")

    def agree(self):
        if self.guests > self.plates:
            raise SettingsError("there are more guests than plates")


class LargerKitchen(Kitchen):
    plates = Whole(40, "how many plates")
    cooks = Whole(2, "how many cooks")


SETTINGS = {setting.name: setting for setting in Kitchen.declared}
by_name = pytest.mark.parametrize("setting", Kitchen.declared, ids=lambda one: one.name)


def test_the_largest_number_has_1000_digits():
    assert int("9" * 1000) == MAX_NUMBER


def test_a_setting_that_is_not_given_has_its_default():
    values = {"plates": 4, "guests": 1, "limit": None, "style": "plain", "music_on": False}
    assert Kitchen().values == values
    assert Kitchen().changed() == {}


def test_values_are_read_as_attributes_and_declarations_from_the_class():
    kitchen = Kitchen(style="raw", limit=7)
    assert (kitchen.plates, kitchen.style, kitchen.limit) == (4, "raw", 7)
    assert Kitchen.style is SETTINGS["style"]
    assert isinstance(Kitchen.style, Word)
    assert kitchen.changed() == {"style": "raw", "limit": 7}


def test_a_subclass_keeps_the_order_and_may_replace_a_setting():
    names = [setting.name for setting in LargerKitchen.declared]
    assert names == ["plates", "guests", "limit", "style", "music_on", "cooks"]
    assert LargerKitchen().plates == 40
    assert Kitchen().plates == 4


def test_the_flag_is_the_name_with_dashes():
    assert [s.flag for s in Kitchen.declared] == [
        "--plates",
        "--guests",
        "--limit",
        "--style",
        "--music-on",
    ]


def test_the_base_class_of_settings_allows_no_value():
    bare = Setting(1, "bare")
    with pytest.raises(NotImplementedError):
        bare.check(1)
    with pytest.raises(NotImplementedError):
        bare.allowed  # noqa: B018  # it is a property


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("plates", 1, "plates must be a whole number from 2 to 12,000, not 1"),
        ("plates", 12_001, "plates must be a whole number from 2 to 12,000, not 12001"),
        ("plates", True, "plates must be a whole number from 2 to 12,000, not True"),
        ("plates", 3.0, "plates must be a whole number from 2 to 12,000, not a float"),
        ("plates", "3", "plates must be a whole number from 2 to 12,000, not '3'"),
        ("plates", None, "plates must be a whole number from 2 to 12,000, not none"),
        ("guests", 0, "guests must be a whole number from 1, of at most 1,000 digits, not 0"),
        ("limit", 2, "limit must be none or a whole number from 3, of at most 1,000 digits, not 2"),
        (
            "limit",
            10**5000,
            "limit must be none or a whole number from 3, of at most 1,000 digits, "
            "not 100000000000…000000000000 (5,001 digits)",
        ),
        ("style", "sweet", "style must be plain, spicy or raw, not 'sweet'"),
        ("style", ["plain"], "style must be plain, spicy or raw, not a list"),
        ("music_on", 1, "music_on must be true or false, not 1"),
        ("music_on", "true", "music_on must be true or false, not 'true'"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_value_that_is_not_allowed_is_refused_with_the_allowed_values(name, value, line):
    with pytest.raises(SettingsError) as caught:
        Kitchen(**{name: value})
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("plates", 2), ("plates", 12_000), ("limit", 3), ("limit", None), ("limit", MAX_NUMBER)],
    ids=["low", "high", "limit", "none", "largest"],
)
def test_the_bounds_themselves_are_allowed(name, value):
    assert Kitchen(**{name: value}).values[name] == value


def test_settings_that_contradict_each_other_are_refused():
    with pytest.raises(SettingsError, match="more guests than plates"):
        Kitchen(guests=5)
    assert Kitchen(guests=5, plates=5).guests == 5


@pytest.mark.parametrize("name", ["forks", "self", "values", "Plates", "music-on", "", "given"])
def test_an_unknown_setting_is_refused_and_the_known_ones_are_named(name):
    with pytest.raises(SettingsError) as caught:
        Kitchen(**{name: 1})
    known = "the settings are plates, guests, limit, style, music_on"
    assert str(caught.value) == f"there is no setting {name!r}; {known}"


def test_a_game_without_settings_accepts_none():
    assert Settings().values == {}
    with pytest.raises(SettingsError, match=r"^there is no setting 'size'; it has no settings$"):
        Settings(size=3)


VALUES = {
    "plates": st.integers(2, 12_000),
    "guests": st.integers(1, MAX_NUMBER),
    "limit": st.none() | st.integers(3, MAX_NUMBER),
    "style": st.sampled_from(["plain", "spicy", "raw"]),
    "music_on": st.booleans(),
}


@by_name
@given(data=st.data())
def test_a_value_can_be_read_back_from_its_text(setting, data):
    value = data.draw(VALUES[setting.name])
    assert setting.parse(setting.text(value)) == value
    assert setting.parse(f"  {setting.text(value)} ") == value
    assert setting.check(value) == value


@by_name
@given(text=st.text() | st.from_regex(r"-?[0-9]{1,1200}", fullmatch=True))
def test_any_text_is_a_value_or_refused(setting, text):
    try:
        value = setting.parse(text)
    except SettingsError as error:
        assert str(error).startswith(f"{setting.name} must be {setting.allowed}, not ")
        assert len(str(error)) < 400
    else:
        assert setting.check(value) == value


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("plates", " 0012 ", 12),
        ("limit", "None", None),
        ("limit", " NONE ", None),
        ("limit", "17", 17),
        ("music_on", "Yes", True),
        ("music_on", "y", True),
        ("music_on", "TRUE", True),
        ("music_on", "no", False),
        ("music_on", "n", False),
        ("music_on", " false ", False),
    ],
)
def test_what_people_type_for_a_value(name, text, value):
    assert SETTINGS[name].parse(text) == value


def test_texts_of_unknown_settings_are_returned_as_they_are():
    assert Kitchen.parse({"forks": "3", "plates": "3"}) == {"forks": "3", "plates": 3}


def test_settings_do_not_change():
    kitchen = Kitchen()
    with pytest.raises(AttributeError, match="settings do not change: plates"):
        kitchen.plates = 5
    with pytest.raises(AttributeError, match="settings do not change: forks"):
        kitchen.forks = 5
    assert kitchen == Kitchen()


def test_the_mapping_of_values_cannot_be_changed():
    kitchen = Kitchen()
    with pytest.raises(TypeError, match="does not support item assignment"):
        kitchen.values["plates"] = 5
    assert kitchen.plates == 4


def test_settings_hash_and_compare_by_content():
    assert Kitchen(plates=4) == Kitchen()
    assert hash(Kitchen(plates=4)) == hash(Kitchen())
    assert Kitchen(plates=5) != Kitchen()
    assert LargerKitchen(plates=4) != Kitchen()
    assert Kitchen() != Kitchen().values


def test_settings_in_words():
    kitchen = Kitchen(plates=12_000, music_on=True)
    assert kitchen.describe(changed=True) == "plates 12000, music on"
    assert kitchen.describe() == "plates 12000, guests 1, no limit, style plain, music on"


def test_settings_as_a_line_with_long_numbers_shortened():
    assert str(Kitchen(plates=5, music_on=True)) == (
        "plates 5, guests 1, limit none, style plain, music_on true"
    )
    assert "limit 100000000000…000000000000 (901 digits)," in str(Kitchen(limit=10**900))


@pytest.mark.parametrize("key", [listed.key for listed in numduel.games()])
def test_nearby_values_differ_from_the_default_and_some_are_allowed(key):
    kind = game_type(key)
    for setting in kind.settings_type.declared:
        near = setting.near(setting.default)
        assert setting.default not in near
        assert len(set(near)) == len(near)
        if near:
            assert any(setting.check(value) == value for value in near[:1])


def test_nearby_values_of_a_given_ceiling_and_of_a_plain_setting():
    ceiling = game_type("divisor-duel").settings_type.ceiling
    assert ceiling.near(100)[:3] == [None, 101, 99]
    assert Setting(1, "plain").near(1) == ()


def test_values_have_phrases_in_everyday_words():
    for key, settings, phrases in (
        ("double-or-add", {"target": 21}, ["race to 21", "start at 1"]),
        ("operation-duel", {"operations": "+1,-3,x2"}, ["race to 20", "start at 1", "+1, −3, ×2"]),
        ("divisor-duel", {}, ["multiples of 13", "start at 1", "no ceiling"]),
    ):
        assert numduel.new(key, **settings).settings.phrases() == phrases
    assert numduel.new("double-or-add", target=21).settings.phrases(changed=True) == ["race to 21"]


@pytest.mark.parametrize("text", ["5..4", "1..9..0", "1..100", "1..1000..9"])
def test_a_range_that_is_empty_or_too_long_is_refused(text):
    with pytest.raises(SettingsError, match="of at most 99 values, not '"):
        values_in_text(text, most=99)
    assert len(values_in_text("1..99", most=99)) == 99
