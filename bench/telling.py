"""Which messages tell of somebody's life: the weights of ``rules.telling``, fitted on scripted lives.

What should be kept are the messages of people that hold what a question of the life asks for, at its time. Each life is
judged with weights that were fitted on the others; ``--write`` fits on all of them and writes the table.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.sleep_life import Life, holds, read
from reverie.rules.telling import cues

LIVES = Path(__file__).parent / "lives"
DEVELOPMENT = ("one", "two", "three", "four", "five", "six", "seven", "eight", "twelve")
"""The others are never fitted on, nor read by who writes rules."""
_TABLE = Path(__file__).parents[1] / "src" / "reverie" / "rules" / "telling_weights.py"
_NAMES = tuple(sorted(cues("I am here.")))
_RIDGE = 0.01
_STEPS = 800
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A life's messages of people: their cues, and whether each should be kept."""

    cues: Floats
    kept: Floats


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench telling``."""
    parser.add_argument("--write", action="store_true", help="write the table of weights")


def run(*, json_output: bool = False, write: bool = False) -> None:
    """Prints how well messages are told apart, and writes the table where it is wanted."""
    said = [_told(read(LIVES / f"{name}.jsonl")) for name in DEVELOPMENT]
    found = {
        "auc": float(np.mean([_auc(said, place) for place in range(len(said))])),
        "kept": float(np.concatenate([one.kept for one in said]).mean()),
        "messages": float(sum(len(one.kept) for one in said)),
    }
    for name, value in found.items():
        print(f"  {name:10} {value:.3f}")
    if write:
        _write(said)
    if json_output:
        print(json.dumps(found), flush=True)


def _told(life: Life) -> Told:
    said = [
        (day, one["content"])
        for day in sorted(life.messages)
        for one in life.messages[day]
        if one["role"] == "user"
    ]
    kept = np.zeros(len(said))
    for asked, questions in life.questions.items():
        for question in questions:
            before = question["as_of"][-1]["day"] if "as_of" in question else 0
            wanted = [(question["expect"], before, asked)]
            wanted += [(one["expect"], 0, one["day"]) for one in question.get("as_of", ())]
            for expected, first, last in wanted:
                for place, (day, content) in enumerate(said):
                    if first < day <= last and holds(content, expected):
                        kept[place] = 1.0
    shown = [cues(content) for _, content in said]
    return Told(cues=np.array([[one.get(name, 0.0) for name in _NAMES] for one in shown]), kept=kept)


def fitted(columns: Floats, kept: Floats) -> tuple[Floats, float]:
    """Weights and bias of a logistic regression with a ridge on standardized columns, by gradient descent."""
    mean, spread = columns.mean(axis=0), columns.std(axis=0) + 1e-9
    standard = (columns - mean) / spread
    weights, bias, push = np.zeros(columns.shape[1]), 0.0, np.zeros(columns.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-(standard @ weights + bias)))
        push = 0.9 * push + standard.T @ (likely - kept) / len(kept) + _RIDGE * weights
        weights -= 0.2 * push
        bias -= 2.0 * float((likely - kept).mean())
    scaled = weights / spread
    return scaled, bias - float(mean @ scaled)


def _auc(said: Sequence[Told], place: int) -> float:
    others = [one for number, one in enumerate(said) if number != place]
    weights, bias = fitted(
        np.concatenate([one.cues for one in others]), np.concatenate([one.kept for one in others])
    )
    odds = said[place].cues @ weights + bias
    kept = said[place].kept == 1
    return float((odds[kept][:, None] > odds[~kept][None, :]).mean())


def _write(said: Sequence[Told]) -> None:
    weights, bias = fitted(
        np.concatenate([one.cues for one in said]), np.concatenate([one.kept for one in said])
    )
    table = "".join(f'    "{name}": {weight:.3f},\n' for name, weight in zip(_NAMES, weights, strict=True))
    _TABLE.write_text(
        '"""The weights of ``rules.telling``, as ``python -m bench telling --write`` wrote them."""\n\n'
        f"BIAS = {bias:.3f}\nCUES = {{\n{table}}}\n",
        "utf-8",
    )
