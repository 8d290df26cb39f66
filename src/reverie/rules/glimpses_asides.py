"""Glimpses of what a sentence takes for granted: an apposition, an answer to a form, "the curse of being …".

"My birthday, 3 June", "a form asks for my occupation. Beekeeper", "closed my account at Lund, everything is with Torvik
now", "she's our vet": the attribute is named in one place and its value in another, or by what is done with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.rules import glimpses_words as known
from reverie.rules.claims_words import OCCUPATIONS, TIMEISH
from reverie.rules.glimpses_scene import NAME, PLACE, TITLED, Glimpse, Line, is_person, is_real, whose
from reverie.rules.glimpses_times import CLOCK, DATE

_MOST_AROUND = 160  # characters before, where a thing is named that the sentence gives a value to
_MONTH_DAY = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?"
_DATE = rf"(?:{DATE}|{_MONTH_DAY})"
_APPOSED = re.compile(
    rf"\b(?P<who>my|our|{NAME}'s) (?P<thing>birthday|anniversary|wedding|due date|name day|graduation|exam|deadline"
    rf"|flight|moving day),? (?:(?:is|on|which is|it's|that's) )?(?:on )?(?:the )?(?P<value>{_DATE})",
    re.IGNORECASE,
)
_MARRIES = re.compile(
    rf"\b(?P<who>{NAME}|i|we|she|he)(?:'s|'re|'m| is| are| am) (?:getting married|tying the knot)"
    rf"(?P<rest>[^.!?]{{0,40}}?\b(?P<value>{_DATE}))?",
    re.IGNORECASE,
)
_STARTS_WITH_DATE = re.compile(rf"\W*(?:on |it's |it's on )?(?:the )?(?P<value>{_DATE})", re.IGNORECASE)
_ASKED_OF_ME = re.compile(
    r"\b(?:form|survey|page|website|site|profile|questionnaire|they|office|bank|app|portal|paperwork|application)\b"
    r"[^.!?]{0,40}?\b(?:asks?|asking|wants?|needs?|says?) (?:me )?(?:for |about )?my (?P<thing>occupation"
    r"|job(?: title)?|profession|employer|number|phone number|address|postcode|blood type|size|shoe size"
    r"|height|weight|date of birth"
    r"|birthday|nationality|religion|diet|emergency contact|account number|maiden name|middle name)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w-])(?P<value>\+?\d[\d ()-]{5,}\d)(?![\w-])")
_NEW_ONE = re.compile(
    r"^(?:the )?(?:new|current) (?:one|number|address|code|pin)(?: is|'s|:|,| -)? (?P<value>\S.{2,40}?)(?=[.;!?]|$)",
    re.IGNORECASE,
)
_RENEWED = re.compile(
    r"\bmy (?P<thing>(?:phone |door |locker |home )?(?:number|address|code|pin|password))(?: (?:changed|has changed))?"
    r"|\b(?:new|changed (?:the|my|our)) (?P<other>(?:phone |door |locker )?(?:number|address|code|pin))\b",
    re.IGNORECASE,
)
_BEING = re.compile(
    r"\b(?:curse|joys?|perks?|trouble|problem|downsides?|advantages?|disadvantages?|thing|point|hazards?|life)"
    r" (?:of|with|about) being (?P<value>(?:an? )?[a-z-]+(?: [a-z-]+)?)(?=[,.;:!]|$| i\b| (?:is|means)\b)"
    r"|\b(?P<as>as|being) (?P<value2>an? (?:left|right)-handed|left-handed|right-handed|an only child|colou?r-?blind"
    r"|a twin)\b[^.!?]{0,40}?\bi\b",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"\b(?P<value>[a-z]+ing|[a-z]+s) (?:is|are) what (?P<who>she|he|i|mum|mom|dad|(?-i:[A-Z][a-z]+)) (?:do|does)"
    r" (?:now|these days|all day|for fun|to relax|every)",
    re.IGNORECASE,
)
_DAY_LONG = re.compile(
    r"\b(?:it's|it is|now it's)(?: all)? (?P<value>[a-z]+(?: [a-z]+)?) (?:from morning (?:till|to) night|day and night"
    r"|all day(?: long| every)|every evening|morning,? noon and night|from dawn)",
    re.IGNORECASE,
)
_STUDIED = re.compile(
    rf"\b(?P<who>i|we|she|he|{NAME}) (?:did|studied|read|majored in) (?P<value>(?!my\b|a\b|the\b|it\b|well\b|some\b"
    r"|ok\b)[a-z]+(?: (?:and )?[a-z]+)?)(?: together)? (?:at|in) (?:uni|university|college)\b",
    re.IGNORECASE,
)
_HOME_NOW = re.compile(
    rf"(?:^|[.!?,;] )(?:but |and |so )?{PLACE} is (?:now )?home(?: now| sweet|[.,!]|$)"
    r"|\bhome is (?:now )?(?P<v2>[A-Z][\w-]+(?: [A-Z][\w-]+)?)"
)
_TOOK_HOME = re.compile(
    r"\b(?P<who>she|he|i|we|(?-i:[A-Z][a-z]+))(?:'s|'ve| has| have)? (?:taken|took|found|bought|rented|got) (?:an?|the)"
    rf" (?:[a-z-]+ ){{0,2}}?(?:flat|apartment|house|place|room|cottage|studio|condo) in {PLACE}",
    re.IGNORECASE,
)
_SHE_IS_IN = re.compile(
    r"(?:^|[.!?,;] )(?P<who>she|he)(?:'s| is| lives)(?: up| down| over| out| back| all the way)? in"
    rf" {PLACE}(?=[,.!]|$| (?:by|on) (?:her|him)self| now| with her| with his| since)",
    re.IGNORECASE,
)
_VISITS = re.compile(
    r"\b(?:visit\w*|trip|holiday|conference|week(?:end)?|until|back on|for work|this|today)\b", re.I
)
_ROLE_BEHIND = re.compile(
    rf"(?P<value>{TITLED}),? (?:she|he|who)(?:'s| is) (?P<who>my|our|{NAME}'s) (?P<role>{known.ROLES})\b"
)
_ROLE_WE = re.compile(
    rf"\b[Tt]he (?P<role>{known.ROLES}) (?:we|[Ii])(?: now)? (?:go to|see|use|have|take \w+ to|found)(?: here| now"
    rf"| these days)?(?: now)? (?:is|are|was)(?: called)? (?P<value>{TITLED})"
)
_ROLE_THERE = re.compile(
    rf"\b(?:[Tt]he|[Mm]y|[Oo]ur) (?:new )?(?P<role>{known.ROLES})(?: there| here)? (?:is|would be|will be)(?: one| a"
    rf" certain| called)? (?P<value>{TITLED})"
)
_WITH_NOW = re.compile(
    rf"(?:^|[.!?,;] )(?P<who>(?i:she|he)|{NAME})(?:'s| is) with (?P<value>{NAME})(?=[,.!]|$| now)"
)
_PARTED = re.compile(
    r"\b(?:is history|are history|split|broke up|broken up|an ex|met someone|dumped|seeing someone|new (?:man|guy"
    r"|girl|woman|boyfriend|girlfriend)|single|in love|over between|divorced|left (?:him|her))\b",
    re.IGNORECASE,
)
_NOW_A = re.compile(
    rf"\byou(?:'re| are) (?:now )?(?:speaking|talking|looking|chatting) (?:to|with|at) (?:an? |the )(?:new |proud )*"
    rf"(?P<value>(?:[a-z]+ )?{OCCUPATIONS})\b",
    re.IGNORECASE,
)
_CARD = re.compile(
    rf"[\"\u201c](?P<who>{NAME})(?: [A-Z][\w-]+)*, (?P<value>(?:[a-z]+ ){{0,2}}?{OCCUPATIONS})\b"
)
_SHE_WORKS = re.compile(
    rf"\b(?P<who>(?i:she|he)|{NAME})(?:'s| is| works) (?:with|at|for) the (?P<value>(?:[a-z]+ ){{0,2}}?(?:authority"
    r"|council|police|navy|army|post office|railways?|ministry|embassy|museum|university|hospital|library|coastguard"
    r"|fire (?:brigade|service)|city))\b"
)
_DAY_ONE = re.compile(
    r"\b(?:[Dd]ay one|[Ww]eek one|[Ff]irst (?:day|week|shift|month|morning)|new job|start(?:ed|ing)?(?: \w+)?)"
    rf" (?:at|with) (?:the )?{PLACE}"
)
_JOINED = re.compile(
    rf"\bjoined (?:the|an?|our|my) (?:local |new )?(?P<value>{'|'.join(sorted(known.SPORTS))}|[a-z]+ing) (?:club|team"
    r"|league|squad)\b",
    re.IGNORECASE,
)
_PLAYS_ON = re.compile(
    rf"\b(?:traded|swapped|sold|exchanged|replaced) (?:my|the|her|his) (?:old )?"
    rf"(?:{'|'.join(sorted(known.INSTRUMENTS))}) (?:in )?(?:for|with|and bought|to buy) (?:an? )?(?:used "
    rf"|second-hand |new |old )?(?P<value>[a-z]+)",
    re.IGNORECASE,
)
_ONLY = re.compile(
    rf"\b(?P<value>{'|'.join(sorted(known.INSTRUMENTS))})\b[^.!?]{{0,30}}\b(?:the only )?instrument i play",
    re.IGNORECASE,
)
_PUT_ON = re.compile(
    r"\b(?:moved|switched|put|started) me (?:over )?(?:on|to|onto) (?P<value>(?!the\b|a\b|my\b|hold\b|another\b)"
    r"[a-z]{5,})\b"
)
_PRESCRIBER = re.compile(
    r"\b(?:pharmac\w+|doctor|gp|dr|nurse|dose|pills?|tablets?|prescri\w+|meds|medicine|allerg\w+|antihistamine)\b",
    re.I,
)
_BANKED = re.compile(
    r"\b(?:everything|it all|all of it|my (?:money|pay|salary|account)|our (?:money|account))(?:'s| is| goes| sits)?"
    rf"(?: now)? (?:with|at|in|to|into) {PLACE}|\b(?:with|at|out of|from|into) (?P<v2>[A-Z]\w+[Bb]ank)\b",
)
_OF_BANK = re.compile(r"\b(?:bank|account|overdraft|savings|fees)\b|[Bb]ank\b", re.IGNORECASE)
_MOVED_IT = re.compile(
    rf"\b(?:moved|shifted|put|pushed|changed|switched|got) it (?:back |forward |over )?(?:to|on|for) (?P<value>"
    rf"(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|{CLOCK}|{_DATE})",
    re.IGNORECASE,
)
_EVENT = re.compile(
    rf"\b(?P<thing>(?:book|running|chess|quiz|film|knitting|supper|reading) club|{known.EVENT})\b", re.I
)
_SEEN_AT = re.compile(
    rf"\b(?:i'm|we're|i am|i've been|got me|put me|fit me)(?: now)? (?:in|on|up|down|booked|moved|next)(?: now)?"
    rf" (?:at|for|to) (?P<value>{CLOCK})",
    re.IGNORECASE,
)
_PRACTICES = frozenset("dentist doctor gp vet physio hairdresser optician barber therapy".split())
_MIN = 3


def asides(at: Line) -> Iterator[Glimpse]:
    """What is told by the way of dates, homes, people, work, and what somebody goes in for."""
    yield from _dates(at)
    yield from _asked(at)
    yield from _places(at)
    yield from _people(at)
    yield from _jobs(at)
    yield from _doings(at)


def carded(text: str, speaker: str) -> str:
    """What a quoted card says of its speaker's work ("Ada Quill, head baker"), told plainly; empty for no card."""
    card = _CARD.search(text)
    return (
        f"{speaker}'s job is {card['value'].lower()}" if card is not None and card["who"] == speaker else ""
    )


