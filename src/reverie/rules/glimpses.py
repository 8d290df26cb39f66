"""Glimpses: what somebody lets be known by the way, in a plain sentence: "my Pixel is at 4 percent" has a Pixel.

A claim (``rules.claims``) is told as such; a glimpse shows by what is done with a thing, or is told with nobody named.
Each is told plainly, "Gwen uses Pixel (phone)", and what it was gathered from stands behind. Whom "she" means, and what
was spoken of, comes from the talk before it (``Scene``). It errs towards nothing: what is wished for, supposed, told of
others' talk or denied shows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from reverie.rules import glimpses_words as known
from reverie.rules.claims_reading import is_so
from reverie.rules.claims_words import CARS, DIETS, EVERYDAY, USED, USED_WORDS
from reverie.rules.glimpses_asides import asides
from reverie.rules.glimpses_doing import dosed, drinks, goes_in_for, spent, worked
from reverie.rules.glimpses_life import lived, looked_after, presupposed
from reverie.rules.glimpses_scene import NAME, Glimpse, Line, Scene, whose
from reverie.rules.glimpses_slots import slotted
from reverie.rules.glimpses_times import timed
from reverie.rules.glimpses_whose import is_speakers
from reverie.rules.label_words import WEAK
from reverie.rules.sentences import Sentence

_MOST = 3
_NEAR = 80  # characters before
_STOP = re.compile(r"(?<=[.!?])(?<!\b[DM]r\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bSt\.)\s+")
_LONGEST = 400  # characters of a sentence
_UNREAL = re.compile(
    r"\b(?:if|imagine|pretend|suppose|would|could|might|maybe|perhaps|wish|dreamt?|dreamed|tempted"
    r"|joke|joking|kidding"
    r"|hypothetical\w*|nearly|almost|novel|character|what's|what is|should|wants? (?:me|us|to)|asked"
    r" (?:if|whether|for|would)"
    r"|asks|recommend|better than|in theory|somebody|someone|says?|said|found a new|reckons|thinking (?:of"
    r"|about)|considered"
    r"|considering|offered|tried to sell|test[- ]dr(?:ove|ive)|not buying|looked at|the price)\b",
    re.IGNORECASE,
)
_ANOTHERS = re.compile(
    rf"\b(?:he|she|they|his|her|their|him|them)\b|\b{NAME}(?:'s|(?= (?:has|is|was|got|went|bought|swapped|wants"
    r"|loves|uses)))",
)
_FIRST = re.compile(r"\b(?:i|i'm|i've|i'll|my|me|we|we're|we've|our|us|mine)\b", re.IGNORECASE)
_HELD = re.compile(
    r"\b(?:my|our|the)(?: (?:old|new|poor|trusty|little|work|stupid|bloody|damn|good old|beloved))* $",
    re.IGNORECASE,
)
_TAKEN = re.compile(
    r"\b(?:(?:came|come) (?:home|back|away) with|went (?:for|with)|ended up (?:with|on|getting"
    r"|buying)|settled on"
    r"|treated myself to|picked up|got|bought|ordered|switched to|moved (?:over )?to|gave|given|on|in"
    r"|using|love|loving"
    r"|opened?|running|back (?:on|to|in)|sent|chose|chosen|converted to|migrated to|stuck with"
    r"|staying (?:on|with|in)"
    r"|stayed (?:on|with|in)|living in|working in|everything in|own|drive|driving|drove|upgraded to"
    r"|new \w+(?: day)?(?::| is| -)"
    r"|(?:laptop|computer|machine|pc|desktop|phone|tablet)(?:'s| has| is|'s been| has been)?(?: now)? (?:had|has|runs?"
    r"|running|got|on|with|back on)|replaced (?:it|\w+ \w+) with|swapped (?:it|[\w' ]{2,30}) for|all in on"
    r"|collected|it's(?: all)?)"
    r"(?: (?:an?|the|my|our|me (?:an?|the)|us (?:an?|the)|some|it in|a new|the new|a used|an old))?"
    r"(?: (?:new|used|second-?hand|little|grey|blue|red|black|white|green|silver|electric|shiny))* $",
    re.IGNORECASE,
)
_HAPPENS = re.compile(
    r"^(?:'s)? (?:has|have|had|is at|is on|is acting|keeps?|kept|just|crash\w*|froze\w*|wouldn't|won't"
    r"|decided|bluescreen\w*|update\w*|needs?|started|refuses|it is\b|arrived|is here|came|a go\b|a"
    r" try\b|turned up"
    r"|battery|screen|as of|from now on|these days|now\b)",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"\b(?:old|sold|traded|swapped|exchanged|scrapped|returned|ditched|dropped|deleted|uninstalled"
    r"|cancelled|binned|left|quit|instead of|rather than|not|no|never"
    r"|from|than|like|hate|tried|trying|without|goodbye|bye|rip|used to|kill(?:ed)?)(?: (?:the|my|our"
    r"|a|an))? $",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"^(?:'s)? (?:has |have |had |is |was |just |finally )*(?:been )?(?:retired|replaced|binned|pensioned"
    r"|traded|drowned|died|dead|gone|gave up|packed (?:it"
    r" )?in|bit the dust|drowned|cracked|no more|broken?|sold|stolen|went"
    r"|goes (?:back|to)|in (?:for|with)\b|to \w+|for scrap|failed)",
    re.IGNORECASE,
)
_NAMED_SO = re.compile(r"\b(?:called|named|names?|christened) (?:it |him |her |them )?$", re.IGNORECASE)
_CLAUSES = re.compile(r"[,;:] | (?:and|so|but) ")
_MODEL = re.compile(r"(?: [A-Z][\w-]*(?!'|\w)){1,2}(?= (?!and [A-Z])|[.,;!?]|$)")
"""What goes on with the name of a thing: a Toyota Yaris."""
_POSSIBLY_CAR = frozenset(
    "golf focus seat leaf jazz swift mini leon zoe cargo scooter van jeep outback polo".split()
)
_ASKS_STYLE = re.compile(
    r"\b(?:answer|reply|replies|answers|use|write|in|want|prefer|rather|have|like|give me|send|format|stick to"
    r"|switch to|back to|go back"
    r" to|keep (?:it|them) (?:to|in))\b|\b(?:from (?:here|now) on|please|instead|only)\b",
    re.IGNORECASE,
)
_OF_ANSWERS = re.compile(
    r"\b(?:when(?:ever)? you (?:answer|reply|write|explain)|how you (?:answer|reply|write|talk|format"
    r"|explain)|your (?:answers|replies|messages|summaries|style|format)"
    r"|from (?:here|now) on|(?:answers|replies) (?:in|as|to|short)|always (?:answer|reply|write|use|give me))\b",
    re.IGNORECASE,
)
_STYLE = re.compile(rf"\b(?P<value>{known.STYLES})\b", re.IGNORECASE)
_LESS = re.compile(
    r"\b(?:no(?: more)?|not|stop|don't|drop|without|instead of|rather than|the)\s+(?:the )?(?:using )?$", re.I
)
_ALLERGIC = re.compile(
    rf"\b(?P<who>i'm|i am|(?:he|she)(?:'s| is)|{NAME} is|{NAME}'s) (?:\w+ )?allergic to"
    r" (?P<value>[a-z]+(?: [a-z]+)?)",
    re.IGNORECASE,
)
_CANT_HAVE = re.compile(
    rf"\b(?P<who>i|he|she|{NAME}) (?:can't|cannot|mustn't) (?:have|eat|touch)"
    r" (?P<value>[a-z]+)\b(?=.*\ballerg)",
    re.IGNORECASE,
)
_ISNT_BUT = re.compile(
    r"\bit (?:isn't|wasn't|is not|was not|'s not) (?:the )?(?P<old>[a-z]+)(?: at all| after"
    r" all)?[,;]? (?:it's|it was|it is|but) "
    r"(?:the )?(?P<value>[a-z]+)|\bit's not (?:the )?(?P<old2>[a-z]+)(?: at all)?[,;]? (?:it's|but)"
    r" (?:the )?(?P<value2>[a-z]+)",
    re.IGNORECASE,
)
_SCRAP = re.compile(
    r"\b(?:scrap|forget|scratch|cancel|no longer|no more|goodbye|bye|not|so much for)(?: the)?"
    r" (?P<old>(?-i:[A-Z]\w+))"
    r"(?: any ?more)?[,;:.!\u2014-]* (?:but |and )?(?:it's|we're|i'm|hello|going with|make (?:it"
    r"|that)|now it's|it'll be)"
    r" (?:\w+ ){0,2}?(?P<value>(?-i:[A-Z]\w+))",
    re.IGNORECASE,
)
_DIET = re.compile(
    r"\b(?:i'm|i am|we're|i've gone|i went|i've turned|i'm back to being|back to being|makes me)"
    rf" (?:\w+ ){{0,2}}?(?P<value>{DIETS})"
    r"(?! (?:for|until|meal|dish|option))",
    re.IGNORECASE,
)


_ANSWERED = re.compile(r"\W*(?:yes|yep|yeah|officially|indeed|it's official|apparently so)\b", re.IGNORECASE)
"""Who answers his own question says it: "I'm a vegan now? Yes." """


def glimpses(line: Sentence, before: str, scene: Scene, after: str = "") -> tuple[Glimpse, ...]:
    """What a sentence shows, at most three; ``before`` and ``after``: what the same message says around it.

    Who writes without capitals ends his sentences by a full stop alone: each of these is read by itself.
    """
    text = scene.named(line.text[:_LONGEST].replace("\u2019", "'"))
    found: dict[str, Glimpse] = {}
    parts = _STOP.split(text)
    for number, part in enumerate(parts):
        behind = " ".join((*parts[number + 1 :], after))
        asks = (
            part.endswith("?") and not part.endswith("??") and not line.tagged and not _ANSWERED.match(behind)
        )
        at = Line(
            text=part, before=" ".join((before, *parts[:number])), scene=scene, place=line.place,
            after=behind,
        )  # fmt: skip
        if asks is False and part.endswith("?") and not part.endswith("??"):
            at = replace(at, text=part.rstrip("?"))
        for read in (presupposed,) if asks else _READERS:
            for one in read(at):
                if not is_speakers(one.lead, at) or (
                    read is slotted and any(_shares_value(one, other) for other in found.values())
                ):
                    continue
                found.setdefault(one.lead or one.value, one)
    return tuple(found.values())[:_MOST]


def _shares_value(one: Glimpse, other: Glimpse) -> bool:
    """Whether two give the same value: the one that knows what it is the value of is enough."""
    mine, theirs = (set(re.findall(r"\w+", each.lead.partition(" is ")[2].lower())) for each in (one, other))
    return bool(
        mine
        & (theirs or set(re.findall(r"\w+", other.lead.lower()))) - {"the", "a", "an", "on", "at", "of", "in"}
    )


def _is_others(before: str) -> bool:
    """Whether what is done is somebody else's doing: the last clause tells, where it has a first person."""
    clause = _CLAUSES.split(before)[-1]
    return _ANOTHERS.search(clause if _FIRST.search(clause) else before) is not None


