"""What the terms of a score say, in words."""

from __future__ import annotations

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    "semantic": "how close the meaning is to the question's",
    "lexical": "how many of the question's words it has, rare ones counting more",
    "importance": "how much it matters; half where nobody has judged it",
    "recency": "how new it is; halves every 90 days",
    "confidence": "how sure it is that it is true, after the fade of time",
    "reinforcement": "how often new evidence confirmed it",
    "emotion": "emotions shared with the question's",
    "speaker": "said by a person whom the question names",
    "session": "how many of the question's words its whole conversation has",
    "passage": "how close the messages around it are in meaning",
    "reply": "the message before it asks, and has words of the question",
    "statement": "it doesn't end in a question itself",
    "when": "the question asks for a time, and it says one",
    "date": "how close it is to a time that the question names",
    "validity": "true in the world now, or at the moment asked about",
    "topic": "how many of the question's words are among its topics, tags and entities",
    "asked": "whether it holds what the question asks for, and of whom",
    "told": "how it is worded: plainly or in somebody's own words, briefly or at length; as news, or as a question",
    "later": "said later than others that answer too, or earlier",
    "newer": "lifted before an older one about the same thing",
    "ended": "it was true only until then, and others are now",
    "repeat": "nearly repeats a better hit, so it steps back",
}
"""What each term of a score says."""
