"""The lists of words that the rows of the capture table are made of; ``patterns_table`` says what a row is."""

from __future__ import annotations

_HABIT = """
    use eat drink wear drive fly buy shop order cook bake work write read listen watch play take travel stay
    book pay walk run bike cycle sleep start end finish keep put carry bring add check test review commit push
    deploy merge log sign answer reply format choose pick opt follow consume attend sit meditate exercise train
    skip store save lock support purchase subscribe engage rent smoke hire invest spend prefer avoid refuse rely
    participate own stick rest vote lean stream visit collect accept
"""
_ORDER = """
    use write answer reply respond include add put keep give show tell ask check test run format name call
    commit push deploy merge log sign cite quote mention address speak explain start end begin finish make
    provide send store save create delete edit touch share suggest recommend assume wait confirm verify validate
    follow avoid prefer respect return round convert translate summarise summarize list sort set take pass
    import install update leave close read do book buy order schedule remind review double-check proofread refer
    stick generate print output trust skip wrap document comment
"""
_TRAIT = r"""
    aversion dislike distaste hatred disdain allergy allergies intolerance intolerances sensitivity fear phobia
    \w+phobia preference fondness soft\ spot low\ tolerance interest desire condition disability deficiency
    difficulty trouble hard\ time dyslexia asthma diabetes vertigo (?:motion|sea|car)\ sickness arthritis
    migraines? insomnia adhd autism ibs epilepsy (?:back|knee|joint|shoulder)\ (?:pain|injury|problems?)
    sensitive\ (?:skin|stomach|hearing) \w+\ disease policy rule
"""
_BEING = r"""
    allergic vegan vegetarian pescatarian pescetarian flexitarian kosher halal
    (?:lactose|gluten|dairy)[-\ ]intolerant intolerant celiac coeliac diabetic colou?r[-\ ]?blind sensitive\ to
    averse\ to opposed\ to against s[kc]eptical\ of wary\ of put\ off\ by turned\ off\ by bothered\ by
    interested\ in comfortable\ with uncomfortable\ (?:with|in|around) afraid\ of scared\ of terrified\ of
    fan\ of keen\ on fond\ of passionate\ about (?:mostly\ |mainly\ |more\ )?into particular\ about picky\ about
    (?:morning|night|cat|dog|people)\ person night\ owl early\ bird
    (?:visual|auditory|kinesthetic|hands-on)\ learner
"""
_UNKEEN = r"""
    fan\ of keen\ on fond\ of into interested\ in comfortable\ (?:with|in|around)
    (?:morning|night|cat|dog|people)\ person
"""
_FELT = """
    unsettling boring annoying irritating off-putting overwhelming distracting tedious depressing relaxing
    soothing uncomfortable unpleasant disturbing repulsive disgusting stressful exhausting dull cringe cringey
    tacky distasteful unbearable intolerable nauseating calming comforting
"""
_VERY = """
    a an very really so quite severely extremely highly deathly mildly slightly also strict strictly strongly
    firmly devout lifelong committed total huge big massive real great avid pretty
"""
_ADVERBS = r"""
    really truly just also still simply often always much very\ much do try\ to tend\ to kind\ of sort\ of
    generally usually [a-z]{3,}ly
"""


def _any(words: str) -> str:
    """A pattern of one of the words; a space within one is written with a backslash."""
    joined = words.replace("\\ ", "\0").split()
    return "(?:" + "|".join(word.replace("\0", " ") for word in joined) + ")"


LISTS = {
    "habit": _any(_HABIT),
    "order": _any(_ORDER),
    "trait": _any(_TRAIT),
    "being": _any(_BEING),
    "unkeen": _any(_UNKEEN),
    "felt": _any(_FELT),
    "very": rf"(?:{_any(_VERY)}\s+)*",
    "adverbs": rf"(?:{_any(_ADVERBS)}\s+)*",
    "am": r"(?:'m|\s+am)\s+",
    "not": r"(?:don't|do not|dont|won't|will not|can't|cannot|can not|cant)",
    "thing": r"[\w.+#-]+(?:\s+[\w.+#-]+){0,2}",
    "start": r"(?!(?:so|and|but|because|then|well|ok|okay|yes|yeah|oh|honestly|also|plus)\b)",
    "said": r"(?P<said>.+)",
}
"""What ``{name}`` stands for in a row."""

GAP = r"[\W_]+"
"""What parts words in a text that has its marks of emphasis still: for gates."""


def marked(name: str) -> str:
    """A list's pattern for such a text."""
    return LISTS[name].replace(r"\s+", GAP)
