"""Read public chats as training data for the judges: plain statements, and small talk that says nothing lasting.

Synthetic-Persona-Chat (CC BY 4.0, see NOTICE): a persona's lines are their owner's own and lasting; of what is said a
sentence that repeats half of a line's words is lasting, and one without "I" and "my" that shares no word with any is
not.
GoEmotions (Apache-2.0): comments without "I" and "my" are own and not lasting. RealMem (Apache-2.0), two of its people:
what they ask is the task of the moment and no standing rule. All else stays unknown.
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from reverie.language.lexical_terms import terms
from reverie.language.segments import sentences
from tools.judges.talks import Line, Said

CHATS, COMMENTS, PEOPLE = 150, 1_200, 2
"""How many conversations, comments, and people of RealMem are read."""
_SAID = re.compile(r"User ([12]): (.+)")
_SELF = re.compile(r"\b(?:I|I'm|I've|my|me|we|our)\b", re.IGNORECASE)
_TASK = frozenset({"standing"})
_OWN, _BOTH = frozenset({"own", "standing"}), frozenset({"own", "lasting", "standing"})
_HALF = 0.5


def read_chats(data: Path) -> Iterator[Said]:
    """Yield messages with what is known of their sentences. Raises OSError where the data isn't there."""
    chance = random.Random(0)
    with (data / "spc" / "Synthetic-Persona-Chat_test.csv").open(encoding="utf-8", newline="") as file:
        for row in islice(csv.DictReader(file), CHATS):
            personas = [row[f"user {number} personas"].splitlines() for number in (1, 2)]
            known = [[frozenset(terms(line)) for line in lines] for lines in personas]
            for lines in personas:
                while lines:
                    some = [lines.pop() for _ in range(min(len(lines), chance.choice((1, 1, 2, 3))))]
                    yield _said(" ".join(some), 1)
            before = ""
            for match in _SAID.finditer(row["Best Generated Conversation"]):
                yield Said(talk="chats", session="", role="agent", speaker="", text=before)
                yield _said(match[2], None, known[int(match[1]) - 1])
                before = match[2]
    with (data / "goemotions" / "dev.tsv").open(encoding="utf-8") as file:
        for line in islice(file, COMMENTS):
            text = line.partition("\t")[0]
            if not _SELF.search(text):
                yield _said(text, 0)
    for path in sorted((data / "realmem").glob("*.json"))[:PEOPLE]:
        for dialogue in json.loads(path.read_text("utf-8"))["dialogues"]:
            before = ""
            for turn in dialogue["dialogue_turns"]:
                text = turn["content"] or ""
                if turn["speaker"] != "Assistant":
                    yield Said(talk="chats", session="", role="agent", speaker="", text=before)
                    yield replace(
                        said := _said(text, 0), lines=tuple(replace(one, only=_TASK) for one in said.lines)
                    )
                before = text


def _said(text: str, lasting: int | None, personas: list[frozenset[str]] | None = None) -> Said:
    """A message; ``lasting``: of all its sentences, or None where the personas tell."""
    lines = []
    for one in sentences(text):
        last = lasting if personas is None else _lasts(one.text, personas)
        lines.append(
            Line(
                text=one.text, start=one.start, end=one.end, whose="o", lasting=bool(last),
                only=_OWN if last is None else _BOTH,
            )
        )  # fmt: skip
    return Said(talk="chats", session="", role="user", speaker="", text=text, lines=tuple(lines))


def _lasts(sentence: str, personas: list[frozenset[str]]) -> int | None:
    said = frozenset(terms(sentence))
    shared = max((len(said & one) / max(len(one), 1) for one in personas), default=0.0)
    if shared >= _HALF and _SELF.search(sentence):
        return 1
    return None if shared or _SELF.search(sentence) else 0
