"""Which of the best hits answers: the weights of ``rules.answering``, fitted on scripted lives.

Each life is lived, and each question is asked with what recall finds then; what is looked at is written down, with
whether it holds the answer. With ``--memories``, RealMem's queries are asked as well, of its facts: there many hits are
right, and none is told in a person's own words. The weights are the most likely ones (softmax over what one question
sees). Each life is judged with weights that were fitted on the others; ``--write`` fits on all and writes the table.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from bench import realmem, realmem_data, sleep_life
from bench.realmem_data import Persona, Query
from bench.vectors import kept_vectors
from reverie import Agent, Settings
from reverie.rules import answering
from reverie.services import arrange

LIVES = Path(__file__).parent / "lives"
DEVELOPMENT = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "twelve")
"""The others are never fitted on, nor read by who writes rules."""
_TABLE = Path(__file__).parents[1] / "src" / "reverie" / "rules" / "answering_weights.py"
_SIGNS = {
    "score": 1, "kind": 1, "other": -1, "name": 1, "people": 1, "words": 1, "all": 1, "asks": -1, "rival": -1,
    "rivals": -1, "follows": 1,
}  # fmt: skip
"""Which way a feature may move a hit, by how its name begins: what chance teaches against sense isn't learned."""
_RIDGE = 0.002
_STEPS = 500
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """What one question saw: a row for each hit (its score, then FEATURES), and which of them hold the answer."""

    kind: str
    rows: Floats
    right: Floats


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench answering``."""
    parser.add_argument("--write", action="store_true", help="write the table of weights")
    parser.add_argument(
        "--memories", type=Path, help="a folder of RealMem's dialogues, to be fitted on as well"
    )
    parser.add_argument("--keep", type=Path, help="a folder that keeps vectors for the next run")


def run(
    *, json_output: bool = False, write: bool = False, memories: Path | None = None, keep: Path | None = None
) -> None:
    """Prints what the weights give on lives that they weren't fitted on, and writes the table where it is wanted."""
    seen = {name: lived(LIVES / f"{name}.jsonl", keep) for name in DEVELOPMENT}
    if memories is not None:
        seen |= {persona.id: asked_of_facts(persona, keep) for persona in realmem_data.read(memories)}
    found: dict[str, float] = {}
    for label, weights_of in (
        ("by_score", lambda _: np.eye(1, 1 + len(answering.FEATURES))[0]),
        (
            "left_out",
            lambda name: fitted([one for other, some in seen.items() if other != name for one in some]),
        ),
    ):
        found |= {f"{label}_{key}": value for key, value in _judged(seen, weights_of).items()}
    for name, value in found.items():
        print(f"  {name:28} {value:.3f}")
    if write:
        _write(fitted([one for some in seen.values() for one in some]))
    if json_output:
        print(json.dumps(found), flush=True)


def lived(path: Path, keep: Path | None) -> list[Seen]:
    """What each question of a life saw, ordered by score alone."""
    seen: list[Seen] = []
    looked: list[tuple[str, Sequence[answering.Candidate]]] = []

    def look(question: str, hits: Sequence[answering.Candidate]) -> list[Mapping[str, float]]:
        looked.append((question, hits))
        return [{**dict.fromkeys(answering.GROUPS, 0.0)}] * len(hits)

    def right(agent: Agent, ask: str, expected: str | Sequence[str], *, kind: str, **given: object) -> bool:
        looked.clear()
        agent.recall(ask, **given)  # type: ignore[arg-type]  # as_of
        for question, hits in looked[:1]:
            rows = answering.features(question, hits)
            seen.append(
                Seen(
                    kind=kind,
                    rows=np.hstack([np.array([[one.score] for one in hits]), rows]),
                    right=np.array([float(sleep_life.holds(one.text, expected)) for one in hits]),
                )
            )
        return True

    with mock.patch.object(arrange, "answering", look), mock.patch.object(sleep_life, "answers", right):
        sleep_life.measured(path, keep=keep)
    return seen


def asked_of_facts(persona: Persona, keep: Path | None) -> list[Seen]:
    """What each of a RealMem persona's queries saw, ordered by score alone."""
    seen: list[Seen] = []
    looked: list[Sequence[answering.Candidate]] = []

    def look(question: str, hits: Sequence[answering.Candidate]) -> list[Mapping[str, float]]:  # noqa: ARG001
        looked.append(hits)
        return [dict.fromkeys(answering.GROUPS, 0.0)] * len(hits)

    def asked(agent: Agent, query: Query, became: Mapping[str, str]) -> None:
        looked.clear()
        found = agent.recall(query.text, limit=answering.LOOKED_AT, min_score=0).hits
        evidence = {became[key] for key in query.evidence}
        texts = {hit.memory.essence for hit in found if hit.id in evidence}
        for hits in looked[:1]:
            scores = np.array([[one.score] for one in hits])
            rows = np.hstack([scores, answering.features(query.text, hits)])
            right = np.array([float(one.text in texts) for one in hits])
            seen.append(Seen(kind="fact", rows=rows, right=right))

    with (
        mock.patch.object(arrange, "answering", look),
        kept_vectors(Settings(), keep) as embedder,
    ):
        realmem.lived(persona, episodes=False, embedder=embedder, ask=asked)
    return seen


def fitted(seen: Sequence[Seen]) -> Floats:
    """The weights, scaled so that the score's is 1."""
    some = [one for one in seen if one.right.any() and not one.right.all()]
    spread = np.concatenate([one.rows for one in some]).std(axis=0) + 1e-9
    weights, push = np.zeros(len(spread)), np.zeros(len(spread))
    names = ("score", *answering.FEATURES)
    lowest = np.array([0.0 if _SIGNS.get(name.partition("_")[0], 0) > 0 else -np.inf for name in names])
    highest = np.array([0.0 if _SIGNS.get(name.partition("_")[0], 0) < 0 else np.inf for name in names])
    for _ in range(_STEPS):
        slope = _RIDGE * weights
        for one in some:
            rows = one.rows / spread
            odds = rows @ weights
            likely = np.exp(odds - odds.max())
            likely /= likely.sum()
            truly = likely * one.right
            slope = slope + rows.T @ (likely - truly / truly.sum()) / len(some)
        push = 0.9 * push + slope
        weights = np.clip(weights - 0.15 * push, lowest, highest)
    weights = weights / spread
    scaled: Floats = weights / weights[0]
    return scaled


def _judged(seen, weights_of) -> dict[str, float]:  # type: ignore[no-untyped-def]
    right: dict[str, list[float]] = {}
    for name, some in seen.items():
        weights = weights_of(name)
        line: dict[str, list[float]] = {}
        for one in some:
            line.setdefault(one.kind, []).append(float(one.right[int(np.argmax(one.rows @ weights))]))
            right.setdefault(f"{one.kind}_there", []).append(float(one.right.any()))
        for kind, values in line.items():
            right.setdefault(kind, []).extend(values)
        print(name, {kind: round(float(np.mean(values)), 3) for kind, values in line.items()})
    return {kind: float(np.mean(values)) for kind, values in right.items()}


def _write(weights: Floats) -> None:
    table = "".join(
        f'    "{name}": {weight:.4f},\n' for name, weight in zip(answering.FEATURES, weights[1:], strict=True)
    )
    _TABLE.write_text(
        '"""The weights of ``rules.answering``, as ``python -m bench answering --write`` wrote them."""\n\n'
        f"WEIGHTS = {{\n{table}}}\n",
        "utf-8",
    )
