"""Words by which somebody says that something has changed: now, no longer, switched; and what it was before."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from reverie.rules.claims_words import VALUE_ENDS
from reverie.rules.marks import marks
from reverie.rules.terms import terms

MARKED = marks(
    "now nowadays anymore instead switched switching changed moved replaced replaces swapped traded ditched quit "
    "stopped dropped canceled cancelled sold actually correction postponed rescheduled became promoted upgraded "
    "renamed converted migrated finally finished raised lowered increased reduced upped shortened extended "
    "lengthened lifted repainted painted begun started again",
    ("longer", "no longer"),
    ("more", "any more"),
    ("these", "these days"),
    ("now", "from now on"),
    ("of", "as of"),
    ("used", "used to"),
    ("gave given", "gave up|given up|given me|gave me"),
    ("called", "called off"),
    ("turns", "turns out"),
    ("back", "went back|back to|pushed back"),
    ("new another", r"(?:new|another) \w+"),
    ("rid", "got rid of"),
    ("brought", "brought forward"),
    ("over", r"that's (?:\w+ ){1,3}over|(?:is|are) over|took over|takes over|taken over"),
    ("broke split", "broke up|split up"),
    ("done", "done with"),
    ("cut", "cut to|cut (?:up|down) to"),
    (
        "pushed put moved shifted brought",
        "(?:pushed|put|moved|shifted|brought) (?:back|forward|up|down|over|on|to|out)",
    ),
    (
        "from",
        (
            "from (?:today|this|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
            r"|\d+ \w+)(?: \w+)? on(?:wards)?|from (?:today|this|next) \w+"
        ),
    ),
    ("has have", "(?:has|have) (?:taken up|gone|turned)"),
    ("first", "first day"),
    ("went gone goes", "(?:went|gone|goes) up|(?:went|gone) (?:up|down) to"),
    ("came", "came down"),
    ("got grew grown", r"(?:got|grew|grown) (?:a )?\w+er"),
    ("not", r"not \w+ but"),
    ("since", "since (?:last|this)"),
    ("learned learnt", "learn(?:ed|t) (?:how )?to"),
    ("rose", "rose to"),
)
TURNED = marks(
    "now nowadays anymore instead changed switched replaced correction dropped ditched sold quit moved raised "
    "lowered wrong",
    ("longer", "no longer"),
    ("more", "any more|no more"),
    ("these", "these days"),
    ("turns", "turns out"),
    ("gave given", "gave up|given up"),
    ("gone", "gone off"),
    ("from", r"from (?:here|today|next \w+|this \w+) on"),
    ("pushed", "pushed (?:back )?to"),
    ("put", "put back to"),
    ("not", r"not \w+ but"),
)
_WORD = re.compile(r"\w+")


class _Way(NamedTuple):
    """``words``: an ASCII text that it fits has one of these, in whatever letters; with none, that isn't known."""

    words: frozenset[str]
    says: re.Pattern[str]


def _ways(*ways: tuple[str, str]) -> tuple[_Way, ...]:
    return tuple(_Way(frozenset(words.split()), re.compile(says, re.IGNORECASE)) for words, says in ways)


