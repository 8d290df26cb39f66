"""What is kept of the night's messages as they were told, beside what their sentences change.

A message that tells of somebody's life (``rules.telling``) is kept whole, in its own words but for absolute dates: what
it speaks of is often named in one sentence and valued in another, and retelling loses some of it. Which of two such
memories answers a question is for recall to see (``rules.answering``). What a memory of the same message says already
isn't kept again; what was made of a part of it is told whole instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reverie.domain.change import Learn, Revise
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import HEARD
from reverie.domain.snippet import Snippet
from reverie.minds.local.ledger import SAME, Entry, Ledger
from reverie.minds.local.runs import telling_runs
from reverie.minds.local.said import Said
from reverie.minds.local.statements import name_of, own_sentences, wholes
from reverie.minds.local.vectors import Floats
from reverie.rules.activation import BASELINE_KINDS, GUARDED_KINDS
from reverie.rules.dedupe import differs
from reverie.rules.figurative import figurative
from reverie.rules.heard import bare
from reverie.rules.kinding import kind_of
from reverie.rules.lessons import lesson_of
from reverie.rules.portrait import is_line
from reverie.rules.quoting import is_to_keep
from reverie.rules.salience import words
from reverie.rules.sentences import Sentence
from reverie.rules.telling import tells
from reverie.rules.terms import terms
from reverie.rules.topics import labels
from reverie.rules.vital import vital

KEPT = 0.3
"""Probability from which a message is kept whole."""
KEPT_OF_LONG = 0.8
"""The same of a run of a long message: whoever writes at length tells little in most of it."""
_LEAST, _MOST = 0.5, 0.9
"""Importance of what is just kept, and of what surely tells something."""
_COVERED = 0.8
"""Share of its words from which a memory says all that a message says."""
_COVERED_TOGETHER = 0.9
"""The same of several together."""
_PART = 0.7
"""Share of a memory's words from which it is a part of the message that it was made of."""
_LIGHT = frozenset(
    terms(
        "said moved relocated switched changed started got new now currently lately finally officially anymore today"
        " oh ok okay yes yeah yep hey hi hello thanks thank please sorry well good morning evening haha lol wow btw"
        " update news guess actually really"
    )
)
"""Terms without which a memory says as much: that something has changed, greetings, interjections."""
_READ = 600
"""Characters of a sentence that are looked at for that it is supposed."""
_SUPPOSED = re.compile(
    r"(?:(?:well|so|and|but|haha),? )*+(?:(?:even )?if (?:i|we|i'd|we'd|only)\b.*\b(?:would|could|might|\w+'d)\b"
    r"|.*\b(?:would|could|might|\w+'d) .*\bif (?:i|we) (?:were|was|had|could)\b)",
    re.IGNORECASE | re.DOTALL,
)


def kept_whole(snippet: Snippet) -> list[Said]:
    """The messages of a room that are kept whole, and the telling runs of those that are too long for it, in order."""
    judged = [(one, tells(one.message.content)) for one in wholes(snippet)] + telling_runs(
        snippet, KEPT_OF_LONG
    )
    return [
        Said(
            statement=one, essence=one.essence, as_said=one.essence, speaker=name_of(one.message), claims=(),
            importance=_importance(worth), marked=False,
        )
        for one, worth in judged
        if worth >= KEPT and not (_is_pasted(one.message) or all(map(_is_supposed, one.said)))
    ]  # fmt: skip


def _is_pasted(message: Episode) -> bool:
    """Whether less than half of it is sentences of its own, none of them vital: the rest is quoted, another's, or a
    machine's. Not what is pasted to be found again.
    """
    own = own_sentences(message)
    if any(vital(one.text) for one in own) or is_to_keep(message.content):
        return False
    return 2 * sum(len(words(one.text)) for one in own) < len(words(message.content))


def _is_supposed(one: Sentence) -> bool:
    """ "If I were rich I'd move to Madeira"; "I'd keep bees if I had a garden"; "I live in hope"."""
    if vital(one.text):
        return False
    return _SUPPOSED.match(one.text, 0, _READ) is not None or figurative(one.text)


def _importance(worth: float) -> float:
    return round(_LEAST + (_MOST - _LEAST) * (worth - KEPT) / (1 - KEPT), 3)


