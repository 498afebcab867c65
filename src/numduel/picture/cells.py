"""A board of numbers as SVG: whole, or only the links to lay over the board of a page.

What lies over a page's board has one cell as its unit and is stretched with the board; strokes and
words keep their size. In a whole picture a cell has a fixed size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import gcd, hypot

from markupsafe import Markup, escape

from numduel.core.scene import Cell, Link, Scene
from numduel.core.verdict import Value
from numduel.picture.svg import (
    classes,
    image,
    mark,
    n,
    pill,
    seat_class,
    sign,
    text,
)

MAX_TWO_ROW_CELLS = 40
"""Maximum number of cells of a line that is drawn in two rows, with its links between them."""

_GAP = 0.75  # cells, between the two rows of a line
_CELL = 60.0  # units of a whole picture
_SMALL_ROW = 8  # cells in a row of a line that is drawn small
_RIM = 0.33  # cells: the distance from the middle of a cell at which links begin


def columns_of(scene: Scene, narrow: bool = False) -> int:
    """Return how many numbers a row of the board has."""
    count = len(scene.cells)
    if narrow:
        return min(count, 5)
    if in_two_rows(scene):
        return -(-count // 2)
    return min(count, 5) if count <= 20 else 10 if count <= 100 else 20


def in_two_rows(scene: Scene) -> bool:
    """Return whether the cells lie in two rows, with room for links between them."""
    return scene.line and len(scene.cells) <= MAX_TWO_ROW_CELLS


def cell_class(cell: Cell, scene: Scene, decisive: frozenset[int] = frozenset()) -> str:
    """Return the classes of a cell: what it is, whose it is, and whether it was the last."""
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
    mark = cell.mark
    won = "won" if cell.number in decisive else ""
    owned = seat_class(seat) if kind in ("owned", "now", "used") else ""
    reasons = (link for link in scene.links if link.kind in ("pair", "fork"))
    linked = "linked" if any(cell.number in link[:2] for link in reasons) else ""
    return " ".join(filter(None, (kind, owned, last, won, linked, mark)))


def deciders(scene: Scene) -> frozenset[int]:
    """Return the numbers that decided the game."""
    return frozenset(end for link in scene.links if link.decides for end in (link.start, link.end))


def _link_class(link: Link, last: bool) -> str:
    won = "won" if link.decides else ""
    return " ".join(
        filter(None, ("link", link.kind, seat_class(link.seat), won, "last" if last else ""))
    )


def _aimed(link: Link) -> str:
    """Return the move at which a threat is shown, as attributes."""
    return f' data-aim="{link.end}" data-from="{link.start}"' if link.kind == "threat" else ""


class _Grid:
    """How links run between the cells of a grid."""

    def __init__(self, scene: Scene, columns: int) -> None:
        self.links = scene.links
        self.columns = columns
        self.rows = -(-len(scene.cells) // columns)
        self.lanes: set[tuple[str, float] | None] = set()

    @property
    def height(self) -> float:
        """The height of the board in cells."""
        return self.rows

    def top(self, place: int) -> float:
        """Return where the cell at a place begins, from above."""
        return place // self.columns

    def centre(self, number: int) -> tuple[float, float]:
        return (number - 1) % self.columns + 0.5, (number - 1) // self.columns + 0.5

    def bow(self, link: Link) -> tuple[list[tuple[float, float]], tuple[float, float]]:
        """Return a bent line between two cells: its start, bend and end; and where its label is.

        It bends towards the middle of the board, and more if it would run straight over other
        numbers. A second one in the same row or column bends to the other side. The label is where
        it covers numbers least.
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
        shares = [((1 - t) ** 2, 2 * t * (1 - t), t * t) for t in (0.5, 0.4, 0.6, 0.3, 0.7)]
        places = [(a * x1 + b * cx + c * x2, a * y1 + b * cy + c * y2) for a, b, c in shares]
        middle = max(places, key=lambda at: hypot(at[0] % 1 - 0.5, at[1] % 1 - 0.5))
        return [(x1, y1), (cx, cy), (x2, y2)], middle

    def drawn(self, scale: float) -> Iterator[tuple[Link, bool, str, tuple[float, float]]]:
        """Yield each link, whether it is the last step, its path, and the place of its label."""
        final = max((at for at, link in enumerate(self.links) if link.kind == "step"), default=-1)
        for at, link in enumerate(self.links):
            points, (x, y) = self.bow(link)
            start, *bent = (f"{n(x * scale)} {n(y * scale)}" for x, y in points)
            path = f"M{start}{'Q' if len(bent) == 2 else 'C'}{' '.join(bent)}"
            yield link, at == final, path, (x * scale, y * scale)


class _Rows(_Grid):
    """How links run between the two rows of a line."""

    @property
    def height(self) -> float:
        return self.rows + _GAP

    def top(self, place: int) -> float:
        return place // self.columns * (1 + _GAP)

    def bow(self, link: Link) -> tuple[list[tuple[float, float]], tuple[float, float]]:
        """Return a curve in the gap: from row to row, or out of a row and back into it."""
        (row1, at1), (row2, at2) = (divmod(end - 1, self.columns) for end in link[:2])
        x1, x2 = at1 + 0.5, at2 + 0.5
        y1, y2 = 1 + row1 * _GAP, 1 + row2 * _GAP
        middle = 1 + _GAP / 2
        if row1 == row2:
            deep = _GAP * (0.3 + 0.55 * abs(x2 - x1) / self.columns)
            middle = y1 + (deep if row1 == 0 else -deep)
        bend = y1 + (middle - y1) * 4 / 3 if row1 == row2 else middle
        return [(x1, y1), (x1, bend), (x2, bend), (x2, y2)], ((x1 + x2) / 2, middle)


