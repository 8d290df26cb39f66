"""What the people of a night let be known by the way, told plainly: ``rules.glimpses`` with the talk around."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.minds.local.statements import name_of, own_sentences
from reverie.ports.night import Night
from reverie.rules.claims_words import KIN
from reverie.rules.figurative import figurative
from reverie.rules.glimpses import glimpses
from reverie.rules.glimpses_asides import carded
from reverie.rules.glimpses_scene import Glimpse, Scene, is_person
from reverie.rules.glimpses_times import confirmed
from reverie.rules.quoting import unquoted
from reverie.rules.sentences import Sentence, sentences

_TALKED_OF = timedelta(hours=14)
"""So far back a pronoun goes."""
_PASTED = 900
"""From so many characters on a message is mostly pasted, or a task."""
_LONG = 300
"""From so many on it is nobody's own life, unless he says "I" in it."""
_OWN = re.compile(r"\b(?:i|i'm|i've|my|me|we|we're|our|us)\b", re.IGNORECASE)
_BEFORE = 4
"""Messages of the same conversation that tell what is spoken of."""
_ACTS = re.compile(
    r"\b([A-Z][a-z]{2,})(?='s (?!\d)| (?:says?|said|wants?|asked|asks|came|rang|called|thinks|took|sent|gave"
    r"|brought|bought|can't"
    r"|wouldn't|won't|phoned|phones|visited|texted|wrote|likes|loves|hates|told|got|has|had|went|woke|walked|swapped|put|wore|moved|started"
    r"|teaches|works)\b)"
)
_PLACED = re.compile(r"\b(?:in|at|near|on|uses?|using)\s+([A-Z][a-z]{2,})\b")
_KIN = re.compile(
    rf"\b(?P<kin>{KIN}|baby|boss|dog walker)(?:,| is| called| named|'s name is)? (?P<name>[A-Z][a-z]{{2,}})\b"
)
_CALLED = re.compile(
    r"\b(?:(?P<he>his|he|him)|(?P<she>her|she)|cat|dog|puppy|kitten|rabbit|hamster|pet|whippet|pony|horse"
    r"|parrot)\b[^.!?]{0,24}?\b(?:called|named|name is|name's) (?P<name>[A-Z][a-z]{2,})\b"
)
_PARENTS = frozenset("mum mom dad gran nan grandma grandad".split())
_PLAIN_WORD = re.compile(r"[A-Za-z]+")
_WOMEN = re.compile(r"wife|girlfriend|mother|mum|mom|sister|daughter|aunt|niece|grandma|landlady")
_MEN = re.compile(r"husband|boyfriend|father|dad|brother|\bson\b|uncle|nephew|grandpa|landlord")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Glimpsed:
    """A glimpse with the message that shows it, and its sentence."""

    glimpse: Glimpse
    message: Episode
    sentence: Sentence


@dataclass(kw_only=True, slots=True)
class _Cast:
    """Who is known of in the night."""

    names: dict[str, str] = field(default_factory=dict)
    women: set[str] = field(default_factory=set)
    men: set[str] = field(default_factory=set)
    placed: set[str] = field(default_factory=set)

    def read(self, text: str) -> None:
        """Learns names from a text."""
        for name in _ACTS.findall(text):
            if name not in self.placed and is_person(name):
                self.names.setdefault(name.lower(), name)
        for match in _CALLED.finditer(text) if "called" in text or "name" in text else ():
            if is_person(match["name"]):
                self.names.setdefault(match["name"].lower(), match["name"])
        for match in _KIN.finditer(text):
            if not is_person(match["name"]):
                continue
            self.names.setdefault(match["name"].lower(), match["name"])
            if _WOMEN.search(match["kin"]):
                self.women.add(match["name"])
            elif _MEN.search(match["kin"]):
                self.men.add(match["name"])

    def mentioned(self, text: str, speaker: str) -> Iterator[str]:
        """Who is named in a text, in its order."""
        for match in _PLAIN_WORD.finditer(text):
            low = match.group().lower()
            if low in self.names:
                yield self.names[low]
            elif low in _PARENTS:
                yield f"{speaker}'s {low}"