def _who(word: str, at: Line) -> str:
    """Whose it is; "she" is who was named last in the message, "mum" a parent."""
    return whose(word, at)


def _dates(at: Line) -> Iterator[Glimpse]:
    found = _APPOSED.search(at.text)
    if found is not None and is_real(at, found.start()):
        who = _who(found["who"], at)
        if who:
            yield at.glimpse(f"{who}'s {found['thing'].lower()} is on {found['value']}")
    married = _MARRIES.search(at.text)
    if married is not None and is_real(at, married.start()):
        behind = _STARTS_WITH_DATE.match(at.after)
        value = married["value"] or (behind["value"] if behind is not None else "")
        who = _who(married["who"], at)
        if who and value:
            yield at.glimpse(f"{who}'s wedding is on {value}")
    moved = _MOVED_IT.search(at.text)
    events = list(_EVENT.finditer(f"{at.before[-_MOST_AROUND:]} {at.text[: moved.start()]}")) if moved else []
    if moved is not None and events and is_real(at, moved.start()):
        value = moved["value"]
        on = "at" if re.match(CLOCK, value, re.IGNORECASE) and not value[:1].isalpha() else "on"
        yield at.glimpse(f"{at.scene.speaker}'s {events[0]['thing'].lower()} is {on} {value}")

    seen = _SEEN_AT.search(at.text)
    events = list(_EVENT.finditer(f"{at.before[-_MOST_AROUND:]} {at.text[: seen.start()]}")) if seen else []
    if seen is not None and events and is_real(at, seen.start()):
        thing = events[-1]["thing"].lower()
        thing = f"{thing} appointment" if thing in _PRACTICES else thing
        yield at.glimpse(f"{at.scene.speaker}'s {thing} is at {seen['value']}")


