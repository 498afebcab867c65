"""A checker of certificates in one file that needs only Python: `python standalone.py FILE`.

It was written from docs/certificates.md, and shares nothing with Numduel, not even the rules. It
prints what is proved and exits with 0, or prints the first error and exits with 1.
"""

from __future__ import annotations

import json
import re
import sys
import zlib
from typing import Any

MAX_FILE_BYTES = 24 * 2**20
MAX_LINE, MAX_POOL = 1_000_000, 10_000_000
MAX_NUMBER = 10**1000 - 1
MAX_STRATEGY_MOVES = 500_000
MAX_FOLLOWED_MOVES = 1_000
VALUES = ("win", "draw", "endless", "loss")

Parts = dict[str, Any]
Proved = tuple[str, int | None]  # a value, and the distance if it is proved


class NotProved(Exception):
    """The first error in a certificate."""


def need(condition: object, why: str) -> None:
    if not condition:
        raise NotProved(why)


def whole(value: object, low: int, high: int, what: str) -> int:
    need(type(value) is int and low <= value <= high, f"{what} is not a number within bounds")
    assert type(value) is int
    return value


def get_list(parts: Parts, name: str, most: int) -> list[Any]:
    found = parts.get(name)
    need(type(found) is list, f"{name} is not a list")
    assert type(found) is list
    need(len(found) <= most, f"{name} is too long")
    return found


def check_fields(parts: Parts, *names: str) -> None:
    need(parts.keys() == set(names), f"the fields must be: {', '.join(names) or 'none'}")


# The file.


