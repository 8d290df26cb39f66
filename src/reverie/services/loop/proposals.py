"""Check what a mind makes of a snippet, each proposal by itself; a wrong one is refused alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime

from reverie.domain.attended import Rejection
from reverie.domain.draft import Draft
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Origin
from reverie.domain.settings import Settings
from reverie.domain.snippet import Extracted, Snippet
from reverie.domain.text import checked_share
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput
from reverie.language import query_terms, terms
from reverie.memory.change import (
    CLOSE_COSINE,
    LEAST_COSINE,
    Echo,
    Facts,
    Said,
    is_english,
    names_in,
    steers,
    trust_of,
)
from reverie.memory.privacy import is_account
from reverie.memory.trust import derived_trust, instructs
from reverie.services.observe import may_rule, says_rule
from reverie.services.remember import is_quoted_in_parts
from reverie.services.runtime import Desk, first_forgotten, read_again
from reverie.services.sleep import OUTSIDE, quoted_from

MOST = 12
"""More memories than these no snippet carries: the first ones, which are the most important, are looked at."""

_MOST_OF_IT = 0.6
"""Of the words of a draft, to be what is known of its messages. Two facts of one sentence share its subject: fewer."""
_INSTRUCTING = frozenset({Kind.POLICY, Kind.WORKFLOW})
_FIELDS: Mapping[str, Rejection] = {
    "essence": Rejection.ESSENCE,
    "lesson": Rejection.LESSON,
    "kind": Rejection.KIND,
    "emotions": Rejection.EMOTIONS,
    "importance": Rejection.IMPORTANCE,
    "topics": Rejection.LABELS,
    "entities": Rejection.LABELS,
    "tags": Rejection.LABELS,
}


@dataclass(frozen=True, slots=True)
class Checked:
    """The drafts of what may be kept, in the order of the proposals, how much was refused for which reason, and the ids
    of the messages that the mind could not read.
    """

    drafts: list[Draft] = field(default_factory=list)
    rejected: Counter[Rejection] = field(default_factory=Counter)
    unread: list[str] = field(default_factory=list)


def checked(proposals: object, snippet: Snippet, settings: Settings, now: datetime) -> Checked:
    """Return every proposal as a draft of origin loop, or the reason why it is none.

    A memory is learned when the latest of its sources was said, and rests on the most trusted of them that carry it
    alone; one that repeats external text of the snippet is external, whatever it names as its source.
    """
    found = Checked()
    if isinstance(proposals, str) or not isinstance(proposals, Sequence):
        found.rejected[Rejection.MALFORMED] += 1
        return found
    judge = _Judge(snippet, settings, now)
    for proposal in proposals[:MOST]:
        draft = judge.draft(proposal)
        if isinstance(draft, Rejection):
            found.rejected[draft] += 1
        else:
            found.drafts.append(draft)
    if len(proposals) > MOST:
        found.rejected[Rejection.MALFORMED] += len(proposals) - MOST
    return found


@read_again
def drop_forgotten(desk: Desk, agent_id: str, found: Checked) -> None:
    """Refuse the drafts whose essence or lesson was forgotten on purpose."""
    if not found.drafts:
        return
    with desk.store.read(agent_id) as unit:
        dead = [
            place
            for place, draft in enumerate(found.drafts)
            if first_forgotten(unit, [text for text in (draft.essence, draft.lesson) if text]) is not None
        ]
    for place in reversed(dead):
        del found.drafts[place]
        found.rejected[Rejection.FORGOTTEN] += 1


@read_again
def drop_quoted(desk: Desk, agent_id: str, found: Checked) -> None:
    """Refuse the drafts that memories quote already, part by part: capture has kept their sentences, and they may have
    been corrected since.
    """
    if not any(one.quoted for one in found.drafts):
        return
    with desk.store.read(agent_id) as unit:
        fresh = [one for one in found.drafts if not is_quoted_in_parts(unit, one)]
    found.rejected[Rejection.KNOWN] += len(found.drafts) - len(fresh)
    found.drafts[:] = fresh


@read_again
def drop_slept(desk: Desk, agent_id: str, snippet: Snippet, found: Checked) -> None:
    """Refuse the drafts of messages that a sleep has read, where it made a memory of the same: it may have worded
    that better, or ended, revised or superseded it since, and what is over must not come back as if it were news.
    """
    slept = {message.id for message in snippet.messages if message.consolidated}
    suspects = [place for place, one in enumerate(found.drafts) if slept.issuperset(one.source_episodes)]
    if not suspects:
        return
    with desk.store.read(agent_id) as unit:
        derived = unit.memories.derived_from(slept)
        told = unit.memories.get(derived)
        replaced = unit.memories.histories(derived)
    wordings = {id: [one.essence, *(old.essence for old in replaced.get(id, ()))] for id, one in told.items()}
    names = _names(snippet)
    for place in reversed(suspects):
        draft = found.drafts[place]
        resting = (id for id in told if not set(draft.source_episodes).isdisjoint(derived[id]))
        if any(_restates(draft.essence, wording, names) for id in resting for wording in wordings[id]):
            del found.drafts[place]
            found.rejected[Rejection.KNOWN] += 1


def _restates(essence: str, wording: str, names: Set[str]) -> bool:
    """Return whether most of what it tells, the names of those who speak aside, stands in the wording, both being made
    of the same messages.
    """
    told, there = set(query_terms(essence, without=names)), set(terms(wording))
    return len(told & there) >= _MOST_OF_IT * len(told)


class _Judge:
    """Knows the snippet that the proposals are about."""

    def __init__(self, snippet: Snippet, settings: Settings, now: datetime) -> None:
        self._settings, self._now = settings, now
        self._messages = {message.id: message for message in snippet.messages}
        self._new = {message.id for message in snippet.new}
        self._names, self._zone = _names(snippet), snippet.zone
        self._around = names_in(message.content for message in snippet.messages)
        inside = [one.content for one in snippet.messages if one.source_trust not in OUTSIDE]
        self._english = is_english(" ".join(inside))
        self._echo = Echo(
            message.content for message in snippet.messages if message.source_trust is SourceTrust.EXTERNAL
        )

    def draft(self, proposal: object) -> Draft | Rejection:
        """Return what is to be kept, or why nothing is."""
        if not isinstance(proposal, Extracted):
            return Rejection.MALFORMED
        sources = self._sources(proposal.sources)
        if not sources:
            return Rejection.SOURCES
        if not any(source.id in self._new for source in sources):
            return Rejection.STALE
        try:
            if checked_share(proposal.importance, "importance") < self._settings.loop.floor:
                return Rejection.UNIMPORTANT
            draft = self._made(proposal, sources)
        except InvalidInput as error:
            return _FIELDS.get(error.field, Rejection.MALFORMED)
        sources = [self._messages[id] for id in draft.source_episodes]
        if is_account(draft.essence):
            return Rejection.ACCOUNT
        if draft.quoted is None:
            weighed = self._weighed(draft, sources)
            if weighed is None:
                return Rejection.UNSUPPORTED
            draft = weighed
        trust = derived_trust(
            draft.source_trust, [self._messages[id].source_trust for id in draft.source_episodes]
        )
        if draft.kind in _INSTRUCTING and not instructs(trust, draft.origin):
            return Rejection.MAY_NOT_INSTRUCT
        return draft

    def _sources(self, ids: object) -> Sequence[Episode]:
        """Return the messages that it names; none where one of them is unknown."""
        if not isinstance(ids, tuple | list) or not all(isinstance(id, str) for id in ids):
            return ()
        found = [self._messages[id] for id in dict.fromkeys(ids) if id in self._messages]
        return found if len(found) == len(set(ids)) else ()

    def _made(self, proposal: Extracted, sources: Sequence[Episode]) -> Draft:
        settings = self._settings
        if not any(one.source_trust in OUTSIDE for one in sources):
            sources = self._carrying(
                str(proposal.essence), sources
            )  # what the agent only confirms stays the user's
        draft = Draft(
            essence=proposal.essence,
            kind=proposal.kind,
            lesson=proposal.lesson,
            emotions=proposal.emotions,
            importance=proposal.importance,
            confidence=settings.remember.stated_confidence
            if proposal.stated is True
            else settings.remember.inferred_confidence,
            topics=proposal.topics,
            entities=proposal.entities,
            tags=proposal.tags,
            source_episodes=tuple(source.id for source in sources),
            origin=Origin.LOOP,
            quoted=quoted_from(proposal.quoted, proposal.essence, sources),
            time=min(max(source.time for source in sources), self._now),
        )
        trust = trust_of(
            (draft.essence, draft.lesson), sources, self._echo, steering=steers(draft.kind, draft.priority)
        )
        return replace(draft, source_trust=trust) if trust is SourceTrust.EXTERNAL else draft

    def _weighed(self, draft: Draft, sources: Sequence[Episode]) -> Draft | None:
        """Return the draft, marked for review where our checks doubt its wording, without a lesson that isn't its own;
        None where a number or a name of it comes from nowhere.
        """
        facts = self._facts(sources)
        if facts.missing(draft.essence) is not None:
            return None
        if draft.lesson and (draft.source_trust is SourceTrust.EXTERNAL or facts.missing(draft.lesson)):
            draft = replace(draft, lesson=None)
        told = set(query_terms(draft.essence, without=self._names))
        shares = any(not told.isdisjoint(terms(source.content)) for source in sources)
        if not facts.doubts(draft.essence, CLOSE_COSINE if shares else 0.0) and not self._is_no_rule(
            draft, sources
        ):
            return draft
        unsure = min(draft.confidence or 1.0, self._settings.remember.inferred_confidence)
        return replace(draft, needs_review=True, confidence=unsure)

    def _is_no_rule(self, draft: Draft, sources: Sequence[Episode]) -> bool:
        """Return whether it would steer the agent and no principal gives it in nearly the same words."""
        if not steers(draft.kind, draft.priority):
            return False
        return not any(may_rule(one) and says_rule(draft.essence, one.content) for one in sources)

    def _facts(self, sources: Sequence[Episode]) -> Facts:
        said = [Said(text=one.content, speaker=one.speaker, time=one.time) for one in sources]
        return Facts(said, self._zone, around=self._around, names=self._names, english=self._english)

    def _carrying(self, text: str, sources: Sequence[Episode]) -> Sequence[Episode]:
        """Return the most trusted of differently trusted sources that carry the text alone; else all."""
        for trust in SourceTrust:
            some = [one for one in sources if one.source_trust is trust]
            if some and len(some) < len(sources) and self._facts(some).tells(text, LEAST_COSINE):
                return some
        return sources


def _names(snippet: Snippet) -> Set[str]:
    """Return the names of those who speak in it, and of the agent."""
    return {snippet.agent_id, *(one.speaker for one in snippet.messages if one.speaker)}