def is_covered(ledger: Ledger, said: Said) -> bool:
    """Whether a memory that came of the message says all of it, but for light words, or some plain ones together."""
    mine = frozenset(terms(said.essence)) - _LIGHT - frozenset(terms(said.speaker))
    made = [
        entry for entry in ledger.entries if said.message.id in entry.sources and not _is_over(ledger, entry)
    ]
    if any(len(mine & entry.terms) >= _COVERED * len(mine) for entry in made):
        return True
    plain = frozenset(stem for entry in made if entry.claims for stem in entry.terms)
    return len(mine & plain) >= _COVERED_TOGETHER * len(mine)


def keep_whole(ledger: Ledger, said: Said, vector: Floats, speakers: Sequence[str]) -> Entry | None:
    """Learns a message, or tells whole what was made of a part of it. What says it already is given back instead."""
    mine = frozenset(terms(said.essence))
    cosines = ledger.cosines(vector)
    for place, entry in enumerate(ledger.entries):
        if (
            cosines[place] >= SAME
            and differs(entry.essence, said.essence) is None
            and not _is_over(ledger, entry)
        ):
            return entry
    part = max(
        (
            entry
            for entry in ledger.entries
            if said.message.id in entry.sources and _is_part(ledger, entry, mine)
        ),
        key=lambda entry: (len(mine & entry.terms), entry.key),
        default=None,
    )
    kind = _kind_of_whole(said.essence)
    lesson = lesson_of(said.essence, kind)
    if part is not None and part.memory is None:
        number = int(part.key.partition(":")[2])
        ledger.learned[number] = replace(
            ledger.learned[number], essence=said.essence, kind=kind, sources=said.sources, lesson=lesson,
            importance=max(said.importance, ledger.learned[number].importance or 0.0),
        )  # fmt: skip
        part.reword(said, said.essence)
        ledger.put(ledger.entries.index(part), vector)
        return None
    if part is not None:
        part.reword(said, said.essence)
        ledger.put(ledger.entries.index(part), vector)
        ledger.revised[part.key] = Revise(
            memory_id=part.key, essence=said.essence, reason="it is told whole", sources=said.sources,
            stated=said.stated, lesson=lesson, since=said.message.time, importance=_more(part, said.importance),
        )  # fmt: skip
        return None
    about = labels(said.essence, tuple(speakers))
    key = ledger.next_key()
    learn = Learn(
        essence=said.essence, kind=kind, sources=said.sources, stated=said.stated, importance=said.importance,
        lesson=lesson, topics=about.topics, entities=about.entities, since=said.message.time,
    )  # fmt: skip
    entry = Entry(
        key=key,
        essence=said.essence,
        kind=kind,
        claimed=(),
        since=said.message.time,
        sources=set(said.sources),
    )
    ledger.learn(learn, entry, vector)
    return None


def _more(part: Entry, importance: float) -> float:
    """The importance of what was told in part, or of the whole where that is more."""
    known = part.memory.importance if part.memory is not None else None
    return importance if known is None else max(known, importance)


def _kind_of_whole(essence: str) -> Kind:
    """Never one that prompts have as a standing rule or taste: a whole message may only touch on it."""
    kind = kind_of(essence)
    return Kind.FACT if kind in BASELINE_KINDS | GUARDED_KINDS else kind


def _is_over(ledger: Ledger, entry: Entry) -> bool:
    """Whether it was replaced or is faded; unlike what ``Ledger.is_gone`` says, what something of this night stands
    against still tells of its message.
    """
    superseded = entry.memory is not None and entry.memory.superseded_by is not None
    return superseded or ledger.is_faded(entry.key)


def _is_part(ledger: Ledger, entry: Entry, mine: frozenset[str]) -> bool:
    """Whether a memory that was made by the way says a part of the message, and nothing else."""
    memory = entry.memory
    if memory is None:
        plain = entry.claims or ": " in bare(entry.essence)
        return not plain and len(entry.sources) == 1 and len(mine & entry.terms) >= _PART * len(entry.terms)
    if memory.pinned or memory.origin not in HEARD or entry.revised:
        return False
    if memory.kind in BASELINE_KINDS | GUARDED_KINDS:  # in prompts they stand by themselves
        return False
    if is_line(memory):  # a portrait shows it, and would not show the whole
        return False
    if _is_over(ledger, entry) or len(memory.source_episodes) > 1:
        return False
    touched = entry.key in ledger.confirmed or any(entry.key in pair for pair in ledger.contradicted)
    return not touched and len(mine & entry.terms) >= _PART * len(entry.terms)
