"""What a relevance floor keeps and what it refuses, on LoCoMo's answerable questions.

Kept: the best hit for a question is above the floor, and so all come. Refused: nothing is above it once the question's
evidence is gone; really gone, since a copy of the dialogue's bank is opened for every question, its evidence turns are
forgotten there, and the question is asked. Elsewhere: it is asked in the next dialogue's bank, which knows nothing of
it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.filling import KEY
from bench.locomo_data import ANSWERABLE, Dialogue, Question
from bench.metrics import mean
from reverie import Agent, EpisodeHit, Reverie, Settings
from reverie.ports.embedder import Embedder

FLOORS = (0.006, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3)
KEPT = (0.99, 0.98, 0.97, 0.95, 0.9, 0.8)
"""Shares to keep, whatever floor that takes: a curve that doesn't hang on how relevance is scaled."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """The greatest relevance in three banks: in the question's own (None where no evidence is a candidate), in its own
    without the evidence, in another's (None without another).
    """

    evidence: float | None
    without: float
    elsewhere: float | None


def judged(
    dialogues: Sequence[Dialogue], *, settings: Settings, embedder: Embedder, strategy: str = "hybrid"
) -> list[Judged]:
    """Every answerable question with evidence, in the order of the dialogues."""
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as name:
        folder = Path(name)
        banks = [
            _Bank.made(folder / f"{number}.bank", dialogue, settings, embedder)
            for number, dialogue in enumerate(dialogues)
        ]
        found = []
        for number, bank in enumerate(banks):
            other = banks[(number + 1) % len(banks)]
            found += list(_of_dialogue(bank, other if other is not bank else None, strategy))
            print(f"  {bank.dialogue.id}: asked without the evidence", flush=True)
    return found


def floor_figures(found: Sequence[Judged], floor: float) -> dict[str, float]:
    """What this floor keeps, as a share of the questions whose evidence is a candidate; and refuses, of all."""
    reached = [one.evidence for one in found if one.evidence is not None]
    elsewhere = [one.elsewhere for one in found if one.elsewhere is not None]
    figures = {
        "kept": mean([best >= floor for best in reached]),
        "refused": mean([one.without < floor for one in found]),
    }
    return figures | ({"refused_elsewhere": mean([best < floor for best in elsewhere])} if elsewhere else {})


def floor_that_keeps(found: Sequence[Judged], share: float) -> float:
    """The highest floor that keeps at least this share."""
    reached = sorted(one.evidence for one in found if one.evidence is not None)
    return reached[int((1 - share) * len(reached) + 1e-9)] if reached else 0.0


def floor_curve(found: Sequence[Judged], default: float) -> Mapping[str, float]:
    """The figures at the default floor, at each of FLOORS, and where each share of KEPT is kept."""
    curve = {f"floor_{name}": value for name, value in floor_figures(found, default).items()}
    for floor in FLOORS:
        curve |= {f"floor_{name}_at_{floor:g}": value for name, value in floor_figures(found, floor).items()}
    for share in KEPT:
        floor = floor_that_keeps(found, share)
        curve[f"floor_keeping_{share:g}"] = floor
        curve |= {
            f"floor_{name}_keeping_{share:g}": value
            for name, value in floor_figures(found, floor).items()
            if name != "kept"
        }
    return curve


@dataclass(frozen=True, kw_only=True, slots=True)
class _Bank:
    """A dialogue observed into a file of its own, which is closed. ``ids``: episodes by ref."""

    path: Path
    dialogue: Dialogue
    ids: Mapping[str, str]
    settings: Settings
    embedder: Embedder

    @classmethod
    def made(cls, path: Path, dialogue: Dialogue, settings: Settings, embedder: Embedder) -> _Bank:
        ids: dict[str, str] = {}
        with Reverie.open(path, key=KEY, settings=settings, embedder=embedder) as reverie:
            agent = reverie.agent(dialogue.id)
            for session in dialogue.sessions:
                seen = agent.observe(session.messages, conversation=session.conversation)
                pairs = zip(session.messages, seen.episode_ids, strict=True)
                ids |= {message.ref: episode for message, episode in pairs if message.ref is not None}
        return cls(path=path, dialogue=dialogue, ids=ids, settings=settings, embedder=embedder)

    def opened(self, path: Path) -> Reverie:
        """This file, or a copy of it."""
        return Reverie.open(path, key=KEY, create=False, settings=self.settings, embedder=self.embedder)

    def questions(self) -> Sequence[Question]:
        """Those of categories 1 to 4 that have evidence."""
        return [one for one in self.dialogue.questions if one.category in ANSWERABLE and one.evidence]


def _of_dialogue(bank: _Bank, other: _Bank | None, strategy: str) -> Iterator[Judged]:
    questions = bank.questions()
    with bank.opened(bank.path) as reverie:
        agent = reverie.agent(bank.dialogue.id)
        evidence = [_of_evidence(agent, question, strategy) for question in questions]
    elsewhere: list[float | None] = [None] * len(questions)
    if other is not None:
        with other.opened(other.path) as reverie:
            agent = reverie.agent(other.dialogue.id)
            elsewhere = [_greatest(_all_hits(agent, question, strategy)) for question in questions]
    copy = bank.path.with_suffix(".copy")
    for question, own, foreign in zip(questions, evidence, elsewhere, strict=True):
        shutil.copyfile(bank.path, copy)
        with bank.opened(copy) as reverie:
            agent = reverie.agent(bank.dialogue.id)
            for ref in question.evidence:
                agent.forget(bank.ids[ref])
            without = _greatest(_all_hits(agent, question, strategy))
        yield Judged(evidence=own, without=without, elsewhere=foreign)


def _of_evidence(agent: Agent, question: Question, strategy: str) -> float | None:
    """The best hit's relevance, which the floor looks at, where evidence is among the candidates."""
    hits = _all_hits(agent, question, strategy)
    return _greatest(hits) if any(hit.ref in question.evidence for hit in hits) else None


def _all_hits(agent: Agent, question: Question, strategy: str) -> Sequence[EpisodeHit]:
    """All candidates: with a budget alone there is no limit, and nothing costs anything."""
    return agent.recall_episodes(
        question.text, max_tokens=1, tokens=lambda _: 0, min_score=0, strategy=strategy
    ).hits


def _greatest(hits: Sequence[EpisodeHit]) -> float:
    """The greatest relevance; 0 where there is nothing."""
    return max((hit.relevance for hit in hits), default=0.0)
