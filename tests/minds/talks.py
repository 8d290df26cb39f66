"""The talks of said_*.txt, alone and within other talk, as snippets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.domain.snippet import Snippet
from reverie.domain.trust import SourceTrust

AGENT, NAMELESS = "~", "-"
FRIDAY = datetime(2026, 11, 20, 9, tzinfo=UTC)
Said = tuple[str, str]
"""Who says what."""

_AMONG_FRIENDS: Sequence[Said] = (
    ("Eva", "Have you seen the new film with the robots?"),
    ("Ben", "Not yet, is it any good?"),
    ("Eva", "The music is wonderful, and the ending surprised me."),
    ("Ben", "Then let us go together some day."),
)
_WITH_AN_AGENT: Sequence[Said] = (
    (NAMELESS, "Can you explain how a heat pump works?"),
    (
        AGENT,
        "A heat pump moves heat from outside to inside. It uses a refrigerant that evaporates at low temperatures.",
    ),
    (NAMELESS, "And does it work when it freezes outside?"),
    (AGENT, "Yes, modern heat pumps work well below zero, though they need more power then."),
)
_FRIENDS_ANSWER: Said = ("Eva", "Oh really? I see.")
_AGENTS_ANSWER: Said = (
    AGENT,
    "Thanks for telling me! Is there anything else I can help you with today?",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Talk:
    """``about``: the class that the file gives it; ``words`` must stand in an essence, and are empty where nothing is
    to be kept.
    """

    about: str
    words: str
    said: tuple[Said, ...]

    def snippets(self, place: int) -> Iterator[Snippet]:
        """It by itself, and with other talk before it and an answer behind it."""
        yield snippet(*self.said)
        with_agent = any(who == AGENT for who, _ in self.said) or place % 2 == 1
        before = _WITH_AN_AGENT if with_agent else _AMONG_FRIENDS
        answer = _AGENTS_ANSWER if with_agent else _FRIENDS_ANSWER
        yield snippet(*before, *self.said, answer, fresh=len(self.said) + 1)


def read(name: str) -> list[Talk]:
    """The talks of a file beside this one."""
    text = (Path(__file__).parent / name).read_text("utf-8")
    found: list[Talk] = []
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            about, _, words = lines[0].partition("|")
            said = tuple((who, text) for who, _, text in (line.partition(": ") for line in lines[1:]))
            found.append(Talk(about=about.strip(), words=words.strip(), said=said))
    return found


def snippet(*said: Said, fresh: int | None = None) -> Snippet:
    """What was said, a minute apart; the last ``fresh`` are new, all where that is None."""
    messages = tuple(episode(place, who, text) for place, (who, text) in enumerate(said))
    return Snippet(agent_id="a", zone=UTC, messages=messages, fresh=len(said) if fresh is None else fresh)


def episode(place: int, who: str, text: str) -> Episode:
    """One message."""
    time = FRIDAY + timedelta(minutes=place)
    return Episode(
        id=f"e{place}",
        conversation="talk",
        position=place,
        time=time,
        observed_at=time,
        channel="api",
        role=Role.AGENT if who == AGENT else Role.USER,
        speaker=None if who in (AGENT, NAMELESS) else who,
        content=text,
        source_trust=SourceTrust.AGENT if who == AGENT else SourceTrust.PRINCIPAL,
    )
