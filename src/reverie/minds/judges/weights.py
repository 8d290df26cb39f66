"""The judges' numbers: a safetensors file."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reverie.errors import DamagedModel
from reverie.minds.emotions.weights import tensors

WEIGHTS = Path(__file__).resolve().parent / "judges-int8.safetensors"


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """L outputs, H hidden units, D inputs. ``table`` is int8 with a scale for each column; the rest is float32."""

    table: NDArray[np.int8]
    """(rows, L): what each n-gram says."""
    table_scale: NDArray[np.float32]
    hidden: NDArray[np.float32]
    """(D, H): from the vectors, then from where the sentence stands."""
    hidden_bias: NDArray[np.float32]
    out: NDArray[np.float32]
    """(H, L)."""
    bias: NDArray[np.float32]
    slope: NDArray[np.float32]
    """(L,): with ``shift`` it makes log odds that are calibrated (Platt 1999)."""
    shift: NDArray[np.float32]


def read_weights(path: Path = WEIGHTS) -> Weights:
    """Return the file's weights. Raise DamagedModel where it is missing, cut short or not ours."""
    found = tensors(path)
    if found.keys() != {field.name for field in fields(Weights)}:
        raise DamagedModel(path.name, "is cut short or overwritten")
    return Weights(**found)
