"""Words of slots: how values look, closed classes of words, and what is said in several ways."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from reverie.rules import glimpses_words
from reverie.rules.claims_words import CARS, DIETS, USED
from reverie.rules.terms import terms

_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_MONTH_WORDS = (
    "jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov "
    "november dec december"
).split()
MONTHS = frozenset(_MONTH_WORDS) - {"may", "mar", "jan", "jun", "dec", "oct", "nov", "sep"}
"""Words that can hardly be anything else."""
_DAY_WORDS = (
    "monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday "
    "sundays weekdays weekends"
).split()
DAYS = frozenset(_DAY_WORDS)
_UNITS = "one two three four five six seven eight nine ten eleven twelve".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
NUMBERS = {word: str(number) for number, word in enumerate(_UNITS, 1)} | {
    word: str(number) for number, word in enumerate(_ORDINALS, 1)
}
DIGIT = "0"
"""Stands among the words of a text that has any digit."""
PATTERNS = (
    ("date", frozenset(_MONTH_WORDS),
        re.compile(rf"\b(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTHS}(?: \d{{4}})?\b|\b{_MONTHS} "
        rf"\d{{1,2}}(?:st|nd|rd|th)?\b(?! ?[ap]m)")),
    ("time", frozenset({*NUMBERS, "half", "quarter", "noon", "midnight"}),
        re.compile(r"\b(?:half|quarter) (?:past |to )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven"
        r"|twelve|\d{1,2})\b|\bnoon\b|\bmidnight\b"
        r"|\bat (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")),
    ("time", frozenset({DIGIT}), re.compile(r"\d(?<!\w\d)\d?(?:[:.]\d\d(?: ?[ap]m)?| ?[ap]m)\b")),
    ("month", frozenset(_MONTH_WORDS),
        re.compile(r"\b(?:january|february|april|june|july|august|september|october|november"
        r"|december)\b|\b(?:in|to|until|till|by) (?:march|may)\b")),
    ("day", DAYS, re.compile(rf"\b(?:{'|'.join(_DAY_WORDS)})\b")),
    ("number", frozenset(NUMBERS), re.compile(rf"\b(?:{'|'.join(NUMBERS)})\b(?! of\b)")),
    ("number", frozenset({DIGIT}), re.compile(r"\d+(?:[.,]\d+)*")),
)  # fmt: skip
"""Sorts of values that are known by how they look, in the order in which they are taken out of a text; an ASCII text
that one fits has one of its words."""


def plain(sort: str, value: str) -> str:
    """A value as it is compared."""
    value = value.strip().removeprefix("the ").removeprefix("at ")
    if sort == "month":
        return value.rpartition(" ")[2]
    if sort == "day":
        return value.rstrip("s")
    if sort == "number":
        return NUMBERS.get(value, value.replace(",", ""))
    if sort == "date":
        day = re.search(r"\d{1,2}", value)
        month = re.search(_MONTHS, value)
        return f"{day.group() if day else ''} {month.group()[:3] if month else ''}"
    return value


COLOURS = frozenset(
    "red blue green yellow black white grey gray orange purple pink brown beige turquoise teal navy cream mustard sage "
    "maroon lilac violet silver gold ochre terracotta mint olive".split()
)
SCHOOLING = frozenset(
    "law medicine physics chemistry biology mathematics maths architecture engineering economics psychology history "
    "philosophy linguistics nursing journalism geography sociology astronomy statistics dentistry pharmacy theology "
    "archaeology accounting".split()
)
VOICES = frozenset("soprano alto tenor baritone bass mezzo".split())
SIZES = frozenset("small medium large big xs xl xxl".split())
CRAFTS = frozenset(
    "welding carpentry pottery ceramics sewing knitting photography calligraphy woodwork joinery embroidery "
    "crochet".split()
)
SIDES = frozenset("left right upstairs downstairs north south east west front".split())
JOBS = frozenset(
    "developer engineer manager teacher designer worker writer driver baker painter builder photographer programmer "
    "researcher lecturer professor farmer gardener plumber carpenter joiner welder miner barber butcher "
    "hairdresser waiter "
    "waitress bartender barista officer lawyer solicitor doctor actor actress editor translator interpreter tutor "
    "instructor director operator tailor surgeon dentist therapist pharmacist florist journalist scientist chemist "
    "biologist physicist psychologist economist artist receptionist electrician technician librarian musician "
    "physician "
    "politician nurse vet chef cook student coach clerk architect accountant consultant midwife pilot judge "
    "intern analyst "
    "postman firefighter policeman soldier apprentice freelancer paramedic mechanic postdoc trainer "
    "supervisor caretaker "
    "cleaner cashier secretary planner recruiter banker broker auditor inspector animator illustrator "
    "producer composer "
    "courier sailor captain owner retired unemployed".split()
)
DRINKS = frozenset(
    "coffee tea espresso cappuccino latte macchiato cortado americano mocha matcha rooibos chai cocoa kombucha kefir "
    "sencha oolong chicory smoothie".split()
)
PARTS = frozenset(
    "morning mornings evening evenings afternoon afternoons night nights days lunchtime early late".split()
)
MEALS = frozenset(
    "porridge eggs toast muesli granola cereal yoghurt yogurt pancakes croissant oats fruit bagel".split()
)
CLASSES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "colour": COLOURS,
        "side": SIDES,
        "job": JOBS,
        "drink": DRINKS,
        "part": PARTS,
        "meal": MEALS,
        "language": glimpses_words.LANGUAGES,
        "instrument": glimpses_words.INSTRUMENTS | VOICES,
        "sport": glimpses_words.SPORTS,
        "pet": glimpses_words.PETS,
        "subject": SCHOOLING,
        "craft": CRAFTS,
        "size": SIZES,
        "diet": frozenset(DIETS.strip("(?:)").split("|")),
        "car": CARS,
        "tool": frozenset(word for word in USED if " " not in word),
    }
)
"""Closed classes: another word of the same class is another value."""
CLASSES_OF: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        word: tuple(sort for sort, members in CLASSES.items() if word in members)
        for word in frozenset().union(*CLASSES.values())
    }
)
"""The closed classes of a word."""
NAME = re.compile(r"[A-Z](?<!\w.)(?<!^.)(?<![.!?:\u201c\"] .)[\w'-]*[a-z0-9][\w-]*\b")
OPENING = re.compile(r"(?:^|[.!?:] )([A-Z][\w-]+)(?= (?:is|was|sings|quit|left|it is)\b)")
"""Words in a capital: within a sentence, and as its beginning where a verb follows."""
NO_NAMES = frozenset(
    "i i'm i've monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays "
    "saturdays sundays january february march april may june july august september october november december the user "
    "assistant mr mrs ms dr miss professor prof it its our my we he she they this that".split()
)
_KIN = {
    "mother": "mum mam mom ma mama mummy mother", "father": "dad daddy pa papa father", "sister": "sister sis",
    "brother": "brother bro", "son": "son boy", "daughter": "daughter girl", "wife": "wife", "husband": "husband",
    "grandmother": "gran grandma granny nan nana grandmother", "grandfather": "grandad grandpa grandfather",
    "aunt": "aunt auntie", "uncle": "uncle", "cousin": "cousin", "niece": "niece", "nephew": "nephew",
    "inlaw": "in-laws", "child": "kid kids child children baby", "parents": "parents", "partner": "partner",
    "boyfriend": "boyfriend", "girlfriend": "girlfriend", "friend": "friend", "colleague": "colleague",
}  # fmt: skip
KIN = {word: kin for kin, words in _KIN.items() for word in words.split()}
NO_OWNERS = frozenset(
    "it that what he she there here who let where how when everybody everyone someone somebody one".split()
) | frozenset(KIN)
_FAMILIES = {
    "boss": "boss manager supervisor", "job": "job title role position", "operation": "operation op surgery",
    "flat": "flat apartment", "doctor": "doctor gp", "stand": "standup", "phone": "phone mobile cell",
    "alarm": "alarm", "wage": "salary wage pay", "dose": "dose dosage mg microgram micrograms milligrams "
        "tablet tablets pill pills", "bank": "bank account banking money", "mail": "email mail",
    "wedding": "wedding marry married", "exam": "exam test", "practice": "practice rehearsal rehearse rehearses",
    "holiday": "holiday vacation", "colour": "colour color", "neighbour": "neighbour neighbor",
    "live": "live lives living lived home based residing settled", "shop": "shop store",
    "gym": "gym", "car": "car", "bike": "bike bicycle",
}  # fmt: skip
FAMILY = {
    stem: terms(family)[0]
    for family, words in _FAMILIES.items()
    for word in words.split()
    for stem in terms(word)
}
"""Stems that say the same, by the one that stands for all of them."""
GENERIC = frozenset(
    terms(
        "appointment class lesson session training course meeting visit date shift team event thing place time day "
        "week month year morning evening night name number address new old work use go start take get house "
        "room flat game move make talk book buy pay come run play have give want need like love learn study "
        "read watch keep call put set change switch good nice great big small first last next long first whole "
        "raise sell lower increase reduce cut drop push shift extend bring hand page people friend family "
        "child kid today now already really still always usually favourite own"
    )
)
"""Too many things have these words: they make no slot by themselves."""
EMPTY = frozenset(
    "also even just only still already really quite very much more less lot bit sort kind anyway always usually mostly "
    "never now then today tonight tomorrow yesterday currently finally actually basically instead again back since "
    "until soon later ago last next this these those every each all some any other another new old same different "
    "good bad great nice lovely big little small long short be been being am is are was were do does did have has had "
    "get gets got getting gotten go goes going went gone come comes came make makes made take takes took taken put "
    "puts set sets let lets say says said tell tells told know knows think thinks thought want wants wanted need "
    "needs like likes love loves keep keeps kept give gives gave given move moves moved change changes changed "
    "switch switches switched rename renamed start starts started stop stops stopped begin begins "
    "began begun use uses used "
    "thing things one ones way people everyone everybody somebody someone something anything nothing yes no ok okay "
    "well oh so too not n't don't isn't doesn't can't won't user assistant there here they them their theirs its "
    "from with about into onto over under off out up down for and but or because while week weeks month months year "
    "years day days morning mornings evening evenings night nights time times mine yours ours".split()
)
