"""RealMem through LocalMind's extraction: how much of what the data's authors would have remembered is kept, and how
much of what is kept they would have remembered.

A persona is one agent. After every two messages the last six are a snippet, as in the memory loop; what the mind
proposes is kept unless it repeats what is there. An essence and a gold memory match if their cosine is 0.70 or more and
they come from the same session; recall is the share of gold memories that are matched, precision that of ours.

Two baselines go the same way: every sentence that the user says, and the last one of each of the user's messages. As
their words are in the first person, every sentence is measured reworded as ours are, too.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bench import realmem_data
from bench.extract_life import Bank, Gold, Vectors, lived, messages_of, snippets
from bench.realmem_data import Persona
from bench.report import Target, rounded, show, show_targets
from bench.vectors import kept_vectors
from reverie import Settings
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.message import Role
from reverie.minds.emotions import EmotionClassifier
from reverie.minds.local import LocalMind
from reverie.minds.local.statements import statements
from reverie.ports.embedder import Embedder
from reverie.rules.sentences import sentences

MOST_PER_100, LEAST_RATIO, LEAST_AUC = 15.0, 1.5, 0.70
_SHORTEST = 3  # words of a sentence that a baseline keeps
_MIN_FLOOR = 0.0

NOTES = {
    "recall": "of gold memories: some essence of their session says them (cosine ≥ 0.70)",
    "precision": "of memories kept: they say some gold memory of their session",
    "per_100": "memories kept for 100 messages",
    "auc": "importance of everything that the mind proposes with its floor at 0, against whether it matches",
    "auc_kept": "the same among what is kept",
    "auc_episodes": "importance of messages as observed, against whether a gold memory names the message as its source",
    "f1_every_reworded": "every sentence, but in the third person and with dates as ours",
    "f1_over_baseline": "ours over the best of the three",
    "snippet_ms": "for one snippet, vectors of kept texts not counted anew",
}


@dataclass(kw_only=True, slots=True)
class Tally:
    """Counts over lives."""

    gold: int = 0
    met: int = 0
    kept: int = 0
    right: int = 0
    importance: list[float] = field(default_factory=list)
    matched: list[bool] = field(default_factory=list)

    def add(self, bank: Bank, gold: Gold) -> None:
        """A life's bank against its gold memories."""
        hits = gold.met(bank.vectors, [one.sessions for one in bank.kept])
        self.gold += len(gold.facts)
        self.met += len({fact for facts in hits for fact in facts})
        self.kept += len(bank.kept)
        self.right += sum(map(bool, hits))
        self.importance += [one.importance for one in bank.kept]
        self.matched += map(bool, hits)

    @property
    def recall(self) -> float:
        """Of gold memories."""
        return self.met / self.gold if self.gold else 0.0

    @property
    def precision(self) -> float:
        """Of ours."""
        return self.right / self.kept if self.kept else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        both = self.recall + self.precision
        return 2 * self.recall * self.precision / both if both else 0.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a folder of RealMem's dialogues")
    parser.add_argument(
        "--persona",
        action="append",
        default=[],
        help="only this one (name, or number from 0); may be repeated",
    )
    parser.add_argument("--keep", type=Path, help="a folder that keeps the texts' vectors for the next run")


def run(
    json_output: bool = False, *, data: Path, persona: Sequence[str] = (), keep: Path | None = None
) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    personas = realmem_data.read(data, persona)
    names = ("ours", "free", "every", "every_reworded", "last")
    tallies = {name: Tally() for name in names}
    single = {one.id: Tally() for one in personas}
    read: tuple[list[float], list[bool]] = ([], [])
    messages = spent = count = 0.0
    with kept_vectors(Settings(), keep) as embedder:
        feel = EmotionClassifier(embedder.embed).emotions
        for one in personas:
            gold = Gold.of(one.sessions, embedder)
            start = time.perf_counter()
            ours = lived(one, LocalMind(embedder, feel, floor=Settings().loop_floor).extract, embedder)
            spent += time.perf_counter() - start
            free = lived(one, LocalMind(embedder, feel, floor=_MIN_FLOOR).extract, embedder)
            for tally in (tallies["ours"], single[one.id]):
                tally.add(ours, gold)
            tallies["free"].add(free, gold)
            for name, say in (("every", _every), ("every_reworded", _reworded), ("last", _last)):
                tallies[name].add(_baseline(one, say, embedder), gold)
            _read(one, LocalMind(embedder, feel), feel, embedder, read)
            said = [messages_of(one, place) for place in range(len(one.sessions))]
            messages += sum(map(len, said))
            count += sum(len(list(snippets(part))) for part in said)
            print(f"  {one.id}: lived", flush=True)
    metrics = rounded(
        {
            **_quality(tallies),
            "per_100": 100 * tallies["ours"].kept / messages,
            "auc": auc(tallies["free"].importance, tallies["free"].matched),
            "auc_kept": auc(tallies["ours"].importance, tallies["ours"].matched),
            "auc_episodes": auc(*read),
            **{f"f1_{name}": tally.f1 for name, tally in single.items()},
            "memories": tallies["ours"].kept,
            "gold": tallies["ours"].gold,
            "messages": int(messages),
            "snippet_ms": 1000 * spent / count,
        }
    )
    show(f"RealMem extraction by LocalMind ({data.name})", metrics, json_output=False, notes=NOTES)
    show_targets(_targets(metrics))
    if json_output:
        _print_json(metrics)
    return metrics


