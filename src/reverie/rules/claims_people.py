"""The table of claims, of people: whom somebody is with, what they study, read and support, and how they are called."""

from __future__ import annotations

from reverie.rules.claims_frame import frame_of

PEOPLE = (
    frame_of(
        "status",
        "broke broken split splitting single separated ended",
        r"(?:broke|broken|split|splitting) up\b|(?:is|are|got) (?:now )?(?:single|separated)\b|ended things with",
        fixed="single",
    ),
    frame_of(
        "status",
        "dating seeing girlfriend boyfriend in",
        (
            r"(?:is|are|got|been) (?:\w+ )?(?:dating|seeing someone|seeing a \w+)\b|(?:has"
            r"|have|got) an? (?:new )?(?:girlfriend|boyfriend)\b|in a relationship"
        ),
        fixed="relationship",
    ),
    frame_of(
        "status",
        "engaged proposed",
        r"(?:is|are|got|been) (?:now |finally )?engaged\b|proposed\b.*\bsaid yes",
        fixed="engaged",
    ),
    frame_of(
        "status",
        "married",
        r"(?:is|are|got|been) (?:now |finally |happily )?married\b|(?:^|\s)married (?!to each)",
        fixed="married",
    ),
    frame_of(
        "status",
        "divorced divorce",
        r"(?:is|are|got|been|finally) (?:now )?divorced\b|divorce (?:is|was|came) (?:final|through)",
        fixed="divorced",
    ),
    frame_of(
        "partner",
        "dating engaged married relationship going together",
        (
            r"(?:dating|engaged to|married to|in a relationship with|going out with|together "
            r"with) (?:an? )?(?P<value>\S.*)"
        ),
    ),
    frame_of(
        "partner",
        "girlfriend boyfriend partner husband wife fianc\u00e9 fianc\u00e9e fiance fiancee",
        (
            r"(?:girlfriend|boyfriend|partner|husband|wife|fianc\u00e9e?|fiancee?)(?:'s name)?,? "
            r"(?:is |is called |is named )(?P<value>\S.*)"
        ),
    ),
    frame_of(
        "partner",
        "girlfriend boyfriend partner husband wife",
        r"(?:is|as) (?:my|their|his|her|[\w-]+'s) (?:new )?(?P<value>girlfriend|boyfriend|partner|husband|wife)\b",
    ),
    frame_of(
        "studies",
        "study studies studying major majors majoring enrolled",
        (
            r"(?:stud(?:y|ies|ying)|majors? in|majoring in|enrolled in) (?!for\b|at\b|with\b"
            r"|hard|late|abroad|more|every)(?:a degree in )?(?P<value>\S.*)"
        ),
    ),
    frame_of(
        "studies",
        "switched",
        (
            r"switched (?:\w+ )?from (?:law|medicine|physics|maths?|biology|chemistry|history"
            r"|engineering|economics|psychology|philosophy|computer science|sociology|art"
            r"|music|german|english|french|architecture|business|politics) to (?P<value>\S.*)"
        ),
    ),
    frame_of(
        "studies",
        "changed switched",
        (
            r"(?:changed|switched) (?:\w+ ){0,2}(?:majors?|degrees?|courses?|subjects?|programmes?"
            r"|programs?)(?: from [\w ]+?)? to (?P<value>\S.*)"
        ),
    ),
    frame_of(
        "reading",
        "reading",
        r"(?:is|are|started|been) (?:\w+ )?reading (?!about|up|a lot|more|to)(?P<value>\S.*)",
    ),
    frame_of(
        "watching",
        "watching",
        r"(?:is|are|started|been) (?:\w+ )?watching (?!it|the kids|a lot)(?P<value>\S.*)",
    ),
    frame_of(
        "the number phone",
        "reach call text",
        (
            r"(?:reach|call|text) (?:me|them|him|her|[\w' -]{2,20}) (?:at|on|under) (?P<value>\+?\d[\d "
            r"-]{4,})"
        ),
    ),
    frame_of("team", "support supports root roots", r"(?:supports?|roots? for) (?P<value>\S.*)"),
    frame_of(
        "writing",
        "writing",
        (
            r"(?:is|are|started|been) (?:\w+ )?writing (?P<value>an? (?:\w+ )?(?:novel|book"
            r"|thesis|screenplay|memoir|dissertation|musical|album|paper)\b.*)"
        ),
    ),
)
NAMES = (frame_of("name", "called named", r"(?:is|are|was) (?:actually )?(?:called|named) (?P<value>\S.*)"),)