def _asked(at: Line) -> Iterator[Glimpse]:
    """What a form asks for stands in one sentence, the answer behind it."""
    form = _ASKED_OF_ME.search(f"{at.before[-_MOST_AROUND:]} {at.text}")
    speaker = at.scene.speaker
    if form is not None:
        thing = form["thing"].lower()
        number = _NUMBER.search(at.text)
        if "number" in thing and number is not None:
            yield at.glimpse(
                f"{speaker}'s {'phone number' if thing == 'number' else thing} is {number['value'].strip()}"
            )
        elif "number" not in thing and not _ASKED_OF_ME.search(at.text):
            value = re.split(r"[,;:.!?]| which | and ", at.text)[0].strip()
            job = re.search(rf"\b{OCCUPATIONS}$", value.lower())
            if (
                (job or thing not in ("occupation", "job", "job title", "profession"))
                and 0 < len(value) <= 40
                and (value.count(" ") < _MIN)
            ):
                yield at.glimpse(f"{speaker}'s {'job' if job else thing} is {value}")
    new = _NEW_ONE.match(at.text)
    named = list(_RENEWED.finditer(at.before[-_MOST_AROUND:])) if new is not None else []
    if new is not None and named and re.search(r"\d", new["value"]):
        thing = (named[-1]["thing"] or named[-1]["other"]).lower()
        thing = "phone number" if thing == "number" and _NUMBER.search(new["value"]) else thing
        yield at.glimpse(f"{speaker}'s {thing} is {new['value'].strip()}")