def _print_json(metrics: dict[str, float]) -> None:
    import json

    print(json.dumps(metrics), flush=True)


def auc(scores: Sequence[float], good: Sequence[bool]) -> float:
    """How probably a good one scores above another; ties count half. 0.5 where all or none are good."""
    values, marks = np.asarray(scores, float), np.asarray(good, bool)
    positive, negative = values[marks], np.sort(values[~marks])
    if not len(positive) or not len(negative):
        return 0.5
    below = np.searchsorted(negative, positive, "left") + np.searchsorted(negative, positive, "right")
    return float(below.mean() / 2 / len(negative))


def _quality(tallies: dict[str, Tally]) -> dict[str, float]:
    ours = tallies["ours"]
    found = {"recall": ours.recall, "precision": ours.precision, "f1": ours.f1}
    for name in ("every", "every_reworded", "last"):
        tally = tallies[name]
        found |= {
            f"baseline_{name}_recall": tally.recall,
            f"baseline_{name}_precision": tally.precision,
            f"baseline_{name}_f1": tally.f1,
        }
    best = max(tallies[name].f1 for name in ("every", "every_reworded", "last"))
    return found | {"baseline_f1": best, "f1_over_baseline": ours.f1 / best if best else 0.0}


def _targets(metrics: dict[str, float]) -> list[Target]:
    return [
        Target(
            name="f1",
            what="F1 over the best baseline's",
            measured=metrics["f1_over_baseline"],
            least=LEAST_RATIO,
        ),
        Target(
            name="per_100", what="memories for 100 messages", measured=metrics["per_100"], most=MOST_PER_100
        ),
        Target(name="auc", what="importance against gold", measured=metrics["auc"], least=LEAST_AUC),
        Target(name="auc_kept", what="importance against gold among the kept", measured=metrics["auc_kept"]),
        Target(
            name="auc_episodes", what="messages' importance against gold", measured=metrics["auc_episodes"]
        ),
    ]


def _baseline(persona: Persona, say: Callable[[Sequence[Episode]], list[str]], embedder: Embedder) -> Bank:
    bank = Bank(embedder=embedder)
    for place in range(len(persona.sessions)):
        texts = say(messages_of(persona, place))
        embedder.embed(texts)
        for text in texts:
            bank.add(place, text, Kind.FACT, 0.5)
    return bank


def _of_user(messages: Sequence[Episode]) -> list[list[str]]:
    """The user's sentences by message."""
    return [
        [one.text for one in sentences(message.content) if len(one.text.split()) >= _SHORTEST]
        for message in messages
        if message.role is Role.USER
    ]


def _every(messages: Sequence[Episode]) -> list[str]:
    return [text for message in _of_user(messages) for text in message]


def _last(messages: Sequence[Episode]) -> list[str]:
    return [message[-1] for message in _of_user(messages) if message]


def _reworded(messages: Sequence[Episode]) -> list[str]:
    return [
        one.essence
        for snippet in snippets(messages)
        for one in statements(snippet)
        if one.message.role is Role.USER and one.end - one.first == 1 and one.question is None
    ]


def _read(
    persona: Persona, mind: LocalMind, feel: Callable[..., Sequence[object]], embedder: Embedder,
    into: tuple[list[float], list[bool]],
) -> None:  # fmt: skip
    """The importance of each message, and whether a gold memory names it and not its whole session as the source."""
    for place, session in enumerate(persona.sessions):
        messages = messages_of(persona, place)
        if not messages:
            continue
        sources = {fact.sources[0] for fact in session.facts if len(fact.sources) == 1}
        spoken = [turn for turn, said in enumerate(session.turns) if said.message is not None]
        vectors: Vectors = embedder.embed([message.content for message in messages])
        felt = feel([message.content for message in messages], vectors)
        readings = mind.read(messages, vectors, felt)  # type: ignore[arg-type]  # labels of the classifier
        into[0].extend(reading.importance for reading in readings)
        into[1].extend(turn in sources for turn in spoken)
