"""What a snippet's new messages state, in essences that stand by themselves: the candidates of extraction."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.domain.snippet import Snippet
from reverie.rules import cue_words
from reverie.rules.addressed import parted
from reverie.rules.datesaid import dated
from reverie.rules.figurative import figurative
from reverie.rules.jest import taken_back
from reverie.rules.lasting import Lasting, lasting, lasts
from reverie.rules.made_up import made_up
from reverie.rules.person import Voice, cleaned, third_person
from reverie.rules.pointing import placed
from reverie.rules.quoting import own
from reverie.rules.salience import snippet_cues, wording, words
from reverie.rules.sentences import MOST_READ, Sentence, sentences

_MOST_JOINED = 3
_LONGEST = 80  # words of an essence
_FEWEST = 3  # words of a statement
_LONGEST_ASIDE = 6  # words that end in "I mean" and only say of whom something was told
_LONGEST_ANSWER, _LONGEST_QUESTION = 8, 30
_JOINING = cue_words.LEANING | frozenset("for specifically especially also because and but".split())
_ADDING = frozenset({"and", "but", "also"})
_CLOSED = re.compile(r"[.!?:;\u2026\u3002\uff01\uff1f\"\u201d)\]]$")
_CASUAL = cue_words.COURTESY | cue_words.META | cue_words.ASSENTS | cue_words.SECOND | cue_words.LEANING
_NO_CLAIM = _CASUAL | frozenset(
    "i i'm i'll i'd a an the to and or of for in on with so very really just be is are was have has do did am talk see "
    "hear soon later today now then all my me we morning afternoon evening night day how what care got too much more "
    "thing there go back back pleasure happy good joke time tell me about take".split()
)
# Who answers for himself tells of himself, though the question says "you"
_OWN_ANSWER = {"own": 0.25, "own_share": 0.5, "yours": 0.0, "yours_share": 0.0, "hedged": 0.0, "orders": 0.0}
_TAG = re.compile(
    r", (?:did I (?:say|mention|tell you)(?: that)?|have I (?:said|mentioned|told you)(?: that)?|you know"
    r"|remember)\?+$",
    re.IGNORECASE,
)
_MOST_OF_FRAGMENT = 6  # words
_VALUE_FIRST = re.compile(
    r"(?:on |at |the |for )*(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:half|quarter) (?:past"
    r"|to)\b|an? (?:girl|boy)\b)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:(?:and|but|so|or|ok|okay),? )?(?:is|are|was|were|do|does|did|can|could|will|would|should|am)(?:n't)?"
    r" (?:that|this|it|there|you|i|we|he|she|they|any(?:one|body|thing)|some(?:one|body))\b(?! s?he\b)",
    re.IGNORECASE,
)
"""A question without its mark: "is that a thing"."""
_REGULAR = re.compile(
    r"\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day (?:from (?:next|this|now)|as of|instead|now\b|these days)"
    r"|\b(?:is|are|moved to|moves to|meets?|now) (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:from"
    r"|now|instead|these days"
    r"|as of)\b",
    re.IGNORECASE,
)
"""A weekday on which something is from now on: no date of one day."""
AGENT_NAME, USER_NAME = "The assistant", "The user"


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """One or a few neighbouring sentences of one message, told in the third person.

    ``first`` to ``end`` are their places in the message; ``cues`` what their words and the snippet show;
    ``told`` what somebody tells of in them, as far as a rule knows; ``question`` the message that they answer, where
    they don't stand without it.
    """

    message: Episode
    said: tuple[Sentence, ...]
    essence: str
    first: int
    end: int
    cues: Mapping[str, float]
    told: Lasting | None = None
    question: Episode | None = None

    @property
    def by_agent(self) -> bool:
        """Whether the agent, or a machine, said it."""
        return self.message.role is not Role.USER

    @property
    def sources(self) -> tuple[str, ...]:
        """The messages that carry it."""
        ids = [self.question.id] if self.question is not None else []
        return (*ids, self.message.id)


def statements(snippet: Snippet) -> list[Statement]:
    """Those of the new messages, in their order; overlapping ones among them. None of questions and courtesies."""
    read = {message.id: own_sentences(message) for message in snippet.messages}
    people = [one for message in snippet.messages if message.role is Role.USER for one in read[message.id]]
    whole = snippet_cues(people)
    speakers = {name_of(message) for message in snippet.messages}
    among_people = len(speakers) > 1 and all(message.role is Role.USER for message in snippet.messages)
    setting = {
        "about_self": whole.about_self,
        "requests": whole.requests,
        "among_people": float(among_people),
    }
    found: list[Statement] = []
    start = len(snippet.messages) - snippet.fresh
    for place in range(start, len(snippet.messages)):
        message = snippet.messages[place]
        if message.role in (Role.TOOL, Role.SYSTEM):
            continue  # what machines print is for recall of episodes; nobody states it
        voice = _voice(snippet.messages, place)
        told = _told(message, read[message.id], voice, snippet)
        found += _joined(message, told, setting)
        before = snippet.messages[place - 1] if place else None
        if before is not None:
            found += _answer(message, told, before, read[before.id], voice, setting)
    return _crowded(found, snippet.fresh)


def own_sentences(message: Episode) -> tuple[Sentence, ...]:
    """The sentences of a message; of people's those that they say themselves."""
    speaker = (message.speaker or "") if message.role is Role.USER else None
    read = _known_sentences if len(message.content) <= MOST_READ else _own_sentences
    return read(message.content, speaker)


