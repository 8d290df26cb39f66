"""Ask and look: recall, list, show, scoped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from reverie.domain.episode import Episode
from reverie.domain.query import EpisodeHit, MemoryHit, Recall, Strategy
from reverie.doors.cli import tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import Door, command, given
from reverie.doors.cli.options import After, Filters, Limit, Names, Narrowing, Newest, Text, argument, option
from reverie.doors.cli.watch import Watch
from reverie.doors.here import from_here
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import RenderableType

    from reverie.client import Agent

_SECOND = re.compile(r"(:\d\d:\d\d)(Z|[+-]\d\d:?\d\d)?$")
_MUCH = "How much"
_BOTH = ("tags", "topics", "entities", "since", "until", "min_importance")
_OF_MEMORIES = ("kinds", "scope", "min_confidence")
_OF_EPISODES = ("channels", "roles", "speakers")
Found = Recall[MemoryHit | EpisodeHit]


@dataclass(frozen=True, kw_only=True)
class How:
    """How to search and what to show."""

    explain: Annotated[bool, option("--explain", "Show the terms that add up to each score.")] = False
    episodes: Annotated[bool, option("--episodes", "Search what was said instead of memories.")] = False
    strategy: Annotated[str, option("--strategy", f"{', '.join(Strategy)}.", "NAME")] = "hybrid"
    deep: Annotated[bool, option("--deep", "Search superseded, inactive and summarized memories too.")] = (
        False
    )
    as_of: Annotated[Text, option("--as-of", "Answer with what was believed and valid then.", "TIME")] = None
    emotions: Annotated[
        Names, option("--emotion", "An emotion of the question; lifts memories that share it.", "LABEL")
    ] = None
    limit: Annotated[int | None, option("--limit", "At most this many. Default: 10.", "N", _MUCH)] = None
    max_tokens: Annotated[int | None, option("--max-tokens", "Of their texts together.", "N", _MUCH)] = None
    min_score: Annotated[float | None, option("--min-score", "The least relevance.", "0..1", _MUCH)] = None


@command("recall")
def recall(
    door: Door,
    query: Annotated[Names, argument("QUERY…", "The question. Without one: the latest.")] = None,
    *,
    how: How,
    filters: Filters,
) -> Code:
    """Bring back what answers a question, best first.

    For example:
      reverie recall what must Anna not eat --explain
      reverie recall "when is the wedding?" --as-of 2026-03-12
      reverie recall "the vet" --episodes --speaker Anna --json

    The score orders the hits of one question. The relevance, from 0 to 1, compares across questions; --min-score
    looks at it. Without a question, --conversation asks with the last messages of that conversation. Exit code 1 if
    nothing is found.
    """
    agent = door.opened()
    found = _recall(agent, " ".join(query) if query else None, how, filters)
    if not found.hits:
        filtered = bool(given(filters)) or how.as_of is not None
        door.out.say(door.absent() or _nothing(found, agent, filtered=filtered, said=how.episodes))
    door.tell(found, lambda: _hits(door, found, explain=how.explain, watch=door.watch(agent, how.as_of)))
    if found.hits and found.left_out:
        door.out.say(f"{words.counted(found.left_out, 'more hit')} beyond --limit or --max-tokens")
    return Code.DONE if found.hits else Code.NOTHING


def _recall(agent: Agent, query: str | None, how: How, filters: Filters) -> Found:
    both = given(how, ("limit", "max_tokens", "min_score", "strategy")) | given(filters, _BOTH)
    special: dict[str, Any] = {
        "deep": how.deep, "as_of": _to_its_end(how.as_of), "emotions": how.emotions,
    }  # fmt: skip
    if how.episodes:
        _refuse_foreign(given(filters, _OF_MEMORIES) | special, episodes=True)
        narrowed = given(filters, ("conversations", *_OF_EPISODES))
        return agent.recall_episodes(query, **both, **narrowed)
    _refuse_foreign(given(filters, _OF_EPISODES), episodes=False)
    rooms = filters.conversations or []
    if len(rooms) > 1:
        problem = "memories are asked for one at a time"
        raise InvalidInput("--conversation", problem, "give one, or add --episodes")
    narrowed = given(filters, _OF_MEMORIES)
    return agent.recall(query, conversation=rooms[0] if rooms else None, **both, **special, **narrowed)


def _to_its_end(moment: str | None) -> str | None:
    """Return the end of the second that a shown time means: what was learned in it counts."""
    return moment if moment is None else _SECOND.sub(r"\1.999999\2", moment)


def _hits(door: Door, found: Found, *, explain: bool, watch: Watch) -> Sequence[RenderableType]:
    if found.words_only:
        door.out.say("The embedder failed just now, so this was searched by words alone:")
    if found.fell_back:
        door.out.say(
            "Ordinary recall found nothing above the floor."
            " This comes from deep recall (superseded, inactive, summarized):"
        )
    parts: list[RenderableType] = []
    for rank, hit in enumerate(found.hits, 1):
        parts.append(tables.hit_lines(rank, hit, watch))
        if explain:
            parts.append(tables.explanation(hit, meanings=rank == 1))
    return parts


def _nothing(found: Found, agent: Agent, *, filtered: bool, said: bool) -> str:
    """Return why nothing came back."""
    if found.left_out:
        hits = words.counted(found.left_out, "hit")
        return f"Nothing fits: {hits}, and the best is larger than --max-tokens allows."
    has_said = bool(agent.episodes(limit=1))
    elsewhere = " --episodes searches what was said." if has_said and not said else ""
    if found.below_floor:
        looked_at = words.counted(found.below_floor, "candidate")
        return (
            f"Nothing found: {looked_at}, none relevant enough. Try other words, or --min-score 0.{elsewhere}"
        )
    if said and not has_said:
        return f"Agent {agent.id!r} has observed nothing yet: `reverie observe` stores messages."
    if not said and not agent.memories(limit=1, deep=True):
        return (
            f"Agent {agent.id!r} has no memories yet: `reverie remember` makes one;"
            " --episodes searches what was said."
        )
    if filtered:
        return f"Nothing found: nothing here passes the filters.{elsewhere}"
    return f"Nothing found: nothing here has to do with the question.{elsewhere}"


def _refuse_foreign(values: dict[str, Any], *, episodes: bool) -> None:
    """Raise InvalidInput for a filter that what is searched doesn't have."""
    for name, value in values.items():
        if value not in (None, False, ()):
            option_name = "--" + (name if name == "as_of" else name.removesuffix("s")).replace("_", "-")
            what, remedy = (
                ("messages", "leave out --episodes") if episodes else ("memories", "add --episodes")
            )
            raise InvalidInput(option_name, f"{what} have no such property", f"leave it out, or {remedy}")