def _places(at: Line) -> Iterator[Glimpse]:
    home = _HOME_NOW.search(at.text)
    if home is not None and is_real(at, home.start()):
        place = home["value"] or home["v2"]
        if not TIMEISH.match(place) and place.lower() not in at.scene.names:
            yield at.glimpse(f"{at.scene.speaker} lives in {place}")
            return
    for pattern in (_TOOK_HOME, _SHE_IS_IN):
        found = pattern.search(at.text)
        if found is None or not is_real(at, found.start()) or TIMEISH.match(found["value"]):
            continue
        if pattern is _SHE_IS_IN and (_VISITS.search(at.text) or not _kin_near(at)):
            continue
        who = _who(found["who"], at)
        if who:
            yield at.glimpse(f"{who} lives in {found['value']}")
            return


def _kin_near(at: Line) -> bool:
    """Whether somebody is named right before whom "she" can be."""
    return re.search(
        r"\b(?:sister|brother|mum|mom|mother|dad|father|daughter|son|cousin|aunt|uncle|gran|nan|friend|niece|nephew)\b"
        r"|\b[A-Z][a-z]+\b(?=[^.!?]*[.!?]\s*$)",
        f"{at.before[-_MOST_AROUND:]} ",
    ) is not None  # fmt: skip


def _people(at: Line) -> Iterator[Glimpse]:
    speaker = at.scene.speaker
    for pattern in (_ROLE_BEHIND, _ROLE_WE, _ROLE_THERE):
        found = pattern.search(at.text)
        if found is None or not is_person(found["value"].rpartition(" ")[2]):
            continue
        who = _who(found["who"], at) if "who" in found.groupdict() else speaker
        if who and who != found["value"]:
            yield at.glimpse(f"{who}'s {found['role'].lower()} is {found['value']}")
            return
    near = _WITH_NOW.search(at.text)
    if near is not None and is_person(near["value"]) and _PARTED.search(f"{at.before} {at.text} {at.after}"):
        who = _who(near["who"], at)
        if who and who != near["value"]:
            yield at.glimpse(f"{who}'s girlfriend or boyfriend is {near['value']}")


