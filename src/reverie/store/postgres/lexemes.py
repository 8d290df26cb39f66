"""What stands in the ``words`` and ``bag`` columns, so that rows are found by words and labels.

``words`` is looked into at rows that are at hand. Which rows hold a term or a label is told by ``postings``, under the
same hashes.

A word is kept as 64 bits of a hash over the agent and the word. So what may outlive a row holds no readable word, and
none of it needs quoting. One letter before the hash says what was hashed.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.domain.text_cache import text_cache
from reverie.language import STOP_WORDS, keywords, label_terms, memory_terms, message_terms

WORD, KEYWORD, LABEL_WORD = "w", "k", "l"
LABEL = {"tags": "t", "topics": "o", "entities": "e"}
POSTED = "".join((*LABEL.values(), LABEL_WORD))
"""Letters of lexemes under which every row has postings."""
MOST_LEXEMES = 40_000
"""A tsvector holds a mebibyte; of a text with more distinct words than this the last ones aren't found alone."""

BAG = np.dtype([("term", "<i8"), ("count", "<u2")])
"""One term of a text with how often it stands there (at most 65,535)."""
_MOST_COUNTED = np.iinfo(np.uint16).max

Key = int
"""A term's hash as PostgreSQL's bigint."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Indexed:
    """A text as the index keeps it: the tsvector's text, the bag, how many terms there are, and the keys of ``words``
    that have postings beside the bag's.
    """

    words: str
    bag: bytes
    length: int
    posted: Sequence[Key]


@text_cache(1 << 17)
def key(agent_id: str, letter: str, word: str) -> Key:
    """Return the hash of an agent's word; terms are hashed under WORD."""
    digest = blake2b(f"{letter}\0{word}".encode(errors="replace"), digest_size=8, person=_person(agent_id))
    return int.from_bytes(digest.digest(), "big", signed=True)


@text_cache(1 << 17)
def lexeme(agent_id: str, letter: str, word: str) -> str:
    """Return the lexeme of an agent's word: letters, digits, - and _ only."""
    number = key(agent_id, letter, word)
    return letter + base64.urlsafe_b64encode(number.to_bytes(8, "big", signed=True)).decode().rstrip("=")


def posted(lexemes: Iterable[str], *, scoped: bool) -> list[Key]:
    """Return the keys under which a row with these lexemes has postings beside its terms'.

    Labels and their words are among them, and of a memory that has a scope all keywords: those of a scope are no terms.
    """
    letters = f"{POSTED}{KEYWORD}" if scoped else POSTED
    return [_key_of(one) for one in dict.fromkeys(lexemes) if one[0] in letters]


def any_of(agent_id: str, letter: str, words: Iterable[str]) -> str:
    """Return a tsquery: one of these words stands there."""
    return " | ".join(f"'{lexeme(agent_id, letter, word)}'" for word in words)


def all_of(agent_id: str, letter: str, words: Iterable[str]) -> str:
    """Return a tsquery: each of these words stands there."""
    return " & ".join(f"'{lexeme(agent_id, letter, word)}'" for word in words)


def labels_query(agent_id: str, wanted: Mapping[str, Collection[str]]) -> str:
    """Return a tsquery: of each field (tags, topics, entities) one of the labels stands there, whatever its case."""
    fields = (
        any_of(agent_id, LABEL[field], sorted({label.casefold() for label in labels}))
        for field, labels in wanted.items()
    )
    return " & ".join(f"({field})" for field in fields)


def label_keys(agent_id: str, wanted: Mapping[str, Collection[str]]) -> list[list[Key]]:
    """Return for each field (tags, topics, entities) the keys of its labels: a row stands under one of each."""
    return [
        [key(agent_id, LABEL[field], label) for label in sorted({label.casefold() for label in labels})]
        for field, labels in wanted.items()
    ]


def of_item(agent_id: str, item: Memory | Episode) -> Indexed:
    """Return the index of a memory (essence, lesson, labels; keywords of its scope too) or an episode (content)."""
    if isinstance(item, Memory):
        labels = {"tags": item.tags, "topics": item.topics, "entities": item.entities}
        essence = (item.essence, item.lesson or "")
        counted = memory_terms(*essence, (label for names in labels.values() for label in names))
        looked_up = "\n".join((*essence, *item.tags, *item.scope))
    else:
        meta = item.metadata
        labels = {"tags": item.tags, "topics": meta.topics, "entities": meta.entities}
        counted = message_terms(item.content)
        looked_up = item.content
    named = {term for label in (*labels["topics"], *labels["entities"]) for term in label_terms(label)}
    lexemes = [
        *(lexeme(agent_id, LABEL[field], label.casefold()) for field in labels for label in labels[field]),
        *(lexeme(agent_id, LABEL_WORD, term) for term in named),
    ]
    counts = Counter(counted)
    lexemes += [lexeme(agent_id, KEYWORD, word) for word in keywords(looked_up)]
    del lexemes[MOST_LEXEMES:]
    return Indexed(
        words=" ".join(f"'{one}'" for one in lexemes),
        bag=bag(agent_id, counts),
        length=len(counted),
        posted=posted(lexemes, scoped=isinstance(item, Memory) and bool(item.scope)),
    )


def keyword_keys(agent_id: str, word: str) -> tuple[Key, Key] | None:
    """Return the keys whose postings together hold every text with this keyword; None where no postings do.

    A keyword is a term of its text, too, unless it is a stop word.
    """
    if word in _untold():
        return None
    return key(agent_id, WORD, word), key(agent_id, KEYWORD, word)


@lru_cache(1)
def _untold() -> frozenset[str]:
    """Keywords that may come of a word that is no term."""
    return frozenset(one for word in STOP_WORDS for one in keywords(f"{word} {word}'s"))


def bag(agent_id: str, counts: Mapping[str, int]) -> bytes:
    """Return terms with their numbers, as BAG."""
    rows = [(key(agent_id, WORD, term), min(count, _MOST_COUNTED)) for term, count in counts.items()]
    return np.array(rows, BAG).tobytes()


def opened(bags: Sequence[bytes]) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.float32]]:
    """Return the postings of bags: for each the place of its bag, the term's key and its number."""
    sizes = [len(one) // BAG.itemsize for one in bags]
    together = np.frombuffer(b"".join(bags), BAG)
    places = np.repeat(np.arange(len(bags)), sizes)
    return places, together["term"].astype(np.int64), together["count"].astype(np.float32)


def _key_of(lexeme: str) -> Key:
    return int.from_bytes(base64.urlsafe_b64decode(f"{lexeme[1:]}="), "big", signed=True)


@text_cache(1024)
def _person(agent_id: str) -> bytes:
    return blake2b(agent_id.encode(errors="replace"), digest_size=16).digest()
