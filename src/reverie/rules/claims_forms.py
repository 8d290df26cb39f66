"""Patterns of claims whose attribute is told by the words themselves: things, events, tastes, tools."""

from __future__ import annotations

import re

USES = re.compile(
    r"\b(?:uses?|using|switched|switching|changed|moved|migrated|converted|ported|adopted|gone back to|went back to"
    r"|(?:is|are|now|back|runs?|running|built|based|live) (?:\w+ )?(?:on|with)|banks? with"
    r"|account (?:is )?(?:now )?(?:with|at)"
    r"|listens? to|(?:types?|codes?|writes?) (?:\w+ )?in|sticks? with|ditched|dropped|quit|cancel(?:l)?ed|deleted"
    r"|from \w+ to)\b"
)
"""A clause that has one of these and a thing that is used says that it is used."""
LEFT = re.compile(
    r"\b(?:ditched|left|dropped|quit|cancell?ed|deleted|uninstalled|stopped using|no longer "
    r"uses?|gave up(?: on)?|done with)\s+(?:the |their |my )?$"
)
ORIGIN = re.compile(
    r"\b(?:from|instead of|rather than|replac(?:ed|es|ing)|not|no longer|than|over|instead"
    r"|goodbye|bye|sorry|farewell|forget|rip|sold|like)\s+(?:the |using |their )?$"
)