@dataclass(frozen=True, kw_only=True)
class What:
    """What to list and how much of it."""

    episodes: Annotated[bool, option("--episodes", "List what was said.")] = False
    match: Annotated[Text, option("--match", "Only what has all these words.", "WORDS")] = None
    deep: Annotated[bool, option("--deep", "Superseded, inactive and summarized memories too.")] = False
    review: Annotated[bool, option("--review", "Only memories whose wording waits for approval.")] = False
    newest: Newest = False
    limit: Limit = 100
    after: After = None


@command("list")
def list_(door: Door, *, what: What, filters: Narrowing) -> Code:
    """List memories in the order of storing, or messages in the order of time.

    For example:
      reverie list --kind preference
      reverie list --episodes --match "vet Pixel" --newest
      reverie list --review

    --newest needs --episodes. `reverie rooms list` lists conversations. Exit code 1 if there is nothing.
    """
    of_memories = given(filters, ("kinds", "tags", "scope")) | {"deep": what.deep}
    if what.review:
        of_memories["review"] = True
    of_episodes = given(filters, ("conversations", "channels", "roles", "speakers"))
    both = given(filters, ("since", "until")) | given(what, ("match", "limit", "after"))
    if what.episodes:
        _refuse_foreign(of_memories, episodes=True)
    else:
        _refuse_foreign(of_episodes | {"newest": what.newest}, episodes=False)
    agent = door.opened()
    found: Sequence[object] = (
        agent.episodes(newest_first=what.newest, **both, **of_episodes)
        if what.episodes
        else agent.memories(**both, **of_memories)
    )
    return _items(
        door, agent, found, "Nothing here: `reverie remember` and `reverie observe` store.", what.limit
    )


