"""Draws a board of numbers as SVG: a complete picture, or overlays for the board of a page.

The unit of an overlay is a cell. It is stretched with the board of the page, but its strokes and
words keep their size. In a complete picture a cell has a fixed size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import gcd, hypot

from markupsafe import Markup, escape

from numduel.core.scene import Cell, Link, Scene
from numduel.core.verdict import Value
from numduel.picture.svg import classes, image, joined, mark, n, pill, seat_class, sign, text

MAX_TWO_ROW_CELLS = 40
"""Maximum length of a line that is drawn in two rows, with its links between them."""

_ROW_GAP = 0.75  # cells, between the two rows of a line
_CELL = 60.0  # units: the size of a cell in a complete picture
_SMALL_COLUMNS = 8  # cells in a row of a small picture of a line
_LINK_GAP = 0.33  # cells, from the centre of a cell to the end of a link


def columns_of(scene: Scene, narrow: bool = False) -> int:
    count = len(scene.cells)
    if narrow:
        return min(count, 5)
    if in_two_rows(scene):
        return -(-count // 2)
    return min(count, 5) if count <= 20 else 10 if count <= 100 else 20


def in_two_rows(scene: Scene) -> bool:
    """Return whether the cells are in two rows, with room for links between them."""
    return scene.line and len(scene.cells) <= MAX_TWO_ROW_CELLS


def cell_class(cell: Cell, scene: Scene, decisive: frozenset[int] = frozenset()) -> str:
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
    reasons = (link for link in scene.links if link.kind in ("pair", "fork"))
    linked = "linked" if any(cell.number in link[:2] for link in reasons) else ""
    return joined(kind, owned, last, won, linked, cell.mark)


def deciders(scene: Scene) -> frozenset[int]:
    return frozenset(end for link in scene.links if link.decides for end in (link.start, link.end))


def _link_class(link: Link, is_last: bool) -> str:
    won, last = "won" if link.decides else "", "last" if is_last else ""
    return joined("link", link.kind, seat_class(link.seat), won, last)


def _threat_attributes(link: Link) -> str:
    """Return attributes with the move that makes a threat good, or nothing for other links."""
    return f' data-aim="{link.end}" data-from="{link.start}"' if link.kind == "threat" else ""


class _Grid:
    """The layout of a board, and how its links run between the cells."""

    def __init__(self, scene: Scene, columns: int) -> None:
        self.links = scene.links
        self.columns = columns
        self.rows = -(-len(scene.cells) // columns)
        self.used_lanes: set[tuple[str, float] | None] = set()  # rows and columns that have a link

    @property
    def height(self) -> float:
        """The height of the board in cells."""
        return self.rows

    def top(self, place: int) -> float:
        """Return the distance from the top of the board to the cell at a place."""
        return place // self.columns

    def centre(self, number: int) -> tuple[float, float]:
        return (number - 1) % self.columns + 0.5, (number - 1) // self.columns + 0.5

    def curve(self, link: Link) -> tuple[list[tuple[float, float]], tuple[float, float]]:
        """Return the control points of a curve between two cells, and the place of its label.

        The curve bends towards the middle of the board, and more if it would run straight over
        other numbers. A second curve in the same row or column bends to the other side. The label
        is where it hides numbers least.
        """
        (x1, y1), (x2, y2) = self.centre(link.start), self.centre(link.end)
        dx, dy = x2 - x1, y2 - y1
        distance, hides = hypot(dx, dy), gcd(round(dx), round(dy)) > 1  # hides other numbers
        bend = (0.62 if dx == 0 else 0.42) / distance if hides else 0.06 * (distance >= 1.5)
        side = (self.columns / 2 - (x1 + x2) / 2) * dy - (self.rows / 2 - (y1 + y2) / 2) * dx
        lane = ("x", x1) if dx == 0 else ("y", y1) if dy == 0 else None
        if (side < 0) != (lane is not None and hides and lane in self.used_lanes):
            bend = -bend
        self.used_lanes.add(lane)
        cx, cy = (x1 + x2) / 2 + dy * bend, (y1 + y2) / 2 - dx * bend
        x1, y1 = _towards(x1, y1, cx, cy)
        x2, y2 = _towards(x2, y2, cx, cy)
        shares = [((1 - t) ** 2, 2 * t * (1 - t), t * t) for t in (0.5, 0.4, 0.6, 0.3, 0.7)]
        places = [(a * x1 + b * cx + c * x2, a * y1 + b * cy + c * y2) for a, b, c in shares]
        label = max(places, key=lambda at: hypot(at[0] % 1 - 0.5, at[1] % 1 - 0.5))
        return [(x1, y1), (cx, cy), (x2, y2)], label

    def paths(self, scale: float) -> Iterator[tuple[Link, bool, str, tuple[float, float]]]:
        """Yield each link, whether it is the last step, its path, and the place of its label."""
        last_step = next((link for link in reversed(self.links) if link.kind == "step"), None)
        for link in self.links:
            points, (x, y) = self.curve(link)
            start, *rest = (f"{n(x * scale)} {n(y * scale)}" for x, y in points)
            path = f"M{start}{'Q' if len(rest) == 2 else 'C'}{' '.join(rest)}"
            yield link, link is last_step, path, (x * scale, y * scale)


class _TwoRows(_Grid):
    """The layout of a line in two rows, with its links in the gap between them."""

    @property
    def height(self) -> float:
        return self.rows + _ROW_GAP

    def top(self, place: int) -> float:
        return place // self.columns * (1 + _ROW_GAP)

    def curve(self, link: Link) -> tuple[list[tuple[float, float]], tuple[float, float]]:
        """Return a curve through the gap, from row to row or back into the same row."""
        (row1, at1), (row2, at2) = (divmod(end - 1, self.columns) for end in link[:2])
        x1, x2 = at1 + 0.5, at2 + 0.5
        y1, y2 = 1 + row1 * _ROW_GAP, 1 + row2 * _ROW_GAP
        middle = 1 + _ROW_GAP / 2
        if row1 == row2:
            depth = _ROW_GAP * (0.3 + 0.55 * abs(x2 - x1) / self.columns)
            middle = y1 + (depth if row1 == 0 else -depth)
        bend = y1 + (middle - y1) * 4 / 3 if row1 == row2 else middle
        return [(x1, y1), (x1, bend), (x2, bend), (x2, y2)], ((x1 + x2) / 2, middle)


def _layout(scene: Scene, columns: int) -> _Grid:
    is_wide = in_two_rows(scene) and columns == columns_of(scene)
    return (_TwoRows if is_wide else _Grid)(scene, columns)


def _towards(x: float, y: float, to_x: float, to_y: float) -> tuple[float, float]:
    """Return where a link begins that leaves the centre of a cell towards another point."""
    length = hypot(to_x - x, to_y - y) or 1
    return x + (to_x - x) * _LINK_GAP / length, y + (to_y - y) * _LINK_GAP / length


# Overlays for the board of a page.


def links_over(scene: Scene, columns: int, css: str) -> Markup:
    """Return the links of a board that has this number of columns."""
    grid, paths, tags = _layout(scene, columns), [], []
    decisive = [link for link in scene.links if link.decides]
    labelled = max(decisive, default=None, key=lambda link: (link.end, link.start))
    for link, last, path, (x, y) in grid.paths(1):
        attributes = classes(_link_class(link, last)) + _threat_attributes(link)
        paths.append(f'<path{attributes} d="{path}"/>')
        is_marked = link.kind in ("turned", "better")
        if link == labelled if labelled else last or is_marked or isinstance(grid, _TwoRows):
            place = f"{n(x / columns * 100)}%", f"{n(y / grid.height * 100)}%"
            tags.append(_tag(link, *place, "pill big" if link.decides else "pill"))
    return _layers(paths, tags, (columns, grid.height), css)


def answers_over(scene: Scene, counts: Mapping[int, int]) -> Markup:
    """Return the number of answers for each number, in the corner of its cell."""
    places = {cell.number: place for place, cell in enumerate(scene.cells)}
    layers = Markup()
    for css, narrow in (("wide", False), ("narrow", True)):
        grid = _layout(scene, columns_of(scene, narrow))
        tags = []
        for number, count in counts.items():
            x = (places[number] % grid.columns + 0.84) / grid.columns
            y = (grid.top(places[number]) + 0.14) / grid.height
            dot = f'<circle r="0.95em"/><text y="0.35em">{count}</text>'
            at = f'x="{n(x * 100)}%" y="{n(y * 100)}%"'
            tags.append(f'<svg class="votes" data-to="{number}" {at}>{dot}</svg>')
        layers += _layers((), tags, (grid.columns, grid.height), css)
    return layers


def _layers(paths: Iterable[str], tags: Iterable[str], size: tuple[int, float], css: str) -> Markup:
    box = f'viewBox="0 0 {size[0]} {n(size[1])}" preserveAspectRatio="none" aria-hidden="true"'
    return Markup(
        f'<svg class="picture overlay {css}" {box}>{"".join(paths)}</svg>'
        f'<svg class="picture overlay tags {css}" aria-hidden="true">{"".join(tags)}</svg>'
    )


def _tag(link: Link, x: str, y: str, css: str) -> str:
    """Return the label of a link at a place in percent. Its background is sized in em."""
    label_class = f"{css} {_link_class(link, False).removeprefix('link ')}"
    attributes = f'{_threat_attributes(link)} x="{x}" y="{y}"'
    width = 0.56 * len(link.label) + 1.1
    place = f'x="-{n(width / 2)}em" y="-0.8em"'
    box = f'<rect {place} width="{n(width)}em" height="1.6em" rx="0.8em"/>'
    words = f'<text y="0.35em">{escape(link.label)}</text>'
    return f"<svg{classes(label_class)}{attributes}>{box}{words}</svg>"


# Complete pictures.


def draw_cells(
    scene: Scene, verdicts: Mapping[int, Value], names: tuple[str, str], *, small: bool = False
) -> str:
    """Return the picture of a board. A small one has no words beside its numbers."""
    if small and in_two_rows(scene):
        grid = _Grid(scene, min(len(scene.cells), _SMALL_COLUMNS))
    else:
        grid = _layout(scene, columns_of(scene))
    parts = [*_draw_squares(scene, grid, verdicts, small), *_draw_links(grid, small)]
    title, desc = _describe(scene, names)
    return image(parts, (0, 0, grid.columns * _CELL, grid.height * _CELL), title, desc, "cells")


def _draw_squares(
    scene: Scene, grid: _Grid, verdicts: Mapping[int, Value], small: bool
) -> Iterator[str]:
    decisive = deciders(scene)
    # The current number is drawn last, so that nothing covers it: it may be larger.
    for place, cell in sorted(enumerate(scene.cells), key=lambda item: item[1].current):
        x, y = place % grid.columns * _CELL, grid.top(place) * _CELL
        css = f"square {cell_class(cell, scene, decisive)}"
        box = f'x="{n(x + 2)}" y="{n(y + 2)}" width="{n(_CELL - 4)}" height="{n(_CELL - 4)}"'
        number = text(str(cell.number), x + _CELL / 2, y + _CELL / 2 + 7)
        seat = cell.owner or (cell.by if not cell.current else 0)
        at = (x + _CELL / 2, y + 42, 28) if small and cell.owner else (x + 12, y + 12, 12)
        corner = mark(seat, *at) if seat else ""
        verdict = verdicts.get(cell.number)
        badge = sign(verdict, x + _CELL - 11, y + 11, 18) if verdict and cell.legal else ""
        yield f'<g{classes(css)}><rect {box} rx="9"/>{number}{corner}{badge}</g>'


def _draw_links(grid: _Grid, small: bool) -> Iterator[str]:
    words = []
    for link, last, path, (x, y) in grid.paths(_CELL):
        if link.kind != "threat":
            yield f'<path{classes(_link_class(link, last))} d="{path}"/>'
            if not small and (last or link.decides or isinstance(grid, _TwoRows)):
                words.append(pill(link.label, x, y, seat_class(link.seat), big=link.decides))
    yield from words


def _describe(scene: Scene, names: tuple[str, str]) -> tuple[str, str]:
    """Return the title and the description of a board, for screen readers."""
    first, last = scene.cells[0].number, scene.cells[-1].number
    taken = [cell for cell in scene.cells if cell.owner or cell.chosen or cell.current]
    parts = []
    for seat, name in enumerate(("Used", *names)):
        numbers = [str(cell.number) for cell in taken if (cell.owner or cell.by) == seat]
        if numbers:
            parts.append(f"{name}: {', '.join(numbers)}.")
    parts += [f"{link.label}." for link in scene.links if link.kind == "divides"]
    return f"The numbers from {first} to {last}.", " ".join(parts) or "No number is taken."
