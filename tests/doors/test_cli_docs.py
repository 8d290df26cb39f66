from __future__ import annotations

from pathlib import Path

from tools.make_cli_docs import PAGE, page


def test_the_page_of_the_command_line_is_what_the_help_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python tools/make_cli_docs.py`"


def test_the_page_is_the_docs_own() -> None:
    assert Path(__file__).resolve().parents[2] / "docs" / "cli.md" == PAGE