def _tools(at: Line) -> Iterator[Glimpse]:
    """What the speaker uses or drives: by how he speaks of it."""
    low = at.text.lower()
    for match in USED_WORDS.finditer(low):
        word = match.group().rstrip(".").removesuffix("'s")
        category = "car" if word in CARS else USED.get(word)
        if (
            category is None
            or category == "language"
            or (category == "car" and word in _POSSIBLY_CAR and not at.text[match.start()].isupper())
        ):
            continue
        before, after = at.text[: match.start()], at.text[match.start() + len(word) :]
        named = at.text[match.start() : match.start() + len(word)] != word
        if _UNREAL.search(before) or not is_so(before) or _LEFT.search(before) or _is_others(before):
            continue
        if (
            re.search(r"\bI (?:said|joked)\b", after)
            or _GONE.match(after)
            or (word in EVERYDAY and not named)
            or _NAMED_SO.search(before)
        ):
            continue
        held, happens = _HELD.search(before) is not None, _HAPPENS.match(after) is not None
        own = (
            before[: match.start()].lower().rstrip().endswith(("my", "our"))
            or _FIRST.search(at.text) is not None
        )
        taken = _TAKEN.search(before) is not None
        elliptic = after.lower().startswith(" it is") or re.match(
            r"^(?:,? (?:as of|from now on|these days)|, where i)", after, re.I
        )
        if not (
            elliptic
            or (held and (happens or own))
            or (taken and (own or named))
            or (not before.strip() and happens and named)
        ):
            continue
        more = _MODEL.match(at.text[match.start() + len(word) :])
        value = at.text[match.start() : match.start() + len(word) + (more.end() if more is not None else 0)]
        value = value if value != value.lower() else value[:1].upper() + value[1:]
        who = at.scene.speaker
        lead = f"{who} drives {value} (car)" if category == "car" else f"{who} uses {value} ({category})"
        yield at.glimpse(lead)
        return


