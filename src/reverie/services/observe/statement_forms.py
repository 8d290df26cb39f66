"""Forms of sentences in which people state something for good: a rule, a taste, a condition of health, a correction, a
wish that something be remembered.

A form is the grammar of a sentence and no more: whether the words are the speaker's own, meant, and for good is the
judges' to say (``ports.judges``), and capture keeps nothing without them. English alone. ``docs/why/capture.md``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from reverie.domain.capture import CapturePattern


class Form(StrEnum):
    """What a sentence may be, what binds most first."""

    THIS = "remember this"
    THESE = "remember these"
    REMEMBER = "remember"
    HEALTH = "health"
    CONSTRAINT = "constraint"
    RULE = "rule"
    ORDER = "order"
    TASTE = "taste"
    CORRECTION = "correction"


MOST_READ = 600
"""Characters of a sentence that are read."""
_MOST_CLAUSES = 12


def _any(words: str) -> str:
    """Return a pattern of any of the words; an underscore within one is a space."""
    return f"(?:{'|'.join(words.split()).replace('_', ' ')})"


_OPENERS = _any(
    """ok okay so and also but well hey hi yes yeah yep oh ah btw fyi please pls plz kindly just then plus honestly
    anyway again one_(?:more_)?thing by_the_way in_general generally thanks thank_you sorry important reminder"""
)
OPENING = (
    rf"(?:[\s>*_\u2022#(\"'\u2013\u2014-]|\d{{1,2}}[.)]\s|{_OPENERS}\b[\s,.:;!\u2013\u2014-]{{0,4}}){{0,12}}+"
)
AT = rf"(?:^|[,;:.!?(\u2013\u2014]\s{{0,3}}|\s(?:and|but|so|or|then|because)\s){OPENING}"
"""Where a clause begins: at the first word that isn't a mere opening."""
_NOT = r"(?:(?:do|does|wo|will|ca|can)(?:n'?t| not)|cannot|am not|'m not|not)"
_VERY = (
    r"(?:[a-z]{2,12}ly|so|very|quite|much|also|just|still|always|never|only|kind of|a bit|a little|too|now)"
)
_I = rf"\b(?:i|we)(?:'[a-z]{{1,2}})?(?: {_VERY}){{0,2}}"
_FEW = r"(?: [\w.'-]{1,20}){0,5}"
_DO = _any(
    """add address answer apologi[sz]e ask assume avoid be begin book bring bullet bundle buy call cc change check
    choose cite close comment commit confirm consider convert copy correct count create cut deploy double-check draft
    drop email end explain file finish flag follow format give go greet group ignore include install keep lead leave
    let limit link list log look mail make mark mention merge message name note number offer open order phone pick plan
    prefer prefix print propose push put quote quiz read recommend refer remind reply respond return round run save say
    schedule send set share show sign skip sort speak spell split squash stand start stay stick stop suggest
    summari[sz]e switch talk tell test text throw touch translate treat trust try update use verify wait warn wrap
    write"""
)
"""What an agent can be told to do."""
_FOR_GOOD = _any(
    r"""always never ever every_?time each_time any_?time whenever wherever every_\w{3,12} from_now_on from_here_on
    going_forward in_(?:the_)?future by_default as_a_rule in_general no_matter at_all_times under_no_circumstances
    without_exception no_exceptions ever_again any_?more no_longer unless_i as_long_as until_i_(?:say|tell) only
    (?:in|on|for)_(?:this|our|my)_(?:repo|repository|project|code_?base|team|house|home|company|class|chat|calendar)"""
)
_ILL = _any(
    "allerg(?:ic|y|ies) intoleran(?:t|ce) coeliac celiac diabet(?:ic|es) asthma(?:tic)? epilep(?:tic|sy) pregnant"
)
_MEDICINE = _any(
    """mg mcg milligrams? pills? tablets? injections? medications? medicines? meds insulin inhaler blood_thinners?
    anticoagulants? beta_?blockers? antidepressants? statins? steroids dialysis epi-?pen"""
)
_TASTE = _any(
    """prefer like love enjoy adore favou?r hate dislike detest despise loathe abhor avoid refuse fear value
    prioriti[sz]e appreciate stand bear tolerate eat drink wear buy fly drive smoke own use watch read listen travel
    support seek lean gravitate opt stick steer stay_away keep_away object oppose struggle find follow want need care
    trust distrust feel get learn work_best sleep"""
)
_BEING = _any(
    """vegan vegetarian pescatarian flexitarian kosher halal fan fond keen picky afraid scared terrified averse opposed
    against sensitive wary s[ck]eptical passionate partial committed particular interested comfortable uncomfortable
    drawn bothered turned_off put_off tired sick strict morning night early visual more_of looking not"""
)
_HAVING = _any(
    r"""aversion dislike distaste hatred disdain fear \w{0,14}phobia preference fondness soft_spot weakness passion
    interest sensitivity thing_for problem_with issue_with trouble difficulty rule policy principle love hate loved
    hated liked disliked enjoyed preferred avoided into fond"""
)
_REMEMBER = r"(?:remember|(?:don'?t|do not|never) (?:ever )?forget"
_WOULD_YOU = r"(?:(?:can|could|would|will) you )?(?:please )?(?:always )?"

