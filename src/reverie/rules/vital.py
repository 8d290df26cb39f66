"""What nothing but quotation marks or its own speaker takes back: his allergies, medicines and conditions, his standing
rules.

The rules that veto (``rules.quoting``, ``rules.figurative``, ``rules.made_up`` and their callers) judge by signs, and
signs err. A taste that is lost is a pity; an allergy that is lost does harm. So what tells one plainly, in the first
person, stays wherever whose words they are is only guessed.
"""

from __future__ import annotations

import re

from reverie.rules.glimpses_words import MEDICINES

_VERY = (
    r"(?: (?:also|both|now|very|badly|severely|deathly|mildly|highly|quite|really|still|actually|literally|officially"
    r"|a|an|the|bit|slightly|extremely|life-threateningly|type|one|two|1|2|lactose|gluten|fructose|histamine)){0,3}"
)
_IS = (
    r"(?:allergic|intolerant|coeliac|celiac|diabetic|asthmatic|epileptic|ana?emic|ha?emophiliac|immunocompromised"
    r"|immunosuppressed|dyslexic|autistic|bipolar|deaf|blind|colou?r-?blind|hiv[ -]positive)"
)
_CONDITION = (
    r"(?:allerg(?:y|ies)|intolerances?|diabetes|asthma|epilepsy|lupus|arthritis|migraines?|adhd|copd|pacemaker|cancer"
    r"|leuka?emia|hypertension|high blood pressure|epi-?pen|syndrome|disorder|disease|condition|coeliac|celiac|crohn's"
    r"|eczema|psoriasis|endometriosis|fibromyalgia|depression|dementia|hiv|ms|tinnitus|dyslexia|haemophilia|hemophilia)"
)
_MEDICINE = (
    rf"(?:{MEDICINES}|medications?|medicines?|meds|pills?|tablets?|inhalers?|blood thinners?|antidepressants?"
    r"|anticoagulants?|steroids|chemo(?:therapy)?|dialysis|hrt|\d+ ?(?:mg|mcg|ml)|penicillin|propranolol|losartan"
    r"|rivaroxaban|apixaban|lithium|lamotrigine|levetiracetam|methylphenidate|ritalin|ozempic)"
)
_SAYS = re.compile(
    rf"\b(?:i'm|im|i am|we're|we are|i've (?:always )?been){_VERY} {_IS}\b"
    rf"|\b(?:i|we)(?:'ve| have|'ve got| have got| got| suffer from| carry| live with| was diagnosed with"
    rf"| am diagnosed with| was born with)(?: [\w-]+){{0,4}}? {_CONDITION}\b"
    rf"|\b(?:i take|i'm taking|im taking|i am taking|i'm on|im on|i am on|i use|i need|i was prescribed"
    rf"|i've been prescribed|i've been put on|i was put on)(?: [\w-]+){{0,4}}? {_MEDICINE}\b"
    r"|\b(?:i|we) (?:never|always)(?: ever)? (?!(?:lov|ador|enjoy|want|thought|knew|said|told|had|was|were|saw|went|got"
    r"|heard|met|did|made|took|came|gave|found|felt|hope|wonder|wish|dream|end up)|[a-z]+ed\b)[a-z]+"
    r"|^\W*(?:please,? )?(?:never|always|don't ever|do not ever) (?!mind\b|again\b|said\b|been\b)[a-z]+ [a-z]+"
)
_IN_JEST = re.compile(
    r"\ballergic to (?:mondays?|tuesdays?|work|working|people|mornings?|stupid\w*|nonsense|bullshit|effort|exercise"
    r"|responsibilit\w+|commitment|fun|drama|meetings?|small talk|idiots|adulting|being|housework|cleaning|my (?:job"
    r"|boss|ex|sister|brother|family|alarm))\b"
)
_NOT_PLAIN = re.compile(
    r"\b(?:(?<!as )if|unless|would|imagine|pretend\w*|suppos\w+|as though)\b|\?\W*$"
    r"|\b(?:thinks?|believes?|assumes?|reckons?|says?|said|claims?|joked?|dreamt|dreamed)(?: that)? (?:i|we)\b"
)
_HINTS = (
    "allerg", "intoleran", "i'm ", "im ", "i am ", "we're ", "we are ", "never", "always", "don't ever", "do not ever",
    "i've ", "i have ", "we have ", "i suffer", "i carry", "i live with", "i got ", "i take", "i use", "i need",
    "i was ",
)  # fmt: skip
"""One of these stands wherever the statements do."""
_LONGEST = 600  # characters


def vital(sentence: str) -> bool:
    """Whether a sentence tells plainly, in the first person, of an allergy, a medicine or a condition, or gives a
    standing rule ("I never …", "always …"). Its first 600 characters are read.
    """
    low = sentence[:_LONGEST].lower().replace("\u2019", "'")
    if not any(map(low.__contains__, _HINTS)) or _SAYS.search(low) is None:
        return False
    return _IN_JEST.search(low) is None and _NOT_PLAIN.search(low) is None