def _diets(at: Line) -> Iterator[Glimpse]:
    match = _DIET.search(at.text)
    if (
        match is not None
        and not _UNREAL.search(at.text[: match.start()])
        and not _LESS.search(at.text[: match.start("value")])
    ):
        yield at.glimpse(f"{at.scene.speaker}'s diet is {match['value'].lower()}")


def _allergies(at: Line) -> Iterator[Glimpse]:
    for pattern in (_ALLERGIC, _CANT_HAVE):
        match = pattern.search(at.text)
        if match is None or _UNREAL.search(at.text[: match.start()]):
            continue
        who = whose(match["who"], at)
        plain = pattern is _ALLERGIC and match["who"].lower() not in ("he's", "she's", "he is", "she is")
        if who and not plain and match["value"].lower() not in WEAK:
            yield at.glimpse(f"{who}'s allergy is {match['value'].lower()}")
            return


def _corrected(at: Line) -> Iterator[Glimpse]:
    """ "It isn't strawberries, it's kiwi": of whom, and what, those know who know the old value."""
    match = _ISNT_BUT.search(at.text)
    if match is not None and not _UNREAL.search(at.text[: match.start()]):
        value, old = match["value"] or match["value2"], match["old"] or match["old2"]
        yield Glimpse(lead="", place=at.place, old=old, value=value)
        return
    scrap = _SCRAP.search(at.text)
    if scrap is not None and not _UNREAL.search(at.text[: scrap.start()]):
        yield Glimpse(lead="", place=at.place, old=scrap["old"], value=scrap["value"])


def _styles(at: Line) -> Iterator[Glimpse]:
    """How the agent is asked to answer."""
    if not _OF_ANSWERS.search(f"{at.before[-_NEAR:]} {at.text}") or not _ASKS_STYLE.search(at.text):
        return
    for match in _STYLE.finditer(at.text):
        if _LESS.search(at.text[: match.start()]):
            continue
        yield at.glimpse(f"{at.scene.speaker}'s answer style is {match['value'].lower()}")
        return


_READERS: tuple[Callable[[Line], Iterator[Glimpse]], ...] = (
    timed, looked_after, lived, goes_in_for, worked, _tools, _diets, _allergies, _corrected, dosed, spent, _styles,
    drinks, asides, slotted,
)  # fmt: skip
