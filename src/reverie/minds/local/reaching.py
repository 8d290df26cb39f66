"""How far a change reaches: what its message names as over beside it, and what else was made of the same message.

"Dr Keane retired!! Biscuit sees Dr Molloy now" says in one sentence what is over and in the next what takes its place;
and of one message that told of Dr Keane there may be a plain memory and one in its own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from reverie.minds.local.ledger import Entry, Ledger
from reverie.minds.local.said import TITLES, Said
from reverie.rules import slots_words
from reverie.rules.before import now_of
from reverie.rules.changing import is_turned, replaced
from reverie.rules.claim import Claim, same_subject
from reverie.rules.claims import claims
from reverie.rules.claims_subject import parent, subjects_of
from reverie.rules.claims_telling import plainly
from reverie.rules.datewords import UNITS
from reverie.rules.dedupe_words import TIMES
from reverie.rules.heard import bare
from reverie.rules.sentences import split
from reverie.rules.slots import Slot, slot_of, thing_of
from reverie.rules.terms import terms
from reverie.rules.whose import are_of_others, last_named, people_of

_NO = re.compile(
    r"\b(?:says|said|so|and|but|it's|is|means) no (?:more )?(?P<old>[\w-]+ [\w-]+)", re.IGNORECASE
)
"""What is denied in two words: "physio says no half marathon"."""
_OF_AGENT = re.compile(r"^The assistant(?: said:|'s)")
_HIMSELF = r"\b(?:{name}|I)(?:'m| is| am| are| was| works?| worked| became| eats?| went)\b"
_NAMED = re.compile(r"\b[A-Z][\w-]+")
_TAKES = (
    r"\b(?:now|instead|start(?:s|ed)|beg[au]n|switched|swapped|chose|took up|moved (?:on |over )?to|went for|new|on to"
    r"|is|sees"
)
_GETS = r"|bought|gets?|got|picked up|traded|ordered|joined|driving|drives?"
_IN_PLACE = r")(?: (?:an?|the|my|their|his|her|[a-z]+))?(?: [\w'-]+){0,3}? "
_NO_PRESENT = r"\w*+(?! (?:an?|the|some|his|her|my|their|your)\b)"
_READ = re.compile(r"\b(?:finished|done with|got through)\b", re.IGNORECASE)
"""By such words something takes the place of what is over; what is bought takes none of what was read to its end."""
_STATES = frozenset("works work lives live stays stay studies study drives drive".split())
_LEAN = frozenset("now currently also again still then so and".split())
_LONGEST_START = 7  # words
_OFTEN = "every each once half day days morning mornings noon afternoon evening evenings night nights"
_DAYS = frozenset(terms(" ".join((_OFTEN, *TIMES, *UNITS))))
_SUPPOSED = re.compile(
    r"\b(?:would|could|might)(?:n't| not)?\b(?! (?:like|rather|prefer)\b)"
    r"|\bif \w+ (?:only )?(?:had|were|was|could|won)\b",
    re.IGNORECASE,
)
"""What would be so, and isn't."""
_LEFT = frozenset({"employer", "gym", "studies"})
"""What somebody moves from to another one, and that is no home."""
_PRONOUN = re.compile(r"(?:[Ss]?[Hh]e)\b(?='s | [a-z])")
_BY_ITSELF = frozenset({"job", "diet"})


def is_of_agent(text: str) -> bool:
    """Whether a memory is what the agent itself said: that tells of nobody's life."""
    return _OF_AGENT.match(text) is not None


def as_known(said: Said, ledger: Ledger) -> Said:
    """A statement as what is known has it: who "moved from Zwickelhofer" changed his employer, where that is what
    Zwickelhofer is known as.
    """
    moved = next((one for one in said.claims if one.attribute == "home" and one.holds), None)
    over = replaced(said.as_said, _own(said)) if moved is not None else ()
    for entry in ledger.entries if over else ():
        if entry.gone or not any(old <= entry.terms for old in over):
            continue
        for theirs in entry.claims:
            known = theirs.holds and theirs.attribute in _LEFT and any(old == theirs.value for old in over)
            if moved is not None and known and same_subject(moved.subjects, theirs.subjects):
                mine = tuple(
                    replace(one, attribute=theirs.attribute) if one is moved else one for one in said.claims
                )
                essence = plainly(said.as_said, mine, said.speaker)
                return replace(said, essence=essence, claims=mine, marked=True)
    return said


