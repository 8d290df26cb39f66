"""What is said and not meant by the letter: idioms, exaggerations, oracles, and the love of what nobody loves.

"I live in hope" names no place, "I've died" is told by nobody who has, "like a million socks" is no number, and what a
horoscope says isn't so. What is vital (``rules.vital``) is meant, however it is put.
"""

from __future__ import annotations

import re

from reverie.rules.vital import vital

_PLACES = (
    r"flat|house|apartment|home|room|studio|cottage|bungalow|cabin|hut|shed|barn|mill|loft|attic|basement|cellar"
    r"|van|caravan"
    r"|camper(?:van)?|motorhome|trailer|tent|yurt|boat|houseboat|barge|narrowboat|ship|hostel|hotel|motel|dorms?"
    r"|dormitory|halls?"
    r"|residence|commune|squat|estate|condo|penthouse|duplex|terrace|semi|annexe?|mansion|castle|palace|villa"
    r"|chalet|farm"
    r"|farmhouse|ranch|convent|monastery|barracks|lighthouse|windmill|tower|block|building|complex|place|village"
    r"|town|city"
    r"|hamlet|suburbs?|outskirts|countryside|country|cent(?:re|er)|downtown|district|neighbou?rhood|quarter"
    r"|borough|parish"
    r"|county|region|province|state|canton|capital|island|isle|peninsula|coast|seaside|beach|harbou?r|port|valley"
    r"|mountains?"
    r"|hills?|woods?|forest|jungle|desert|bush|outback|sticks|nowhere|north|south|east|west|midlands|area|street"
    r"|road|lane"
    r"|avenue|square|close|court|row|estate|cul-de-sac|development|compound|shelter|refuge|dump|hole|shoebox"
    r"|garage|office"
    r"|houseshare|share|digs|lodgings?|two-bed|one-bed|bedsit|maisonette|brownstone|high-rise|tenement|garden"
    r"|town ?house"
    r"|box|part|end|corner|zone|same \w+|there|here|abroad|exile|orphanage|hospice|bus|coach|chapel|church|abbey"
    r"|community|accommodation|housing|recovery|foster care|care|prison|jail|hospital|school|dwelling|property|unit"
    r"|wagon|train|carriage|railway|warehouse|factory|pub|stable|silo|treehouse|tree house|igloo|bunker|container|pod"
    r"|suite|granny flat|extension|conversion|conservatory|arrangement|environment|climate|neighbou?rhood|suburbia"
    r"|kingdom|republic|netherlands|usa?|uk|states|emirates|philippines|bahamas|bronx|hague|alps|highlands|lowlands"
    r"|tropics|wilderness|wild|ghetto|slums?|projects|favela|camp|base|quarters|nunnery|rectory|vicarage|manor"
    r"|station|embassy|retirement|living"
)
"""Where somebody can live."""
_LIVING = re.compile(
    r"\bliv(?:e|es|ed|ing)(?: \w+ly| still| just| basically| always| mostly)? in (?!(?:[\w'-]+ ){0,3}?\W?\d)"
    r"(?P<where>[^.,;:!?\u2013\u2014]{1,60})"
)
_PLACE = re.compile(rf"\b(?:{_PLACES}|cities|countries|counties|(?:{_PLACES})s)\b", re.IGNORECASE)
_CAPITAL = re.compile(r"\b(?!I\b|I'|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)[A-Z]")
_VERY = r"(?:so|literally|actually|basically|practically|officially|totally|absolutely|just|pretty much|almost|already)"
_SAYS = r"(?:says?|said|reckons?|predict\w*|tells?|told|promis\w+|claims?|thinks?|warns?|foretold|sees?)"
_EXAGGERATED = re.compile(
    r"\b(?:I|we)(?:'ve| have)? (?:just |nearly |almost |actually )?died\b"
    rf"|\bI(?:'m| am) (?:{_VERY} )*(?:dead|deceased|a goner)\b(?! (?:tired|set|serious|sure|on|against|end|line))"
    rf"|\bI(?:'m| am) (?:{_VERY} )*dying (?:of (?:laughter|boredom|heat|cold|hunger|thirst|embarrassment|shame"
    rf"|curiosity)"
    r"|here|inside)\b"
    r"|\blike,? (?:an? |one |ten |five |two )?(?:hundred|thousand|million|billion|trillion|gazillion|zillion"
    r"|bajillion)s?\b"
    r"|\b(?:gazillion|zillion|bajillion|squillion)s?\b|\ba (?:million|billion|thousand|hundred) (?:times|years"
    r"|things|per ?cent)"
    r"|\b(?:killed|finished|destroyed) me\b|\bkill for (?:an?|some|the)\b"
    r"|\b(?:starving|bored|freezing|frozen|tickled|sick|roasting|working me|worked me) to death\b"
    rf"|\b{_VERY} (?:married to|dating|divorced from|addicted to) (?:my|the|this|that|mondays|work|people|mornings)"
    r"|\ballergic to (?:mondays|work|people|mornings)\b"
    r"|\bcould eat a horse\b|\bsell (?:my|a) (?:soul|kidney)\b|\bmy (?:brain|head|heart) (?:exploded|is exploding"
    r"|melted|died)\b"
    r"|\bbreak the internet\b|\bsince the dawn of time\b",
    re.IGNORECASE,
)
_ORACLES = re.compile(
    r"\b(?:horoscopes?|(?:my|the) stars|star sign|tarot(?: \w+)?|fortune (?:cookie|teller)|fortune-teller|psychic"
    r"|clairvoyant"
    r"|crystal ball|ouija(?: board)?|palm reader|astrolog\w+|zodiac|(?:magic )?(?:8|eight)[ -]ball|tea leaves"
    r"|prophecy|(?<!in )(?:my|the|a) medium"
    rf"|numerolog\w+|the cards|my cards|oracle)\b[^.!?]{{0,24}}?\b{_SAYS}\b",
    re.IGNORECASE,
)
_LOVES = r"(?:lov(?:e|es|ed|ing)|ador(?:e|es|ed|ing)|enjoy(?:s|ed|ing)?)"
_HATED = (
    r"(?:on hold|in a queue|stuck|traffic jams?|rained on|(?:is|are|was|were|runs?) late|delay(?:s|ed)|ignored"
    r"|overcharged|woken|yelled at|shouted"
    r" at|ghosted|stood up|ripped off|lied to|told off|blamed|spam\w*|fined|soaked|sunburn\w*|hungover|broke"
    r"|cancell?(?:ed|s)"
    r"|unpaid|toothache|migraines?|parking (?:tickets?|fines?)|robbed|patronised|mansplained|talked over|interrupted"
    r"|crash(?:es|ed)|breaks? down|doesn't work|hold music|mould|flooded|power cuts?)"
)
_SARCASTIC = re.compile(
    rf"\b(?:oh|ah|yeah)[\s,]+(?:yeah|sure|great|brilliant|fantastic|wonderful|lovely|perfect|joy|right|yay)\b[\s,.!]+"
    rf"[^.!?]{{0,24}}?\b(?:just|so|really|absolutely|totally|simply) {_LOVES} (?:\w+ing|when|it when|how|that)\b"
    rf"|\b(?:don't|doesn't|who doesn't|do not) (?:you |we |one |everyone )?(?:just )?{_LOVES}\b[^.!?]{0, 200}\bwhen\b"
    rf"|(?<!I )(?<!we )(?<!I've )\b(?:gotta|got to|(?:you|one) (?:just |really )?(?:have|has) to) love\b"
    rf"|^(?:I |we |oh |just |so |really |absolutely |yeah |sure |\W)*+{_LOVES}\b[^.!?]{{0,12}}?\b(?:(?:being"
    rf"|waiting|getting"
    rf"|standing|sitting|spending|having|paying|queuing|when)\b[^.!?]{0, 200}?\b{_HATED}\b|(?:waiting|queuing|standing"
    rf"|having to"
    r" wait)\b[^.!?]{0,200}?\b(?:an|half an|two|three|four|five|six|\d+) (?:hours?|minutes)\b)",
    re.IGNORECASE,
)
_LONGEST = 600  # characters
_LONG = 14
"""Words from which a sentence tells more than what it exaggerates."""
_HINTS = tuple(
    "in |die|dead|dying|illion|hundred|thousand|horoscope|stars|tarot|fortune|psychic|star sign|ball|astrolog|zodiac"
    "|cards|oracle|medium|prophecy|numerolog|ouija|palm|clairvoyant|tea leaves|kill|finished me|destroyed me|death"
    "|ical|basic|litera|horse|soul|kidney|explod|melted|dawn of|internet|love|loving|ador|enjoy".split("|")
)
"""One of these stands wherever anything below matches."""


