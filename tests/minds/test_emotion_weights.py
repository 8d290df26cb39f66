"""The file that ships: small, whole, and told apart from a broken one."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from reverie.errors import DamagedModel
from reverie.minds.emotions.weights import WEIGHTS, read_weights

SHA256 = "d51ea457925888310aa69069febe834a4ab366889bab6a5529eb5e735b64c7ee"


def test_the_weights_are_those_of_this_edition() -> None:
    assert hashlib.sha256(WEIGHTS.read_bytes()).hexdigest() == SHA256


def test_all_that_ships_is_at_most_two_megabytes() -> None:
    assert sum(path.stat().st_size for path in WEIGHTS.parent.glob("*") if path.is_file()) <= 2_000_000


def test_shapes_fit_together() -> None:
    weights = read_weights()
    rows, labels = weights.table.shape
    inputs, hidden = weights.hidden.shape
    assert (rows, labels, inputs) == (1 << 16, 28, 384 + 5)
    assert weights.out.shape == (hidden, labels)
    assert weights.hidden_scale.shape == weights.hidden_bias.shape == (hidden,)
    for each in (weights.table_scale, weights.out_scale, weights.bias, weights.thresholds):
        assert each.shape == (labels,)
        assert np.isfinite(each).all()


def test_thresholds_are_probabilities() -> None:
    thresholds = read_weights().thresholds
    assert ((thresholds > 0) & (thresholds < 1)).all()


@pytest.mark.parametrize("size", [0, 4, 200, 100_000])
def test_a_file_that_is_cut_short_is_told(tmp_path: Path, size: int) -> None:
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(WEIGHTS.read_bytes()[:size])
    with pytest.raises(DamagedModel, match=r"cut\.safetensors.*reinstall"):
        read_weights(cut)


def test_a_file_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(DamagedModel, match=r"none\.safetensors"):
        read_weights(tmp_path / "none.safetensors")
