"""Right memories of talk in several languages: how many of them a night lets land, and how many it doubts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from bench import places
from bench.night_mind import plain
from bench.realmem import Calendar
from reverie import Act, Kind, Rejected, SleepReport
from reverie.domain.change import Learn, Proposal
from reverie.minds.local import LocalMind
from reverie.ports.embedder import Embedder
from reverie.ports.night import Night

DATA = Path(__file__).parents[1] / "tests" / "services" / "languages_night.json"
ZONES = {
    "de": "Europe/Berlin", "es": "Europe/Madrid", "fr": "Europe/Paris", "hu": "Europe/Budapest", "ja": "Asia/Tokyo",
}  # fmt: skip
WORDINGS = ("english", "same")
"""In which language the memories are proposed: in English, or in that of the messages."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Landed:
    """What came of a language's memories in one wording. ``refused``: the others, each with the reason."""

    proposed: int
    refused: Sequence[str]
    lessons: int
    lessons_refused: Sequence[str]
    review: int

    @property
    def share(self) -> float:
        """Of those that were proposed."""
        return 1 - len(self.refused) / self.proposed


def read(path: Path = DATA) -> dict[str, Mapping[str, Any]]:
    """The talks by language."""
    return {name: talk for name, talk in json.loads(path.read_text("utf-8")).items() if name != "author"}


def landed(talk: Mapping[str, Any], zone: str, wording: str, embedder: Embedder) -> Landed:
    """A night after a talk, with its right memories proposed in a wording."""
    clock = Calendar()
    clock.now = max(datetime.fromisoformat(one["time"]) for one in talk["messages"]) + timedelta(hours=8)
    mind = _Proposing(talk, wording, embedder)
    with places.empty(None, embedder=embedder, clock=clock, mind=mind) as reverie:
        agent = reverie.agent("night", time_zone=zone)
        for one in talk["messages"]:
            agent.observe(
                {"role": "user", "speaker": one["speaker"], "content": one["content"], "time": one["time"]},
                conversation=one["time"][:10],
            )  # fmt: skip
        report = agent.sleep()
    changes = mind.changes
    refused = dict(_refused(report, changes))
    lessons = [one for place, one in enumerate(changes) if one.lesson is not None and place not in refused]
    left_out = [
        f"{one.reason}: {one.text}" for one in report.sleep.rejected if one.reason.startswith("its lesson was left out")
    ]  # fmt: skip
    return Landed(
        proposed=len(changes),
        refused=[f"{why}: {changes[place].essence}" for place, why in refused.items()],
        lessons=len(lessons), lessons_refused=left_out, review=len(report.review),
    )  # fmt: skip


def metrics(embedder: Embedder) -> Iterator[tuple[str, float]]:
    """The shares of each language and wording; what was refused is printed."""
    for (name, talk), wording in ((each, wording) for each in read().items() for wording in WORDINGS):
        found = landed(talk, ZONES[name], wording, embedder)
        for line in (*found.refused, *found.lessons_refused):
            print(f"  {name}, {wording}: {line}")
        yield f"{name}_{wording}_landed", found.share
        yield f"{name}_{wording}_review_share", found.review / max(1, found.proposed - len(found.refused))
        if wording == "english":
            yield f"{name}_lessons_landed", 1 - len(found.lessons_refused) / max(1, found.lessons)


def _refused(report: SleepReport, changes: Sequence[Learn]) -> Iterator[tuple[int, str]]:
    """Places of the memories that didn't land, with the reasons."""
    if report.refused is not None:
        yield from ((place, str(report.refused)) for place in range(len(changes)))
        return
    made = {plain(one.text or "") for one in report.of(Act.LEARN)}
    for place, change in enumerate(changes):
        why = next(filter(None, map(partial(_reason, change), report.sleep.rejected)), None)
        if plain(change.essence) not in made and why is not None:
            yield place, why


def _reason(change: Learn, one: Rejected) -> str | None:
    is_its = (
        one.act is Act.LEARN and one.text is not None and plain(change.essence).startswith(plain(one.text))
    )
    return one.reason if is_its and not one.reason.startswith("its lesson was left out") else None


class _Proposing(LocalMind):
    """Proposes a talk's memories; the rest is LocalMind's."""

    def __init__(self, talk: Mapping[str, Any], wording: str, embedder: Embedder) -> None:
        super().__init__(embedder)
        self._talk, self._wording = talk, wording
        self.changes: list[Learn] = []

    def consolidate(self, night: Night) -> Proposal:
        said = {one.content: one.id for cluster in night.clusters for one in cluster.episodes}
        ids = {one["label"]: said[one["content"].strip()] for one in self._talk["messages"]}
        self.changes = [
            Learn(
                essence=one[self._wording], kind=Kind(one["category"]), confidence=0.9, importance=0.6,
                sources=tuple(ids[label] for label in one["sources"]),
                lesson=one["lesson_english"] if self._wording == "english" else None,
            )
            for one in self._talk["memories"]
        ]  # fmt: skip
        return Proposal(changes=tuple(self.changes))
