"""diary: the agent's own pages, one a date."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from reverie.domain.diary import MAX_NOTE_BYTES, DiaryEntry
from reverie.doors.cli import options, pages, words
from reverie.doors.cli.agreeing import Yes, agreed
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.grouping import grouped
from reverie.doors.cli.tables import fitting, pairs
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch
from reverie.doors.formats.bounded import text_of
from reverie.errors import InvalidInput

_HELP = """The agent's diary: one page a date of its own time zone, with mood, place and text.

Recall does not read it: it is what the agent tells itself, to be read by date or searched by words."""
_COLUMNS = ("date", "mood", "place", "notes", "begins")

Text = Annotated[
    str | None, typer.Argument(help="What to write; - or nothing for standard input.", show_default=False)
]
Body = Annotated[
    str | None,
    typer.Option(
        "--body-json", metavar="OBJECT", help="A JSON object of any shape instead of TEXT, or beside it."
    ),
]
Mood = Annotated[str | None, typer.Option("--mood", help="How the agent feels.")]
Location = Annotated[
    str | None,
    typer.Option("--location", help="Where it is. Default: its profile's location, if that is set."),
]
DateOf = Annotated[
    str | None, typer.Option("--date", metavar="DATE", help="Such as 2026-11-20. Default: today.")
]
Day = Annotated[
    str | None,
    typer.Argument(metavar="[DATE]", help="Such as 2026-11-20. Default: today.", show_default=False),
]
TheDay = Annotated[str, typer.Argument(metavar="DATE", help="Such as 2026-11-20.")]
Month = Annotated[
    str | None,
    typer.Argument(metavar="[MONTH]", help="Such as 2026-11. Default: this one.", show_default=False),
]
Keywords = Annotated[list[str], typer.Argument(metavar="WORDS…", help="All of them must stand on the page.")]
Since = Annotated[str | None, typer.Option("--since", metavar="DATE", help="From this date on.")]
Until = Annotated[str | None, typer.Option("--until", metavar="DATE", help="Before this date.")]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, help="At most so many.")]
Newest = Annotated[bool, typer.Option("--newest", help="The newest page first.")]


def register(app: typer.Typer) -> None:
    """Adds the group of commands."""
    group = grouped(app, "diary", _HELP)
    verb(group, "write")(write)
    verb(group, "page")(page)
    verb(group, "pages")(listing)
    verb(group, "search")(search)
    verb(group, "month")(month)
    verb(group, "remove")(remove)


def write(
    door: Door,
    text: Text = None,
    body_json: Body = None,
    mood: Mood = None,
    location: Location = None,
    date: DateOf = None,
    override: options.Override = False,
) -> Code:
    """Write on the page of a date, behind what stands there.

    For example:
      reverie diary write "Kade kept his word." --mood hopeful --location Harbour
      fortune | reverie diary write
      reverie diary write --body-json '{"text": "Rain.", "plans": ["mend the roof"]}'

    What was forgotten on purpose is refused, and secrets are taken out, as everywhere.
    """
    body = _body(door, text, body_json)
    with door.agent_opened(make=True) as agent:
        entry = agent.diary.write(body, mood=mood, location=location, date=date, override=override)
        if door.out.as_json:
            door.out.document(entry)
        else:
            door.out.show(f"wrote on {entry.date} ({words.counted(len(entry.notes), 'note')} on this page)")
    return Code.DONE


def page(door: Door, date: Day = None) -> Code:
    """Show the page of a date.

    For example:
      reverie diary page
      reverie diary page 2026-11-20

    Exit code 1 if there is none.
    """
    with door.agent_opened() as agent:
        entry = agent.diary.page(date)
        return _show(door, [entry], Watch.of(agent), "")


def listing(
    door: Door, since: Since = None, until: Until = None, limit: Limit = 100, newest: Newest = False
) -> Code:
    """Show the pages in order of date.

    For example:
      reverie diary pages --since 2026-11-01 --until 2026-12-01
      reverie diary pages --newest --limit 3

    Exit code 1 if there is none.
    """
    with door.agent_opened() as agent:
        found = agent.diary.pages(since=since, until=until, limit=limit, newest_first=newest)
        return _show(door, found, Watch.of(agent), "The diary has no pages here.", limit)


def search(
    door: Door, keywords: Keywords, since: Since = None, until: Until = None, limit: Limit = 20
) -> Code:
    """Show the pages on which all these words stand, the newest first.

    For example:
      reverie diary search lighthouse map
      reverie diary search hopeful --since 2026-11-01

    In text, mood and place, in any form of the word. Exit code 1 if there is none.
    """
    with door.agent_opened() as agent:
        found = agent.diary.search(" ".join(keywords), since=since, until=until, limit=limit)
        return _show(door, found, Watch.of(agent), "No page has all these words.", limit)


def month(door: Door, month: Month = None) -> Code:
    """Show a month at a glance: its days, moods and places.

    For example:
      reverie diary month 2026-11

    Exit code 1 if it has no page.
    """
    with door.agent_opened() as agent:
        found = agent.diary.month(month)
        if door.out.as_json:
            door.out.document(found)
        elif not found.days:
            door.out.say(f"Nothing was written in {found.month}.")
        else:
            rows = [
                (
                    day.date,
                    day.mood or "–",
                    day.location or "–",
                    f"{day.notes:,}",
                    " ".join(day.begins.split()),
                )
                for day in found.days
            ]
            door.out.show(*fitting(_COLUMNS, rows, door.out.width))
            counts = [
                ("moods", words.tally(dict(found.moods))),
                ("places", words.tally(dict(found.locations))),
            ]
            door.out.show(pairs(counts))
    return Code.DONE if found.days else Code.NOTHING


def remove(door: Door, date: TheDay, yes: Yes = False) -> Code:
    """Take a page out for good: its words stay nowhere, and aren't written again.

    For example:
      reverie diary remove 2026-11-20

    On a terminal you are asked first; elsewhere --yes is needed. Exit code 1 if there is no such page.
    """
    with door.agent_opened() as agent:
        entry = agent.diary.page(date)
        count = words.counted(len(entry.notes), "note")
        if not yes and not agreed(f"Forget the page of {entry.date} ({count})?", "diary remove"):
            door.out.say("Nothing was removed.")
            return Code.NOTHING
        entry = agent.diary.remove(date)
        if door.out.as_json:
            door.out.document(entry)
        else:
            door.out.show(f"removed {entry.date} ({words.counted(len(entry.notes), 'note')})")
    return Code.DONE


def _show(door: Door, found: Sequence[DiaryEntry], watch: Watch, none: str, limit: int | None = None) -> Code:
    if door.out.as_json:
        door.out.document(found if limit is not None else found[0])
    elif not found:
        door.out.say(none)
    else:
        door.out.show(*(pages.whole(entry, watch) for entry in found))
        if len(found) == limit:
            door.out.say(f"There may be more: --limit, --since and --until choose ({limit:,} shown)")
    return Code.DONE if found else Code.NOTHING


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise InvalidInput("--body-json", "a key stands twice in one object", "give each once")
    return made


def _number(name: str) -> object:
    raise InvalidInput("--body-json", f"it holds {name}", "give a finite number, or text")


def _body(door: Door, text: str | None, given: str | None) -> str | dict[str, object]:
    """What to write: text, an object, or the object with the text in it. Raises InvalidInput."""
    if given is None:
        return _from_stdin(door) if text in (None, "-") else str(text)
    try:
        body = json.loads(given, object_pairs_hook=_object, parse_constant=_number)
    except RecursionError:
        raise InvalidInput("--body-json", "it is too deep", "make it flatter") from None
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise InvalidInput("--body-json", "it is no JSON object", 'write it like {"text": "Rain."}')
    if text is None:
        return body
    if "text" in body:
        raise InvalidInput("TEXT", "the object has a text, too", "leave one of them out")
    return {"text": _from_stdin(door) if text == "-" else text, **body}


def _from_stdin(door: Door) -> str:
    if sys.stdin.isatty():
        door.out.say("reading the text; end with Ctrl-D")
    try:
        return text_of(sys.stdin.buffer, MAX_NOTE_BYTES).decode("utf-8-sig").rstrip("\n")
    except UnicodeDecodeError:
        raise InvalidInput("TEXT", "standard input is not UTF-8", "give text in UTF-8") from None
