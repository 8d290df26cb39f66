"""Living among others: rooms and the diary."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date as calendar_date
from typing import TYPE_CHECKING, Annotated

from reverie.domain.diary import MAX_NOTE_BYTES, DiaryEntry, DiaryNote
from reverie.domain.outcome import Observed
from reverie.doors.cli import options, tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import OF_BANK, Door, command
from reverie.doors.cli.files import read_text
from reverie.doors.cli.options import Limit, Names, Newest, Override, Text, Yes, argument, option
from reverie.doors.cli.watch import Watch
from reverie.doors.formats.notes import note_lines
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie

_CHANNEL = "room"
With = Annotated[Names, option("--with", "In which NAME has spoken; repeatable.", "NAME")]


@command("rooms list")
def rooms_list(door: Door, with_: With = None, limit: Limit = 100, after: options.After = None) -> Code:
    """List the agent's conversations: who takes part, and how many messages are live or closed.

    For example:
      reverie rooms list --agent nova --with Kade

    Closed messages stand under a summary: `reverie self-care` closes those that are due. Exit code 1 if there is none.
    """
    agent = door.opened()
    found, watch = agent.rooms(with_=with_, limit=limit, after=after), door.watch(agent)
    code = door.table(
        found,
        {
            "room": lambda one: one.conversation.id,
            "channel": lambda one: one.conversation.channel,
            "live": lambda one: f"{one.live:,}{' (due)' if one.is_due else ''}",
            "closed": lambda one: f"{one.closed:,}",
            "last": lambda one: watch.time(one.conversation.last_at),
            "participants": lambda one: words.listed(one.conversation.participants),
        },
        "There is no conversation: `reverie observe` and `reverie rooms say` store messages.",
        limit=limit, more=lambda last: f"--after {last.conversation.id}",
    )  # fmt: skip
    if any(one.is_due for one in found):
        door.out.say("`reverie self-care` closes what is due under a summary.")
    return code


@command("rooms show")
def rooms_show(
    door: Door, with_: With = None, since: options.Since = None, until: options.Until = None,
    limit: Limit = 100, newest: Newest = False,
) -> Code:  # fmt: skip
    """Show what was said in conversations with somebody, live and closed, in the order of time.

    For example:
      reverie rooms show --agent nova --with Kade --since 2026-11-20
      reverie rooms show --newest --limit 20

    Exit code 1 if there is nothing.
    """
    agent = door.opened()
    found = agent.history(with_=with_, since=since, until=until, limit=limit, newest_first=newest)
    watch = door.watch(agent)
    return door.list(
        found, lambda one: tables.item_lines(one, watch), "Nothing was said.",
        limit=limit, more="--since, --until and --limit choose",
    )  # fmt: skip


@command("rooms say", shared=OF_BANK)
def rooms_say(
    door: Door,
    room: Annotated[str, argument("ROOM", "The conversation's id.")],
    speaker: Annotated[str, argument("SPEAKER", "Who says it: a member or anybody else.")],
    text: Annotated[str, argument("TEXT", "What is said.")],
    members: Annotated[
        Names,
        option("--members", "Agents that hear it. Default: those that heard something in it before.", "A,B"),
    ] = None,
    time: Annotated[Text, option("--time", "When. Default: now.", "TIME")] = None,
    ref: Annotated[Text, option("--ref", "Your own id for it; a repetition is stored once.", "ID")] = None,
) -> Code:
    """Say something in a room: the bank of each member stores it, as that member's own view.

    For example:
      reverie rooms say plaza nova "The ferry leaves at six" --members nova,kade
      reverie rooms say plaza Anna "Wait for me!"

    To a member who says it, these are its own words.
    """
    named = [name for each in members or () for part in each.split(",") if (name := part.strip())]
    reverie = door.reverie(make=bool(named))
    agents = named or _members_before(reverie, room)
    if not agents:
        remedy = "name its agents: --members a,b"
        raise InvalidInput("--members", f"nobody is in {room!r:.200} yet", remedy)
    outcomes = reverie.room(room, agents).say(speaker, text, time=time, ref=ref)
    return door.tell(outcomes, *(f"{member}: {_outcome(seen)}" for member, seen in outcomes.items()))


def _members_before(reverie: Reverie, room: str) -> list[str]:
    """Return the agents whose banks hold something that was said there."""
    return [
        id
        for id in reverie.agents()
        if reverie.agent(id).episodes(conversations=room, channels=_CHANNEL, limit=1)
    ]


def _outcome(seen: Observed) -> str:
    if seen.stored:
        return f"heard ({seen.episode_ids[-1]})" if seen.episode_ids else "heard"
    if seen.queued:
        return "will hear it once the embedder works"
    if seen.forgotten:
        return "forgot this on purpose, and doesn't hear it again"
    return "heard it already" if seen.known else "nothing that may be stored"


_EXAMPLE_DAY = "Such as 2026-11-20."
Day = Annotated[Text, argument("[DATE]", f"{_EXAMPLE_DAY} Default: today.")]
SinceDay = Annotated[Text, option("--since", "From this date on.", "DATE")]
UntilDay = Annotated[Text, option("--until", "Before this date.", "DATE")]


@command("diary list")
def diary_list(
    door: Door, since: SinceDay = None, until: UntilDay = None, limit: Limit = 100, newest: Newest = False
) -> Code:
    """Show the pages in order of date.

    For example:
      reverie diary list --since 2026-11-01 --until 2026-12-01
      reverie diary list --newest --limit 3

    Exit code 1 if there is none.
    """
    agent = door.opened()
    found = agent.diary.pages(since=since, until=until, limit=limit, newest_first=newest)
    return _pages(door, agent, found, "There is no page: `reverie diary add` writes one.", limit)


@command("diary show")
def diary_show(door: Door, date: Day = None) -> Code:
    """Show the page of a date.

    For example:
      reverie diary show
      reverie diary show 2026-11-20

    Exit code 1 if there is none.
    """
    agent = door.opened()
    entry = agent.diary.page(date)
    return door.tell(entry, lambda: [_page(entry, door.watch(agent))])


@command("diary add")
def diary_add(
    door: Door,
    text: Annotated[Text, argument("[TEXT]", "What to write; - or nothing for standard input.")] = None,
    body_json: Annotated[
        Text, option("--body-json", "A JSON object of any shape, instead of TEXT or besides it.", "OBJECT")
    ] = None,
    mood: Annotated[Text, option("--mood", "How the agent feels.")] = None,
    location: Annotated[Text, option("--location", "Where it is. Default: its profile's location.")] = None,
    date: Annotated[Text, option("--date", f"{_EXAMPLE_DAY} Default: today.", "DATE")] = None,
    override: Override = False,
) -> Code:
    """Write on the page of a date, after what is there.

    For example:
      reverie diary add "Kade kept his word." --mood hopeful --location Harbour
      fortune | reverie diary add
      reverie diary add --body-json '{"text": "Rain.", "plans": ["mend the roof"]}'

    What was forgotten on purpose is refused, and secrets are redacted, as everywhere.
    """
    body = _body(door, text, body_json)
    entry = door.opened(make=True).diary.write(
        body, mood=mood, location=location, date=date, override=override
    )
    return door.tell(entry, f"wrote on {entry.date} ({_notes(entry)} on this page)")


@command("diary search")
def diary_search(
    door: Door, keywords: Annotated[list[str], argument("WORDS…", "All of them must stand on the page.")],
    since: SinceDay = None, until: UntilDay = None, limit: Limit = 20,
) -> Code:  # fmt: skip
    """Show the pages that have all these words, the newest first.

    For example:
      reverie diary search lighthouse map
      reverie diary search hopeful --since 2026-11-01

    Text, mood and place are searched, for any form of a word. Exit code 1 if there is none.
    """
    agent = door.opened()
    found = agent.diary.search(" ".join(keywords), since=since, until=until, limit=limit)
    return _pages(door, agent, found, "No page has all these words.", limit)


@command("diary month")
def diary_month(
    door: Door, month: Annotated[Text, argument("[MONTH]", "Such as 2026-11. Default: this one.")] = None
) -> Code:
    """Show an overview of a month: its days, moods and places.

    For example:
      reverie diary month 2026-11

    Exit code 1 if it has no page.
    """
    found = door.opened().diary.month(month)
    if not found.days:
        door.out.say(f"Nothing was written in {found.month}.")
    columns = {
        "date": lambda day: str(day.date),
        "mood": lambda day: day.mood or "–",
        "place": lambda day: day.location or "–",
        "notes": lambda day: f"{day.notes:,}",
        "begins": lambda day: words.one_line(day.begins),
    }
    counts = [("moods", words.tally(dict(found.moods))), ("places", words.tally(dict(found.locations)))]
    door.tell(found, lambda: [*door.rows(found.days, columns), tables.pairs(counts)] if found.days else [])
    return Code.DONE if found.days else Code.NOTHING


@command("diary remove")
def diary_remove(door: Door, date: Annotated[str, argument("DATE", _EXAMPLE_DAY)], yes: Yes = False) -> Code:
    """Delete a page for good: its words remain nowhere, and aren't written again.

    For example:
      reverie diary remove 2026-11-20

    On a terminal you are asked first; elsewhere --yes is needed. Exit code 1 if there is no such page.
    """
    agent = door.opened()
    entry = agent.diary.page(date)
    if not yes and not door.agreed(f"Forget the page of {entry.date} ({_notes(entry)})?", "diary remove"):
        return door.declined("removed")
    entry = agent.diary.remove(date)
    return door.tell(entry, f"removed {entry.date} ({_notes(entry)})")


def _notes(entry: DiaryEntry) -> str:
    return words.counted(len(entry.notes), "note")


def _pages(door: Door, agent: Agent, found: Sequence[DiaryEntry], none: str, limit: int) -> Code:
    watch = door.watch(agent)
    return door.list(
        found, lambda entry: _page(entry, watch), none,
        limit=limit, more=f"--limit, --since and --until choose ({limit:,} shown)",
    )  # fmt: skip


def _page(entry: DiaryEntry, watch: Watch) -> str:
    """Return a page: its date, mood and place, and its notes with the time of each."""
    day = calendar_date.fromisoformat(entry.date)
    facts = [f"{entry.date}, {day:%A}", entry.mood, entry.location]
    return tables.block(" · ".join(filter(None, facts)), *(_note(note, entry, watch) for note in entry.notes))


def _note(note: DiaryNote, entry: DiaryEntry, watch: Watch) -> str:
    own = [note.mood if note.mood != entry.mood else None]
    own += [note.location if note.location != entry.location else None]
    told = ", ".join(filter(None, own))
    first, *more = note_lines(note.body) or ["–"]
    return tables.block(f"{watch.clock(note.at, entry.date)}{f' ({told})' if told else ''}  {first}", *more)


def _body(door: Door, text: str | None, given: str | None) -> str | dict[str, object]:
    """Return what to write: text, an object, or the object with the text in it. Raises InvalidInput."""
    if text == "-" or (text is None and given is None):
        text = read_text("-", door, "the text", MAX_NOTE_BYTES, "TEXT").rstrip("\n")
    if given is None:
        return str(text)
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
    return {"text": text, **body}


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise InvalidInput("--body-json", "a key stands twice in one object", "give each once")
    return made


def _number(name: str) -> object:
    raise InvalidInput("--body-json", f"it holds {name}", "give a finite number, or text")
