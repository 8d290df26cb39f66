"""Ask the model that the agent runs on about a conversation, in place of the loop's own mind (s1).

Nothing is stored between question and answer: the question's id says which positions of which conversation it is
about. The answer moves the watermark from where the question found it, by compare-and-set, so one that comes late or
twice changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from reverie.domain.attended import Attended
from reverie.domain.episode import Episode
from reverie.domain.host import HostQuestion
from reverie.domain.ids import checked_name
from reverie.domain.snippet import Snippet
from reverie.domain.text import checked_text
from reverie.domain.time import zone_of
from reverie.domain.watermark import Watermark
from reverie.errors import NotOpen
from reverie.services.loop.keeping import JOB, Keeper, Step
from reverie.services.loop.snippets import Window, windows
from reverie.services.runtime import Desk, check_awake, read_again

_MOST_CONVERSATIONS = 100
_MOST_MESSAGES = 1_000
_DIGITS = 16
_MOST_ID = 2_000
_ID = re.compile(
    rf"(?P<seen>\d{{1,15}})-(?P<upto>\d{{1,15}})-(?P<begin>\d{{1,15}})-(?P<first>\d{{1,15}})-(?P<skipped>\d{{1,15}})"
    rf"-(?P<digest>[0-9a-f]{{{_DIGITS}}}):(?P<conversation>.+)",
    re.DOTALL,
)
_NONE = "it is no id of a question about a conversation"
_READ = "what it is about was read, slept on or forgotten meanwhile"


@dataclass(frozen=True, slots=True)
class _Next:
    """A conversation with something new: its watermark, the first snippet to be read, and what waits behind it."""

    mark: Watermark
    window: Window
    remaining: int
    zone: tzinfo


def extraction(
    desk: Desk, agent_id: str, *, actor: str, conversation: str | None = None
) -> HostQuestion | None:
    """Return the next snippet that no loop has read, of the conversation that has been silent longest or of this one,
    as a question to the host's model; None where there is none. Raise Paused, InvalidInput, EmbedderMismatch.
    """
    if conversation is not None:
        checked_name(conversation, "conversation")
    check_awake(desk, agent_id)
    passed: set[str] = set()
    while (found := _next(desk, agent_id, conversation, passed)) is not None:
        keeper = Keeper(desk, agent_id, found.zone, actor)
        asking = desk.host.snippet(keeper.snippet(found.window)) if found.window.messages else None
        if asking is not None:
            return HostQuestion(
                id=_id_of(found.mark.conversation, found.window), prompt=asking.prompt, text=asking.text,
                schema=asking.schema, episodes=found.window.fresh, remaining=found.remaining,
            )  # fmt: skip
        step, _ = keeper.keep(found.mark, found.window, lambda _: ())  # nothing of it can be read
        if step is not Step.DONE:
            passed.add(found.mark.conversation)
    return None


def apply_extraction(desk: Desk, agent_id: str, id: str, answer: object, *, actor: str) -> Attended:
    """Keep what the host's model found in a snippet, as a round of the loop does. Raise NotOpen, InvalidInput (an
    answer without a usable shape), Paused; then nothing was changed.
    """
    value = desk.host.read(answer)
    check_awake(desk, agent_id)
    checked_text(id, "id", most_bytes=_MOST_ID)
    told = _ID.fullmatch(id)
    if told is None:
        raise NotOpen("extraction", id, _NONE)
    conversation = checked_name(told["conversation"], "conversation")
    found = _shown_again(desk, agent_id, conversation, told)
    if found is None:
        raise NotOpen("extraction", id, _READ)
    window, zone = found
    mark = Watermark(job=JOB, conversation=conversation, position=window.seen)

    def propose(snippet: Snippet) -> object:
        return desk.host.extracted(value, snippet)

    step, done = Keeper(desk, agent_id, zone, actor).keep(mark, window, propose)
    if step is not Step.DONE:
        raise NotOpen("extraction", id, _READ)
    return replace(done, conversations=1)


@read_again
def _next(desk: Desk, agent_id: str, conversation: str | None, passed: set[str]) -> _Next | None:
    with desk.reading(agent_id) as unit:
        agent = unit.agents.get()
        if agent is None:
            return None
        desk.check_embedder(agent_id, unit.agents.embedder())
        behind = unit.watermarks.behind(JOB, now=desk.clock(), limit=_MOST_CONVERSATIONS)
        waiting = {one.watermark.conversation: one.next_position - one.watermark.position for one in behind}
        if conversation is None:
            mark = next((one.watermark for one in behind if one.watermark.conversation not in passed), None)
        else:
            mark = None if conversation in passed else unit.watermarks.get(JOB, conversation)
        found = () if mark is None else windows(unit, mark, desk.settings)
        if mark is None or not found:
            return None
        window = found[0]
        left = sum(waiting.values()) - (window.upto - window.seen if mark.conversation in waiting else 0)
        return _Next(mark=mark, window=window, remaining=left, zone=zone_of(agent.time_zone))


@read_again
def _shown_again(
    desk: Desk, agent_id: str, conversation: str, told: re.Match[str]
) -> tuple[Window, tzinfo] | None:
    """Return the snippet that was shown, and the agent's zone; None where it isn't what is next, or has changed."""
    seen, upto, begin, first, skipped = (
        int(told[name]) for name in ("seen", "upto", "begin", "first", "skipped")
    )
    with desk.reading(agent_id) as unit:
        agent = unit.agents.get()
        if agent is None or unit.watermarks.get(JOB, conversation).position != seen:
            return None
        desk.check_embedder(agent_id, unit.agents.embedder())
        last = unit.conversations.next_positions([conversation]).get(conversation, 0)
        if not (begin <= first and seen <= first < upto <= last and upto - begin <= _MOST_MESSAGES):
            return None
        there = unit.episodes.forward(conversation, begin, upto - begin)
    messages = tuple(one for one in there if one.position < upto)
    if not messages or _digest(messages) != told["digest"]:
        return None
    fresh = sum(one.position >= first for one in messages)
    window = Window(messages=messages, fresh=fresh, skipped=min(skipped, first - seen), seen=seen, upto=upto)
    return window, zone_of(agent.time_zone)


def _id_of(conversation: str, window: Window) -> str:
    messages = window.messages
    first = messages[len(messages) - window.fresh].position
    begin = messages[0].position
    places = f"{window.seen}-{window.upto}-{begin}-{first}-{window.skipped}"
    return f"{places}-{_digest(messages)}:{conversation}"


def _digest(messages: Sequence[Episode]) -> str:
    """Return a digest of what its labels mean: another one where a message is gone, was cut, or was slept on."""
    told = [[one.id, len(one.content), one.consolidated] for one in messages]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:_DIGITS]
