"""The files that ship: what they are, that they are whole, and that our tool makes them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from reverie.embedders.minilm.weights import (
    FOLDER,
    WEIGHTS,
    in_float32,
    read_vocabulary,
    read_weights,
)
from reverie.errors import DamagedModel

MANIFEST = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
# Written down a second time, so that a changed model can't pass by way of a changed manifest.
WEIGHTS_SHA256 = "fba0d6400a9e9c27ff1e6c8b7be2d898121c672ea373d32855f39c052af3b1d3"
PUBLISHED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def test_every_shipped_file_is_the_recorded_one() -> None:
    found = {name: hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() for name in MANIFEST["files"]}
    assert found == {name: entry["sha256"] for name, entry in MANIFEST["files"].items()}


def test_the_weights_are_those_of_this_edition() -> None:
    assert MANIFEST["files"][WEIGHTS.name]["sha256"] == WEIGHTS_SHA256
    assert MANIFEST["source"]["sha256"]["model.safetensors"] == PUBLISHED_SHA256


def test_all_that_ships_is_at_most_25_megabytes() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) <= 25_000_000


def test_licence_and_notice_lie_beside_the_model() -> None:
    assert "Apache License" in (FOLDER / "LICENSE").read_text("utf-8")
    assert "all-MiniLM-L6-v2" in (FOLDER / "NOTICE").read_text("utf-8")


def test_the_weights_are_a_safetensors_file() -> None:
    from safetensors.numpy import load_file

    ours, theirs = read_weights(), load_file(WEIGHTS)
    assert ours.keys() == theirs.keys()
    for name, tensor in theirs.items():
        np.testing.assert_array_equal(ours[name], tensor)


def test_matrices_are_int8_and_multiply_out_to_float32() -> None:
    weights = read_weights()
    floats = in_float32(weights)
    assert weights["layer.0.widen.weight"].dtype == np.int8
    assert floats["layer.0.widen.weight"].dtype == np.float32
    assert np.isfinite(floats["layer.0.widen.weight"]).all()


def test_the_vocabulary_is_whole() -> None:
    vocabulary = read_vocabulary()
    assert len(vocabulary) == len(set(vocabulary)) == len(read_weights()["embeddings.words"])


@pytest.mark.parametrize("damage", ["missing", "empty", "short", "garbage"])
def test_a_damaged_file_is_named_with_its_remedy(tmp_path: Path, damage: str) -> None:
    path = tmp_path / WEIGHTS.name
    contents = {"empty": b"", "short": WEIGHTS.read_bytes()[:100_000], "garbage": b"\xff" * 4096}
    if damage in contents:
        path.write_bytes(contents[damage])
    with pytest.raises(DamagedModel, match=r"damaged \(minilm.*reinstall"):
        read_weights(path)


def test_the_tool_makes_these_very_bytes(source: dict[str, bytes]) -> None:
    from tools.make_minilm import make

    for name, data in make(source).items():
        assert hashlib.sha256(data).hexdigest() == hashlib.sha256((FOLDER / name).read_bytes()).hexdigest(), (
            name
        )


def test_the_graphs_are_what_the_tool_builds() -> None:
    from tools.minilm_graph import shipped_graph

    assert (FOLDER / "int8.onnx").read_bytes() == shipped_graph("int8")
    assert (FOLDER / "f32.onnx").read_bytes() == shipped_graph("f32")


def test_the_tool_refuses_other_weights(tmp_path: Path) -> None:
    from tools.minilm_source import SOURCE_SHA256, read_source

    for name in SOURCE_SHA256:
        (tmp_path / name).write_bytes(b"something else")
    with pytest.raises(SystemExit, match="not the published file"):
        read_source(tmp_path)


def test_the_tool_reads_a_wheel_and_a_folder_alike(
    source_path: Path, source: dict[str, bytes], tmp_path: Path
) -> None:
    from tools.minilm_source import read_source

    for name, data in source.items():
        (tmp_path / name).write_bytes(data)
    assert read_source(tmp_path) == read_source(source_path)
