"""ContextBlock: what enters a prompt unasked, and the report of what entered and what didn't."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Layer(StrEnum):
    """The layers of activation (s2, s4's identity and relationships, and what is due), in the order of the block."""

    IDENTITY = "identity"
    BASELINE = "baseline"
    PEOPLE = "people"
    DUE = "due"
    CONTEXTUAL = "contextual"
    PROCEDURES = "procedures"


class Reason(StrEnum):
    """Why something was left out."""

    BUDGET = "budget"
    """It doesn't fit whole into what was left of the budget."""
    THRESHOLD = "threshold"
    """It has too little to do with the task, or is too little active."""
    TRUST = "trust"
    """Its source may not instruct."""
    REVIEW = "review"
    """It would instruct, and its wording waits for approval."""
    SCOPE = "scope"
    """It holds for other paths, or for paths only and none was named."""
    VALIDITY = "validity"
    """It isn't true in the world now."""
    LIMIT = "limit"
    """Three procedures are enough, and they match better; or five goals are due sooner."""
    SHOWN = "shown"
    """It stands in the prompt already: an earlier block showed it, or it was said there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entered:
    """One soul entry, relationship (by its present view's id) or memory of the block. ``text`` is its line, ``tokens``
    what that costs.

    ``score`` is what chose it within its layer: activation in [0, 20] in the baseline, relevance times squashed
    activation in the layers that look at the task; 0 for a soul entry, a relationship and what is due.
    """

    id: str
    layer: Layer
    text: str
    tokens: int
    score: float


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """One that a layer looked at and didn't take; ``score`` as for what entered."""

    id: str
    layer: Layer
    reason: Reason
    score: float


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextBlock:
    """A block for a prompt: ``text`` stands between our markers, and is empty where nothing enters.

    ``tokens`` counts the whole text, with markers and headings; ``identity_tokens`` what the soul entries and their
    frame cost, which is never more than ``Settings.context.identity_tokens``; ``tokens`` never exceeds ``max_tokens``
    plus ``identity_tokens``. ``entered`` and ``left_out`` stand layer by layer, each in the order of choice. ``rev`` is
    the bank's revision that it was made from.
    """

    text: str
    tokens: int
    max_tokens: int
    identity_tokens: int
    entered: tuple[Entered, ...]
    left_out: tuple[LeftOut, ...]
    rev: int
