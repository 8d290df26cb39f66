"""docs/promises.md covers each promise of the README, and names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
NAMED = [
    (file, name)
    for file, names in re.findall(r"^- `(tests/\S+\.py)`: ((?:.+\n)(?:  .+\n)*)", PAGE, re.MULTILINE)
    for name in re.findall(r"`(test_\w+)`", names)
]


def test_each_promise_has_its_section() -> None:
    section = README.split("## What you can rely on")[1].split("\n## ")[0]
    promises = [words.rstrip(".") for words in re.findall(r"^- \*\*(.+?)\*\*", section, re.MULTILINE)]
    headings = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    assert promises == headings[:-1]


def test_each_section_names_tests() -> None:
    sections = re.split(r"^(?:## |\*\*)", PAGE, flags=re.MULTILINE)[1:]
    bare = [text.splitlines()[0] for text in sections if "`tests/" not in text]
    assert bare == ["Further promises of the README"]


@pytest.mark.parametrize(
    ("file", "name"), NAMED, ids=[f"{Path(file).stem}-{name[5:40]}" for file, name in NAMED]
)
def test_each_named_test_exists(file: str, name: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert re.search(rf"^ *def {name}\(", text, re.MULTILINE), f"{file} has no {name}"
