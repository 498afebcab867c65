"""The names of pupils: in one form, in letters that are seen, and told apart by eye."""

from __future__ import annotations

import unicodedata

from numduel.core.errors import SettingsError
from numduel.core.numerals import quoted
from numduel.play.setup import check_name

# Marks and letters that nothing is seen of; other invisible characters are not printable anyway.
_UNSEEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)

# Writings that go with any alphabet, and with one another: nothing in them looks like a letter.
_WITH_ANY = ("", "BOPOMOFO", "CJK", "HANGUL", "HIRAGANA", "KATAKANA")

# What looks like a Latin letter, or like another sign, in most typefaces.
_LOOKS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԚԜаеѕіјорсухԛԝԁһӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορ" + "1I|0" + "‘’ʻʼ`´‐‑‒–—−",
    "ABESlJKMHOPCTYXQWaesijopcyxqwdhl" + "ABEZHlKMNOPTYXavop" + "lllO" + "''''''------",
)


def pupil_name(text: str) -> str:
    """A pupil's name in its one form; SettingsError says what to do."""
    name = check_name(text)
    if _UNSEEN & {*name}:
        raise SettingsError("a name has only characters that can be seen: please type it anew")
    words = {_alphabet(letter) for letter in name} - {*_WITH_ANY}
    alphabets = sorted(word.capitalize() for word in words)
    if len(alphabets) > 1:
        raise SettingsError(
            f"{quoted(name)} mixes {' and '.join(alphabets)} letters, which can look "
            "the same: please use one alphabet"
        )
    return name


def alike(one: str, two: str) -> bool:
    """Whether two names are the same but for their case, or look the same."""
    return one.casefold() == two.casefold() or _look(one) == _look(two)


def _look(name: str) -> str:
    return unicodedata.normalize("NFD", name).translate(_LOOKS)


def _alphabet(letter: str) -> str:
    """The word that Unicode names an alphabet's letters with; none for marks, digits and signs."""
    if unicodedata.category(letter) not in ("Lu", "Ll", "Lt", "Lo"):
        return ""
    return unicodedata.name(letter, "").partition(" ")[0]