_SAYS: Sequence[tuple[Form, tuple[str, ...]]] = (
    (
        Form.THIS,
        (
            (
                rf"^{OPENING}{_WOULD_YOU}{_REMEMBER}|keep|note|save|memori[sz]e)"
                r" (?:this|that|it)(?: one)?(?: in mind| down)?(?: for (?:me|later|next time"
                r"|the future))?(?:,? please)?\W{0,6}$"
            ),
        ),
    ),
    (
        Form.THESE,
        (
            rf"^{OPENING}{_WOULD_YOU}{_REMEMBER}|note|memori[sz]e|keep in mind)(?: \w{{1,12}}){{0,3}} ?:(?: |$)",
        ),
    ),
    (
        Form.REMEMBER,
        (
            (
                rf"(?:{AT}{_REMEMBER}|(?:keep|bear) in mind|note|(?:make|take) (?:a )?note|for (?:future )?reference"
                r"|for the record|for your (?:records|files|notes))|\b(?:can|could|would|will) you"
                r" (?:please )?(?:remember"
                r"|note|make a note|keep in mind)|\bi(?:'d like| want| need) you to remember)(?! when\b| how\b)"
                r"(?: \w{1,10}){0,2}?(?:[,:\u2013\u2014-]{1,2} |,? that | (?:my|our|the|i|i'm|we|to) )"
            ),
        ),
    ),
    (
        Form.HEALTH,
        (
            rf"\b(?:i'?m|am|is|are|was|has|have|got|'ve|'s|suffers? from|live with){_FEW} (?:[a-z]{{3,12}}-)?{_ILL}\b",
            (
                rf"\bi(?:'m| am|'ve been| have been| was)? (?:taking|take|on|put on|prescribed|need|use|carry){_FEW}"
                rf" (?:\d{{1,4}})?{_MEDICINE}\b"
            ),
        ),
    ),
    (
        Form.CONSTRAINT,
        (
            rf"{AT}(?:(?:don'?t|do not) ever|never ever|under no circumstances|at no (?:time|point))\b",
            rf"{AT}(?:required|mandatory|forbidden|(?:hard )?(?:requirement|constraint|rule)) ?:",
            r"\bmust(?:n'?t)?\b",
            (
                r"\b(?:is|are)(?:n'?t| not)? (?:strictly |absolutely |never |always )?"
                r"(?:required|mandatory|forbidden|prohibited|banned|allowed|permitted|off[ -]limits|non-negotiable"
                r"|to be [a-z]{3,14})\b"
            ),
        ),
    ),
    (
        Form.RULE,
        (
            rf"{AT}(?:always|never)\b",
            (
                r"\byou(?:'re| are|'ll| will)? (?:must|should|shouldn'?t|can'?t|cannot|can (?:always|leave|skip"
                r"|stop|drop)|may"
                r"|need(?:n'?t| not| to)|have to|don'?t (?:have|need) to|ought|are to|not|to (?:always|never)"
                r"|always|never|aren'?t)\b"
            ),
            (
                rf"\bi(?:'d| would)? (?:{_NOT} )?(?:really )?(?:want|need|like|prefer|rather|appreciate"
                rf"|expect)(?: it (?:if|when))? (?:your?|to be|to hear|to see|to get|any|everything|every)\b"
            ),
            (
                r"\b(?:i'd|i would|i'll|would) (?:be (?:grateful|glad|obliged|happier|happy|thankful)|ask you"
                r"|rather you)\b"
            ),
            (
                r"\bwe (?:always |never |only )?(?:use|write|name|put|keep|squash|rebase|merge|deploy|ship"
                r"|commit|tag|indent|format|import|run|test|do|don'?t)\b"
            ),
            r"\bwhen(?:ever)? i (?:say|write|ask|tell|talk|send|paste|mention|type|call)\b|\bi (?:mean|go by)\b",
            rf"\bcall me\b|{AT}use{_FEW},? (?:not|instead of|rather than|over)\b",
        ),
    ),
    (
        Form.ORDER,
        (
            (
                rf"{AT}(?:(?:don'?t|do not|stop|quit|avoid|skip|no more|only|{_DO}) \w|(?:make|be) sure\b"
                r"|let(?:'s| us) \w|no [a-z]|not (?:before|after|on|in|at|without|until|while|unless)\b)"
            ),
            (
                r"\b(?:can|could|would|will) you (?:please |always |never |from now on ){0,2}"
                r"(?:not|stop|always|never|keep|use|call|put|leave|send|write|give|answer|speak) "
            ),
            rf"\b{_FOR_GOOD}\b|\b(?:please|pls|plz)\W{{0,3}}$",
        ),
    ),
    (
        Form.TASTE,
        (
            rf"{_I} (?:{_NOT} )?(?:{_VERY} ){{0,2}}{_TASTE}\b",
            rf"\bi(?:'m| am) (?:{_NOT} )?(?:{_VERY} |a |an |into |on |the ){{0,4}}{_BEING}\b",
            (
                rf"\bi(?:'ve| have) (?:{_VERY} |got |been |a |an |had |the |no "
                rf"|this ){{0,4}}(?:[a-z-]{{3,14}} ){{0,2}}?{_HAVING}\b"
            ),
            (
                r"\bmy (?:[a-z-]{2,14} ){0,3}?(?:favou?rites?|fave|go-to|preference|preferred|ideal|diet"
                r"|pet peeve|dream|passion)\b"
            ),
            (
                r"\b(?:annoys?|bothers?|irritates?|disgusts?|scares?|terrif(?:y|ies)|bores?|overwhelms?"
                r"|depress(?:es)?|suits?|makes?|gives?|leaves?|drives?) me\b"
            ),
            r"\b(?:important|crucial|essential|deal-?breaker) (?:to|for) me\b|\b(?:not|isn'?t) (?:for me|my thing)\b",
        ),
    ),
    (
        Form.CORRECTION,
        (
            (
                r"^\W{0,4}(?:(?:no|wait|sorry|oh|oops|ah|hmm|well|but|so|ok),? ){0,3}(?:actually|correction"
                r"|scratch that|i meant|i misspoke|my mistake|no)\b[,.:! ]{1,3}\w"
            ),
            (
                r", actually\W{0,2}$|\bi (?:meant|mean) [^,;]{1,60},? not \w|, not [\w' -]{1,30}\W{0,3}$"
                r"|\bit'?s (?:not|no longer)\b.{1,60}\b(?:but|it'?s|any ?more)\b"
            ),
        ),
    ),
)
_FORMS = tuple((form, re.compile("|".join(says))) for form, says in _SAYS)
_REPORTS = re.compile(
    r"\b(?:says|said|saying|tells|told|writes|wrote|texted|posted|replied|states|stated|claims|claimed|demands|demanded"
    r"|insists|insisted|suggests|suggested|recommends|recommended|advises|advised|announced|asks|asked|warns|warned"
    r"|e?mailed|messaged|heard)\b|\baccording to\b"
)
_BY_ONESELF = re.compile(r"\b(?:i|we)(?:'ve)?(?: \w{1,12})?\s$")
_BEFORE = 24  # characters before a verb of saying
_CLAUSE = re.compile(AT)
_ASKED = re.compile(r"\b(?:can|could|would|will) you\b")


