"""Orders: sentences that tell an agent what to do from now on, and lessons that would have it do what nobody said.

Capture reads what people state for good; this is for what a mind proposes, which may be told in any verb. A remark, a
question, a quotation and what somebody else is said to think are no orders.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.rules.forgetting import sentences
from reverie.rules.stating import Form, forms_of
from reverie.rules.terms import words_of

_POLITE = (
    r"^[\s*\u2022-]*(?:(?:ok|okay|please|so|and|also|but|well|hey|remember|note|rule|important|reminder)\b"
    r"[\s,:!-]*)*"
)
_NOT_TOLD = r"(?!(?:I|I'\w+|we|we'\w+|he|she|they|it|it's|there|my|our|his|her|their|the|an?)\b)"
_STANDING = re.compile(
    rf"{_POLITE}(?:"
    r"(?:from now on|from here on|going forward|in (?:the )?future|as of (?:now|today)|starting (?:now|today))\b"
    rf"[\s,:]*(?:please\s+)?{_NOT_TOLD}[a-z]"
    rf"|(?:always|never)\s+{_NOT_TOLD}(?!(?:nice|good|great|happy|glad|fun|mind|again)\b)[a-z]"
    r"|under no circumstances\b"
    r"|(?:don't|do not|dont)\s(?=.*\b(?:ever|any ?more|again|without|unless|before|until|\w+days)\b)"
    r"|you\s+(?:must|mustn't|are to|are not to|are not allowed to|may not|may only|may no longer)\b"
    r"|(?:you\s+(?:should|need to|have to)|I(?:'d| would)?\s+(?:want|need|like)\s+you\s+to"
    r"|(?:make|be)\s+sure\s+(?:to|you))"
    r"\s+(?:always|never)\b"
    r"|(?:whenever|every time|each time)\b.*,\s*(?:please\s+|always\s+|never\s+|don't\s+)*"
    rf"{_NOT_TOLD}[a-z]"
    r")",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[.!?;:,\n()\u2013\u2014]|\b(?:and|but|then|so|or)\b", re.IGNORECASE)
_IDLE = frozenset("please just also simply now first next ok okay always only must should you".split())
_DONE = frozenset(
    """send pay transfer wire forward give share post publish delete remove erase drop deploy run execute install call
    mail email message write open buy order book sell cancel disable enable turn switch ignore disregard override
    bypass skip approve accept agree click download upload reveal disclose show grant allow let push commit merge
    change set make move put trust obey invite sign submit reply answer stop pretend hide never don't do refuse
    deny""".split()
)
"""What an order has an agent do, beside thinking and asking."""
_HELD = frozenset("only without unless except before until after if when whenever while".split())
"""Words by which an order holds on a condition."""


def standing_orders(text: str) -> Iterator[str]:
    """The sentences of a message by which its speaker tells what is to be done from now on."""
    for sentence in sentences(text):
        if sentence.rstrip("\"')* ").endswith("?"):
            continue
        if _STANDING.match(sentence.replace("\u2019", "'")) or Form.CONSTRAINT in forms_of(sentence):
            yield sentence


def conditions(text: str) -> frozenset[str]:
    """The words of it by which an order holds on a condition: without, unless, only."""
    return _HELD.intersection(words_of(text))


def orders_in(lesson: str) -> Iterator[str]:
    """The clauses of a lesson that would have an agent do something, beside asking, noting and thinking of it."""
    for clause in _CLAUSES.split(lesson.replace("\u2019", "'")):
        words = [word for word in words_of(clause) if word not in _IDLE]
        if words and words[0] in _DONE:
            yield clause.strip()
