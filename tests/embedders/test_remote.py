"""What goes wrong with a provider: it is asked again where that may help, and else told without contents or keys."""

from __future__ import annotations

import json
import logging
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import numpy as np
import pytest

from reverie.embedders.ollama import OllamaEmbedder
from reverie.embedders.openai import OpenAIEmbedder
from reverie.embedders.remote import Address
from reverie.embedders.remote.batches import Limits, batches, cut
from reverie.embedders.remote.http_client import RequestRefused
from reverie.embedders.remote.retries import Cooldown, asked_for
from reverie.embedders.remote.vectors import Unusable, vectors_of
from reverie.errors import EmbedderFailed, InvalidInput
from tests.embedders.providers import Answer, closed, ollama_wire, openai_wire, patient, serving

pytestmark = pytest.mark.slow

SECRET_TEXT = "the combination of the safe is twelve"
KEY = "sk-3fEr7o-quite-secret"


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_a_failure_that_passes_is_asked_again(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses = patient(monkeypatch)
    with serving(ollama_wire, 768, [Answer(status=status)] * 2) as provider:
        with closed(OllamaEmbedder(base_url=provider.url)) as embedder:
            assert embedder.embed_query("hello").shape == (768,)
        assert len(provider.asked) == 3
    assert len(pauses) == 2
    assert pauses[0] <= 0.5
    assert pauses[1] <= 1


def test_the_server_is_given_the_pause_that_it_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses = patient(monkeypatch)
    with (
        serving(ollama_wire, 768, [Answer(status=429, headers={"retry-after": "7"})]) as provider,
        closed(OllamaEmbedder(base_url=provider.url)) as embedder,
    ):
        embedder.embed_query("hello")
    assert pauses == [7.0]


def test_a_pause_beyond_the_deadline_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses = patient(monkeypatch)
    with serving(ollama_wire, 768, [Answer(status=429, headers={"retry-after": "700"})]) as provider:
        with closed(OllamaEmbedder(base_url=provider.url)) as embedder:
            with pytest.raises(EmbedderFailed, match="too many requests"):
                embedder.embed_query("hello")
            with pytest.raises(EmbedderFailed, match=r"asked again in (599|600) s"):
                embedder.embed_query("hello")
        assert len(provider.asked) == 1
    assert pauses == []


def test_a_server_that_goes_on_failing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch)
    with serving(ollama_wire, 768, [Answer(status=500)] * 9) as provider:
        with (
            closed(OllamaEmbedder(base_url=provider.url)) as embedder,
            pytest.raises(EmbedderFailed, match="it answered 500"),
        ):
            embedder.embed_query("hello")
        assert len(provider.asked) == 5


def test_a_server_that_hangs_is_left_after_the_timeout() -> None:
    with (
        serving(ollama_wire, 768, [Answer(hang=30)]) as provider,
        closed(OllamaEmbedder(base_url=provider.url, seconds=0.2)) as embedder,
        pytest.raises(EmbedderFailed, match=r"did not answer within 0\.2 s"),
    ):
        embedder.embed(["hello"])


def test_a_server_that_is_not_there_is_told() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (
        closed(OllamaEmbedder(base_url=f"http://127.0.0.1:{port}", seconds=0.2)) as embedder,
        pytest.raises(EmbedderFailed, match="could not be reached"),
    ):
        embedder.embed(["hello"])


@pytest.mark.parametrize("cut_bytes", [1, 40])
def test_a_reply_that_breaks_off_is_asked_for_again(cut_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch)
    whole = json.dumps({"embeddings": [[0.5] * 768]}).encode()
    with serving(
        ollama_wire, 768, [Answer(body=whole, cut=cut_bytes), Answer(body=whole[:-cut_bytes])]
    ) as provider:
        with closed(OllamaEmbedder(base_url=provider.url)) as embedder:
            assert embedder.embed_query("hello").shape == (768,)
        assert len(provider.asked) == 3


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"embeddings": [[0.5, 0.5]]}', "a vector has 2 dimensions, not 768"),
        (b'{"embeddings": []}', "0 vectors for 1 texts"),
        (b'{"embeddings": "no"}', "no vectors for 1 texts"),
        (b'{"error": "model not found"}', "not the shape"),
        (b"[1, 2]", "not the shape"),
        (b"null", "not the shape"),
    ],
)
def test_a_reply_without_usable_vectors_is_told(body: bytes, why: str) -> None:
    with (
        serving(ollama_wire, 768, [Answer(body=body)]) as provider,
        closed(OllamaEmbedder(base_url=provider.url)) as embedder,
        pytest.raises(EmbedderFailed, match=why),
    ):
        embedder.embed(["hello"])


