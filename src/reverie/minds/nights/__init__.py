"""A night for any model: as text, with the JSON Schema of the answer, and the answer as changes. The standard library
alone: the model of the host is asked with the same words as one of a provider.
"""

from __future__ import annotations

from reverie.minds.nights.extraction import extracted_of, extraction_fault, snippet_asked
from reverie.minds.nights.lines import Line, Seen
from reverie.minds.nights.prompts import prompt
from reverie.minds.nights.reading import Parsed, changes_of, fault_of
from reverie.minds.nights.repair import again
from reverie.minds.nights.schema import ANSWER, EXTRACTION
from reverie.minds.nights.writing import Asked, asked_before, questions

__all__ = [
    "ANSWER",
    "EXTRACTION",
    "Asked",
    "Line",
    "Parsed",
    "Seen",
    "again",
    "asked_before",
    "changes_of",
    "extracted_of",
    "extraction_fault",
    "fault_of",
    "prompt",
    "questions",
    "snippet_asked",
]
