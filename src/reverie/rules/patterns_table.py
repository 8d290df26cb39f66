"""The table of what is captured without being asked: a row is a way in which people state something for good.

Rows are tried in their order, and the first that fits a clause wins. DOMAIN.md ("Writing: one path") settles kinds and
priorities. ``patterns_row`` says how a row is read; a user's own rows are ``CapturePattern``s.
"""

from __future__ import annotations

from reverie.domain.kinds import Kind, Priority
from reverie.rules.patterns_lists import GAP, marked
from reverie.rules.patterns_row import Row, Subject
from reverie.rules.patterns_speaker import SPEAKER, THEIRS

EXPLICIT_IMPORTANCE = 0.9

_TOLD = (
    Row(
        name="remember",
        subject=Subject.TOLD,
        words="remember forget mind+in note+that note+make note+please reference record+for",
        opens="remember don't do_not never_forget dont keep_in bear_in note_that make_a for_the for_future for_ref",
        says=(
            r"(?:please\s+|always\s+|just\s+|do\s+|and\s+)*"
            r"(?:remember|don't\s+(?:ever\s+)?forget|do not forget|never forget|dont forget|keep in mind|bear in mind"
            r"|(?:please|make\s+a)\s+note|note(?= that)|for (?:future )?reference|for the record)"
            r"(?:\s+(?:this|the following))?(?:\s+for\s+(?:later|next time|the future|future))?"
            r"(?:\s*[:—-]+\s*(?:that\s+)?|,?\s+that\s+|,?\s+(?=(?:I|my|our|always|never)(?:\s|'m|'ve))"
            r"|\s+to\s+(?=(?:always\s+|never\s+)?{order}\b))"
            r"{said}"
        ),
        kind=Kind.FACT,
        importance=EXPLICIT_IMPORTANCE,
    ),
    Row(
        name="remember this",
        subject=Subject.TOLD,
        words="remember forget mind+in note+this note+that note+it memorize memorise save+this save+that",
        opens="remember don't do_not never_forget dont keep_this keep_that keep_it bear_ note_ memori save_",
        says=(
            r"(?:please\s+|so\s+|and\s+|always\s+)*"
            r"(?:remember|don't\s+(?:ever\s+)?forget|do not forget|never forget|dont forget|keep|bear|note"
            r"|memori[sz]e|save)"
            r"\s+(?:this|that|it)(?:\s+in\s+mind|\s+down|\s+for\s+(?:later|next time|the future|future))?"
            r"(?:,?\s+please)?\W*$"
        ),
        kind=Kind.FACT,
        importance=EXPLICIT_IMPORTANCE,
    ),
)

_ORDERS = (
    Row(
        name="don't ever",
        subject=Subject.ORDER,
        words="ever+don't ever+dont ever+not circumstances",
        says=(
            r"(?:please\s+)?(?:(?:don't|do not|dont)\s+ever"
            r"|under no circumstances(?:\s+(?:should|must|may)\s+you)?)\s+"
        ),
        kind=Kind.POLICY,
    ),
    Row(
        name="always",
        subject=Subject.ORDER,
        words="always never",
        opens="always never",
        gate=rf"\b(?:always|never){GAP}(?:ever{GAP})?{marked('order')}",
        says=r"(?:please\s+)?(?:also\s+)?(?:always|never)\s+(?:ever\s+)?{order}\b",
        priority=Priority.HIGH,
    ),
    Row(
        name="you should always",
        subject=Subject.ORDER,
        words="always never",
        gate=r" (?:(?<=\bto )|(?<=\byou )|(?<=\bshould ))(?:always|never)\b",
        says=(
            r"(?:I(?:'d| would)?\s+(?:want|need|like)\s+you\s+to|you\s+should|you\s+need\s+to|make\s+sure\s+(?:to|you)"
            r"|be\s+sure\s+to|remember\s+to)\s+(?P<said>(?:always|never)\s.+)"
        ),
        priority=Priority.HIGH,
    ),
    Row(
        name="instead of",
        subject=Subject.ORDER,
        words="use+not use+instead use+rather use+over",
        says=(
            r"(?:please\s+)?use\s+(?!the\b|this\b){thing}(?:,?\s+not|\s+instead\s+of|\s+rather\s+than|\s+over)"
            r"\s+(?!the\b|this\b)"
        ),
    ),
    Row(
        name="from now on",
        subject=Subject.ORDER,
        words="now+from+from_now_on here+from+from_here_on forward+going_forward future+in_future future+in_the_future",
        says=r"(?:from now on|from here on|going forward|in (?:the )?future),?\s+(?:please\s+)?{order}\b",
        priority=Priority.HIGH,
    ),
    Row(
        name="requirement",
        subject=Subject.ORDER,
        words="required mandatory requirement constraint rule",
        gate=":",
        says=r"(?:required|mandatory|(?:hard\s+)?(?:requirement|constraint|rule))\s*:\s*{said}",
        kind=Kind.POLICY,
    ),
    Row(
        name="meant",
        subject=Subject.ORDER,
        words="i_meant+not i_said+not",
        says=(
            r"(?:(?:no|sorry|wait|oh|oops)[,.!]*\s+)*I\s+(?:meant|said)\s+"
            r"(?P<said>[\w][^,;]*,?\s+not\s+\w+.*)"
        ),
        kind=Kind.FACT,
        priority=Priority.HIGH,
    ),
)

