"""Parts of a picture: shapes and the room they take, texts, and how trust looks."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]

GREEN, GREY, RED = (22, 138, 88), (128, 136, 148), (204, 62, 48)
NODE = "#4a74b4"
LETTER = 12
SMALL = 10.5
_NOT_XML = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Box:
    """The room that something takes."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, at: Point, width: float, height: float) -> Box:
        """Return a box with that center."""
        x, y = at
        return cls(left=x - width / 2, top=y - height / 2, right=x + width / 2, bottom=y + height / 2)

    def holds(self, at: Point) -> bool:
        """Return whether the point lies in it."""
        return self.left < at[0] < self.right and self.top < at[1] < self.bottom

    def meets(self, other: Box) -> bool:
        """Return whether the two overlap."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Curve:
    """A quadratic Bézier curve."""

    start: Point
    bend: Point
    end: Point

    def at(self, part: float) -> Point:
        """Return the point after that part of it, 0 to 1."""
        rest = 1 - part
        weights = (rest * rest, 2 * rest * part, part * part)
        (ax, ay), (bx, by), (cx, cy) = self.start, self.bend, self.end
        return (
            weights[0] * ax + weights[1] * bx + weights[2] * cx,
            weights[0] * ay + weights[1] * by + weights[2] * cy,
        )


def width_of(text: str, size: float) -> float:
    """Return about how wide a text will be: no font is at hand to measure it."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return (0.58 * (len(text) - wide) + 1.05 * wide) * size


def safe(text: str) -> str:
    """Return the text for XML: what XML can't hold becomes U+FFFD."""
    from xml.sax.saxutils import escape  # brings urllib and ssl, for which no start of a program should wait

    return escape(_NOT_XML.sub("\ufffd", text), {'"': "&quot;"})


def number(value: float) -> str:
    """Return a number with one digit after the point, or none if that is 0."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def point(at: Point) -> str:
    """Return ``12 -3.5``."""
    return f"{number(at[0])} {number(at[1])}"


def colour(trust: float) -> str:
    """Return a colour from red (-1) over grey to green (+1)."""
    end = GREEN if trust > 0 else RED
    part = min(1.0, abs(trust)) ** 0.6  # weak trust is seen, too
    mixed = [round(grey + (full - grey) * part) for grey, full in zip(GREY, end, strict=True)]
    return "#" + "".join(f"{one:02x}" for one in mixed)


def stroke(trust: float | None) -> str:
    """Return a line's style, which tells it apart without colours, too: the stronger the wider, dashed for distrust,
    dotted for those who have only met (None).
    """
    if trust is None:
        return f'stroke="{colour(0)}" stroke-width="1" stroke-dasharray="1 4" stroke-linecap="round"'
    dashes = ' stroke-dasharray="7 4"' if trust < 0 else ""
    return f'stroke="{colour(trust)}" stroke-width="{number(1.2 + 2.8 * min(1.0, abs(trust)))}"{dashes}'


def text(
    at: Point,
    words: str,
    *,
    size: float = LETTER,
    kind: str = "ink",
    anchor: str = "middle",
    weight: str = "",
) -> str:
    """Return a line of text whose middle is at ``at``."""
    fill = {"ink": "#22262c", "faint": "#636b76"}[kind]
    bold = f' font-weight="{weight}"' if weight else ""
    return (
        f'<text class="{kind}" x="{number(at[0])}" y="{number(at[1] + size * 0.35)}" font-size="{number(size)}"'
        f' text-anchor="{anchor}" fill="{fill}"{bold}>{safe(words)}</text>'
    )


def arrow_head(curve: Curve, size: float, fill: str) -> str:
    """Return an arrow head at the end of a curve."""
    (bx, by), (x, y) = curve.at(0.9), curve.end
    long = math.hypot(x - bx, y - by) or 1.0
    ux, uy = (x - bx) / long, (y - by) / long
    half = size * 0.45
    corners: Sequence[Point] = (
        (x, y),
        (x - ux * size - uy * half, y - uy * size + ux * half),
        (x - ux * size + uy * half, y - uy * size - ux * half),
    )
    return f'<path d="M{" L".join(point(one) for one in corners)} Z" fill="{fill}"/>'