def with_name(said: Said) -> Said:
    """A statement that begins with "he" or "she", told of whom its message named last; as it is where that is none."""
    begins = _PRONOUN.match(bare(said.as_said)) if said.essence == said.as_said else None
    content = said.message.content
    first = said.statement.said[0].text if begins is not None and said.statement.said else ""
    before = content.partition(first)[0] if first and first in content else ""
    speaker = said.speaker.removeprefix("The ")
    known = sorted(last_named(before, speaker), key=lambda name: ("'s " in name, name))
    if begins is None or not known:
        return said
    name, kin = known[0].rpartition("'s ")[::2] if "'s " in known[0] else (known[0], "")
    written = re.search(rf"\b{re.escape(name)}\b", f"{before} {speaker}", re.IGNORECASE)
    if written is None:
        return said
    called = [word for word in re.findall(r"\w+", before) if parent(word) == kin]
    who = f"{written.group()}'s {called[-1] if called else kin}" if kin else written.group()
    told = f"{who}{bare(said.as_said)[begins.end() :]}"
    return replace(said, essence=told, as_said=told, claims=claims(told, speaker))


def is_of_same(entry: Entry, said: Said) -> bool:
    """Whether a statement can tell of whom a memory tells: it is plainly of nobody else. Whom "she" means stands in its
    message, or nowhere.
    """
    speaker = said.speaker.removeprefix("The ")
    new = people_of(said.as_said, speaker, changed=said.marked)
    if new.pronoun:
        named = last_named(said.before, speaker)
        if not named:
            return False
        new = replace(new, about=named, named=new.named - named)
    return not are_of_others(new, people_of(entry.essence, speaker))


def shares_more(entry: Entry, said: Said) -> bool:
    """Whether a statement has more in common with a memory than a day, or that the one names whom the other is about;
    and isn't merely supposed.
    """
    if _SUPPOSED.search(said.as_said):
        return False
    shared = (frozenset(terms(said.as_said)) - _own(said)) & entry.terms
    told = (frozenset(terms(said.essence)) - _own(said)) & entry.terms
    if told and told <= _DAYS:
        return False
    speaker = said.speaker.removeprefix("The ")
    new, old = people_of(said.as_said, speaker, changed=said.marked), people_of(entry.essence, speaker)
    if not (new.about and old.about) or new.about & (old.about | old.owners):
        return True
    theirs = _stems(name for name in new.about if "'s " not in name)
    names = _stems((*new.about, *new.named, *old.about, *old.named))
    return bool(shared - names) or any(theirs & over for over in replaced(said.around, _own(said)))


def _stems(names: Iterable[str]) -> frozenset[str]:
    return frozenset(stem for name in names for stem in terms(name))


def is_same_thing(entry: Entry, said: Said) -> bool:
    """Whether one sentence of a memory whose slot a statement seems to fill is about the same thing: it shares a topic
    with it, or whom it names and another value of one sort, or both tell what their speaker is himself. A title that
    two bear is none, nor is what only stands beside it in its message.
    """
    text = now_of(entry.essence)
    parts = _told_in(text)
    mine, thing = slot_of(said.as_said), slot_of(thing_of(said.lead)).topics
    around = slot_of(said.around)
    for part in parts:
        theirs = slot_of(part)
        otherwise = _differs(mine, theirs, said)
        told = (mine.shared(theirs) | (thing & theirs.topics)) - _own(said)
        if told and (otherwise or len(parts) == 1):
            return True
        if otherwise and (
            _names(mine, theirs, said) or (_names_value(theirs, said) and around.shared(theirs) - _own(said))
        ):
            return True
        if otherwise and said.marked and _names(around, theirs, said) and not _names(mine, mine, said):
            return True  # whom it is about stands in the sentence before it
        itself = _BY_ITSELF & frozenset(mine.values) & frozenset(theirs.values)
        if itself and all(_is_of_himself(one, said.speaker) for one in (said.as_said, part)):
            return True
    return False


