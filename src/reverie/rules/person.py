"""The first person made the third: "I moved to Lisbon" said by Anna becomes "Anna moved to Lisbon".

Word by word, without a grammar: pronouns are exchanged for names, and the verb behind them is conjugated. Who is named
once is "they" later in the same text, unless another pronoun of the kind is there already. What others are quoted with
stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reverie.rules.quoting import speech
from reverie.rules.verbs import ADVERBS, MODALS, third

_WORD = re.compile(r"[A-Za-z]+(?:['\u2019][A-Za-z]+)*|[^A-Za-z]+")
_FORMS = frozenset({"'m", "'re", "'ve", "'ll", "'d"})
_AGREE = {"'m": "is", "'re": "is", "'ve": "has", "'ll": "will", "'d": "would"}
_AGREE_MANY = {"'m": "are", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_PARTICIPLES_OF_HAD = frozenset({"been", "had", "gone", "seen", "done", "taken", "given", "known", "better"})
_SUBJECT, _OBJECT, _POSSESSIVE, _OWN, _REFLEXIVE = range(5)
_FIRST = {"i": _SUBJECT, "me": _OBJECT, "my": _POSSESSIVE, "mine": _OWN, "myself": _REFLEXIVE}
_FIRST_MANY = {"we": _SUBJECT, "us": _OBJECT, "our": _POSSESSIVE, "ours": _OWN, "ourselves": _REFLEXIVE}
_SECOND = {
    "you": _SUBJECT,
    "your": _POSSESSIVE,
    "yours": _OWN,
    "yourself": _REFLEXIVE,
    "yourselves": _REFLEXIVE,
}
_AGAIN = ("they", "them", "their", "theirs", "themselves")
_OTHERS = re.compile(r"\b(?:they|them|their|theirs|themselves)\b", re.IGNORECASE)
_BEFORE_OBJECT = frozenset(
    "for to with at by from about of on in around near against without behind after before between like than "
    "help helps helped give gives gave giving show shows showed showing tell tells told telling let lets letting "
    "thank make makes made making ask asks asked asking send sends sent remind reminds reminded keep keeps kept "
    "keeping want wants get gets getting see sees saw seeing allow allows allowing guide guiding helping support "
    "suit suits fits fit bring brings need needs".split()
)
_INVERTED = MODALS | frozenset("am are do don't have haven't was were wasn't weren't".split())
_SAID_FIRST = (
    "oh|ok|okay|yes|yeah|yep|yup|no|nope|well|so|and|but|hi|hello|hey|hmm+|ah|aha|alright|right|great|perfect|wow|"
    "sure|absolutely|exactly|definitely|honestly|actually|anyway|anyways|sorry|please|also|now|thanks|thank you|"
    "excellent|fantastic|awesome|got it|sounds good|of course|you know|i mean|ugh|phew|haha|lol|btw|by the way|"
    "excellent choice|good|cool|nice|understood|certainly|wonderful|one more thing|guess what|fun fact|"
    "to be honest|tbh|news|good news|bad news|big news|update|finally|yay|woohoo|omg|listen|look"
)
_SAID_LAST = (
    "you know|i guess|i think|i suppose|honestly|right|actually|though|lol|haha|btw|by the way|tbh|as well|of course|"
    "please"
)
_OPENING = re.compile(
    rf"^(?:(?:{_SAID_FIRST})\b(?:\s*[,.!;:\u2013\u2014-]+\s*|\s+(?=(?:and|but|so)\b)))+", re.IGNORECASE
)
_JOINT = re.compile(
    r"^(?:(?:and|but|so|plus|also|well)\s+)+"
    r"(?=(?:i|i'm|i've|i'll|i'd|we|we're|we've|we'll|my|our|he|she|they|he's|she's|they're|it's|now|then|yes"
    r"|no)\b|(?-i:[A-Z][a-z]))",
    re.IGNORECASE,
)
_SIGNS = re.compile(
    r"\s*(?:[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]|(?<!\w)(?::-?[()DPp]|;-?\)|<3|xD|\^\^))+(?=\W*$)"
)
_FULL = {
    "im": "I'm",
    "ive": "I've",
    "dont": "don't",
    "cant": "can't",
    "didnt": "didn't",
    "doesnt": "doesn't",
    "isnt": "isn't",
}
_TYPED = re.compile(r"\b(?:[iI]m|[iI]ve|dont|cant|didnt|doesnt|isnt)\b")
_LOUD = re.compile(r"[!.]*![!.]*(?=\s|$)")
_ENGLISH = re.compile(
    r"\b(?:the|my|is|was|to|it|of|am|have|got|had|this|that|for|with|can|do|and|'m|but|so|just|not|she|he|they|we|you)\b",
    re.IGNORECASE,
)
_INTRODUCED = (
    r"^(?:[^.!?:;]{{0,48}}?\b)?(?:i'm|i am|it's|it is|this is|my name is|my name's|name's) {name}(?: here)?"
    r"(?:,| and| -| \u2013| \u2014)+ (?=(?:i|i'm|i've|we|we're|my|our)\b)"
)
"""Who says how he is called, and something else behind it."""
_TAIL = re.compile(
    rf"(?:,\s*(?:{_SAID_LAST})|\s+(?:actually|though|lol|haha|btw|tbh|honestly))(?=[.!?]*$)", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Voice:
    """Whose words a text is: how the speaker is called, whom "you" means, and who "we" are."""

    speaker: str
    listener: str
    together: str


def cleaned(sentence: str) -> str:
    """Without the words that open and close a sentence in talk ("Okay, well, …", "And I …", "…, you know"), signs of
    mood and exclamation marks; it begins with a capital. Empty where nothing else was said.
    """
    typed = _TYPED.sub(lambda found: _FULL[found.group().lower()], sentence.strip().replace("\u2019", "'"))
    rest = _LOUD.sub(".", _SIGNS.sub("", typed))
    rest = _TAIL.sub("", _JOINT.sub("", _OPENING.sub("", rest)))
    rest = rest.lstrip(" ,;:.!\u2013\u2014-")
    return rest[:1].upper() + rest[1:]


def third_person(text: str, voice: Voice) -> str:
    """The text as told of its speaker. Words that it doesn't know stay as they are; how he introduces himself by his
    name goes before what he tells: "I'm Ada, I bind books" is "Ada binds books".
    """
    name = re.escape(voice.speaker)
    return _Telling(re.sub(_INTRODUCED.format(name=name), "", text, flags=re.IGNORECASE), voice).told()


class _Telling:
    """One text on its way into the third person."""

    def __init__(self, text: str, voice: Voice) -> None:
        found = list(_WORD.finditer(text))
        self._words = [one.group() for one in found]
        quoted = speech(text)  # stays as it was said
        self._quoted = frozenset(
            place
            for place, one in enumerate(found)
            if any(start < one.start() < end for start, end in quoted)
        )
        self._voice = voice
        self._again = not _OTHERS.search(text)
        self._casual = _ENGLISH.search(text) is not None
        self._named: str | None = None  # who "they" would be, once somebody is named as a subject
        self._verb: tuple[str, bool] | None = None  # a subject waits for its verb: (who, whether as "they")
        self._steps = 0

    def told(self) -> str:
        """The text, word by word."""
        out = [self._word(at) for at in range(len(self._words))]
        text = "".join(out)
        return text[:1].upper() + text[1:]

    def _word(self, at: int) -> str:
        raw = self._words[at]
        if at in self._quoted:
            return raw
        if not raw[:1].isalpha():
            if re.search(r"[.!?;:,()]", raw):
                self._verb = None
            return raw
        bare, ending = _parted(raw)
        low = bare.lower()
        if low == "i" and bare != "I" and not ending and not (self._casual and self._next(at)):
            return raw  # "i." of a list, or another language's
        for table, name in (
            (_FIRST, self._voice.speaker),
            (_FIRST_MANY, self._voice.together),
            (_SECOND, self._voice.listener),
        ):
            role = table.get(low)
            if role is not None and not (low == "us" and (bare == "US" or self._is_hyphened(at))):
                return self._told_of(at, name, role, ending)
        return self._verbal(raw)

    def _is_hyphened(self, at: int) -> bool:
        """Whether it is the beginning of something like "us-east-1"."""
        return self._words[at + 1 : at + 2] == ["-"] and at + 2 < len(self._words)

    def _told_of(self, at: int, name: str, role: int, ending: str) -> str:
        if role == _SUBJECT and self._words[at].lower() == "you" and self._is_object(at):
            role = _OBJECT
        again = self._again and self._named == name
        if role == _REFLEXIVE:
            return "themselves"
        if role != _SUBJECT:
            if again:
                return _AGAIN[role]
            if role == _OBJECT:
                return name
            return _owner(name)
        self._named = name
        told = ("They" if self._opens(at) else "they") if again else name
        many = again or " and " in name
        if not ending:
            self._verb = None if self._previous(at) in _INVERTED else (name, many)
            self._steps = 0
            return told
        agree = (_AGREE_MANY if many else _AGREE)[ending]
        if ending == "'d" and (self._next(at) in _PARTICIPLES_OF_HAD or self._next(at).endswith("ed")):
            agree = "had"
        return f"{told} {agree}"

    def _verbal(self, raw: str) -> str:
        """A word that may be the verb of the subject before it."""
        if self._verb is None:
            return raw
        _, many = self._verb
        low = raw.lower()
        if low in ADVERBS or low in ("no", "longer", "all") or low.endswith("ly"):
            self._steps += 1
            if self._steps > 3:
                self._verb = None
            return raw
        self._verb = None
        if low in ("and", "or", "who", "to", "in", "on", "at", "for", "with", "from"):
            return raw
        if many:
            return {"am": "are", "was": "were", "wasn't": "weren't"}.get(low.replace("\u2019", "'"), raw)
        return third(raw)

    def _opens(self, at: int) -> bool:
        return at == 0 or bool(re.search(r"[.!?]", self._words[at - 1]))

    def _is_object(self, at: int) -> bool:
        before, after = self._previous(at), self._next(at)
        return before in _BEFORE_OBJECT and not (after and before in ("like", "than", "after", "before"))

    def _previous(self, at: int) -> str:
        if at >= 2 and self._words[at - 1].isspace():
            return self._words[at - 2].lower()
        return ""

    def _next(self, at: int) -> str:
        if at + 2 < len(self._words) and self._words[at + 1].isspace():
            return self._words[at + 2].lower()
        return ""


def _parted(raw: str) -> tuple[str, str]:
    """A pronoun and what is drawn together with it: I'm → I, 'm."""
    plain = raw.replace("\u2019", "'")
    bare, mark, rest = plain.partition("'")
    ending = mark + rest.lower()
    if bare.lower() in ("i", "we", "you") and ending in _FORMS:
        return bare, ending
    return plain, ""


def _owner(name: str) -> str:
    return f"{name}'s"
