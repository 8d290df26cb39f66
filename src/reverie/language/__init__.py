"""Read text without a model: sentences, words, stems, names, topics; dates have a room of their own. Pure."""

from __future__ import annotations

from reverie.language.entity_names import entities
from reverie.language.label_words import EVERYDAY, OPENERS, SHOUTED, WEAK
from reverie.language.lexical_terms import (
    MAX_TERM,
    STOP_WORDS,
    ascii_words,
    keywords,
    label_terms,
    memory_terms,
    message_terms,
    query_terms,
    shortened_marks,
    terms,
    terms_of,
    words_of,
)
from reverie.language.names import name_words, named_speakers, without_names
from reverie.language.segments import LONGEST, Sentence, quotation_span, quotation_start, sentences
from reverie.language.topics import Labels, labels
from reverie.language.utterances import ASKING, TIME_TERMS, asks, asks_before, asks_when, says_when
from reverie.language.visible_text import HIDDEN, visible

__all__ = [
    "ASKING",
    "EVERYDAY",
    "HIDDEN",
    "LONGEST",
    "MAX_TERM",
    "OPENERS",
    "SHOUTED",
    "STOP_WORDS",
    "TIME_TERMS",
    "WEAK",
    "Labels",
    "Sentence",
    "ascii_words",
    "asks",
    "asks_before",
    "asks_when",
    "entities",
    "keywords",
    "label_terms",
    "labels",
    "memory_terms",
    "message_terms",
    "name_words",
    "named_speakers",
    "query_terms",
    "quotation_span",
    "quotation_start",
    "says_when",
    "sentences",
    "shortened_marks",
    "terms",
    "terms_of",
    "visible",
    "without_names",
    "words_of",
]
