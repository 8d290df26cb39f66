"""Cut what is new in a conversation into the snippets that a round reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.domain.episode import Episode
from reverie.domain.settings import Settings
from reverie.domain.watermark import Watermark
from reverie.ports.store import Unit


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """One snippet to be: ``messages`` of which the last ``fresh`` are new, ``skipped`` new ones before them lie in no
    snippet. It takes the watermark from ``seen`` to ``upto``. Without messages there is nothing to read: what was
    new has been forgotten.
    """

    messages: tuple[Episode, ...]
    fresh: int
    skipped: int
    seen: int
    upto: int


def windows(unit: Unit, mark: Watermark, settings: Settings) -> Sequence[Window]:
    """Return what is new in the conversation, as snippets one after the other; none where nothing is.

    The newest ``Settings.loop.burst_snippets`` of them, of ``Settings.loop.snippet_messages`` messages each. The first
    may reach back into what is known. Skipped messages are counted by position, so those that were forgotten count too.
    """
    size, most, name = settings.loop.snippet_messages, settings.loop.burst_snippets, mark.conversation
    upto = unit.conversations.next_positions([name]).get(name, 0)
    if upto <= mark.position:
        return ()
    asked = min(upto - mark.position, size * most) + size
    tail = unit.episodes.tail(name, asked)
    known = sum(message.position < mark.position for message in tail)
    start = max(known, len(tail) - size * most)
    if start == len(tail):
        return (Window(messages=(), fresh=0, skipped=0, seen=mark.position, upto=upto),)
    skipped = start - known
    if not known and len(tail) == asked:  # there are more before
        skipped += tail[0].position - mark.position
    ends = sorted(range(len(tail), start, -size))
    found: list[Window] = []
    for end in ends:
        begin = max(end - size, 0)
        last = end == len(tail)
        found.append(
            Window(
                messages=tuple(tail[begin:end]),
                fresh=end - max(begin, start),
                skipped=0 if found else skipped,
                seen=found[-1].upto if found else mark.position,
                upto=upto if last else tail[end - 1].position + 1,
            )
        )
    return found


def is_unchanged(unit: Unit, window: Window) -> bool:
    """Return whether its messages are still as they were read: none was forgotten since, nor a sentence of one, and no
    sleep has read them since, which may have made memories of them.
    """
    there = unit.episodes.get({message.id for message in window.messages})
    return all(
        message.id in there
        and there[message.id].content == message.content
        and there[message.id].consolidated == message.consolidated
        for message in window.messages
    )
