"""Clauses: where one begins, whether it is meant as it is said, and where its statement ends."""

from __future__ import annotations

import re

from reverie.rules.vital import vital

# Where case doesn't count, most of these are matched against small letters (``small``): then Python passes over a
# branch by its first letter, which makes them two to three times as fast.

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
    r"\b[\s,.!:;\u2013\u2014-]*)+"
)
# A clause may begin behind these
_JOINED = re.compile(
    r"(?:[,;:(\u2013\u2014]|\s-|\b(?:and|but|so|because|since|as|cause|cuz|plus|though|although|while|why|reasons?"
    r"|you know))$",
    re.IGNORECASE,
)
_NEAR = 16
"""More characters than what joins two clauses has."""
_FOLLOWED = re.compile(r"[,;]\s+(?:so|and|but)\s+$", re.IGNORECASE)
_COMPARED = re.compile(r"\b(?:much|long|soon|far|well|same) as$", re.IGNORECASE)
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
    r"|reads|heard|apparently|rumou?r|scenario|texts?|sentences?|phrases?|paragraphs?|lyrics|translate)\b|\?"
)
# Anywhere in the sentence: not meant at all
_MOCKING = re.compile(
    r"(?:^|\s)/s\b|\byeah,? right\b|\b(?:kidding|joking|jk|sarcas\w+|ironic\w*)\b|\bnot!|\bsaid no ?one ever\b"
    r"|\U0001f644|\(not\)"
)
# The same, but of what nobody jests about
_LIGHT_MOCKING = re.compile(
    r"\bas if\b|\boh,? (?:great|joy|wonderful)\b|\b(?:sure,? because|because who doesn't)\b"
    r"|\bwhat could (?:possibly )?go wrong\b|\btotally (?:love|enjoy)\b|\bjust love\b.*\bwhen\b"
)
# One of these stands wherever they match
_JESTS = ("/s", "joking", "kidding", "jk")
_MOCKERY = (
    *_JESTS, "yeah", "as if", "sarcas", "ironic", "not!", "said no", "\U0001f644", "oh", "(not)", "because",
    "what could", "totally", "just love",
)  # fmt: skip
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
    r"|three))\b"
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
# Each of these reaches to the end. Where one may begin is told first, by far fewer tries: at a sign, before a sign or
# one of their first words, at "so i"
_TAIL = re.compile("|".join((*_ASIDES, *_NEXT)), re.DOTALL)
_ASIDE = re.compile("|".join(_ASIDES), re.DOTALL)
_MAY_END = re.compile(
    r"[\s,;:(.\u2026\u2013\u2014s-](?:(?<=[,;:(\u2026\u2013\u2014-])|(?<=\.)\.|(?<=s)o i"
    r"|(?<=\s)\s*(?:[,;:(\u2013\u2014-]|'cause|a|btw|by|lo|lm|h[ao]|you|to|tb|im|pl|th|i[f']|i\b|of|fo|fy|pers"
    r"|ri|ok|du|man|bu|bro|gu|ow|uw|om|sm|rn|rof|be|'?c|si|so|or|ev))"
)
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
    near = before.rstrip()[-_NEAR:]
    if not _JOINED.search(near) or _NOT_MEANT.search(small(rest)) or _COMPARED.search(near):
        return None
    return rest if _CIRCUMSTANCE.fullmatch(rest) else ""


def opens(sentence: str, place: int) -> bool:
    """Whether nothing but words that say nothing, or a circumstance, stands before a place."""
    rest = _unfilled(sentence[:place])
    return not rest or bool(_CIRCUMSTANCE.fullmatch(rest))


def unfilled(sentence: str) -> int:
    """Where a sentence begins after the words that say nothing."""
    filler = _FILLER.match(small(sentence))
    return filler.end() if filler else 0


def _unfilled(before: str) -> str:
    """What stands before a clause, without words that say nothing."""
    if not before.strip(_EDGES):
        return ""
    filler = _FILLER.match(small(before))
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
    low = small(sentence)
    if not any(map(low.__contains__, _MOCKERY)):
        return False
    return bool(_MOCKING.search(low)) or (bool(_LIGHT_MOCKING.search(low)) and not vital(sentence))


def passing(clause: str) -> bool:
    """Whether it is about this moment, or about something that lies on the table, and won't be true for good."""
    return bool(_PASSING.search(small(clause)))


def small(text: str) -> str:
    """The text in small letters, each where it stood: one capital alone has two of them."""
    return text.lower() if text.isascii() else text.replace("\u0130", "i").lower()


def _end(clause: str, tail: re.Pattern[str]) -> int:
    """Where the first match of a pattern that reaches to the end begins; the clause's length where there is none."""
    at = 0
    while found := _MAY_END.search(clause, at):
        at = found.start()
        if tail.match(clause, at):
            return at
        at += 1
    return len(clause)


def trimmed(clause: str, *, whole: bool = False) -> str:
    """The clause without what follows its statement: "I prefer tabs, btw 😀" → "I prefer tabs".

    ``whole``: what the speaker goes on to say of themselves belongs to it.
    """
    clause = _DECORATION.sub("", clause).rstrip(_EDGES)
    tail = _ASIDE if whole else _TAIL
    low = small(clause)
    while (cut := low[: _end(low, tail)].rstrip(_EDGES)) != low:
        low = cut
    clause = clause[: len(low)]
    if clause.count('"') % 2:
        clause += '"'
    return clause + "\u201d" if clause.count("\u201c") > clause.count("\u201d") else clause