def _layout(scene: Scene, columns: int) -> _Grid:
    is_wide = in_two_rows(scene) and columns == columns_of(scene)
    return (_Rows if is_wide else _Grid)(scene, columns)


def _towards(x: float, y: float, to_x: float, to_y: float) -> tuple[float, float]:
    length = hypot(to_x - x, to_y - y) or 1
    return x + (to_x - x) * _RIM / length, y + (to_y - y) * _RIM / length


# Over a page's own board.


def links_over(scene: Scene, columns: int, css: str) -> Markup:
    """Return the links of a board with that many columns."""
    grid, paths, tags = _layout(scene, columns), [], []
    decisive = [link for link in scene.links if link.decides]
    decided = max(decisive, default=None, key=lambda link: (link.end, link.start))
    for link, last, path, (x, y) in grid.drawn(1):
        paths.append(f'<path{classes(_link_class(link, last))}{_aimed(link)} d="{path}"/>')
        marked = link.kind in ("turned", "better")
        told = link == decided if decided else last or marked or isinstance(grid, _Rows)
        if told:
            place = f"{n(x / columns * 100)}%", f"{n(y / grid.height * 100)}%"
            tags.append(_tag(link, *place, "pill big" if link.decides else "pill"))
    return _layers(paths, tags, (columns, grid.height), css)


def answers_over(scene: Scene, counts: Mapping[int, int]) -> Markup:
    """Return how many have answered with each number, in the corner of its cell."""
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
    """Return the label of a link at a place in percent; its background is sized in em."""
    named = f"{css} {_link_class(link, False).removeprefix('link ')}"
    aimed, place = _aimed(link), f'x="{x}" y="{y}"'
    wide = 0.56 * len(link.label) + 1.1
    box = f'<rect x="-{n(wide / 2)}em" y="-0.8em" width="{n(wide)}em" height="1.6em" rx="0.8em"/>'
    words = f'<text y="0.35em">{escape(link.label)}</text>'
    return f"<svg{classes(named)}{aimed} {place}>{box}{words}</svg>"


# Whole pictures.


def draw_cells(
    scene: Scene, verdicts: Mapping[int, Value], names: tuple[str, str], *, small: bool = False
) -> str:
    """Return the picture of a board. A small one has no words beside its numbers."""
    if small and in_two_rows(scene):
        grid = _Grid(scene, min(len(scene.cells), _SMALL_ROW))
    else:
        grid = _layout(scene, columns_of(scene))
    parts = [*_squares(scene, grid, verdicts, small), *_bows(grid, small)]
    title, desc = _in_words(scene, names)
    return image(parts, (0, 0, grid.columns * _CELL, grid.height * _CELL), title, desc, "cells")


def _squares(
    scene: Scene, grid: _Grid, verdicts: Mapping[int, Value], small: bool
) -> Iterator[str]:
    decisive = deciders(scene)
    # The current one last, so that nothing covers it where it is drawn larger.
    for place, cell in sorted(enumerate(scene.cells), key=lambda one: one[1].current):
        x, y = place % grid.columns * _CELL, grid.top(place) * _CELL
        css = f"square {cell_class(cell, scene, decisive)}"
        box = f'x="{n(x + 2)}" y="{n(y + 2)}" width="{n(_CELL - 4)}" height="{n(_CELL - 4)}"'
        number = text(str(cell.number), x + _CELL / 2, y + _CELL / 2 + 7)
        seat = cell.owner or (cell.by if not cell.current else 0)
        at = (x + _CELL / 2, y + 42, 28) if small and cell.owner else (x + 12, y + 12, 12)
        corner = mark(seat, *at) if seat else ""
        verdict = verdicts.get(cell.number)
        shown = sign(verdict, x + _CELL - 11, y + 11, 18) if verdict and cell.legal else ""
        yield f'<g{classes(css)}><rect {box} rx="9"/>{number}{corner}{shown}</g>'


def _bows(grid: _Grid, small: bool) -> Iterator[str]:
    words = []
    for link, last, path, (x, y) in grid.drawn(_CELL):
        if link.kind != "threat":
            yield f'<path{classes(_link_class(link, last))} d="{path}"/>'
            if not small and (last or link.decides or isinstance(grid, _Rows)):
                words.append(pill(link.label, x, y, seat_class(link.seat), big=link.decides))
    yield from words


def _in_words(scene: Scene, names: tuple[str, str]) -> tuple[str, str]:
    first, last = scene.cells[0].number, scene.cells[-1].number
    taken = [cell for cell in scene.cells if cell.owner or cell.chosen or cell.current]
    parts = []
    for seat, name in enumerate(("Used", *names)):
        numbers = [str(cell.number) for cell in taken if (cell.owner or cell.by) == seat]
        if numbers:
            parts.append(f"{name}: {', '.join(numbers)}.")
    parts += [f"{link.label}." for link in scene.links if link.kind == "divides"]
    return f"The numbers from {first} to {last}.", " ".join(parts) or "No number is taken."
