"""The names of pupils: normalised, visible, and distinguishable by eye."""

from __future__ import annotations

import unicodedata

from numduel.core.errors import SettingsError
from numduel.core.numerals import quoted
from numduel.play.setup import check_name

# Invisible letters and marks; other invisible characters are not printable and refused anyway.
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)

# Scripts that may be mixed with any alphabet: none of their signs looks like a letter.
_ANY_SCRIPT = ("", "BOPOMOFO", "CJK", "HANGUL", "HIRAGANA", "KATAKANA")

# Characters that look like a Latin letter, or like another sign, in most typefaces.
_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԚԜаеѕіјорсухԛԝԁһӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορ" + "1I|0" + "‘’ʻʼ`´‐‑‒–—−",
    "ABESlJKMHOPCTYXQWaesijopcyxqwdhl" + "ABEZHlKMNOPTYXavop" + "lllO" + "''''''------",
)


def pupil_name(text: str) -> str:
    """Return a pupil's name in its normal form; raises SettingsError if it cannot be used."""
    name = check_name(text)
    if _INVISIBLE & {*name}:
        raise SettingsError("a name has only characters that can be seen: please type it again")
    words = {_alphabet(letter) for letter in name} - {*_ANY_SCRIPT}
    alphabets = sorted(word.capitalize() for word in words)
    if len(alphabets) > 1:
        raise SettingsError(
            f"{quoted(name)} mixes {' and '.join(alphabets)} letters, which can look "
            "the same: please use one alphabet"
        )
    return name


def look_alike(one: str, two: str) -> bool:
    """Return whether two names differ only in case, or look the same."""
    return one.casefold() == two.casefold() or _appearance(one) == _appearance(two)


def _appearance(name: str) -> str:
    return unicodedata.normalize("NFD", name).translate(_LOOK_ALIKES)


def _alphabet(letter: str) -> str:
    """Return Unicode's word for the alphabet of a letter; empty for marks, digits and signs."""
    if unicodedata.category(letter) not in ("Lu", "Ll", "Lt", "Lo"):
        return ""
    return unicodedata.name(letter, "").partition(" ")[0]
