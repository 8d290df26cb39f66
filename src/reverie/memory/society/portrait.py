"""The self-portrait (s3's soul.md) as a document: sections that we write between markers, and a person's own text
around them, which is theirs.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime

from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.time import DAY
from reverie.language import visible
from reverie.memory.decay import COUNT_CAP, HALF_LIFE_DAYS
from reverie.memory.privacy import has_account
from reverie.memory.quoting import quotation

SOUL = "soul"
TITLES: Mapping[str, str] = {
    SOUL: "Who I am",
    Kind.POLICY: "Rules I keep",
    Kind.PREFERENCE: "Preferences",
    Kind.GOAL: "Goals",
    Kind.PROJECT: "Projects",
    Kind.RELATIONSHIP: "People",
    Kind.FACT: "Facts",
    Kind.ROUTINE: "Routines",
    Kind.PATTERN: "Patterns",
    Kind.SKILL: "Skills",
    Kind.EMOTIONAL: "Feelings",
    Kind.DECISION: "Decisions",
    Kind.ARCHITECTURE: "How things are built",
    Kind.WORKFLOW: "Ways of working",
    Kind.PITFALL: "Pitfalls",
    Kind.OBSERVATION: "Observations",
}
"""Every section in the order of the document, with its heading."""
LONGEST_LINE = 320
"""Characters."""

_UNJUDGED = 0.5
_RECENCY, _CONFIRMED = 0.2, 0.1
"""What recency and confirmation add at most: less than lies between what always matters and a bill."""

_DIGITS = 16
_MARK_DIGITS = 8
_BULLETS = " \t-*•#>"
_MARKER = re.compile(r"<!--\s*reverie:(?:begin|end)\b[^\n]*")
_BLOCK = re.compile(
    r"^<!-- reverie:begin (?P<name>[a-z-]+) (?P<digest>[0-9a-f]{16}) (?P<owner>[^\n]*) -->\n"
    r"(?P<body>(?:(?!<!-- reverie:begin ).)*?)^<!-- reverie:end (?P=name)(?P<lines>(?: [0-9a-f]{8})*) -->(?:\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
_COMMENT = re.compile(r"<(?=!--)|--(?=>)")


@dataclass(frozen=True, kw_only=True, slots=True)
class MergedDocument:
    """The document with new sections. ``aside``: the sections that somebody changed by hand; what they wrote there
    stands below the section now. ``strays``: markers that had lost their other end; the text beside them is the
    person's. ``owner``: another agent whose sections stand there; then nothing was merged.
    """

    text: str
    aside: tuple[str, ...] = ()
    strays: int = 0
    owner: str | None = None


def portrait_section(name: str, lines: Sequence[str]) -> str:
    """Return a section's body: its heading and one item for each text, on one line each; nothing in it is a
    marker.
    """
    items = "".join(f"- {' '.join(harmless(line).split())}\n" for line in lines)
    return f"## {TITLES[name]}\n{items}"


def harmless(text: str) -> str:
    """Return the text without what begins or ends a comment, so without a marker, and without what can't be seen."""
    return _COMMENT.sub(lambda found: f"{found[0][0]} {found[0][1:]}", visible(text))


def line_of(memory: Memory) -> str | None:
    """Return the memory as a line of a portrait, quoted where it is a quotation; None for a question, and for what
    holds an account's number.
    """
    text = " ".join(memory.essence.split())
    if text.endswith("?") or has_account(text):
        return None
    if memory.quoted is None:
        return text
    return quotation(text, memory.quoted, memory.quoted.at.tzinfo or UTC)


def portrait_weight(memory: Memory, now: datetime) -> float:
    """Return how much a memory belongs into the portrait: above all its importance, so that what always holds (home,
    work, family, health) isn't displaced by what was said last; then the need that recency and confirmation show.
    """
    importance = _UNJUDGED if memory.importance is None else memory.importance
    days = max((now - memory.last_reinforced_at) / DAY, 0.0)
    recency = math.exp2(-days / HALF_LIFE_DAYS)
    confirmed = math.log2(min(max(memory.reinforcement_count, 1), COUNT_CAP)) / math.log2(COUNT_CAP)
    return importance + _RECENCY * recency + _CONFIRMED * confirmed