def forms_of(sentence: str) -> tuple[Form, ...]:
    """Return the forms of a sentence, in their order. Time is linear."""
    text = small(sentence)
    if text.endswith("?") and not _ASKED.search(text):
        return ()
    return tuple(form for form, says in _FORMS if says.search(text))


def has_form(sentence: str) -> bool:
    """Return whether a sentence has any form."""
    return bool(forms_of(sentence))


def reports(sentence: str) -> bool:
    """Return whether a sentence tells what another said: "the site says …", but not "I said …"."""
    text = small(sentence)
    return any(
        one[0] == "according to" or not _BY_ONESELF.search(text[max(0, one.start() - _BEFORE) : one.start()])
        for one in _REPORTS.finditer(text)
    )


def pattern_of(sentence: str, patterns: Sequence[CapturePattern]) -> CapturePattern | None:
    """Return the first of a user's own patterns that matches where a clause of the sentence begins."""
    low = small(sentence)
    some = [one for one in patterns if not one.words or any(word in low for word in one.words)]
    if not some:
        return None
    text = sentence[:MOST_READ]
    places = [
        0,
        *(found.end() for found, _ in zip(_CLAUSE.finditer(low), range(_MOST_CLAUSES), strict=False)),
    ]
    for one in some:
        says = re.compile(one.says, re.IGNORECASE)
        if any(says.match(text, place) for place in places):
            return one
    return None


def small(sentence: str) -> str:
    """Return the sentence in small letters and with straight apostrophes, of the same length."""
    text = sentence[:MOST_READ].replace("\u2019", "'")
    low = text.lower()
    return low if len(low) == len(text) else text
