"""Claims of what somebody has one of: "Anna's phone number is …", "X is their favourite band", "the rent is …"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.rules import claims_forms as forms
from reverie.rules.claim import Claim
from reverie.rules.claims_reading import FILLERS, cut_off, is_so, kept, value_of
from reverie.rules.claims_subject import Subjects

_FORMER = re.compile(r"\b(?:old|former|previous|last|first|ex|late|next|other|second|future|ideal|dream)\b")
_NO_THING = frozenset(
    "it this that what there problem reason idea thing things plan point goal question answer "
    "issue one life day week "
    "morning evening weekend house home part best mood head back hair eyes way turn time fault whole only".split()
)
_KEYED = frozenset(
    "name job diet major password size shift role team colour color hobby number address email "
    "e-mail phone code pin "
    "rent salary budget type birthday deadline bank provider editor framework laptop course instrument sport drink "
    "breakfast order seat extension handle username nickname ssid target pace height hometown city street employer "
    "medication dose dosage".split()
)
_PREPOSED = re.compile(
    r"^(?:on|at|in|from|to|for|with|about|by|due|scheduled|moved|not|no|so|too|very|really|quite|all|back|still"
    r"|getting|going|being|doing|having|making|also|just|gone|here|there|out|over|up|down|off|done|like)\b"
)
_CALLED = re.compile(r"^(?:called|named) ")
_ALONE = re.compile(
    r"^(?:and |so |but |btw |oh )?(?:the |our |my )?(?:new )?(?=(?:favou?rite \w+|rent|budget|deadline|(?:wifi |wi-fi "
    r")?password|project|code ?name|podcast|blog|band"
    r"|team name|shop|company|app|startup|book club|dress size|shoe size)\b)"
)


def things(text: str, low: str, named: Subjects, *, main: bool) -> Iterator[Claim]:
    """What somebody has one of: "Anna's phone number is …", "X is their favourite band"."""
    for owner, at in (*named.owners(text), *_unowned(low, named)):
        match = forms.THING.match(low, at)
        if match is None or not is_so(text[:at]) or _FORMER.search(match["thing"]):
            continue
        raw, thing = match["value"], FILLERS.sub("", match["thing"]).split()
        if not thing or thing[-1] in _NO_THING or (_PREPOSED.match(raw) and not raw.startswith("like ")):
            continue
        told = text[match.start("value") : match.end("value")]
        favourite = any(word.startswith(("favourite", "favorite")) for word in match["thing"].split())
        if not favourite and thing[-1] not in _KEYED and not _is_definite(told):
            continue
        value = value_of(_CALLED.sub("", raw))
        kin = re.search(r"^(.*)'s ([\w-]+)$", next(iter(owner), "")) if thing == ["name"] else None
        if kin is not None:
            owner, thing = frozenset({kin[1]}), [kin[2]]
        if value:
            yield Claim(
                subjects=owner, attribute=f"the {' '.join(sorted(kept(thing)))}", value=value,
                holds=not raw.startswith("not "), main=main, told=cut_off(_CALLED.sub("", told)),
            )  # fmt: skip
    for match in forms.FAVOURITE.finditer(low) if "favo" in low else ():
        owner = named.before(text, match.start("thing")) or named.first
        value = value_of(match["value"])
        if value and is_so(text[: match.start()]):
            thing = match["thing"].split()
            yield Claim(
                subjects=owner, attribute=f"the {' '.join(sorted(kept(thing)))}", value=value, main=main
            )


def _unowned(low: str, named: Subjects) -> Iterator[tuple[frozenset[str], int]]:
    """ "The rent is …": whose it is goes without saying."""
    match = _ALONE.match(low)
    if match is not None:
        yield named.first, match.end()


def _is_definite(told: str) -> bool:
    """A number or a name, which is one thing and no way of being."""
    return (
        told[:1].isdigit()
        or told[:1] == "+"
        or bool(re.match(r"(?:called |named |an? |the )?[A-Z][\w.-]+", told))
    )
