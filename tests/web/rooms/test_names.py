"""Pupils' names: everybody's own writing, in one form, and none that passes for another's."""

import pytest

from numduel.core.errors import SettingsError
from numduel.web.rooms.names import look_alike, pupil_name


@pytest.mark.parametrize(
    "name",
    [
        *("Anna", "Zoë", "Núria", "Nguyễn", "O'Neil", "D’Arcy", "ʻIolani", "Mary-Jane", "Ann B."),
        *("Анна", "Ёлка", "Олексій", "Αννα", "Δημήτρης", "محمد", "فاطمة", "עדי", "राम", "สมชาย"),
        *("李小龙", "さくら", "佐々木", "マリー", "김민준", "한 Kim", "ქეთი", "አበበ", "Bot 7"),
    ],
)
def test_a_child_is_called_what_they_are_called(name):
    assert pupil_name(name) == name
    assert look_alike(name, name)


@pytest.mark.parametrize(
    ("typed", "name"),
    [("  Anna \t Lou ", "Anna Lou"), ("Ａnna", "Anna"), ("Zoe\u0308", "Zoë"), ("ﬁona", "fiona")],
)
def test_a_name_has_one_form(typed, name):
    assert pupil_name(typed) == name


@pytest.mark.parametrize(
    "name",
    [
        *("An\u200bna", "An\u034fna", "Anna\ufe0f", "\u3164", "A\u2800", "An\u00adna"),
        *("A\u202eb", "\x07A"),
    ],
)
def test_what_cannot_be_seen_is_refused(name):
    with pytest.raises(SettingsError, match="a name has"):
        pupil_name(name)


@pytest.mark.parametrize(
    ("name", "alphabets"),
    [("Аnna", "Cyrillic and Latin"), ("Αnna", "Greek and Latin"), ("Aнна", "Cyrillic and Latin")],
)
def test_letters_of_two_alphabets_that_look_the_same_are_refused(name, alphabets):
    with pytest.raises(SettingsError, match=f"mixes {alphabets} .*: please use one alphabet"):
        pupil_name(name)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Anna", "ANNA"),
        ("анна", "АННА"),
        ("Straße", "STRASSE"),
        ("Оса", "Oca"),  # the first is Cyrillic
        ("Ёсох", "Ëcox"),
        ("ΑΝΝΑ", "ANNA"),  # the first is Greek
        ("Ian", "lan"),
        ("B0b", "BOb"),
        ("O'Neil", "O’Neil"),
        ("Mary-Jane", "Mary–Jane"),
    ],
)
def test_names_that_look_the_same_are_alike(one, two):
    assert look_alike(pupil_name(one), pupil_name(two))
    assert look_alike(pupil_name(two), pupil_name(one))


@pytest.mark.parametrize(
    ("one", "two"),
    [("Anna", "Hanna"), ("Zoe", "Zoë"), ("Ian", "Lan"), ("Анна", "Anna"), ("Αννα", "Anna")],
)
def test_names_that_are_told_apart_by_eye_are_not(one, two):
    assert not look_alike(one, two)
