"""How a window reads, and what goes from it first. What one part says can't look like the beginning of another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from reverie.domain.memory import Memory
from reverie.domain.summary import Summary
from reverie.domain.trust import SourceTrust
from reverie.domain.working import Section, Turn
from reverie.memory.prompt.block import BlockLine, BlockSection, Count, one_line, source_label, summary_mark
from reverie.memory.quoting import fenced, memory_wording, own_blocks

_LABELLED = frozenset({SourceTrust.OTHER, SourceTrust.EXTERNAL})

_LEAST_WORTH = (
    Section.EPISODES,
    Section.JOBS,
    Section.GOALS,
    Section.MEMORIES,
    Section.SUMMARY,
    Section.SOUL,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowLine:
    """One entry of a part. ``item`` names it in reports."""

    item: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowPart:
    """A heading with its entries."""

    section: Section
    heading: str
    lines: tuple[WindowLine, ...]

    @property
    def text(self) -> str:
        """As it reads; empty for no entries."""
        return "\n".join([f"## {self.heading}", *(line.text for line in self.lines)]) if self.lines else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """A window as it would be sent. ``turns`` are groups of messages that stay together; one that is ``pinned`` stays
    in any case.
    """

    prompt: str
    parts: tuple[WindowPart, ...]
    turns: tuple[Group, ...]

    @property
    def system_message(self) -> str:
        """The caller's own prompt, then what memory knows, between our markers."""
        body = "\n\n".join(part.text for part in self.parts if part.lines)
        return "\n\n".join(text for text in (self.prompt, fenced(body) if body else "") if text)

    @property
    def said(self) -> tuple[Turn, ...]:
        """The messages, one by one."""
        return tuple(turn for group in self.turns for turn in group.turns)

    @property
    def text(self) -> str:
        """All of it as one text."""
        return "\n\n".join(text for text in (self.system_message, *map(turn_text, self.said)) if text)

    def cost(self, count: Count) -> int:
        """Return what it takes, as one text or as messages: the greater of the two."""
        contents = (self.system_message, *(turn.content for turn in self.said))
        whole = self.text
        return max(count(whole) if whole else 0, sum(count(content) for content in contents if content))


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """Messages that are never torn apart, by their places. ``item`` names them in reports."""

    item: str
    places: tuple[int, ...]
    turns: tuple[Turn, ...]
    pinned: bool = False


def label_of(trust: SourceTrust, learned_from: str | None = None, mark: str = "") -> str:
    """Return what stands before words of a source that is less trusted than the agent and its principals, with what
    else is to be known of them (``mark``).
    """
    return source_label(trust if trust in _LABELLED else None, learned_from, mark)


def parts_of(lines: Sequence[BlockLine]) -> tuple[WindowPart, ...]:
    """Return the parts of a block, of its lines in the order in which they stand."""
    return tuple(
        WindowPart(
            section=Section.SOUL if section is BlockSection.IDENTITY else Section.MEMORIES,
            heading=section.heading.removeprefix("## "),
            lines=tuple(WindowLine(item=line.id, text=line.text) for line in own),
        )
        for section, own in groupby(lines, key=lambda line: line.section)
    )


def fitted_part(part: WindowPart, budget: int, count: Count) -> tuple[WindowPart, int]:
    """Return the part with those of its entries that fit, in their order, each whole or not at all; and what that
    takes. One that doesn't fit is passed over, and a smaller one behind it may enter.
    """
    left = budget - count(f"## {part.heading}\n\n")
    kept = []
    for line in part.lines:
        price = count(f"{line.text}\n")
        if price <= left:
            kept.append(line)
            left -= price
    return replace(part, lines=tuple(kept)), budget - left if kept else 0


def list_entry(text: str, label: str = "") -> str:
    """Return an entry of a list, on one line and without our markers."""
    return f"- {label}{one_line(text)}"


def memory_text(memory: Memory, path: str | None, summary: Summary | None = None) -> str:
    """Return a memory as an entry, with whose word it is, that it is a ``summary``, and with what it holds for
    where no path is at hand.
    """
    holds = f" (for {', '.join(memory.scope)})" if memory.scope and path is None else ""
    mark = summary_mark(summary) or memory.mark
    return list_entry(
        f"{memory_wording(memory)}{holds}", label_of(memory.source_trust, memory.learned_from, mark)
    )


def indented(text: str) -> str:
    """Return each line of the text that isn't blank, away from the margin, where headings begin."""
    return "\n".join(f"  {line}" for line in text.splitlines() if line.strip())


def turn_text(turn: Turn) -> str:
    """Return a message as a part of one text: its further lines are set in, so that none looks like another's
    begin.
    """
    return f"{turn.label}: " + "\n  ".join(turn.content.splitlines())


def without_own_block(prompt: str) -> str:
    """Return a system prompt without the blocks that earlier windows put into it, each exactly as we wrote it.

    A prompt that merely speaks of the markers stays whole.
    """
    found = own_blocks(prompt)
    if not found:
        return prompt
    ends = [0, *(place for span in found for place in span), len(prompt)]
    parts = [prompt[start:end].strip("\n") for start, end in zip(ends[::2], ends[1::2], strict=True)]
    return "\n\n".join(part for part in parts if part.strip())


def shrunk(page: Page, room: int, count: Count) -> tuple[Page, Sequence[tuple[Section, str]]]:
    """Return the page with so much left out that it takes at most ``room``, what is worth least first: episodes (oldest
    first), jobs, goals, memories, summary, soul, then messages (oldest first); and what that was, by section and item.

    Whatever the counter counts: all that is left of a page that still takes more is the prompt and what is pinned.
    """
    if page.cost(count) <= room:
        return page, ()
    units = _by_worth(page)
    too_few, enough, step = 0, 0, 1
    while enough < len(units):
        enough = min(len(units), enough + step)
        if _without(page, units[:enough]).cost(count) <= room:
            break
        too_few, step = enough, step * 2
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        if _without(page, units[:middle]).cost(count) <= room:
            enough = middle
        else:
            too_few = middle
    return _without(page, units[:enough]), units[:enough]


def _by_worth(page: Page) -> list[tuple[Section, str]]:
    units: list[tuple[Section, str]] = []
    for section in _LEAST_WORTH:
        own = [(section, line.item) for part in page.parts if part.section is section for line in part.lines]
        units += own if section is Section.EPISODES else reversed(own)
    return units + [(Section.MESSAGES, group.item) for group in page.turns if not group.pinned]


def _without(page: Page, units: Iterable[tuple[Section, str]]) -> Page:
    gone = set(units)
    return replace(
        page,
        parts=tuple(
            replace(part, lines=tuple(one for one in part.lines if (part.section, one.item) not in gone))
            for part in page.parts
        ),
        turns=tuple(group for group in page.turns if (Section.MESSAGES, group.item) not in gone),
    )
