"""Show what somebody said as a person would quote it: who, when, in answer to what, and the words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from datetime import UTC, tzinfo

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory, Quoted
from reverie.domain.message import Role
from reverie.domain.trust import SourceTrust
from reverie.language import LONGEST, sentences, terms, visible
from reverie.language.dates import day_text, relative_days

_SENTENCE = {SourceTrust.OTHER: "Others said: ", SourceTrust.EXTERNAL: "Outside sources said: "}
_HEADING = {SourceTrust.OTHER: ", as others said", SourceTrust.EXTERNAL: ", from outside sources"}
HEARSAY_MARKS = "|".join(_HEADING.values())
"""The pattern of what ``heading_of`` gives."""


def sentence_of(text: str, trust: SourceTrust) -> str:
    """Return the sentence with whose word it is, where that isn't the agent's own or a principal's."""
    mark = _SENTENCE.get(trust, "")
    return text if any(text.startswith(one) for one in _SENTENCE.values()) else mark + text


def heading_of(trust: SourceTrust) -> str:
    """Return what stands behind the day of a line: whose word it is; empty for the agent's own and a principal's."""
    return _HEADING.get(trust, "")


_LONGEST_QUESTION, _LONGEST_NAME, _MOST_ANSWERED = 120, 60, 300
_OF_NAMES = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "So", "Cf"})
_IN_NAMES = frozenset(".'\u2019-_@#&/+\u00b7\u30fb\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_NO_APOSTROPHE = re.compile(r"(?<!\w)['\u2019]|['\u2019](?!\w)")
_TO_SINGLE = str.maketrans(dict.fromkeys('"\u201c\u201d\u201e\u201f\uff02\u00ab\u00bb', "'"))
_STAND_INS = {Role.USER: "the user", Role.AGENT: "you", Role.TOOL: "a tool"}


def who_said(role: Role, speaker: str | None) -> str:
    """Return the speaker's name, or what stands for it. A name that stands for another is quoted."""
    name, stand_in = shown_name(speaker), _STAND_INS.get(role, str(role))
    if name.casefold() != stand_in and name.casefold() in _STAND_INS.values():
        return f'"{name}"'
    return name or stand_in


def shown_name(name: str | None) -> str:
    """Return a name as it is shown, in at most 60 characters: without what a head, a label or a quotation is made of,
    which are colons, commas, brackets and quotation marks. Empty for no name.
    """
    if not name:
        return ""
    signs = (
        one if one in _IN_NAMES or unicodedata.category(one) in _OF_NAMES else " " for one in visible(name)
    )
    return shortened(_NO_APOSTROPHE.sub(" ", "".join(signs)), _LONGEST_NAME)


def quotation(text: str, quoted: Quoted, zone: tzinfo) -> str:
    """Return a memory's words behind who said them, when, and in answer to what: 'Anna, 12 March 2026: I moved.'"""
    asked = quoted.answers
    answered = (
        "" if asked is None else f' (asked "{shortened(asked, _LONGEST_QUESTION).translate(_TO_SINGLE)}")'
    )
    dates = "; ".join(f"{words} = {day}" for words, day in quoted.dates)
    head = f"{who_said(quoted.role, quoted.speaker)}, {day_text(quoted.at.astimezone(zone))}{answered}"
    return f"{head}: {text}{f' [{dates}]' if dates else ''}"


def said_before(last: Episode | None, message: Episode) -> str:
    """Return what the agent or another of its people said right before a message; empty where nobody did."""
    if last is None or last.source_trust not in (SourceTrust.PRINCIPAL, SourceTrust.AGENT):
        return ""
    return "" if (last.role, last.speaker) == (message.role, message.speaker) else last.content


def memory_wording(memory: Memory) -> str:
    """Return what a memory says: its words, behind who said them and when where it is a quotation (``quoted.at`` tells
    the zone).
    """
    said = memory.quoted
    return memory.essence if said is None else quotation(memory.essence, said, said.at.tzinfo or UTC)


def question_in(before: str) -> str | None:
    """Return the question that ends the message before, in its last line; None where that ends without one."""
    question = before.rstrip().rsplit("\n", 1)[-1].strip()
    return question[-_MOST_ANSWERED:] if question.endswith("?") else None


def with_dates(quoted: Quoted | None, essence: str, zone: tzinfo) -> Quoted | None:
    """Return the quotation with what its relative dates mean, in a time zone."""
    return None if quoted is None else replace(quoted, dates=relative_days(essence, quoted.at, zone))


def shortened(text: str, most: int) -> str:
    """Return the text on one line, cut at a word where it is longer than ``most`` characters."""
    plain = " ".join(text.split())
    if len(plain) <= most:
        return plain
    return f"{plain[: most - 1].rsplit(' ', 1)[0]}\u2026"


def excerpt(message: str, wanted: frozenset[str]) -> str:
    """Return the message on one line; of a long one the run of sentences, at most LONGEST characters, that has most of
    the wanted stems (``language.lexical_terms``), marked where something is left out.
    """
    plain = " ".join(message.split())
    if len(plain) <= LONGEST:
        return plain
    parts = sentences(message)
    if not parts:
        return shortened(plain, LONGEST)
    best, first = -1, 0
    stems = [wanted.intersection(terms(one.text)) for one in parts]
    run = (0, 1)
    end = 0
    for first in range(len(parts)):
        end = max(end, first + 1)
        while end < len(parts) and parts[end].end - parts[first].start <= LONGEST:
            end += 1
        found = len(frozenset[str]().union(*stems[first:end]))
        if found > best:
            best, run = found, (first, end)
    chosen = " ".join(message[parts[run[0]].start : parts[run[1] - 1].end].split())
    head = "\u2026 " if run[0] else ""
    tail = " \u2026" if run[1] < len(parts) else ""
    return f"{head}{shortened(chosen, LONGEST)}{tail}"