@command("scoped")
def scoped(
    door: Door,
    path: Annotated[
        str, argument("PATH", "A file: of the project whose folder is the current one, or absolute.")
    ],
    limit: Limit = 20,
) -> Code:
    """List the memories that concern a file.

    For example:
      reverie scoped src/reverie/client.py

    First those whose scope covers it, the narrowest first, then those that name it. Nothing is looked up on disk. Exit
    code 1 if there is none.
    """
    agent = door.opened()
    found = agent.scoped(from_here(path), limit=limit)
    return _items(door, agent, found, "No memory concerns this file.")


def _items(door: Door, agent: Agent, found: Sequence[object], none: str, limit: int | None = None) -> Code:
    watch = door.watch(agent)
    return door.list(found, lambda item: tables.item_lines(item, watch), none, limit=limit)


@command("show")
def show(door: Door, id: Annotated[str, argument("ID", "Of a memory or a message.")]) -> Code:
    """Show a memory with its history, sources, connections and audit log, or a message.

    For example:
      reverie show 0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e

    This counts as no access. Exit code 1 if there is no such id.
    """
    agent = door.opened()
    found = agent.get(id)
    if isinstance(found, Episode):
        return door.tell({"episode": found}, lambda: [tables.pairs(_message_rows(found, door.watch(agent)))])
    portrait = agent.portrait(id)
    memory, watch = portrait.memory, door.watch(agent)
    standing = [fact for fact in tables.standing(memory, watch) if fact != memory.state.value]
    learned = "" if memory.learned_from is None else f", learned from {memory.learned_from}"
    confidence = f"{portrait.confidence_now:.2f} now, {memory.confidence:.2f} when written"
    rows = [
        ("id", memory.id),
        ("essence", memory.essence),
        ("emotions", words.emotions(memory)),
        ("importance", words.importance(memory)),
        ("lesson", words.lesson(memory)),
        ("kind", f"{memory.kind}, priority {memory.priority}"),
        ("confidence", confidence),
        ("activation", f"{portrait.activation_now:.2f}"),
        ("state", ", ".join([memory.state.value, *standing])),
        ("recalled", words.counted(memory.touches, "time")),
        ("origin", f"{memory.origin}, source {memory.source_trust}{learned}"),
        ("scope", words.listed(memory.scope) if memory.scope else "everywhere"),
        ("tags", words.listed(memory.tags)),
        ("topics", words.listed(memory.topics)),
        ("entities", words.listed(memory.entities)),
        ("learned", watch.ago(memory.created_at)),
        ("believed since", watch.time(memory.believed_from)),
        ("valid", f"{watch.day(memory.valid_from)} to {watch.day(memory.valid_to)}"),
    ]
    rows += [
        (f"wording {old.version}", f"{old.essence} (believed until {watch.time(old.believed_to)})")
        for old in portrait.versions
    ]
    rows += [
        ("connection", f"{edge.relation} {edge.target if edge.source == id else edge.source}")
        for edge in portrait.connections
    ]
    rows += [("source", f"{tables.who(one)}: {one.content} ({one.id})") for one in portrait.sources]
    rows += [
        (
            "changed",
            f"{watch.time(one.at)} {one.action} by {one.actor}" + ((one.reason and f" ({one.reason})") or ""),
        )
        for one in portrait.audit
    ]
    return door.tell(portrait, lambda: [tables.pairs(rows)])


def _message_rows(episode: Episode, watch: Watch) -> list[tuple[str, str]]:
    return [
        ("id", episode.id),
        ("said", episode.content),
        ("by", f"{tables.who(episode)} (role {episode.role}, source {episode.source_trust})"),
        ("when", watch.ago(episode.time)),
        ("where", f"{episode.conversation}, place {episode.position}, channel {episode.channel}"),
        ("ref", episode.ref or "–"),
        ("outcome", episode.outcome or "–"),
        ("tags", words.listed(episode.tags)),
        ("topics", words.listed(episode.metadata.topics)),
        ("entities", words.listed(episode.metadata.entities)),
    ]
