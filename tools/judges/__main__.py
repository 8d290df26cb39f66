"""Train the judges that ship inside the package.

    python -m tools.judges --data FOLDER [--talks FOLDER] [--out FILE] [--keep FOLDER]

They learn from the talks in ``tools/judges/talks``, which were written for it, and from public chats
(``tools.judges.chats``). What is printed was measured on
people left out (cross-validation by file): area under the ROC curve, recall at precisions, and the expected calibration
error.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reverie.embedders.minilm import MiniLM
from reverie.language.segments import Sentence
from reverie.minds.emotions.features import rows_of
from reverie.minds.judges.features import Placed, given, placed
from reverie.minds.judges.model import HEADS, KINDS, ROWS, SALTS, texts_of
from reverie.minds.judges.weights import WEIGHTS, Weights
from tools.emotion_training import Floats, Learned, Plan, Seen, learn
from tools.judges.chats import read_chats
from tools.judges.talks import TALKS, Line, Said, read_all
from tools.make_minilm import write_safetensors

PLAN = Plan(
    hidden=64, runs=2, rounds=8, batch=512, table_rate=0.05, layer_rate=0.004, decay=5e-5, row_dropout=0.3
)  # fmt: skip
FOLDS = 3
CHATS = "chats"
"""What stands for the talk of a public chat; it is learned from, and never judged by."""
_PRIOR = 1.0  # keeps a head that few sentences have near to what it learned
OBSERVED = "event"
"""What a talk calls an event is of kind observation."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Data:
    """Labelled sentences with what a judge sees of them; ``talk`` is each one's file.

    A sentence of a longer message is here twice: with a vector of its own (``full``), and with its message's in the
    place of that (``quick``); any other is both.
    """

    lines: Sequence[Line]
    placed: Sequence[Placed]
    vectors: Floats
    talk: NDArray[np.str_]
    gold: Floats
    full: NDArray[np.bool_]
    quick: NDArray[np.bool_]

    def of(self, some: NDArray[np.bool_]) -> Data:
        """Some of them."""
        places = np.flatnonzero(some)
        return Data(
            lines=[self.lines[place] for place in places.tolist()],
            placed=[self.placed[place] for place in places.tolist()],
            vectors=self.vectors[places], talk=self.talk[places], gold=self.gold[places],
            full=self.full[places], quick=self.quick[places],
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--talks", type=Path, default=TALKS)
    parser.add_argument("--data", type=Path, required=True, help="the folder of development data")
    parser.add_argument(
        "--out", type=Path, default=WEIGHTS, help="where the weights go (default: the package)"
    )
    parser.add_argument("--keep", type=Path, help="a folder where embeddings are kept for the next run")
    arguments = parser.parse_args()
    data = gathered([*read_all(arguments.talks), *read_chats(arguments.data)], arguments.keep)
    seen = seen_of(data.placed, data.vectors)
    logits = left_out(seen, data)
    people = np.isin(data.talk, [CHATS], invert=True)
    slope, shift = calibrated(logits[people], data.gold[people])
    likely = 1 / (1 + np.exp(-(logits * slope + shift)))
    for name, mode in (("each with a vector of its own", data.full), ("with its message's", data.quick)):
        print(f"{name}:")
        told(likely[people & mode], data.of(people & mode))
    learned = learn(seen, data.gold, PLAN)
    raw = written(learned, slope, shift)
    arguments.out.write_bytes(raw)
    print(f"{arguments.out.name}: {len(raw):,} bytes, sha256 {hashlib.sha256(raw).hexdigest()}")


def gathered(said: Sequence[Said], keep: Path | None) -> Data:
    """Return the labelled sentences of some talks."""
    asked, messages = "", list[tuple[Said, list[Placed]]]()
    session: tuple[str, str] | None = None
    for one in said:
        if session != (one.talk, one.session):
            asked, session = "", (one.talk, one.session)
        if not one.lines:
            asked = one.text if one.role == "agent" else ""
            continue
        parts = [
            Sentence(text=line.text, start=line.start, end=line.end, line=one.text.count("\n", 0, line.start))
            for line in one.lines
        ]
        messages.append((one, placed(one.text, parts, asked)))
        asked = ""
    sizes = np.array([len(one.lines) for one, _ in messages])
    lines = [line for one, _ in messages for line in one.lines]
    every = [each for _, some in messages for each in some]
    of_message = np.repeat(embedded([one.text for one, _ in messages], keep), sizes, axis=0)
    own = embedded([line.text for line in lines], keep)
    alone = np.repeat(sizes == 1, sizes)
    again = np.flatnonzero(~alone)
    places = np.concatenate([np.arange(len(lines)), again])
    talk = np.array([one.talk for one, _ in messages for _ in one.lines])
    gold = np.array([labels_of(line) for line in lines], np.float32)
    return Data(
        lines=[lines[place] for place in places.tolist()],
        placed=[every[place] for place in places.tolist()],
        vectors=np.concatenate(
            [of_message[places], np.concatenate([np.where(alone[:, None], of_message, own), of_message[again]])],
            axis=1,
        ),
        talk=talk[places], gold=gold[places],
        full=np.arange(len(places)) < len(lines), quick=np.concatenate([alone, np.ones(len(again), bool)]),
    )  # fmt: skip


def labels_of(line: Line) -> list[float]:
    """Return what each head should say of a sentence: 1 or 0, and NaN where that isn't known."""
    kind = "observation" if line.kind == OBSERVED else line.kind
    labels = [
        line.whose == "o", line.lasting, line.standing, line.importance >= 3, line.importance >= 4,
        line.health,
        *(line.lasting and kind == one for one in KINDS),
    ]  # fmt: skip
    names = (*HEADS, *("kind" for _ in KINDS))
    return [
        float(label) if not line.only or name in line.only else float("nan")
        for name, label in zip(names, labels, strict=True)
    ]


def embedded(texts: Sequence[str], keep: Path | None) -> Floats:
    """Return the built-in embedder's vectors, out of the folder where they lie there."""
    kept = (
        None if keep is None else keep / f"{hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:20]}.npy"
    )
    if kept is not None and kept.is_file():
        return np.asarray(np.load(kept), np.float32)
    vectors = np.asarray(MiniLM().embed(texts), np.float32)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, vectors)
    return vectors


