"""Notes in Markdown: Obsidian's, basic-memory's (observations and relations), or any by headings and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from reverie.services.exchange.foreign.documents import Document, Text
from reverie.services.exchange.foreign.fields import digest, id_of, labels, moment, name
from reverie.services.exchange.foreign.items import Item, Note, Skip, broken
from reverie.services.exchange.foreign.runs import Run

_PROPERTY = re.compile(r"([A-Za-z_][\w -]{0,60}):\s*(.{0,4000})")
_HEADING = re.compile(r"(#{1,6})\s+(.{1,500})")
_BULLET = re.compile(r"\s{0,40}(?:[-*+]|\d{1,4}[.)])\s+(.*)")
_OBSERVATION = re.compile(r"\[([^\[\]()\n]{1,60})\]\s+(.+)")
_RELATION = re.compile(r"(.{0,100}?)\s?\[\[([^\[\]\n]{1,200})\]\](?:\s*\([^()\n]{0,300}\))?\s*")
_LINK = re.compile(r"!?\[\[([^\[\]|\n]{1,200})(?:\|([^\[\]\n]{0,200}))?\]\]")
_TAG = re.compile(r"(?<![\w#&])#([^\W\d_][\w/-]{0,60})")
_TASKS = frozenset(" x-/>")
_FENCE = ("```", "~~~")


def is_mine(head: str) -> bool:
    """Return whether a text begins with properties or has a heading."""
    lines = head.splitlines()[:200]
    has_properties = (
        bool(lines) and lines[0].strip() == "---" and "---" in (line.strip() for line in lines[1:])
    )
    return has_properties or any(_HEADING.fullmatch(line.strip()) for line in lines)


def read(document: Document) -> Iterator[Item]:
    """Yield a note an observation, a relation, an entry of a list and a paragraph, behind the headings above it."""
    if not isinstance(document, Text):
        yield broken("source", "it is no text")
        return
    properties, unread, lines = _properties(document.text().splitlines())
    for line in unread:
        yield broken(f"line {line}", "the property's list doesn't end on its line")
    title = name(properties.get("title")) or Run.unnamed(document.name)
    time = moment(*(properties.get(key) for key in ("created", "created_at", "date")), document.modified)
    tags = labels(properties.get("tags") or properties.get("tag"))
    seen = set[str]()
    for trail, words in _blocks(lines):
        one = _note(title, trail, words)
        mark = digest(title, trail, words)  # the same wherever the file lies
        if one is None or mark in seen:
            yield Skip(reason="empty" if one is None else "said twice in one note")
            continue
        seen.add(mark)
        said, more, entities = one
        yield Note(
            source_id=id_of(mark),
            text=said,
            time=time,
            tags=labels([*tags, *more]),
            entities=labels([*entities]),
        )


def _properties(lines: list[str]) -> tuple[Mapping[str, object], list[int], list[str]]:
    """Return the properties at the top, as far as they are names with texts or lists; the numbers of lines that begin a
    list and don't end it; and the lines behind the properties.
    """
    if not lines or lines[0].strip() != "---":
        return {}, [], lines
    end = next((place for place, line in enumerate(lines[1:], 1) if line.strip() in ("---", "...")), 0)
    found: dict[str, object] = {}
    unread: list[int] = []
    last = ""
    for number, line in enumerate(lines[1:end], 2):
        given = _PROPERTY.fullmatch(line.rstrip())
        if given:
            last, value = given[1].strip().lower(), given[2].strip()
            many = value.startswith("[") and value.endswith("]")
            if value.startswith("[") and not many:
                unread.append(number)
                continue
            found[last] = [_unquoted(one) for one in value[1:-1].split(",")] if many else _unquoted(value)
        elif last and line.strip().startswith("- "):
            held = found.get(last)
            found[last] = [*(held if isinstance(held, list) else []), _unquoted(line.strip()[2:])]
    return found, unread, lines[end + 1 :] if end else lines


def _unquoted(value: str) -> str:
    return value.strip().strip("\"'")


def _blocks(lines: list[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each paragraph and each entry of a list with the headings above it. Code stays as it is."""
    trail: list[tuple[int, str]] = []
    held: list[str] = []
    fence = ""
    for line in [*lines, ""]:
        plain = line.strip()
        if fence:
            held.append(line)
            fence = "" if plain.startswith(fence) else fence
            continue
        heading, bullet = _HEADING.fullmatch(plain), _BULLET.fullmatch(line)
        if (not plain or heading or bullet or plain == "---") and held:
            yield tuple(words for _, words in trail), "\n".join(held).strip()
            held = []
        if heading:
            level = len(heading[1])
            trail = [one for one in trail if one[0] < level] + [(level, heading[2].strip(" #"))]
        elif plain and plain != "---":
            fence = next((one for one in _FENCE if plain.startswith(one)), "")
            held.append(bullet[1] if bullet else line.strip())
    if held:
        yield tuple(words for _, words in trail), "\n".join(held).strip()


def _note(title: str, trail: tuple[str, ...], words: str) -> tuple[str, list[str], list[str]] | None:
    """Return text, tags and entities; None where nothing is said."""
    entities = [found[1] for found in _LINK.finditer(words)]
    relation = _RELATION.fullmatch(words)
    if relation and relation[1].strip() and "\n" not in words:
        said = f"{title} {relation[1].strip().replace('_', ' ')} {relation[2].partition('|')[0]}"
        return said, [], [title, *entities]
    observation = _OBSERVATION.fullmatch(words)
    tags = [found[1] for found in _TAG.finditer(words)]
    if observation and observation[1] not in _TASKS:
        tags.insert(0, observation[1])
        words, trail = observation[2], ()
    elif words[:1] == "[" and words[2:3] == "]" and words[1:2] in _TASKS:
        words = words[3:]
    said = _LINK.sub(lambda link: link[2] or link[1], words).strip()
    if not any(one.isalnum() for one in said):
        return None
    above = " > ".join({one.casefold(): one for one in (title, *trail)}.values())
    return f"{above}: {said}", tags, entities
