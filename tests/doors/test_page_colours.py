"""The page's colours: what is read stands out as WCAG 2.2 AA asks for, on light and on dark."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

PAIRS = [
    (text, ground)
    for text, grounds in {
        "ink": ("paper", "card", "track", "accent-soft"), "soft": ("paper", "card", "track", "accent-soft"),
        "accent": ("paper", "card", "accent-soft"), "accent-ink": ("accent",), "mark-ink": ("mark",),
        "good": ("good-soft", "card", "paper"), "warn": ("warn-soft", "card", "paper"),
        "bad": ("bad-soft", "card", "paper"),
    }.items()
    for ground in grounds
]  # fmt: skip
"""What is read, on what it stands."""
EDGES = [("field", "card"), ("field", "paper"), ("accent", "track"), ("accent", "card")]
"""What must be told apart: the edges of fields, bars, the focus."""


def schemes() -> dict[str, dict[str, str]]:
    css = files("reverie.doors.page").joinpath("assets", "page.css").read_text(encoding="utf-8")
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
        for block in re.findall(r":root \{(.*?)\}", css, re.S)
    )
    return {"light": light, "dark": light | dark}


def brightness(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((brightness(one), brightness(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(scheme: str) -> None:
    colours = schemes()[scheme]
    weak = {f"{a} on {b}": round(contrast(colours[a], colours[b]), 2) for a, b in PAIRS
            if contrast(colours[a], colours[b]) < 4.5}  # fmt: skip
    assert weak == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_edges_and_bars_are_told_apart(scheme: str) -> None:
    colours = schemes()[scheme]
    weak = {f"{a} on {b}": round(contrast(colours[a], colours[b]), 2) for a, b in EDGES
            if contrast(colours[a], colours[b]) < 3}  # fmt: skip
    assert weak == {}


def test_black_on_white_has_the_contrast_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