_CORRECTIONS = (
    Row(
        name="not but",
        subject=Subject.THING,
        words="but+not isn't+but aren't+but wasn't+but weren't+but",
        gate=r"n(?:(?<=\bn)ot|'t) [^.!?]{1,60}\bbut\b",  # a single first letter is looked for much faster
        says=(
            r"(?:(?:no|actually|sorry|well|wait)[,.!]?\s+)*"
            r"(?:(?:[\w'-]+\s+){{0,5}}?[\w-]+(?:'s|'m|'re|\s+(?:is|are|was|were|am|uses?))\s+not"
            r"|(?:[\w'-]+\s+){{0,5}}?[\w-]+\s+(?:is|are|was|were)n't|not)\s+"
            r"(?:(?P<kind>(?:an?|the|my|our|on|in|at|for|from|to|by"
            r"|with)\s)[^,.;]{{1,50}}?,?\s+but\s+(?:rather\s+)?(?P=kind)"
            r"|[\w'/.-]+,?\s+but\s+"
            r"(?!also|rather\b|still|it|i|you|we|they|he|she|that|this|there|not|in|at|the|a\b)(?=[\w'/.-]+[\s.!]*$))"
        ),
        kind=Kind.FACT,
        priority=Priority.HIGH,
    ),
    Row(
        name="actually",
        subject=Subject.THING,
        words="actually no correction",
        opens="actually no correction",
        says=r"(?:(?:no|wait|sorry|oh|well|but|oops)[,.!]*\s+)*(?:actually|correction:|no\b)[,:.]*\s+{said}",
        kind=Kind.FACT,
        priority=Priority.HIGH,
    ),
)

_THINGS = (
    Row(
        name="required",
        subject=Subject.THING,
        words=(
            "required mandatory forbidden prohibited non-negotiable crucial+that vital+that imperative+that"
            " essential+that"
        ),
        gate=(
            rf"(?:\bis|\bare|['\u2019\u02bc]s){GAP}(?:(?:strictly|absolutely|always){GAP})?(?:required|mandatory"
            r"|forbidden|prohibited|non-negotiable|crucial|vital|imperative|essential)"
        ),
        says=(
            r"(?:it\s+is|it's)\s+(?:strictly\s+|absolutely\s+)?(?:required|mandatory|forbidden|prohibited)\s+(?:that"
            r"|to)\b"
            r"|(?:it\s+is|it's)\s+(?:absolutely\s+)?(?:crucial|vital|imperative|essential)\s+that\s+(?:all|every\w*"
            r"|any|no)\b"
            r"|{start}(?:['\w][\w'`./-]*\s+){{1,12}}?(?:is|are)\s+(?:strictly\s+|absolutely\s+|always\s+)?"
            r"(?:mandatory|forbidden|prohibited|non-negotiable"
            r"|required(?=\s+(?:for|before|after|in|on|at|when|under|by)\b|\W*$))\b"
        ),
        kind=Kind.POLICY,
    ),
    Row(
        name="must",
        subject=Subject.THING,
        words="must",
        says=(
            r"{start}(?:(?:\w[\w'`./-]*\s+){{0,8}}?)"
            r"must\s+(?:always\s+|never\s+|not\s+|only\s+)?[a-z]"
        ),
        kind=Kind.POLICY,
    ),
)

TABLE: tuple[Row, ...] = (*_TOLD, *_ORDERS, *_CORRECTIONS, *SPEAKER, *THEIRS, *_THINGS)
