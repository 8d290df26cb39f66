"""Plain chat text: a line "Name: words" a message; lines without a name go on with the message before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from reverie.domain.message import Role
from reverie.services.exchange.foreign.documents import Document, Text
from reverie.services.exchange.foreign.fields import digest, id_of, messages, name
from reverie.services.exchange.foreign.items import Item, Skip, broken
from reverie.services.exchange.foreign.runs import Run

CHANNEL = "import"
_SAID = re.compile(r"\**([^\W\d_][^:*\n<>/]{0,39}?)\**\s?:\**(?:\s(.*))?")
_MODELS = frozenset("ai assistant agent bot chatgpt claude copilot gemini gpt model system".split())
_PEOPLE = frozenset("human me user you".split())


def is_mine(head: str) -> bool:
    """Return whether at least two lines, and half of those that aren't blank, begin with a name and a colon, and a name
    comes twice or is one that chats have.
    """
    lines = [line for line in head.splitlines()[:200] if line.strip()]
    names = [found[1].strip().lower() for line in lines if (found := _SAID.fullmatch(line.strip()))]
    if len(names) < 2 or len(names) * 2 < len(lines):
        return False
    return len(set(names)) < len(names) or bool(set(names) & (_MODELS | _PEOPLE))


def read(document: Document) -> Iterator[Item]:
    """Yield the text as one conversation, named after the file. Nothing proves who wrote it: all of it is external."""
    if not isinstance(document, Text):
        yield broken("source", "it is no text")
        return
    run, seen = Run(CHANNEL), Counter[str]()
    chat = id_of("chat", run.unnamed(document.name))
    for number, speaker, words in _turns(document.text()):
        if not speaker:
            yield broken(f"line {number}", "nobody is named before it")
            continue
        mark = digest(speaker, words)
        seen[mark] += 1
        role = Role.AGENT if speaker.lower() in _MODELS else Role.USER
        ref, who = id_of(mark, seen[mark]), "" if speaker.lower() in _MODELS | _PEOPLE else speaker
        for one in messages(f"line {number}", words, role=role, ref=ref, time=None, speaker=who):
            yield from [one] if isinstance(one, Skip) else run.add(chat, one)
    yield from run.rest()


def _turns(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line's number, the name and the words of each turn; no name where the text begins with none."""
    begun, speaker, words = 0, "", list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        found = _SAID.fullmatch(line.strip())
        if found is None:
            words.append(line)
            begun = begun or (number if line.strip() else 0)
            continue
        if begun:
            yield begun, speaker, "\n".join(words).strip()
        begun, speaker, words = number, name(found[1]), [found[2] or ""]
    if begun:
        yield begun, speaker, "\n".join(words).strip()
