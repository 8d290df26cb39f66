"""What looks like a statement for good and isn't: idioms, encouragement, reactions to what lies on the table."""

from __future__ import annotations

import re

from reverie.rules.patterns_clause import small
from reverie.rules.patterns_lists import LISTS
from reverie.rules.patterns_row import Row, Subject

# Those without a flag are matched against small letters (``patterns_clause`` says why).

# Words that point at something outside the statement: without it nobody knows what is meant
_POINTING = re.compile(
    r"\b(?:it|its|it's|they|they're|them|he|him|she|her|his|you|you're|you've|your|yours|u|ur|ya|y'all|yall|here|there"
    r"|these|those(?! who)|both(?= of\b| so\b| the\b|$)|one of them|that one|that's|this)\b|\bthat$|^that\b"
    r"|\b(?:to|in|of|on|at|with|for|from|about|like)\s+that\b"
)
# Those of them that nothing in the statement itself can be meant by
_SPOKEN_TO = frozenset("you you're you've your yours u ur ya y'all yall".split())
_OUTSIDE = _SPOKEN_TO | {"here", "there", "this"}
# An order speaks to the agent, and to nobody else
_TO_AGENT = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
_BOUNDARY = re.compile(
    r",?\s+(?:and|or|but|because|since|as|unless|so|when|if|while|that|which|who|where|before|after|until|once)\s+"
    r"|,\s+",
    re.IGNORECASE,
)

