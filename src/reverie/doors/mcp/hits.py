"""What recall found, as a text within its budget: each hit whole or not at all, and labelled with whose word it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from reverie.client import fenced, shown_name
from reverie.domain.ask import MAX_BUDGET, checked_whole
from reverie.domain.episode import Episode
from reverie.domain.memory import Memory, State
from reverie.domain.query import EpisodeHit, MemoryHit
from reverie.domain.trust import SourceTrust
from reverie.doors.mcp.answer import Answer, lines, set_in, whose

Hit = MemoryHit | EpisodeHit
CURRENT, SUPERSEDED, PAST = "current", "superseded", "past"
_BOUNDS = {"valid_from": "from", "valid_to": "until"}


def within(hits: Sequence[Hit], *, lead: str | None, budget: int, tokens: Callable[[str], int]) -> Answer:
    """Return as many hits as fit, best first. One that is too large is passed over for the next.

    Neither the text nor the values as JSON cost more than ``budget``, whichever of them a host shows its model. Where
    not even our own words fit, the text is empty. Raises InvalidInput for a budget that is none.
    """
    checked_whole(budget, "max_tokens", 0, MAX_BUDGET)

    def fits(answer: Answer) -> bool:
        texts = (answer.text, json.dumps(answer.values, ensure_ascii=False))
        # A token has a byte at least, and counting them takes a tenth of a recall.
        return all(len(text.encode()) <= budget or tokens(text) <= budget for text in texts)

    whole = _answer(hits, lead, 0)
    if fits(whole):  # as nearly always: then nothing is counted twice
        return whole
    kept: list[Hit] = []
    answer = _answer(kept, lead, len(hits))
    if not fits(answer):
        answer = Answer(text="", values={"memories": []})
    for hit in hits:
        trial = _answer([*kept, hit], lead, len(hits) - len(kept) - 1)
        if fits(trial):
            kept.append(hit)
            answer = trial
    return answer


def _answer(hits: Sequence[Hit], lead: str | None, left_out: int) -> Answer:
    more = f"{left_out} more left out: raise max_tokens or ask more narrowly." if left_out else None
    listed = "\n".join(_entry(rank, hit) for rank, hit in enumerate(hits, 1))
    return Answer(
        text=lines(lead, fenced(listed) if hits else None, more),
        values={"memories": [_values(hit) for hit in hits], **({"left_out": left_out} if left_out else {})},
    )


def _entry(rank: int, hit: Hit) -> str:
    values = _values(hit)
    said_by = f" by {shown_name(values['speaker']) or '?'}" if "speaker" in values else ""
    state = f", {_stands(values)}" if "state" in values else ""
    word = whose(_trust(hit), values.get("learned_from"))
    summary = "".join(f", {values[name]}" for name in ("summary", "wording") if name in values)
    sure = f"; relevance {values['relevance']}" if "relevance" in values else ""
    facts = f"{values['type']}{said_by}{summary}{state}, {values['date']}, {word}; id {values['id']}{sure}"
    added = [set_in(f"{name}: {values[name]}") for name in ("outcome", "lesson") if name in values]
    return lines(f"{rank}. [{facts}]", set_in(values["text"]), *added)


def _stands(values: Mapping[str, str]) -> str:
    """Return whether it is current, or what took its place, and from and until when it was true."""
    by = f" by {values['superseded_by']}" if "superseded_by" in values else ""
    when = "".join(f" {word} {values[name]}" for name, word in _BOUNDS.items() if name in values)
    return f"{values['state']}{by}{'' if values['state'] == CURRENT else ', true' if when else ''}{when}"


def _values(hit: Hit) -> Mapping[str, str]:
    known = _of_memory(hit) if isinstance(hit, MemoryHit) else _of_episode(hit.episode)
    given = {name: value for name, value in known.items() if value}
    sure = {"relevance": f"{hit.relevance:.2f}"} if hit.relevance else {}  # none where nothing was asked
    return {"id": hit.id, "text": hit.text, **given, "trust": _trust(hit).value, **sure}


def _of_memory(hit: MemoryHit) -> Mapping[str, str | None]:
    memory = hit.memory
    return {
        "type": memory.kind.value,
        "summary": None if hit.summary is None else hit.summary.mark,
        "wording": memory.mark,
        "date": f"{memory.created_at:%Y-%m-%d}",
        "lesson": memory.lesson,
        "learned_from": memory.learned_from,
        "state": _state(memory),
        "superseded_by": memory.superseded_by,
        "valid_from": _day(memory.valid_from),
        "valid_to": _day(
            memory.valid_to and memory.valid_to - timedelta.resolution
        ),  # the last day, and not the next
    }


def _state(memory: Memory) -> str:
    if memory.superseded_by is not None:
        return SUPERSEDED
    if memory.state is not State.ACTIVE:
        return memory.state.value
    return PAST if memory.valid_to is not None and memory.valid_to <= datetime.now(UTC) else CURRENT


def _day(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%d}"


def _of_episode(episode: Episode) -> Mapping[str, str | None]:
    return {
        "type": "episode",
        "date": f"{episode.time:%Y-%m-%d}",
        "speaker": episode.speaker or episode.role.value,
        "outcome": episode.outcome,
    }


def _trust(hit: Hit) -> SourceTrust:
    return hit.memory.source_trust if isinstance(hit, MemoryHit) else hit.episode.source_trust
