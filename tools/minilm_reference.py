"""all-MiniLM-L6-v2 written out in numpy, float64: the yardstick for calibration and for the golden vectors.

Slow and plain on purpose. Every matrix product goes through ``multiply``, so that a caller can watch its
inputs.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

LAYERS = 6
HEADS = 12
SIZE = 384
HEAD_SIZE = SIZE // HEADS
MOST_TOKENS = 256
PRODUCTS = ("attend", "merge", "widen", "narrow")


class Reference:
    """The published model: ``tensors`` are those of its model.safetensors."""

    def __init__(self, tensors: dict[str, NDArray[np.float32]]) -> None:
        self._tensors = tensors

    def product(self, layer: int, name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Weight (out, in) and bias (out,) of one of a layer's four products; query, key and value as one."""
        root = f"encoder.layer.{layer}."
        paths = {
            "attend": [f"attention.self.{part}" for part in ("query", "key", "value")],
            "merge": ["attention.output.dense"],
            "widen": ["intermediate.dense"],
            "narrow": ["output.dense"],
        }[name]
        weight = np.concatenate([self._tensors[f"{root}{path}.weight"] for path in paths])
        bias = np.concatenate([self._tensors[f"{root}{path}.bias"] for path in paths])
        return weight, bias

    def norm(self, path: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Gain and bias of the layer normalisation at ``path``."""
        return self._tensors[f"{path}.LayerNorm.weight"], self._tensors[f"{path}.LayerNorm.bias"]

    @property
    def words(self) -> NDArray[np.float32]:
        """Word embeddings, (vocabulary, 384)."""
        return self._tensors["embeddings.word_embeddings.weight"]

    @property
    def positions(self) -> NDArray[np.float32]:
        """Position embeddings with that of token type 0 added, (256, 384)."""
        table = self._tensors["embeddings.position_embeddings.weight"][:MOST_TOKENS]
        positions: NDArray[np.float32] = table + self._tensors["embeddings.token_type_embeddings.weight"][0]
        return positions

    def embed(
        self,
        ids: Sequence[int],
        watch: Callable[[int, str, NDArray[np.float64]], None] | None = None,
    ) -> NDArray[np.float64]:
        """The unit vector of one text's token ids; ``watch`` sees the input of every product."""

        def multiply(layer: int, name: str, x: NDArray[np.float64]) -> NDArray[np.float64]:
            if watch is not None:
                watch(layer, name, x)
            weight, bias = self.product(layer, name)
            return x @ weight.T.astype(np.float64) + bias

        tokens = self.words[list(ids)].astype(np.float64) + self.positions[: len(ids)]
        x = self._normalise(tokens, "embeddings")
        for layer in range(LAYERS):
            root = f"encoder.layer.{layer}"
            mixed = _attention(multiply(layer, "attend", x))
            x = self._normalise(multiply(layer, "merge", mixed) + x, f"{root}.attention.output")
            wide = _gelu(multiply(layer, "widen", x))
            x = self._normalise(multiply(layer, "narrow", wide) + x, f"{root}.output")
        mean: NDArray[np.float64] = x.mean(axis=0)
        return mean / float(np.linalg.norm(mean))

    def _normalise(self, x: NDArray[np.float64], path: str) -> NDArray[np.float64]:
        gain, bias = self.norm(path)
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return np.asarray(centred / spread * gain + bias, np.float64)


def _attention(projected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Multi-head attention over (tokens, 3 × 384) of queries, keys and values."""
    tokens = len(projected)
    query, key, value = projected.reshape(tokens, 3, HEADS, HEAD_SIZE).transpose(1, 2, 0, 3)
    scores = query @ key.transpose(0, 2, 1) / math.sqrt(HEAD_SIZE)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.asarray((weights @ value).transpose(1, 0, 2).reshape(tokens, SIZE), np.float64)


_erf = np.frompyfunc(math.erf, 1, 1)


def _gelu(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(x * 0.5 * (1.0 + np.asarray(_erf(x / math.sqrt(2.0)), np.float64)), np.float64)
