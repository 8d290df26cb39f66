"""The table of claims: ways to say what somebody has one of at a time.

A frame is tried on a clause in small letters. What stands in the group ``value`` is the value, to where
``claims_words`` says that values end; a frame with a ``fixed`` value needs none. ``thing`` qualifies the attribute.
"""

from __future__ import annotations

import re

from reverie.rules.claims_frame import Frame, frame_of
from reverie.rules.claims_people import NAMES, PEOPLE
from reverie.rules.claims_words import DIETS, OCCUPATIONS

_WORD = re.compile(r"\w+")
_DIET_WORDS = " ".join(_WORD.findall(DIETS))
_WORDS = r"(?:[\w'-]+ )"
_AN = r"(?:(?:an?|the|their|his|her|our|my|some|another|[\w-]+'s) )?"
_VALUE = r"(?P<value>\S.*)"
_NEW = (
    r"(?:(?:new|used|second-hand|little|small|big|electric|brand new|old|blue|red|white|black"
    r"|grey|silver|green) )*"
)

_HOME = (
    frame_of(
        "home",
        "live lives living reside resides settled based",
        rf"(?:lives?|living|resides?|settled|based) {_WORDS}{{0,3}}?(?:in|at|near|on) (?:the )?{_VALUE}",
    ),
    frame_of(
        "home",
        "moved relocated emigrated resettled",
        rf"(?:moved|relocated|emigrated|resettled) (?!(?:everything|all|the|our|it|them|this"
        rf"|an?|his|her|my)\b|[\w-]+'s |their \w+ )"
        rf"{_WORDS}{{0,3}}?(?:to|into) {_VALUE}",
    ),
    frame_of(
        "home",
        "flat apartment house place room studio cottage",
        r"(?:has|have|got|found|rents?|renting|rented|bought|owns?|moved into) (?:an?|the"
        rf"|their) {_WORDS}{{0,3}}?(?:flat|apartment|house|place|room|studio|cottage) (?:in|at|on|near) {_VALUE}",
    ),
    frame_of("home", "now", r"(?:is|are) (?:now )?(?:in|at) (?P<value>[a-z][\w-]+(?: [a-z][\w-]+)?) now\b"),
    frame_of("home", "live lives", r"lives? (?:\w+ ){0,1}?with (?P<value>\S.*)"),
    frame_of(
        "home",
        "flat place house apartment",
        (
            rf"(?:got|has|have) (?:the keys to )?(?:the|an?|(?:his|her|their) own) (?:new )?(?:flat"
            rf"|place|house|apartment) (?:in|on|at) {_VALUE}"
        ),
    ),
    frame_of("home", "home", rf"home (?:is|has been) (?:now )?{_VALUE}"),
)
_WORK = (
    frame_of(
        "employer",
        "first accepted",
        rf"(?:first day (?:at|with)|accepted (?:an|the) (?:job )?offer (?:from|at|by)) {_VALUE}",
    ),
    frame_of(
        "title",
        "retired",
        r"(?<!been )(?<!was )(?:has |have |just |finally )?(?<!been )retired\b",
        fixed="",
        holds=False,
    ),
    frame_of(
        "employer",
        "work works working employed",
        rf"(?:works?|working|employed) {_WORDS}{{0,4}}?(?:at|for|by) (?!(?:a|an|the) (?:while"
        rf"|year|week|month|moment)|home"
        rf"|night|least|me\b|free)(?:the )?{_VALUE}",
    ),
    frame_of(
        "employer",
        "started began starts starting",
        r"(?:started|began|start(?:s|ing) (?:work|today)) (?!(?:[\w'-]+ ){0,4}?(?:lessons?|class(?:es)?|courses?"
        r"|therapy|sessions?|treatment|dating|going out|physio|yoga|choir|school|nursery|cr[e\u00e8]che|training)\b)"
        rf"{_WORDS}{{0,4}}?(?:at|with) (?!\d|home|the gym){_VALUE}",
    ),
    frame_of(
        "employer",
        "teaching lecturing nursing cooking baking tutoring coding",
        rf"(?:is|are|now|has been) (?:now )?(?:teaching|lecturing|nursing|cooking|baking|tutoring|coding) (?:at|for)"
        rf" (?:the )?{_VALUE}",
    ),
    frame_of(
        "employer",
        "job position role contract",
        rf"(?:job|position|role|contract) (?:is )?(?:at|with) {_VALUE}",
    ),
    frame_of("employer", "employer company", rf"(?:employer|company) is (?:now )?(?:called )?{_VALUE}"),
    frame_of("employer", "hired", rf"(?:was|got|been) hired (?:by|at) {_VALUE}"),
    frame_of(
        "employer",
        "joined",
        (
            rf"joined (?!(?:the|a|an|their|us|in)\b)(?=.*\b(?:as an?|company|startup|role|job"
            rf"|department|work)\b){_VALUE}"
        ),
    ),
    frame_of(
        "employer",
        "quit left resigned laid fired let handed",
        rf"(?:quit|left|resigned from|laid off (?:by|from)|fired (?:by|from)|let go by|handed "
        rf"in {_WORDS}{{1,2}}notice at)"
        rf" (?:{_AN}(?:job|position) (?:at|with) )?(?!{_AN}(?:job|house|room|party|office|city|country)\b){_VALUE}",
        holds=False,
        single=False,
    ),
    frame_of(
        "employer",
        "job retired",
        r"(?:quit|left|lost) (?:the|their|his|her) (?:old )?job\b|(?<!been )(?:has |have |just |finally "
        r")?(?<!been )retired\b",
        fixed="",
        holds=False,
    ),
    frame_of(
        "title",
        "as",
        rf"(?:works?|working|job|role|position|hired|started|starting) {_WORDS}{{0,2}}?as {_AN}{_VALUE}",
    ),
    frame_of(
        "title",
        "promoted made became become",
        rf"(?:promoted (?:[\w'-]+ )?to|made [\w'-]+|became|become) {_AN}"
        rf"(?P<value>(?:[\w-]+ ){{0,3}}?{OCCUPATIONS}\b.*)",
    ),
    frame_of(
        "title",
        "is are",
        (
            rf"(?:is|are) (?:now )?(?:an? |the )(?P<value>(?:\w+ )?{OCCUPATIONS})(?=$|[.,;!]"
            rf"| (?:at|in|for|with|on|by|there|now|and|but)\b)"
        ),
    ),
    frame_of(
        "title",
        "job profession occupation role",
        rf"(?:job title|job|profession|occupation|role) is (?:now )?{_AN}{_VALUE}",
    ),
    frame_of(
        "hours",
        "time nights shift shifts days hours",
        r"(?:works?|working|went|going|down to|up to|is) (?:(?:now|only|usually|back) )*"
        r"(?P<value>(?:part[- ]time|full[- ]time|nights|night shifts?|day shifts?|early shifts?|late shifts?"
        r"|(?:two|three|four|five) days|\d+ hours)\b)",
    ),
    frame_of(
        "workplace",
        "work works",
        r"works? (?:(?:now|only|mostly|fully) )*(?P<value>remotely|from home|on site|in the office)\b",
    ),
    frame_of(
        "workplace", "office", r"(?:is|are|goes|went) (?:\w+ )?back (?:in|at|to) (?P<value>the office)\b"
    ),
)
_LIVING = (
    frame_of("car", "drive drives", rf"drives? {_AN}{_NEW}{_VALUE}"),
    frame_of(
        "car",
        "bought got picked leased leases leasing ordered purchased",
        rf"(?:bought|got|picked up|leased|leases|leasing|ordered|purchased) {_AN}{_NEW}(?P<value>\S.*)",
    ),
    frame_of("car", "car ride vehicle", rf"(?:car|ride|vehicle) is (?:now )?{_AN}{_NEW}{_VALUE}"),
    frame_of(
        "car",
        "traded swapped exchanged",
        rf"(?:traded|swapped|exchanged) {_AN}[\w -]+? (?:in )?(?:for|against) {_AN}{_NEW}{_VALUE}",
    ),
    frame_of("car", "sold", rf"sold {_AN}{_NEW}{_VALUE}", holds=False, single=False),
    frame_of(
        "commute",
        "commute commutes commuting goes gets travel travels",
        r"(?:commutes?|commuting|goes|gets|travels?) (?:to (?:work|the office|school|uni|campus) "
        r")?(?:by|on (?:the|foot|a)|via) ?"
        r"(?:the )?(?P<value>(?:bus|train|tram|bike|bicycle|car|metro|tube|subway|ferry|foot|scooter|e-bike)\b.*)",
    ),
    frame_of(
        "commute",
        "take takes",
        (
            r"takes? the (?P<value>(?:bus|train|tram|bike|metro|tube|subway|ferry)\b).* (?:to"
            r"|into) (?:work|the office|school|uni|town|campus)"
        ),
    ),
    frame_of(
        "commute",
        "cycle cycles bike bikes cycling biking walk walks walking drive drives driving",
        (
            r"(?P<value>cycles?|bikes?|cycling|biking|walks?|walking|drives?|driving) (?:in "
            r")?to (?:work|the office|school|uni|campus)"
        ),
    ),
    frame_of(
        "diet",
        _DIET_WORDS,
        (
            rf"(?:is|are|be|been|being|went|turned|gone|became|become|going|stayed) (?:\w+ "
            rf"){{0,3}}?(?P<value>{DIETS})\b"
        ),
    ),
    frame_of("diet", _DIET_WORDS, rf"(?:eats?|eating|keeps?|follows?) (?:\w+ ){{0,2}}?(?P<value>{DIETS})\b"),
    frame_of("eats", "again", r"(?:eats?|eating|having) (?P<value>meat|fish|chicken)(?: and \w+)? again\b"),
    frame_of(
        "diet",
        "meat fish dairy egg eggs sugar gluten animal",
        (
            r"(?:gave up|stopped eating|quit|no longer eats?|cut out|stopped having) (?:all "
            r")?(?P<value>meat|fish|dairy|eggs?|sugar|gluten|animal products)\b"
        ),
    ),
    frame_of(
        "smoking",
        "haven hasn not smoke non last",
        r"(?:haven't|hasn't|have not|has not) smoked|smoke-free|non-smoker|last cigarette",
        fixed="",
        holds=False,
    ),
    frame_of(
        "the email", "now instead", r"(?P<value>[\w.+-]+@[\w-]+\.[\w.-]+)(?=.*\b(?:now|from now|instead)\b)"
    ),
    frame_of(
        "the sleep", "sleep sleeps", r"sleeps? (?:around |about |only |just |roughly )*(?P<value>\w+) hours"
    ),
    frame_of(
        "smoking",
        "smoke smokes smoking",
        r"(?P<value>smok(?:es?|ing))\b(?! (?:detector|alarm|salmon|signal|test))",
    ),
    frame_of(
        "gym",
        "goes go train trains work works member membership joined signed",
        (
            r"(?:goes to|go to|trains? at|works? out at|member (?:of|at)|membership (?:at"
            r"|with)|joined|signed up (?:at|with|for)) (?:the |an? )?(?P<value>[\w .-]*?(?:gym"
            r"|fit|climb|kletter|boulder|box|crossfit|studio|pool|sports)[\w -]*)"
        ),
    ),
    frame_of("morning drink", "drink drinks", r"drinks? (?P<value>\w+)\b.* (?:every|in the) morning"),
    frame_of(
        "wakes",
        "wake wakes get gets getting waking",
        r"(?:wakes?|gets?|getting|waking) up (?:\w+ ){0,3}?(?:at|around|by|before) (?P<value>\S.*)",
        timed=True,
    ),
    frame_of(
        "wakes",
        "alarm",
        r"alarm (?:is|goes off|rings) (?:\w+ ){0,3}?(?:at|for|to) (?P<value>\S.*)",
        timed=True,
    ),
    frame_of(
        "sleeps",
        "bed sleep",
        r"(?:goes|go|going|gets) to (?:bed|sleep) (?:\w+ ){0,3}?(?:at|around|by|before) (?P<value>\S.*)",
        timed=True,
    ),
    frame_of(
        "age",
        "is are turned turns",
        r"(?:is|are|turned|turns|just turned) (?:now )?(?P<value>\d{1,3})"
        r"(?=$|[.,;!](?!\d)| (?:years old|now|today|yesterday|and|but|on|in|already|this|last)\b)",
    ),
    frame_of(
        "the weight",
        "weigh weighs weighing",
        r"(?:weighs?|weighing) (?:now |about |around |almost )*(?P<value>\d\S*)",
    ),
    frame_of(
        "the rent",
        "rent",
        (
            r"(?:pays?|paying) (?:about |now |around )*(?P<value>[\u20ac$\u00a3]?\d\S*)(?: "
            r"\w+){0,2} (?:in |of |for )?rent\b"
        ),
    ),
)
FRAMES = (*_HOME, *_WORK, *_LIVING, *PEOPLE, *NAMES)
_BY_WORD = {
    word: tuple(place for place, frame in enumerate(FRAMES) if word in frame.words)
    for word in frozenset[str]().union(*(frame.words for frame in FRAMES))
}


def frames_of(low: str) -> list[Frame]:
    """The frames of the person who is the subject of a clause in small letters, which they may fit, in their order."""
    places = {place for word in _WORD.findall(low) for place in _BY_WORD.get(word, ())}
    return [FRAMES[place] for place in sorted(places)]