def figurative(sentence: str) -> bool:
    """Whether a sentence isn't meant by the letter."""
    low = sentence.lower()
    if not any(map(low.__contains__, _HINTS)):
        return False
    plain = sentence[:_LONGEST].replace("\u2019", "'")
    return (
        _lives_nowhere(plain)
        or (plain.count(" ") < _LONG and _EXAGGERATED.search(plain) is not None)
        or _ORACLES.search(plain) is not None
        or _SARCASTIC.search(plain) is not None
    ) and not vital(plain)


def _lives_nowhere(sentence: str) -> bool:
    """ "Living in denial": what stands there is a state of mind, or clothes, and no kind of place. Any other word may
    be a name: not everybody writes capitals.
    """
    found = _LIVING.search(sentence)
    if found is None or _CAPITAL.search(found["where"]) or _PLACE.search(found["where"]):
        return False
    return _STATE.match(found["where"]) is not None


_STATE = re.compile(
    r"(?:(?:my|our|an?|the|this|constant|total|complete|pure|perpetual|utter|sheer|permanent|blissful|absolute"
    r"|eternal|mortal|old|own|same|these|comfy|pink|state of|world of|land of) )*+"
    r"(?:hope|denial|fear|dread|terror|peace|chaos|sin|squalor|poverty|luxury|harmony|misery|ignorance|bliss"
    r"|panic|shame|filth"
    r"|style|py?jamas|pjs|sweatpants|leggings|jeans|hoodies?|trainers|slippers|limbo|darkness|silence|hell|dreams"
    r"|meetings"
    r"|spreadsheets|emails|boxes|head|moment|past|future|present|shadows?|fantasy|fairy ?tale|film|movie|sitcom"
    r"|soap opera"
    r"|nightmare|simulation|bubble|dressing gown|bathrobe|onesie|tracksuit|joggers|scrubs|uniform|wellies|crocs"
    r"|happiness|sadness|darkness|madness|loneliness|blindness|readiness|expectation|anticipation|isolation|desperation"
    r"|exhaustion|frustration|resentment|excitement|amazement|contentment|torment|ignorance|abundance|defiance"
    r"|confidence|silence|innocence|existence|anxiety|stress|agony|pain|regret|doubt|worry|suspense|confusion|ecstasy"
    r"|wonder|awe|gratitude|solitude|obscurity|secrecy|technicolou?r)\b"
)
"""States of mind, and clothes."""
