"""The network at run time: token ids of one text in, its unit vector out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from reverie.embedders.minilm import weights as shipped
from reverie.embedders.minilm.runtime import load_onnxruntime
from reverie.embedders.minilm.weights import FOLDER, read_bytes
from reverie.errors import DamagedModel

if TYPE_CHECKING:
    from numpy.typing import NDArray

Compute = Literal["int8", "f32"]

MOST_TOKENS = 256
_ERRORS_ONLY = 3


class Network:
    """The loaded model. Thread-safe: runs may overlap, each on its caller's thread alone.

    One text a run, in both modes: dynamic int8 scales activations over whatever shares a run, so that a
    vector would depend on its neighbours; and at one thread batches are no faster.
    """

    def __init__(self, compute: Compute) -> None:
        tensors = shipped.read_weights()
        try:
            self._words = tensors["embeddings.words"]
            self._scales = tensors["embeddings.word_scale"]
            self._positions = tensors["embeddings.positions"]
        except KeyError as error:
            raise DamagedModel(shipped.WEIGHTS.name, f"lacks {error.args[0]}") from error
        initializers = shipped.of_graph(tensors) if compute == "int8" else shipped.in_float32(tensors)
        self._session = _session(f"{compute}.onnx", initializers)

    def vector(self, ids: list[int]) -> NDArray[np.float32]:
        """Return the unit vector, shape (384,), of at most ``MOST_TOKENS`` token ids."""
        tokens = self._words[ids] * self._scales[ids, None]
        tokens += self._positions[: len(ids)]
        mean = self._session.run(None, {"tokens": tokens})[0][0]
        unit: NDArray[np.float32] = mean / np.sqrt(np.dot(mean, mean))
        return unit


def _session(graph: str, initializers: dict[str, shipped.Array]) -> Any:
    onnxruntime = load_onnxruntime()
    options = onnxruntime.SessionOptions()
    # One thread a run: on a busy machine a second one doubles latency; parallel texts are the caller's
    # threads.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = _ERRORS_ONLY
    # Without 8-bit dot products (VNNI) the faster kernels would saturate 16-bit sums: this takes exact ones there,
    # a fifth slower, so that banks go from machine to machine.
    options.add_session_config_entry("session.x64quantprecision", "1")
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(tensor) for tensor in initializers.values()]
    options.add_external_initializers(list(initializers), values)
    return onnxruntime.InferenceSession(
        read_bytes(FOLDER / graph), options, providers=["CPUExecutionProvider"]
    )
