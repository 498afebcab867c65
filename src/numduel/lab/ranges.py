"""Several values of a setting in one text: `10..30`, `10..30..5`, `any|even`."""

from __future__ import annotations

from numduel.core.errors import SettingsError
from numduel.core.numerals import parse_whole, quoted


def values(text: str, most: int) -> list[str]:
    """Return the texts of the values. Raises SettingsError for a range of more than `most`."""
    found = []
    for each in text.split("|"):
        ends = [parse_whole(end) for end in each.split("..")]
        whole = [end for end in ends if end is not None]
        if len(ends) == 1 or len(whole) < len(ends) or len(ends) > 3:
            found.append(each)
            continue
        low, high, step = (*whole, 1)[:3]
        if step < 1 or high < low or (high - low) // step >= most:
            raise SettingsError(
                f"a range is like 10..30 or 10..30..5, of at most {most:,} values, "
                f"not {quoted(each)}"
            )
        found += map(str, range(low, high + 1, step))
    return found
