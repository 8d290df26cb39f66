"""Who a clause is about: people by name, who belongs to them, and whom a pronoun goes back to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.rules.claim import NOBODY, USER
from reverie.rules.claims_words import KIN, NO_PEOPLE, USED
from reverie.rules.doers import possessed, someone
from reverie.rules.label_words import WEAK

_OWNER = r"(?:[Tt]he user|[A-Z][\w-]+)"
_ADJECTIVES = r"(?:(?:older|younger|big|little|best|new|eldest|youngest|twin|elder|old|dear) )*"
_MENTION = re.compile(
    r"(?=[A-Zdghmnst])"  # any other letter costs little so
    rf"(?:(?P<owner>{_OWNER}(?:'s {KIN})?|[Tt]heir|[Hh]is|[Hh]er|[Tt]he|[Mm]y)(?:'s?)? {_ADJECTIVES}(?P<kin>{KIN})"
    rf"\b(?!'s? (?:name|birthday))"
    rf"(?:,? (?P<called>[A-Z][\w-]+))?"
    rf"|(?P<parent>\b(?:[Mm]um|[Mm]am|[Mm]om|[Dd]ad|[Gg]randma|[Gg]randpa|[Gg]ranny|[Gg]ran|[Nn]an)\b)(?!'s)"
    rf"|(?P<user>[Tt]he user)\b|(?P<pronoun>\b(?:[Tt]hey|[Ss]he|[Hh]e)\b)|(?P<name>\b[A-Z][\w-]+)\b)"
)
_OWNING = re.compile(rf"\b(?P<owner>{_OWNER}(?:'s {KIN})?)'s? |\b(?P<their>[Tt]heir|[Hh]is|[Hh]er) ")
_TOGETHER = re.compile(r" and ([A-Z][\w-]+)\b(?!'s)")
_OPENS = re.compile(
    r"'s? |,? and [A-Z]|,? (?:\w+ly |also |now |just |still |no longer |finally |has "
    r"|never |always )?[a-z']*(?:s|ed|t|d)\b|, |$| (?:will|can|won|went|took|got|began"
    r"|became|moved|broke|ran)"
)
_LED_TO = re.compile(
    r"\b(?:in|at|from|to|near|for|with|by|of|about|using|than|over)\s+(?:the\s+)?$", re.IGNORECASE
)
_SOME_OF = re.compile(r"\b(half|most|some|all|many|both|one|two|three|none|a few)(?: of)? $", re.IGNORECASE)
_MOST_BEFORE = 12  # characters before whom a clause begins with
_NO_NAMES = frozenset(
    "the a an in on at from since as after before for with by january february march april "
    "may june july august september "
    "october november december monday tuesday wednesday thursday friday saturday sunday i "
    "it this that these those there "
    "now today about as said remember new embarrassing embarrassingly correction update fyi "
    "reorg big his her their its our my your what when where who why how if and but so or "
    "not no yes then also both asked".split()
)


_PARENTS = {
    **dict.fromkeys("mum mam mom mummy mother".split(), "mother"),
    **dict.fromkeys("dad daddy father".split(), "father"),
    **dict.fromkeys("gran grandma granny nan grandmother".split(), "grandmother"),
    **dict.fromkeys("grandad grandpa grandfather".split(), "grandfather"),
}  # fmt: skip


class Subjects:
    """The people of one statement. ``first``: whom it is about as a whole."""

    def __init__(self, text: str, speaker: str = "") -> None:
        self._speaker = _key(speaker) if speaker else NOBODY
        self._other: frozenset[str] | None = None
        self.first: frozenset[str] = frozenset({self._speaker})
        known = False
        for match in _MENTION.finditer(text):
            keys = self._keys(match)
            if keys is None or (match["name"] and not known and _LED_TO.search(text[: match.start()])):
                continue
            if not known and match["pronoun"]:
                known = match["pronoun"].lower() == "they"
            elif not known:
                theirs = any("'s " in key for key in keys)
                self.first, known = (frozenset({_owner_of(keys)}) if theirs else keys), True
                if theirs and match["name"]:
                    self._other = keys
                together = _TOGETHER.match(text, match.end()) if match["name"] or match["user"] else None
                if together is not None:
                    self.first |= {together[1].lower()}
            elif match["name"] and keys != self.first and self._speaker not in keys:
                self._other = keys  # nobody calls himself "she"
            if match["kin"]:
                self._other = keys

    def _keys(self, match: re.Match[str]) -> frozenset[str] | None:
        if match["kin"]:
            owner = match["owner"]
            low = owner.lower()
            whose = min(self.first) if low in ("their", "his", "her", "my", "the") else _key(owner)
            if low == "the" and not match["called"] and not someone(match.string[match.start() :]):
                return None
            called = (
                {match["called"].lower()}
                if match["called"] and match["called"].lower() not in _NO_NAMES
                else set()
            )
            return frozenset(
                {f"{whose}'s {parent(match['kin'])}" if whose else parent(match["kin"]), *called}
            )
        if match["parent"]:
            whose = min(self.first)
            return frozenset({f"{whose}'s {parent(match['parent'])}"})
        if match["user"]:
            return frozenset({USER})
        if match["pronoun"]:
            if match["pronoun"].lower() == "they":
                return self.first
            if self._other is not None or self.first != frozenset({self._speaker}):
                return self._other or self.first
            return frozenset({match["pronoun"].lower()})  # whom only the talk before names
        name = match["name"].lower()
        if match.start() == 0 and not _OPENS.match(match.string, match.end()):
            return None
        if (
            name in _NO_NAMES
            or name in WEAK
            or name in USED
            or name in NO_PEOPLE
            or (match["name"].isupper() and len(name) > 3)
        ):
            return None
        theirs = possessed(match.string, match.end()) or _some_of(match)
        return frozenset({f"{name}'s {theirs}" if theirs else name})

    def before(self, text: str, at: int) -> frozenset[str]:
        """The last one named in a clause before a place; empty where nobody is."""
        found: frozenset[str] = frozenset()
        for match in _MENTION.finditer(text, 0, at):
            keys = self._keys(match)
            if keys is None:
                continue
            if found and re.search(r"\band\s*$", text[: match.start()]):
                continue
            if (match["name"] or found) and _LED_TO.search(text[: match.start()]):
                continue
            found = self.first if keys <= self.first else keys
        return found

    def of_clause(self, text: str, previous: frozenset[str] | None = None) -> frozenset[str]:
        """Whom a clause begins with; else whom it goes on to tell of, or whom the statement is about."""
        opened = self.opened_by(text)
        if opened is None:
            other = someone(text)
            return frozenset({other}) if other else previous or self.first
        return opened

    def opened_by(self, text: str) -> frozenset[str] | None:
        """Whom a clause begins with by name, or as whose; None for anybody else, and for a thing."""
        match = _MENTION.search(text)
        keys = self._keys(match) if match and match.start() < _MOST_BEFORE else None
        return self.first if keys is not None and keys <= self.first else keys

    def named_in(self, text: str) -> Iterator[frozenset[str]]:
        """Whomever a text names, in their order; who is named as an owner alone is not."""
        for match in _MENTION.finditer(text):
            keys = None if match["pronoun"] else self._keys(match)
            if keys:
                yield keys

    def owners(self, text: str) -> Iterator[tuple[frozenset[str], int]]:
        """Who has something in a clause, with the place behind it where that is named."""
        for match in _OWNING.finditer(text):
            if match["their"]:
                whose = self._other if match["their"].lower() != "their" and self._other else self.first
                yield whose, match.end()
            elif match["owner"].lower() not in _NO_NAMES:
                yield frozenset({_key(match["owner"])}), match.end()


def _some_of(match: re.Match[str]) -> str:
    """Of "half Mara's class" those whom it means."""
    some = _SOME_OF.search(match.string, 0, match.start())
    return some[1].lower() if some is not None and match.string.startswith("'s ", match.end()) else ""


def parent(word: str) -> str:
    """One word for a parent, whatever he is called."""
    return _PARENTS.get(word.lower(), word.lower())


def subjects_of(text: str) -> frozenset[str]:
    """Whom a statement is about as a whole."""
    return Subjects(text.partition(" Before that: ")[0]).first


def _key(owner: str) -> str:
    low = owner.lower().removesuffix("'s")
    return re.sub(r"^the user\b", USER, low)


def _owner_of(keys: frozenset[str]) -> str:
    for key in sorted(keys):
        if "'s " in key:
            return key.partition("'s ")[0]
    return min(keys)
