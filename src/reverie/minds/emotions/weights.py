"""The shipped weights: a safetensors file, mapped into memory."""

from __future__ import annotations

import json
import math
import mmap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reverie.errors import DamagedModel

WEIGHTS = Path(__file__).resolve().parent / "goemotions-int8.safetensors"

_DTYPES: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "I8": np.dtype("i1")}


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """The classifier's numbers; L labels, H hidden units, D inputs of the hidden layer.

    int8 columns, each with a float32 scale: a weight is its int8 × its column's scale.
    """

    table: NDArray[np.int8]
    """(rows, L): what each n-gram says for each label."""
    table_scale: NDArray[np.float32]
    hidden: NDArray[np.int8]
    """(D, H): from the vector, then how the text is typed."""
    hidden_scale: NDArray[np.float32]
    hidden_bias: NDArray[np.float32]
    out: NDArray[np.int8]
    """(H, L)."""
    out_scale: NDArray[np.float32]
    bias: NDArray[np.float32]
    thresholds: NDArray[np.float32]
    """(L,): above its threshold a label's probability says that the text has it."""


def read_weights(path: Path = WEIGHTS) -> Weights:
    """Reads the file. Raise DamagedModel if it is missing, cut short or its shape isn't ours."""
    try:
        return Weights(**tensors(path))
    except TypeError as error:
        raise DamagedModel(path.name, "is cut short or overwritten") from error


def tensors(path: Path) -> dict[str, NDArray[Any]]:
    """Return the tensors of a safetensors file by name, mapped into memory. Raise DamagedModel."""
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise DamagedModel(path.name, "can't be read") from error
    start = 8 + int.from_bytes(mapped[:8], "little")
    try:
        header: dict[str, Any] = json.loads(mapped[8:start])
        return {name: _tensor(mapped, start, entry) for name, entry in header.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DamagedModel(path.name, "is cut short or overwritten") from error


def _tensor(mapped: mmap.mmap, start: int, entry: dict[str, Any]) -> NDArray[Any]:
    shape: list[int] = entry["shape"]
    first: int = start + entry["data_offsets"][0]
    tensor: NDArray[Any] = np.frombuffer(
        mapped, _DTYPES[entry["dtype"]], count=math.prod(shape), offset=first
    )
    return tensor.reshape(shape)
