"""The built-in model: what the port promises, and how near it comes to the published weights."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reverie.embedders.minilm import MiniLM, model
from reverie.embedders.minilm.network import Compute, Network
from reverie.embedders.minilm.runtime import load_onnxruntime
from reverie.errors import InvalidInput

GOLDEN: dict[str, str] = json.loads(Path(__file__).with_name("golden.json").read_text("utf-8"))
SENTENCES = list(GOLDEN)
COMPUTES: list[Compute] = ["int8", "f32"]


def _golden() -> NDArray[np.float32]:
    rows = [np.frombuffer(base64.b64decode(vector), "<f2") for vector in GOLDEN.values()]
    return np.stack(rows).astype(np.float32)


def _cosines(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return np.asarray((a * b).sum(axis=1) / lengths, np.float32)


def test_rounded_weights_in_f32_keep_to_the_published_ones() -> None:
    cosines = _cosines(MiniLM("f32").embed(SENTENCES), _golden())
    assert cosines.min() >= 0.998
    assert cosines.mean() >= 0.9993


def test_int8_compute_keeps_near_to_the_published_weights(minilm: MiniLM) -> None:
    cosines = _cosines(minilm.embed(SENTENCES), _golden())
    assert cosines.min() >= 0.985
    assert cosines.mean() >= 0.997


def test_a_thousand_real_sentences_keep_to_the_published_weights(
    source: dict[str, bytes], locomo_turns: list[str], wordpiece: Any
) -> None:
    onnxruntime = load_onnxruntime()

    from tools.minilm_graph import plain_graph
    from tools.minilm_reference import Reference
    from tools.minilm_source import read_safetensors

    session = onnxruntime.InferenceSession(
        plain_graph(Reference(read_safetensors(source["model.safetensors"])))
    )

    def published(text: str) -> NDArray[np.float32]:
        ids = np.array([wordpiece.ids(text, 256)], np.int64)
        vector: NDArray[np.float32] = session.run(None, {"ids": ids, "mask": np.ones_like(ids)})[0][0]
        return vector

    expected = np.stack([published(text) for text in locomo_turns])
    assert len(expected) == 1000
    assert _cosines(MiniLM("f32").embed(locomo_turns), expected).min() >= 0.998
    assert _cosines(MiniLM("int8").embed(locomo_turns), expected).mean() >= 0.997


def test_vectors_are_unit_float32_rows_in_the_texts_order(minilm: MiniLM) -> None:
    vectors = minilm.embed(SENTENCES)
    assert vectors.shape == (len(SENTENCES), minilm.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    for text, vector in zip(SENTENCES, vectors, strict=True):
        assert minilm.embed_query(text) @ vector >= 0.9999


@pytest.mark.parametrize("compute", COMPUTES)
def test_a_text_has_the_same_vector_alone_and_among_others(compute: Compute) -> None:
    embedder = MiniLM(compute)
    among = embedder.embed(SENTENCES)
    alone = np.concatenate([embedder.embed([text]) for text in SENTENCES])
    reversed_order = embedder.embed(SENTENCES[::-1])[::-1]
    assert _cosines(among, alone).min() >= 0.9999
    assert _cosines(among, reversed_order).min() >= 0.9999


def test_the_number_of_threads_changes_no_vector() -> None:
    one, three = (MiniLM(threads=threads).embed(SENTENCES) for threads in (1, 3))
    np.testing.assert_array_equal(one, three)


def test_no_thread_outlives_a_call() -> None:
    before = set(threading.enumerate())
    MiniLM(threads=4).embed(SENTENCES)
    assert set(threading.enumerate()) <= before


def test_threads_may_share_a_fresh_embedder() -> None:
    embedder = MiniLM(threads=1)
    expected = MiniLM(threads=1).embed(SENTENCES)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(embedder.embed_query, SENTENCES * 4))
    np.testing.assert_array_equal(np.stack(found), np.tile(expected, (4, 1)))


def test_the_model_is_loaded_once_when_threads_race_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    def counted(compute: Compute) -> Network:
        made.append(compute)
        return Network(compute)

    monkeypatch.setattr(model, "Network", counted)
    embedder = MiniLM()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(embedder.embed_query, ["race"] * 16))
    assert made == ["int8"]


def test_two_processes_give_the_same_bytes(minilm: MiniLM) -> None:
    program = (
        "import hashlib, json, sys; from reverie.embedders.minilm import MiniLM;"
        "print(hashlib.sha256(MiniLM().embed(json.load(sys.stdin)).tobytes()).hexdigest())"
    )
    given = json.dumps(SENTENCES[:12])
    child = subprocess.run(
        [sys.executable, "-c", program], input=given, capture_output=True, text=True, check=True
    )
    assert child.stdout.strip() == hashlib.sha256(minilm.embed(SENTENCES[:12]).tobytes()).hexdigest()
    assert child.stderr == ""


def test_nothing_heavy_is_imported_before_the_first_embedding() -> None:
    program = (
        "import sys; from reverie.embedders.minilm import MiniLM;"
        "m = MiniLM(); m.id, m.dimensions, m.count_tokens('a word');"
        "print('onnxruntime' in sys.modules); m.embed_query('a word'); print('onnxruntime' in sys.modules)"
    )
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert child.stdout.split() == ["False", "True"]


def test_neither_torch_nor_tokenizers_is_needed() -> None:
    program = (
        "import sys; sys.modules.update(dict.fromkeys(['torch', 'tokenizers', 'onnx', 'safetensors']));"
        "from reverie.embedders.minilm import MiniLM; print(MiniLM().embed(['a']).shape)"
    )
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert child.stdout.strip() == "(1, 384)"


@pytest.mark.parametrize("text", ["", "   ", "\x00\x01\x02", "\ud800", "\u200b\u200d", "\u0301"])
def test_a_text_without_tokens_has_a_unit_vector(minilm: MiniLM, text: str) -> None:
    vector = minilm.embed_query(text)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)
    np.testing.assert_array_equal(vector, minilm.embed_query(""))


def test_what_lies_past_the_limit_changes_nothing(minilm: MiniLM) -> None:
    kept = "word " * minilm.most_tokens
    np.testing.assert_array_equal(minilm.embed_query(kept), minilm.embed_query(kept + "and a different end"))
    assert not np.array_equal(minilm.embed_query(kept), minilm.embed_query(kept[5:] + "end"))


def test_a_megabyte_of_text_is_embedded_by_its_beginning(minilm: MiniLM) -> None:
    text = "Some long story. " * 60_000
    np.testing.assert_array_equal(minilm.embed_query(text), minilm.embed_query(text[:20_000]))


@settings(max_examples=60)
@given(st.text(st.characters(codec=None), max_size=200))
def test_any_text_has_a_finite_unit_vector(minilm: MiniLM, text: str) -> None:
    assert np.linalg.norm(minilm.embed_query(text)) == pytest.approx(1, abs=1e-5)


def test_no_texts_give_no_rows(minilm: MiniLM) -> None:
    assert minilm.embed([]).shape == (0, 384)


def test_texts_of_like_meaning_are_near(minilm: MiniLM) -> None:
    cat, kitten, invoice = minilm.embed(
        ["The cat sleeps on the sofa.", "A kitten naps on the couch.", "The invoice is due next week."]
    )
    assert cat @ kitten > 0.6
    assert cat @ invoice < 0.2


def test_ids_name_model_arithmetic_and_edition() -> None:
    assert [MiniLM(compute).id for compute in COMPUTES] == ["minilm-l6-v2-int8/1", "minilm-l6-v2-f32/1"]


def test_counts_tokens_past_the_models_limit(minilm: MiniLM) -> None:
    assert minilm.count_tokens("word " * 1000) == 1000


@pytest.mark.parametrize(("compute", "threads"), [("int4", 1), ("int8", 0), ("int8", -1)])
def test_refuses_settings_that_make_no_sense(compute: Any, threads: Any) -> None:
    with pytest.raises(InvalidInput):
        MiniLM(compute, threads)


@pytest.mark.parametrize("texts", ["one string", ["fine", None], [b"bytes"], [3]])
def test_refuses_what_is_not_text(minilm: MiniLM, texts: Any) -> None:
    with pytest.raises(InvalidInput, match="texts"):
        minilm.embed(texts)


def test_refuses_a_query_that_is_not_text(minilm: MiniLM) -> None:
    with pytest.raises(InvalidInput, match="NoneType"):
        minilm.embed_query(None)  # type: ignore[arg-type]


def test_the_runtime_sends_and_writes_nothing_of_its_own(tmp_path: Path) -> None:
    code = "from reverie.embedders.minilm import MiniLM; MiniLM().embed_query('hello')"
    home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment = {
        name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"
    } | home
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_the_programs_environment_stays_as_it_is() -> None:
    code = (
        "import os; before = dict(os.environ)\n"
        "from reverie.embedders.minilm import MiniLM; MiniLM().embed_query('hello')\n"
        "raise SystemExit(dict(os.environ) != before)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_interrupted_embedding_leaves_no_thread_running(monkeypatch: pytest.MonkeyPatch) -> None:
    class Sign:
        """Lives as long as its thread."""

    own, signs = threading.local(), list[weakref.ref[Sign]]()
    unit = np.zeros(384, np.float32)

    def vector(_network: Network, _ids: list[int]) -> NDArray[np.float32]:
        if not hasattr(own, "sign"):
            own.sign = Sign()
            signs.append(weakref.ref(own.sign))
            if len(signs) == 1:
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        threading.Event().wait(0.01)  # a text's time
        return unit

    monkeypatch.setattr(Network, "vector", vector)
    with pytest.raises(KeyboardInterrupt):
        MiniLM(threads=2).embed(["a"] * 10_000)
    until = monotonic() + 20
    while any(sign() is not None for sign in signs):
        assert monotonic() < until
