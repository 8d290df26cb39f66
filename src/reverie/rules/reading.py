"""What stands in a message, read off its first words: the type of task, the tone, and how much it matters.

Cheap enough for every message that is observed: one pass over the words, no model.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from reverie.domain.emotion import Emotions
from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.domain.snippet import Reading
from reverie.rules import cue_words
from reverie.rules.lasting import Lasting, lasting, most_lasting, weighed_by
from reverie.rules.salience import WORDING, feeling_strength, importance_of, salience, wording
from reverie.rules.salience_weights import JUDGED, READ_AGENT, READ_SAID
from reverie.rules.sentences import Sentence
from reverie.rules.traits import asks

_MOST_READ = 400
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*|\d+")
_PLANS = frozenset(
    "plan plans planned planning schedule scheduled goal goals deadline tomorrow book booking milestone roadmap intend "
    "itinerary organize organise budget going want i'll we'll let's need prepare".split()
)
_ASKING = frozenset(
    "what why how when where which who whose whom is are do does did was were has have".split()
)
_REQUESTS = frozenset("can could would will".split())
_TABLES = (
    ("own", cue_words.FIRST | cue_words.TOGETHER),
    ("intent", cue_words.INTENT),
    ("decision", cue_words.DECISION),
    ("preference", cue_words.PREFERENCE),
    ("feeling", cue_words.FEELING),
    ("settled", cue_words.SETTLED),
    ("courtesy", cue_words.COURTESY),
)
_MANY = 4
_NAMES = tuple(name for name, _ in _TABLES)
_MARKED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        word: tuple(name for name, table in _TABLES if word in table)
        for word in frozenset().union(*(table for _, table in _TABLES))
    }
)
"""Which cues a word is one of: one look for each word, not one for each table."""
# A statement in the third person has no "I", and no place in a message
_ALONE = tuple(
    name
    for name in WORDING
    if not name.startswith(("own", "together", "yours", "last", "listed", "introduces"))
)


def reading(message: Episode, emotions: Emotions | None) -> Reading:
    """Task type, tone and importance of one message."""
    text = _beginning(message)
    words: list[str] = _WORD.findall(text)
    person = message.role is Role.USER
    odds = salience(_cues(words, text, len(message.content), emotions), READ_SAID if person else READ_AGENT)
    return Reading(
        task_type=_task_type(words, message.content) if person else None,
        emotional_tone=None if emotions is None else _tone(emotions),
        importance=importance_of(_by_what_it_tells(message.content[:_MOST_READ], odds) if person else odds),
    )


def _by_what_it_tells(text: str, odds: float) -> float:
    """At least what the best statement of a message is worth; at most what passes is, where nothing else is said."""
    told = most_lasting(text)
    if told is None:
        return odds
    return (min if told.row.passes else max)(odds, weighed_by(told, odds))


def cues_of(message: Episode, emotions: Emotions | None) -> Mapping[str, float]:
    """What counts for a message's importance, of its beginning."""
    text = _beginning(message)
    return _cues(_WORD.findall(text), text, len(message.content), emotions)


def _beginning(message: Episode) -> str:
    return message.content[:_MOST_READ].lower().replace("\u2019", "'")


def _cues(words: list[str], text: str, length: int, emotions: Emotions | None) -> dict[str, float]:
    known = frozenset(words)
    counts = dict.fromkeys(_NAMES, 0)
    for word in _MARKED.keys() & known:
        for name in _MARKED[word]:
            counts[name] += 1
    cues = {name: min(count, _MANY) / _MANY for name, count in counts.items()}
    cues["length"] = math.log1p(length)
    cues["numbers"] = float(any(map(str.isdigit, words)))
    cues["orders"] = float(words[:1] != [] and words[0] in cue_words.ORDERS)
    cues["asks"] = float("?" in text)
    cues["felt"] = feeling_strength(emotions)
    return cues


def importance_alone(essence: str, emotions: Emotions | None) -> float:
    """The importance in [0, 1] that a statement's own words promise, where nothing is known of where it was said."""
    return importance_told(essence, lasting(essence), emotions)


def importance_told(essence: str, told: Lasting | None, emotions: Emotions | None) -> float:
    """The same, where it is known what the statement tells of."""
    odds = salience(cues_alone(essence, emotions), JUDGED)
    if told is None or told.row.passes:  # somebody wanted it kept
        return importance_of(odds)
    return importance_of(weighed_by(replace(told, own=True), odds))


def cues_alone(essence: str, emotions: Emotions | None) -> Mapping[str, float]:
    """The cues of a statement that stands by itself."""
    sentence = Sentence(text=essence[:_MOST_READ], place=0, line=0, listed=False)
    found = wording([sentence], last=False)
    return {name: found[name] for name in _ALONE} | {"felt": feeling_strength(emotions)}


def _task_type(words: list[str], content: str) -> str:
    """question, command, planning or casual."""
    if not words:
        return "casual"
    first = words[0]
    if first in _REQUESTS and words[1:2] == ["you"]:
        return "command"
    if first == "please" or (first in cue_words.ORDERS and first not in _ASKING | _REQUESTS):
        return "command"
    if first in _ASKING or asks(content):
        return "question"
    return "casual" if _PLANS.isdisjoint(words) else "planning"


def _tone(emotions: Emotions) -> str:
    """The strongest label; neutral is one too."""
    return str(emotions[0])
