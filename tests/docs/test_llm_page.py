"""docs/llm.md: the variables that it exports are settings; its Python examples run with all others of the docs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reverie.domain.llm import model_place
from reverie.domain.settings import Settings
from reverie.wiring.settings import llm_key, settings_from

PAGE = Path(__file__).resolve().parents[2] / "docs" / "llm.md"
BLOCKS = [
    dict(re.findall(r"^export (\w+)=(.*)$", block, re.MULTILINE))
    for block in re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
]
SET_UP = [block for block in BLOCKS if block]


@pytest.mark.parametrize("block", SET_UP, ids=[block["REVERIE_LLM_MODEL"] for block in SET_UP])
def test_what_a_block_exports_names_a_model_and_its_key(block: dict[str, str]) -> None:
    settings = settings_from(block)
    place = model_place(settings.llm.model, settings.llm.base_url)
    assert settings.mind == "llm"
    assert (llm_key(place, block) is None) is (place.provider == "ollama")


def test_the_page_shows_every_provider() -> None:
    providers = {block["REVERIE_LLM_MODEL"].partition(":")[0] for block in SET_UP}
    assert providers == {"anthropic", "openai", "openai-chat", "google", "ollama"}


def test_the_limits_that_the_page_names_are_the_defaults() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert f"| {Settings().llm.calls_hour}, {Settings().llm.calls_day} |" in text
    assert f"| `llm.timeout` | {Settings().llm.timeout:g} |" in text
