"""A board of numbers as SVG: whole, or only the links that lie over a page's own board.

Over a page's board lengths are in cells, and the picture is stretched to whatever size the board
has there; strokes and words keep theirs. Whole pictures are drawn to a scale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import gcd, hypot

from markupsafe import Markup, escape

from numduel.core.scene import Cell, Link, Scene
from numduel.core.verdict import Value
from numduel.picture.svg import (
    arc,
    classes,
    image,
    mark,
    n,
    pill,
    rise,
    seat_class,
    sign,
    text,
)

LONGEST_ROW = 20
"""A line of so many numbers is one row."""

_LONGEST_LOW_ROW, _LOW_COLUMNS = 12, 7
_CELL = 60.0  # units of a whole picture
_EDGE = 0.08  # of the width: words that stand nearer to the side would be cut off
_RIM = 0.33  # where links begin, from the middle of a cell


def columns_of(scene: Scene, narrow: bool = False) -> int:
    """How many numbers a row of the board has."""
    count = len(scene.cells)
    if narrow:
        return min(count, 5)
    if scene.line and count <= LONGEST_ROW:
        return count
    return min(count, 10) if count <= 100 else 20


def cell_class(cell: Cell, scene: Scene, decisive: frozenset[int] = frozenset()) -> str:
    """How a number looks: what it is, whose it is, and whether it was the last."""
    kind, seat = "plain", 0
    if cell.owner:
        kind, seat = "owned", cell.owner
    elif cell.current:
        kind, seat = "now", cell.by
    elif cell.legal:
        kind = "legal"
    elif cell.chosen:
        kind, seat = "used", cell.by
    last = "last" if cell.number == scene.last and kind != "legal" else ""
    won = "won" if cell.number in decisive else ""
    owned = seat_class(seat) if kind in ("owned", "now", "used") else ""
    return " ".join(filter(None, (kind, owned, last, won)))


def deciders(scene: Scene) -> frozenset[int]:
    """The numbers that decided the game."""
    return frozenset(end for link in scene.links if link.decides for end in (link.start, link.end))


def _decided(scene: Scene) -> int:
    """Where the link ends that is named: of several that decided the game, one."""
    return max((link.end for link in scene.links if link.decides), default=0)


def _link_class(link: Link, last: bool) -> str:
    won = "won" if link.decides else ""
    return " ".join(
        filter(None, ("link", link.kind, seat_class(link.seat), won, "last" if last else ""))
    )


def _aimed(link: Link) -> str:
    """Which move a link belongs to that only shows when the move is aimed at."""
    return f' data-aim="{link.end}" data-from="{link.start}"' if link.kind == "threat" else ""


class _Grid:
    """Where links run between the cells of a grid."""

    def __init__(self, scene: Scene, columns: int) -> None:
        self.links = scene.links
        self.columns = columns
        self.rows = -(-len(scene.cells) // columns)
        self.lanes: set[tuple[str, float] | None] = set()

    def centre(self, number: int) -> tuple[float, float]:
        return (number - 1) % self.columns + 0.5, (number - 1) // self.columns + 0.5

    def bow(self, link: Link) -> tuple[list[tuple[float, float]], tuple[float, float]]:
        """A bent line from rim to rim: start, bend and end; and the middle of it.

        It bends towards the middle of the board, and more where it would run straight over other
        numbers; a second one in the same row or column bends to the other side.
        """
        (x1, y1), (x2, y2) = self.centre(link.start), self.centre(link.end)
        dx, dy = x2 - x1, y2 - y1
        far, over = hypot(dx, dy), gcd(round(dx), round(dy)) > 1
        bend = 0.0 if far < 1.5 else 0.06 if not over else (0.62 if dx == 0 else 0.42) / far
        side = (self.columns / 2 - (x1 + x2) / 2) * dy - (self.rows / 2 - (y1 + y2) / 2) * dx
        lane = ("x", x1) if dx == 0 else ("y", y1) if dy == 0 else None
        if (side < 0) != (lane is not None and over and lane in self.lanes):
            bend = -bend
        self.lanes.add(lane)
        cx, cy = (x1 + x2) / 2 + dy * bend, (y1 + y2) / 2 - dx * bend
        x1, y1 = _towards(x1, y1, cx, cy)
        x2, y2 = _towards(x2, y2, cx, cy)
        middle = (x1 + 2 * cx + x2) / 4, (y1 + 2 * cy + y2) / 4
        return [(x1, y1), (cx, cy), (x2, y2)], middle

    def drawn(self, scale: float) -> Iterator[tuple[Link, bool, str, tuple[float, float]]]:
        """Each link, whether it is the last step, its path, and where its words stand."""
        final = max((at for at, link in enumerate(self.links) if link.kind == "step"), default=-1)
        for at, link in enumerate(self.links):
            ends, (x, y) = self.bow(link)
            (ax, ay), (bx, by), (cx, cy) = ((x * scale, y * scale) for x, y in ends)
            path = f"M{n(ax)} {n(ay)}Q{n(bx)} {n(by)} {n(cx)} {n(cy)}"
            yield link, at == final, path, (x * scale, y * scale)


def _towards(x: float, y: float, to_x: float, to_y: float) -> tuple[float, float]:
    length = hypot(to_x - x, to_y - y) or 1
    return x + (to_x - x) * _RIM / length, y + (to_y - y) * _RIM / length


# Over a page's own board.


def links_over(scene: Scene, columns: int, css: str) -> Markup:
    """The links of a grid of so many columns."""
    grid, paths, tags, decided = _Grid(scene, columns), [], [], _decided(scene)
    for link, last, path, (x, y) in grid.drawn(1):
        paths.append(f'<path{classes(_link_class(link, last))}{_aimed(link)} d="{path}"/>')
        if last or link.end == decided:
            tags.append(
                _tag(link, f"{n(x / columns * 100)}%", f"{n(y / grid.rows * 100)}%", "pill")
            )
    return _layers(paths, tags, (columns, grid.rows), css)


def arcs_over(scene: Scene) -> Markup:
    """The links of a line of one row, as arcs above it."""
    count, paths, tags, decided = len(scene.cells), [], [], _decided(scene)
    for link in scene.links:
        start, end = link.start - 0.5, link.end - 0.5
        high = 100 * rise(abs(end - start), count * 0.42)
        paths.append(arc(start, end, 100, high, _link_class(link, False), _aimed(link)))
        middle = min(max((start + end) / 2 / count, _EDGE), 1 - _EDGE)
        x, y = f"{n(middle * 100)}%", f"{n(100 - high)}%"
        if not decided or link.end == decided:
            tags.append(_tag(link, x, y, "pill big" if link.decides else "word"))
    return _layers(paths, tags, (count, 100), "sky")


def answers_over(scene: Scene, counts: Mapping[int, int], values: Mapping[int, Value]) -> Markup:
    """How many have answered with each number: bars above a line of one row, or in the cells."""
    most = max(counts.values(), default=1)
    given = [
        (place, counts[cell.number] / most, str(counts[cell.number]), values.get(cell.number, ""))
        for place, cell in enumerate(scene.cells)
        if counts.get(cell.number)
    ]
    columns = columns_of(scene)
    row = scene.line and columns == len(scene.cells)
    wide = _above(given, columns) if row else _within(given, len(scene.cells), columns, "wide")
    return wide + _within(given, len(scene.cells), columns_of(scene, narrow=True), "narrow")


_Given = list[tuple[int, float, str, str]]
"""Of each answer: the place of its cell, its share, how many gave it, and what it is worth."""


def _above(given: _Given, columns: int) -> Markup:
    """Bars above the cells of one row."""
    bars, words = [], []
    for x, share, count, value in given:
        high = 85 * share
        bars.append(_bar(value, x, 100 - high, high))
        words.append(_count(count, (x + 0.5) / columns, 0.98 - high / 100))
    return _layers(bars, words, (columns, 100), "sky")


def _within(given: _Given, cells: int, columns: int, css: str) -> Markup:
    """Bars that rise in the cells themselves."""
    bars, words, rows = [], [], -(-cells // columns)
    for place, share, count, value in given:
        y, x = divmod(place, columns)
        bars.append(_bar(value, x, y + 0.95 - 0.9 * share, 0.9 * share))
        words.append(_count(count, (x + 0.8) / columns, (y + 0.9) / rows))
    return _layers(bars, words, (columns, rows), css)


def _bar(value: str, x: float, y: float, high: float) -> str:
    box = f'x="{n(x + 0.1)}" y="{n(y)}" width="0.8" height="{n(high)}"'
    return f"<rect{classes('votes', value)} {box}/>"


def _count(count: str, x: float, y: float) -> str:
    return f'<text class="count" x="{n(100 * x)}%" y="{n(100 * y)}%">{count}</text>'


def _layers(paths: Iterable[str], tags: Iterable[str], size: tuple[int, int], css: str) -> Markup:
    box = f'viewBox="0 0 {size[0]} {size[1]}" preserveAspectRatio="none" aria-hidden="true"'
    return Markup(
        f'<svg class="picture overlay {css}" {box}>{"".join(paths)}</svg>'
        f'<svg class="picture overlay tags {css}" aria-hidden="true">{"".join(tags)}</svg>'
    )


def _tag(link: Link, x: str, y: str, css: str) -> str:
    """The words of a link, at a place in percent; their ground grows with them, in em."""
    named = f"{css} {_link_class(link, False).removeprefix('link ')}"
    aimed, place = _aimed(link), f'x="{x}" y="{y}"'
    if css == "word":
        return f'<text{classes(named)}{aimed} {place} dy="-12">{escape(link.label)}</text>'
    wide = 0.56 * len(link.label) + 1.1
    ground = (
        f'<rect x="-{n(wide / 2)}em" y="-0.8em" width="{n(wide)}em" height="1.6em" rx="0.8em"/>'
    )
    words = f'<text y="0.35em">{escape(link.label)}</text>'
    return f"<svg{classes(named)}{aimed} {place}>{ground}{words}</svg>"


# Whole pictures.


def draw_cells(
    scene: Scene, verdicts: Mapping[int, Value], names: tuple[str, str], low: bool = False
) -> str:
    """The picture of a board; a low one has a long line in rows, so that it can be read."""
    columns = columns_of(scene)
    if low and len(scene.cells) == columns > _LONGEST_LOW_ROW:
        columns = _LOW_COLUMNS
    rows = -(-len(scene.cells) // columns)
    sky = 200.0 if rows == 1 and scene.line else 0.0
    parts = [
        f'<g transform="translate(0 {n(sky)})">',
        *_squares(scene, columns, verdicts),
        *(() if sky else _bows(scene, columns)),
        "</g>",
        *(_arcs(scene, sky) if sky else ()),
    ]
    title, desc = _in_words(scene, names)
    return image(parts, (0, 0, columns * _CELL, rows * _CELL + sky), title, desc, "cells")


def _squares(scene: Scene, columns: int, verdicts: Mapping[int, Value]) -> Iterator[str]:
    decisive = deciders(scene)
    for place, cell in enumerate(scene.cells):
        x, y = place % columns * _CELL, place // columns * _CELL
        css = f"square {cell_class(cell, scene, decisive)}"
        box = f'x="{n(x + 2)}" y="{n(y + 2)}" width="{n(_CELL - 4)}" height="{n(_CELL - 4)}"'
        number = text(str(cell.number), x + _CELL / 2, y + _CELL / 2 + 7)
        seat = cell.owner or (cell.by if not cell.current else 0)
        corner = mark(seat, x + 12, y + 12, 12) if seat else ""
        verdict = verdicts.get(cell.number)
        shown = sign(verdict, x + _CELL - 11, y + 11, 18) if verdict and cell.legal else ""
        yield f'<g{classes(css)}><rect {box} rx="9"/>{number}{corner}{shown}</g>'


def _bows(scene: Scene, columns: int) -> Iterator[str]:
    words = []
    for link, last, path, (x, y) in _Grid(scene, columns).drawn(_CELL):
        if link.kind != "threat":
            yield f'<path{classes(_link_class(link, last))} d="{path}"/>'
            if last or link.decides:
                words.append(pill(link.label, x, y, seat_class(link.seat)))
    yield from words


def _arcs(scene: Scene, base: float) -> Iterator[str]:
    words = []
    for link in scene.links:
        if link.kind == "threat":
            continue
        start, end = (link.start - 0.5) * _CELL, (link.end - 0.5) * _CELL
        high = base * rise(abs(end - start), len(scene.cells) * _CELL * 0.42)
        yield arc(start, end, base, high, _link_class(link, False))
        middle, css = (start + end) / 2, seat_class(link.seat)
        words.append(pill(link.label, middle, base - high, css, big=link.decides))
    yield from words


def _in_words(scene: Scene, names: tuple[str, str]) -> tuple[str, str]:
    first, last = scene.cells[0].number, scene.cells[-1].number
    parts = []
    for seat, name in enumerate(names, 1):
        numbers = [str(cell.number) for cell in scene.cells if seat in (cell.owner, cell.by)]
        if numbers:
            parts.append(f"{name}: {', '.join(numbers)}.")
    parts += [f"{link.label}." for link in scene.links if link.kind == "divides"]
    return f"The numbers from {first} to {last}.", " ".join(parts) or "None is taken."
