"""The weights of salience: logistic regressions on what RealMem's authors remembered, and on LoCoMo's observations.

Every statement that the mind looks at is a row: its cues, and whether it says (cosine ≥ 0.70) a gold memory of its
session. Weights are linear, with a quadratic penalty of 10. What people say is fitted on both data sets together, where
``among_people`` tells talk among people from talk with an agent. Each persona is judged by weights that have not seen
it. Some weights are chosen and not fitted: see CHOSEN.

Prints ``rules/salience_weights.py``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import realmem_data
from bench.extract import auc
from bench.extract_life import MATCH, Bank, episode, messages_of, snippets
from bench.vectors import kept_vectors
from reverie import Settings
from reverie.domain.emotion import Emotions
from reverie.domain.episode import Episode
from reverie.domain.message import Message, Role
from reverie.minds.emotions import EmotionClassifier
from reverie.minds.local.extracting import chosen, proposed, weighed
from reverie.minds.local.vectors import MessageVectors
from reverie.ports.embedder import Embedder
from reverie.rules.reading import cues_alone, cues_of

CHOSEN: Mapping[str, float] = MappingProxyType({"known": -1.0, "crowd": -1.0, "felt": 0.3})
"""What the data can't tell, since their authors note the same thing again in each session, as much in every session,
and are fond of plans: a memory has no use for what it knows; of little that is said each counts for more; and what was
felt strongly stays.
"""
_OF_PEOPLE: Mapping[str, float] = MappingProxyType({"length": 0.5, "length_squared": 0.0})
"""Gold memories are long, so a short statement seldom reaches the cosine; "I am allergic to peanuts" matters."""
_AMONG_PEOPLE = 0.45
"""LoCoMo's authors noted nearly half of what was said. So much of the difference, in log odds, is kept."""
_PENALTY = 10.0
_STEPS = 30
Rows = NDArray[np.float64]
Feel = Callable[[Sequence[str], NDArray[np.float32] | None], Sequence[Emotions]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """Cues and whether they are of something gold; ``table`` names the weights, ``group`` the dialogue."""

    table: str
    group: str
    spoken: bool
    cues: Mapping[str, float]
    good: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Sitting:
    """A session: its messages, gold texts, and the places of messages that carry some."""

    messages: Sequence[Episode]
    gold: Sequence[str]
    sources: frozenset[int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Fitted:
    """One table of weights."""

    bias: float
    weights: Mapping[str, float]
    means: Mapping[str, float]

    def odds(self, cues: Mapping[str, float]) -> float:
        """The log odds of a row."""
        return self.bias + sum(
            weight * (cues[name] - self.means[name]) for name, weight in self.weights.items()
        )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a folder of RealMem's dialogues")
    parser.add_argument("--locomo", type=Path, help="LoCoMo's file, for its observations")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the texts' vectors for the next run")


def run(
    json_output: bool = False, *, data: Path, locomo: Path | None = None, keep: Path | None = None
) -> dict[str, float]:
    """Fit, print the table, and give the areas under the curve of what was left out."""
    rows: list[Row] = []
    with kept_vectors(Settings(), keep) as embedder:
        feel = EmotionClassifier(embedder.embed).emotions
        for persona in realmem_data.read(data):
            rows += _rows(persona.id, _realmem(persona), embedder, feel, spoken=False)
            print(f"  {persona.id}: {len(rows):,} rows so far", flush=True)
        for name, sittings in dialogues(locomo):
            rows += _rows(name, sittings, embedder, feel, spoken=True)
            print(f"  {name}: {len(rows):,} rows so far", flush=True)
    tables = sorted({row.table for row in rows})
    metrics = {
        f"auc_{table.lower()}": _left_out([row for row in rows if row.table == table]) for table in tables
    }
    for table in tables:
        _print(table, fitted([row for row in rows if row.table == table], even=table == "JUDGED"))
    for name, value in metrics.items():
        print(f"  {name}  {value:.3f}")
    if json_output:
        print(json.dumps(metrics), flush=True)
    return metrics


def _rows(
    group: str, sittings: Iterator[Sitting], embedder: Embedder, feel: Feel, *, spoken: bool
) -> Iterator[Row]:
    """A dialogue's rows, in the order of its life, against what has been kept so far."""
    bank, messages = Bank(embedder=embedder), MessageVectors(embedder)
    for place, sitting in enumerate(sittings):
        if not sitting.messages:
            continue
        texts = [message.content for message in sitting.messages]
        for turn, (message, felt) in enumerate(
            zip(sitting.messages, feel(texts, messages.of(texts)), strict=True)
        ):
            table = "READ_SAID" if message.role is Role.USER else "READ_AGENT"
            yield Row(
                table=table,
                group=group,
                spoken=spoken,
                cues=cues_of(message, felt),
                good=turn in sitting.sources,
            )
        gold = embedder.embed(list(sitting.gold))
        for snippet in snippets(sitting.messages):
            found = weighed(snippet, bank.familiar, embedder, messages, feel)
            for one in found:
                good = bool((gold @ one.vector >= MATCH).any())
                table = "AGENT" if one.statement.by_agent else "SAID"
                yield Row(table=table, group=group, spoken=spoken, cues=one.cues, good=good)
                if not one.statement.by_agent:
                    cues = cues_alone(one.statement.essence, one.emotions)
                    yield Row(table="JUDGED", group=group, spoken=spoken, cues=cues, good=good)
            for one, importance in chosen(found, Settings().loop_floor):
                kept = proposed(one, importance, ())
                bank.add(place, kept.essence, kept.kind, importance)


def fitted(rows: Sequence[Row], *, even: bool = False) -> Fitted:
    """The weights of rows of one table; ``even``: a row of average cues has even odds."""
    names = sorted(rows[0].cues)
    cues = np.array([[row.cues[name] for name in names] for row in rows])
    good = np.array([row.good for row in rows], float)
    home = cues[[not row.spoken for row in rows]]
    means, spread = home.mean(axis=0), home.std(axis=0)
    scale = np.where(spread > 1e-6, spread, 1.0)
    given = {**CHOSEN, **(_OF_PEOPLE if rows[0].table in ("SAID", "JUDGED") else {})}
    chosen_weights = np.array([given.get(name, 0.0) for name in names])
    free = [place for place, name in enumerate(names) if name not in given]
    known = (cues - means) @ chosen_weights
    solved = _solved(np.c_[np.ones(len(rows)), ((cues - means) / scale)[:, free]], known, good)
    weights = chosen_weights
    weights[free] = solved[1:] / scale[free]
    if "among_people" in names:
        weights[names.index("among_people")] *= _AMONG_PEOPLE
    return Fitted(
        bias=0.0 if even else round(float(solved[0]), 3),
        weights={name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)},
        means={name: round(float(mean), 3) for name, mean in zip(names, means, strict=True)},
    )


def _solved(cues: Rows, known: Rows, good: Rows) -> Rows:
    """Newton's method on top of log odds that are ``known``; the intercept is not penalized."""
    solved = np.zeros(cues.shape[1])
    penalty = _PENALTY * np.eye(len(solved))
    penalty[0, 0] = 0.0
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-np.clip(cues @ solved + known, -30, 30)))
        slope = cues.T @ (good - likely) - penalty @ solved
        curve = (cues * (likely * (1 - likely) + 1e-9)[:, None]).T @ cues + penalty
        step = np.linalg.solve(curve, slope)
        solved += step
        if np.abs(step).max() < 1e-6:
            break
    return solved


