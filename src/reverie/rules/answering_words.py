"""What a question asks for by its words, and how texts look that answer nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from reverie.rules.marks import Marks, marks

WANTS: Sequence[tuple[Marks, frozenset[str]]] = tuple(
    (found, frozenset(sorts.split()))
    for sorts, found in (
        (
            "time number",
            marks(
                "",
                ("time", "(?:what|which) time"),
                ("when", r"when\b.{0,80} (?:get up|wake|go to bed|start work|open|close)"),
            ),
        ),
        (
            "day date",
            marks("", ("what which", "(?:what|which) (?:day|days|weekday|evening|night|morning|afternoon)")),
        ),
        ("month date", marks("", ("month", "(?:what|which) month"))),
        (
            "day date time month",
            marks(
                "birthday deadline due",
                ("date", "(?:what|which) date"),
                ("when", "^when|when (?:is|are|does|do|will)"),
            ),
        ),
        (
            "number time",
            marks("", ("how", "how (?:many|much|old|long|often|far|big|tall|heavy|high|early|late|large)")),
        ),
        (
            "number",
            marks(
                "number rent price pin code salary wage budget dose dosage size target weight age cost costs fee score "
                "room seat platform bus floor pace password mg bpm locker desk extension"
            ),
        ),
        ("colour", marks("color colour")),
        ("language name", marks("language languages")),
        ("instrument", marks("instrument instruments sing voice", ("play", "play in"))),
        ("sport", marks("sport sports exercise training", ("fit", "keep fit"))),
        ("drink", marks("drink drinks")),
        ("car name", marks("car drive drives vehicle truck van")),
        ("diet", marks("diet eat eats vegetarian")),
        (
            "job",
            marks("job profession occupation position role", ("living", "for a living"), ("work", "work as")),
        ),
        ("pet name", marks("pet pets")),
        ("subject name", marks("study studies studying major degree subject")),
        ("meal", marks("breakfast")),
        (
            "tool name",
            marks("editor framework database app tool laptop phone browser provider bank software system"),
        ),
        (
            "name",
            marks(
                "who whom whose called name names named where city town country company employer street village "
                "district area school restaurant brand neighborhood neighbourhood suburb"
            ),
        ),
    )
)
"""How questions are worded, and the sorts of values (``rules.glance``) that answer them; the first that matches."""
_ROWS: dict[str, list[tuple[int, re.Pattern[str] | None]]] = {}
for _row, (_worded, _) in enumerate(WANTS):
    for _word in _worded.words:
        _ROWS.setdefault(_word, []).append((_row, None))
    for _hint, _phrase in _worded.phrases.items():
        _ROWS.setdefault(_hint, []).append((_row, _phrase))


def wanted(held: Collection[str] | None, question: str) -> frozenset[str]:
    """The sorts of values that a question asks for; ``held``: its words (``marks.held_in``)."""
    if held is None:
        return next((sorts for worded, sorts in WANTS if worded.stand_in(question)), frozenset())
    rows = [
        row
        for word in _ROWS.keys() & held
        for row, phrase in _ROWS[word]
        if phrase is None or phrase.search(question)
    ]
    return WANTS[min(rows)][1] if rows else frozenset()


PAST = marks(
    "had before previously formerly originally former",
    ("used", "used to"),
    ("last", "last (?:week|month|year)"),
    ("old", "(?<!how )old"),
    ("first", r"first(?! (?:name|aid|class|language|thing)s?\b)"),
    ("was were", r"(?:was|were)(?!.* again\W*$)"),
    ("did", r"did(?! (?:\w+ ){1,3}(?:say|tell|mention)\b)"),
)
"""What was so, and not what is so now: "what was it again" and "what did she say it is" ask for that."""
LED = re.compile(r"^[^:.]{4,70}: \S")
"""A plain sentence, and what was said behind it."""
