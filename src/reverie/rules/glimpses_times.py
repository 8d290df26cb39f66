"""Glimpses of times: when something is, told with the thing named before, in another sentence, or by the agent."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.rules import glimpses_words as known
from reverie.rules.glimpses_scene import NAME, Glimpse, Line, whose

_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?"
DATE = rf"(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTHS}\b|{_MONTHS} \d{{1,2}}(?:st|nd|rd|th)?\b"
CLOCK = r"\d{1,2}[:.]\d\d(?: ?[ap]m)?\b|\d{1,2} ?[ap]m\b|(?:half|quarter) (?:past|to) \w+|noon\b|midnight\b"
_REGULAR = (
    rf"{_WEEKDAY} (?:mornings?|afternoons?|evenings?|nights?|lunchtimes?)\b"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|every (?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
)
_WHEN = re.compile(rf"(?P<value>{DATE}|{CLOCK}|{_REGULAR})", re.IGNORECASE)
_MAY_TELL_WHEN = re.compile(r"\d|half |quarter |noon|night|morning|evening|lunchtime|day", re.IGNORECASE)
"""Whatever _WHEN finds has one of these."""
_EVENT = re.compile(
    rf"\b(?:(?P<who>my|our|her|his|their|{NAME}'s|mum's|dad's) )?(?P<event>{known.EVENT})\b", re.IGNORECASE
)
_SETS = re.compile(
    r"\b(?:booked|moved?|moving|shunted?|only do|can do|bumped?|pushed|pushe?s?|shifted?|slip(?:s"
    r"|ped)?|rescheduled"
    r"|postponed|brought forward"
    r"|put back|it'll be|it's (?:now|on|at)|will be|now|instead|set for|is|are|on|at|by|due|out by"
    r"|for|to|ships?|goes|launch"
    r"|launches|starts?|kicks? off|from this week|as always|every|always|until|till|lands?|opens?"
    r"|closes?)\b[\w ,:'-]{0,24}$",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:if|maybe|perhaps|might|could|would|should|asked (?:if|whether)|wish|hoping|can (?:we|you"
    r"|i)|how about|what about"
    r"|nearly|almost|thinking|was on|was at|were|last|yesterday|had been|it's already|already)\b",
    re.IGNORECASE,
)
_PROJECT = re.compile(
    rf"(?:^|[ ,(])(?:the )?(?P<name>{NAME})(?: (?P<what>release|launch|deadline|go-live|demo"
    r"|submission|beta|rollout))?"
    r"(?: now)? (?:ships?|goes(?: (?:out|live))?|launches|has to be (?:out|in|done)|needs to be"
    r" (?:out|in|done)|is due|is out"
    r"|lands|is now|is|moves|slips|will ship|will be|must be (?:out|done))(?: (?:out|live))?(?: (?:on"
    r"|by|to|for|until|back to))?"
    rf" (?P<value>(?i:{DATE}))"
)
_SAID_BY_AGENT = re.compile(
    r"^(?:[-*] )?(?P<thing>[A-Z][\w' -]{2,40}?)(?::| is| on| at| moves to| ships| goes out| now)*"
    r" (?:now |on |at |for )?"
    rf"(?P<value>(?i:{DATE}|{CLOCK}))",
)
_OWN_SETTING = re.compile(
    r"\b(?:I'll (?:send|post|give|deliver|do|run|ping|remind)|I (?:now )?(?:send|post)|sending|I've"
    r" (?:moved|set|changed|scheduled))?"
    r"(?: you)? ?\b[Yy]our (?P<thing>(?:[a-z]+ )??[a-z]+)(?: (?:now |will )?(?:comes?|arrives?|runs?"
    r"|lands?|goes out|is|be))?"
    rf"(?: at| to| for| by)+ (?P<value>{CLOCK})|\b(?:I've )?(?:moved|set|changed|scheduled) (?:the"
    r"|your) (?P<thing2>(?:[a-z]+ )?[a-z]+)"
    rf" (?:to|for|at) (?P<value2>{CLOCK})"
)
_SYNONYMS = {
    "op": "operation",
    "check up": "check-up",
    "thing": "appointment",
    "appt": "appointment",
}
_PARTS = re.compile(r"\b(?:op|appt|thing|(?:dentist|optician|physio|hygienist|gp)$)\b", re.IGNORECASE)
_RANGE = re.compile(r"\s*(?:to|-|\u2013|until|till|through|and)\s*\d")
_MOVED = re.compile(
    r"\b(?:moved?|shunted|bumped|pushed|shifted|slipped|rescheduled|postponed|brought forward|put back|it'll be"
    r"|it's now|it's (?=on|at|\d)|now|instead|they said|new (?:date|time|slot))\b",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    "trip meeting flight course class match party holiday race training sync planning move service delivery shift "
    "lesson submission presentation practice appointment concert conference reunion completion".split()
)
_S = "'s"
_REMIND_ME = re.compile(r"\bset an alarm\b|\bremind me (?:at|in)\b", re.IGNORECASE)


_OF_OTHERS = re.compile(
    r"\b(?:half|most|some|one|two|many|everyone|everybody|nobody|lots) (?:of )?(?:[\w']+ ){0,3}?(?:has|have"
    r"|had) (?:an? )?"
    r"[\w -]{2,24}$",
    re.IGNORECASE,
)


def timed(at: Line) -> Iterator[Glimpse]:
    """When something is that is named in the sentence, or just before it."""
    if _REMIND_ME.search(at.text):
        return
    project = _PROJECT.search(at.text)
    if project is not None and not _UNSURE.search(at.text[: project.start()]):
        what = (
            f" {project['what']}"
            if project["what"]
            else " release"
            if "release" in at.earlier().lower()
            else ""
        )
        yield at.glimpse(f"The {project['name']}{what} is on {_plain(project['value'])}")
        return
    if not _MAY_TELL_WHEN.search(at.text):
        return
    found = [
        one for one in _WHEN.finditer(at.text) if _SETS.search(at.text[: one.start()]) or _is_regular(at, one)
    ]
    if not found:
        return
    when = found[0]
    if _UNSURE.search(at.text[: when.start()]):
        return
    event = _event(at, at.text, when)
    if event is None or _OF_OTHERS.search(at.text[: when.start()]):
        return
    yield at.glimpse(f"{event} is {'on' if _is_day(when['value']) else 'at'} {_plain(when['value'])}")


def confirmed(text: str, people: str) -> Iterator[tuple[str, str]]:
    """What the agent says of times in a line of its own: the lead, and the time as it is written; ``people``: who is
    meant by "you".
    """
    for line in text.splitlines():
        own = _OWN_SETTING.search(line)
        if own is not None and not line.rstrip().endswith("?"):
            thing, value = own["thing"] or own["thing2"], own["value"] or own["value2"]
            yield f"{people}'s {thing} is at {_plain(value)}", value
            continue
        said = _SAID_BY_AGENT.match(line)
        if said is not None and not line.rstrip().endswith("?"):
            thing = re.sub(r"(?:,? (?:is|on|at|due))+$", "", said["thing"]).strip(" ,:")
            if thing.count(" ") < 4 and not re.match(
                r"(?:I|It|That|This|There|From|The|So|Then|And|Ok|Done|Noted)\b", thing
            ):
                yield _confirmed(people, thing, said["value"]), said["value"]


def _confirmed(people: str, thing: str, value: str) -> str:
    """The lead of a line that begins with a thing and gives its time."""
    if " " in thing or re.fullmatch(known.EVENT, thing.lower()):
        thing = thing[:1].lower() + thing[1:]
    whose = "The" if thing[:1].isupper() else f"{people}'s"
    return f"{whose} {_full(thing)} is {'on' if _is_day(value) else 'at'} {_plain(value)}"


def _is_regular(at: Line, when: re.Match[str]) -> bool:
    """ "tue evening pilates", "ballet on Fridays": the event stands right beside."""
    return re.match(rf"(?: (?:is )?)(?:{known.EVENT})\b", at.text[when.end() :], re.IGNORECASE) is not None


def _event(at: Line, text: str, when: re.Match[str]) -> str | None:
    """The event of a time: nearest before it in the sentence, right behind it, in the message, in the talk before."""
    if _RANGE.match(text[when.end() :]):
        return None
    behind = _EVENT.match(text[when.end() :].lstrip())
    here = list(_EVENT.finditer(text[: when.start()]))
    match = here[-1] if here else behind
    if match is None and _MOVED.search(text):
        back = list(_EVENT.finditer(at.before)) or list(_EVENT.finditer(at.scene.topic))
        match = back[-1] if back else None
    if match is None or (match["event"].lower() in _GENERIC and not match["who"]):
        return None
    low = (match["who"] or "").lower()
    who = whose(match["who"], at) if match["who"] else _opens(at) or at.scene.speaker
    if low in ("mum's", "dad's"):
        who = f"{at.scene.speaker}'s {low.removesuffix(_S)}"
    return f"{who}'s {_full(match['event'].lower())}" if who else None


def _opens(at: Line) -> str:
    """Of whom the sentence is, by the name that it begins with."""
    match = re.match(rf"({NAME}) (?!and\b)", at.text)
    return match[1] if match is not None and match[1].lower() in at.scene.names else ""


def _full(event: str) -> str:
    return _PARTS.sub(
        lambda found: _SYNONYMS.get(found.group().lower(), f"{found.group()} appointment"), event
    )


def _is_day(value: str) -> bool:
    return re.match(rf"{CLOCK}", value, re.IGNORECASE) is None


def _plain(value: str) -> str:
    """A time as it is written in full: "7 May" for "may 7th", "Tuesday evening" for "tue evening"."""
    day = re.match(
        rf"(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTHS})$|({_MONTHS}) (\d{{1,2}})(?:st|nd|rd|th)?$",
        value,
        re.IGNORECASE,
    )
    if day is not None:
        return f"{int(day[1] or day[4])} {_month(day[2] or day[3])}"
    return re.sub(
        r"\b(mon|tue|wed|thu|fri|sat|sun)(?:[a-z]*?)(s?)\b(?= |$)",
        lambda found: _DAYS[found[1].lower()] + ("s" if found.group().lower().endswith("days") else ""),
        value,
        flags=re.IGNORECASE,
    )


def _month(name: str) -> str:
    return next(month for month in _ALL if month.lower().startswith(name[:3].lower()))


_ALL = "January February March April May June July August September October November December".split()
_DAYS = {
    name[:3].lower(): name for name in "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
}