def _told_in(text: str) -> list[str]:
    """The sentences of a wording; the plain one that leads it is one of them."""
    return [part for one in split(bare(text)) for part in one.split(": ")]


def _differs(mine: Slot, theirs: Slot, said: Said) -> bool:
    """Whether a statement has a value that a memory doesn't, of a sort of which that has one too; it may name both
    where it says that something has changed, and names whom that is about.
    """
    own = frozenset(said.speaker.lower().split())
    both = len(_names(mine, theirs, said)) > 1
    return any(
        found - held - own and (held - found - own or (held - own and said.marked and both))
        for sort, held in theirs.values.items()
        if (found := mine.values.get(sort))
    )


def _names(mine: Slot, theirs: Slot, said: Said) -> frozenset[str]:
    """Whom both name, but for their speaker."""
    return (mine.named & theirs.named) - {""} - frozenset(said.speaker.lower().split()) - TITLES


def _names_value(theirs: Slot, said: Said) -> bool:
    """Whether the talk beside a statement names a value that a memory has."""
    around = frozenset(terms(said.around)) - frozenset(terms(said.as_said)) - _own(said)
    return any(around & frozenset(terms(value)) for found in theirs.values.values() for value in found)


def _is_of_himself(text: str, speaker: str) -> bool:
    name = re.escape(speaker.removeprefix("The "))
    return re.search(_HIMSELF.format(name=name), bare(text)) is not None


def _own(said: Said) -> frozenset[str]:
    return frozenset(terms(said.speaker)) | TITLES


def _shared(mine: Slot, theirs: Slot, said: Said) -> frozenset[str]:
    """What both tell of or name, but for the speaker, titles, and words that many things have."""
    topics = mine.shared(theirs)
    names = (mine.named & theirs.named) - {""} - frozenset(said.speaker.lower().split())
    return (topics | names) - _own(said) - slots_words.GENERIC


def named_beside(older: Callable[[], Sequence[Entry]], said: Said) -> Iterator[Entry]:
    """The memories whose value the statement's message names as over, where the statement brings another instead."""
    if not said.brings or not (said.marked or said.turned):
        return
    mine, own = slot_of(said.as_said), frozenset(terms(said.as_said))
    over = [old for old in replaced(said.around, _own(said)) if old - own]
    denied = list(_denied(said.around))
    people = subjects_of(said.essence)
    for entry in older() if over or denied else ():
        if not any(old <= entry.terms for old in (*over, *denied)):
            continue
        text = now_of(entry.essence)
        theirs = slot_of(text)
        if is_of_agent(text) or not (_shared(mine, theirs, said) or same_subject(entry.subjects, people)):
            continue
        ended = [old for old in over if _is_first(old, text, said)]
        if any(_takes_place(_brought(mine, theirs, old, said), said) for old in ended) or any(
            old <= entry.terms and _takes_place(_fresh(mine, theirs, said), said) for old in denied
        ):
            yield entry


def _denied(text: str) -> Iterator[frozenset[str]]:
    for match in _NO.finditer(text):
        words = frozenset(terms(match["old"]))
        if len(words) > 1:
            yield words


def _is_first(old: frozenset[str], text: str, said: Said) -> bool:
    """Whether what is over is the first thing by name that a memory tells of, behind whom it is about."""
    names = [stem for name in _NAMED.findall(bare(text)) for stem in terms(name)]
    own = _own(said) | frozenset(terms(said.as_said))
    first = next((stem for stem in names if stem not in own), None)
    return first is not None and first in old and old <= frozenset(terms(text))