def _own_sentences(text: str, speaker: str | None) -> tuple[Sentence, ...]:
    return sentences(text if speaker is None else parted(_meant(own(text, speaker))))


def _meant(text: str) -> str:
    """The text without what its speaker takes back."""
    for start, end in reversed(taken_back(text)):
        text = f"{text[:start]} {text[end:]}"
    return text


_known_sentences = lru_cache(256)(_own_sentences)
"""Of messages that aren't longer than what is read of one: others would fill the memory."""


def wholes(snippet: Snippet) -> list[Statement]:
    """Each new message of people as one statement in its own words, with absolute dates and without what it asks; none
    of long ones.
    """
    found: list[Statement] = []
    for message in snippet.messages[len(snippet.messages) - snippet.fresh :]:
        read = sentences(message.content) if message.role is Role.USER else []
        said = tuple(one for one in read if not (one.asks or _ASKS.match(one.text)))
        told = " ".join(dated(one.text, message.time, snippet.zone) for one in said)
        if said and len(words(told)) <= _LONGEST:
            essence = f"{name_of(message)} said: {told}"
            found.append(
                Statement(message=message, said=said, essence=essence, first=0, end=len(read), cues={})
            )
    return found


def _crowded(found: Sequence[Statement], fresh: int) -> list[Statement]:
    """With how many there are on the same side for two new messages: of a few each counts for more."""
    single = [one.by_agent for one in found if one.end - one.first == 1]
    exchanges = max(1.0, fresh / 2)
    crowd = {side: math.log(max(1.0, single.count(side) / exchanges)) for side in (False, True)}
    return [replace(one, cues={**one.cues, "crowd": crowd[one.by_agent]}) for one in found]


def name_of(message: Episode) -> str:
    """How its speaker is called: by name, or by role."""
    if message.speaker:
        return message.speaker
    return USER_NAME if message.role is Role.USER else AGENT_NAME


def _voice(messages: Sequence[Episode], place: int) -> Voice:
    """Whom a message means by "I", "you" and "we": the last other speaker before it, else the first behind it."""
    message = messages[place]
    machine = message.role is not Role.USER
    speaker = _within(name_of(message))
    others = (_within(name_of(one)) for one in (*reversed(messages[:place]), *messages[place + 1 :]))
    other = next((name for name in others if name != speaker), _within(USER_NAME if machine else AGENT_NAME))
    together = f"{speaker} and {other}" if machine else speaker
    return Voice(speaker=speaker, listener=other, together=together)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Told:
    """A sentence and its telling; empty where it states nothing."""

    sentence: Sentence
    text: str


def _told(message: Episode, read: Sequence[Sentence], voice: Voice, snippet: Snippet) -> list[_Told]:
    befores = ["", *(one.text for one in read)]
    unreal = made_up(read) if message.role is Role.USER else frozenset[int]()
    return [
        _Told(
            sentence=one,
            text=_telling(one, before, message, voice, snippet)
            if _states(one) and place not in unreal
            else "",
        )
        for place, (one, before) in enumerate(zip(read, befores, strict=False))
    ]


def _telling(one: Sentence, before: str, message: Episode, voice: Voice, snippet: Snippet) -> str:
    bare = placed(cleaned(_TAG.sub(".", one.text)), before)
    count = len(words(bare))
    if count < _FEWEST and (count < _FEWEST - 1 or not lasts(_lasting(message, (one,)))):
        return ""
    told = bare if _REGULAR.search(bare) else dated(bare, message.time, snippet.zone)
    return third_person(told, voice)


