"""What the people of a night state: each statement by itself, with its claims and its worth, in order of time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.domain.snippet import Snippet
from reverie.minds.local.extracting import MOST_OF_MESSAGE, log_odds_of
from reverie.minds.local.glimpsing import Glimpsed, by_message, glimpsed
from reverie.minds.local.habits import has_turned, is_habit, is_lasting
from reverie.minds.local.keeping import kept_whole
from reverie.minds.local.said import Said, without_tag
from reverie.minds.local.statements import Statement, name_of, own_sentences, statements
from reverie.ports.night import Night
from reverie.rules import cue_words
from reverie.rules.changing import is_marked, is_turned, replaced
from reverie.rules.claim import Claim
from reverie.rules.claims import claims
from reverie.rules.claims_telling import plainly
from reverie.rules.declared import declares, goes_on
from reverie.rules.english import is_english
from reverie.rules.jest import is_jest, taken_back
from reverie.rules.made_up import is_made_up, made_up
from reverie.rules.patterns_clause import mocking
from reverie.rules.salience import importance_of, words
from reverie.rules.sentences import Sentence
from reverie.rules.terms import terms
from reverie.rules.vital import vital

_CLAIMED = 0.57
"""Importance that a statement has at least whose claim is what it is about."""
_HABITUAL = 0.56
"""The same of what somebody plainly tells of his habits."""
_DECLARED = 0.55
"""The same of what he declares, whatever it is about (``rules.declared``)."""
_HEARSAY = re.compile(
    r"\b(?:i|we)(?:'ve| have)? (?:heard|read)\b|\b(?:apparently|rumou?r|supposedly|allegedly"
    r"|according to|they say|people say"
    r"|(?:he|she|they|someone|somebody|everyone) (?:says|said|thinks|claims|reckons)|told me "
    r"(?:that )?(?:he|she|they)|(?:thinks|believes|assumes|reckons) (?:that )?(?:i|we)"
    r"|as a joke|(?:just|only|was|were|am|i'm) (?:joking|kidding))\b",
    re.IGNORECASE,
)
_ORDERS = (cue_words.ORDERS - frozenset("is are do does who what".split())) | frozenset(
    "plan convert summarise check read compare count calculate recommend tell remind draft compose sort rank".split()
)
_LONGEST = 600  # characters
_TOGETHER = timedelta(minutes=10)
"""So soon behind each other somebody's messages go on from each other."""
_OF_TALK = re.compile(r"\b[Tt]he assistant\b|^(?:It|This|That|These|Those|Also|Even|Things|Something)\b")
"""About the talk itself, or about what only the talk before names."""
_OF_SOMEBODY = re.compile(r" said: (?:He|She|His|Her)\b")
_REACTS = re.compile(r"(?:Less|More|Not|No|Like|Please|Stop|Nothing|Anything) (?!longer\b|more\b)")
_WONDERS = re.compile(
    r"(?:so |and |but |ok |okay |right )?(?:what|who|where|when|why|how|which)(?:'s| is| are| do| does| did| "
    r"can| could| should"
    r"| would| to| many| much)\b",
    re.IGNORECASE,
)
_LONGEST_JOINED = 240  # characters
_PARTS = re.compile(r"(?<=[,;.!?])\s+|\s+(?=(?:and|but|so|because)\s)")
_DENIES = re.compile(
    r"\b(?:no|not|never|nobody|nothing|none|nor|neither|without|hardly|cannot|\w+n't)\b", re.IGNORECASE
)
_SUBJECTLESS = re.compile(
    r"^(?P<who>[^:]{1,60}) said: (?P<verb>(?:Just |Finally |Recently )?(?:Switched|Moved|Quit"
    r"|Started|Stopped|Sold|Bought|Got|Changed|Joined"
    r"|Signed|Dropped|Gave|Cancelled|Canceled|Ditched|Turned|Became|Went|Began|Booked|Swapped"
    r"|Traded|Replaced|Finished|Rescheduled"
    r"|Adopted|Took|Left|Passed))\b(?P<rest>.*)",
    re.DOTALL,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Gathered:
    """What the night's people say for longer, in order of (time, id, place): ``stated``, statement by statement, and
    ``whole``, the messages that are kept as they were told.
    """

    stated: list[Said]
    whole: list[Said]


def gathered(night: Night) -> Gathered:
    """What the night's people say."""
    episodes = sorted(
        (one for cluster in night.clusters for one in cluster.episodes), key=lambda one: (one.time, one.id)
    )
    rooms: dict[str, list[Episode]] = {}
    for episode in episodes:
        rooms.setdefault(episode.conversation, []).append(episode)
    found, whole = list[Said](), list[Said]()
    shown = by_message(glimpsed(night, episodes))
    for room in rooms.values():
        room.sort(key=lambda one: (one.position, one.time, one.id))
        withdrawn = _withdrawn(room)
        snippet = Snippet(agent_id=night.agent_id, zone=night.zone, messages=tuple(room), fresh=len(room))
        of_message: dict[str, list[Statement]] = {}
        for one in statements(snippet):
            if one.message.id not in withdrawn:
                of_message.setdefault(one.message.id, []).append(one)
        for message in room:
            some = of_message.get(message.id, [])
            chosen = _chosen(some) if message.role is Role.USER else []
            if message.id not in withdrawn:
                chosen = _led(chosen, some, shown.get(message.id, ()))
            found += [_placed(one, room, message) for one in chosen]
        whole += [one for one in kept_whole(snippet) if one.message.id not in withdrawn and _is_meant(one)]
    return Gathered(stated=sorted(found, key=_in_order), whole=sorted(whole, key=_in_order))


def _in_order(one: Said) -> tuple[datetime, str, int]:
    return one.message.time, one.message.id, one.statement.first


def _is_meant(one: Said) -> bool:
    """Whether a message isn't made up or mocking, nor all of it what others say."""
    text = one.message.content
    heard = all(map(_is_heard, one.statement.said))
    return not (heard or mocking(text) or is_made_up(text))


def _is_heard(one: Sentence) -> bool:
    """Whether a sentence tells only what others say."""
    return _HEARSAY.search(one.text) is not None and not vital(one.text)


def _placed(one: Said, room: Sequence[Episode], message: Episode) -> Said:
    """With what was said around it."""
    before = [
        other.content for other in room
        if other.role is Role.USER and name_of(other) == one.speaker
        and timedelta() <= message.time - other.time <= _TOGETHER and other.position < message.position
    ]  # fmt: skip
    around = " ".join((*before[-1:], message.content))[:_LONGEST]
    return replace(one, around=around, turned=is_turned(message.content[:_LONGEST]))


def _withdrawn(room: Sequence[Episode]) -> set[str]:
    """Ids of messages of which nothing is meant: what is taken back right behind, or all of it; and of what isn't
    English.
    """
    found: set[str] = set()
    latest: dict[str, str] = {}
    for one in (each for each in room if each.role is Role.USER):
        name = name_of(one)
        if is_jest(one.content) and name in latest:
            found.add(latest[name])
        if (taken_back(one.content) and not own_sentences(one)) or not is_english(one.content):
            found.add(one.id)
        latest[name] = one.id
    return found


def _chosen(some: Iterable[Statement]) -> list[Said]:
    """The best of one message that don't overlap."""
    ranked = sorted(
        filter(None, map(_said, some)),
        key=lambda one: (-one.importance, one.statement.first, one.statement.end),
    )
    taken: list[Said] = []
    for one in ranked:
        if len(taken) == MOST_OF_MESSAGE:
            break
        mine = range(one.statement.first, one.statement.end)
        if any(
            place in range(other.statement.first, other.statement.end) for other in taken for place in mine
        ):
            continue
        taken.append(one)
    return taken


def _led(chosen: Sequence[Said], some: Sequence[Statement], shown: Sequence[Glimpsed]) -> list[Said]:
    """With what the message shows by the way: before the statement that shows it, else by itself."""
    found = list(chosen)
    unreal = made_up(own_sentences(shown[0].message)) if shown else frozenset[int]()
    for one in shown:
        if not one.glimpse.lead or mocking(one.sentence.text) or one.glimpse.place in unreal:
            continue
        claimed = claims(one.glimpse.lead)
        if any(
            mine.about(theirs) and mine.agrees(theirs) and said.essence != said.as_said
            for said in found
            for mine in said.claims[:1]
            for theirs in claimed[:1]
        ):
            continue
        place = next(
            (
                number
                for number, said in enumerate(found)
                if said.statement.first <= one.glimpse.place < said.statement.end
            ),
            None,
        )
        if place is not None and _says(found[place].as_said, one.glimpse.lead):
            found[place] = replace(
                found[place], claims=(*claimed, *found[place].claims), marked=found[place].marked or _is_marked(one),
                importance=max(found[place].importance, _CLAIMED),
            )  # fmt: skip
        elif place is not None and found[place].essence == found[place].as_said:
            said = found[place]
            found[place] = replace(
                said, essence=f"{one.glimpse.lead}: {undenied(said.as_said)}", as_said=undenied(said.as_said),
                claims=(*claimed, *said.claims), importance=max(said.importance, _CLAIMED), shown=True,
                marked=_is_marked(one),
            )  # fmt: skip
        else:
            found.append(_shown(one, claimed, some, brief=place is not None))
    return found


def _says(as_said: str, lead: str) -> bool:
    """Whether a statement begins with what is shown, almost to the word, and in its order."""
    start = iter(terms(as_said)[: len(terms(lead)) + 1])
    return all(word in start for word in terms(lead))


def _shown(one: Glimpsed, claimed: tuple[Claim, ...], some: Sequence[Statement], *, brief: bool) -> Said:
    """A glimpse by itself; ``brief`` where another memory has the words that show it."""
    first = one.glimpse.place
    whole = next((each for each in some if (each.first, each.end) == (first, first + 1)), None)
    speaker = name_of(one.message)
    if whole is None:
        whole = Statement(
            message=one.message, said=(one.sentence,), essence=f"{speaker} said: {one.sentence.text}",
            first=first, end=first + 1, cues={},
        )  # fmt: skip
    plain = f"{one.glimpse.lead}."
    as_said = plain if brief else undenied(_whole(whole.essence))
    return Said(
        statement=whole, essence=plain if brief else f"{one.glimpse.lead}: {as_said}", as_said=as_said, speaker=speaker,
        claims=claimed, importance=_CLAIMED, marked=_is_marked(one),
        shown=True,
    )  # fmt: skip


def _is_marked(one: Glimpsed) -> bool:
    """Whether its message says that something has changed, be it in another sentence."""
    text = one.message.content[:_LONGEST]
    return is_marked(text) or bool(replaced(text))


def undenied(text: str) -> str:
    """A statement without its clauses that deny something, where others are left: what is shown by the way doesn't
    stand or fall with them.
    """
    parts = _PARTS.split(text)
    kept = [part for part in parts if not _DENIES.search(part)]
    if not kept or len(kept) == len(parts) or _DENIES.search(parts[0]):
        return text
    return f"{' '.join(kept).rstrip(' ,;')}{'' if kept[-1][-1:] in '.!?' else '.'}"


def _said(one: Statement) -> Said | None:
    text = " ".join(part.text for part in one.said)
    plain = without_tag(text)
    if mocking(text) or any(map(_is_heard, one.said)):
        return None
    speaker = name_of(one.message)
    essence = _whole(one.essence)
    found = claims(essence, speaker.removeprefix("The "))
    read = words(text)
    declared = one.question is None and _is_declared(one, plain, essence)
    if one.question is not None or _WONDERS.match(text):
        return None
    if not declared and (_asks(read) or _REACTS.match(text)):
        return None
    if one.told is not None and (
        (one.told.row.name == "supposed" and without_tag(text) == text)
        or (one.told.row.name == "asked" and not found)
    ):
        return None
    importance = importance_of(log_odds_of(one, one.cues))
    marked = is_marked(text) or bool(replaced(text))
    about = any(claim.main for claim in found)
    if _OF_SOMEBODY.search(essence) and not marked:
        return None
    if not (about or declared) and (_OF_TALK.search(essence) or (" said: " in essence and not marked)):
        return None  # the loop reads those with what stands beside them
    if about:
        # A joined statement must not win against its one sentence that claims something
        importance = max(importance, _CLAIMED) - 0.02 * (one.end - one.first - 1)
    elif one.end - one.first == 1 and (is_lasting(one, read) or is_habit(essence) or has_turned(text, read)):
        importance = max(importance, _HABITUAL)
    elif declared and one.end - one.first == 1:
        importance = max(importance, _DECLARED)
    elif declared:
        importance = max(importance, _DECLARED + 0.01)
    told = plainly(essence, found, speaker)
    return Said(
        statement=one,
        essence=told,
        as_said=essence,
        speaker=speaker,
        claims=found,
        importance=importance,
        marked=marked,
        declared=declared,
    )


def _is_declared(one: Statement, text: str, essence: str) -> bool:
    """Whether it declares something, be it by a last sentence that goes on from the first."""
    if one.end - one.first == 1:
        return declares(text, essence)
    if any(declares(part.text, part.text) for part in one.said[1:]) or len(text) > _LONGEST_JOINED:
        return False
    first, rest = one.said[0].text, " ".join(part.text for part in one.said[1:])
    return goes_on(first, rest)


def _asks(read: Sequence[str]) -> bool:
    """Whether a sentence wants something of the agent."""
    start = 1 if read[:1] in (["just"], ["please"], ["then"]) else 0
    return read[start : start + 1] != [] and read[start] in _ORDERS


def _whole(essence: str) -> str:
    """ "Nora said: Switched to Vue." is "Nora switched to Vue."."""
    match = _SUBJECTLESS.match(essence)
    if match is None:
        return essence
    verb = match["verb"]
    return f"{match['who']} {verb[:1].lower()}{verb[1:].lower()}{match['rest']}"


def worth_embedding(found: Sequence[Said], floor: float, most: int) -> list[Said]:
    """Those that may be learned, or may change what is known; at most so many, in their order."""
    promising = [one for one in found if one.importance >= floor or one.claims or one.marked]
    best = sorted(range(len(promising)), key=lambda place: (-_promise(promising[place]), place))[:most]
    return [promising[place] for place in sorted(best)]


def _promise(one: Said) -> float:
    return one.importance + 0.3 * bool(one.claims) + 0.15 * one.marked
