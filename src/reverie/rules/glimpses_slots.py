"""Glimpses of anything: "the rent is 1620", "they've put my shift back to Friday", "Maja is our singer now".

Whatever somebody calls his, or what commonly is somebody's, is told plainly with the value that a sentence gives it:
"Gwen's shift is on Friday". The words are those that were said; only whose it is comes from the talk before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.rules import glimpses_words as known
from reverie.rules.doers import Doer, doer, is_had, tells_more
from reverie.rules.glimpses_scene import NAME, TITLED, Glimpse, Line, is_person, whose
from reverie.rules.slots_words import COLOURS, KIN

_LONGEST = 60  # characters of a value
_WORD = r"[a-z\u00e0-\u024f][a-z\u00e0-\u024f'-]*"
_THING = rf"(?P<thing>(?:{_WORD} ){{0,3}}?{_WORD})"
_OWNED = (
    rf"(?:(?P<who>my|our|her|his|their|{NAME}'s|(?:my|our) (?:{'|'.join(sorted(KIN))})'s|mum's|dad's"
    rf"|mam's) |(?P<the>(?:^|(?<=[,;:] )|(?<=so )|(?<=and )|(?<=but )|(?<=now ))(?!so |and |but |now )(?:the "
    rf"|our |new )?))"
)
_BACK = r"(?: (?:back|forward|up|down|over|out|again|right))?"
_PLACED = r"(?: (?:on|at|for|in|of) (?:the |my |our |a )?(?:[\w-]+ ){0,2}?[\w-]+)?"
_SOFT = r"(?: (?:now|currently|still|officially|already|always|just|actually|definitely|usually|all))*"
_IS = re.compile(
    rf"\b{_OWNED}{_THING}(?P<placed>{_PLACED})(?: is| are|'s| has been| have been| will be| is going to be)"
    rf"{_SOFT}(?P<as>(?: (?:called|named|with|at|on|in|for|by|about|from|set to|set for|booked for|scheduled "
    rf"for|due on|due|until|every|painted|run by|held (?:at|in|on)))?) (?P<value>\S.*)",
    re.IGNORECASE,
)
_SHIFTED = re.compile(
    rf"\b{_OWNED}{_THING}(?: (?:has|have|had|got|was|were|is|are)|'s)?{_SOFT}(?: (?:being|been|to be))?"
    rf" (?:moved|moves|pushed|put|shifted|changed|changes|switched|bumped|raised|cut|reduced|lowered|gone up"
    rf"|went up|goes up|gone down|went down|goes out|goes|set|reset|brought"
    rf"|postponed|rescheduled|renamed|rebranded|extended|upgraded|downgraded|lifted|increased|dropped|rose"
    rf"|runs|run|lasts|starts|start|opens|ends|closes|arrives|leaves|meets|meet|comes|come|costs){_BACK}"
    rf"(?: from (?:the )?[\w:.]+(?: [\w:.]+)?)? (?P<as>to|until|till|at|for|on) (?P<value>\S.*)",
    re.IGNORECASE,
)
_SHIFTING = re.compile(
    rf"\b(?:changed|moved|raised|lifted|cut|lowered|pushed|put|shifted|extended|set|bumped|switched|renamed"
    rf"|painted|increased"
    rf"|reduced|brought|rescheduled|postponed|upped|dropped|shortened|repainted|dyed|made|got|have) "
    rf"(?P<who>my|our|the|her|his|their|{NAME}'s) {_THING}{_BACK}"
    rf"(?: from (?:the )?[\w:.]+)?(?: (?P<as>to|until|till|for|into|as))? "
    rf"(?P<value>(?-i:[A-Z\d\u00a3$\u20ac])\S*.*|(?:{'|'.join(sorted(COLOURS))})\b.*)",
    re.IGNORECASE,
)
_BY = re.compile(
    rf"(?P<value>(?:{TITLED}|{NAME} {NAME})) (?:is|are|will be|became|has become|takes over as|took over "
    rf"as){_SOFT} (?P<who>my|our|{NAME}'s) (?P<thing>(?:{_WORD} ){{0,2}}?{_WORD})(?= now| from| as of| since"
    rf"| these| again| instead| for|[.,;!]|$)",
    re.IGNORECASE,
)
_SO_IT_IS = re.compile(
    rf"\b(?:changed|moved|raised|lifted|cut|lowered|extended|increased|reduced|upped|doubled|halved) "
    rf"(?P<who>my|our|the|her|his|{NAME}'s) {_THING},? (?:so |and )?(?:it's|it is|now it's)(?: now)? "
    rf"(?P<as>)(?P<value>\S.*)",
    re.IGNORECASE,
)
_COLON = re.compile(
    rf"\b(?:new|(?P<who>my|our)) {_THING}(?: (?:these days|now|at the moment|right now|is))?(?::| -| \u2013| "
    rf"\u2014) (?P<as>)(?P<value>(?-i:[A-Z\d\u00a3$\u20ac+])\S*.*)",
    re.IGNORECASE,
)
_FAVOURITE_NOW = re.compile(
    r"^(?P<thing>favou?rite \w+)(?: (?:these days|now|at the moment|right now|is))*: "
    r"(?P<as>)(?P<value>(?-i:[A-Z])\S*.*)",
    re.IGNORECASE,
)
_ROLE_BY = re.compile(
    rf"\b(?:an?|the|my|our|her|his|(?P<who>{NAME}'s)) (?:(?:new|different|another|good|lovely|great) "
    rf")*(?P<thing>{known.ROLES})(?: (?:in|on|from|for|near|at) [\w ]{{2,24}}?|[ \w]{{0,24}}?)?,? (?:called "
    rf"|named )?(?P<value>(?:(?:Mr|Mrs|Ms|Miss|Dr|Mx|Professor)\.? )?{NAME})(?=[.,;!]|$| who| now| (?:is|she"
    rf"|he)\b)",
)
_REGISTERED = re.compile(
    rf"\b(?:registered|signed|took|taken|booked|enrolled|switched|moved) (?P<who>{NAME}) "
)
_IT = re.compile(
    r"^(?:and |so |now |but )?(?:it|it's|it is|that's|that|they|they're|we meet|it'll be)(?:'s| is| are| "
    r"meets?| starts?| runs?| takes place| happens| costs?| comes to| goes| will be)*"
    rf"{_SOFT} (?P<as>on|at|for|every|to|called|named|in|about)? ?(?P<value>(?-i:[A-Z\d\u00a3$\u20ac])\S*.*)",
    re.IGNORECASE,
)
_UNREAL = re.compile(
    r"\b(?:if|imagine|pretend|suppose|would|could|might|maybe|perhaps|wish|dream\w*|tempted|jok(?:e|ing)"
    r"|kidding|nearly|almost"
    r"|hypothetical\w*|novel|character|what|should|asked|asks|someone|somebody|says?|said|reckons|thinking"
    r"|considering|heard"
    r"|remind|can you|please)\b|\b(?:never|not|no longer|isn't|aren't|wasn't|don't|doesn't)\b[^,;.]*$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r",(?!(?<=\d,)\d{3}(?!\d))|[;!?()\u2013\u2014\"]|(?<!\b[DM]r)(?<!\bMrs)(?<!\bMs)(?<!\bSt)(?<!\bProf)\.(?:\s|$)|:\s|\s-\s"
    r"|\s(?:and (?=(?:\w+ ){1,3}(?:is|are|has|have|was|can|will|dies|said|threw|made|do|does|goes|gets|hates"
    r"|loves)\b|I\b|we\b|i\b|it\b|that\b|they\b|she\b|he\b|now\b|people\b)|but|so|because|since|when|while"
    r"|which|who|where"
    r"|that (?:I|we|i)|until|if|though|although|as of|these days|now|again|any ?more|instead|at the moment"
    r"|right now|at last|from now on|from this|from next|from today"
    r"|from \d|already|finally|currently|then|too|as well|rather than|for (?:good|now|a change)|by the (?:way"
    r"|end|start|time)|in case|every (?:day|week|month)|(?:per|a|an) (?:day|month|hour|year) and|as (?:usual"
    r"|always|from)|this (?:year|time)|with)\b",
)
_TIME = re.compile(
    r"^(?:(?:on |at |every )?(?:the )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:on |the "
    r")?\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*"
    r"|\d{1,2}[:.]\d\d\b|\d{1,2} ?[ap]m\b|(?:half|quarter) (?:past |to )?\w+|noon\b|midnight\b|weekdays\b|weekends\b)",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"^(?:mon|tues|wednes|thurs|fri|satur|sun|week|\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Za-z])", re.IGNORECASE
)
_COMMON = frozenset(
    "rent budget deadline goal target venue wedding dose alarm slot shift appointment stand-up standup alarm "
    "bill fee price"
    " salary wage password code pin passcode locker desk room office bedtime curfew breakfast lunch dinner "
    "colour color lease"
    " contract insurance subscription broadband internet wifi thermostat heating kitchen bathroom bedroom "
    "door fence car bike"
    " van boat phone laptop computer editor bank account project team boss manager landlord cleaner tutor "
    "teacher coach vet"
    " doctor dentist physio therapist exam test viva thesis flight train trip holiday party club choir band "
    "rehearsal practice"
    " training class lesson course meeting retro demo release launch gig concert show match race marathon "
    "delivery inspection"
    " service operation op surgery scan supplier singer drummer name nickname title address number email size "
    "order drink"
    " codename repo podcast blog newsletter shop clinic surgery limit quota network dog cat plan mortgage "
    "deposit hours".split()
)  # fmt: skip
_NO_THING = frozenset(
    "it this that what there problem reason idea thing things point question answer issue one life week morning evening"
    " weekend house part best mood head back hair eyes way turn time fault whole only day night first last "
    "rest news weather"
    " train bus he she they we you i who plan user joke dream secret favour guess feet feeling hands heart "
    "legs joy year month"
    " love bad mind half other others mine world trouble truth fun lot bit ones trick big".split()
)  # fmt: skip
_NO_PART = re.compile(
    r"\b(?:and|but|so|or|because|since|that|which|who|if|when|from|to|by|has|have|had|is|are|was|were|this"
    r"|these|i|we|it)\b",
    re.IGNORECASE,
)
_NO_VALUE = re.compile(
    r"^(?:so|too|very|really|quite|not|no|getting|going|being|doing|having|making|also|gone|here|there|still"
    r"|fine|great|good"
    r"|bad|nice|lovely|off|on its|like|as|back|a (?:bit|lot|mess|joke|dream|disaster|nightmare|riddle|star"
    r"|pain)|the (?:best|worst|one|only|same|first|joy)|one of|all"
    r"|my|her|his|their|your|I'm|I|we|it|that|this|what|how|why|better|worse|over|done|ready|late|sad|happy|tired)\b",
    re.IGNORECASE,
)
_PASSES = re.compile(
    r"\b(?:per ?cent|%|minutes? (?:late|away|left)|days? (?:late|left)|hours? and|times?)\b|%", re.IGNORECASE
)
_DEFINITE = re.compile(
    r"^(?:(?:the|an?|Dr|Mr|Mrs|Ms|about|around|roughly|now|just|only) )*(?:[A-Z\d\u00a3$\u20ac+]|\w+@)"
)
_NOUN = re.compile(
    rf"^(?:an? |the (?!{'|'.join('best worst one only same first joy'.split())}\b))[a-z-]{{3,}}"
)


def slotted(at: Line) -> Iterator[Glimpse]:
    """Whatever has a value that a sentence gives it; at most one."""
    for pattern in (_BY, _SO_IT_IS, _SHIFTING, _SHIFTED, _IS, _COLON, _FAVOURITE_NOW):
        match = pattern.search(at.text)
        lead = "" if match is None or _UNREAL.search(at.text[: match.end("thing")]) else _lead(match, at)
        if lead:
            yield at.glimpse(lead)
            return
    lead = _role(at) or _it(at) or _named_so(at) or _christened(at)
    if lead:
        yield at.glimpse(lead)


def _lead(match: re.Match[str], at: Line) -> str:
    found = match.groupdict()
    thing = re.sub(r"^(?:(?:new|current|actual|own|the) )+", "", found["thing"].strip(), flags=re.IGNORECASE)
    if thing.split()[0].lower() in _COMMON:
        thing = thing[:1].lower() + thing[1:]
    head = thing.split()[-1].lower()
    if (
        _NO_PART.search(thing)
        or head in _NO_THING
        or thing.split()[0].lower() in _NO_THING
        or (head.endswith(("ing", "ly")) and head not in _COMMON)
    ):
        return ""
    if not found.get("who") and head not in _COMMON:
        return ""
    who = whose(found.get("who") or "my", at) if found.get("who") not in (None, "the") else at.scene.speaker
    if found.get("who") == "the" and head not in _COMMON:
        return ""
    owner = re.match(r"(?:my|our) ([\w-]+)'s", found.get("who") or "")
    if owner is not None:
        who = f"{at.scene.speaker}'s {owner[1]}"
    value = _cut(found["value"])
    placed = found.get("placed") or ""
    if not who or not _fits(value, head, found.get("as") or ""):
        return ""
    if who == value or (head in KIN and not is_person(value.split()[0])):
        return ""
    verb = (
        "are"
        if head.endswith("s") and not head.endswith("ss") and value[:1].isdigit() and head != "address"
        else "is"
    )
    return f"{who}'s {thing}{placed} {verb} {_preposed((found.get('as') or '').strip(), value)}"


def _cut(raw: str) -> str:
    end = _ENDS.search(raw)
    return (raw[: end.start()] if end else raw).strip(" .'\"")


def _fits(value: str, head: str, preposition: str) -> bool:
    """Whether what stands there can be a value: a time, a number, a name, or a thing behind its article."""
    if not value or len(value) > _LONGEST or value.count(" ") > 8 or _PASSES.search(value):
        return False
    if _TIME.match(value) or (_DEFINITE.match(value) and not re.match(r"I(?:'m|'ve| )", value)):
        return True
    if _NO_VALUE.match(value):
        return False
    return head in _COMMON and (
        _NOUN.match(value) is not None or value.split()[0] in COLOURS or preposition.strip() != ""
    )


def _preposed(preposition: str, value: str) -> str:
    if _TIME.match(value):
        bare = re.sub(r"^(?:on|at) ", "", value)
        return f"{'on' if _DAY.match(bare) else 'at'} {bare}"
    if preposition in ("", "to", "set to", "called", "named", "as", "into", "set for", "painted"):
        return value
    return f"{preposition} {value}"


def _role(at: Line) -> str:
    """ "We've registered Rex with a vet in town, Dr Amin"."""
    match = _ROLE_BY.search(at.text)
    if (
        match is None
        or _UNREAL.search(at.text[: match.end("thing")])
        or not is_person(match["value"].split()[-1])
        or tells_more(at.text[match.end("thing") : match.start("value")])
    ):
        return ""
    before = at.text[: match.end("thing")]
    owner = _REGISTERED.search(before)
    first = re.match(
        r"\W*(?:and |so )?(?:we|i|i'm|my|our|started|found|got)\b|.*\b(?:my|our) (?:\w+ )?$",
        before[: match.start("thing") - match.start() + match.start()],
        re.IGNORECASE,
    )
    if match["who"]:
        who = whose(match["who"], at)
    elif owner is not None and is_person(owner["who"]):
        who = owner["who"]
    elif first is not None:
        who = at.scene.speaker
    else:
        return ""
    return f"{who}'s {match['thing'].lower()} is {match['value']}" if who and who != match["value"] else ""


_GROUPS = re.compile(
    rf"\b(?:an?|the|my|our|this) (?:new |little |local )?(?P<thing>{known.EVENT}|(?:book|running|chess|quiz"
    rf"|knitting|film|reading|drama|photo\w*|cycling|rowing|swimming|tennis|sewing) (?:club|group|class|team"
    rf"|course)|choir|band|course|class|club|goal|project|team|group|podcast|shop|show)\b",
    re.IGNORECASE,
)


def _it(at: Line) -> str:
    """ "I've joined a book club. It meets on Mondays"."""
    match = _IT.match(at.text)
    value = _cut(match["value"]) if match is not None else ""
    if (
        match is None
        or not value
        or not (
            _TIME.match(value) or re.match(r"[\u00a3$\u20ac]?\d", value) or match["as"] in ("called", "named")
        )
    ):
        return ""
    before = list(_GROUPS.finditer(at.before)) or list(_GROUPS.finditer(at.scene.topic[-200:]))
    if not before:
        return ""
    return f"{at.scene.speaker}'s {before[-1]['thing'].lower()} is {_preposed(match['as'] or '', value)}"


_CALLED_SO = re.compile(
    r"\b(?:called|named|renamed(?: (?:it|to))*|name is(?: now)?|it's now|known as) (?P<value>(?-i:(?:The "
    r")?[A-Z][\w'-]*(?: (?:of|the|and|[A-Z][\w'-]*)){0,3}))",
    re.IGNORECASE,
)
_CALLABLE = re.compile(
    r"\b(?:project|podcast|band|blog|newsletter|shop|caf\u00e9|cafe|bakery|boat|team|choir|app|startup"
    r"|company|game|robot|server|repo|book club"
    r"|quiz team|channel|network)\b",
    re.IGNORECASE,
)


def _named_so(at: Line) -> str:
    """ "The project was renamed: what I'm on is called Kite"."""
    match = _CALLED_SO.search(at.text)
    if match is None or _UNREAL.search(
        re.sub(r"\bwhat (?:I'm|we're|I am|we are)\b", "", at.text[: match.start()])
    ):
        return ""
    things = list(_CALLABLE.finditer(at.text[: match.start()]))
    if not things or re.search(r"\b(?:his|her|their|[A-Z]\w+'s) (?:\w+ )?$", at.text[: things[-1].start()]):
        return ""
    return f"{at.scene.speaker}'s {things[-1].group().lower()} is {match['value']}"


def _holder(thing: re.Match[str], at: Line) -> str:
    """Whose a thing is that somebody of the speaker's has got: "my sister had a baby", "they have got the puppy"."""
    text, place = thing.string, thing.start("thing")
    if not is_had(text, place) or doer(text, place) is not Doer.OTHER:
        return ""
    kin = _MY_KIN.search(text, 0, place)
    names = [
        one
        for one in _NAMES.findall(text[:place])
        if one.lower() in at.scene.names and one != at.scene.speaker
    ]
    if kin is not None:
        return f"{at.scene.speaker}'s {kin['kin'].lower()}"
    return names[-1] if names else ""


