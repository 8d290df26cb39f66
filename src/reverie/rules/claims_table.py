"""The table of claims: ways to say what somebody has one of at a time.

A frame is tried on a clause in small letters. What stands in the group ``value`` is the value, to where
``claims_words`` says that values end; a frame with a ``fixed`` value needs none. ``thing`` qualifies the attribute.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reverie.rules.claims_words import DIETS, OCCUPATIONS

_WORDS = r"(?:[\w'-]+ )"
_AN = r"(?:(?:an?|the|their|his|her|our|my|some|another|[\w-]+'s) )?"
_VALUE = r"(?P<value>\S.*)"
_NEW = (
    r"(?:(?:new|used|second-hand|little|small|big|electric|brand new|old|blue|red|white|black"
    r"|grey|silver|green) )*"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame:
    """One way to say it. ``holds`` False: it says that something is over; ``timed``: the value is a time."""

    attribute: str
    says: re.Pattern[str]
    fixed: str | None = None
    holds: bool = True
    single: bool = True
    timed: bool = False


def _frame(
    attribute: str,
    says: str,
    *,
    fixed: str | None = None,
    holds: bool = True,
    single: bool = True,
    timed: bool = False,
) -> Frame:
    pattern = re.compile(rf"\b(?:{says})")
    return Frame(attribute=attribute, says=pattern, fixed=fixed, holds=holds, single=single, timed=timed)


_HOME = (
    _frame(
        "home",
        rf"(?:lives?|living|resides?|settled|based) {_WORDS}{{0,3}}?(?:in|at|near|on) (?:the )?{_VALUE}",
    ),
    _frame(
        "home",
        rf"(?:moved|relocated|emigrated|resettled) (?!(?:everything|all|the|our|it|them|this"
        rf"|an?|his|her|my)\b|[\w-]+'s |their \w+ )"
        rf"{_WORDS}{{0,3}}?(?:to|into) {_VALUE}",
    ),
    _frame(
        "home",
        r"(?:has|have|got|found|rents?|renting|rented|bought|owns?|moved into) (?:an?|the"
        rf"|their) {_WORDS}{{0,3}}?(?:flat|apartment|house|place|room|studio|cottage) (?:in|at|on|near) {_VALUE}",
    ),
    _frame("home", r"(?:is|are) (?:now )?(?:in|at) (?P<value>[a-z][\w-]+(?: [a-z][\w-]+)?) now\b"),
    _frame("home", r"lives? (?:\w+ ){0,1}?with (?P<value>\S.*)"),
    _frame(
        "home",
        (
            rf"(?:got|has|have) (?:the keys to )?(?:the|an?|(?:his|her|their) own) (?:new )?(?:flat"
            rf"|place|house|apartment) (?:in|on|at) {_VALUE}"
        ),
    ),
    _frame("home", rf"home (?:is|has been) (?:now )?{_VALUE}"),
)
_WORK = (
    _frame(
        "employer", rf"(?:first day (?:at|with)|accepted (?:an|the) (?:job )?offer (?:from|at|by)) {_VALUE}"
    ),
    _frame(
        "title",
        r"(?<!been )(?<!was )(?:has |have |just |finally )?(?<!been )retired\b",
        fixed="",
        holds=False,
    ),
    _frame(
        "employer",
        rf"(?:works?|working|employed) {_WORDS}{{0,4}}?(?:at|for|by) (?!(?:a|an|the) (?:while"
        rf"|year|week|month|moment)|home"
        rf"|night|least|me\b|free)(?:the )?{_VALUE}",
    ),
    _frame(
        "employer",
        rf"(?:started|began|start(?:s|ing) (?:work|today)) {_WORDS}{{0,4}}?(?:at|with) (?!\d|home|the gym){_VALUE}",
    ),
    _frame(
        "employer",
        rf"(?:is|are|now|has been) (?:now )?(?:teaching|lecturing|nursing|cooking|baking|tutoring|coding) (?:at|for)"
        rf" (?:the )?{_VALUE}",
    ),
    _frame("employer", rf"(?:job|position|role|contract) (?:is )?(?:at|with) {_VALUE}"),
    _frame("employer", rf"(?:employer|company) is (?:now )?(?:called )?{_VALUE}"),
    _frame("employer", rf"(?:was|got|been) hired (?:by|at) {_VALUE}"),
    _frame(
        "employer",
        (
            rf"joined (?!(?:the|a|an|their|us|in)\b)(?=.*\b(?:as an?|company|startup|role|job"
            rf"|department|work)\b){_VALUE}"
        ),
    ),
    _frame(
        "employer",
        rf"(?:quit|left|resigned from|laid off (?:by|from)|fired (?:by|from)|let go by|handed "
        rf"in {_WORDS}{{1,2}}notice at)"
        rf" (?:{_AN}(?:job|position) (?:at|with) )?(?!{_AN}(?:job|house|room|party|office|city|country)\b){_VALUE}",
        holds=False,
        single=False,
    ),
    _frame(
        "employer",
        r"(?:quit|left|lost) (?:the|their|his|her) (?:old )?job\b|(?<!been )(?:has |have |just |finally "
        r")?(?<!been )retired\b",
        fixed="",
        holds=False,
    ),
    _frame(
        "title",
        rf"(?:works?|working|job|role|position|hired|started|starting) {_WORDS}{{0,2}}?as {_AN}{_VALUE}",
    ),
    _frame(
        "title",
        rf"(?:promoted (?:[\w'-]+ )?to|made [\w'-]+|became|become) {_AN}"
        rf"(?P<value>(?:[\w-]+ ){{0,3}}?{OCCUPATIONS}\b.*)",
    ),
    _frame(
        "title",
        (
            rf"(?:is|are) (?:now )?(?:an? |the )(?P<value>(?:\w+ )?{OCCUPATIONS})(?=$|[.,;!]"
            rf"| (?:at|in|for|with|on|by|there|now|and|but)\b)"
        ),
    ),
    _frame("title", rf"(?:job title|job|profession|occupation|role) is (?:now )?{_AN}{_VALUE}"),
    _frame(
        "hours",
        r"(?:works?|working|went|going|down to|up to|is) (?:(?:now|only|usually|back) )*"
        r"(?P<value>(?:part[- ]time|full[- ]time|nights|night shifts?|day shifts?|early shifts?|late shifts?"
        r"|(?:two|three|four|five) days|\d+ hours)\b)",
    ),
    _frame(
        "workplace",
        r"works? (?:(?:now|only|mostly|fully) )*(?P<value>remotely|from home|on site|in the office)\b",
    ),
    _frame("workplace", r"(?:is|are|goes|went) (?:\w+ )?back (?:in|at|to) (?P<value>the office)\b"),
)
_LIVING = (
    _frame("car", rf"drives? {_AN}{_NEW}{_VALUE}"),
    _frame(
        "car", rf"(?:bought|got|picked up|leased|leases|leasing|ordered|purchased) {_AN}{_NEW}(?P<value>\S.*)"
    ),
    _frame("car", rf"(?:car|ride|vehicle) is (?:now )?{_AN}{_NEW}{_VALUE}"),
    _frame("car", rf"(?:traded|swapped|exchanged) {_AN}[\w -]+? (?:in )?(?:for|against) {_AN}{_NEW}{_VALUE}"),
    _frame("car", rf"sold {_AN}{_NEW}{_VALUE}", holds=False, single=False),
    _frame(
        "commute",
        r"(?:commutes?|commuting|goes|gets|travels?) (?:to (?:work|the office|school|uni|campus) "
        r")?(?:by|on (?:the|foot|a)|via) ?"
        r"(?:the )?(?P<value>(?:bus|train|tram|bike|bicycle|car|metro|tube|subway|ferry|foot|scooter|e-bike)\b.*)",
    ),
    _frame(
        "commute",
        (
            r"takes? the (?P<value>(?:bus|train|tram|bike|metro|tube|subway|ferry)\b).* (?:to"
            r"|into) (?:work|the office|school|uni|town|campus)"
        ),
    ),
    _frame(
        "commute",
        (
            r"(?P<value>cycles?|bikes?|cycling|biking|walks?|walking|drives?|driving) (?:in "
            r")?to (?:work|the office|school|uni|campus)"
        ),
    ),
    _frame(
        "diet",
        (
            rf"(?:is|are|be|been|being|went|turned|gone|became|become|going|stayed) (?:\w+ "
            rf"){{0,3}}?(?P<value>{DIETS})\b"
        ),
    ),
    _frame("diet", rf"(?:eats?|eating|keeps?|follows?) (?:\w+ ){{0,2}}?(?P<value>{DIETS})\b"),
    _frame("eats", r"(?:eats?|eating|having) (?P<value>meat|fish|chicken)(?: and \w+)? again\b"),
    _frame(
        "diet",
        (
            r"(?:gave up|stopped eating|quit|no longer eats?|cut out|stopped having) (?:all "
            r")?(?P<value>meat|fish|dairy|eggs?|sugar|gluten|animal products)\b"
        ),
    ),
    _frame(
        "smoking",
        r"(?:haven't|hasn't|have not|has not) smoked|smoke-free|non-smoker|last cigarette",
        fixed="",
        holds=False,
    ),
    _frame("the email", r"(?P<value>[\w.+-]+@[\w-]+\.[\w.-]+)(?=.*\b(?:now|from now|instead)\b)"),
    _frame("the sleep", r"sleeps? (?:around |about |only |just |roughly )*(?P<value>\w+) hours"),
    _frame("smoking", r"(?P<value>smok(?:es?|ing))\b(?! (?:detector|alarm|salmon|signal|test))"),
    _frame(
        "gym",
        (
            r"(?:goes to|go to|trains? at|works? out at|member (?:of|at)|membership (?:at"
            r"|with)|joined|signed up (?:at|with|for)) (?:the |an? )?(?P<value>[\w .-]*?(?:gym"
            r"|fit|climb|kletter|boulder|box|crossfit|studio|pool|sports)[\w -]*)"
        ),
    ),
    _frame("morning drink", r"drinks? (?P<value>\w+)\b.* (?:every|in the) morning"),
    _frame(
        "wakes",
        r"(?:wakes?|gets?|getting|waking) up (?:\w+ ){0,3}?(?:at|around|by|before) (?P<value>\S.*)",
        timed=True,
    ),
    _frame("wakes", r"alarm (?:is|goes off|rings) (?:\w+ ){0,3}?(?:at|for|to) (?P<value>\S.*)", timed=True),
    _frame(
        "sleeps",
        r"(?:goes|go|going|gets) to (?:bed|sleep) (?:\w+ ){0,3}?(?:at|around|by|before) (?P<value>\S.*)",
        timed=True,
    ),
    _frame(
        "age",
        r"(?:is|are|turned|turns|just turned) (?:now )?(?P<value>\d{1,3})"
        r"(?=$|[.,;!]| (?:years old|now|today|yesterday|and|but|on|in|already|this|last)\b)",
    ),
    _frame("the weight", r"(?:weighs?|weighing) (?:now |about |around |almost )*(?P<value>\d\S*)"),
    _frame(
        "the rent",
        (
            r"(?:pays?|paying) (?:about |now |around )*(?P<value>[\u20ac$\u00a3]?\d\S*)(?: "
            r"\w+){0,2} (?:in |of |for )?rent\b"
        ),
    ),
)
_PEOPLE = (
    _frame(
        "status",
        r"(?:broke|broken|split|splitting) up\b|(?:is|are|got) (?:now )?(?:single|separated)\b|ended things with",
        fixed="single",
    ),
    _frame(
        "status",
        (
            r"(?:is|are|got|been) (?:\w+ )?(?:dating|seeing someone|seeing a \w+)\b|(?:has"
            r"|have|got) an? (?:new )?(?:girlfriend|boyfriend)\b|in a relationship"
        ),
        fixed="relationship",
    ),
    _frame(
        "status", r"(?:is|are|got|been) (?:now |finally )?engaged\b|proposed\b.*\bsaid yes", fixed="engaged"
    ),
    _frame(
        "status",
        r"(?:is|are|got|been) (?:now |finally |happily )?married\b|(?:^|\s)married (?!to each)",
        fixed="married",
    ),
    _frame(
        "status",
        r"(?:is|are|got|been|finally) (?:now )?divorced\b|divorce (?:is|was|came) (?:final|through)",
        fixed="divorced",
    ),
    _frame(
        "partner",
        (
            r"(?:dating|engaged to|married to|in a relationship with|going out with|together "
            r"with) (?:an? )?(?P<value>\S.*)"
        ),
    ),
    _frame(
        "partner",
        (
            r"(?:girlfriend|boyfriend|partner|husband|wife|fianc\u00e9e?|fiancee?)(?:'s name)?,? "
            r"(?:is |is called |is named )(?P<value>\S.*)"
        ),
    ),
    _frame(
        "partner",
        r"(?:is|as) (?:my|their|his|her|[\w-]+'s) (?:new )?(?P<value>girlfriend|boyfriend|partner|husband|wife)\b",
    ),
    _frame(
        "studies",
        (
            r"(?:stud(?:y|ies|ying)|majors? in|majoring in|enrolled in) (?!for\b|at\b|with\b"
            r"|hard|late|abroad|more|every)(?:a degree in )?(?P<value>\S.*)"
        ),
    ),
    _frame(
        "studies",
        (
            r"switched (?:\w+ )?from (?:law|medicine|physics|maths?|biology|chemistry|history"
            r"|engineering|economics|psychology|philosophy|computer science|sociology|art"
            r"|music|german|english|french|architecture|business|politics) to (?P<value>\S.*)"
        ),
    ),
    _frame(
        "studies",
        (
            r"(?:changed|switched) (?:\w+ ){0,2}(?:majors?|degrees?|courses?|subjects?|programmes?"
            r"|programs?)(?: from [\w ]+?)? to (?P<value>\S.*)"
        ),
    ),
    _frame("reading", r"(?:is|are|started|been) (?:\w+ )?reading (?!about|up|a lot|more|to)(?P<value>\S.*)"),
    _frame("watching", r"(?:is|are|started|been) (?:\w+ )?watching (?!it|the kids|a lot)(?P<value>\S.*)"),
    _frame(
        "the number phone",
        (
            r"(?:reach|call|text) (?:me|them|him|her|[\w' -]{2,20}) (?:at|on|under) (?P<value>\+?\d[\d "
            r"-]{4,})"
        ),
    ),
    _frame("team", r"(?:supports?|roots? for) (?P<value>\S.*)"),
    _frame(
        "writing",
        (
            r"(?:is|are|started|been) (?:\w+ )?writing (?P<value>an? (?:\w+ )?(?:novel|book"
            r"|thesis|screenplay|memoir|dissertation|musical|album|paper)\b.*)"
        ),
    ),
)
_NAMES = (_frame("name", r"(?:is|are|was) (?:actually )?(?:called|named) (?P<value>\S.*)"),)
FRAMES = (*_HOME, *_WORK, *_LIVING, *_PEOPLE, *_NAMES)
"""Frames of the person who is the clause's subject."""
