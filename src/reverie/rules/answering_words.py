"""What a question asks for by its words, and how texts look that answer nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

WANTS: Sequence[tuple[re.Pattern[str], frozenset[str]]] = tuple(
    (re.compile(pattern), frozenset(sorts.split()))
    for pattern, sorts in (
        (
            r"\b(?:what|which) time\b|\bwhen\b.* (?:get up|wake|go to bed|start work|open|close)\b",
            "time number",
        ),
        (r"\b(?:what|which) (?:day|days|weekday|evening|night|morning|afternoon)\b", "day date"),
        (r"\b(?:what|which) month\b", "month date"),
        (
            r"\b(?:what|which) date\b|^when\b|\bwhen (?:is|are|does|do|will)\b|\bbirthday\b|\bdeadline\b|\bdue\b",
            "day date time month",
        ),
        (r"\bhow (?:many|much|old|long|often|far|big|tall|heavy|high|early|late|large)\b", "number time"),
        (
            (
                r"\b(?:number|rent|price|pin|code|salary|wage|budget|dose|dosage|size|target|weight|age|costs?|fee|score"
                r"|room|seat|platform|bus|floor|pace|password|mg|bpm|locker|desk|extension)\b"
            ),
            "number",
        ),
        (r"\bcolou?r\b", "colour"),
        (r"\blanguages?\b", "language name"),
        (r"\binstruments?\b|\bplay in\b|\bsing\b|\bvoice\b", "instrument"),
        (r"\bsports?\b|\bexercise\b|\bkeep fit\b|\btraining\b", "sport"),
        (r"\bdrinks?\b", "drink"),
        (r"\bcar\b|\bdrives?\b|\bvehicle\b|\btruck\b|\bvan\b", "car name"),
        (r"\bdiet\b|\beats?\b|\bvegetarian\b", "diet"),
        (r"\bfor a living\b|\bjob\b|\bprofession\b|\bwork as\b|\boccupation\b|\bposition\b|\brole\b", "job"),
        (r"\bpets?\b", "pet name"),
        (r"\bstud(?:y|ies|ying)\b|\bmajor\b|\bdegree\b|\bsubject\b", "subject name"),
        (r"\bbreakfast\b", "meal"),
        (
            r"\b(?:editor|framework|database|app|tool|laptop|phone|browser|provider|bank|software|system)\b",
            "tool name",
        ),
        (
            (
                r"\bwho\b|\bwhom\b|\bwhose\b|\bcalled\b|\bnames?\b|\bnamed\b|\bwhere\b|\b(?:city|town|country|company"
                r"|employer|street|village|district|area|school|restaurant|brand|neighbou?rhood|suburb)\b"
            ),
            "name",
        ),
    )
)
"""Questions in small letters, and the sorts of values (``rules.slots``) that answer them; the first that matches."""
PAST = re.compile(
    r"\b(?:did|was|were|had|used to|before|previously|formerly|originally|ever|first|former|old|last (?:week|month"
    r"|year))\b"
)
"""What was so, and not what is so now."""
SUPPOSES = re.compile(
    r"\b(?:if|imagine|would|could|might|maybe|perhaps|wish|jok\w+|kidding|dream\w*|thinking (?:of|about)|wonder\w*"
    r"|should|hypothetical\w*|tempted|considering|almost|nearly|nobody|pretend\w*|looking at|viewing)\b",
    re.IGNORECASE,
)
ORDERS = re.compile(
    r"(?:^|[.!] )(?:\w+ said: )?(?:can|could|please|remind|give|tell|make|write|set|find|check|show|list|explain"
    r"|suggest|convert|help|translate|draft|add|send|what|how|why|who|where|which|is|are|do|does)\b",
    re.IGNORECASE,
)
QUOTED = re.compile(r"^[^:]{1,40} said: ")
LED = re.compile(r"^[^:.]{4,70}: \S")
"""A plain sentence, and what was said behind it."""
WORD = re.compile(r"[a-z]+")
