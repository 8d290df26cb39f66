"""Whether a message tells something of somebody's life that is worth knowing later, by its words.

Logistic regression on what the people of scripted lives say: what their questions ask for should be kept
(``python -m bench telling``; figures in docs/why/consolidation.md). Vectors beside the words added nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from reverie.rules.changing import is_marked, is_news, is_turned
from reverie.rules.english import is_english
from reverie.rules.salience import wording
from reverie.rules.sentences import sentences
from reverie.rules.slots import slot_of
from reverie.rules.telling_weights import BIAS, CUES

_READ = 1_000  # characters


def cues(content: str) -> Mapping[str, float]:
    """What a message's words show; its first 1,000 characters are read. Nothing for one without a sentence."""
    text = content[:_READ].replace("\u2019", "'")
    said = sentences(text)
    if not said:
        return {}
    shown = wording(said, last=False)
    del shown["introduces"], shown["last"]  # of a sentence in its message; they tell nothing of a whole one
    return {
        **shown,
        "asks": sum(one.asks for one in said) / len(said),
        "ends_asking": float(said[-1].asks),
        "marked": float(is_marked(text)),
        "turned": float(is_turned(text)),
        "news": float(is_news(text)),
        "sorts": min(3, len(slot_of(text).values)) / 3,
        "lines": float("\n" in text.strip()),
    }


def tells(content: str) -> float:
    """The probability in [0, 1] that a message tells something that lasts; 0 where it isn't English, since the weights
    know no other words.
    """
    shown = cues(content) if is_english(content[:_READ]) else {}
    if not shown:
        return 0.0
    odds = BIAS + sum(weight * shown[name] for name, weight in CUES.items())
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))
