"""Judges: what each sentence of a message is, as calibrated probabilities."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from reverie.domain.kinds import Kind
from reverie.language import Sentence, sentences
from reverie.minds.emotions.features import rows_of
from reverie.minds.judges.features import Placed, given, placed
from reverie.minds.judges.weights import Weights, read_weights
from reverie.ports.judges import Heard, Judged

Floats = NDArray[np.float32]
ROWS = 1 << 16
MOST_EMBEDDED = 40
"""Sentences of a message that have vectors of their own."""
# The words before a sentence and its message's first words have rows of their own in the table, by these odd factors.
SALTS = ((1, 0), (40503, 977), (52711, 31337))

OWN, LASTING, STANDING, MATTERS, VITAL, HEALTH = range(6)
HEADS = ("own", "lasting", "standing", "matters", "vital", "health")
"""Own, sincere words of who speaks; worth knowing in a month; tells the agent how to behave from now on; importance of
3 and 4 at least, of 5; somebody's allergy, illness or medicine. Behind them one for each kind."""
KINDS = (
    Kind.FACT, Kind.PREFERENCE, Kind.GOAL, Kind.PROJECT, Kind.DECISION, Kind.RELATIONSHIP, Kind.ROUTINE, Kind.SKILL,
    Kind.OBSERVATION, Kind.EMOTIONAL, Kind.PITFALL, Kind.ARCHITECTURE, Kind.POLICY, Kind.WORKFLOW,
)  # fmt: skip


class JudgeNetwork:
    """The judges, one small network for all (``ports.judges``). The weights are read at the first message.

    ``embed`` makes the built-in embedder's vectors: of sentences, and of messages that come without. ``given``: whether
    the vectors that come with the messages are that embedder's too; if not, they are no use here, and all are made
    anew.
    """

    def __init__(
        self,
        embed: Callable[[Sequence[str]], Floats],
        *,
        given: bool = True,
        weights: Callable[[], Weights] = read_weights,
    ) -> None:
        self._embed, self._given = embed, given
        self._read = weights
        self._lock = threading.Lock()
        self._weights: Weights | None = None

    def judge(self, messages: Sequence[Heard]) -> list[list[Judged]]:
        """See ``ports.judges``."""
        parts = [sentences(one.text) for one in messages]
        seen = [placed(one.text, some, one.asked) for one, some in zip(messages, parts, strict=True)]
        flat = [one for some in seen for one in some]
        if not flat:
            return [[] for _ in messages]
        likely = self.probabilities(flat, self._vectors(messages, parts))
        found: list[list[Judged]] = []
        at = 0
        for some in parts:
            found.append([_judged(one, likely[at + place]) for place, one in enumerate(some)])
            at += len(some)
        return found

    def _vectors(self, messages: Sequence[Heard], parts: Sequence[Sequence[Sentence]]) -> Floats:
        """Each sentence's message's vector and its own, side by side. Its message's stands for its own in a message of
        one sentence, where it isn't wanted (``Heard.apart``), and behind the first MOST_EMBEDDED.
        """
        known = {
            place: one.vector for place, one in enumerate(messages) if self._given and one.vector is not None
        }
        missing = [place for place in range(len(messages)) if place not in known]
        apart = [
            {
                place
                for place in range(min(len(some), MOST_EMBEDDED))
                if one.apart is None or place in one.apart
            }
            if len(some) > 1
            else set()
            for one, some in zip(messages, parts, strict=True)
        ]
        texts = [messages[place].text for place in missing]
        texts += (
            some[place].text for some, places in zip(parts, apart, strict=True) for place in sorted(places)
        )
        made = self._embed(texts) if texts else ()
        known |= dict(zip(missing, made, strict=False))
        own = iter(made[len(missing) :])
        rows = [
            (known[number], next(own) if place in apart[number] else known[number])
            for number, some in enumerate(parts)
            for place in range(len(some))
        ]
        return np.array(rows, np.float32).reshape(len(rows), -1)

    def probabilities(self, placed: Sequence[Placed], vectors: Floats) -> NDArray[np.float64]:
        """Return the probability of each head, then of each kind, shape (n, heads + kinds)."""
        logits = self.logits(placed, vectors)
        weights = self._loaded()
        calm = logits * weights.slope + weights.shift
        found: NDArray[np.float64] = np.round(1.0 / (1.0 + np.exp(-calm)), 6)
        return found

    def logits(self, placed: Sequence[Placed], vectors: Floats) -> NDArray[np.float64]:
        """Return the network's log odds, before calibration."""
        weights = self._loaded()
        hidden = np.maximum(given(placed, vectors) @ weights.hidden + weights.hidden_bias, 0.0)
        found: NDArray[np.float64] = (hidden @ weights.out + weights.bias).astype(np.float64)
        sums, counts = np.zeros(found.shape), np.zeros(len(placed))
        for texts, (factor, offset) in zip(texts_of(placed), SALTS, strict=True):
            first = 0
            for part in rows_of(texts):
                rows = (part.rows * np.uint32(factor) + np.uint32(offset)) % np.uint32(ROWS)
                said = weights.table.take(rows, axis=0)
                size = len(part.counts)
                sums[first : first + size] += np.add.reduceat(said, part.starts, axis=0, dtype=np.int32)
                counts[first : first + size] += part.counts
                first += size
        found += sums * weights.table_scale / np.sqrt(counts)[:, None]
        return found

    def _loaded(self) -> Weights:
        if self._weights is None:
            with self._lock:
                if self._weights is None:
                    self._weights = self._read()
        return self._weights


def texts_of(placed: Sequence[Placed]) -> tuple[list[str], list[str], list[str]]:
    """Return the texts whose n-grams count: the sentences, what stands before them, the messages' first words."""
    return (
        [one.text for one in placed],
        [one.before or " ." for one in placed],
        [one.lead or " ." for one in placed],
    )


def _judged(sentence: Sentence, likely: NDArray[np.float64]) -> Judged:
    kinds = likely[len(HEADS) :]
    best = int(kinds.argmax())
    matters, vital = float(likely[MATTERS]), float(likely[VITAL])
    return Judged(
        sentence=sentence, own=float(likely[OWN]), lasting=float(likely[LASTING]), standing=float(likely[STANDING]),
        health=float(likely[HEALTH]), kind=KINDS[best],
        importance=round(0.3 + 0.3 * matters + 0.4 * vital, 3),
    )  # fmt: skip
