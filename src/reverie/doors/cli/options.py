"""Options that several commands share, with the help that teaches them."""

from __future__ import annotations

from typing import Annotated

import typer

from reverie.domain.emotion import Emotion
from reverie.domain.kinds import Kind, Priority
from reverie.domain.message import Role

_BANK = "Which bank"
_FILTERS = "Filters"
_WORTH = "What it is worth"
Names = list[str] | None

# Of every command

Bank = Annotated[
    str | None,
    typer.Option(
        "--bank",
        metavar="PLACE",
        help="The bank file, or a postgresql:// URL. Default: REVERIE_BANK, or a file in your data folder.",
        rich_help_panel=_BANK,
    ),
]
AgentId = Annotated[
    str | None,
    typer.Option(
        "--agent", metavar="ID", help="Whose memory. Default: REVERIE_AGENT, or main.", rich_help_panel=_BANK
    ),
]
Unencrypted = Annotated[
    bool,
    typer.Option(
        "--unencrypted", help="The bank is a plain SQLite file, not encrypted.", rich_help_panel=_BANK
    ),
]
Keyring = Annotated[
    bool,
    typer.Option(
        "--keyring",
        help="The key lies in the system's keyring, not in REVERIE_KEY or the key file.",
        rich_help_panel=_BANK,
    ),
]
AsJson = Annotated[
    bool,
    typer.Option(
        "--json", help="One JSON document on stdout; errors as JSON on stderr.", rich_help_panel=_BANK
    ),
]

# Filters

Kinds = Annotated[
    Names,
    typer.Option(
        "--kind", metavar="KIND", help=f"Only this kind: {', '.join(Kind)}.", rich_help_panel=_FILTERS
    ),
]
Tags = Annotated[
    Names, typer.Option("--tag", metavar="TAG", help="Only with this tag.", rich_help_panel=_FILTERS)
]
Topics = Annotated[
    Names, typer.Option("--topic", metavar="TOPIC", help="Only on this topic.", rich_help_panel=_FILTERS)
]
Entities = Annotated[
    Names,
    typer.Option(
        "--entity", metavar="NAME", help="Only about this person or thing.", rich_help_panel=_FILTERS
    ),
]
Scope = Annotated[
    str | None,
    typer.Option(
        "--scope",
        metavar="PATH",
        help="Only what holds for this path, such as src/app.py.",
        rich_help_panel=_FILTERS,
    ),
]
Since = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="TIME",
        help="From this time on: 2026-11-20 or 2026-11-20T09:30:00+01:00.",
        rich_help_panel=_FILTERS,
    ),
]
Until = Annotated[
    str | None, typer.Option("--until", metavar="TIME", help="Before this time.", rich_help_panel=_FILTERS)
]
Conversations = Annotated[
    Names,
    typer.Option(
        "--conversation", metavar="ID", help="Only from this conversation.", rich_help_panel=_FILTERS
    ),
]
Channels = Annotated[
    Names,
    typer.Option(
        "--channel",
        metavar="NAME",
        help="Only from this channel (with --episodes).",
        rich_help_panel=_FILTERS,
    ),
]
Roles = Annotated[
    Names,
    typer.Option(
        "--role",
        metavar="ROLE",
        help=f"Only in this role (with --episodes): {', '.join(Role)}.",
        rich_help_panel=_FILTERS,
    ),
]
Speakers = Annotated[
    Names,
    typer.Option(
        "--speaker", metavar="NAME", help="Only by this speaker (with --episodes).", rich_help_panel=_FILTERS
    ),
]
MinImportance = Annotated[
    float | None,
    typer.Option(
        "--min-importance", metavar="0..1", help="At least this important.", rich_help_panel=_FILTERS
    ),
]
MinConfidence = Annotated[
    float | None,
    typer.Option(
        "--min-confidence",
        metavar="0..1",
        help="At least this sure, after the fade of time.",
        rich_help_panel=_FILTERS,
    ),
]

With = Annotated[
    Names,
    typer.Option(
        "--with", metavar="NAME", help="Who takes part: it says how the agent sees them; may be repeated."
    ),
]

# Values of a memory

KindOf = Annotated[
    str | None,
    typer.Option("--kind", metavar="KIND", help=f"One of {', '.join(Kind)}.", rich_help_panel=_WORTH),
]
TypeOf = Annotated[
    str,
    typer.Option("--type", metavar="KIND", help=f"One of {', '.join(Kind)}.", rich_help_panel=_WORTH),
]
Lesson = Annotated[str | None, typer.Option("--lesson", help="What to do next time.", rich_help_panel=_WORTH)]
Emotions = Annotated[
    Names,
    typer.Option(
        "--emotion",
        metavar="LABEL",
        help=f"Given up to three times, strongest first: {', '.join(Emotion)}.",
        rich_help_panel=_WORTH,
    ),
]
Importance = Annotated[
    float | None,
    typer.Option("--importance", metavar="0..1", help="How much it matters.", rich_help_panel=_WORTH),
]
PriorityOf = Annotated[
    str | None,
    typer.Option(
        "--priority",
        metavar="RANK",
        help=f"{', '.join(Priority)}. Default: the kind's own.",
        rich_help_panel=_WORTH,
    ),
]
Confidence = Annotated[
    float | None, typer.Option("--confidence", metavar="0..1", help="How sure it is.", rich_help_panel=_WORTH)
]
Scopes = Annotated[
    Names,
    typer.Option(
        "--scope",
        metavar="GLOB",
        help="Where it holds, such as src/**/*.py. Default: everywhere.",
        rich_help_panel=_WORTH,
    ),
]
TagsOf = Annotated[
    Names, typer.Option("--tag", metavar="TAG", help="A tag; may be repeated.", rich_help_panel=_WORTH)
]
TopicsOf = Annotated[
    Names, typer.Option("--topic", metavar="TOPIC", help="A topic; may be repeated.", rich_help_panel=_WORTH)
]
EntitiesOf = Annotated[
    Names,
    typer.Option(
        "--entity", metavar="NAME", help="Whom or what it is about; may be repeated.", rich_help_panel=_WORTH
    ),
]
ValidFrom = Annotated[
    str | None,
    typer.Option(
        "--valid-from", metavar="TIME", help="Since when it is true in the world.", rich_help_panel=_WORTH
    ),
]
ValidTo = Annotated[
    str | None,
    typer.Option(
        "--valid-to", metavar="TIME", help="Until when it is true in the world.", rich_help_panel=_WORTH
    ),
]
Time = Annotated[
    str | None,
    typer.Option("--time", metavar="TIME", help="When it was learned. Default: now.", rich_help_panel=_WORTH),
]
Override = Annotated[bool, typer.Option("--override", help="Learn it even if it was forgotten on purpose.")]