@pytest.mark.parametrize("body", [b"[" * 60_000, b"x" * 10, b"", b" " * 200_000, b"\xff\xfe"])
def test_a_reply_that_is_no_json_or_far_too_long_is_told(
    body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient(monkeypatch)
    with (
        serving(ollama_wire, 768, [Answer(body=body)] * 5) as provider,
        closed(OllamaEmbedder(base_url=provider.url)) as embedder,
        pytest.raises(EmbedderFailed, match=r"is no JSON|far longer"),
    ):
        embedder.embed(["hello"])


@pytest.mark.parametrize(
    "row",
    [
        [float("nan"), 1.0],
        [float("inf"), 1.0],
        [0.0, 0.0],
        ["1", "2"],
        [None, 1.0],
        [True, False],
        [[1], [2]],
    ],
)
def test_what_is_no_vector_is_refused(row: list[object]) -> None:
    with pytest.raises(Unusable):
        vectors_of([row], 1, 2)


def test_vectors_of_any_size_become_unit_vectors() -> None:
    found = vectors_of([[3e200, 4e200], [3e-200, 4e-200], [3, 4]], 3, 2)
    np.testing.assert_allclose(found, [[0.6, 0.8]] * 3, rtol=1e-6)


@pytest.mark.parametrize("status", [301, 401, 403, 404, 418, 501])
def test_a_refusal_is_told_at_once(status: int) -> None:
    answers = [Answer(status=status, headers={"location": "http://127.0.0.1:9/"})]
    with serving(ollama_wire, 768, answers) as provider:
        with closed(OllamaEmbedder(base_url=provider.url)) as embedder, pytest.raises(EmbedderFailed):
            embedder.embed(["hello"])
        assert len(provider.asked) == 1


def test_a_batch_too_large_is_sent_text_by_text_and_cut() -> None:
    long = "word " * 5000
    with serving(openai_wire, 8, [Answer(status=400)]) as provider:
        with closed(OpenAIEmbedder("m", base_url=provider.url, dimensions=8)) as embedder:
            embedder.embed(["short", "other"])
            assert provider.texts() == [2, 1, 1]
            provider.script.append(Answer(status=413))
            embedder.embed_query(long)
        sent = [one.body["input"][0] for one in provider.asked[-2:]]
        assert [len(text) for text in sent] == [3 * 8191, 8191]


def test_a_refused_request_is_given_up_after_one_text() -> None:
    with serving(openai_wire, 8, [Answer(status=400)] * 9) as provider:
        with (
            closed(OpenAIEmbedder("m", base_url=provider.url, dimensions=8)) as embedder,
            pytest.raises(RequestRefused),
        ):
            embedder.embed(["one", "two", "three"])
        assert len(provider.asked) == 2


def test_neither_texts_nor_keys_stand_in_errors_or_logs(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient(monkeypatch)
    caplog.set_level(logging.DEBUG)
    told = json.dumps({"error": {"message": f"bad key {KEY}: {SECRET_TEXT}"}}).encode()
    answers = [Answer(status=500, body=told)] * 5 + [
        Answer(status=401, body=told),
        Answer(body=told),
        Answer(body=told[:9]),
    ]
    errors = []
    with (
        serving(openai_wire, 8, answers) as provider,
        closed(OpenAIEmbedder("m", base_url=provider.url, dimensions=8, token=KEY)) as embedder,
    ):
        for _ in range(4):
            monkeypatch.setattr(Cooldown, "check", lambda _: None)
            try:
                embedder.embed([SECRET_TEXT])
            except EmbedderFailed as error:
                errors.append(f"{error} {error!r} {error.__cause__}")
    assert len(errors) == 3
    assert len(caplog.records) > 3
    for text in (*errors, caplog.text, repr(embedder)):
        assert KEY not in text
        assert SECRET_TEXT not in text


def test_a_malformed_key_is_told_without_it() -> None:
    with (
        closed(
            OpenAIEmbedder("m", base_url="http://127.0.0.1:9", dimensions=8, token="secret\nkey")
        ) as embedder,
        pytest.raises(EmbedderFailed, match="its key is malformed") as told,
    ):
        embedder.embed(["hello"])
    assert "secret" not in str(told.value)


@pytest.mark.parametrize(
    "url", ["http://10.0.0.7:11434", "https://ollama.example", "http://127.0.0.1.evil.example"]
)
def test_another_machine_is_asked_only_where_that_is_allowed(url: str) -> None:
    with pytest.raises(InvalidInput, match=r"embed\.send_text"):
        OllamaEmbedder(base_url=url)
    assert OllamaEmbedder(base_url=url, send_text=True).dimensions == 768


@pytest.mark.parametrize(
    "url", ["http://localhost:11434", "http://127.0.0.1", "http://127.8.8.8:1", "http://[::1]:80"]
)
def test_this_machine_needs_no_leave(url: str) -> None:
    assert Address.of(url, send_text=False, keyed=True).is_local


def test_a_key_goes_to_no_other_machine_in_clear() -> None:
    with pytest.raises(InvalidInput, match="unencrypted"):
        OpenAIEmbedder(base_url="http://10.0.0.7/v1", token=KEY, send_text=True)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a/",
        "//a",
        "nothing",
        "http://",
        "http://u:pass-word@a/",
        "http://a/?key=pass-word",
        "http://[",
        7,
    ],
)
def test_what_is_no_plain_url_is_refused_without_showing_it(url: object) -> None:
    with pytest.raises(InvalidInput, match=r"embed\.base_url") as told:
        Address.of(url, send_text=True, keyed=False)
    assert "pass-word" not in str(told.value)