def _jobs(at: Line) -> Iterator[Glimpse]:
    speaker, text = at.scene.speaker, at.text
    title = _NOW_A.search(text)
    if title is not None:
        yield at.glimpse(f"{speaker}'s job is {title['value'].lower()}")
    works = _SHE_WORKS.search(text)
    if works is not None and is_real(at, works.start()):
        who = _who(works["who"], at)
        if who:
            yield at.glimpse(f"{who} works at the company {works['value']}")
    first = _DAY_ONE.search(text)
    upto = text[: first.start()] if first is not None else ""
    others = re.match(r"\W*(?:[A-Z]\w+(?:'s)?|she|he) ", upto) is not None
    own = re.search(r"\b(?:me|my|i)\b", upto, re.IGNORECASE) is not None
    told = own or not others
    if first is not None and told and is_real(at, first.start()) and not TIMEISH.match(first["value"]):
        yield at.glimpse(f"{speaker} works at the company {first['value']}")
    bank = _BANKED.search(text)
    if bank is not None and _OF_BANK.search(f"{at.before} {text}") and is_real(at, bank.start()):
        value = bank["value"] or bank["v2"]
        if re.search(r"\b(?:my|i|our|everything|we)\b", text, re.IGNORECASE) and is_person(value.split()[0]):
            yield at.glimpse(f"{speaker}'s bank is {value}")


def _doings(at: Line) -> Iterator[Glimpse]:
    speaker, text = at.scene.speaker, at.text
    being = _BEING.search(text)
    if (
        being is not None
        and re.search(r"\b(?:i|i'm|my|me)\b", text, re.IGNORECASE)
        and is_real(at, being.start())
    ):
        yield at.glimpse(f"{speaker} is {(being['value'] or being['value2']).lower()}")
    does = _DOES.search(text)
    if does is not None and is_real(at, does.start()):
        who = _who(does["who"], at)
        if who:
            yield at.glimpse(f"{who}'s hobby is {does['value'].lower()}")
    day = _DAY_LONG.search(text)
    if day is not None and is_real(at, day.start()):
        named = re.search(
            r"\b(?:mum|mom|dad|gran|nan)\b", f"{at.before} {text[: day.start()]}", re.IGNORECASE
        )
        who = _who(named.group(), at) if named is not None else ""
        if who:
            yield at.glimpse(f"{who}'s hobby is {day['value'].lower()}")
    read = _STUDIED.search(text)
    if read is not None and is_real(at, read.start()):
        who = _who(read["who"], at)
        if who:
            yield at.glimpse(f"{who} studied {read['value'].lower().removesuffix(' together')} at university")
    club = _JOINED.search(text)
    if (
        club is not None
        and re.search(r"\b(?:i|i've|we|we've)\b", text[: club.start() + 1], re.I)
        and is_real(at, club.start())
    ):
        yield at.glimpse(f"{speaker}'s sport is {club['value'].lower()}")
    plays = _PLAYS_ON.search(text) or _ONLY.search(text)
    if plays is not None and is_real(at, plays.start()):
        known_so = plays.re is _ONLY or plays["value"].lower() in known.INSTRUMENTS
        if known_so or re.search(r"\bi play|\bplaying", text, re.IGNORECASE):
            yield at.glimpse(f"{speaker}'s instrument is {plays['value'].lower()}")
    put = _PUT_ON.search(text)
    if put is not None and _PRESCRIBER.search(f"{at.before} {text} {at.after}") and is_real(at, put.start()):
        yield at.glimpse(f"{speaker}'s medicine is {put['value'].lower()}")
