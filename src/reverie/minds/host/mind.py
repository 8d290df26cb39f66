"""OwnModel: the questions of ``minds.nights`` for the model that the agent already is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import tzinfo

from reverie.domain.change import Refusal
from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.domain.snippet import Extracted, Snippet
from reverie.minds.host import answers
from reverie.minds.nights import (
    ANSWER,
    EXTRACTION,
    Asked,
    Line,
    Parsed,
    again,
    asked_before,
    changes_of,
    extracted_of,
    extraction_fault,
    fault_of,
    prompt,
    questions,
    snippet_asked,
)
from reverie.ports.host import Answered, Asking, Labelled
from reverie.ports.night import Night

_MOST_SAID = 4_000
"""Characters of one message that are shown: a tool's output may have millions."""


class Everything:
    """What the agent's own model sees: all that was said, since it was said to it. Secrets were redacted before they
    were stored.
    """

    def lines(self, episodes: Sequence[Episode], zone: tzinfo) -> Sequence[Line]:  # noqa: ARG002  # see Seen
        """Each message, a very long one cut."""
        return [Line(episode=one, text=_cut(one.content)) for one in episodes]

    def memories(self, memories: Sequence[Memory]) -> Sequence[str]:
        """Each memory whole."""
        return [one.essence for one in memories]

    def shown(self, text: str) -> str:
        """Any other text as it is."""
        return text


@dataclass(frozen=True, slots=True)
class OwnModel:
    """See ``ports.host.HostMind``; ``tokens`` is the built-in estimate of what a text costs."""

    tokens: Callable[[str], int]

    @property
    def id(self) -> str:
        """Of every host's model: which one it was, nobody tells us."""
        return "host"

    def read(self, answer: object) -> Mapping[str, object]:
        """See the port."""
        return answers.read(answer)

    def night(self, night: Night, *, max_tokens: int) -> Asking | None:
        """See the port."""
        found = questions(night, Everything(), self.tokens, max_tokens)
        return _asking("consolidate", found[0], found[0].data, ANSWER) if found else None

    def changes(self, answer: Mapping[str, object], labelled: Labelled, zone: tzinfo) -> Answered:
        """See the port."""
        fault = fault_of(answer)
        if fault is not None:
            raise answers.unusable(fault)
        asked = asked_before(episodes=labelled.episodes, memories=labelled.memories)
        parsed = changes_of(answer, asked, zone)

        def ask_again(refusals: Sequence[Refusal]) -> Asking | None:
            return _again(asked, parsed, refusals)

        return Answered(changes=parsed.changes, notes=parsed.notes, again=ask_again)

    def snippet(self, snippet: Snippet) -> Asking | None:
        """See the port."""
        asked = snippet_asked(snippet, Everything())
        return _asking("extract", asked, asked.data, EXTRACTION) if asked.text else None

    def extracted(self, answer: Mapping[str, object], snippet: Snippet) -> Sequence[Extracted]:
        """See the port."""
        fault = extraction_fault(answer)
        if fault is not None:
            raise answers.unusable(fault)
        return extracted_of(answer, snippet_asked(snippet, Everything()))


def _again(asked: Asked, parsed: Parsed, refusals: Sequence[Refusal]) -> Asking | None:
    text = again(asked, parsed, refusals)
    return _asking("repair", asked, text, ANSWER) if text else None


def _asking(name: str, asked: Asked, text: str, schema: Mapping[str, object]) -> Asking:
    labelled = Labelled(episodes=asked.episodes.ids_by_label, memories=asked.memories.ids_by_label)
    return Asking(prompt=prompt(name), text=text, schema=deepcopy(dict(schema)), labelled=labelled)


def _cut(text: str) -> str:
    if len(text) <= _MOST_SAID:
        return text
    return f"{text[:_MOST_SAID]} … ({len(text) - _MOST_SAID:,} more characters)"
