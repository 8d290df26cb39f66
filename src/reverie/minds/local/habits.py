"""Which statements are of a habit, of what stays with somebody, or of something that is otherwise now, in few words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reverie.minds.local.statements import Statement
from reverie.rules import cue_words

_HABIT = re.compile(
    r"^(?:The user|[A-Z][\w-]+)(?: (?:(?:usually|always|often|also|mostly|sometimes|only|never) )?"
    r"(?:plays|wears|goes \w+ing|goes to (?!bed|sleep|the)|drinks|eats|smokes|collects|sings"
    r"|runs|swims|rides|cooks|bakes"
    r"|speaks|teaches|volunteers|practi[sc]es|paints|keeps|grows|takes|sleeps|writes|does (?:the"
    r"|all|their)|gets (?:their|the)"
    r"|buys|shops|listens|watches|reads|trains|attends|has (?:an?|two|three) (?:subscription"
    r"|membership|season|weekly)"
    r"|doesn't (?:drink|eat|smoke|drive|watch|wear|own|use)|is (?:single|left-handed|colou?r-?blind|an only child"
    r"|(?:vice |co-)?captain|member|head|chair))\b"
    r"|'s (?:\w+ ){1,3}?(?:is|are|runs?|has|lives?|goes|starts?) (?!(?:so|too|very|really|not"
    r"|just|getting|being|still|like|better"
    r"|worse|good|bad|great|fine|back|here|gone|done|ready|late|on fire|on edge)\b))"
)
_NEWS = re.compile(
    r"\b(?:no longer|any ?more|instead|these days|from now on|changed|switched|turns out)\b", re.IGNORECASE
)
_NOW = re.compile(
    r"\b(?:today|tonight|right now|at the moment|this|yesterday|just|currently|\d{4})\b", re.IGNORECASE
)
_NO_LASTING = frozenset({"events", "failures", "supposed"})
_FEWEST_WORDS, _MOST_WORDS, _MOST_HABITUAL = 4, 24, 14


def is_habit(essence: str) -> bool:
    """Whether somebody plainly tells of a habit, and not of today."""
    if essence.count(" ") > _MOST_HABITUAL or " like " in essence:
        return False
    return _HABIT.match(essence) is not None and _NOW.search(essence) is None


def has_turned(text: str, read: Sequence[str]) -> bool:
    """Whether somebody says of himself that something is otherwise now: that is news, however little else it says."""
    own = not (cue_words.FIRST | cue_words.TOGETHER).isdisjoint(read)
    return (
        own
        and _FEWEST_WORDS <= len(read) <= _MOST_WORDS
        and _NEWS.search(text) is not None
        and _NOW.search(text) is None
    )


def is_lasting(one: Statement, read: Sequence[str]) -> bool:
    """Whether somebody tells of what stays with him, in few words."""
    if len(read) > _MOST_WORDS:
        return False
    return (
        one.told is not None
        and one.told.own
        and not one.told.row.passes
        and one.told.row.name not in _NO_LASTING
    )
