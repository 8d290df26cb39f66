"""Glimpses of what somebody does: his work, what he reads, learns, keeps, drinks and takes, and where he goes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.rules import glimpses_words as known
from reverie.rules.claims_words import OCCUPATIONS, TIMEISH
from reverie.rules.glimpses_scene import NAME, OWNER, PLACE, Glimpse, Line, is_person, is_real, whose

_WORK = re.compile(
    r"\b(?:(?:years?|months?|decade)\w*,? (?:that )?(?:i've|i have) (?:worked|been)|i(?:'ve)? worked?"
    r"|i work|i'm|i'm now|i am) "
    rf"(?:now )?(?:(?:at|for) )?(?:the )?{PLACE}",
    re.IGNORECASE,
)
_AT_WORK = re.compile(rf"\b(?:for|at|to) (?:the )?{PLACE},? where i(?:'m| am| work)", re.IGNORECASE)
_SHIFT = re.compile(r"\bfirst (?:shift|day|week)\b|\bnew job\b|\bstarted (?:the|my) new\b", re.IGNORECASE)
_READS = re.compile(
    r"\b(?:reading|started|we're on|i'm on|on to|doing|picked|next up(?: is|:)?)"
    r" (?P<value>(?-i:(?:The )?[A-Z][\w']+(?: (?:of|the|and|in|[A-Z][\w']+)){0,5}))",
    re.IGNORECASE,
)
_PETS = re.compile(
    rf"\b(?:(?P<who>{OWNER}) )(?:new |little |old )?(?P<value>{'|'.join(sorted(known.PETS))})\b",
    re.IGNORECASE,
)
_PET_NAME = re.compile(
    r"^, (?P<name2>[A-Z]\w+)(?=[,.!;]|$)|^[^.!?]{0,60}?\b(?:called|named|name is|name's) (?P<name>[A-Z]\w+(?: "
    r"[A-Z]\w+)?)"
)
_NEW_PET = re.compile(
    r"\b(?:he's|she's|it's|adopted|got|brought home|came home with|picked up|a|an) (?:a |an |new"
    rf" )?(?:[\w-]+ ){{0,2}}?(?P<value>{'|'.join(sorted(known.PETS))})\b(?=.*\b(?:called|named|joined"
    r" us)\b|.*\bis (?:ours|hers|his)\b)",
    re.IGNORECASE,
)
_LEARNS = re.compile(
    r"\b(?:on my|my|learning|learn|doing|started|begun|beginning|begin|picked up|taken up|took up|switched to"
    r"|studying|practising"
    rf"|practicing|lessons? in|on to) (?P<value>{'|'.join(sorted(known.LANGUAGES))})\b"
    r"(?! (?:food|class(?:room)?|restaurant|accent|film|wine|passport|keyboard))",
    re.IGNORECASE,
)
_LEARNING = re.compile(
    r"\b(?:streak|learn\w*|lesson\w*|duolingo|instead|vocab\w*|grammar|class|course|app|practi[sc]\w+"
    r"|taken up|took up|dropped|begun|evenings?|alphabet|letters|speak\w*)\b",
    re.IGNORECASE,
)
_SPORTS = re.compile(
    rf"\b(?P<who>i|i'm|i've|{NAME}(?:'s)?|she|he|she's|he's)\b(?P<between>[^.!?]{{0,30}}?)"
    rf" (?P<value>{'|'.join(sorted(known.SPORTS))})\b"
    r"(?= (?:after|on|every|twice|class|lessons?|hall|club|training|now|instead|again|camp|these)|,|[.!]|$)",
    re.IGNORECASE,
)
_DOES_SPORT = re.compile(
    r"\b(?:does|doing|do|has|got|'s got|took up|taken up|started|joined|signed up|loves|plays?"
    r"|playing|walked into|goes|going|switched|swapped)\b|'s$|^$",
    re.IGNORECASE,
)
_INSTRUMENT = re.compile(
    rf"(?:\b(?P<who>i|i'm|i've|he|she|{NAME})(?:'s| is| has)? [^.!?,]{{0,24}}?)?"
    r"\b(?:plays?|playing|started|starting|took up|taken up|taking up|learning|practi[sc]ing|on|switched to"
    r"|teaching (?:my|him|her)self|begun|begin|picked up|moved (?:over )?to"
    r"|(?:swapped|traded|dropped|ditched) (?:the |my |her |his )?\w+ for)(?: on| with)? (?:the |my |her |his )?"
    rf"(?P<value>{'|'.join(sorted(known.INSTRUMENTS))})\b(?! (?:store|shop|teacher|concert|solo|cover))",
    re.IGNORECASE,
)
_TRAINS = re.compile(
    r"\b(?:training for|signed up for|entered|doing|running|doing the|running the) (?:the |an? |my"
    r" )?(?P<value>half[- ]marathon|marathon|\d{1,2} ?k|triathlon|ultra|ironman|sprint triathlon)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:from|instead of|rather than|no more|no|not|without|than|over|miss|goodbye|gave up|given up"
    r"|off|quit|plus|replaced|swapped)(?: my| the)? $",
    re.IGNORECASE,
)
_FIRST_DRINK = re.compile(
    r"\b(?:every morning|first thing|in the mornings?|before anyone|to start the day|morning ritual"
    r"|for breakfast|breakfast is|every single (?:morning|day))\b",
    re.IGNORECASE,
)
_DRINK = re.compile(rf"\b(?P<value>{known.DRINKS})\b", re.IGNORECASE)
_TAKES = re.compile(
    rf"\b(?P<value>{known.MEDICINES})\b(?:\s+(?:for|against) (?:the |my |her |his )?(?P<why>[a-z]+))?",
    re.IGNORECASE,
)
_TAKING = re.compile(
    r"\b(?:take|takes|taking|said|put me|on|given (?:me|her|him)|gave me|prescribed|switched to|now"
    r"|start(?:ed)?)\b",
    re.IGNORECASE,
)
_OFF = re.compile(
    r"\b(?:off|stopped|no more|not|without|allergic to|isn't|come off|came off|stop)(?: the| taking| using)? $",
    re.IGNORECASE,
)
_BODY = re.compile(
    r"\b(knee|hip|shoulder|migraines?|headaches?|hay fever|asthma|thyroid|blood pressure|ankle"
    r"|neck|wrist|stomach|allerg(?:y|ies)|anxiety|eczema)\b",
    re.IGNORECASE,
)
_DOSE = re.compile(
    r"\b(?:(?P<who>he|she|i|him|her|me)\b[^.!?]{0,30}?|now |down to |up to )(?P<value>\d+(?:\.\d+)?"
    r" ?(?:mg|ml|mcg|\u00b5g|units))\b",
    re.IGNORECASE,
)
_PRICE = re.compile(
    r"(?<![\d.,])(?P<value>[\u00a3$\u20ac]?(?:\d{1,3}(?:,\d{3})+(?:\.\d\d)?|\d+(?:[.,]\d\d)?)"
    r"(?: (?:quid|pounds?|euros?|dollars?|bucks))?) (?:an?"
    r"|per) (?P<per>hour|month|week|lesson|session|class)\b",
    re.IGNORECASE,
)
_PRICED = re.compile(
    r"\b(?:rehearsal room|studio|room|gym|rent|nursery|childminder|cleaner|parking|garage"
    r"|lessons?|tutor|storage|desk|subscription|membership|phone contract)\b",
    re.IGNORECASE,
)
_SELF_PRICED = frozenset({"rent", "subscription", "membership", "phone contract"})
_HOLIDAY = re.compile(
    r"\b(?:booked (?:[\w-]+ ){0,4}?(?:for|in|to)|(?:two|three|one|a|\d+) (?:weeks?|fortnight|days)"
    r" in|off to|going to|flights? (?:booked )?to|ferry (?:booked )?(?:for|to)|cottage in|villa in"
    rf"|caravan in|holiday in) (?:the )?{PLACE}",
    re.IGNORECASE,
)
_MONTH = re.compile(r"\b(?:june|july|august|september|october|summer|easter|christmas)\b", re.IGNORECASE)
_ON_HOLIDAY = re.compile(
    r"\b(?:holidays?|ferry|flights?|cottage|g\u00eete|gite|villa|caravan|camping|beach|summer|august"
    r"|july|half term|easter|hotel|airbnb|hostel|ski)\b",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\bworked\b.*\b(?:until|till|before|back (?:then|when)|once|for a (?:while|bit))\b", re.IGNORECASE
)
_JOB = re.compile(
    rf"\b(?:(?P<who>she|he|{NAME})(?:'s| is| works as)) (?:an? )(?P<value>(?:[a-z]+ ){{0,2}}?{OCCUPATIONS})\b",
    re.IGNORECASE,
)


def goes_in_for(at: Line) -> Iterator[Glimpse]:
    """What somebody reads, learns, trains for, drinks and keeps."""
    speaker, text = at.scene.speaker, at.text
    reads = _READS.search(text)
    if (
        reads is not None
        and re.search(
            r"\bbook\b|\bfinished (?:the )?[a-z]+, |\bnovel\b|\bpages?\b", f"{text} {at.before}".lower()
        )
        and is_real(at, reads.start())
    ):
        whose_book = "book club" if "book club" in text.lower() else "book"
        yield at.glimpse(f"{speaker}'s {whose_book} reading is {reads['value'].strip()}")
    learns = _LEARNS.search(text)
    if (
        learns is not None
        and _LEARNING.search(text)
        and is_real(at, learns.start())
        and not _others_start(text, learns.start())
    ):
        yield at.glimpse(f"{speaker}'s learning language is {learns['value'].capitalize()}")
    trains = _TRAINS.search(text)
    if trains is not None and is_real(at, trains.start()) and not _others_start(text, trains.start()):
        yield at.glimpse(f"{speaker}'s training race is {trains['value'].lower()}")
    sport = _SPORTS.search(text)
    if (
        sport is not None
        and is_real(at, sport.start())
        and _DOES_SPORT.search(sport["who"] + sport["between"])
    ):
        who = whose(sport["who"], at)
        if who:
            yield at.glimpse(f"{who}'s sport is {sport['value'].lower()}")
    yield from _plays(at)
    drink = next((one for one in _DRINK.finditer(text) if not _INSTEAD.search(text[: one.start()])), None)
    ritual = (
        f"{text} {at.after}"
        if re.search(
            r"\b(?:can't|cannot|don't) (?:\w+ )?(?:function|start|think|wake|work|speak)", text, re.I
        )
        else text
    )
    if (
        drink is not None
        and _FIRST_DRINK.search(ritual)
        and is_real(at, drink.start())
        and not _others_start(text, drink.start())
    ):
        yield at.glimpse(f"{speaker}'s morning drink is {drink['value'].lower()}")
    pet = _PETS.search(text)
    if pet is not None and not re.match(
        r"(?:'s name)? is |(?:'s)? (?:called|named|walker|sitter|food|person|hair|show)", text[pet.end() :]
    ):
        who = whose(pet["who"], at)
        if who:
            yield at.glimpse(f"{who}'s pet is {_animal(pet, at)}")
    else:
        new = _NEW_PET.search(text)
        if new is not None and is_real(at, new.start()):
            yield at.glimpse(f"{speaker}'s pet is {_animal(new, at)}")


_SWAPPED = re.compile(
    rf"\b(?:swapped|traded|replaced|exchanged|switched|moved) (?:from )?(?:my |the |our )?{known.DRINKS} "
    rf"(?:for|with|to) (?:an? |some )?(?P<value>{known.DRINKS})",
    re.IGNORECASE,
)


def drinks(at: Line) -> Iterator[Glimpse]:
    """What is drunk in the place of something else."""
    match = _SWAPPED.search(at.text)
    if match is not None and is_real(at, match.start()) and not _others_start(at.text, match.start("value")):
        morning = (
            "morning "
            if re.search(r"\bmornings?\b|\bbreakfast\b", f"{at.text} {at.after}", re.IGNORECASE)
            else ""
        )
        yield at.glimpse(f"{at.scene.speaker}'s {morning}drink is {match['value'].lower()}")


def _plays(at: Line) -> Iterator[Glimpse]:
    found = _INSTRUMENT.search(at.text)
    if found is None or not is_real(at, found.start()):
        return
    who = whose(found["who"], at) if found["who"] else at.scene.speaker
    if who and (found["who"] or not _others_start(at.text, found.start("value"))):
        yield at.glimpse(f"{who}'s instrument is {found['value'].lower()}")


def _animal(pet: re.Match[str], at: Line) -> str:
    """A pet with its name, where that is told behind it."""
    low = pet["value"].lower()
    called = _PET_NAME.search(f"{at.text[pet.end() :]} {at.after}")
    name = f" called {called['name'] or called['name2']}" if called is not None else ""
    return f"{'an' if low[0] in 'aeiou' else 'a'} {low}{' (dog)' if low in known.BREEDS else ''}{name}"


def _others_start(text: str, upto: int) -> bool:
    """Whether the clause is somebody else's."""
    return re.match(
        r"(?!(?:It|That|There|This|So|And|But|Then|Also|Now|On|In|At|To|For)\b)(?:(?:mum|dad|mom"
        r"|gran)(?:'s)?|[A-Z][a-z]+(?:'s)?|[Hh]e|[Ss]he|[Tt]hey|[Ss]ome(?:one|body))(?:'s| is| \w+s|"
        r" has)? ",
        text[:upto],
    ) is not None and not re.search(r"\b(?:i|i'm|i've|my|we|our)\b", text[:upto], re.IGNORECASE)


