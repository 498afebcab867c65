"""Places that clients hold for long, such as event streams, shared out evenly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from numduel.web.identity import Client


class Place:
    """A place that a client holds; `lost` is called if somebody else gets it."""

    def __init__(self, client: Client, lost: Callable[[], None]) -> None:
        self.prefix, self.person, self.lost = client.prefix, client.person, lost


class Places:
    """So many places, in total, for each client and for each person who is known.

    Where all are taken, one who holds fewer gets the oldest place of one who holds most: between
    clients, and between the people behind one client. A person holds the latest that they took.
    """

    def __init__(self, max_total: int, max_per_client: int, max_per_person: int) -> None:
        self.max_total = max_total
        self.max_per_client = max_per_client
        self.max_per_person = max_per_person
        self._held: dict[Place, None] = {}  # the oldest first

    def __len__(self) -> int:
        return len(self._held)

    def take(self, place: Place) -> bool:
        """Take a place, for which another one may be closed; return False if there is none."""
        own = [one for one in self._held if one.prefix == place.prefix]
        mine = [one for one in own if one.person == place.person]
        spare: Place | None = place
        if place.person and len(mine) >= self.max_per_person:
            spare = mine[0]
        elif len(own) >= self.max_per_client:
            spare = _spare(own, lambda one: one.person, len(mine))
        elif len(self._held) >= self.max_total:
            spare = _spare(self._held, lambda one: one.prefix, len(own))
        if spare is None:
            return False
        self.give_back(spare)
        if spare is not place:
            spare.lost()
        self._held[place] = None
        return True

    def __contains__(self, place: Place) -> bool:
        return place in self._held

    def is_held_by(self, person: str) -> bool:
        """Return whether a person holds a place."""
        return any(one.person == person for one in self._held)

    def give_back(self, place: Place) -> None:
        """Free a place; it may be free already."""
        self._held.pop(place, None)


def _spare(places: Iterable[Place], holder: Callable[[Place], str], fewer: int) -> Place | None:
    """Return the oldest place of whoever holds most; None if that is not more than `fewer`."""
    [(most, count)] = Counter(map(holder, places)).most_common(1)
    return next(one for one in places if holder(one) == most) if count > fewer else None