_MY_KIN = re.compile(
    rf"\b(?:my|our) (?P<kin>{'|'.join(sorted(KIN))}) (?:has|had|have|got|just|finally|\w+ed)\b[^.!?]*$",
    re.IGNORECASE,
)
_NAMES = re.compile(r"\b[A-Z][a-z]+\b")
_CHRISTENED = re.compile(
    rf"\b(?:called|named|calling|naming) (?:her|him|it|them|the \w+) (?P<value>{NAME})(?! (?:and|for)\b)"
    rf"|\b(?:he|she|it) (?:answers to|is called|goes by|has become|is) (?P<value2>{NAME})(?: now)?(?=[.,;!]|$)",
    re.IGNORECASE,
)
_CHRISTENABLE = re.compile(
    rf"(?:\b(?P<who>my|our|{NAME}'s) |\b(?P<has>{NAME}) (?:has|have|had|got) (?:an? |the )?(?:new |little )?"
    rf"|\b(?:an? |the )(?:new |little )?)(?P<thing>baby|son|daughter"
    rf"|niece|nephew|puppy|kitten|dog|cat|rabbit|hamster|parrot|horse|pony|boat|van|plant|robot|band|team|car|bike)\b",
    re.IGNORECASE,
)


def _christened(at: Line) -> str:
    """ "My brother Pat has a new baby! They called her Una"."""
    match = _CHRISTENED.search(at.text)
    value = match["value"] or match["value2"] if match is not None else ""
    if match is None or not is_person(value) or _UNREAL.search(at.text[: match.start()]):
        return ""
    things = list(_CHRISTENABLE.finditer(f"{at.before} {at.text[: match.start()]}"))
    if not things:
        return ""
    who = things[-1]["has"] or things[-1]["who"] or _holder(things[-1], at) or "my"
    if who.startswith(f"{at.scene.speaker}'s "):
        return f"{who}'s {things[-1]['thing'].lower()} is {value}"
    owner = who if things[-1]["has"] and is_person(who) else whose(who, at)
    return f"{owner}'s {things[-1]['thing'].lower()} is {value}" if owner and owner != value else ""