def seen_of(placed: Sequence[Placed], vectors: Floats) -> Seen:
    """Return sentences as the network sees them: the table rows of their three texts, vector and structure."""
    rows, counts = list[NDArray[np.uint32]](), list[NDArray[np.intp]]()
    for texts, (factor, offset) in zip(texts_of(placed), SALTS, strict=True):
        parts = [*rows_of(texts)]
        found = np.concatenate([part.rows for part in parts]) * np.uint32(factor) + np.uint32(offset)
        rows.append(found % np.uint32(ROWS))
        counts.append(np.concatenate([part.counts for part in parts]))
    every = np.sum(counts, axis=0)
    starts = np.cumsum(every) - every
    joined = np.empty(every.sum(), np.uint16)
    place = starts.copy()
    for some, count in zip(rows, counts, strict=True):
        first = np.cumsum(count) - count
        joined[np.repeat(place - first, count) + np.arange(count.sum())] = some
        place = place + count
    return Seen(rows=joined, starts=starts, counts=every, given=given(placed, vectors))


def left_out(seen: Seen, data: Data) -> NDArray[np.float64]:
    """Return log odds of each sentence by a network that learned from other people's."""
    found = np.zeros(data.gold.shape)
    talks = sorted({*data.talk.tolist()} - {CHATS})
    for fold in range(min(FOLDS, len(talks))):
        held = np.isin(data.talk, talks[fold::FOLDS])
        learned = learn(seen.take(np.flatnonzero(~held)), data.gold[~held], replace(PLAN, runs=1))
        found[held] = learned.logits(seen.take(np.flatnonzero(held)))
    return found


