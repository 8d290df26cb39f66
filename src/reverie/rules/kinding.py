"""What kind of memory a statement makes, read off its words."""

from __future__ import annotations

import re

from reverie.domain.kinds import Kind
from reverie.rules.lasting import lasting

_RELATIVES = r"""
wife|husband|partner|spouse|girlfriend|boyfriend|fianc\u00e9e?|mother|mom|mum|father|dad|parents?|sister|brother
|siblings?|son|daughter|kids?|child|children|grandmother|grandma|grandfather|grandpa|aunt|uncle|cousin|niece|nephew
|friends?|roommate|flatmate|neighbou?r|boss|manager|colleagues?|coworkers?|teammates?|mentor|teacher|landlord
|in-laws|family
"""
_TIMES = r"""
day|morning|afternoon|evening|night|week|weekend|weekday|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day
"""
_VERBOSE_RULES: tuple[tuple[Kind, str], ...] = (
    (
        Kind.PITFALL,
        r"""error|bug|crash(?:es|ed)?|(?:doesn't|didn't|won't|not)\ work(?:ing)?|fails?|failed|went\ wrong|mistake
        |unable\ to|can't\ (?:find|load|connect|open|install)|couldn't|lesson\ learned|hard\ way|watch\ out|beware
        |broke(?!\ (?:up|even|the\ news)
        |\ \w+\ (?:\w+\ )?(?:ankle|arm|leg|wrist|foot|hip|rib|nose|toe|neck))|missed|overlooked""",
    ),
    (
        Kind.DECISION,
        r"""decid(?:e|es|ed|ing)|decision|chose|chosen|chooses?|(?:go|going|goes|went)\ with|settled?\ on
        |opt(?:s|ed)?\ (?:for|to)|agree[sd]?|approve[sd]?|confirm(?:s|ed)?|finali[sz]ed?|stick(?:ing)?\ (?:with|to)
        |switch(?:ed|ing)?\ to|postponed?|cancel(?:l?ed|s)?|picked|selected|final\ choice""",
    ),
    (
        Kind.PREFERENCE,
        r"""prefer(?:s|red|ence)?|favou?rites?|likes?(?!\ to\ (?:know|see|ask|start))|loves?|enjoys?|hates?|dislikes?
        |can't\ stand|rather|allerg(?:ic|y|ies)|intoleran(?:t|ce)|coeliac|celiac|halal|kosher
        |vegan|vegetarian|pescatarian|(?:doesn't|don't|can't)\ eat|avoids?
        |never(?!\ (?:been|written|had|seen|tried|learned|met|done|used)\b)|always
        |not\ a\ fan|big\ fan
        |priorit(?:y|i[sz]es?)|values?|comfortable\ with""",
    ),
    (
        Kind.GOAL,
        r"""goals?|aims?|dream|target|deadline|objective|will|(?:wants?|hopes?|hoping|plans?|planning|intends?|aiming
        |going|looking|dreams?|would\ like|'d\ like|needs?|saving|training|trying)
        \ (?:to(?!\ be\ an?\ (?:dad|mum|mom|aunt|uncle|father|mother|grand))|for|of)""",
    ),
    (
        Kind.ROUTINE,
        rf"""(?:every|each)\ (?:other\ |single\ )?(?:{_TIMES})|usually|daily|weekly|monthly|routine|habit|typically
        |regularly|(?:once|twice|\d+\ times)\ (?:a|per)\ (?:{_TIMES})|(?:most|on)\ (?:{_TIMES})s""",
    ),
    (
        Kind.RELATIONSHIP,
        rf"(?:my|our|their|his|her|\w+'s)\ (?:\w+\ )?(?:{_RELATIVES})|married|divorced|engaged",
    ),
    (
        Kind.SKILL,
        r"""knows?\ how|fluent|experienced?\ (?:in|with)|good\ at|beginner|certified|certificate|degree|expert
        |learn(?:ed|ing|s)|speaks?|skilled|trained|stud(?:y|ies|ied|ying)""",
    ),
    (
        Kind.EMOTIONAL,
        r"""feel(?:s|ing)?|felt|worr(?:y|ies|ied)|anxious|anxiety|stress(?:ed|ful)?|overwhelm(?:ed|ing)
        |exhaust(?:ed|ing)|sad|afraid|scared|angry|frustrat(?:ed|ing)|guilty?|proud|relieved|lonely|nervous|excited
        |upset|heartbroken|devastated|thrilled|grateful|despair|hopeless""",
    ),
    (
        Kind.ARCHITECTURE,
        r"""architecture|schema|database|api|endpoints?|microservices?|backend|frontend|framework|repository
        |deployment|pipeline""",
    ),
    (
        Kind.PROJECT,
        r"""projects?|thesis|chapters?|drafts?|itinerary|plan|phase|milestones?|sprints?|sessions?|outline|roadmap
        |budget|schedule|script|essay|portfolio|launch|release|campaign|proposal|scenes?""",
    ),
)
_NO_AIMS = frozenset({"health", "loss", "home", "job", "joy", "birthday"})
"""What is told of life is a fact, though it also says what somebody will or wants: rows of ``rules.lasting_table``."""
_RULES = tuple(
    (kind, re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE | re.VERBOSE)) for kind, pattern in _VERBOSE_RULES
)


def kind_of(statement: str) -> Kind:
    """The kind of a statement, a FACT where nothing says otherwise; the same for the same text.

    Never POLICY or WORKFLOW: these steer an agent, and are nothing to be guessed.
    """
    kind = next((kind for kind, pattern in _RULES if pattern.search(statement)), Kind.FACT)
    if kind is Kind.GOAL and (told := lasting(statement)) is not None and told.row.name in _NO_AIMS:
        return Kind.FACT
    return kind