def worked(at: Line) -> Iterator[Glimpse]:
    """For whom somebody works, and as what."""
    speaker = at.scene.speaker
    match = _AT_WORK.search(at.text)
    if match is None and re.search(r"\bwork(?:ed)?\b", at.text):
        match = (
            _WORK.search(at.text)
            if re.search(r"\bwork(?:ed)? (?:at|for)\b|\bbeen (?:at|with)\b", at.text)
            else None
        )
    if (
        match is not None
        and is_real(at, match.start())
        and not TIMEISH.match(match["value"])
        and not _ENDED.search(at.text[match.start() :])
        and match["value"].lower() not in at.scene.names
    ):
        yield at.glimpse(f"{speaker} works at the company {match['value']}")
    elif _SHIFT.search(f"{at.before} {at.text}"):
        place = re.search(rf"(?:^|\bat (?:the )?){PLACE}(?= does| is| has| starts|[.,!]|$)", at.text)
        if (
            place is not None
            and is_person(place["value"].split()[0])
            and place["value"].lower() not in at.scene.names
        ):
            yield at.glimpse(f"{speaker} works at the company {place['value']}")
    job = _JOB.search(at.text)
    if job is not None and is_real(at, job.start()):
        who = whose(job["who"], at)
        if who:
            yield at.glimpse(f"{who}'s job is {job['value'].lower()}")


