"""Clauses: where one begins, whether it is meant as it is said, and where its statement ends."""

from __future__ import annotations

import re

# What may stand before a clause and says nothing: "Well, honestly, …"
_FILLER = re.compile(
    r"\s*(?:(?:oh|well|so|and|but|yes|yeah|yep|yup|ok|okay|hey|hi|hello|honestly|personally|actually|frankly|btw|fyi"
    r"|tbh"
    r"|by the way|also|plus|just so you know|for the record|note to self|to be (?:honest|clear|fair)|you know|hmm+|ah"
    r"|wow"
    r"|thanks|thank you|sure|right|true|absolutely|definitely|i mean|i must say|i have to say|i'd say|i'll admit|look"
    r"|listen|anyway|in general|generally|in fact|please note(?: that)?|note that|however|still|sorry|haha+|lol"
    r"|same here"
    r"|me too|great|cool|nice|awesome|exactly|totally|of course|unfortunately|sadly|luckily|fortunately|as for me"
    r"|for me"
    r"|that's why|which is why|and that's why|as you know|one more thing|again|first(?: of all)?|second(?:ly)?|finally"
    r"|lastly|in addition|additionally|moreover|furthermore|cause|cuz|then|(?:because|since|though|although"
    r"|as)(?=\s*$))"
    r"\b[\s,.!:;\u2013\u2014-]*)+",
    re.IGNORECASE,
)
# A clause may begin behind these
_JOINED = re.compile(
    r"(?:[,;:(\u2013\u2014]|\s-|\b(?:and|but|so|because|since|as|cause|cuz|plus|though|although|while|why|reasons?"
    r"|you know))\s*$",
    re.IGNORECASE,
)
_FOLLOWED = re.compile(r"[,;]\s+(?:so|and|but)\s+$", re.IGNORECASE)
_COMPARED = re.compile(r"\b(?:much|long|soon|far|well|same) as\s*$", re.IGNORECASE)
# A circumstance that belongs to the statement: "When I write Python, …", "As a vegan, …"
_CIRCUMSTANCE = re.compile(
    r"\s*(?:from now on,?\s+)?(?:when|whenever|while|as an?|due to|because of|for|in|at|on|given|since|after|before"
    r"|during"
    r"|despite|being)\s[^,;:]{2,80},\s*$",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(r"\s*(?:when|whenever|while)\s+I(?:'m|\s+am)?\s+[^,;:?]{2,50}\s+$", re.IGNORECASE)
# Said by another, only imagined, or on a condition that isn't known to hold
_NOT_MEANT = re.compile(
    r"\b(?:if|unless|imagin\w+|suppos\w+|pretend\w*|hypothetical\w*|would|wouldn't|could|wish\w*|said|says|saying|tells"
    r"|told|telling|asked|asks|thinks|thought|claim\w*|according|wrote|writes|quot\w+|assum\w+|let's say|dream\w*"
    r"|character|role|example|e\.g|when i was|used to|whether|maybe|perhaps|might|insists?|insisted|believes|reckons"
    r"|reads|heard|apparently|rumou?r|scenario|texts?|sentences?|phrases?|paragraphs?|lyrics|translate)\b|\?",
    re.IGNORECASE,
)
# Anywhere in the sentence: not meant at all
_MOCKING = re.compile(
    r"(?:^|\s)/s\b|\byeah,? right\b|\bas if\b|\b(?:kidding|joking|jk|sarcas\w+|ironic\w*)\b|\bnot!"
    r"|\bsaid no ?one ever\b"
    r"|\U0001f644|\boh,? (?:great|joy|wonderful)\b|\(not\)|\b(?:sure,? because|because who doesn't)\b"
    r"|\bwhat could (?:possibly )?go wrong\b|\btotally (?:love|enjoy)\b|\bjust love\b.*\bwhen\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"(?:^|\s)/s\b|\b(?:just|only|totally) (?:kidding|joking)\b|\bjk\b|\bkidding[.!]*$", re.IGNORECASE
)
_ASKS = re.compile(
    r"\W*(?:(?:and|but|so|or|well|ok|okay|also)\W+)*(?:do|does|did|is|are|am|was|were|can|could|would|will|should"
    r"|shall|may"
    r"|might|have|has|had|what|which|who|why|when|where|how|isn't|aren't|don't|doesn't|didn't|won't|remember|you)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\s*(?:[,;:\u2013\u2014-]\s*|\s)(?:so\s+|and\s+|but\s+)?(?:can|could|would|will|what|which|how|where|do|does"
    r"|should"
    r"|shall|may|any\b|is there|are there|have)\s+(?:you|i|we|it|there|that|this|some|any|kind|about|is|are|do|should"
    r"|would|can|could|else|other)\b",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\b(?:right now|today|tonight|tomorrow|yesterday|this (?:time|week|weekend|month|morning|afternoon|evening|version"
    r"|one|draft|part|section|idea|approach|plan)|at the moment|lately|recently|for now|currently|so far|next (?:week"
    r"|month)"
    r"|the (?:first|second|third|last|latest|other|previous|new|above|following) (?:one|ones|option|version|draft"
    r"|part|two"
    r"|three))\b",
    re.IGNORECASE,
)
_DASH = "[,;\u2013\u2014-]"
_OTHERS = (
    "it|its|it's|that|that's|this|they|they're|you|you're|he|she|there|then|the|now|maybe|if|what|how|please|can"
    "|could|would"
    "|let's|of course|yes|no|also|thanks|sometimes|apparently|probably|hopefully|especially|still|yet|not sure"
)
_SPEAKERS = "i|i'm|i've|i'll|i'd|my|we|we're|we'll"
# What a statement can do without, to its end
_ASIDES = (
    # ", btw" · " as well"
    (
        rf"\s*(?:{_DASH}\s*|\s)(?:btw|by the way|lol|lmao|haha+|you know|to be honest|tbh|honestly|imo|imho|please|pls"
        r"|thanks?(?: you)?(?: so much| a lot)?|though|tho|too|as well|if that makes sense|i guess|i think|anyway"
        r"|of course|for sure|fyi|actually|personally|right|ok(?:ay)?|you see|i'm afraid|dude|man|buddy|bro|guys|owo"
        r"|uwu|omg|smh|rn|lmfao|rofl)\s*$"
    ),
    # ", so can you …" · " (what about …"
    (
        r"\s*[,;\u2013\u2014(]\s*(?:so|and|but|then)?\s*(?:can|could|would|will|please|let's|lets|let me|what|how"
        r"|which|where|who|is there|are there|do you|don't you|did you|have you|any|maybe|perhaps|thanks"
        r"|especially since|even though|so that|right)\b.*$"
    ),
    # ", working with them would be cool" · ", if that's possible" · a conjunction that is left over
    r",\s[^,]*\b(?:would|could|might|will)\b.*$",
    r",\s*if\s+(?:that|it|possible|you)\b.*$",
    r"\s+(?:because|'?cause|cuz|since|and|or|but|so|as)$",
    # " - the creativity is awesome" · "; they …" · ": …" · "…"
    r"\s+[\u2013\u2014-]\s.*$|\u2014.*$|\s*;.*$|\s*:\s.*$|:$|\.{2,}.*$|\u2026.*$",
    # " but it is taken"
    rf",?\s+(?:but|and|so|or)\s+(?:{_OTHERS})\b.*$",
    # ", although …"
    r",?\s+(?:although|though|even though)\b.*$",
    # " because they …" · ", which …" · " (you know)"
    r",?\s+(?:because|since|as|cuz|cause)\s+(?:it|it's|they|they're|that|this|you|you're|we|he|she|there)\b.*$",
    r",\s+(?:which|it|it's|they|they're|that's|you|this|he|she|we|there|not that|thank)\b.*$",
    r"\s+too,.*$|,?\s'cause\b.*$|\s*\([^()]*$|\s*\((?:[^()]*\b(?:you|it|this|that)\b[^()]*)\)\s*$",
)
# What the speaker says next, which is a statement of its own: ", and I …", ", I started …", not ", so I avoid …"
_NEXT = (
    # " but seriously", not " but prefer …"
    (
        r",?\s+but\s+(?!prefer|enjoy|love|like|avoid|hate|dislike|only|never|can't|cannot|not\b|also|still|an?\b|the\b"
        r"|on\b|in\b|at\b|from\b).*$"
    ),
    rf",?\s+(?:but|and|so|or)\s+(?:{_SPEAKERS})\b(?<!\bso i)(?<!\bso i'm).*$",
    r"\bso i(?:'m)?\s+(?!avoid|cannot|can't|must|prefer|refuse|have to avoid).*$",
    r",\s+i(?:'m|'ve|'ll|'d)?\s.*$|\s+i'(?:m|ve|ll)\s.*$",
    r"\s+i\s+(?:love|like|hate|prefer|enjoy|always|never|really|just|also|think|guess)\b.*$",
)
_TAIL = re.compile("|".join((*_ASIDES, *_NEXT)), re.IGNORECASE | re.DOTALL)
_ASIDE = re.compile("|".join(_ASIDES), re.IGNORECASE | re.DOTALL)
_EDGES = " \t\n.!?,;:*_~\"\u201c\u201d'()-\u2013\u2014"
_DECORATION = re.compile(r"[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d\u2b50]+")


def begins(sentence: str, place: int) -> str | None:
    """What stands before a clause that begins at ``place`` and belongs to its statement ("When I write Python, "),
    mostly nothing; None where no clause of the speaker's own begins there.
    """
    before = sentence[:place]
    rest = _unfilled(before)
    if not rest:
        return ""
    if _AT_ONCE.fullmatch(rest):
        return rest
    if _NOT_MEANT.search(rest) or _COMPARED.search(before) or not _JOINED.search(before):
        return None
    return rest if _CIRCUMSTANCE.fullmatch(rest) else ""


def opens(sentence: str, place: int) -> bool:
    """Whether nothing but words that say nothing, or a circumstance, stands before a place."""
    rest = _unfilled(sentence[:place])
    return not rest or bool(_CIRCUMSTANCE.fullmatch(rest))


def unfilled(sentence: str) -> int:
    """Where a sentence begins after the words that say nothing."""
    filler = _FILLER.match(sentence)
    return filler.end() if filler else 0


def _unfilled(before: str) -> str:
    """What stands before a clause, without words that say nothing."""
    if not before.strip(_EDGES):
        return ""
    filler = _FILLER.match(before)
    rest = (before[filler.end() :] if filler else before).lstrip(_EDGES)
    return rest if rest.strip(_EDGES) else ""


def follows(sentence: str, place: int) -> bool:
    """Whether a clause follows another of the same sentence by "so", "and" or "but"."""
    return bool(_FOLLOWED.search(sentence, 0, place))


def stated(sentence: str) -> str:
    """The sentence as far as it states something: without a question that it ends in; empty where it is one."""
    if not sentence.rstrip(" *_\"')\u201d").endswith("?"):
        return sentence
    asked = _ASKED.search(sentence)
    return "" if asked is None or _ASKS.match(sentence) else sentence[: asked.start()]


def mocking(sentence: str) -> bool:
    """Whether it is not meant as it is said."""
    return bool(_MOCKING.search(sentence))


def taken_back(text: str) -> bool:
    """Whether a whole message isn't meant: "… /s", "… just kidding"."""
    return bool(_TAKEN_BACK.search(text))


def passing(clause: str) -> bool:
    """Whether it is about this moment, or about something that lies on the table, and won't be true for good."""
    return bool(_PASSING.search(clause))


def trimmed(clause: str, *, whole: bool = False) -> str:
    """The clause without what follows its statement: "I prefer tabs, btw 😀" → "I prefer tabs".

    ``whole``: what the speaker goes on to say of themselves belongs to it.
    """
    clause = _DECORATION.sub("", clause).rstrip(_EDGES)
    tail = _ASIDE if whole else _TAIL
    while (cut := tail.sub("", clause, count=1).rstrip(_EDGES)) != clause:
        clause = cut
    if clause.count('"') % 2:
        clause += '"'
    return clause + "\u201d" if clause.count("\u201c") > clause.count("\u201d") else clause