def test_a_rest_grows_with_each_failure_and_ends_with_an_answer() -> None:
    now = [100.0]
    rest = Cooldown("name", lambda: now[0])
    for length in (1, 2, 4, 8, 16, 32, 60, 60):
        rest.check()
        rest.failed(None)
        now[0] += length - 0.1
        with pytest.raises(EmbedderFailed):
            rest.check()
        now[0] += 0.2
    rest.answered()
    rest.failed(None)
    now[0] += 1.1
    rest.check()


def test_a_retry_after_may_be_a_date() -> None:
    there = asked_for(format_datetime(datetime.now(UTC) + timedelta(seconds=90)))
    assert there is not None
    assert 80 < there <= 90
    assert asked_for(format_datetime(datetime.now(UTC) - timedelta(days=1))) == 0


def test_batches_hold_every_text_once_within_the_limits() -> None:
    limits = Limits(texts=3, bytes=10, tokens=100)
    texts = ["aaaa", "bbbb", "cccc", "d" * 50, "", "e", "f", "g"]
    parts = [texts[part] for part in batches(texts, limits)]
    assert parts == [["aaaa", "bbbb"], ["cccc"], ["d" * 50], ["", "e", "f"], ["g"]]


def test_a_text_is_cut_between_letters_and_never_empty() -> None:
    limits = Limits(texts=1, bytes=1, tokens=2)
    assert cut("ééééé", limits) == "ééé"
    assert cut("ééééé", limits, surely=True) == "é"
    assert cut("  ", limits) == cut("", limits) == "."


def test_after_a_close_it_opens_another_connection() -> None:
    with serving(ollama_wire, 768) as provider, closed(OllamaEmbedder(base_url=provider.url)) as embedder:
        first = embedder.embed_query("hello")
        embedder.close()
        np.testing.assert_array_equal(embedder.embed_query("hello"), first)


def test_it_is_thread_safe() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with serving(ollama_wire, 768) as provider, closed(OllamaEmbedder(base_url=provider.url)) as embedder:
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(embedder.embed_query, [f"text {number % 4}" for number in range(24)]))
        for number, vector in enumerate(found):
            np.testing.assert_array_equal(vector, found[number % 4])


def test_tokens_are_counted_by_bytes() -> None:
    embedder = OllamaEmbedder()
    assert embedder.count_tokens("naïve") == 2
    assert embedder.count_tokens("x" * 10_000) == 3334
    assert embedder.most_tokens == 2048