_END = r"(?P<old>[^,.;:!?()\u2013\u2014]{2,60})"
_OVER = _ways(
    ("from", r"\bfrom (?P<old>[^,.;:!?()]{2,40}?) (?:in)?to\b"),
    ("instead rather place more", rf"\b(?:instead of|rather than|in place of|no more) {_END}"),
    (
        "replaced replaces replacing swapped traded exchanged ditched left switched upgraded",
        (
            r"\b(?:replac(?:ed|es|ing)|swapped|traded|exchanged|ditched|left|switched|upgraded) "
            r"(?:out )?(?P<old>[^,.;:!?()]{2,40}?)"
            r" (?:in )?(?:with|for|by|against|to)\b"
        ),
    ),
    (
        (
            "ditched dropped sold canceled cancelled rid gave given quit stopped done finished deleted uninstalled "
            "retired abandoned scrapped off fell resigned left lost"
        ),
        (
            r"\b(?:ditched|dropped|sold|cancel(?:l)?ed|got rid of|gave up|(?:has|have) given up"
            r"|quit|stopped|(?:is |are )?done with|finished with|deleted"
            r"|uninstalled|retired|abandoned|scrapped|went off|gone off|fell out with|resigned "
            rf"(?:from|as)|left|lost) {_END}"
        ),
    ),
    ("had", rf"\bhad to (?:stop|quit|give up|drop|sell|cancel) {_END}"),
    ("longer", rf"\bno longer (?:\w+ing )?{_END}"),
    (
        "doesn don isn aren not",
        rf"\b(?:doesn't|does not|don't|do not|isn't|aren't) {_END}(?<! )(?= any ?more)",
    ),
    ("more anymore", r"\b(?:doesn't|don't|isn't|aren't) (?P<old>[^,.;:!?()]{2,60}?) any ?more\b"),
    ("not", rf"(?:,| \() ?(?:and )?not {_END}"),
    ("not", rf"\bnot {_END}? but\b"),
    ("used", rf"\bused to (?:be )?{_END}"),
    (
        "cancelled canceled called over sold scrapped history gone dead",
        (
            r"(?P<old>[\w' -]{2,40}?) (?:is|was|has been|got|are|were) (?:cancell?ed|called "
            r"off|over|sold|scrapped|history|gone|dead)\b"
        ),
    ),
    ("home back out", rf"\b(?:home|back|out) (?:from|of) {_END}"),
    (
        "goodbye bye farewell long rip sorry forget",
        rf"\b(?:goodbye|bye(?: bye)?|farewell|so long|rip|sorry|forget(?: about)?),? {_END}",
    ),
    ("cut", rf"\bcut (?:down on|out) {_END}"),
    (
        "said packed called handed back fell",
        (
            rf"\b(?:said (?:no|goodbye|bye) to|packed in|called it off with|handed back|back from|fell through "
            rf"with) {_END}"
        ),
    ),
    (
        "off unravelled finished abandoned handed took cancelled canceled",
        rf"\b(?:gone off|went off|unravelled|finished|abandoned|handed over|took back|cancell?ed) {_END}",
    ),
    (
        "finished out yesterday off taken more",
        (
            r"(?P<old>[\w' -]{2,40}?) (?:is|was|are|were|has been) (?:finished|out|yesterday|off|taken|no "
            r"more)\b"
        ),
    ),
    (
        "retired stopped more anymore handed leave finished back",
        (
            r"(?P<old>[\w'-]{2,20}) (?:retired|stopped|can't any ?more|handed in|is on leave|finished (?:her|his"
            r"|their)|went back)\b"
        ),
    ),
    ("stole nicked", r"\b(?:stole|nicked) (?:the |my )?(?P<old>[\w' -]{2,30})"),
    ("stop", rf"\b(?:told \w+ to |should |must )stop (?:the |my |taking |with )?{_END}"),
    ("no", rf"(?:^|, |\bso |\band )no (?:more )?{_END}"),
    (
        "",
        (
            r"(?P<old>[\w' -]{2,40}?) (?:shut down|closed(?: down)?|went bust|is off|moved out"
            r"|(?:has )?left(?=$|[.,;!]| (?:us|town|for good)\b))"
        ),
    ),
    ("gone off out dead", r"(?P<old>[\w-]{2,20})'s (?:gone|off|out|dead)\b"),
    (
        "",
        r"(?P<old>[\w' -]{2,40}?) (?:died|(?:has |have )?passed(?: away)?(?=$|[.,;!]| in\b| on \d)|didn't make it)",
    ),
    ("over", r"\bthat's (?:the |my |our )?(?P<old>[\w' -]{2,30}?) over\b"),
)
_DROPPED = _ways(
    (
        "forget nevermind never scrap scratch drop ignore disregard",
        rf"\b(?:forget|never ?mind|scrap|scratch|drop|ignore|disregard) (?:about )?(?:the |my |our |that )?{_END}",
    ),
    ("matter matters", r"(?P<old>[\w' -]{2,50}?) (?:doesn't|does not|no longer) matters?\b(?: any ?more)?"),
    (
        "important relevant needed priority",
        (
            r"(?P<old>[\w' -]{2,50}?) is(?:n't| not| no longer) (?:important|relevant|needed"
            r"|a priority)(?: any ?more)?\b"
        ),
    ),
)
_IDLE = frozenset("it that this these those them all".split()) | frozenset(
    terms("everything anything something thing things stuff job work one ones way lot time day idea plan")
)
_MOST_TERMS = 5
_MOST_READ = 1_000  # characters


NEWS = marks(
    "",
    (
        "have has ve s had",
        (
            r"(?:have|has|'ve|'s|had to) (?:(?:just|now|finally|been|officially|also|gone and) )*(?:\w{2,}(?:ed|wn)"
            r"|become|taken|given|gone"
            r"|put|begun|bought|got|left|made|built|chosen|found|lost|sold|split|set|switch|change|move)"
        ),
    ),
)


def is_news(text: str) -> bool:
    """Whether it is told in the perfect, as what is new: "Kit has defected to the Rovers"."""
    return NEWS.stand_in(text)


def is_marked(text: str) -> bool:
    """Whether a word says that something has changed."""
    return MARKED.stand_in(text)


def is_turned(text: str) -> bool:
    """Whether it says that something is otherwise now than it was, and not merely that something is new or was."""
    return TURNED.stand_in(text)


@lru_cache(512)
def replaced(text: str, names: frozenset[str] = frozenset()) -> tuple[frozenset[str], ...]:
    """What a statement says is over, or was in the place of what is so: the stemmed words of each, but ``names``."""
    return _named(_OVER, text, names)


def dropped(text: str) -> tuple[frozenset[str], ...]:
    """What a message says is to be forgotten, or matters no longer."""
    return _named(_DROPPED, text, frozenset())


def _named(ways: tuple[_Way, ...], text: str, names: frozenset[str]) -> tuple[frozenset[str], ...]:
    found: dict[frozenset[str], None] = {}
    text = text[:_MOST_READ].replace("\u2019", "'")
    said = frozenset(_WORD.findall(text.lower())) if text.isascii() else None
    for way in ways:
        if said is not None and way.words and said.isdisjoint(way.words):
            continue
        for match in way.says.finditer(text):
            old = match["old"]
            cut = VALUE_ENDS.search(old)
            words = frozenset(terms(old[: cut.start()] if cut else old)) - names
            if words - _IDLE and len(words) <= _MOST_TERMS:
                found.setdefault(words - _IDLE)
    return tuple(found)
