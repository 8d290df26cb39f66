"""The mind that settings name, and the key that it is given."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from reverie import InvalidInput, LLMSettings, Reverie, Settings
from reverie.domain.llm import model_place
from reverie.embedders.hashing import HashingEmbedder
from reverie.wiring.settings import llm_key, settings_from

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
KEY = "key-of-the-tests-0123456789"
needs_extra = pytest.mark.skipif(
    importlib.util.find_spec("pydantic_ai") is None, reason="the extra llm is not installed"
)


def _open(tmp_path: Path, **settings: object) -> Reverie:
    chosen = Settings(**settings)  # type: ignore[arg-type]
    return Reverie.open(
        tmp_path / "a.bank", encrypted=False, embedder=HashingEmbedder.for_tests(), settings=chosen
    )


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("anthropic:m", "ANTHROPIC_API_KEY"), ("openai:m", "OPENAI_API_KEY"), ("openai-chat:m", "OPENAI_API_KEY"),
        ("google:m", "GOOGLE_API_KEY"), ("google:m", "GEMINI_API_KEY"),
    ],
)  # fmt: skip
def test_a_providers_variable_is_for_its_own_server(model: str, variable: str) -> None:
    assert llm_key(model_place(model, ""), {variable: "theirs"}) == "theirs"
    assert llm_key(model_place(model, ""), {variable: "theirs", "REVERIE_LLM_KEY": "ours"}) == "ours"
    other = model_place(model, "https://elsewhere.example/v1")
    assert llm_key(other, {variable: "theirs"}) is None
    assert llm_key(other, {variable: "theirs", "REVERIE_LLM_KEY": "ours"}) == "ours"


def test_variables_set_the_limits_each_by_its_type() -> None:
    settings = settings_from(
        {
            "REVERIE_MIND": "llm", "REVERIE_LLM_MODEL": "ollama:qwen3",
            "REVERIE_LLM_BASE_URL": "http://127.0.0.1:11434/v1", "REVERIE_LLM_CALLS_HOUR": "5",
            "REVERIE_LLM_CALLS_DAY": "", "REVERIE_LLM_TOKENS_DAY": "100000",
            "REVERIE_LLM_DOLLARS_DAY": "0.5", "REVERIE_LLM_PRICES": "3, 15",
            "REVERIE_LLM_SEND_RAW": "true", "REVERIE_LLM_TIMEOUT": "90",
        }
    )  # fmt: skip
    assert settings.mind == "llm"
    assert settings.llm == LLMSettings(
        model="ollama:qwen3", base_url="http://127.0.0.1:11434/v1", calls_hour=5, calls_day=None, tokens_day=100_000,
        dollars_day=0.5, prices=(3.0, 15.0), send_raw=True, timeout=90.0,
    )  # fmt: skip


@pytest.mark.parametrize("text", ["3", "3,x", "3,15,20", ","])
def test_prices_that_are_no_pair_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        settings_from({"REVERIE_LLM_PRICES": text})


@needs_extra
def test_a_bank_with_a_model_thinks_by_it_and_reads_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_LLM_KEY", KEY)
    with _open(tmp_path, mind="llm", llm=LLMSettings(model="anthropic:claude-test")) as reverie:
        desk = reverie._desk
        assert desk.mind is not None
        assert desk.home is not None
        assert (desk.mind.id, desk.home.id.partition("/")[0]) == ("llm/anthropic:claude-test", "local")
        assert desk.reader is desk.quick is desk.home
        assert KEY not in f"{desk!r} {desk.mind!r} {desk.mind.__dict__!r} {desk.settings!r}"
        told = reverie.agent("mama").observe("I moved to Berlin because of the job.")
        assert told.episode_ids


@needs_extra
def test_with_leave_to_read_what_was_said_the_model_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_LLM_KEY", KEY)
    with _open(tmp_path, mind="llm", llm=LLMSettings(model="openai:gpt-test", send_raw=True)) as reverie:
        assert reverie._desk.reader is reverie._desk.mind
        assert reverie._desk.quick is reverie._desk.home


@needs_extra
def test_a_model_here_needs_no_key_nor_judges_each_write(tmp_path: Path) -> None:
    with _open(tmp_path, mind="llm", llm=LLMSettings(model="ollama:qwen3")) as reverie:
        desk = reverie._desk
        assert desk.mind is not None
        assert desk.reader is desk.mind
        assert desk.quick is desk.home


@needs_extra
def test_opening_with_a_model_does_not_load_its_client(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom reverie import LLMSettings, Reverie, Settings\n"
        "settings = Settings(mind='llm', llm=LLMSettings(model='ollama:qwen3'))\n"
        f"Reverie.open({str(tmp_path / 'a.bank')!r}, encrypted=False, settings=settings).close()\n"
        "sys.exit(not {'pydantic', 'pydantic_ai', 'httpx2', 'openai'}.isdisjoint(sys.modules))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT / "src", check=False).returncode == 0


@needs_extra
def test_a_model_without_its_key_is_refused_before_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "REVERIE_LLM_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InvalidInput, match="REVERIE_LLM_KEY"):
        _open(tmp_path, mind="llm", llm=LLMSettings(model="anthropic:claude-test"))
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_opening_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(InvalidInput, match=r"pip install '\.\[llm\]'"):
        _open(tmp_path, mind="llm", llm=LLMSettings(model="ollama:qwen3"))


def test_opening_without_a_model_loads_no_extra(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom reverie import Reverie\n"
        f"with Reverie.open({str(tmp_path / 'a.bank')!r}, encrypted=False) as bank:\n"
        "    bank.agent('mama').remember('The stove is on the left.')\n"
        "heavy = {'httpx2', 'pydantic', 'pydantic_ai', 'reverie.minds.llm'}\n"
        "sys.exit(not heavy.isdisjoint(sys.modules))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT / "src", check=False).returncode == 0
