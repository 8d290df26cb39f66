"""What the terms of a score say, in words."""

from __future__ import annotations

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    "semantic": "how close the meaning is to the question's",
    "lexical": "how many of the question's words it has, rare ones counting more",
    "context": "where people talk: how well the messages around it fit, and whether it replies to one that asks",
    "date": "how close it is to a time that the question names; and whether it says when, if that is asked",
    "speaker": "said by a person, not the agent or a tool; more where the question names that person",
    "recency": "how new it is; halves every 90 days",
    "strength": "how sure, important and often confirmed it is, and whether it is true at the time asked about",
    "emotion": "emotions shared with the question's",
    "newer": "before an older one about the same thing, or behind a newer one",
    "repeat": "nearly repeats a better hit, so it steps back",
    "topic": "how many of the question's words are among its topics, tags and entities",
}
"""What each term of a score says."""
