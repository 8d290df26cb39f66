"""What somebody declares of his life, whatever it is about: "our landlord is Mr Pike", "I've taken up the oboe".

No attribute is known here. A sentence counts where it is told as so (no question, order, wish, supposition, jest or
hearsay), of its speaker or of what or whom he names as his; where its verb tells a state, a habit or a change; and
where it holds a value that could be otherwise: a name, a number, a time, a word of a closed class.
"""

from __future__ import annotations

import re

from reverie.rules.changing import is_news, is_turned
from reverie.rules.slots import slot_of

_FEWEST, _MOST = 3, 30  # words
_UNREAL = re.compile(
    r"\b(?:if|unless|would|wouldn't|could|might|maybe|perhaps|wish|wishes|hope|hopes|imagine|pretend|almost|nearly"
    r"|close to|jok(?:e|ing|es)|kidding|dream\w*|thinking (?:of|about)|considering|tempted|hypothetical\w*"
    r"|one day|someday"
    r"|should|shouldn't|ought|apparently|supposedly|allegedly|rumou?r\w*|heard|reckons?|said|saying|tells?|told"
    r"|(?:he|she|they|who|\w+ly) says?|^(?:[\w']+ ){1,3}says?|thinks?|thought|believes?|claims?|wants? (?:me"
    r"|us|to)|wonder\w*|guess|who knows|in theory|in the (?:novel|book|film"
    r"|movie|story|game)|character|toying|looking (?:at|into)|offered|test[- ]drove|remind|recommend|used to be able"
    r"|as if|what if|let's say|suppos\w+|fancy|fantasi\w+|feels? like|seems?|sounds? like|looks? like it"
    r"|can you|could you|please|may (?!\d)(?=[a-z]+ )(?<!\d may )(?<!in may )(?<!of may )|'d (?:never|rather"
    r"|love|like))\b",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|right now|at the moment|just now|this (?:morning|afternoon|evening|minute)"
    r"|last night|the other day|an hour|in a (?:minute|bit|moment)|brb|afk|so far today|earlier)\b",
    re.IGNORECASE,
)
_FROM_THEN = re.compile(
    r"\b(?:as of|from|since|starting|started|until|effective|first day|new|now|moved|switch\w+|officially"
    r"|turned|renamed"
    r"|changed|up to|took that|for good|scales?)\b",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:i|i'm|i've|i'd|my|mine|me|we|we're|we've|our|ours|us|im|ive)\b", re.IGNORECASE)
_INDEFINITE = re.compile(
    r"^(?:and |but |so |oh |well )?(?!it's (?:my|our|now)\b|its now\b|it's [^,.]{2,40} (?:now|these days"
    r"|every|while|for me|from)\b|(?:somebody|someone|they) (?:stole|nicked)\b)(?:an?|some|any|some(?:one"
    r"|body)|every(?:one|body)|people|they|these|those|this|that|there"
    r"|it|he|she|you|your)\b(?!'ve put|'ve moved| moved| gave| have| put| are moving|'re moving| changed| "
    r"raised| made)",
    re.IGNORECASE,
)
_OF_WORK = re.compile(r"^[A-Z][a-z]+ (?:from|at|in|over|next|down) ")
_STATE = re.compile(
    r"\b(?:is|are|am|'s|'re|'m|has|have|had to|had been|'ve|lives?|works?|teach(?:es)?|uses?|drives?|plays?"
    r"|stud(?:y|ies)|goes"
    r"|go|meets?|keeps?|takes?|wears?|sleeps?|wakes?|runs?|swims?|climbs?|sings?|drinks?|eats?|cooks?|rides?|cycles?"
    r"|walks?|starts?|opens?|closes?|ends?|finishes|costs?|pays?|weighs?|stands?|sits?|parks?|banks?|owns?"
    r"|speaks?|writes?"
    r"|codes?|deploys?|trains?|rehearses?|supports?|collects?|volunteers?|coach(?:es)?|leads?|manages?|heats?|begins?"
    r"|comes?|delivers?|stacks?|stays?|lasts?|expires?|answers? to|carr(?:y|ies)|saves?|does|do|reads?"
    r"|listens?|watch(?:es)?"
    r"|subscribes?|leaves?|arrives?|belongs?|serves?|hosts?|grows?|breeds?|rents?|shares?|attends?|counts?"
    r"|holds?|supervises?"
    r"|tutors?|cleans?|minds?|looks? after|bakes?|brews?|knits?|sews?|paints?|builds?|fish(?:es)?|hunts?|hikes?)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:moved|joined|started|begun|began|switched|changed|swapped|traded|replaced|upgraded|downgraded|bought|sold"
    r"|adopted|quit|left|dropped|gave up|given up|signed|registered|enroll?ed|painted|repainted|renamed|named|hired"
    r"|became|become|turned|took up|taken up|picked|chose|chosen|settled|booked|cancell?ed|promoted|put|raised|lowered"
    r"|cut|reduced|increased|extended|shortened|set|closed|found|finished|retired|engaged|married|split|broke up|born"
    r"|diagnosed|prescribed|assigned|given|gave|got|went up|went down|gone|up to|down to|shifted|pushed|postponed"
    r"|rescheduled|brought forward|converted|migrated|transferred|relocated|settled|lifted|opened|ditched|scrapped"
    r"|abandoned|handed|passed|stopped|called off|made|grown|grew|had)\b",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"^\W*(?:\w+ )?(?:i|i'm|we|we're)(?:'m|'ve)? (?:\w+ly |just |really |also |so |still )?(?:need|know|guess"
    r"|mean|see|bet|swear|promise"
    r"|agree|remember|forgot|forget|feel|miss|hate it|love it|love when|love that|am (?:so|not)|so|glad|sorry"
    r"|tired|happy"
    r"|hungry|off to|back|here|home|can't believe|don't|didn't|won't|can|can't|will|'ll|must|have to|had a"
    r"|saw|ate|cried"
    r"|laughed|asked|hope|wonder)\b",
    re.IGNORECASE,
)
_ASKED_FOR = re.compile(
    r"^\W*(?:please|can|could|would|will|do|does|did|is|are|what|how|why|when|where|who|which|tell|give|show"
    r"|find|write|make"
    r"|draft|list|remind|check|convert|translate|explain|help|need|any|ideas?|thoughts?|bring up|send|add"
    r"|create|suggest"
    r"|summari[sz]e|look up|hi|hello|hey|good (?:morning|night|evening)|thanks|thank you|ok|lol|haha+|ugh|wow"
    r"|ha)\b(?! up to)",
    re.IGNORECASE,
)
_HABITUAL = re.compile(
    r"^\W*(?:and |but |so |well,? |oh,? )?(?:(?:i|we) (?:(?:always|usually|mostly|normally|still|now|both"
    r"|generally) )*(?:have|eat"
    r"|drink|heat|cook|keep|take|wear|use|play|run|teach|work|live|drive|ride|study|collect|sleep|go to|bake"
    r"|grow|rent|own"
    r"|train|coach|sing|support)\b(?! (?:to|no|a (?:question|problem|feeling|look|think|headache|cold))\b)"
    r"|(?:my|our) (?:\w+ ){1,4}(?:is|are|was|were) (?:a|an|about|on|in|with|at|for|from|called|by)\b"
    r"|(?:the|my|our) (?:\w+ ){1,3}(?:is|are) (?:on|in|with|at|from) )",
    re.IGNORECASE,
)
_ACCEPTED = re.compile(
    r"\b(?:so I took (?:that|it)|I took it|I said yes|I accepted|and I agreed|works for me|so that's the "
    r"(?:date|day|time|plan|one))\b",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    r"\bsaid (?:no|yes|goodbye|bye) to\b|\b(?:scales?|display|letter|leaflet|sign|label|test|results?|e-?mail"
    r"|contract|app|ticket|invite|calendar) says?\b",
    re.IGNORECASE,
)
_OF_TALK = re.compile(r"\b(?:you|your|you're|you've|you'll|yours)\b", re.IGNORECASE)
_ONCE = re.compile(r"\bused to\b", re.IGNORECASE)
_DOING = re.compile(
    r"^\W*(?:and |but |so )?(?:i'm|i am|we're|we are)(?: \w+ly| just| still| also)? (?!(?:reading|learning"
    r"|working|living|seeing"
    r"|studying|training|knitting|building|writing|saving|renting|going|driving|using|taking|playing|teaching"
    r"|doing|paying"
    r"|moving|calling|getting|sharing|sleeping|staying|based|dating|training|rehearsing|sewing|restoring"
    r"|volunteering|running"
    r"|coaching|growing|keeping|naming|being|aiming|hoping|planning|working)\b)\w+ing\b",
    re.IGNORECASE,
)
_CALL_ME = re.compile(r"\b(?:call|address) (?:me|us)\b", re.IGNORECASE)
_TYPED = frozenset({"date", "time", "day", "number", "name"})


_ASKS_BEHIND = re.compile(
    r"[,:;] (?:and )?(?:is|does|do|can|should|what|how|who|where|any|did) (?:that|this|it|any(?:body|one)|i|you|one"
    r"|they|does|do|is|are)\b",
    re.IGNORECASE,
)
_FELT = re.compile(
    r"\b(?:basically|literally|practically|totally)\b"
    r"|^(?:\w+,? ){0,3}?(?:i'm|i am|i feel|i felt|we're|it's|it was|(?:the |my |our )?[\w-]+ (?:is|are|was)) (?:so|very"
    r"|too|really|pretty|quite|mostly|fine|away|already|still|just|going to|gonna|about to)\b(?! (?:in|at|on|with"
    r"|from|called|a|an)\b)",
    re.IGNORECASE,
)
"""How somebody feels, or puts it on, and what is so for the moment."""
_TELLS = re.compile(
    r"\b(?!(?:has|have|do|does|did|go|goes|had)\b)(?:is|are|am|\w+s)\b|been \w+ing\b"
    r"|\b(?:has|have) (?:an?|the|two|three|\d)\b"
)
_GOES_ON = re.compile(
    r"^(?:it|it's|its|they|they've|she|he|she's|he's|her|his|their|that's|this is|we called|\d|on |at |the \d"
    r"|(?:mon|tues|wednes|thurs"
    r"|fri|satur|sun)days?\b|half |an? (?:girl|boy))",
    re.IGNORECASE,
)


def goes_on(first: str, rest: str) -> bool:
    """Whether what follows gives a value to what a sentence about oneself speaks of: "We set a date! 12 June"."""
    if not _OWN.search(first) or any(_UNREAL.search(text) or text.endswith("?") for text in (first, rest)):
        return False
    return _GOES_ON.match(rest) is not None and bool(slot_of(f"x {rest}").values)


def declares(text: str, told: str) -> bool:
    """Whether a sentence declares something that lasts. ``text`` as it was said, ``told`` in the third person."""
    count = text.count(" ") + 1
    if not _FEWEST <= count <= _MOST or text.rstrip(" \"')").endswith("?"):
        return False
    if _CALL_ME.search(text) and not re.search(r"\b(?:if|when|later|back|tomorrow)\b", text, re.IGNORECASE):
        return True
    if _ACCEPTED.search(text) and _TYPED & slot_of(told).values.keys():
        return True
    if (
        _UNREAL.search(_SHOWN.sub("", text))
        or _ASKED_FOR.match(text)
        or _IDLE.match(text)
        or _INDEFINITE.match(text)
    ):
        return False
    if _OF_TALK.search(text) or _DOING.match(text) or (_ONCE.search(text) and not is_turned(text)):
        return False
    if _OF_WORK.match(text) or (_PASSING.search(text) and not _FROM_THEN.search(text)):
        return False
    changes, turned = _CHANGE.search(text) is not None, is_turned(text)
    if not (changes or turned or _STATE.search(text)):
        return False
    if _ASKS_BEHIND.search(text) or (_FELT.search(text) and not turned):
        return False
    values = _values(text, told)
    if not values:
        own = (
            _OWN.search(text) is not None
            or re.match(r"The |[A-Z][a-z]+(?:'s)? (?:has|is|was)\b", text) is not None
        )
        return (turned and own) or _HABITUAL.match(text) is not None
    if re.match(
        r"\W*(?:strange|nice|good|great|hard|weird|funny|odd|lovely|sad|bad|no idea|dinner|lunch) ",
        text,
        re.IGNORECASE,
    ):
        return False
    if _OWN.search(text) is not None or turned:
        return True
    if changes and (is_news(text) or not _ONE_OFF.search(text)):
        return True
    return bool(_TYPED & values.keys()) and (
        is_news(text) or _TELLS.search(_POSSESSED.sub("", text)) is not None
    )


_ONE_OFF = re.compile(
    r"^(?:the |an? )?[\w'-]+(?: [\w'-]+){0,2}? (?:bought|got|gave|dropped|made|had|found|passed|opened|closed|called"
    r"|set|left|finished|sold|turned|picked|chose)\b(?! up\b| down\b| back\b| (?:\w+ )?(?:to|on|off|forward)\b)"
)
"""What somebody else did one time, in the past tense: "Leo bought a lamp"."""
_POSSESSED = re.compile(r"'s\b(?= \w+ (?:\w+ed|is|are|has)\b)")


def _values(text: str, told: str) -> dict[str, frozenset[str]]:
    """The values that were said; the speaker's own name, which the telling puts in, is none."""
    low = text.lower()
    found = dict(slot_of(told).values)
    names = frozenset(name for name in found.pop("name", ()) if name in low)
    return {**found, "name": names} if names else found
