"""Claims of the plain sentences that ``rules.glimpses`` puts before what somebody said: "Gwen's boss is Kwame: …"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.rules import glimpses_words as known
from reverie.rules.claim import NOBODY, USER, Claim
from reverie.rules.claims_reading import kept, words_of_value
from reverie.rules.claims_subject import parent
from reverie.rules.glimpses_times import CLOCK, DATE
from reverie.rules.terms import terms

_THINGS = (
    rf"girlfriend or boyfriend|instrument|{known.ROLES}|pet|sport|answer style|allergy|street address|age"
    r"|(?:[a-z]+ ){0,2}medicine"
    r"|(?:[a-z]+ )?dose|(?:[a-z]+ ){0,2}price|(?:[A-Z][a-z]+ )?holiday|learning language|training race"
    r"|morning drink"
    r"|(?:book club|book) reading|[a-z]+ name"
)
_HAS = re.compile(
    rf"^(?P<who>[A-Z][\w.-]*(?: [\w.'-]+){{0,3}}?)'s (?P<thing>{_THINGS}) is (?P<value>[^:]{{1,60}}?)(?::|\.?$)"
)
_WHEN = re.compile(
    r"^(?:(?P<who>[A-Z][\w.-]*(?: [\w.'-]+){0,3}?)'s |The )(?P<thing>[^:]{2,40}?) is (?:on|at)"
    r" (?P<value>[^:]{0,12}\d[^:]*?(?::\d\d[^:]*?)?"
    r"|[A-Z][a-z]+day(?:s| [a-z]+)?|noon|midnight|(?:half|quarter)[^:]+)(?::(?=\s)|\.?$)"
)
_ANYTHING = re.compile(
    r"^(?P<who>[A-Z][\w.-]*(?: (?!is\b)[\w.'-]+){0,3}?)'s (?P<thing>[a-z][a-z' -]{1,48}?) (?:is|are)"
    r" (?:(?:with|at|in|for|by|about|from|on|until|every) )?(?P<value>(?:(?:the|an?|Dr|Mr|Mrs|Ms) "
    r")?[A-Z\d\u00a3$\u20ac+][^:]{0,48}?|[^:]{1,60}?(?=:))(?::(?!\d)|\.?$)"
)
_OF_TABLE = frozenset({"diet", "job", "job title", "home", "car", "name"})
"""What ``rules.claims_table`` reads itself."""
_NOTED = re.compile(
    rf"^(?P<thing>[A-Z][\w' -]{{2,40}}?): (?P<value>{DATE}|{CLOCK})(?=[.,;!]|$)", re.IGNORECASE
)
_PARTNERS = re.compile(r"girlfriend or boyfriend|girlfriend|boyfriend")
_ONE_WORD = {"holiday": "the holiday", "dose": "the dose"}
_PLAIN = tuple(
    (re.compile(pattern), attribute)
    for pattern, attribute in (
        (
            r"^(?P<who>[A-Z][\w.-]*(?: [\w.'-]+){0,3}?) works at the company (?P<value>[^:]{1,60}?)(?::|\.?$)",
            "employer",
        ),
        (
            r"^(?P<who>[A-Z][\w.-]*(?: [A-Z\w][\w.'-]*){0,3}?) drives (?P<value>[^:]{1,60}?) \(car\)(?::|\.?$)",
            "car",
        ),
    )
)
_USES = re.compile(
    r"^(?P<who>[A-Z][\w.-]*(?: [A-Z\w][\w.'-]*){0,3}?) uses (?P<value>[^:(]{1,60}?)"
    r" \((?P<what>[^:)]+)\)(?::|\.?$)"
)
SEVERAL = ("the instrument", "the sport", "the pet", "the allergi", "the allergy")
"""Attributes of which somebody has several: another value takes the place of one only where that is said."""


def led(text: str) -> Iterator[Claim]:
    """The claim that a statement is led by, if it is."""
    for pattern, attribute in _PLAIN:
        plain = pattern.match(text)
        if plain is not None:
            yield _claim(_key(plain["who"]), attribute, plain["value"])
            return
    uses = _USES.match(text)
    if uses is not None:
        yield _claim(_key(uses["who"]), f"uses {uses['what']}", uses["value"])
        return
    has = _HAS.match(text)
    if has is not None:
        thing = has["thing"]
        last = thing.rpartition(" ")[2]
        if _PARTNERS.fullmatch(thing):
            attribute = "the partner"
        else:
            attribute = _ONE_WORD.get(last) or f"the {' '.join(sorted(kept(thing.lower().split())))}"
        yield _claim(_key(has["who"]), attribute, has["value"])
        return
    when = _WHEN.match(text) or _NOTED.match(text)
    if when is not None:
        event = frozenset(terms(re.sub(r"^(?:the|new|next) ", "", when["thing"].lower())))
        who = _key(when["who"]) if "who" in when.groupdict() and when["who"] else NOBODY
        if event:
            yield _claim(NOBODY if "'s " in who else who, f"when {' '.join(sorted(event))}", when["value"])
        return
    anything = _ANYTHING.match(text)
    if anything is not None and anything["thing"] not in _OF_TABLE:
        thing = kept(re.split(r" (?:on|at|for|in|of) ", anything["thing"].lower())[0].split())
        yield _claim(_key(anything["who"]), f"the {' '.join(sorted(thing))}", anything["value"])


def _claim(who: str, attribute: str, value: str) -> Claim:
    words = words_of_value(value) or frozenset(re.findall(r"\w+", value.lower()))
    return Claim(subjects=frozenset({who}), attribute=attribute, value=words, told=value)


def _key(owner: str) -> str:
    low = re.sub(r"^the user\b", USER, owner.lower())
    before, mark, last = low.rpartition("'s ")
    return f"{before}{mark}{parent(last)}"
