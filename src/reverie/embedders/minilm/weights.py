"""Reads the shipped weights: a safetensors file, mapped into memory and never copied as a whole."""

from __future__ import annotations

import json
import math
import mmap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reverie.errors import DamagedModel

FOLDER = Path(__file__).resolve().parent
WEIGHTS = FOLDER / "minilm-l6-v2-int8.safetensors"
VOCABULARY = FOLDER / "vocab.txt"

Array = NDArray[Any]

_DTYPES: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "I8": np.dtype("i1")}
_WORD_ROWS = "embeddings.words"


def read_bytes(path: Path) -> bytes:
    """Return a small shipped file. Raises ``DamagedModel`` if it can't be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise DamagedModel(path.name, f"can't be read: {error.strerror}") from error


def read_vocabulary(path: Path = VOCABULARY) -> list[str]:
    """Return the pieces in id order."""
    return read_bytes(path).decode("utf-8").splitlines()


def read_weights(path: Path = WEIGHTS) -> dict[str, Array]:
    """Return the tensors by name, read-only views of the mapped file; names are those of the graphs' initializers.

    Raises ``DamagedModel`` if the file is missing, cut short or not a safetensors file.
    """
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


def _tensor(mapped: mmap.mmap, start: int, entry: dict[str, Any]) -> Array:
    shape: list[int] = entry["shape"]
    first: int = start + entry["data_offsets"][0]
    dtype = _DTYPES[entry["dtype"]]
    tensor: Array = np.frombuffer(mapped, dtype, count=math.prod(shape), offset=first).reshape(shape)
    return tensor


def in_float32(weights: dict[str, Array]) -> dict[str, Array]:
    """Return the graph's initializers for "f32" compute: the rounded weights multiplied out, smoothing undone."""
    floats: dict[str, Array] = {}
    for name, tensor in weights.items():
        root, _, part = name.rpartition(".")
        if part in {"bias", "gain"}:
            floats[name] = tensor
        elif part == "weight":
            floats[name] = tensor.astype(np.float32)
            floats[name] *= weights[f"{root}.scale"]
            if f"{root}.smooth" in weights:
                floats[name] *= weights[f"{root}.smooth"][:, None]
    return floats


def of_graph(weights: dict[str, Array]) -> dict[str, Array]:
    """Return the graph's initializers for "int8" compute: all but the embeddings, looked up outside the graph."""
    outside = {_WORD_ROWS, "embeddings.word_scale", "embeddings.positions"}
    return {name: tensor for name, tensor in weights.items() if name not in outside}