def in_turn(memories: Mapping[Kind, Sequence[Memory]]) -> Iterator[tuple[Kind, Memory]]:
    """Yield the first memory of each kind in the order of the document, so that no kind is crowded out; then the most
    important of those that are next in their kinds.
    """
    waiting = {kind: deque(memories.get(kind, ())) for kind in map(Kind, [*TITLES][1:])}
    for kind, some in waiting.items():
        if some:
            yield kind, some.popleft()
    while any(waiting.values()):
        kind, some = max(
            ((kind, some) for kind, some in waiting.items() if some),
            key=lambda one: _UNJUDGED if one[1][0].importance is None else one[1][0].importance,
        )
        yield kind, some.popleft()


def lines_of(
    memories: Mapping[Kind, Sequence[Memory]], most: int, cost: Callable[[str], int]
) -> Mapping[Kind, Sequence[str]]:
    """Return distinct lines of at most LONGEST_LINE characters for each kind, of ``most`` tokens in all with their
    headings, as the kinds are ``in_turn``.
    """
    found: dict[Kind, list[str]] = {}
    for kind, memory in in_turn(memories):
        line = line_of(memory)
        if line is None or len(line) > LONGEST_LINE or line in found.get(kind, ()):
            continue
        price = cost(f"- {line}\n") + (0 if kind in found else cost(f"## {TITLES[kind]}\n"))
        if price <= most:
            most -= price
            found.setdefault(kind, []).append(line)
    return found


def merged_document(existing: str | None, title: str, bodies: Mapping[str, str]) -> MergedDocument:
    """Return the document with these sections, by name, in the places where they stood, new ones behind the last of
    them.

    Whatever stands outside the markers stays as it is. A section that isn't among ``bodies`` goes. Merging the same
    again changes nothing.
    """
    old = f"# {harmless(title)}\n\n" if existing is None else existing.replace("\r\n", "\n")
    placed = {found["name"] for found in _BLOCK.finditer(old)}
    blocks = [*_BLOCK.finditer(old)]
    whose = harmless(title)
    other = next((found["owner"] for found in blocks if found["owner"] != whose), None)
    if other is not None:
        return MergedDocument(text=old, owner=other)
    new = [name for name in TITLES if name in bodies and name not in placed]
    ours = {mark for found in blocks for mark in found["lines"].split()}
    out, at, aside, done, strays = list[str](), 0, list[str](), set[str](), 0
    for number, found in enumerate(blocks):
        own, lost = _own(old[at : found.start()])
        out.append(own)
        strays += lost
        name = found["name"]
        fresh = name in bodies and name not in done
        if fresh:
            out.append(_block(name, bodies[name], whose))
            done.add(name)
        if _digest(found["body"]) != found["digest"]:
            aside.append(name)
            out.append(_kept_aside(name, found["body"], ours))
        if number == len(blocks) - 1:
            out += [f"\n{_block(one, bodies[one], whose)}" for one in new]
        at = found.end()
    own, lost = _own(old[at:])
    out.append(own)
    if not blocks:
        gap = "" if not own or own.endswith("\n\n") else "\n" if own.endswith("\n") else "\n\n"
        out.append(gap + "\n".join(_block(one, bodies[one], whose) for one in new))
    return MergedDocument(text="".join(out), aside=tuple(dict.fromkeys(aside)), strays=strays + lost)


def _own(text: str) -> tuple[str, int]:
    """Return a person's text, without markers that have no other end; and how many there were."""
    return _MARKER.subn("", text)


def _block(name: str, body: str, whose: str) -> str:
    """Return the section between its markers; the last one knows each of its lines, so that what somebody adds is told
    apart from what we wrote.
    """
    marks = "".join(f" {_mark(line)}" for line in body.splitlines())
    return (
        f"<!-- reverie:begin {name} {_digest(body)} {whose} -->\n{body}<!-- reverie:end {name}{marks} -->\n"
    )


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _mark(line: str) -> str:
    """Return a line's digest, whatever bullet and spaces stand before and between its words."""
    return _digest(" ".join(line.lstrip(_BULLETS).split()))[:_MARK_DIGITS]


def _kept_aside(name: str, changed: str, ours: Set[str]) -> str:
    """Return what somebody wrote into a section, as their own text: never a line that was ours, which may be
    forgotten.
    """
    lines = [line for line in changed.splitlines() if line.strip() and _mark(line) not in ours]
    if not lines:
        return ""
    kept, _ = _own("\n".join(lines))
    return f"\n<!-- kept aside: changed by hand in the section {name!r} -->\n{kept}\n"
