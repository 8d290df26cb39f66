"""Words by which the doer of a clause is known: who is a person, and what only people do."""

from __future__ import annotations

import re

from reverie.rules import glimpses_words as known
from reverie.rules.claims_words import KIN, OCCUPATIONS

_FURTHER = (
    "ex mate pal buddy bloke fella fellow guy man woman lady gentleman lad lass girl boy kid teen teenager baby twin"
    " toddler couple family folk people person crew crowd gang everyone everybody someone somebody anyone nobody"
    " no-one neighbour neighbor stranger visitor guest tenant lodger client customer patient student pupil"
    " classmate schoolmate teammate workmate colleague coworker co-worker intern trainee temp boss owner landlord mam"
    " mum mom mummy mommy dad daddy gran granny nan nana granda grandad grandpa grandma auntie aunty sis bro cuz"
    " in-law sister-in-law brother-in-law mother-in-law father-in-law son-in-law daughter-in-law"
    " stepmum stepdad stepmother stepfather stepsister stepbrother stepson stepdaughter half-sister half-brother"
    " godmother godfather godson goddaughter ex-husband ex-wife ex-boyfriend ex-girlfriend ex-boss hubby missus"
    " bridesmaid groom bride widow priest vicar nun rabbi imam mayor king queen prince princess president minister"
    " celebrity actor singer author rep agent salesman saleswoman postwoman bartender dealer crush date fiance"
    " fiancee"
    " housekeeper nurse surgeon caller scammer influencer youtuber roommate flatmate housemate other others"
)
_PLURALS = "children men women wives people folks lads parents kids twins grandparents in-laws"
_ANIMALS = r"(?:dog|cat|puppy|kitten|horse|rabbit|parrot)"
PERSON = re.compile(
    rf"(?!{_ANIMALS}s?$)(?:{KIN}|{known.ROLES}|{OCCUPATIONS}|{'|'.join(_FURTHER.split())}"
    rf"|{'|'.join(_PLURALS.split())}"
    r"|[a-z]{3,}(?:man|woman|people|(?<!m)(?<!s)ist|ician))(?:e?s)?",
    re.IGNORECASE,
)
"""A word that is a person, or people."""
DOES = (
    r"(?:bought|buys|sold|plays|played|drives|drove|works|worked|lives|lived|moved|moves|joined|quits?|adopted"
    r"|owns|owned|rents|rented|learn(?:s|ed|t)|speaks|spoke|eats|ate|drinks|drank|loves?|loved|hates|hated|likes"
    r"|liked"
    r"|switched|switches|swapped|traded|ordered|rescued|found|stud(?:ies|ied)|teaches|taught|rides?|rode|cycles"
    r"|cycled"
    r"|swims|swam|gave|gives|brought|brings|picked|chose|chooses|wears|wore|smokes|smoked|cooks|cooked|bakes|baked"
    r"|sings|sang|reads|watches|watched|collects|collected|married|marries|retired|resigned|emigrated|relocated"
    r"|ditched|proposed|hired|tried|tries|signed|enrolled|trains|trained|wants|wanted|prefers|believes|thinks"
    r"|takes|took|uses|used|named|called|runs|ran|keeps|kept|wrote|writes|booked)"
)
"""What somebody does, and things don't: a clause's subject with such a verb is one."""
OF_MANY = (
    r"(?:buy|play|drive|work|live|eat|drink|read|move|use|love|like|hate|speak|run|take|keep|want|swim|teach)"
)
"""The same of several people; by themselves many of these are things: the morning drink."""
HAS = (
    r"(?:has|have|had|got|gets|getting|went|goes|came|comes|left|leaves|broke|started|starts|began|begins|made"
    r"|makes|put"
    r"|puts|became|becomes|turned|needs|needed|says|said|told|asked|is|are|was|were|will|can|can't|could|isn't"
    r"|wasn't|doesn't|don't|didn't|hasn't|won't|does|did|just|finally|also|now|still|always|usually|already|recently"
    r"|never)"
)
"""What things do too, and what may stand before another verb."""
