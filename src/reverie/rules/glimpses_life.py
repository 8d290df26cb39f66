"""Glimpses of a life: who is what to somebody, where he lives, how old he is, what is called how."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.rules import glimpses_words as known
from reverie.rules.claims_words import TIMEISH
from reverie.rules.glimpses_scene import NAME, OWNER, PLACE, TITLED, Glimpse, Line, is_person, is_real, whose

_ROLE_IS = re.compile(
    rf"\b(?:(?P<who>{OWNER}) (?:new |current )?|new )(?P<role>{known.ROLES})(?:'s| is|:|,)? (?:now "
    rf"|called |named |a |an )?(?P<value>(?-i:{TITLED}))",
    re.IGNORECASE,
)
_ROLE_OF = re.compile(
    rf"\b(?:she|he|that)(?:'s| is) (?P<who>my|our|the|{NAME}'s) (?:new )?(?P<role>{known.ROLES})\b",
    re.IGNORECASE,
)
_IS_ROLE = re.compile(
    rf"(?P<value>(?-i:{TITLED})) (?:is|is now|was made|takes over as|as) "
    rf"(?P<who>{OWNER}) (?:new )?(?P<role>{known.ROLES})\b",
    re.IGNORECASE,
)
_SEEING = re.compile(
    rf"\b(?P<who>i'm|he's|she's|{NAME}(?:'s| is)) (?:now )?(?:seeing|dating|going out with|with) (?:a "
    r"|an )?(?:(?:girl|guy|woman|man) called )?"
    rf"(?P<value>{NAME})",
    re.IGNORECASE,
)
_WITH = re.compile(
    rf"\b(?P<who>he|she|{NAME})(?:'s| is) with (?P<value>{NAME}) (?:now|these days)\b", re.IGNORECASE
)
_PRESUPPOSED = re.compile(
    rf"\b(?P<who>my|our|his|her|{NAME}'s) (?P<role>girlfriend|boyfriend|wife|husband|partner|fianc\u00e9e?"
    rf"|boss|manager|landlord"
    rf"|landlady|flatmate|housemate|roommate|tutor|coach|therapist) (?P<value>{NAME})\b(?!'s)",
    re.IGNORECASE,
)
_BROUGHT = re.compile(
    rf"\b(?P<who>he|she|{NAME}) (?:brought|turned up with|came with) (?:an? |along )?(?:girl |guy"
    rf" )?(?P<value>{NAME})",
    re.IGNORECASE,
)
_COUPLE = re.compile(
    r"\b(?:seeing each other|dating|together|new (?:girlfriend|boyfriend)|going out)\b", re.IGNORECASE
)
_WRONG_NAME = re.compile(
    r"\bwrong name\b|\bname (?:is|was) wrong\b|\bmisheard\b|\bgot (?:her|his|the) name wrong\b", re.IGNORECASE
)
_ITS = re.compile(
    r"\b(?i:it's|it is|(?:she|he)(?:'s| is)(?: actually)?(?: called)?|actually|called) (?:actually"
    rf" )?(?P<value>{NAME})\b"
)
_CALLED_SO = re.compile(rf"\b(?:she|he)(?:'s| is) called (?P<value>{NAME})")
_ROLE = re.compile(
    rf"\b(?:(?P<who>{OWNER}) )?(?P<role>{known.ROLES}|niece|nephew|cousin|aunt|uncle|sister|brother"
    rf"|colleague)\b(?!'s [A-Z])",
    re.IGNORECASE,
)
_AGES = dict(
    zip(
        "three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split(),
        range(3, 17),
        strict=True,
    )
)
_AGE = re.compile(
    rf"\b(?P<who>i'm|she's|he's|i turned|{NAME}(?:'s| is| turned| turns)|(?:she|he) (?:turned|turns)"
    r"|(?:my |our )?(?:mum|mam|mom|mother|dad|father|gran|grandma|granny|nan|grandad|grandpa)(?:'s| is| turned| turns))"
    r" (?:now |just |already )?"
    rf"(?P<value>{'|'.join(_AGES)}|\d{{1,2}})(?= today\b| yesterday\b| on\b| last\b| now\b| years old|"
    r" and\b|[.!]|$| already\b|"
    r" this (?:week|month)\b)",
    re.IGNORECASE,
)
_STREETS = "|".join(
    "Street St Road Rd Lane Row Avenue Ave Close Drive Way Terrace Place Court Crescent Gardens "
    "Hill Grove Mews Square Walk Yard Quay Wharf Parade Rise".split()
)
_ADDRESS = re.compile(
    rf"\b(?P<value>\d{{1,4}}[a-z]? (?:[A-Z][\w']+ ){{1,3}}?(?:{_STREETS}))\b"
    r"|\b(?P<value2>[A-Z]\w+(?:stra\u00dfe|strasse|weg|gasse|platz|allee) \d{1,4}[a-z]?)\b"
)
_OWN_PLACE = re.compile(
    r"\b(?:address|deliver|parcel|post|live|we're at|i'm at|it's|ours|home|house|flat|moved|new place|ship)\b",
    re.IGNORECASE,
)
_LIVES = re.compile(
    rf"\b(?:(?P<who>i|we|she|he|{NAME}) (?:now )?(?:live[sd]? in|moved to|relocated to)|(?P<who2>i'm"
    rf"|we're|she's|he's|{NAME}'s) "
    r"(?:still |now |based |living |settled |back )*in"
    r"|(?:first|second|third|last) (?:night|day|week|morning|weekend) in|(?:day|week|night) (?:\d+"
    r"|one|two|three) in|unpacked in|greetings from|hello from|keys (?:to|for) (?:the|our|my) (?:new"
    rf" )?(?:flat|house|place|apartment) in|new (?:flat|house|place|home) in) {PLACE}",
    re.IGNORECASE,
)
_HOMELY = re.compile(
    r"\b(?:live[sd]?|moved|unpack\w*|keys|closed on|truck|boxes|first (?:night|morning|week)|new"
    r" (?:flat|house|place|home)|still in|settled|mornings|based|relocated)\b",
    re.IGNORECASE,
)
_NAMED_SO = re.compile(
    r"\b(?:we're|we are|we're now|we) (?:called|go by|renamed (?:ourselves|it)|changed (?:our|the)"
    r" name to) (?P<value>(?-i:(?:The )?[A-Z]\w+(?: [A-Z]\w+){0,3}))"
    r"|\b(?:it's|its) (?:now )?called (?P<value2>(?-i:(?:The )?[A-Z]\w+(?: [A-Z]\w+){0,3}))",
    re.IGNORECASE,
)
_GROUP = re.compile(
    r"\b(?:the|our|my) (?P<what>band|choir|podcast|team|shop|company|startup|blog|newsletter|book"
    r" club|boat|project|caf\u00e9|cafe|bakery|group|quiz team)\b",
    re.IGNORECASE,
)
_NO_PLACE = frozenset("bed charge love trouble the a an i my it".split())


def looked_after(at: Line) -> Iterator[Glimpse]:
    """Who is what to somebody."""
    for pattern in (_IS_ROLE, _ROLE_IS):
        match = pattern.search(at.text)
        if match is not None and is_real(at, match.start()) and is_person(match["value"].rpartition(" ")[2]):
            who = whose(match["who"] or "my", at) or next(iter(_named(at.scene.behind)), "")
            if who and who != match["value"]:
                yield at.glimpse(f"{who}'s {match['role'].lower()} is {match['value']}")
                return
    yield from _roles_apart(at)
    couple = _BROUGHT.search(at.text)
    if couple is not None and _COUPLE.search(f"{at.text} {at.after}") and is_person(couple["value"]):
        who = whose(couple["who"], at) or at.scene.he()
        if who and who != couple["value"]:
            yield at.glimpse(f"{who}'s girlfriend or boyfriend is {couple['value']}")
    seeing = _SEEING.search(at.text)
    if (
        seeing is not None
        and " with " not in seeing.group()
        and is_person(seeing["value"])
        and is_real(at, seeing.start())
    ):
        who = whose(seeing["who"], at)
        if who and who != seeing["value"]:
            yield at.glimpse(f"{who}'s girlfriend or boyfriend is {seeing['value']}")
    near = _WITH.search(at.text)
    if near is not None and is_person(near["value"]) and is_real(at, near.start()):
        who = whose(near["who"], at)
        if who and who != near["value"]:
            yield at.glimpse(f"{who}'s girlfriend or boyfriend is {near['value']}")
    for says, role in known.SERVICES.items():
        service = re.search(
            rf"(?:\b(?P<name>{NAME})|\b(?P<pro>he|she)(?:'s| is)?)(?: (?:now|also|always))? {says}",
            at.text,
            re.IGNORECASE,
        )
        if service is None or not is_real(at, service.start()):
            continue
        who = (
            service["name"]
            or next(iter(_named(f"{at.before} {at.text[: service.start()]}")), "")
            or at.scene.other
        )
        if who and is_person(who) and who != at.scene.speaker:
            yield at.glimpse(f"{at.scene.speaker}'s {role} is {who}")
            return


def presupposed(at: Line) -> Iterator[Glimpse]:
    """Who somebody is that a sentence names by the way, be it a question: "his girlfriend Ada wants …"."""
    match = _PRESUPPOSED.search(at.text)
    if match is None or not is_person(match["value"]):
        return
    who = whose(match["who"], at)
    if who and who != match["value"]:
        yield at.glimpse(f"{who}'s {match['role'].lower()} is {match['value']}")


def _named(text: str) -> list[str]:
    return [one for one in re.findall(r"\b[A-Z][a-z]+\b", text) if is_person(one)]


def _roles_apart(at: Line) -> Iterator[Glimpse]:
    """The name in one sentence, what he is in another."""
    of = _ROLE_OF.search(at.text)
    if of is not None and is_real(at, of.start()):
        names = [
            one
            for one in _named(f"{at.before} {at.text[: of.start()]}")
            if one not in (at.scene.speaker, of["who"].removesuffix("'s"))
        ]
        titled = re.findall(rf"\b((?:Mr|Mrs|Ms|Miss|Dr) {NAME})", f"{at.before} {at.text[: of.start()]}")
        value = (titled or names or [""])[-1]
        who = (
            whose(of["who"], at)
            if of["who"].lower() != "the"
            else next((one for one in names if one != value), "")
        )
        if value and who and value != who:
            yield at.glimpse(f"{who}'s {of['role'].lower()} is {value}")
            return
    wrong = _WRONG_NAME.search(f"{at.before} {at.text}")
    called = _ITS.search(at.text) if wrong else _CALLED_SO.search(at.text)
    role = _ROLE.search(f"{at.before} {at.text[: called.start()]}") if called else None
    if called is not None and role is not None and is_person(called["value"]):
        who = (
            whose(role["who"], at)
            if role["who"] and role["who"].lower() not in ("her", "his")
            else at.scene.speaker
        )
        if who:
            yield at.glimpse(f"{who}'s {role['role'].lower()} is {called['value']}")


def lived(at: Line) -> Iterator[Glimpse]:
    """Where somebody lives, how old he is, what is called how, what he goes in for."""
    speaker = at.scene.speaker
    address = _ADDRESS.search(at.text)
    if address is not None and _OWN_PLACE.search(at.text + at.before) and is_real(at, address.start()):
        yield at.glimpse(f"{speaker}'s street address is {address['value'] or address['value2']}")
    home = _LIVES.search(at.text)
    if (
        home is not None
        and _HOMELY.search(at.text + " " + at.before)
        and home["value"].lower() not in _NO_PLACE
        and not home["value"][:1].isdigit()
    ):
        pronoun = home["who"] or home["who2"]
        who = whose(pronoun, at) if pronoun else speaker
        place = home["value"]
        if (
            who
            and is_real(at, home.start())
            and not TIMEISH.match(place)
            and place.lower() not in at.scene.names
        ):
            yield at.glimpse(f"{who} lives in {place}")
    age = _AGE.search(at.text)
    if (
        age is not None
        and is_real(at, age.start())
        and not re.search(
            r"\b(?:like|as if|when|feel|told|says?|said)\b", at.text[: age.start()], re.IGNORECASE
        )
    ):
        meant = re.match(r"(?:it|that|this|there)(?:'s)?\b", age["who"], re.IGNORECASE) is None
        who = (whose(age["who"], at) or next(iter(_named(at.scene.behind)), "")) if meant else ""
        number = _AGES.get(age["value"].lower(), age["value"])
        if who:
            yield at.glimpse(f"{who}'s age is {number} ({age['value'].lower()} years old)")
    named = _NAMED_SO.search(at.text)
    group = list(_GROUP.finditer(f"{at.earlier()} {at.text}"))
    if named is not None and group and is_real(at, named.start()):
        yield at.glimpse(
            f"{speaker}'s {group[-1]['what'].lower()} name is {named['value'] or named['value2']}"
        )