def calibrated(logits: NDArray[np.float64], gold: Floats) -> tuple[Floats, Floats]:
    """Return slope and shift of each head's log odds (Platt 1999): logistic regression on them, by Newton's method."""
    slopes, shifts = np.ones(gold.shape[1]), np.zeros(gold.shape[1])
    for head in range(gold.shape[1]):
        x = np.stack([logits[:, head], np.ones(len(logits))], axis=1)
        w = np.array([1.0, 0.0])
        for _ in range(50):
            likely = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
            gradient = x.T @ (likely - gold[:, head]) + _PRIOR * (w - [1.0, 0.0])
            step = np.linalg.solve(
                (x * (likely * (1 - likely))[:, None]).T @ x + _PRIOR * np.eye(2), gradient
            )
            w = w - np.clip(step, -1, 1)
        slopes[head], shifts[head] = w
    return slopes.astype(np.float32), shifts.astype(np.float32)


def told(likely: NDArray[np.float64], data: Data) -> None:
    """Print how good each head is."""
    people = len(set(data.talk.tolist()))
    print(f"{len(data.lines):,} sentences of {people} files, judged by what the others taught")
    for head, name in enumerate(HEADS):
        truth, said = data.gold[:, head] > 0, likely[:, head]
        ats = ", ".join(f"{want:.2f}: {recall_at(said, truth, want)}" for want in (0.8, 0.9, 0.95, 0.98))
        print(
            f"{name:9} {truth.mean():.3f} of them; AUC {auc(said, truth):.3f};"
            f" calibration error {calibration_error(said, truth):.3f}; recall (threshold) at precision {ats}"
        )
    lasting = (data.gold[:, 1] > 0) & (data.gold[:, len(HEADS) :] > 0).any(axis=1)
    kinds = likely[lasting][:, len(HEADS) :].argmax(axis=1) == data.gold[lasting][:, len(HEADS) :].argmax(
        axis=1
    )
    print(f"kind: {kinds.mean():.3f} of the lasting ones right")


def auc(said: NDArray[np.float64], truth: NDArray[np.bool_]) -> float:
    """Return the area under the ROC curve."""
    ranks = np.empty(len(said))
    ranks[np.argsort(said, kind="stable")] = np.arange(1, len(said) + 1)
    yes, no = truth.sum(), (~truth).sum()
    return float((ranks[truth].sum() - yes * (yes + 1) / 2) / max(yes * no, 1))


def recall_at(said: NDArray[np.float64], truth: NDArray[np.bool_], precision: float) -> str:
    """Return the greatest recall at a precision, with the threshold that gives it."""
    order = np.argsort(-said, kind="stable")
    right = np.cumsum(truth[order])
    good = np.flatnonzero(right / np.arange(1, len(order) + 1) >= precision)
    if not len(good):
        return "0"
    return f"{right[good[-1]] / max(truth.sum(), 1):.2f} ({said[order][good[-1]]:.2f})"


def calibration_error(said: NDArray[np.float64], truth: NDArray[np.bool_], bins: int = 10) -> float:
    """Return the expected calibration error over bins of equal width."""
    place = np.minimum((said * bins).astype(int), bins - 1)
    return float(
        sum(
            abs(said[place == one].mean() - truth[place == one].mean()) * (place == one).mean()
            for one in set(place.tolist())
        )
    )


def written(learned: Learned, slope: Floats, shift: Floats) -> bytes:
    """Return the file."""
    scale = (np.abs(learned.table).max(axis=0) / 127).astype(np.float32)
    table = np.clip(np.rint(learned.table / np.maximum(scale, np.float32(1e-12))), -127, 127).astype(np.int8)
    weights = Weights(
        table=table, table_scale=scale, hidden=learned.hidden, hidden_bias=learned.hidden_bias, out=learned.out,
        bias=learned.bias, slope=slope, shift=shift,
    )  # fmt: skip
    return write_safetensors({field.name: getattr(weights, field.name) for field in fields(Weights)})


if __name__ == "__main__":
    main()
