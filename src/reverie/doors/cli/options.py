"""Options that several commands share, with the help that teaches them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import typer

from reverie.domain.emotion import Emotion
from reverie.domain.kinds import Kind, Priority
from reverie.domain.message import Role
from reverie.doors.here import from_here

_BANK = "Which bank"
Text = str | None
Names = list[str] | None


def option(names: str, help: str, metavar: str | None = None, panel: str | None = None, **more: Any) -> Any:  # noqa: A002
    """Describe an option. ``metavar``: what stands for its value; ``panel``: under which title the help shows it."""
    return typer.Option(names, help=help, metavar=metavar, rich_help_panel=panel, **more)


def argument(metavar: str, help: str) -> Any:  # noqa: A002
    """Describe an argument."""
    return typer.Argument(metavar=metavar, help=help, show_default=False)


narrow = partial(option, panel="Filters")
worth = partial(option, panel="What it is worth")


# Of every command

Bank = Annotated[
    Text,
    option(
        "--bank",
        "The bank file, or a postgresql:// URL. Default: REVERIE_BANK, or a file in your data folder.",
        "PLACE",
        _BANK,
    ),
]
AgentId = Annotated[Text, option("--agent", "Whose memory. Default: REVERIE_AGENT, or main.", "ID", _BANK)]
Unencrypted = Annotated[bool, option("--unencrypted", "The bank is a plain SQLite file.", None, _BANK)]
Keyring = Annotated[
    bool,
    option(
        "--keyring", "Read the key from the system's keyring, not REVERIE_KEY or the key file.", None, _BANK
    ),
]
AsJson = Annotated[bool, option("--json", "Print one JSON document; errors as JSON on stderr.", None, _BANK)]

# Of many

Agents = Annotated[Names, option("--agent", "Only this agent; repeatable. Default: all.", "ID")]
After = Annotated[Text, option("--after", "The page after this id, the last one of the page before.", "ID")]
Before = Annotated[Text, option("--before", "The page before this id.", "ID")]
Limit = Annotated[int, option("--limit", "At most this many.", "N", min=1)]
Newest = Annotated[bool, option("--newest", "The newest first.")]
AsOf = Annotated[Text, option("--as-of", "As it stood at this time.", "TIME")]
DryRun = Annotated[bool, option("--dry-run", "Show what would be done, and change nothing.")]
Force = Annotated[bool, option("--force", "Replace FILE if it exists.")]
Yes = Annotated[bool, option("--yes", "Don't ask.")]
Override = Annotated[bool, option("--override", "Store it even if it was forgotten on purpose.")]
Reason = Annotated[Text, option("--reason", "Why, for the audit log.")]
MemoryId = Annotated[str, argument("ID", "The memory's id.")]
Since = Annotated[
    Text,
    narrow("--since", "From this time on: 2026-11-20 or 2026-11-20T09:30:00+01:00.", "TIME"),
]
Until = Annotated[Text, narrow("--until", "Before this time.", "TIME")]
With = Annotated[
    Names, option("--with", "Who takes part; the agent's view of them is included; repeatable.", "NAME")
]
Conversation = Annotated[str, option("--conversation", "For lines that name no conversation.", "ID")]
Channel = Annotated[str, option("--channel", "For lines that name no channel.", "NAME")]
Samples = Annotated[
    Names, option("--sample", "Of a LoCoMo file only this sample, by number or id; repeatable.", "N|ID")
]
TimeZone = Annotated[Text, option("--time-zone", "Such as Europe/Budapest. Default: UTC.", "NAME")]
Principals = Annotated[Names, option("--principal", "A person whose word is policy; repeatable.", "NAME")]
Home = Annotated[Text, option("--home", 'Where the agent lives; "" removes it.')]
Location = Annotated[Text, option("--location", 'Where the agent is now; "" if nobody knows.')]

# Values of a memory

Lesson = Annotated[Text, worth("--lesson", "What to do next time.")]
Importance = Annotated[float | None, worth("--importance", "How much it matters.", "0..1")]
PriorityOf = Annotated[Text, worth("--priority", f"{', '.join(Priority)}. Default: the kind's own.", "RANK")]
Scopes = Annotated[
    Names, worth("--scope", "Where it holds, such as src/**/*.py. Default: everywhere.", "GLOB")
]
Tags = Annotated[Names, worth("--tag", "A tag; repeatable.", "TAG")]


@dataclass(frozen=True, kw_only=True)
class Worth:
    """What a memory is and is worth."""

    kind: Annotated[Text, worth("--kind", f"One of {', '.join(Kind)}.", "KIND")] = None
    lesson: Lesson = None
    emotions: Annotated[
        Names,
        worth("--emotion", f"Up to three, strongest first: {', '.join(Emotion)}.", "LABEL"),
    ] = None
    importance: Importance = None
    priority: PriorityOf = None
    confidence: Annotated[float | None, worth("--confidence", "How sure it is.", "0..1")] = None
    scope: Scopes = None
    tags: Tags = None
    topics: Annotated[Names, worth("--topic", "A topic; repeatable.", "TOPIC")] = None
    entities: Annotated[Names, worth("--entity", "A person or thing it is about; repeatable.", "NAME")] = None
    valid_from: Annotated[Text, worth("--valid-from", "Since when it is true.", "TIME")] = None
    valid_to: Annotated[Text, worth("--valid-to", "Until when it is true.", "TIME")] = None


@dataclass(frozen=True, kw_only=True)
class Narrowing:
    """Filters of every search and list."""

    kinds: Annotated[Names, narrow("--kind", f"Only this kind: {', '.join(Kind)}.", "KIND")] = None
    tags: Annotated[Names, narrow("--tag", "Only with this tag.", "TAG")] = None
    since: Since = None
    until: Until = None
    scope: Annotated[
        Text, narrow("--scope", "Only what holds for this path, such as src/app.py.", "PATH")
    ] = None
    conversations: Annotated[Names, narrow("--conversation", "Only from this conversation.", "ID")] = None
    channels: Annotated[Names, narrow("--channel", "Only of this channel (with --episodes).", "NAME")] = None
    roles: Annotated[
        Names,
        narrow("--role", f"Only in this role (with --episodes): {', '.join(Role)}.", "ROLE"),
    ] = None
    speakers: Annotated[Names, narrow("--speaker", "Only by this speaker (with --episodes).", "NAME")] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "scope", from_here(self.scope))


@dataclass(frozen=True, kw_only=True)
class Filters(Narrowing):
    """All filters of recall."""

    topics: Annotated[Names, narrow("--topic", "Only on this topic.", "TOPIC")] = None
    entities: Annotated[Names, narrow("--entity", "Only about this person or thing.", "NAME")] = None
    min_importance: Annotated[
        float | None, narrow("--min-importance", "At least this important.", "0..1")
    ] = None
    min_confidence: Annotated[
        float | None,
        narrow("--min-confidence", "At least this sure, after the fade of time.", "0..1"),
    ] = None
