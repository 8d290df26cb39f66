"""Show what somebody said as a person would quote it: who, when, in answer to what, and the words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, tzinfo

from reverie.domain.memory import Quoted
from reverie.domain.message import Role
from reverie.rules.dates import relative_days
from reverie.rules.segments import LONGEST, sentences
from reverie.rules.terms import terms

_LONGEST_QUESTION = 120
_MOST_ANSWERED = 300


def day_of(moment: datetime, zone: tzinfo) -> str:
    """Return the date as "12 March 2026"."""
    local = moment.astimezone(zone)
    return f"{local.day} {local:%B %Y}"


def who_said(role: Role, speaker: str | None) -> str:
    """Return the speaker's name, or what stands for it."""
    return speaker or {Role.USER: "the user", Role.AGENT: "you", Role.TOOL: "a tool"}.get(role, str(role))


def quotation(text: str, quoted: Quoted, zone: tzinfo) -> str:
    """Return a memory's words behind who said them, when, and in answer to what: 'Anna, 12 March 2026: I moved.'"""
    asked = quoted.answers
    answered = "" if asked is None else f' (asked "{shortened(asked, _LONGEST_QUESTION)}")'
    dates = "; ".join(f"{words} = {day}" for words, day in quoted.dates)
    head = f"{who_said(quoted.role, quoted.speaker)}, {day_of(quoted.at, zone)}{answered}"
    return f"{head}: {text}{f' [{dates}]' if dates else ''}"


def question_in(before: str) -> str | None:
    """Return the question that ends the message before, in its last line; None where that ends without one."""
    question = before.rstrip().rsplit("\n", 1)[-1].strip()
    return question[-_MOST_ANSWERED:] if question.endswith("?") else None


def dated(quoted: Quoted | None, essence: str, zone: tzinfo) -> Quoted | None:
    """Return the quotation with what its relative dates mean, in a time zone."""
    return None if quoted is None else replace(quoted, dates=relative_days(essence, quoted.at, zone))


def begun(quoted: Quoted | None, zone: tzinfo) -> datetime | None:
    """Return since when a quotation holds that names one day or span from before it was said ("we moved last week"):
    the beginning of that. None for any other: it holds since it was said.
    """
    if quoted is None or len(quoted.dates) != 1:
        return None
    [(_, days)] = quoted.dates
    since = datetime.combine(date.fromisoformat(days.partition("/")[0]), time(), zone).astimezone(UTC)
    return since if since < quoted.at else None


def shortened(text: str, most: int) -> str:
    """Return the text on one line, cut at a word where it is longer than ``most`` characters."""
    plain = " ".join(text.split())
    if len(plain) <= most:
        return plain
    return f"{plain[: most - 1].rsplit(' ', 1)[0]}\u2026"


def excerpt(message: str, wanted: frozenset[str]) -> str:
    """Return the message on one line; of a long one the run of sentences, at most LONGEST characters, that has most of
    the wanted stems (``rules.terms``), marked where something is left out.
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
