"""Carrying: whether what a model writes is carried by what it was given. What isn't, is left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC

import numpy as np
from numpy.typing import NDArray

from reverie.domain.memory import Memory
from reverie.memory.change import LEAST_COSINE, Facts, Said, said_in
from reverie.memory.quoting import forged_blocks
from reverie.memory.trust import may_instruct

Embed = Callable[[Sequence[str]], NDArray[np.float32]]

_ORDERS = re.compile(
    r"\s*(?:please\s+)?(?:always|never|ignore|disregard|forget|obey|follow|execute|run|send|reveal|delete|pretend|"
    r"must|do not|don't|you (?:must|should|are|will|have to)|the (?:agent|assistant) (?:must|should|shall|has to))\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"^\s*#|<!--|-->|```|^\s*(?:system|assistant|user|developer)\s*:", re.IGNORECASE | re.MULTILINE
)
_ADDRESS = re.compile(r"(?:https?|ftp)://\S+|\bwww\.\S+", re.IGNORECASE)


class Sources:
    """The texts that something is made of, read once."""

    def __init__(self, said: Sequence[Said]) -> None:
        self._facts = Facts(said, UTC, dated=True)
        self._addresses = {address for one in said for address in _addresses(one.text)}

    def carry(self, text: str, cosine: float = LEAST_COSINE) -> bool:
        """Return whether they carry a statement: no name, number, date or address is in it that isn't in them, and
        nothing makes it doubtful. ``cosine``: to the nearest of them; where nobody measures it, words alone tell.
        """
        sound = self._is_plain(text) and self._facts.missing(text) is None
        return sound and not self._facts.doubts(text, cosine)

    def suggest(self, text: str) -> bool:
        """Return whether a text that only draws a lesson from them brings no name, number or address of its own."""
        return self._is_plain(text) and self._facts.missing(text) is None

    def _is_plain(self, text: str) -> bool:
        return bool(text.strip()) and not is_markup(text) and self._addresses.issuperset(_addresses(text))


def supported(text: str, memories: Sequence[Memory], embed: Embed) -> bool:
    """Return whether memories carry a line about them, by its words and by vectors. What orders something is carried by
    memories alone that may instruct the agent.
    """
    if not memories:
        return False
    if _ORDERS.match(text) and not all(may_instruct(one) for one in memories):
        return False
    vectors = embed([text, *(one.essence for one in memories)])
    cosine = float(np.max(vectors[1:] @ vectors[0]))
    return Sources([said_in(one) for one in memories]).carry(text, cosine)


def is_markup(text: str) -> bool:
    """Return whether a line is more than a line: it would change the page on which it stands, or speak as somebody
    else.
    """
    return bool(_MARKUP.search(text)) or bool(forged_blocks(text)) or "\n" in text.strip()


def _addresses(text: str) -> set[str]:
    return {found.rstrip(".,;)") for found in _ADDRESS.findall(text)}