def read_certificate(data: bytes) -> Parts:
    """Return the fields of a certificate."""
    need(len(data) <= MAX_FILE_BYTES, "the file is too long")
    if data[:2] == b"\x1f\x8b":
        unpack = zlib.decompressobj(31)
        try:
            data = unpack.decompress(data, MAX_FILE_BYTES + 1)
        except zlib.error as error:
            raise NotProved("the file is damaged") from error
        need(len(data) <= MAX_FILE_BYTES, "the file unpacks to too much")
        need(unpack.eof and not unpack.unused_data, "the file is damaged")
    try:
        fields = json.loads(data.decode("utf-8"), object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise NotProved("the file is not JSON") from error
    need(type(fields) is dict, "the file is not a JSON object")
    check_fields(fields, "format", "game", "settings", "position", "verdict", "proves", "proofs")
    need(fields["format"] == "numduel-certificate/1", "the format is unknown")
    need(fields["proves"] in ("value", "distance"), "proves must be value or distance")
    need(type(fields["position"]) is str, "the position is not a text")
    need(type(fields["settings"]) is dict, "the settings are not an object")
    verdict = fields["verdict"]
    need(type(verdict) is dict, "the verdict is not an object")
    check_fields(verdict, "value", "distance")
    need(verdict["value"] in VALUES, "the value is unknown")
    if verdict["distance"] is not None:
        whole(verdict["distance"], 0, MAX_NUMBER, "the distance")
    need(len(get_list(fields, "proofs", 2)) >= 1, "there is no proof")
    return dict(fields)


def unique_keys(pairs: list[tuple[str, Any]]) -> Parts:
    found = dict(pairs)
    need(len(found) == len(pairs), "an object has a key twice")
    return found


def check(data: bytes) -> str:
    """Return the verdict that a certificate proves. Raises NotProved if it proves none."""
    fields = read_certificate(data)
    need(type(fields["game"]) is str and fields["game"] in GAMES, "the game is unknown here")
    game = GAMES[fields["game"]](fields["settings"])
    game.read_position(fields["position"])
    verdict: Proved = fields["verdict"]["value"], fields["verdict"]["distance"]
    distance_proved = False
    for number, proof in enumerate(fields["proofs"], 1):
        need(type(proof) is dict and type(proof.get("kind")) is str, "a proof has no kind")
        parts = {name: part for name, part in proof.items() if name != "kind"}
        kind = proof["kind"]
        need(kind in game.kinds, f"proof {number}: the kind does not belong to the game")
        try:
            is_over = game.winner(game.root) is not None
            need((kind == "over") == is_over, "over is for games that are over, and for no others")
            value, distance = getattr(game, f"check_{kind}")(parts, verdict)
            need(value == verdict[0], f"it proves another value: {value}")
            need(
                None in (distance, verdict[1]) or distance == verdict[1],
                "it proves another distance",
            )
        except NotProved as error:
            raise NotProved(f"proof {number}, {kind}: {error}") from None
        distance_proved = distance_proved or (distance is not None and distance == verdict[1])
    if fields["proves"] == "value":
        return verdict[0]
    need(distance_proved, "the distance is not proved")
    return f"{verdict[0]} in {verdict[1]}"


# The base of all games. A position is a tuple that ends with the mover.


class Game:
    kinds: tuple[str, ...] = ("over", "labels", "strategy")
    root: Any

    def __init__(self, settings: Parts) -> None:
        raise NotImplementedError

    def read_position(self, text: str) -> None:
        """Set the root, which is the position of the certificate."""
        raise NotImplementedError

    def moves(self, position: Any) -> list[int]:
        raise NotImplementedError

    def after(self, position: Any, move: int) -> Any:
        raise NotImplementedError

    def winner(self, position: Any) -> int | None:
        """Return who has won, or None while the game goes on."""
        raise NotImplementedError

    def weight(self) -> int:
        """Return the size of the root, by which the number of moves is limited."""
        return 1

    def check_over(self, parts: Parts, verdict: Proved) -> Proved:
        check_fields(parts)
        return ("win" if self.winner(self.root) == self.root[-1] else "loss"), 0

    def check_labels(self, parts: Parts, verdict: Proved) -> Proved:
        """Check labels. No game of Numduel can be drawn, and the players always alternate."""
        check_fields(parts, "labels")
        labels = get_list(parts, "labels", 200_000)
        met, places, ways = [self.root], {self.root: 0}, []
        left = 5_000_000 // (1 + self.weight() // 200)
        for here in met:
            found: list[Any] = []
            for move in self.moves(here):
                left -= 1
                need(left >= 0, "the labels take too many moves to check")
                after = self.after(here, move)
                winner = self.winner(after)
                if winner is not None:
                    found.append(("win" if winner == after[-1] else "loss", 0))
                    continue
                if after not in places:
                    places[after] = len(met)
                    met.append(after)
                    need(len(met) <= len(labels), "there are more positions than labels")
                found.append(places[after])
            ways.append(found)
        need(len(met) == len(labels), "there are fewer positions than labels")
        for label, found in zip(labels, ways, strict=True):
            self.check_label(label, [labels[way] if type(way) is int else way for way in found])
        value, distance, *_ = labels[0]
        return value, distance

    def check_label(self, label: Any, found: list[Any]) -> None:
        for one in (label, *found):
            need(type(one) in (list, tuple) and len(one) in (2, 4), "a label is malformed")
        wins = [1 + one[1] for one in found if one[0] == "loss" and type(one[1]) is int]
        losses = [1 + one[1] for one in found if one[0] == "win" and type(one[1]) is int]
        if wins:
            right: list[Any] = ["win", min(wins)]
        elif len(losses) == len(found) > 0:
            right = ["loss", max(losses)]
        else:
            right = ["endless", None, None, None]
            need(any(one[0] == "endless" for one in found), "no move leads to an endless label")
        need(label == right and type(label[1]) in (int, type(None)), f"a label is wrong: {label}")

    def check_strategy(self, parts: Parts, verdict: Proved) -> Proved:
        has_distance = "holds" in parts
        check_fields(parts, *(["wins", "holds"] if has_distance else ["wins"]))
        value, distance = verdict
        need(value in ("win", "loss"), "a strategy proves a win or a loss")
        winner = self.root[-1] if value == "win" else 3 - self.root[-1]
        most = MAX_FOLLOWED_MOVES
        if has_distance:
            most = whole(distance, 1, MAX_FOLLOWED_MOVES, "the distance")
        left = self.follow(parts, "wins", winner, winner, most, MAX_STRATEGY_MOVES)
        if not has_distance:
            return value, None
        self.follow(parts, "holds", 3 - winner, winner, most - 1, left)
        return value, distance

    def follow(self, parts: Parts, name: str, seat: int, winner: int, most: int, left: int) -> int:
        """Follow a strategy, and return how many of the `left` moves remain."""
        nodes = get_list(parts, name, 200_000)
        need(nodes, f"{name} is empty")
        for place, node in enumerate(nodes):
            need(type(node) is list and len(node) == 2, f"{name}: a node is not a pair")
            move, then = node
            need(move is None or type(move) is int, f"{name}: a move is not a number")
            need(type(then) is dict, f"{name}: the answers are not an object")
            for key, to in then.items():
                need(re.fullmatch(r"\*|0|-?[1-9][0-9]{0,999}", key), f"{name}: {key} is no move")
                whole(to, place + 1, len(nodes) - 1, f"{name}: a place")
        each = 1 + self.weight() // 200
        waiting = [(self.root, 0, 0)] if most else []
        while waiting:
            here, place, made = waiting.pop()
            move, then = nodes[place]
            mine = here[-1] == seat
            legal = self.moves(here)
            need(not mine or move in legal, f"{name}: {move} is not a legal move")
            for one in [move] if mine else legal:
                left -= each
                need(left >= 0, f"{name}: it takes too many moves to follow")
                after = self.after(here, one)
                won = self.winner(after)
                if won is not None:
                    need((won == winner) == (seat == winner), f"{name}: the wrong player wins")
                elif made + 1 < most:
                    to = place if mine else then.get(str(one), then.get("*"))
                    need(to is not None, f"{name}: there is no answer to {one}")
                    waiting.append((after, to, made + 1))
                else:
                    need(seat != winner, f"{name}: a game lasts too long")
        return left


def get_number(settings: Parts, name: str, default: int, low: int, high: int) -> int:
    return whole(settings.get(name, default), low, high, name)


def check_settings(settings: Parts, *names: str) -> None:
    need(settings.keys() <= set(names), f"the settings are {', '.join(names)}")


def numbers(text: str, size: int) -> frozenset[int]:
    """Return the numbers in a list such as `1,7-9`."""
    found: set[int] = set()
    last = -1
    for part in text.split(",") if text != "-" else []:
        match = re.fullmatch(r"([1-9][0-9]{0,6})(?:-([1-9][0-9]{0,6}))?", part, re.ASCII)
        need(match, "a list of numbers is malformed")
        assert match
        low, high = int(match[1]), int(match[2] or match[1])
        need(
            last + 1 < low <= high <= size and (match[2] is None or low < high), "a list of numbers"
        )
        found.update(range(low, high + 1))
        last = high
    return frozenset(found)


def split_position(text: str) -> tuple[str, bool, int]:
    """Return the text before the slash, whether the game is marked as ended, and the mover."""
    need(re.search(r"/[12]\Z", text), "the position has no mover")
    held = text[:-2]
    return held.removesuffix("!"), held.endswith("!"), int(text[-1])


# Tally games: a position is (number, end, mover), where `end` is the value of `Tally.end_at`.


class Tally(Game):
    kinds = (*Game.kinds, "numbers", "remainders", "divisor", "race")
    goal: int
    ceiling: int | None
    start: int
    menu: list[tuple[str, int]]

    def result(self, number: int, move: int) -> int:
        sign, amount = self.menu[move - 1]
        return {"+": number + amount, "-": number - amount, "x": number * amount}[sign]

    def legal(self, number: int) -> list[int]:
        every = range(1, len(self.menu) + 1)
        return [move for move in every if self.result(number, move) >= 1]

    def end_at(self, number: int) -> int:
        """Return 1 if a move to that number wins, -1 if it loses, 0 if the game goes on."""
        if self.ceiling is not None and number > self.ceiling:
            return -1
        return 1 if number % self.goal == 0 else 0

    def read_position(self, text: str) -> None:
        held, ended, mover = split_position(text)
        need(re.fullmatch(r"[1-9][0-9]{0,999}|0x[1-9a-f][0-9a-f]{0,29997}", held), "the number")
        number = int(held, 16) if held.startswith("0x") else int(held)
        need((number > MAX_NUMBER) == held.startswith("0x"), "the number is in the wrong base")
        end = self.end_at(number)
        if ended:
            need(end, "the game is marked as ended, but it is not")
        else:
            need(end == 0 or (number == self.start and end > 0), "the game ends at that number")
        self.root = number, end if ended else 0, mover

    def moves(self, position: Any) -> list[int]:
        return [] if position[1] else self.legal(position[0])

    def after(self, position: Any, move: int) -> Any:
        number = self.result(position[0], move)
        return number, self.end_at(number), 3 - position[2]

    def winner(self, position: Any) -> int | None:
        number, end, mover = position
        if end:
            return int(mover if end < 0 else 3 - mover)
        return None if self.legal(number) else 3 - mover

    def races(self) -> bool:
        return sorted(self.menu) == [("+", 1), ("x", 2)]

    def check_numbers(self, parts: Parts, verdict: Proved) -> Proved:
        check_fields(parts, "labels")
        need(self.ceiling is not None, "there is no ceiling")
        labels: dict[int, int] = {}
        last = 0
        for pair in get_list(parts, "labels", 1_000_000):
            need(type(pair) is list and len(pair) == 2, "a label is not a pair")
            last = whole(pair[0], last + 1, self.ceiling or 0, "a labelled number")
            labels[last] = whole(pair[1], -MAX_NUMBER, MAX_NUMBER, "a label")
        for number, label in labels.items():
            values = []
            for move in self.legal(number):
                result = self.result(number, move)
                end = self.end_at(result)
                if not end and result not in labels:
                    need(not self.legal(result), f"{result} has no label")
                    end = 1
                values.append(end or label_before(labels[result]))
            need(values and label == best(values), f"the label of {number} is wrong")
        need(self.root[0] in labels, "the number has no label")
        return verdict_of(labels[self.root[0]])

    def divisor(self) -> int:
        need(self.ceiling is None and self.races(), "this is not Divisor Duel without a ceiling")
        return self.goal

    def check_remainders(self, parts: Parts, verdict: Proved) -> Proved:
        check_fields(parts, "labels")
        labels, divisor = get_list(parts, "labels", 1_000), self.divisor()
        need(len(labels) == divisor, "there are not as many labels as remainders")
        for label in labels:
            whole(label, -MAX_NUMBER, MAX_NUMBER, "a label")
        for remainder, label in enumerate(labels):
            results = [(remainder + 1) % divisor, 2 * remainder % divisor]
            values = [label_before(labels[result]) if result else 1 for result in results]
            need(label == best(values), f"the label of remainder {remainder} is wrong")
        return verdict_of(labels[self.root[0] % divisor])

    def check_divisor(self, parts: Parts, verdict: Proved) -> Proved:
        check_fields(parts, "remainder")
        divisor = self.divisor()
        remainder = whole(parts["remainder"], 0, divisor - 1, "the remainder")
        need(divisor >= 9, "the divisor is too small")
        need(remainder == self.root[0] % divisor, "this is not the remainder of the number")
        hot = remainder in (0, divisor - 1) or 2 * remainder == divisor
        return ("win", 1) if hot else ("endless", None)

    def check_race(self, parts: Parts, verdict: Proved) -> Proved:
        check_fields(parts, "layer", "odd_from")
        number, target = self.root[0], self.goal
        need(self.races() and self.ceiling == target and number < target, "this is not a race")
        k = whole(parts["layer"], 0, 4_000, "the layer")
        need(target // 2 ** (k + 1) < number <= target // 2**k, "the number is in another layer")
        ones = [place for place in range(0, target.bit_length(), 2) if target >> place & 1]
        right = ones[0] if ones else None
        given = parts["odd_from"]
        need(given == right and type(given) is type(right), "this is not the first odd layer")
        e = k + 1 if right is None else right
        far = target - number - sum(target >> j for j in range(2, min(k, e) + 1, 2))
        if k >= e:
            return ("loss" if number % 2 else "win"), far
        if k % 2 == 0:
            return ("win" if number % 2 else "loss"), far
        return "win", 1 + target - 2 * number - sum(target >> j for j in range(2, k, 2))


def label_before(label: int) -> int:
    return 0 if label == 0 else 1 - label if label < 0 else -1 - label


def best(values: list[int]) -> int:
    positive = [value for value in values if value > 0]
    if positive:
        return min(positive)
    return 0 if 0 in values else min(values)


def verdict_of(label: int) -> Proved:
    if label == 0:
        return "endless", None
    return ("win" if label > 0 else "loss"), abs(label)


class DivisorDuel(Tally):
    def __init__(self, settings: Parts) -> None:
        check_settings(settings, "divisor", "start", "ceiling")
        self.goal = get_number(settings, "divisor", 13, 1, MAX_NUMBER)
        self.start = get_number(settings, "start", 1, 1, MAX_NUMBER)
        self.ceiling = settings.get("ceiling")
        if self.ceiling is not None:
            whole(self.ceiling, self.start + 1, MAX_NUMBER, "ceiling")
        self.menu = [("+", 1), ("x", 2)]


class OperationDuel(Tally):
    def __init__(self, settings: Parts) -> None:
        check_settings(settings, "target", "start", "operations")
        self.start = get_number(settings, "start", 1, 1, MAX_NUMBER)
        self.goal = self.ceiling = get_number(settings, "target", 20, self.start + 1, MAX_NUMBER)
        text = settings.get("operations", "+1,x2")
        need(type(text) is str and len(text) < 10_000, "operations is not a text")
        self.menu = []
        for part in text.split(","):
            need(re.fullmatch(r"[-+x][1-9][0-9]{0,999}", part) and part != "x1", "operations")
            self.menu.append((part[0], int(part[1:])))
        need(len(set(self.menu)) == len(self.menu) <= 9, "operations")


class DoubleOrAdd(Tally):
    def __init__(self, settings: Parts) -> None:
        check_settings(settings, "target", "start")
        self.start = get_number(settings, "start", 1, 1, MAX_NUMBER)
        self.goal = self.ceiling = get_number(settings, "target", 31, self.start + 1, MAX_NUMBER)
        self.menu = [("x", 2), ("+", 1)]


# Divisor Line: a position is (numbers of 1, numbers of 2, whether the last claim won, mover).


class DivisorLine(Game):
    kinds = (*Game.kinds, "pair")

    def __init__(self, settings: Parts) -> None:
        check_settings(settings, "size", "goal")
        self.goal = settings.get("goal", "pair")
        need(self.goal in ("pair", "chain"), "goal")
        self.size = get_number(settings, "size", 20, 6 if self.goal == "pair" else 16, MAX_LINE)

    def read_position(self, text: str) -> None:
        held, won, mover = split_position(text)
        crosses, colon, noughts = held.partition(":")
        need(colon, "the position has no colon")
        marks = numbers(crosses, self.size), numbers(noughts, self.size)
        mine, theirs = marks[mover - 1], marks[2 - mover]
        need(not mine & theirs, "a number is claimed twice")
        need(len(theirs) - len(mine) in (0, 1), "the players have not taken turns")
        need(not self.wins(mine), "the mover has won already")
        need(self.wins(theirs) == won, "the mark of a win is wrong")
        self.root = (*marks, won, mover)

    def wins(self, held: frozenset[int]) -> bool:
        if len(held) < 3:
            return False
        longest = dict.fromkeys(sorted(held), 1)  # the longest chain that ends at each
        enough, top = (2 if self.goal == "pair" else 3), max(held)
        for number, length in longest.items():
            if length == enough:
                return True
            if top // number < len(held):
                above = [m for m in range(2 * number, top + 1, number) if m in held]
            else:
                above = [m for m in held if m > number and m % number == 0]
            for multiple in above:
                longest[multiple] = max(longest[multiple], length + 1)
        return False

    def completes(self, held: frozenset[int], number: int) -> bool:
        """Return whether the holder of these numbers, who has not won yet, wins with one more."""
        below = [one for one in held if number % one == 0]
        above = [one for one in held if one % number == 0]
        if self.goal == "pair":
            two = len(held) == 2 and max(held) % min(held) == 0
            return len(held) >= 2 and bool(below or above or two)
        if below and above:
            return True
        return any(a < b and b % a == 0 for side in (below, above) for a in side for b in side)

    def moves(self, position: Any) -> list[int]:
        crosses, noughts, _, _ = position
        return [n for n in range(1, self.size + 1) if n not in crosses and n not in noughts]

    def after(self, position: Any, move: int) -> Any:
        marks, mover = list(position[:2]), position[3]
        won = self.completes(marks[mover - 1], move)
        marks[mover - 1] = marks[mover - 1] | {move}
        return (*marks, won, 3 - mover)

    def winner(self, position: Any) -> int | None:
        return 3 - position[3] if position[2] else None

    def weight(self) -> int:
        return len(self.root[0]) + len(self.root[1]) + self.size // 10

    def claims(self, held: frozenset[int], free: bytearray) -> set[int]:
        """Return the free numbers that win, or two or more of them if there are many."""
        if len(held) < 2:
            return set()
        if len(held) == 2 and max(held) % min(held) == 0:
            return first_two(free)
        mark = bytearray(self.size + 1)
        for one in held:
            mark[one] = 1
        found: set[int] = set()
        for n in range(1, self.size // 2 + 1):
            if mark[n]:
                found |= {(at + 2) * n for at in first_two(free[2 * n :: n])}
            elif free[n] and mark[2 * n :: n].find(1) >= 0:
                found.add(n)
            if len(found) > 1:
                break
        return found

    def check_pair(self, parts: Parts, verdict: Proved) -> Proved:
        check_fields(parts, "claims")
        need(self.goal == "pair", "the theorem is for the goal pair")
        mover = self.root[3]
        mine, theirs = self.root[mover - 1], self.root[2 - mover]
        free = bytearray([1]) * (self.size + 1)
        free[0] = 0
        for n in mine | theirs:
            free[n] = 0
        claims = get_list(parts, "claims", 2)
        for claim in claims:
            need(free[whole(claim, 1, self.size, "a claim")], "a claim is not free")
        need(len(set(claims)) == len(claims), "the claims are the same")
        if len(theirs) < 2:
            need(not claims, "it is too early for claims")
            return [("win", 5), ("loss", 4), ("win", 3)][len(mine) + len(theirs)]
        if len(claims) == 1 and self.completes(mine, claims[0]):
            return "win", 1
        need(not self.claims(mine, free), "the mover has a claim")
        if len(claims) == 2:
            need(
                all(self.completes(theirs, c) for c in claims),
                "these are not claims of the opponent",
            )
            return "loss", 2
        need(self.claims(theirs, free) == set(claims), "these are not the claims of the opponent")
        return "win", 3


def first_two(marks: bytearray) -> set[int]:
    """Return the first two places that are marked, or fewer."""
    first = marks.find(1)
    return {place for place in (first, marks.find(1, first + 1)) if place >= 0}


# Multiplicity: a position is (current number, chosen numbers, mover).


class Multiplicity(Game):
    kinds = (*Game.kinds, "matching", "primes")

    def __init__(self, settings: Parts) -> None:
        check_settings(settings, "size", "start", "opening", "start_open")
        self.size = get_number(settings, "size", 50, 1, MAX_POOL)
        self.start = get_number(settings, "start", 1, 1, self.size)
        self.opening = settings.get("opening", "any")
        need(self.opening in ("any", "even"), "opening")
        start_open = settings.get("start_open", False)
        need(type(start_open) is bool, "start_open")
        self.before = frozenset() if start_open else frozenset({self.start})

    def read_position(self, text: str) -> None:
        held, ended, mover = split_position(text)
        at, colon, chosen = held.partition(":")
        need(colon and not ended, "the position is malformed")
        here, taken = numbers(at, self.size), numbers(chosen, self.size)
        need(len(here) == 1, "the position has no current number")
        (number,) = here
        first = taken == self.before
        need(self.before <= taken, "the start is not chosen")
        need(number == self.start if first else number in taken - self.before, "the current number")
        self.root = number, taken, mover

    def moves(self, position: Any) -> list[int]:
        number, chosen, _ = position
        near = [d for d in range(1, int(number**0.5) + 1) if number % d == 0]
        near = sorted({*near, *(number // d for d in near)} - {number})
        found = [n for n in [*near, *range(2 * number, self.size + 1, number)] if n not in chosen]
        if self.opening == "even" and chosen == self.before:
            return [n for n in found if n % 2 == 0]
        return found

    def after(self, position: Any, move: int) -> Any:
        return move, position[1] | {move}, 3 - position[2]

    def winner(self, position: Any) -> int | None:
        return None if self.moves(position) else 3 - position[2]

    def weight(self) -> int:
        return len(self.root[1]) + self.size // 10

    def check_matching(self, parts: Parts, verdict: Proved) -> Proved:
        check_fields(parts, "pairs", "apart", "parts")
        value, size = verdict[0], self.size
        need(value in ("win", "loss"), "a matching proves a win or a loss")
        moves = self.moves(self.root)
        left = bytearray([1]) * (size + 1)  # the vertices of G, and the walker
        for n in self.root[1]:
            left[n] = 0
        alone = bytearray(left)
        pairs = get_list(parts, "pairs", size)
        for pair in pairs:
            need(type(pair) is list and len(pair) == 2, "a pair is not a pair")
            a, b = pair
            need(type(a) is type(b) is int and 0 <= a < b <= size, "a pair is not of two numbers")
            need(alone[a] and alone[b], f"{a}, {b}: one of them is chosen, or has a partner")
            need(b % a == 0 if a else b in moves, f"{a} and {b} are not joined")
            alone[a] = alone[b] = 0
        walking = not alone[0]
        left[0] = 0
        vertices = sum(left)
        apart, cut = get_list(parts, "apart", size), get_list(parts, "parts", size)
        for n in apart:
            need(left[whole(n, 1, size, "a number apart")], f"{n} cannot be apart")
            left[n] = 0
        inside, shared = bytearray(size + 1), {}
        for place, part in enumerate(cut):
            some = part if type(part) is list else [part]
            need(len(some) % 2, "a part is even")
            for n in some:
                need(
                    left[whole(n, 1, size, "a part")] and not inside[n], f"{n} cannot be in a part"
                )
                inside[n] = 1
                if len(some) > 1:
                    shared[n] = place
        for n in range(1, size // 2 + 1):
            if not left[n]:
                continue
            if n in shared:
                for m in range(2 * n, size + 1, n):
                    need(not left[m] or shared.get(m) == shared[n], f"{n} and {m} are not apart")
            else:
                others = left if inside[n] else inside
                need(others[2 * n :: n].find(1) < 0, f"{n} and a multiple of it are not apart")
        bound = vertices + len(apart) - len(cut)
        if value == "win":
            need(walking, "the walker has no partner")
            need(bound < 2 * len(pairs), "a matching without the walker may be as large")
        else:
            need(not walking, "the walker has a partner")
            need(not any(inside[move] for move in moves), "a move is in a part")
            need(bound <= 2 * len(pairs), "the matching may not be maximum")
        return value, None

    def check_primes(self, parts: Parts, verdict: Proved) -> Proved:
        check_fields(parts, "primes", "above")
        n, start_open = self.size, not self.before
        need(self.start == 1 and self.root[:2] == (1, self.before), "this is not the start at 1")
        primes = get_list(parts, "primes", 3)
        for p in primes:
            need(prime(whole(p, 2, n, "a prime")), f"{p} is not prime")
            need(n < 4 * p and 3 * p <= n, f"{p} is not between a quarter and a third")
        need(len(set(primes)) == 3, "there are not three primes")
        above = parts["above"]
        if start_open:
            need(2 * whole(above, 2, n, "above") > n and prime(above), "no prime above half")
        else:
            need(above is None, "a prime above half is not needed")
        return "win", None


def prime(number: int) -> bool:
    return all(number % d for d in range(2, int(number**0.5) + 1))


GAMES = {
    "divisor-duel": DivisorDuel,
    "operation-duel": OperationDuel,
    "double-or-add": DoubleOrAdd,
    "divisor-line": DivisorLine,
    "multiplicity": Multiplicity,
}


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python standalone.py FILE", file=sys.stderr)
        return 2
    try:
        with open(sys.argv[1], "rb") as file:  # noqa: PTH123
            print(f"proved: {check(file.read(MAX_FILE_BYTES + 1))}")
    except (OSError, NotProved) as error:
        print(f"refused: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
