"""A clause that somebody said, as a standing statement about them: "I prefer tabs" → "Prefers tabs"."""

from __future__ import annotations

import re

from reverie.rules.verbs import third

_WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?")
_BARE = {"dont": "don't", "cant": "can't", "wont": "won't"}
# Their past is written like their present, and "I never put" is no past
_PRESENT = {"put": "puts", "let": "lets", "cut": "cuts", "set": "sets", "hit": "hits", "split": "splits"}
_EMPTY = frozenset("also just honestly actually personally simply do".split())
_ADVERBS = frozenset(
    "always never only really truly much very often usually still strictly exclusively solely almost even kind sort of"
    " generally typically normally mostly mainly strongly vastly greatly rather not".split()
)
# Verbs that, after "and" or a comma, go on telling what the speaker does
_GOES_ON = re.compile(
    r"(?P<before>(?:,|\b(?:and|or|but|so))\s+(?:and\s+|so\s+)?)(?P<adverbs>(?:(?!only\b|exclusively\b|never\b|solely\b)"
    r"(?:[a-z]+ly|also|always|still|much|really|often|rather|just|do)\s+)*)"
    r"(?:(?P<only>only|exclusively|never|solely)\s+)?"
    r"(?P<verb>(?(only)[a-z]+|(?:prefer|avoid|refuse|enjoy|dislike|detest|despise|adhere|abstain|am|don't|do(?=\snot\b)"
    r"|have(?=\s(?:to|no|an?)\b)|stick(?=\sto\b)|want(?=\sto\b)|try(?=\sto\s(?:avoid|limit))|only)))\b",
    re.IGNORECASE,
)
_PERSONS = {
    "my": "their", "mine": "theirs", "me": "them", "myself": "themselves", "i": "they", "i'm": "they're",
    "i've": "they've", "i'd": "they'd", "i'll": "they'll",
}  # fmt: skip
_POLITE = re.compile(r"^(?:(?:please|also|so|and|just)\s+)+", re.IGNORECASE)
_SUBJECT = re.compile(r"I(?:(?P<be>'m|\s+am)|(?P<have>'ve)|(?P<will>'ll)|(?P<would>'d))?\s+", re.IGNORECASE)
_AUXILIARY = {"be": "is", "have": "has", "will": "will", "would": "would"}
_OBJECT = re.compile(r"\b(?:my|mine|me|I'm|I am)\b(?!['\w-])", re.IGNORECASE)
_WE = re.compile(r"we\s+", re.IGNORECASE)
_OURS = re.compile(r"\b(?:we're|we|our|ours|us|ourselves)\b(?!')", re.IGNORECASE)
_TOGETHER = {
    "we're": "they're",
    "we": "they",
    "our": "their",
    "ours": "theirs",
    "us": "them",
    "ourselves": "themselves",
}
_PERSON = re.compile(r"\b(?:I'(?:m|ve|d|ll)|I|my|mine|me|myself)\b(?!['\w])", re.IGNORECASE)
_THEY_AM = re.compile(r"\bthey (am|was)\b")


def standing(clause: str, speaker: str | None) -> str:
    """The clause in the third person, told of ``speaker``, or without a subject where nobody knows the name.

    A clause that doesn't begin with "I" is an order or a statement about something else: it stays as it is, but that
    "my" and "me" become the speaker's name, or "the user". Begins with a capital letter.
    """
    clause = _POLITE.sub("", clause.replace("\u2019", "'"))
    if match := _SUBJECT.match(clause):
        rest = clause[match.end() :]
        verb = next((word for name, word in _AUXILIARY.items() if match[name]), None)
        told = f"{verb} {persons(rest)}" if verb else persons(_conjugated(rest))
        return _capital(f"{speaker} {told}" if speaker else told)
    if speaker and (match := _WE.match(clause)):
        return _OURS.sub(
            lambda ours: _TOGETHER[ours.group().lower()], f"{speaker} and others {clause[match.end() :]}"
        )
    return _capital(_told_of(clause, speaker or "the user"))


def _told_of(clause: str, name: str) -> str:
    """Whoever speaks is named once, and is "they" from then on."""
    first = _OBJECT.search(clause)
    if first is None:
        return persons(clause)
    word = first.group().lower()
    named = _of(name) if word in ("my", "mine") else f"{name} is" if word in ("i'm", "i am") else name
    return clause[: first.start()] + named + persons(clause[first.end() :])


def _of(name: str) -> str:
    return f"{name}'s"


def _conjugated(rest: str) -> str:
    """What follows "I", its first verb in the third person, and without words that say nothing before it."""
    words = list(_WORD.finditer(rest))
    kept_from = 0
    for place, match in enumerate(words):
        word = match.group().lower()
        following = words[place + 1].group().lower() if place + 1 < len(words) else ""
        if word in _EMPTY and not (word == "do" and following in ("not", "")):
            if match.start() == kept_from:
                kept_from = match.end() + 1
            continue
        if word in _ADVERBS or word.endswith("ly"):
            continue
        return rest[kept_from : match.start()] + _third(match.group()) + rest[match.end() :]
    return rest


def _third(verb: str) -> str:
    """The verb with he or she, in small letters."""
    word = verb.lower()
    word = _BARE.get(word, word)
    return _PRESENT.get(word) or third(word)


def persons(text: str) -> str:
    """The text with "they" for "I", and verbs that go on about the speaker in the third person."""
    text = _GOES_ON.sub(_third_too, text)
    text = _PERSON.sub(lambda match: _PERSONS[match.group().lower()], text)
    return _THEY_AM.sub(lambda match: "they are" if match[1] == "am" else "they were", text)


def _third_too(match: re.Match[str]) -> str:
    only = f"{match['only']} " if match["only"] else ""
    return f"{match['before']}{match['adverbs']}{only}{_third(match['verb'])}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