def dosed(at: Line) -> Iterator[Glimpse]:
    """What somebody takes, and how much of it."""
    speaker, text = at.scene.speaker, at.text
    around = f"{text} {at.before} {at.scene.topic}"
    takes = [one for one in _TAKES.finditer(text) if not _OFF.search(text[: one.start()])]
    if (
        takes
        and (_TAKING.search(text[: takes[-1].start()]) or takes[-1]["why"])
        and is_real(at, takes[-1].start())
        and not _others_start(text, takes[-1].start())
    ):
        body = takes[-1]["why"] if takes[-1]["why"] and _BODY.fullmatch(takes[-1]["why"]) else None
        found = _BODY.search(around)
        why = body or (found.group() if found else "")
        yield at.glimpse(
            f"{speaker}'s {why.lower() + ' ' if why else ''}medicine is {takes[-1]['value'].lower()}"
        )
    dose = _DOSE.search(text)
    if dose is not None and is_real(at, dose.start()):
        pronoun = re.findall(r"\b(he|she|him|her|i|me)\b", text[: dose.start("value")], re.IGNORECASE)
        who = whose(pronoun[-1], at) if pronoun else at.scene.other
        if who:
            body = _BODY.search(around)
            what = f"{body.group().lower()} dose" if body is not None else "dose"
            yield at.glimpse(f"{who}'s {what} is {dose['value'].lower()}")


def spent(at: Line) -> Iterator[Glimpse]:
    """What something costs, and where a holiday goes."""
    speaker, text = at.scene.speaker, at.text
    price = _PRICE.search(text)
    what = list(_PRICED.finditer(f"{at.earlier()} {text}")) if price is not None else []
    if price is not None and what:
        value, per = price["value"].lower(), price["per"].lower()
        thing = what[-1].group().lower()
        priced = thing if thing in _SELF_PRICED else f"{thing} price"
        yield at.glimpse(
            f"{speaker}'s {priced} is {value} {'per' if 'per' in price.group().lower() else 'a'} {per}"
        )
    holiday = _HOLIDAY.search(text)
    around = f"{text} {at.before} {at.scene.topic}"
    if holiday is None or not _ON_HOLIDAY.search(around) or not is_real(at, holiday.start()):
        return
    place = holiday["value"]
    named = is_person(place.split()[0]) and place.lower() not in at.scene.names and not TIMEISH.match(place)
    if named and not _others_start(text, holiday.start()):
        month = _MONTH.search(around)
        when = f"{month.group().capitalize()} " if month else ""
        yield at.glimpse(f"{speaker}'s {when}holiday is in {place}")