def _left_out(rows: Sequence[Row]) -> float:
    """The area under the curve over all of RealMem's rows, each judged by weights fitted without its persona."""
    scores: list[float] = []
    good: list[bool] = []
    for group in sorted({row.group for row in rows if not row.spoken}):
        table = fitted([row for row in rows if row.group != group])
        own = [row for row in rows if row.group == group]
        scores += [table.odds(row.cues) for row in own]
        good += [row.good for row in own]
    return auc(scores, good)


def _realmem(persona: realmem_data.Persona) -> Iterator[Sitting]:
    for place, session in enumerate(persona.sessions):
        spoken = [turn for turn, said in enumerate(session.turns) if said.message is not None]
        sources = {fact.sources[0] for fact in session.facts if len(fact.sources) == 1}
        yield Sitting(
            messages=messages_of(persona, place),
            gold=[fact.text for fact in session.facts],
            sources=frozenset(row for row, turn in enumerate(spoken) if turn in sources),
        )


def dialogues(path: Path | None) -> Iterator[tuple[str, Iterator[Sitting]]]:
    """LoCoMo's, each with its sessions; none without a file."""
    if path is not None:
        for place, sample in enumerate(json.loads(path.read_text("utf-8"))):
            yield f"dialogue {place}", _sittings(sample)


def _sittings(sample: Mapping[str, Any]) -> Iterator[Sitting]:
    """A dialogue's sessions with its observations, of which a few name several turns or none."""
    talk = sample["conversation"]
    for name in sorted(
        (name for name in talk if isinstance(talk[name], list)), key=lambda name: int(name[8:])
    ):
        turns = [turn for turn in talk[name] if turn["text"].strip()]
        time = datetime.strptime(str(talk[f"{name}_date_time"]), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        noted = [
            one for part in sample["observation"].get(f"{name}_observation", {}).values() for one in part
        ]
        named = {str(key) for _, keys in noted for key in (keys if isinstance(keys, list) else [keys])}
        yield Sitting(
            messages=[
                episode(
                    Message(content=turn["text"], role=Role.USER, speaker=turn["speaker"], time=time),
                    int(name[8:]),
                    position,
                    named=True,
                )
                for position, turn in enumerate(turns)
            ],
            gold=[text for text, _ in noted],
            sources=frozenset(row for row, turn in enumerate(turns) if turn["dia_id"] in named),
        )


def _print(name: str, table: Fitted) -> None:
    print(f"{name} = Weights(\n    bias={table.bias},\n    weights={{")
    for cue, weight in table.weights.items():
        print(f'        "{cue}": {weight},')
    print("    },\n    means={")
    for cue, mean in table.means.items():
        print(f'        "{cue}": {mean},')
    print("    },\n)")
