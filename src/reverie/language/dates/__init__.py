"""Read the dates and spans of time that a text names. Pure."""

from __future__ import annotations

from reverie.language.dates.ahead import Ahead, moments_ahead
from reverie.language.dates.days import DAY, SPAN, day_text, due_text, span_text
from reverie.language.dates.questions import Window, closeness, made_absolute, moments, relative_days
from reverie.language.dates.words import MONTHS, NUMBERS, ORDINALS, UNITS, WEEKDAYS

__all__ = [
    "DAY",
    "MONTHS",
    "NUMBERS",
    "ORDINALS",
    "SPAN",
    "UNITS",
    "WEEKDAYS",
    "Ahead",
    "Window",
    "closeness",
    "day_text",
    "due_text",
    "made_absolute",
    "moments",
    "moments_ahead",
    "relative_days",
    "span_text",
]
