"""Claims of a statement in the third person: who it is about, which attribute it gives a value, and whether it holds.

A statement is read clause by clause. What lies ahead, is wished for, supposed or told of somebody's talk claims
nothing; nor does what was once ("used to live in"). It errs towards no claim: a change that isn't seen leaves two
memories, one that is seen wrongly loses the better one from sight.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from reverie.rules import claims_forms as forms
from reverie.rules.claim import Claim
from reverie.rules.claims_events import scheduled
from reverie.rules.claims_leads import led
from reverie.rules.claims_reading import ARTICLE, cut_off, is_name, is_over, is_so, name_end, value_of
from reverie.rules.claims_subject import Subjects
from reverie.rules.claims_table import frames_of
from reverie.rules.claims_tastes import tastes
from reverie.rules.claims_things import things
from reverie.rules.claims_words import CARS, EVERYDAY, NO_LONGER, TIMEISH, USED, USED_FOR_SURE, USED_WORDS
from reverie.rules.doers import goes_on
from reverie.rules.heard import bare
from reverie.rules.quoting import unquoted
from reverie.rules.terms import terms

_LONGEST = 500
_MOST = 12
CLAUSE = re.compile(
    r"(?<=[.!?;:])(?<!\b[DM]r\.)(?<!\bMrs\.)(?<!\bSt\.)\s+|\s[\u2013\u2014-]\s|,\s+(?=(?:and|but|so|because"
    r"|which|who|since|as|or)\b)"
    r"|\s(?=but\s|because\s|so that\s)"
    r"|,?\s+and\s+(?=(?:now|then|also|just|finally|moved|joined|started|quit|left|got|has|is"
    r"|works?|lives?|uses?|switched"
    r"|became|bought|sold|took|goes|the|their|[A-Z])\b)|,\s+(?=(?:they|he|she|it|now|then|well"
    r"|[A-Z][\w-]+ (?:is|has|now))\b)"
)
"""Where a clause of a statement ends."""
_SHORT_IS = re.compile(
    r"(\w)'s (?=(?:on|at|now|in|due|been|called|named|an?|the|not|moved|scheduled|no longer"
    r"|gone|back|cancell?ed|from)\b|\d)"
)
_NEW_ONES = (
    r"(?:(?:phone |mobile )?number|(?:home |e-?mail )?address|e-?mail|password|boss|manager|therapist|doctor|dentist"
    r"|landlord|landlady|coach|trainer|teacher|flatmate|roommate|phone|laptop|car|job|hobby|favou?rite \w+)"
)
_NEW_COLON = re.compile(
    rf"\b(new {_NEW_ONES}|favou?rite \w+)(?: (?:these days|now|at the moment))?(?:: | - )", re.IGNORECASE
)
_HAS_NEW = re.compile(rf" (?:has|have|got|has got) a new ({_NEW_ONES})[,:]? (?=[A-Z\d]|called [A-Z])")
_USED_IS = re.compile(
    r"\b(?:now|(?:phone|laptop|editor|browser|bank|app|provider|framework|database|language"
    r"|tool|shell|system)s? (?:is|are))\b"
    r"(?: now| an?| the)*\s$"
)
_HAS_ONE = re.compile(r"\b(?:bought|got|have|has) (?:an?|the|their|my)(?: [\w-]+){0,2} $")
_NAMED_SO = re.compile(
    r"\b(?:called|named|names?|christened|name is|answers to|goes by) (?:it |him |her |them )?$"
)
_PLACED = re.compile(r"\s(?:at|in|for|with|by)\s")
_MAIN_FIRST = 2  # clauses


@lru_cache(4096)
def claims(text: str, speaker: str = "") -> tuple[Claim, ...]:
    """The claims of a statement in their order, at most twelve; its first 500 characters are read. ``speaker``: who is
    meant where a clause names nobody.
    """
    text = unquoted(text.partition(" Before that: ")[0])
    text = _SHORT_IS.sub(_full, bare(text[:_LONGEST].replace("\u2019", "'")))
    text = _NEW_COLON.sub(r"\1 is ", _HAS_NEW.sub(r"'s new \1 is ", text))
    text = text.replace("stand-up", "standup").replace("Stand-up", "Standup")
    low = text.lower()
    if len(low) != len(text):
        low = text
    named = Subjects(text, speaker)
    found: dict[tuple[str, frozenset[str]], Claim] = {}
    for claim in led(text):
        found[claim.attribute, claim.subjects] = claim
    first = tuple(found)
    start = 0
    who: frozenset[str] | None = None
    for number, end in enumerate((*(cut.start() for cut in CLAUSE.finditer(text)), len(text))):
        who = named.of_clause(text[start:end], who if goes_on(text[start:end]) else None)
        for claim in _of_clause(
            text[start:end], low[start:end], named, who, low[:start], main=number < _MAIN_FIRST
        ):
            key = (claim.attribute, claim.subjects)
            if key in first:
                continue  # the plain sentence that leads it holds
            found.pop(key, None)  # what is said last holds
            found[key] = claim
        start = end
    return tuple(found.values())[:_MOST]


def _full(found: re.Match[str]) -> str:
    return f"{found[1]} {'has' if found.string.startswith('been', found.end()) else 'is'} "


def _of_clause(
    text: str, low: str, named: Subjects, who: frozenset[str], before: str, *, main: bool
) -> Iterator[Claim]:
    yield from _framed(text, low, named, who, main=main)
    yield from _used(text, low, named, who, main=main)
    yield from things(text, low, named, main=main)
    yield from scheduled(text, low, before, main=main)
    yield from tastes(low, who, main=main)


def _framed(text: str, low: str, named: Subjects, who: frozenset[str], *, main: bool) -> Iterator[Claim]:
    seen: set[str] = set()
    for frame in frames_of(low):
        if frame.attribute in seen:
            continue
        match = frame.says.search(low)
        if match is None or not is_so(text[: match.start()]):
            continue
        raw = match["value"] if frame.fixed is None else frame.fixed
        if frame.attribute in ("employer", "car") and frame.fixed is None:
            raw = raw[: name_end(text[match.start("value") : match.end("value")])]
        if frame.attribute in ("title", "studies"):
            raw = _PLACED.split(raw)[0]
        value = value_of(raw, timed=frame.timed)
        if frame.fixed is None and not (
            value and _fits(frame.attribute, raw, text[match.start("value") :], low[: match.start("value")])
        ):
            continue
        seen.add(frame.attribute)
        upto = match.start("value") if frame.fixed is None else match.end()
        gone = NO_LONGER.search(low[:upto]) is not None or NO_LONGER.search(low[: match.start()]) is not None
        yield Claim(
            subjects=named.before(text, match.start()) or who, attribute=frame.attribute,
            value=value, holds=frame.holds and not gone and not is_over(low),
            single=frame.single or not frame.holds, main=main,
            told=cut_off(text[match.start("value") : match.start("value") + len(raw)], timed=frame.timed)
            if frame.fixed is None else frame.fixed,
        )  # fmt: skip


_DRIVEN = re.compile(r"\bdrives? (?:an? |the |their |his |her )(?:new |used |old |little )*$")


def _fits(attribute: str, raw: str, text: str, before: str) -> bool:
    """Whether a value is one of the attribute: a home is no time and no tool, a car is a car."""
    low = raw.lower()
    first = _first_word(low)
    if attribute == "car":
        if _DRIVEN.search(before) and text[:1].isupper() and not TIMEISH.match(low):
            return True
        return not CARS.isdisjoint(re.findall(r"[\w\u00eb\u0161-]+", low)[:5])
    if attribute == "home":
        return (
            first not in USED
            and not text[:1].isdigit()
            and not TIMEISH.match(low)
            and is_name(text)
            and not text[:1].isdigit()
        )
    if attribute in ("employer", "partner"):
        return is_name(text) and not TIMEISH.match(low)
    if attribute in ("team", "name"):
        return is_name(text)
    if attribute in ("wakes", "sleeps"):
        return any(map(str.isdigit, raw)) or TIMEISH.search(f"at {low}") is not None
    if attribute in ("reading", "watching"):
        return text[:1].isupper() or text[:1] in "\"'\u201c" or low.startswith(("a ", "the "))
    return True


def _first_word(low: str) -> str:
    found = re.match(r"[\w+#.&'-]+", ARTICLE.sub("", low))
    return found.group().rstrip(".") if found else ""


def _used(text: str, low: str, named: Subjects, who: frozenset[str], *, main: bool) -> Iterator[Claim]:
    """Tools and services, of which one is used for a purpose."""
    words = [(found.start(), found.group().rstrip(".")) for found in USED_WORDS.finditer(low)]
    known = [(start, word, USED[word]) for start, word in words if word in USED]
    if not known:
        return
    for start, word, category in known:
        before = low[:start]
        if not is_so(before) or forms.ORIGIN.search(before):
            continue
        left = forms.LEFT.search(before) is not None
        named_so = start > 0 and text[start].isupper()
        if word in EVERYDAY and not (left or named_so or USED_FOR_SURE.search(before)):
            continue
        gone = left or NO_LONGER.search(before) is not None or is_over(low)
        uses = forms.USES.search(before) or _HAS_ONE.search(before) or _USED_IS.search(before)
        if (not left and not uses) or _NAMED_SO.search(before):
            continue
        yield Claim(
            subjects=named.before(text, start) or who, attribute=f"uses {category}",
            value=frozenset(terms(word) or [word]), holds=not gone, main=main,
            told=text[start : start + len(word)],
        )  # fmt: skip