def glimpsed(night: Night, episodes: Sequence[Episode]) -> Iterator[Glimpsed]:
    """The glimpses of episodes that stand in order of time."""
    cast = _cast(night, episodes)
    known = [memory.essence for cluster in night.clusters for memory in cluster.known]
    mentioned: list[tuple[datetime, str]] = []
    rooms: dict[str, list[Episode]] = {}
    for place, episode in enumerate(episodes):
        room = rooms.setdefault(episode.conversation, [])
        if episode.role is Role.USER:
            people = tuple(name for time, name in mentioned if time >= episode.time - _TALKED_OF)
            scene = Scene(
                speaker=name_of(episode),
                people=people,
                names=cast.names,
                topic=" ".join(one.content for one in room[-_BEFORE:]),
                behind=_behind(episodes, place),
                women=frozenset(cast.women),
                men=frozenset(cast.men),
            )
            yield from _of_message(episode, scene, known)
        elif episode.role is not Role.TOOL and room and room[-1].role is Role.USER:
            yield from _confirmations(room[-1], episode)
        room.append(episode)
        speaker = name_of(episode) if episode.role is Role.USER else name_of(room[0])
        mentioned += [(episode.time, name) for name in cast.mentioned(episode.content, speaker)]


def _cast(night: Night, episodes: Iterable[Episode]) -> _Cast:
    episodes = list(episodes)
    cast = _Cast()
    for episode in episodes:
        cast.placed |= set(_PLACED.findall(episode.content))
    for essence in dict.fromkeys(memory.essence for cluster in night.clusters for memory in cluster.known):
        cast.read(essence)
    for episode in episodes:
        cast.read(episode.content)
        if episode.speaker and episode.role is Role.USER:
            cast.names.setdefault(episode.speaker.lower(), episode.speaker)
    return cast


def _behind(episodes: Sequence[Episode], place: int) -> str:
    """What the agent says right after it."""
    after = episodes[place + 1 : place + 2]
    said = after and after[0].role is Role.AGENT and after[0].conversation == episodes[place].conversation
    return after[0].content if said else ""


def _of_message(episode: Episode, scene: Scene, known: Sequence[str]) -> Iterator[Glimpsed]:
    if len(episode.content) > _PASTED or (len(episode.content) > _LONG and not _OWN.search(episode.content)):
        return
    read = own_sentences(episode)
    for place, sentence in enumerate(read):
        before, after = (" ".join(one.text for one in some) for some in (read[:place], read[place + 1 :]))
        if figurative(sentence.text):
            continue
        heard = replace(sentence, text=unquoted(sentence.text))
        for one in glimpses(heard, scene.named(before), scene, scene.named(after)):
            found = one if one.lead else _instead(one, known)
            if found is not None:
                yield Glimpsed(glimpse=found, message=episode, sentence=sentence)
    card = carded(episode.content, scene.speaker)
    if card and read:
        yield Glimpsed(glimpse=Glimpse(lead=card, place=read[-1].place), message=episode, sentence=read[-1])


def _instead(one: Glimpse, known: Sequence[str]) -> Glimpse | None:
    """Where a value is corrected: with of whom and what, by the one memory that has the old value."""
    old = re.escape(one.old.rstrip("s"))
    found = {
        match[1]
        for text in known
        if (match := re.match(rf"([^:]{{2,60}} is )[^:]*\b{old}", text, re.IGNORECASE))
    }
    return replace(one, lead=f"{found.pop()}{one.value}") if len(found) == 1 else None


def _confirmations(said: Episode, answer: Episode) -> Iterator[Glimpsed]:
    """What the agent repeats of a time that it was told, with what it is the time of; and what it does from now on."""
    told = set(_DIGITS.findall(said.content))
    lines = sentences(said.content)
    for lead, value in confirmed(answer.content, name_of(said)):
        digits = set(_DIGITS.findall(value))
        if digits and digits <= told and lines:
            holding = next((one for one in lines if digits <= set(_DIGITS.findall(one.text))), lines[-1])
            if not holding.asks:
                yield Glimpsed(
                    glimpse=Glimpse(lead=lead, place=holding.place), message=said, sentence=holding
                )
        elif re.search(r"\b[Yy]our\b", answer.content) and sentences(answer.content):
            whole = sentences(answer.content)
            holding = next((one for one in whole if value in one.text), whole[0])
            yield Glimpsed(glimpse=Glimpse(lead=lead, place=holding.place), message=answer, sentence=holding)


def by_message(found: Iterable[Glimpsed]) -> Mapping[str, list[Glimpsed]]:
    """By the id of the message, of a message each lead once, and of one time the speaker's own words."""
    of: dict[str, list[Glimpsed]] = {}
    for one in found:
        some = of.setdefault(one.message.id, [])
        said = {(other.glimpse.place, other.glimpse.lead.rpartition(" is ")[2]) for other in some}
        if (one.glimpse.place, one.glimpse.lead.rpartition(" is ")[2]) not in said:
            some.append(one)
    return of
