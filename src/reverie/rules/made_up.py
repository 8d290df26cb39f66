"""Made up: messages that are a story, a role, a supposition or a dream, and no telling of somebody's life.

One word proves nothing: "the second story of our house", "the form has a character limit", "I suppose" and "I can't
imagine" are said in earnest. So sentences are read, each by what it sets up; what sets up a story or a role also holds
for what stands behind it.
"""

from __future__ import annotations

import re

from reverie.rules.sentences import sentences

_FORM = r"(?:short stor(?:y|ies)|bedtime story|novel|novella|screenplay|poem|fairy ?tale|fan ?fic(?:tion)?)"
_WORK = rf"(?:{_FORM}|story)"
_ONE = r"(?:my|a|an|the|this|our|another)"
_FIRST = r"^(?:(?:ok(?:ay)?|so|now|well|hey|hi|and|but|just|please|right|alright|then|thanks)[,:!]? )*"
_MAKE = r"(?:write|compose|draft|make up|invent|continue|rewrite|tell)(?: me| us| him| her| the kids)?"
_PLAY = r"\b(?:let's|let us|can we|could we|shall we|start a|begin a|in (?:this|our))"
_SOMEBODY = (
    r"(?:i|we|you|he|she|they|it|there|somebody|someone|the|my|our|an?|[a-z]+ (?:is|has|was|lives|works))"
)
_SETS = re.compile(
    "|".join(
        (
            # It is asked for, or announced
            rf"(?:{_FIRST}|\b(?:you|please|let's) ){_MAKE}(?: {_ONE})? (?:\w+ ){{0,3}}?(?:{_WORK}|lyrics|song)\b",
            rf"\bhere(?:'s| is| comes) (?:the (?:start|beginning|opening|rest|draft) of )?{_ONE} (?:\w+ )?{_FORM}\b",
            # It is told inside of one
            rf"\b(?:in|for|from) {_ONE} (?:new |own )?{_WORK}\b(?! (?:club|group|class|course|contest|prize))",
            rf"\b(?:the|my|this|our) {_WORK} (?:is|are) (?:about|set in)\b",
            r"\b(?:main|title|fictional) characters?\b|\bcharacter (?:called|named|sheet|backstory|arc)\b",
            r"\bprotagonists?\b",
            r"\bmy character(?:'s)? (?:is|has|name|lives|works|wants|loves|grew|goes|drives|can|comes)\b",
            r"^chapter (?:\d+|one|two|three|four|five)\b|^once upon a time\b",
            # It is played
            rf"{_PLAY} role-?play\b(?! (?:training|exercise|at work))|^role-?play\b|\brole-?play as\b",
            rf"{_FIRST}(?:let's |let us |can (?:you|we) |could (?:you|we) )?pretend\b",
            # It is supposed
            rf"{_FIRST}(?:let's |let us |try to )?imagine (?!my|our|his|her|their|how|the look)",
            rf"{_FIRST}(?:let's |let us )?suppos(?:e|ing)\b",
            rf"{_FIRST}(?:let's|let us) (?:say|assume) (?:that )?{_SOMEBODY}\b",
            r"\b(?<!not )(?<!longer )hypothetical(?:ly)?\b|\b(?<!non-)fictional\b",
        )
    ),
    re.IGNORECASE,
)
_IS = re.compile(
    r"\b(?:dreamt|dreamed)\b(?! of (?:\w+ing|an?|the|this|that)\b)|\bin (?:my|a|the) dream\b|\bin an ideal world\b"
    rf"|{_FIRST}what if\b|{_FIRST}(?:for example|e\.g\.)",
    re.IGNORECASE,
)  # fmt: skip


def is_made_up(text: str) -> bool:
    """Whether a message isn't told in earnest: the sentence that opens it isn't, or most of its sentences aren't."""
    read = sentences(text)
    made_up, count = False, 0
    for place, one in enumerate(read):
        made_up = made_up or _SETS.search(one.text) is not None
        if made_up or _IS.search(one.text):
            if place == 0:
                return True
            count += 1
    return 2 * count > len(read)
