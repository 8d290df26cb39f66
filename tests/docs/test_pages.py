"""The pages hang together: what the code names exists, and a decision takes one short page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WHY = sorted((ROOT / "docs" / "why").glob("*.md"))
MOST_LINES = 60


@pytest.mark.parametrize("page", WHY, ids=[page.stem for page in WHY])
def test_a_decision_takes_one_short_page(page: Path) -> None:
    assert len(page.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("folder", ["src", "tools", "bench", "scripts"])
def test_each_page_that_the_code_names_exists(folder: str) -> None:
    named = {
        (path.relative_to(ROOT).as_posix(), page)
        for path in sorted((ROOT / folder).rglob("*.py"))
        for page in re.findall(r"\bdocs/[\w/-]+\.md\b", path.read_text(encoding="utf-8"))
    }
    assert {(path, page) for path, page in named if not (ROOT / page).is_file()} == set()


@pytest.mark.parametrize("page", WHY, ids=[page.stem for page in WHY])
def test_each_module_that_a_decision_names_exists(page: Path) -> None:
    named = set(re.findall(r"`((?:\w+/)+\w+\.py)`", page.read_text(encoding="utf-8")))
    missing = {
        name for name in named if not any((root / name).is_file() for root in (ROOT, ROOT / "src/reverie"))
    }
    assert missing == set()