def _takes_place(values: frozenset[str], said: Said) -> bool:
    """Whether a statement says of some value that it is so now, or that somebody has begun with it or got it."""
    ways = _TAKES if _READ.search(said.around) else _TAKES + _GETS
    return any(
        re.search(f"{ways}{_IN_PLACE}{re.escape(value)}{_NO_PRESENT}", said.as_said, re.IGNORECASE)
        for value in values
    )


def _fresh(mine: Slot, theirs: Slot, said: Said) -> frozenset[str]:
    """The values of a statement that a memory doesn't have."""
    held = frozenset[str]().union(*theirs.values.values())
    return frozenset[str]().union(*mine.values.values()) - held - frozenset(said.speaker.lower().split())


def _brought(mine: Slot, theirs: Slot, old: frozenset[str], said: Said) -> frozenset[str]:
    """The values of a statement that are of the sort of what is over."""
    own = frozenset(said.speaker.lower().split())
    return frozenset(
        value
        for sort, held in theirs.values.items()
        if any(old & frozenset(terms(one)) for one in held)
        for value in mine.values.get(sort, frozenset()) - held - own
        if not old & frozenset(terms(value))
    )


def is_told_alike(entry: Entry, said: Said) -> bool:
    """Whether a statement tells in a memory's words, up to the value, what is otherwise now."""
    if not is_turned(said.as_said):
        return False
    mine = _words(bare(said.as_said))
    return any(
        _differ_late(mine[start:], theirs[begin:])
        for theirs in map(_words, _told_in(now_of(entry.essence)))
        for start in range(min(3, len(mine)))
        for begin in range(min(3, len(theirs)))
    )


@lru_cache(512)
def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in re.findall(r"[\w'-]+", text) if word.lower() not in _LEAN)


def _differ_late(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether both begin with one name, a verb of a state and where, and go on otherwise."""
    if mine[:3] != theirs[:3] or len(mine) < 4 or len(theirs) < 4:
        return False
    if not mine[0][:1].isupper() or mine[1] not in _STATES:
        return False
    rests = [frozenset(terms(" ".join(one[3:_LONGEST_START]))) for one in (mine, theirs)]
    return all(rests) and rests[0].isdisjoint(rests[1])


def made_beside(
    outdated: Sequence[Entry], older: Sequence[Entry], said: Said, *, sure: bool
) -> Iterator[Entry]:
    """What else was made of the messages that outdated memories were made of, and has the value that is over too."""
    for entry in older:
        if (
            entry not in outdated
            and any(entry.sources & one.sources and _has_value(entry, one, said) for one in outdated)
            and (sure or is_same_thing(entry, said))
        ):
            yield entry


def _has_value(entry: Entry, outdated: Entry, said: Said) -> bool:
    """Whether a memory has the value that is over in another one."""
    over = old_value(outdated, said)
    if over:
        return over <= entry.terms and (said.marked or not over <= frozenset(terms(said.as_said)))
    heard = frozenset(terms(said.as_said)) - _own(said)
    return said.marked and any(
        claim.main
        and claim.value
        and claim.value & heard
        and claim.value <= outdated.terms
        and claim.value - TITLES <= heard
        for claim in entry.claims[:1]
    )


def old_value(entry: Entry, said: Said) -> frozenset[str]:
    """The words of the value that a statement takes from a memory; empty where none can be told."""
    claimed = _claimed_value(entry.claims, said.claims)
    if claimed:
        return claimed
    heard = frozenset(terms(said.around)) - _own(said)
    for claim in entry.claims[:1]:
        if claim.main and claim.value - TITLES and claim.value - TITLES <= heard:
            return claim.value - TITLES
    for old in (*replaced(said.around, _own(said)), *_denied(said.around)):
        if old <= entry.terms:
            return old
    return frozenset()


def _claimed_value(theirs: Sequence[Claim], mine: Sequence[Claim]) -> frozenset[str]:
    values = [
        one.value
        for one in theirs
        for other in mine
        if one.value and other.about(one) and other.replaces(one)
    ]
    return min(values, key=lambda value: (len(value), sorted(value)), default=frozenset())
