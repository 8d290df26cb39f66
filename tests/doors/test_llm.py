"""`reverie llm check`: what works, what it cost, and what a night would send."""

from __future__ import annotations

import importlib.util
import json

import pytest

if importlib.util.find_spec("pydantic_ai") is None:
    pytest.skip("the extra llm is not installed", allow_module_level=True)

from tests.doors.commands import Cli
from tests.minds.llm.servers import Answer, Failure, Server, serving

pytestmark = pytest.mark.slow
THERE = json.dumps({"there": True})


@pytest.fixture
def set_up(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """No key and no proxy of the environment's."""
    for name in (
        "REVERIE_LLM_KEY",
        "ANTHROPIC_API_KEY",
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
        "all_proxy",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("REVERIE_MIND", "llm")
    return monkeypatch


def _named(set_up: pytest.MonkeyPatch, server: Server, model: str = "test-model") -> None:
    set_up.setenv("REVERIE_LLM_MODEL", f"{server.wire}:{model}")
    set_up.setenv("REVERIE_LLM_BASE_URL", server.url)


@pytest.mark.parametrize(
    ("wire", "way"),
    [("anthropic", "by a tool call"), ("ollama", "by the provider's mode for a JSON Schema"),
     ("openai-chat", "as the prompt asks for it")],
)  # fmt: skip
def test_a_working_model_is_told_with_cost(cli: Cli, set_up: pytest.MonkeyPatch, wire: str, way: str) -> None:
    with serving(wire, THERE) as server:
        _named(set_up, server)
        ran = cli.bare("llm", "check", "--bank", str(cli.bank))
    assert ran.code == 0
    assert ran.out.splitlines() == [
        f"model           {wire}:test-model at {server.url}",
        "server reached  yes",
        "key taken       yes",
        "model known     yes",
        f"answer in JSON  yes, {way}",
        "cost            1 call, 100 tokens read, 20 written, price unknown (Settings.llm.prices)",
        "a night sends   everything, to this machine alone",
    ]
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("raw", "sends"), [("false", "the sentences that"), ("true", "messages as they were said")]
)
def test_what_a_remote_model_is_sent_is_told(
    cli: Cli, set_up: pytest.MonkeyPatch, raw: str, sends: str
) -> None:
    with serving("openai-chat", THERE) as server:
        _named(set_up, server)
        set_up.setenv("HTTP_PROXY", f"http://127.0.0.1:{server.port}")
        set_up.setenv("REVERIE_LLM_BASE_URL", "http://model.example/v1")
        set_up.setenv("REVERIE_LLM_SEND_RAW", raw)
        set_up.setenv("REVERIE_LLM_PRICES", "3,15")
        ran = cli.bare("llm", "check", "--bank", str(cli.bank))
    assert f"a night sends   {sends}" in ran.out
    assert "20 written, $0.000600" in ran.out


@pytest.mark.parametrize(
    ("answer", "works", "does_not", "remedy"),
    [
        (Failure(status=401), "server reached", "key taken", "REVERIE_LLM_KEY"),
        (Failure(status=404), "key taken", "model known", "check Settings.llm.model"),
        (Failure(body=b"<html>hello</html>"), "", "server reached", "check Settings.llm.base_url"),
        ("Hello there!", "model known", "answer in JSON", "isn't what was asked for"),
    ],
)
def test_what_fails_is_told_by_its_step_and_what_to_do(
    cli: Cli, set_up: pytest.MonkeyPatch, answer: Answer, works: str, does_not: str, remedy: str
) -> None:
    with serving("openai-chat", answer) as server:
        _named(set_up, server)
        ran = cli.bare("llm", "check", "--bank", str(cli.bank))
        as_json = cli.bare("llm", "check", "--bank", str(cli.bank), "--json")
    assert ran.code == as_json.code == 3
    rows = {line[:16].strip(): line[16:] for line in ran.out.splitlines()}
    assert rows[does_not] == "no"
    assert rows.get(works, "yes") == "yes"
    assert remedy in ran.err
    assert as_json.document["works"] is False
    assert remedy in as_json.document["problem"]


def test_without_a_model_it_is_told_how_to_name_one(cli: Cli, set_up: pytest.MonkeyPatch) -> None:
    set_up.delenv("REVERIE_MIND")
    ran = cli.bare("llm", "check", "--bank", str(cli.bank))
    assert ran.code == 2
    assert "REVERIE_LLM_MODEL" in ran.err


def test_without_a_key_it_is_told_which_to_set(cli: Cli, set_up: pytest.MonkeyPatch) -> None:
    set_up.setenv("REVERIE_LLM_MODEL", "anthropic:claude-sonnet-5-5")
    ran = cli.bare("llm", "check", "--bank", str(cli.bank))
    assert ran.code == 2
    assert "REVERIE_LLM_KEY" in ran.err
