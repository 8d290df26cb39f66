"""A graph of relationships as SVG, readable on light and on dark, with colours and without."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reverie.domain.relationship import Relationship
from reverie.domain.relationship_graph import RelationshipGraph
from reverie.doors.cli.layout import FEW, laid_out
from reverie.doors.cli.picture_parts import (
    LETTER,
    NODE,
    SMALL,
    Box,
    Curve,
    Point,
    arrow_head,
    colour,
    number,
    point,
    safe,
    stroke,
    text,
    width_of,
)
from reverie.doors.cli.words import counted, one_line

RADIUS = 15.0
_MARGIN = 24.0
_LEGEND = 62.0
_NARROWEST = 470.0
_LONGEST_NAME = 22
_LONGEST_TYPE = 18
_MOST_LABELLED = 150
"""With more lines than that, labels would hide them; a reader's mouse still brings each."""
_PARTS = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73)
_STYLE = (
    "@media (prefers-color-scheme: dark) {"
    " .paper { fill: #16191f } .ink { fill: #e7eaee } .faint { fill: #a3abb6 } }"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Drawn:
    """A relationship as it is drawn."""

    agent: str
    seen: Relationship
    curve: Curve

    @property
    def trust(self) -> float | None:
        """None where the two have only met."""
        return self.seen.trust if self.seen.assigned_at is not None else None


def picture(graph: RelationshipGraph) -> str:
    """Return the graph as an SVG document: the same one for the same graph.

    A line leads from who sees to who is seen: red for distrust to green for trust, the stronger the wider, dashed for
    distrust, dotted where the two have only met. What has no room as a label is still there for the mouse.
    """
    places = _places(graph)
    drawn = _drawn(graph, places)
    names = _name_boxes(places, drawn)
    taken = [*names.values(), *(Box.around(at, 2 * RADIUS, 2 * RADIUS) for at in places.values())]
    labels = _labels(drawn, taken)
    frame = _frame([*taken, *labels.values(), *(_reach(one.curve) for one in drawn)])
    unlabelled = len(drawn) - len(labels) - sum(one.trust is None for one in drawn)
    parts = [
        *(_line(one) for one in drawn),
        *(_written(_told(drawn[place].seen), box, size=SMALL) for place, box in labels.items()),
        *(_written(_short(name), box, size=LETTER, weight="600") for name, box in names.items()),
        *(_head(one) for one in drawn),
        *(_node(name, places[name], tells=name in graph.agents) for name in graph.nodes),
        *_legend(frame, unlabelled),
    ]
    return _document(graph, frame, parts)


def _places(graph: RelationshipGraph) -> Mapping[str, Point]:
    numbers = {name: place for place, name in enumerate(graph.nodes)}
    count = len(numbers)
    apart = 230.0 if count <= 6 else 180.0 if count <= FEW else 120.0
    edges = [(numbers[agent], numbers[seen.other]) for agent, seen in graph.views]
    return dict(zip(graph.nodes, laid_out(count, edges, apart=apart), strict=True))


def _drawn(graph: RelationshipGraph, places: Mapping[str, Point]) -> Sequence[_Drawn]:
    pairs = {(agent, seen.other) for agent, seen in graph.views}
    found = []
    for agent, seen in graph.views:
        ends = (places[agent], places[seen.other])
        others = [at for name, at in places.items() if name not in (agent, seen.other)]
        curve = _curve(*ends, others, paired=(seen.other, agent) in pairs)
        found.append(_Drawn(agent=agent, seen=seen, curve=curve))
    return found


def _curve(start: Point, end: Point, others: Sequence[Point], *, paired: bool) -> Curve:
    """Return a curve past all other nodes: to the right where one leads back, too, else straight where possible."""
    (ax, ay), (bx, by) = start, end
    far = math.hypot(bx - ax, by - ay) or 1.0
    side = (-(by - ay) / far, (bx - ax) / far)
    bow = min(max(0.13 * far, 14.0), 46.0)
    bows = (bow, 0.6 * bow, 0.35 * bow, 1.8 * bow) if paired else (0.0, bow, -bow, 1.8 * bow, -1.8 * bow)
    curves = [_bowed(start, end, (side[0] * much, side[1] * much)) for much in bows]
    return max(curves, key=lambda curve: min(_nearest(curve, others), RADIUS + 6))


def _bowed(start: Point, end: Point, aside: Point) -> Curve:
    (ax, ay), (bx, by) = start, end
    bend = ((ax + bx) / 2 + 2 * aside[0], (ay + by) / 2 + 2 * aside[1])
    return Curve(start=_towards(start, bend, RADIUS + 1), bend=bend, end=_towards(end, bend, RADIUS + 3))


def _towards(at: Point, other: Point, far: float) -> Point:
    whole = math.hypot(other[0] - at[0], other[1] - at[1]) or 1.0
    return (at[0] + (other[0] - at[0]) / whole * far, at[1] + (other[1] - at[1]) / whole * far)


def _nearest(curve: Curve, others: Sequence[Point]) -> float:
    """Return the distance from a curve to the closest other node."""
    points = [curve.at(step / 12) for step in range(1, 12)]
    return min(
        (math.hypot(x - ox, y - oy) for x, y in points for ox, oy in others), default=math.inf
    )  # fmt: skip


def _name_boxes(places: Mapping[str, Point], drawn: Sequence[_Drawn]) -> Mapping[str, Box]:
    """Return a box for each name at its node, where it covers the fewest lines, and no node or other name."""
    nodes = [Box.around(at, 2 * RADIUS, 2 * RADIUS) for at in places.values()]
    found: dict[str, Box] = {}
    for name, (x, y) in places.items():
        wide, high = width_of(_short(name), LETTER) + 6, LETTER + 3
        aside = RADIUS + 3 + wide / 2
        spots = ((x, y + RADIUS + 9), (x, y - RADIUS - 9), (x + aside, y), (x - aside, y))
        lines = [one.curve for one in drawn if name in (one.agent, one.seen.other)]
        taken = [*nodes, *found.values()]
        boxes = [Box.around(at, wide, high) for at in spots]
        found[name] = min(boxes, key=lambda box: _covered(box, lines, taken))
    return found


def _covered(box: Box, lines: Sequence[Curve], taken: Sequence[Box]) -> tuple[int, int]:
    """Return how many nodes and names a box would cover, and how many lines."""
    points = ([line.at(step / 16) for step in range(17)] for line in lines)
    crossed = sum(any(box.holds(point) for point in each) for each in points)
    return sum(box.meets(other) for other in taken), crossed


def _labels(drawn: Sequence[_Drawn], taken: Sequence[Box]) -> Mapping[int, Box]:
    """Return where each relationship's label has room on its line, by the relationship's number."""
    if len(drawn) > _MOST_LABELLED:
        return {}
    found: dict[int, Box] = {}
    occupied = list(taken)
    for place, one in enumerate(drawn):
        if one.trust is None:
            continue
        wide = width_of(_told(one.seen), SMALL) + 6
        boxes = (Box.around(one.curve.at(part), wide, SMALL + 4) for part in _PARTS)
        free = next((box for box in boxes if not any(box.meets(other) for other in occupied)), None)
        if free is not None:
            found[place] = free
            occupied.append(free)
    return found


def _line(one: _Drawn) -> str:
    curve = one.curve
    path = f"M{point(curve.start)} Q{point(curve.bend)} {point(curve.end)}"
    return f'<path d="{path}" fill="none" {stroke(one.trust)}><title>{safe(_whole(one))}</title></path>'


def _head(one: _Drawn) -> str:
    size = 7.0 if one.trust is None else 8.0 + 4.0 * abs(one.trust)
    return arrow_head(one.curve, size, colour(one.trust or 0.0))


def _node(name: str, at: Point, *, tells: bool) -> str:
    x, y = number(at[0]), number(at[1])
    looks = f'fill="{NODE}"' if tells else f'class="paper" fill="#ffffff" stroke="{NODE}" stroke-width="2"'
    circle = f'<circle cx="{x}" cy="{y}" r="{number(RADIUS if tells else RADIUS - 1)}" {looks}/>'
    return f"<g><title>{safe(name)}</title>{circle}</g>"


def _written(words: str, box: Box, *, size: float, weight: str = "") -> str:
    """Return a text that can be read where lines cross it."""
    back = (
        f'<rect class="paper" x="{number(box.left)}" y="{number(box.top)}" width="{number(box.right - box.left)}"'
        f' height="{number(box.bottom - box.top)}" rx="3" fill="#ffffff" fill-opacity="0.88"/>'
    )
    return back + text(
        ((box.left + box.right) / 2, (box.top + box.bottom) / 2), words, size=size, weight=weight
    )


def _short(name: str) -> str:
    return one_line(name, _LONGEST_NAME)


def _told(seen: Relationship) -> str:
    trust = f"{seen.trust:+.2g}" if seen.trust else "0"
    return f"{one_line(seen.type, _LONGEST_TYPE)} {trust}"


def _whole(one: _Drawn) -> str:
    seen = one.seen
    if one.trust is None:
        return f"{one.agent} has met {seen.other} ({counted(seen.interaction_count, 'message')})"
    tone = f", {seen.tone}" if seen.tone else ""
    return f"{one.agent} sees {seen.other} as {seen.type}, trust {seen.trust:+.2f}{tone}"


def _reach(curve: Curve) -> Box:
    points = [curve.at(part) for part in (0.25, 0.5, 0.75)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(left=min(xs), top=min(ys), right=max(xs), bottom=max(ys))


def _frame(boxes: Sequence[Box]) -> Box:
    """Return the frame around all of it, wide enough for the legend."""
    left, right = (
        min((box.left for box in boxes), default=0.0),
        max((box.right for box in boxes), default=0.0),
    )
    top, bottom = (
        min((box.top for box in boxes), default=0.0),
        max((box.bottom for box in boxes), default=0.0),
    )
    short = max(0.0, _NARROWEST - (right - left)) / 2
    return Box(
        left=left - short - _MARGIN, right=right + short + _MARGIN, top=top - _MARGIN,
        bottom=bottom + _MARGIN + _LEGEND,
    )  # fmt: skip


def _legend(frame: Box, unlabelled: int) -> Sequence[str]:
    first, second = frame.bottom - _LEGEND + 8, frame.bottom - _LEGEND + 34
    x = frame.left + _MARGIN
    parts = [text((x, first), "trust", size=SMALL, kind="faint", anchor="start")]
    samples: Sequence[tuple[float | None, str]] = (
        (-1.0, "-1"), (-0.5, "-0.5"), (0.0, "0"), (0.5, "+0.5"), (1.0, "+1"), (None, "only met"),
    )  # fmt: skip
    for place, (trust, words) in enumerate(samples):
        at = x + 40 + 68 * place
        parts.append(f'<path d="M{point((at, first))} L{point((at + 30, first))}" {stroke(trust)}/>')
        parts.append(text((at + 34, first), words, size=SMALL, kind="faint", anchor="start"))
    for at, tells, words in ((x + 6, True, "whose views these are"), (x + 162, False, "others")):
        looks = (
            f'fill="{NODE}"' if tells else f'class="paper" fill="#ffffff" stroke="{NODE}" stroke-width="1.5"'
        )
        parts.append(f'<circle cx="{number(at)}" cy="{number(second)}" r="5.5" {looks}/>')
        parts.append(text((at + 12, second), words, size=SMALL, kind="faint", anchor="start"))
    if unlabelled:
        words = f"{unlabelled:,} without a label: point at the line"
        parts.append(text((x + 238, second), words, size=SMALL, kind="faint", anchor="start"))
    return parts


def _document(graph: RelationshipGraph, frame: Box, parts: Sequence[str]) -> str:
    wide, high = frame.right - frame.left, frame.bottom - frame.top
    box = f"{number(frame.left)} {number(frame.top)} {number(wide)} {number(high)}"
    paper = (
        f'<rect class="paper" x="{number(frame.left)}" y="{number(frame.top)}" width="{number(wide)}"'
        f' height="{number(high)}" fill="#ffffff"/>'
    )
    agents = len(graph.agents)
    title = f"How {agents:,} agents see others" if agents != 1 else f"How {graph.agents[0]} sees others"
    size = f'width="{number(wide)}" height="{number(high)}" viewBox="{box}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} font-family="system-ui, sans-serif">',
        f"<title>{safe(title)}</title>",
        f"<style>{_STYLE}</style>",
        paper,
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
