"""recall: what answers a question, best first, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reverie.domain.query import EpisodeHit, MemoryHit, Recall, Strategy
from reverie.doors.cli import options, tables, words
from reverie.doors.cli.absent import absent
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.groups import Filters, given
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie

_SECOND = re.compile(r"(:\d\d:\d\d)(Z|[+-]\d\d:?\d\d)?$")
_MUCH = "How much"
_BOTH = ("tags", "topics", "entities", "since", "until", "min_importance")
_OF_MEMORIES = ("kinds", "scope", "min_confidence")
_OF_EPISODES = ("channels", "roles", "speakers")
Found = Recall[MemoryHit | EpisodeHit]

Query = Annotated[
    options.Names,
    typer.Argument(metavar="QUERY…", help="The question, in quotes or not. Without one: the latest."),
]


@dataclass(frozen=True, kw_only=True)
class How:
    """How to search and what to show."""

    explain: Annotated[bool, typer.Option("--explain", help="Show the terms that add up to each score.")] = (
        False
    )
    episodes: Annotated[
        bool, typer.Option("--episodes", help="Search what was said instead of memories.")
    ] = False
    strategy: Annotated[str, typer.Option("--strategy", metavar="NAME", help=f"{', '.join(Strategy)}.")] = (
        "hybrid"
    )
    deep: Annotated[
        bool, typer.Option("--deep", help="Search superseded, inactive and summarized memories too.")
    ] = False
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", metavar="TIME", help="Answer with what was believed and valid then."),
    ] = None
    emotions: Annotated[
        options.Names,
        typer.Option(
            "--emotion", metavar="LABEL", help="An emotion of the question's; lifts memories that share it."
        ),
    ] = None
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", help="At most so many. Default: 10.", rich_help_panel=_MUCH),
    ] = None
    max_tokens: Annotated[
        int | None,
        typer.Option("--max-tokens", metavar="N", help="Their texts together.", rich_help_panel=_MUCH),
    ] = None
    min_score: Annotated[
        float | None,
        typer.Option("--min-score", metavar="0..1", help="The least relevance.", rich_help_panel=_MUCH),
    ] = None


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "recall")(recall)


def recall(door: Door, query: Query = None, *, how: How, filters: Filters) -> Code:
    """Bring back what answers a question, best first.

    For example:
      reverie recall what must Anna not eat --explain
      reverie recall "when is the wedding?" --as-of 2026-03-12
      reverie recall "the vet" --episodes --speaker Anna --json

    score orders the hits of one question; relevance, from 0 to 1, compares across questions and is
    what --min-score looks at. Without a question, --conversation asks with the last messages of that
    conversation. Exit code 1 if nothing is found.
    """
    with door.opened() as reverie:
        agent = reverie.agent(door.agent_id)
        found = _recall(agent, " ".join(query) if query else None, how, filters)
        if not found.hits:
            filtered = bool(given(filters)) or how.as_of is not None
            door.out.say(_nothing(found, agent, reverie, filtered=filtered, said=how.episodes))
        if door.out.as_json:
            door.out.document(found)
        else:
            _show(door, found, explain=how.explain, watch=Watch.of(agent, as_of=how.as_of))
    return Code.DONE if found.hits else Code.NOTHING


def _recall(agent: Agent, query: str | None, how: How, filters: Filters) -> Found:
    much: dict[str, Any] = {
        "limit": how.limit,
        "max_tokens": how.max_tokens,
        "min_score": how.min_score,
        "strategy": how.strategy,
        **given(filters, _BOTH),
    }
    special: dict[str, Any] = {
        "deep": how.deep,
        "as_of": _to_its_end(how.as_of),
        "emotions": how.emotions,
    }
    if how.episodes:
        refuse_foreign(given(filters, _OF_MEMORIES) | special, episodes=True)
        narrowed = given(filters, _OF_EPISODES)
        return agent.recall_episodes(query, conversations=filters.conversations, **much, **narrowed)
    refuse_foreign(given(filters, _OF_EPISODES), episodes=False)
    narrowed = given(filters, _OF_MEMORIES)
    return agent.recall(query, conversation=_one(filters.conversations), **much, **special, **narrowed)


def _to_its_end(moment: str | None) -> str | None:
    """A time as this command shows it, to the second, means that whole second: what was learned in it counts."""
    return moment if moment is None else _SECOND.sub(r"\1.999999\2", moment)


def _show(door: Door, found: Found, *, explain: bool, watch: Watch) -> None:
    """The hits as a list, with a word on how they were found."""
    if found.words_only:
        door.out.say("The embedder fails just now, so this was asked by words alone:")
    if found.fell_back:
        door.out.say(
            "Ordinary recall found nothing above the floor."
            " This comes from deep recall (superseded, inactive, summarized):"
        )
    for rank, hit in enumerate(found.hits, 1):
        door.out.show(tables.hit_lines(rank, hit, watch))
        if explain:
            door.out.show(tables.explanation(hit, meanings=rank == 1))
    if found.hits and found.left_out:
        door.out.say(f"{words.counted(found.left_out, 'more hit')} beyond --limit or --max-tokens")


def refuse_foreign(options_given: dict[str, Any], *, episodes: bool) -> None:
    """Raises InvalidInput for a filter that what is searched doesn't have."""
    for name, value in options_given.items():
        if value not in (None, False, ()):
            option = "--" + (name if name == "as_of" else name.removesuffix("s")).replace("_", "-")
            if episodes:
                raise InvalidInput(
                    option, "messages have no such thing", "leave it out, or leave out --episodes"
                )
            raise InvalidInput(option, "memories have no such thing", "leave it out, or add --episodes")


def _one(conversations: options.Names) -> str | None:
    if conversations and len(conversations) > 1:
        raise InvalidInput(
            "--conversation", "memories are asked for one at a time", "give one, or add --episodes"
        )
    return conversations[0] if conversations else None


def _nothing(found: Found, agent: Agent, reverie: Reverie, *, filtered: bool, said: bool) -> str:
    """Why nothing came back, in words."""
    if nobody := absent(reverie, agent.id):
        return nobody
    if found.left_out:
        hits = words.counted(found.left_out, "hit")
        return f"Nothing fits: {hits}, and the best is larger than --max-tokens allows."
    if found.below_floor:
        looked_at = words.counted(found.below_floor, "candidate")
        return (
            f"Nothing found: {looked_at} looked at, none relevant enough. Try other words, or --min-score 0."
        )
    if said and not agent.episodes(limit=1):
        return f"Agent {agent.id!r} has observed nothing yet: `reverie observe` does."
    if not said and not agent.memories(limit=1, deep=True):
        return (
            f"Agent {agent.id!r} has no memories yet: `reverie remember` makes one;"
            " --episodes searches what was said."
        )
    if filtered:
        return "Nothing found: nothing here passes the filters."
    return "Nothing found: nothing here has to do with the question."