def _states(one: Sentence) -> bool:
    """Whether a sentence says something: no question, and more than courtesies."""
    read = words(one.text)
    if len(read) <= _LONGEST_ASIDE and read[-2:] == ["i", "mean"]:
        return False
    if one.asks or _ASKS.match(one.text):
        return False
    return not _NO_CLAIM.issuperset(read) and not figurative(one.text)


def _joined(message: Episode, told: Sequence[_Told], setting: Mapping[str, float]) -> Iterator[Statement]:
    """Each statement, alone and together with those behind it that lean on it."""
    for first in range(len(told)):
        for end in range(first + 1, min(first + _MOST_JOINED, len(told)) + 1):
            part = told[first:end]
            if not part[-1].text or (end - first > 1 and not _belongs(message, part)):
                break
            essence = " ".join(_closed(one.text) for one in part)
            if len(words(essence)) > _LONGEST:
                break
            said = tuple(one.sentence for one in part)
            cues = wording(said, last=end == len(told))
            about = _lasting(message, said)
            if not (about is not None and about.named and lasts(about)):
                essence = _attributed(essence, message)
            yield Statement(
                message=message, said=said, essence=essence, first=first, end=end,
                cues={**cues, **setting}, told=about,
            )  # fmt: skip


def _lasting(message: Episode, said: Sequence[Sentence]) -> Lasting | None:
    """What people tell of; the agent's words tell of nobody's life."""
    if message.role is not Role.USER:
        return None
    return lasting(" ".join(one.text for one in said))


def _belongs(message: Episode, part: Sequence[_Told]) -> bool:
    """Whether the last sentence goes on from those before it: it begins with a word that leans, none of them is a mere
    reaction, and "and …" doesn't tell of something lasting by itself; in an agent's summaries all do.
    """
    if message.role is not Role.USER:
        return True
    opening = words(part[-1].sentence.text)[:1]
    if _is_fragment(part[-1].sentence.text):
        return True
    if not opening or opening[0] not in _JOINING:
        return False
    found = [_lasting(message, (one.sentence,)) for one in part]
    if opening[0] in _ADDING and lasts(found[-1]):
        return False
    return not any(one is not None and one.row.passes for one in found)


def _is_fragment(text: str) -> bool:
    """Whether it only gives what the sentence before it speaks of: "12 June next year."."""
    return text.count(" ") < _MOST_OF_FRAGMENT and _VALUE_FIRST.match(text) is not None


def _closed(text: str) -> str:
    return text if _CLOSED.search(text) else f"{text}."


def _attributed(essence: str, message: Episode) -> str:
    """What names nobody is told as said by its speaker."""
    speaker = name_of(message)
    if speaker.casefold() in essence.casefold() or re.search(r"\b[Tt]he (?:user|assistant)\b", essence):
        return essence
    return f"{speaker} said: {essence}"


def _answer(
    message: Episode, read: Sequence[_Told], before: Episode, asked: Sequence[Sentence], voice: Voice,
    setting: Mapping[str, float],
) -> Iterator[Statement]:  # fmt: skip
    """A short answer, together with the question that it answers."""
    if not read or not asked or not asked[-1].asks or name_of(before) == name_of(message):
        return
    answer = read[0].sentence
    telling = [word for word in words(answer.text) if word not in _NO_CLAIM]
    if not telling or not cue_words.FIRST.isdisjoint(words(answer.text)) or answer.asks:
        return
    if lasts(_lasting(message, (answer,))):
        return  # it stands without its question
    question = asked[-1]
    if len(words(answer.text)) > _LONGEST_ANSWER or len(words(question.text)) > _LONGEST_QUESTION:
        return
    text = f'Asked "{question.text}", {voice.speaker} answered: {_closed(answer.text)}'
    told = _lasting(message, (question, answer))
    yield Statement(
        message=message,
        said=(answer,),
        essence=text[:1].upper() + text[1:],
        first=0,
        end=1,
        question=before,
        told=None if told is None else replace(told, own=True),
        cues={**wording((question, answer), last=False), **setting, **_OWN_ANSWER},
    )


def _within(name: str) -> str:
    return name.replace("The ", "the ", 1) if name in (USER_NAME, AGENT_NAME) else name
