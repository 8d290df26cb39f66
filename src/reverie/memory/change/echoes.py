"""Echoes: text that only repeats what an outside source said is no more trusted than that source, unless a principal
said it too. What a principal repeats stays his word, but it steers nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind, Priority
from reverie.domain.trust import SourceTrust, least_trusted
from reverie.language import terms
from reverie.memory.forgetting import sentences
from reverie.memory.privacy import is_own

RUN = 3
"""So many content words in the same order are a quotation's piece."""
COVERED = 0.5
"""A text of which at least this share of content words stands in such pieces repeats."""
HELD = 0.75
"""A text of which one outside sentence has this share of the content words repeats it, in whatever order."""
FEW = 4
"""A text of fewer distinct content words repeats only where they stand in a row: two words meet by chance."""
_MOST_READ = 200_000
_ALWAYS = frozenset({Kind.POLICY, Kind.WORKFLOW, Kind.ARCHITECTURE})
_RAISED = frozenset({Priority.CRITICAL, Priority.HIGH})


class Echo:
    """What outside sources said, read once for many texts.

    At most ``_MOST_READ`` characters of each are compared: nobody repeats more by word.
    """

    def __init__(self, external: Iterable[str]) -> None:
        self._runs: set[tuple[str, ...]] = set()
        self._sentences: list[frozenset[str]] = []
        self._said: list[str] = []
        for text in external:
            read = text[:_MOST_READ]
            listed = terms(read)
            self._runs.update(_runs(listed))
            self._sentences += [frozenset(terms(part)) for part in sentences(read)]
            self._said.append(_joined(listed))

    def repeats(self, text: str) -> bool:
        """Return whether the text says what an outside source said: in its words and their order (half of its content
        words in runs of three), or in one of its sentences' words (three quarters of them).
        """
        if not self._said:
            return False
        listed = terms(text)
        words = set(listed)
        if len(words) < FEW:
            return bool(words) and any(_joined(listed) in said for said in self._said)
        if any(len(words & said) >= HELD * len(words) for said in self._sentences):
            return True
        covered = {
            place + step
            for place, run in enumerate(_runs(listed))
            if run in self._runs
            for step in range(RUN)
        }
        return len(covered) >= COVERED * len(listed)


def steers(kind: Kind, priority: Priority | None = None) -> bool:
    """Return whether a memory of this kind and priority (None: that of its kind) tells the agent how to behave: layers
    A and C are made of such.
    """
    return kind in _ALWAYS or (kind is Kind.PREFERENCE and priority in _RAISED)


def as_information(kind: Kind) -> Kind:
    """Return the kind of a memory that would steer the agent by its kind alone, as what informs it."""
    if kind not in _ALWAYS:
        return kind
    return Kind.PREFERENCE if kind is Kind.POLICY else Kind.FACT


def trust_of(
    texts: Iterable[str | None], sources: Sequence[Episode], outside: Echo, *, steering: bool
) -> SourceTrust:
    """Return the trust of texts that rest on these episodes: that of the least trusted of them.

    It is external where a text repeats what an outside source said and no principal among the sources says it. What is
    ``steering`` is external, too, where a principal only repeats it, and where a source isn't all its sender's own
    words.
    """
    trust = least_trusted(one.source_trust for one in sources)
    if trust is SourceTrust.EXTERNAL or (steering and not all(is_own(one.content) for one in sources)):
        return SourceTrust.EXTERNAL
    repeated = [text for text in texts if text and outside.repeats(text)]
    if repeated and (steering or not all(_is_said(text, sources) for text in repeated)):
        return SourceTrust.EXTERNAL
    return trust


def _is_said(text: str, sources: Sequence[Episode]) -> bool:
    """Return whether a principal says it himself: most of its words, his name aside, stand in a message in his own
    words.
    """
    told = set(terms(text))
    return any(
        len(told & {*terms(one.content[:_MOST_READ]), *terms(one.speaker or "")}) >= HELD * len(told)
        for one in sources
        if one.source_trust is SourceTrust.PRINCIPAL and is_own(one.content)
    )


def _runs(listed: list[str]) -> list[tuple[str, ...]]:
    return [tuple(listed[place : place + RUN]) for place in range(len(listed) - RUN + 1)]


def _joined(listed: list[str]) -> str:
    """Return terms between single spaces, with a space before and after."""
    return f" {' '.join(listed)} "
