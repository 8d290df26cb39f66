"""Read drafts, take out what must not be stored, and make the memories that they would be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from reverie.domain.draft import Draft
from reverie.domain.kinds import default_priority
from reverie.domain.memory import HEARD, Memory, Origin
from reverie.domain.time import to_utc
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput
from reverie.language import visible
from reverie.memory.quoting import with_dates
from reverie.memory.scope import problem_of
from reverie.memory.trust import derived_trust
from reverie.services.runtime import Desk, clean, cleaned, labels_of, placed, refuse_secrets


def draft_of(value: object, at: str) -> Draft:
    """Return what a caller gave at that place. Raise InvalidInput."""
    try:
        draft = Draft.of(value)
    except InvalidInput as error:
        raise InvalidInput(at + error.field, error.problem, error.remedy) from None
    problem = problem_of(draft.scope)
    if problem is not None:
        raise InvalidInput(at + "scope", problem, "give fewer or simpler ones")
    return draft


def cleaned_all(desk: Desk, batch: Sequence[Draft]) -> tuple[list[Draft], list[Counter[str]]]:
    """Return the drafts without what must not be stored, and how much of what was taken out of each. What was learned
    of others' words is without what can't be seen, too.
    """
    kept, found = list(batch), [Counter[str]() for _ in batch]
    for place, draft in enumerate(batch):
        at = placed("memories", place, len(batch))
        refuse_secrets(desk.settings, draft.scope, at + "scope")
        essence = cleaned(desk.settings, _plain(draft, draft.essence), at + "essence")
        lesson = clean(desk.settings, _plain(draft, draft.lesson or ""))
        found[place].update(essence.found)
        found[place].update(lesson.found)
        labels, taken_out = labels_of(desk.settings, draft)
        found[place].update(taken_out)
        made = replace(draft, essence=essence.text, lesson=lesson.text.strip() or None, **labels)
        if made != draft:
            kept[place] = made
    return kept, found


def _plain(draft: Draft, text: str) -> str:
    return text if draft.origin is Origin.COMMIT else visible(text)


def memory_of(
    desk: Desk, draft: Draft, at: str, now: datetime, zone: tzinfo, trusts: Mapping[str, SourceTrust]
) -> Memory:
    """Return the memory that a draft would be; ``trusts`` are its sources'. Raise InvalidInput for its times."""
    learned = now if draft.time is None else to_utc(draft.time, zone=zone, field=at + "time")
    if learned > now:
        raise InvalidInput(at + "time", "it lies in the future", "give the time when it was learned, or none")
    valid_from, valid_to = (
        None if value is None else to_utc(value, zone=zone, field=at + name)
        for name, value in (("valid_from", draft.valid_from), ("valid_to", draft.valid_to))
    )
    if valid_from is not None and valid_to is not None and valid_from >= valid_to:
        raise InvalidInput(
            at + "valid_to", "it is not later than valid_from", "give a window that has a length"
        )
    has_source = draft.quoted is not None and draft.quoted.episode in draft.source_episodes
    quoted = with_dates(draft.quoted if has_source else None, draft.essence, zone)
    stated = draft.origin not in HEARD
    default = (
        desk.settings.remember.stated_confidence if stated else desk.settings.remember.inferred_confidence
    )
    return Memory(
        id=desk.ids(now),
        essence=draft.essence,
        emotions=draft.emotions,
        importance=draft.importance,
        lesson=draft.lesson,
        kind=draft.kind,
        priority=draft.priority or default_priority(draft.kind),
        confidence=default if draft.confidence is None else draft.confidence,
        scope=draft.scope,
        tags=draft.tags,
        topics=draft.topics,
        entities=draft.entities,
        source_episodes=tuple(sorted(draft.source_episodes)),
        origin=draft.origin,
        source_trust=derived_trust(
            draft.source_trust, [trusts[episode] for episode in draft.source_episodes]
        ),
        confidence_at=learned,
        pinned=draft.pinned,
        last_reinforced_at=learned,
        created_at=learned,
        updated_at=now,
        believed_from=learned,
        valid_from=valid_from,
        valid_to=valid_to,
        quoted=quoted,
        needs_review=draft.needs_review,
    )