# Of the speaker ------------------------------------------------------------------------------------------------------
_REACTION = re.compile(
    r"\s*(?:how|what|when|where|why|who|the way|to (?:see|hear|know|think|say|be|use|have|go|get|make|do|proceed"
    r"|start|try"
    r"|add|change|move|keep|focus|ask|talk|discuss|look|stick|find)\b|seeing that|hearing that|all (?:of )?(?:the"
    r"|your|this"
    r"|that)|the (?:idea|sound|thought|concept|fact)s? of\b|their\b|#\d|option|number|everything about|version|getting"
    r"|being able|for (?:you|us|the)|me\b|in\b|at\b|from\b|if\b|about\b|and\b|a (?:good|bit|lot)\b|that\b)",
    re.IGNORECASE,
)
# Of what is being made or chosen here, not of anything that will be there tomorrow
_AT_HAND_TOO = re.compile(
    r"\b(?:in|of|for|with) the (?:name|title|text|list|draft|code|email|story|intro\w*|design|logo|layout|jersey"
    r"|picture)\b"
    r"|\bcombinations?\b|\boptions?\b|\binterested in the\b|\b(?:too?|waa*y) much to be\b"
    r"|^\s*not (?:being|having)\b|\bthe things we\b"
)
_OUR_SOON = re.compile(r"\s*(?:\S+\s+){0,2}our\b", re.IGNORECASE)
# True of everybody, or of nobody in particular
_EMPTY = re.compile(
    r"\s*(?:food|life|humans?|people|everyone|everything|things|stuff|fun|winning|attention|mine|yours|myself"
    r"|music videos?"
    r"|to (?:laugh|help|relax|chill|learn|talk|win|play|live|sleep)(?:\s+(?:or|and)\b.*)?|help(?:ing)?"
    r"|playing(?:\s+(?:for fun|and|it)"
    r"\b.*)?|living|learning|laughing|winning|relaxing)\s*$",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(
    r"\s*(?:it|that|this|these|them|how|what|when|you|your|u|him|her|his|their|everything about|the (?:way|idea))\b"
    r"|\s*[.!?,]",
    re.IGNORECASE,
)
_LASTING_REFUSAL = re.compile(
    r"\s*to\s+(?!say|sound|admit|break|ask|bother|disappoint|see|hear|think|tell|accept|believe|let|give|be\b)",
    re.IGNORECASE,
)
_DEFINITE = re.compile(r"\s*the\s+(?P<noun>.*)", re.IGNORECASE | re.DOTALL)
# There is but one of it, or it is a kind: "the ocean", "the color gray", "the minimalist style"
_GENERAL = re.compile(
    r"(?:outdoors|beach|ocean|sea|mountains?|cit(?:y|ies)|countryside|rain|snow|cold|heat|sun|summer|winter|spring"
    r"|autumn"
    r"|fall|colou?r (?!and|of)\w+|smell|scent|sound|taste|feel(?:ing)? of|idea of|thought of|use of|look of|impersonal"
    r"|[\w-]+\s+(?:[\w-]+\s+){0,4}(?:style|genre|aesthetic|look|design)|gym|arts|theat(?:er|re)|ballet|opera|piano"
    r"|guitar"
    r"|violin|water|woods|forest|environment|concept of)\b",
    re.IGNORECASE,
)
_UNFINISHED = frozenset("to of with the a and for".split())
_TOO_MUCH = re.compile(r"\btoo (?:much|many|late|long)\b", re.IGNORECASE)
_COMPLETE = re.compile(
    r"(?:vegan|arian|kosher|halal|intolerant|celiac|coeliac|diabetic|blind|person|owl|bird|learner)$",
    re.IGNORECASE,
)
_INTERESTED = re.compile(
    r"\b(?:am|'m)\s+(?!not\b)(?:\w+\s+){0,2}?(?:comfortable with|interested in)\b", re.IGNORECASE
)
_THIS_TIME = re.compile(r"\s*(?:because|when you|if you|lately|now)\b", re.IGNORECASE)
_NOT_ALWAYS = re.compile(
    r"(?:n't|\bnot)\s+(?:always|usually|often|just|only|simply|necessarily)\b", re.IGNORECASE
)
# What somebody has that says all by itself; an interest or a fear is one of something
_CONDITION = re.compile(
    r"(?:allerg(?:y|ies)|intolerances?|\w*phobia|dyslexia|asthma|diabetes|vertigo|sickness|arthritis|migraines?"
    r"|insomnia|adhd"
    r"|autism|ibs|epilepsy|pain|injury|problems?|skin|stomach|hearing|disease|condition|disability|deficiency)$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:my|which|what|the (?:first|second|third|last))\b", re.IGNORECASE)
_AT_HAND = re.compile(r"the\b(?!.*\bof\b)", re.IGNORECASE)

# Rules ---------------------------------------------------------------------------------------------------------------
# What "must be" is followed by in a rule; behind any other word it is a guess ("must be nice")
_RULE_BE = (
    r"be\s+(?:\w+ly\s+)*(?:\w{2,}ed|written|kept|made|done|run|sent|built|set|given|taken|shown|held|paid|left|put"
    r"|read|met"
    r"|chosen|hidden|known|drawn|spoken|under|below|above|within|less|more|at|in|on|before|after|by|no|of|\d|unique"
    r"|lower"
    r"|upper|valid|short|brief|concise|consistent|available|compatible|private|public|secure|idempotent|deterministic"
    r"|free"
    r"|present|vegan|vegetarian|local|optional|strict|readable|clear|true|false|empty|non|\w+-\w+)\b"
)
_GUESS = re.compile(
    r"must\s+(?:(?:always|never|not|only)\s+)?(?:(?!"
    + _RULE_BE
    + r")be\b|have(?!\s+(?:an?\b(?! lot)|at (?:least"
    r"|most)|no\b"
    r"|\d|one|two|three|its|their|type|tests?|unit|unique))|(?:say|admit|confess|feel|love|enjoy|seem|mean|remember"
    r"|know|think"
    r"|like|miss|really|also|still|suck|stink|hurt|cost|want|need|hate|live|look|sound|taste|smell|take a lot|go|get"
    r"|come"
    r"|remain|act|exist|of)\b)|must-|\ba must\b",
    re.IGNORECASE,
)
_NO_RULE = re.compile(
    r"(?:(?:this|that|it|every aspect|everything|he|she|they|there|who|which|what|one|i|these|those|his|her|their"
    r"|someone|something|somebody"
    r"|life"
    r"|your(?! (?:answers|replies|responses|code))|people|man|mankind|humans?|to|of|in|then|as|a|an|for now|sometimes"
    r"|omg"
    r"|wow)\b|.*\b(?:says?|said|told|tells|wrote|claims?|asked|insists?|that|which|who|if|when|thus|therefore"
    r"|logically|then)\s).*?\bmust\b"
    r"|you\s+must\s+(?:not\s+)?(?:be|have)\b"
)
# One thing that is being made here: what it must be like says nothing of the next one
_DELIVERABLE = re.compile(
    r"(?:(?:the|your|each)\s+)?(?:[\w-]+\s+){0,2}(?:response|answer|output|text|tone|article|paragraph|essay|story"
    r"|summary"
    r"|title|result|reply|content|style|language|format|email|letter|code|script|list|table|report|design|name"
    r"|introduction)\s+must\b"
    r"|(?:(?:you|we)\s+)?must\b(?!.*\b(?:always|never|every|each|any|all|whenever|before|from now on"
    r"|not(?! exceed\b))\b)"
)
_EMPTY_RULE = re.compile(
    r"(?:(?:my|our|the|these|those)\s+(?:requirements?|criteria|standards?)|for|to|of|with|what|which|why)\b",
    re.IGNORECASE,
)
_IT_IS = re.compile(r"it(?:'s| is)\b", re.IGNORECASE)
_PLAYED = re.compile(r"\b(?:character|role|persona|scene|plot|narrator|dungeon|player)s?\b", re.IGNORECASE)
_ENCOURAGEMENT = re.compile(
    r"(?:always|never|don't ever|do not ever)\s+(?:give up|quit|stop|mind|forget|underestimate|doubt|fear|too late"
    r"|say never"
    r"|lose|ever|be afraid|look back|settle|keep (?:it up|going|pushing|learning)|follow your|believe|trust your|stay"
    r"|here"
    r"|there|take (?:it|things|life)|work (?:out|hard)|get (?:old|tired|bored|enough)|let (?:it|that|them|anyone|go"
    r"|fear"
    r"|others))|.*\b(?:you love|your (?:dreams?|passions?|heart|goals?|worth))\b",
    re.IGNORECASE,
)

# Corrections ---------------------------------------------------------------------------------------------------------
# A correction says what it isn't, or tells of the speaker, or says something definite
_CONTRAST = re.compile(
    r",\s*not\s+(?!\w+ing\b|that\b|to\b|because\b|just\b|only\b)|\bno longer\b|\binstead of\b|\bany ?more\b"
)
_OF_SPEAKER = re.compile(
    r"(?:my|our)\s+(?:[\w'-]+\s+){1,4}?(?:is|are|has|was)\s+(?!amazing|great|awesome|so\b|very|really|pretty|why|what"
    r"|how"
    r"|the best|good|fine|ok\b|better|worse|about|not\b|to\b)"
    r"|I(?:'m| am)\s+(?:(?:from|based|called|named|allergic|in|at|on|\d+)\b|an?\s+(?!bit|little|huge|big|fan|lot))"
    r"|I(?:'ve)?\s+(?:live|work|use|own|study|drive|speak|moved|was born)\b|we\s+(?:use|deploy|live|run|moved"
    r"|switched)\b",
    re.IGNORECASE,
)
_DEFINITE_FACT = re.compile(
    r"(?:(?:the|my|our)\s+(?:[\w'-]+\s+){1,5}?(?:is|are|was|were|starts?|ends?|runs?|costs?|opens?|closes?|lives?|moved"
    r"|has been)|(?:it's|it is|that's)\s+(?:spelled|spelt|called|pronounced|named|written|due|located|at|on|in))\s+"
    r"(?:now\s+|actually\s+|called\s+|to\s+)*(?:on|at|in|by|from)?\s*(?-i:[A-Z][\w-]+|\d[\w:.,%-]*|\$)"
    r"|it'?s\s+(?:spelled|spelt|called|pronounced|named)\s+\w+",
    re.IGNORECASE,
)
_REPORTING = re.compile(
    r"\b(?:he|she|they|op|someone|people|everyone)(?:'s| has|'ve| have)?\s+(?:\w+\s+)?"
    r"(?:said|says|told|tells|claims?|thinks?|believes?)\b|^i\s+(?:know|mean|think|was|guess|thought)\b"
)
_EVALUATES = re.compile(
    r"\b(?:it|that|this)(?:'s| is)\s+(?:a\s+)?(?:great|good|fine|nice|fun|cool|perfect|kind of|pretty|really|very"
    r"|so)\b"
)
_STATES = re.compile(
    r"\b(?:is|are|am|was|were|isn't|aren't|has|have|lives?|works?|uses?|means?|costs?|starts?|ends?|runs?|needs?"
    r"|wants?|will"
    r"|must|should|can|cannot|can't|don't|doesn't|do|does|never|always|rotates?|goes|go|takes?|expires?|likes?|loves?"
    r"|hates?"
    r"|prefers?|happens?)\b|'(?:s|re|m|ll)\b"
)
# What "not X but Y" is not when Y is long, is a clause, or the whole is a fragment; or where X is nothing
_NO_CONTRAST = re.compile(
    r"\bbut\s+(?:\S+\s+){6}"
    r"|\bbut\b.*\b(?:is|are|was|were|has|have|had|do|does|did|i|i'm|you|we|they|it|he|she|that|who|which)\b"
    r"|^not\s+(?:an?|the|my|our|on|in|at|for|from|by|with)\b|\bnot (?:me|them|him|her|us|you|all|much|bad|sure)\b",
    re.IGNORECASE,
)

# What is to be remembered --------------------------------------------------------------------------------------------
_ORDER = re.compile(r"(?:we|I|(?:(?:always|never)\s+)?" + LISTS["order"] + r")\b", re.IGNORECASE)
_LOOKING_BACK = re.compile(
    r"(?:when|how|what|why|where|who|the (?:time|day|first|last|way)|last|me|those|him|her|them|about|being|doing"
    r"|seeing"
    r"|sometimes|even|anything|everyone|nothing)\b|(?:we|I)\s+(?:already|still|just|talked|discussed|agreed|said|told"
    r"|asked"
    r"|mentioned|did|had|were|was)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:it|he|she|he's|she's|it's|that's|that\s*$|this|these|those|them|him|her|there|one)\b(?!')",
    re.IGNORECASE,
)
_ORDERED = re.compile(
    r"(?:you|we)\s+(?:must|should|need|have to|can't|cannot|may not|are not|never|always)\b", re.IGNORECASE
)
_HENCE = re.compile(
    r"\s*,?\s*(?:so|therefore|hence)\s+(?:it|this|that|the|any|they|you|please)\b", re.IGNORECASE
)
_THAT = re.compile(r"\bthat\s+$", re.IGNORECASE)
_LEAST_OF_SENTENCE = 3
_SENTENCE = re.compile(r"(?:[Mm]y|[Oo]ur|[Tt]he|[Aa]ll|[Ee]very|[Nn]o)\b|[A-Z][\w'-]+\s+\w+(?:s|ed)\b")
_MADE_HERE = re.compile(
    r"\b(?:response|answer|output|text|article|paragraph|essay|story|summary|title|result|reply|content|email|letter"
    r"|script|list|table|report|draft|slide|page|chapter|section|step|option|version|question|exercise|example|here"
    r"|above|below|now)s?\b",
    re.IGNORECASE,
)
_COMFORT = re.compile(
    r"\b(?:you|your|you're|yourself|believe|possible|important|never give up|failures?|positive|strength|dreams?"
    r"|journey"
    r"|passion|proud|life|moments?|motivat\w+|hard work|smile|heart|love|support|enjoy|breathe|relax|rest|prepare"
    r"|take care"
    r"|have fun|be kind|none of|real|alone|okay)\b",
    re.IGNORECASE,
)


def refused(row: Row, clause: str, rest: str) -> bool:
    """Whether a clause that a row matched is no statement for good. ``rest`` is what follows the match."""
    match row.subject:
        case Subject.SPEAKER:
            return _refused_of_speaker(row, clause, rest)
        case Subject.THEIRS:
            if row.name != "favourite":
                at_hand = row.name == "troubles" and _AT_HAND.match(clause)
                return bool(at_hand or _ORDINAL.match(clause)) or points(clause)
            return not rest.strip() or points(clause)
        case Subject.ORDER:
            return bool(_ENCOURAGEMENT.match(clause) or _PLAYED.search(clause)) or points(
                _TO_AGENT.sub("", clause)
            )
        case Subject.THING:
            return _refused_of_thing(row, clause)
        case Subject.TOLD:
            return _refused_told(clause, whole=False)


_AGREED = re.compile(
    r"\W*(?:ok|okay|alright|perfect|great|sure|sounds good)\W+(?:and\s+|so\s+)?$", re.IGNORECASE
)
_BUT = re.compile(
    r"\bbut\s+(?:it|it's|its|the|they|that|that's|this|there|these|those|he|she|we|you|your|seriously|other than|what"
    r"|how"
    r"|is|was|are)\b"
)
_REACTING = frozenset({"likes", "dislikes", "cannot", "does not"})


def reacts(row: Row, sentence: str, start: int, end: int) -> bool:
    """Whether what stands around a match shows at once that somebody only reacts: "I love it", "OK, I like blue",
    "I like the first but it is taken".
    """
    if row.name not in _REACTING:
        return False
    return bool(
        _AT_ONCE.match(sentence, end)
        or _AGREED.match(sentence, 0, start)
        or _BUT.search(small(sentence), end)
    )


def points(clause: str, start: int = 0) -> bool:
    """Whether a clause points, from ``start`` on, at something that it doesn't tell itself."""
    match = _POINTING.search(small(clause), start)
    if match is None:
        return False
    if match.group() in _OUTSIDE:
        return True
    boundaries = _BOUNDARY.finditer(clause, start, match.start())
    return not any(clause[start : boundary.start()].strip() for boundary in boundaries)


def shortened(clause: str, start: int) -> str:
    """The clause up to where it begins, after ``start``, to speak of whoever is spoken to."""
    for match in _POINTING.finditer(small(clause), start):
        if match.group() in _SPOKEN_TO:
            ends = [boundary.start() for boundary in _BOUNDARY.finditer(clause, start, match.start())]
            return clause[: ends[-1]].rstrip(" ,") if ends else clause
    return clause


def _refused_of_speaker(row: Row, clause: str, rest: str) -> bool:
    start = len(clause) - len(rest)
    match row.name:
        case "likes" | "has always liked" | "dislikes" | "cannot" | "does not" | "only" | "habit":
            if _is_reaction(row, rest) or (clause[:1] in "Ii" and _OUR_SOON.match(rest)):
                return True
            if _NOT_ALWAYS.search(clause) or (row.name == "habit" and _TOO_MUCH.search(clause)):
                return True
        case "is":
            if (
                _INTERESTED.search(clause)
                or _AT_HAND_TOO.search(small(clause))
                or not (rest.strip() or _COMPLETE.search(clause))
            ):
                return True
        case "gets" | "has" | "works best":
            if _THIS_TIME.match(rest) or (
                row.name == "has" and not rest.strip() and not _CONDITION.search(clause)
            ):
                return True
        case "finds":
            start = clause.lower().index("find")
    return points(clause, start)


def _is_reaction(row: Row, rest: str) -> bool:
    """Whether somebody only says what they think of what lies on the table."""
    words = rest.split()
    if not words or words[-1].lower() in _UNFINISHED:
        return True
    if row.name == "dislikes" and words[0].lower() == "to":
        return not _LASTING_REFUSAL.match(rest)
    if _EMPTY.match(rest) or _AT_HAND_TOO.search(small(rest)):
        return True
    definite = _DEFINITE.match(rest)
    return bool(_REACTION.match(rest)) or (definite is not None and not _GENERAL.match(definite["noun"]))


def _refused_of_thing(row: Row, clause: str) -> bool:
    match row.name:
        case "must":
            low = small(clause)
            if _GUESS.search(clause) or _DELIVERABLE.match(low) or _NO_RULE.match(low):
                return True
            plain = _TO_AGENT.sub("", clause)
            return points(plain, plain.lower().index("must"))
        case "actually":
            low = small(clause)
            if _EVALUATES.match(low) or _REPORTING.search(low) or not _STATES.search(low):
                return True
            return not (_CONTRAST.search(low) or _OF_SPEAKER.match(clause) or _DEFINITE_FACT.match(clause))
        case "not but":
            return bool(_NO_CONTRAST.search(clause))
        case _:
            it_is = _IT_IS.match(clause)
            return bool(_EMPTY_RULE.match(clause)) or points(clause, it_is.end() if it_is else 0)


def explains(sentence: str, end: int) -> bool:
    """Whether what was to be remembered only explains what is wanted now: "remember that …, so it needs to …"."""
    return _HENCE.match(sentence, end) is not None


def refused_told(clause: str, before: str) -> bool:
    """The same of what is to be remembered; ``before`` is what leads to it: "remember that" is followed by a sentence,
    whatever its verb is.
    """
    return _refused_told(clause, whole=bool(_THAT.search(before)) and _is_sentence(clause))


def _is_sentence(clause: str) -> bool:
    """Whether the words after "that" are a sentence ("my mother visits …") and no thing that is pointed at ("that movie
    with …"); and not of what is being made here.
    """
    begun = len(clause.split()) >= _LEAST_OF_SENTENCE and _SENTENCE.match(clause)
    return bool(begun) and not _MADE_HERE.search(clause) and not _PLAYED.search(clause)


def _refused_told(clause: str, *, whole: bool) -> bool:
    if _LOOKING_BACK.match(clause) or _ELSEWHERE.search(clause):
        return True
    if not (whole or _STATES.search(small(clause)) or _ORDER.match(clause)):
        return True
    return not _ORDERED.match(clause) and bool(_COMFORT.search(clause))