THING = re.compile(
    r"(?P<thing>(?:[\w\u00e9-]+ ){0,3}?[\w\u00e9-]+) (?:is|are|has changed to|was changed to"
    r"|changed to|became|has become"
    r"|(?:went|has gone|is|goes|was put) (?:up|down) to|rose to|increased to|dropped to|was raised to)"
    r" (?:now |actually |currently |these days )*(?P<value>\S.*)"
)
"""Behind an owner: what he has one of, and what that is."""
FAVOURITE = re.compile(
    r"(?P<value>[\w' -]+?) (?:is|are|has become|became) (?:now |definitely |officially |still "
    r"|easily )*(?:their|his|her|my|[\w-]+'s)"
    r" (?:(?:new|absolute|all-time|current) )*(?P<thing>favou?rite (?:[\w-]+ ?){1,3})"
)
_SCHEDULES = (
    r"(?:(?:re)?scheduled|slipped|slips|moved|pushed|shifted|postponed|changed|brought forward|put back|set"
    r"|planned|due|held|moves|starts?|begins?|takes place"
    r"|(?<=is )|(?<=are )|(?<=was )|(?<=now )|(?<=always )|(?<=be )|(?<=usually )|(?<=actually "
    r"))\s?(?:(?:back|forward|up|again) )*(?:from [\w: ,]+? )?"
    r"(?:to|for|until|till|on|at|by|in|every|each) (?P<value>\S.*)"
)
SCHEDULES = re.compile(_SCHEDULES)
"""How SCHEDULED ends, which costs little to look for."""
SCHEDULED = re.compile(
    r"(?P<thing>(?:[\w'\u00e9-]+ ){0,5}?[\w'\u00e9-]+) (?:(?:has|have|had) been |(?:was|were"
    r"|got|gets|is being|is|are|will be)"
    rf" (?:now |always |usually |actually )*)?{_SCHEDULES}"
)
"""A thing that has its time."""
_DATES = (
    r"(?:is|are|was changed to|changes to|changed to) (?:now |actually |always )*"
    r"(?P<value>(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\d{1,2} (?:january|february"
    r"|march|april|may|june|july|august"
    r"|september|october|november|december)|\d{1,2}[:.]\d\d|\d{1,2} ?[ap]m|noon)\b.*)"
)
DATES = re.compile(_DATES)
"""How DATED ends."""
DATED = re.compile(rf"(?P<thing>(?:[\w'\u00e9-]+ ){{0,5}}?[\w'\u00e9-]+) {_DATES}")
RENAMED = re.compile(
    r"\b(?:renamed|rebranded|upped|raised|increased|lowered|bumped|reset|changed) (?:the |our "
    r"|their |my |it |[\w-]+'s )?(?P<thing>[\w -]*?)(?: "
    r"from [\w ]+?)? ?(?:to|as|into) (?P<value>\S.*)"
)
RESCHEDULED = re.compile(
    r"(?:meets? for|goes to|attends?|plays?|teaches|takes?|moved|rescheduled|pushed|shifted"
    r"|postponed|changed|brought|put|booked|set|has|have|got|scheduled|made) (?:(?:the|their"
    r"|his|her|our|my|an?|[\w-]+'s) )?(?P<thing>(?:[\w\u00e9'-]+ ){0,4}?[\w\u00e9'-]+?)"
    r" (?:(?:back|forward|up) )?(?:from [\w: ,]+? )?(?:to|until|till|for|on|at|by|every) (?P<value>\S.*)"
)
CALLED_OFF = re.compile(
    r"(?P<thing>(?:[\w\u00e9'-]+ ){0,4}?[\w\u00e9'-]+) (?:is|was|has been|got|have been|are"
    r"|were) (?:cancell?ed|called off|off\b(?! (?:to|from)))"
    r"|(?:cancell?ed|called off) (?:the|their|his|her|my) (?P<other>(?:[\w\u00e9'-]+ ){0,4}?[\w\u00e9'-]+)(?=$"
    r"|[.,;!]| (?:on|at|because|for|as)\b)"
)
PREFERS = re.compile(
    r"\bprefers? (?P<value>[\w' -]+?) (?:over|to|rather than|instead of|than) (?P<other>[\w' "
    r"-]+)|\blikes? (?P<value2>[\w' -]+?) (?:more|better) than (?P<other2>[\w' -]+)"
)
LIKES = re.compile(
    r"\b(?P<likes>(?:(?:likes|loves|enjoys|adores|(?:they|and) (?:also |really |do )?(?:like|love|enjoy))"
    r"|(?:is|are) (?:really )?(?:into|fond of)|(?:is|are) a (?:big |huge )?fan of|(?:came|come) "
    r"to (?:like|love|enjoy)"
    r"|(?:started|learned|grown|grew) to (?:like|love|enjoy)|fell in love with)"
    r"|(?:hates|dislikes|detests|(?:they|and) (?:hate|dislike)|can't stand|cannot stand|can't bear"
    r"|(?:doesn't|does not|don't|didn't|no longer) (?:really |even )?(?:likes?|enjoys?|loves?)"
    r"|(?:is not|isn't) (?:a fan of|into|fond of)|went off|has gone off|fell out of love with))"
    r" (?!it\b|that\b|this\b|these\b|those\b|when\b|how\b|what\b|the (?:idea|way|sound|word|use)\b"
    r"|to (?:know|see|hear)\b|him\b|her\b|them\b|the (?:user|assistant)\b)(?P<value>\S.*)"
)
DISLIKES = re.compile(
    r"hate|dislike|detest|stand|bear|n't|not|no longer|went off|gone off|over|sick of"
    r"|tired of|done with|bored|out of love"
)
ABLE = re.compile(
    r"\b(?P<able>can(?:'t|not)?|(?:doesn't|don't) know how to|knows how to|learned (?:how )?to"
    r"|learnt (?:how )?to|is (?:not |un)?able to)"
    r" (?:not )?(?:now |finally |even |still |really )*(?P<value>(?:swim|drive|cook|ski|dance"
    r"|sing|ride|skate|juggle|sew|knit|code|program|type|whistle"
    r"|play (?:the|chess)|speak [a-z]+|dive|surf|sail|fly|bake|box|climb)\b.*)"
)
COUNT = re.compile(
    r"\b(?:has|have|owns?|keeps?) (?:now |got )*(?P<value>\d+|one|two|three|four|five"
    r"|six|seven|eight|nine|ten|an?) (?:\w+ )?(?P<thing>kids?|children|sons?|daughters?"
    r"|cats?|dogs?|hens?|chickens?|horses?|siblings?|brothers?|sisters?|employees|monitors?"
    r"|rabbits?)\b"
)
DOES = re.compile(
    r"\b(?P<not>(?:doesn't|don't|does not|do not|never|no longer) )?(?:(?:do|does|now|also|only) )*"
    r"(?P<verb>eat|drink|smoke|wear|watch|drive|own)s? (?!the (?:user|assistant)\b|it\b|that\b)(?P<value>\S.*)"
)
